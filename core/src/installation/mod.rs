//! The installation: its chains with their nodes, its hot wallets, the transactions that it sends, and the wallets that it offers
//! to payers.
//!
//! For sessions of members who operate the installation (`settlekit member add --operator`), never for API keys, because these
//! records belong to no organisation.

mod create_wallet_link;
mod delete_wallet_link;
mod list_hot_wallets;
mod list_installation_chains;
mod list_outgoing_transactions;
mod list_unswept_proxies;
mod list_wallet_links;
mod raise_transaction_fee;
mod restore_wallet_links;
mod update_installation_chain;
mod wallet_link;

pub use create_wallet_link::{CreateWalletLink, CreateWalletLinkBody};
pub use delete_wallet_link::{DeleteWalletLink, DeleteWalletLinkPath};
pub use list_hot_wallets::{GasMoney, HotWallet, HotWalletHolding, ListHotWallets};
pub use list_installation_chains::ListInstallationChains;
pub use list_outgoing_transactions::{
    ListOutgoingTransactions, ListOutgoingTransactionsQuery, OutgoingTransactionList,
};
pub use list_unswept_proxies::{
    ListUnsweptProxies, ListUnsweptProxiesPath, ListUnsweptProxiesQuery, UnsweptProxy,
    UnsweptProxyList,
};
pub use list_wallet_links::ListWalletLinks;
pub use raise_transaction_fee::{
    RaiseTransactionFee, RaiseTransactionFeeBody, RaiseTransactionFeePath,
};
pub use restore_wallet_links::RestoreWalletLinks;
pub use update_installation_chain::{
    UpdateInstallationChain, UpdateInstallationChainBody, UpdateInstallationChainPath,
};
pub use wallet_link::{WALLET_LINKS_MAX, WalletLinkTemplate, usual_wallet_links};

use crate::chain::Asset;
use crate::value::open::open_enum;
use crate::value::record::record;
use crate::value::{
    Amount, ChainId, Currency, OrganisationId, PaymentId, Timestamp, TransactionId,
};

record! {
    /// A connected chain, as its operator needs to see it.
    InstallationChain {
        /// Chain id.
        id: ChainId,
        /// Name.
        name: String,
        /// Symbol of the native coin.
        native_currency_symbol: Currency,
        /// Currencies, the native coin among them.
        assets: Vec<Asset>,
        /// Block explorer; it shows a transaction at `/tx/{hash}` and an address at `/address/{address}` (EIP-3091).
        explorer_url?: String,
        /// True on a test network, whose money has no value.
        test_network?: bool,
        /// Whether the chain is neither read nor paid on.
        paused: bool,
        /// Latest recorded block.
        head: u64,
        /// Blocks of the nodes that are not recorded yet; absent until a server has reported it.
        lag?: u64,
        /// Latest settled block; absent until the first.
        settled_block?: u64,
        /// Confirmations after which a block is settled; the usual ones of the chain with `finality`.
        confirmations_required: u32,
        /// Whether a block is settled when the nodes call it final.
        finality: bool,
        /// Typical block interval, in seconds.
        block_seconds: u32,
        /// Base fee of the latest block, in gwei per gas.
        base_fee_gwei?: Amount,
        /// Latest report of the server that watches the chain; absent until the first.
        report?: ChainReport,
        /// Result of the latest comparison of the books with the chain; absent until the first.
        comparison?: ChainComparison,
        /// Money at proxy wallets, by currency.
        unswept: Vec<Unswept>,
        /// Tokens that the chain does not take and that somebody sent to an address of the service, the latest first.
        unconfigured_tokens: Vec<UnconfiguredToken>,
        /// Transactions under way.
        transactions_under_way: u64,
        /// Creation time of the oldest of them.
        oldest_transaction_at?: Timestamp,
    }
}

record! {
    /// Report of the server that watches a chain.
    ChainReport {
        /// Time of the report. An old one means that no server watches the chain.
        reported_at: Timestamp,
        /// Time when the latest recorded block last changed.
        head_at: Timestamp,
        /// Latest block of the most advanced node.
        node_head?: u64,
        /// Why no blocks of the chain are recorded.
        problem?: String,
        /// Providers, in the order of preference.
        providers: Vec<ProviderReport>,
    }
}

record! {
    /// The health of a provider.
    ProviderReport {
        /// Host name. The rest of the URL may contain a key.
        host: String,
        /// Whether it answers.
        ready: bool,
        /// Latest block that it reported.
        head?: u64,
        /// Blocks behind the most advanced provider.
        lag?: u64,
        /// Time of its latest good answer.
        last_success_at?: Timestamp,
        /// Latest error.
        last_error?: String,
        /// Time of that error.
        last_error_at?: Timestamp,
    }
}

record! {
    /// A comparison of the books with a chain (`settlekit verify --chain`).
    ChainComparison {
        /// Time of the comparison.
        compared_at: Timestamp,
        /// Block at which balances were compared; absent if only sums were.
        block?: u64,
        /// Number of balances compared.
        balances: u64,
        /// Number of differences.
        difference_count: u64,
        /// The first differences, in words.
        differences: Vec<String>,
    }
}

record! {
    /// Money of a currency at proxy wallets.
    Unswept {
        /// Currency.
        currency: Currency,
        /// Sum.
        amount: Amount,
        /// Number of proxy wallets.
        proxies: u64,
    }
}

record! {
    /// A token that a chain does not take. It is seen in plain transfers to addresses of the service, and never booked: it stays
    /// where it was sent.
    UnconfiguredToken {
        /// Contract. Anybody can make one that calls itself anything.
        contract: String,
        /// Number of transfers seen.
        transfers: u64,
        /// Block of the latest one.
        last_block: u64,
    }
}

open_enum! {
    /// State of an outgoing transaction.
    OutgoingStatus {
        /// To be estimated and signed.
        Queued,
        /// To be signed by the external signer.
        Unsigned,
        /// Signed, to be broadcast.
        Signed,
        /// Taken by a node.
        Sent,
        /// Taken by no node: an empty transaction is to use its nonce.
        Abandoned,
        /// In a block without all confirmations.
        Mined,
    }
}

open_enum! {
    /// Purpose of an outgoing transaction.
    OutgoingPurpose {
        /// Pays out.
        Payout = "payout",
        /// Empties proxy wallets into their destination.
        Sweep = "sweep",
        /// Deploys the factory of proxy wallets.
        Deploy = "deploy",
        /// Moves money of a replaced hot wallet to the one in use.
        Move = "move",
        /// Sends coins to a derived address for the gas of its sweep.
        GasMoney = "gas_money",
        /// Approves the sold amount of an order for the router of an exchange.
        Approval = "approval",
        /// Swaps the sold amount of an order.
        Swap = "swap",
        /// Revokes the rest of an approved amount.
        Revocation = "revocation",
        /// Pays the operator's own money to the operator.
        OperatorWithdrawal = "operator_withdrawal",
        /// Sent by somebody else who has the wallet's key.
        Unknown = "unknown",
    }
}

record! {
    /// A transaction of a hot wallet.
    OutgoingTransaction {
        /// Unique id.
        id: TransactionId,
        /// Chain.
        chain_id: ChainId,
        /// Hot wallet.
        from: String,
        /// Receiver, or contract called.
        to: String,
        /// Sequence number among the wallet's transactions; absent until it is signed.
        nonce?: u64,
        /// Purpose.
        purpose: OutgoingPurpose,
        /// State.
        status: OutgoingStatus,
        /// Organisation of the payout.
        org_id?: OrganisationId,
        /// Payment of the payout.
        payment_id?: PaymentId,
        /// Amount that leaves the wallet.
        amount: Amount,
        /// Currency of `amount`.
        currency: Currency,
        /// Number of signed forms: the first, and replacements with higher fees.
        attempts: u32,
        /// Hash of the latest signed form.
        transaction_hash?: String,
        /// Highest fee that the latest form offers, in gwei per gas.
        max_fee_gwei?: Amount,
        /// Most that the network can take for it, in the native coin.
        max_fee?: Amount,
        /// Whether its fee can be raised: it is signed, in no block, and the next that the network waits for.
        can_raise_fee: bool,
        /// Block that it is in.
        block_number?: u64,
        /// Creation time.
        created_at: Timestamp,
        /// Time of the last change.
        updated_at: Timestamp,
    }
}
