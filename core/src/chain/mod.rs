//! Chains and the assets on them.

mod explorer;
mod list_chains;
mod public_rpc;

pub use explorer::{ExplorerUrl, ExplorerUrlError};
pub use list_chains::ListChains;
pub use public_rpc::{PublicRpcUrl, PublicRpcUrlError};

use crate::value::record::record;
use crate::value::{Amount, ChainId, Currency};

record! {
    /// A chain, as embedded in other records (contract, "Chain").
    Chain {
        /// Chain id; the EIP-155 id on EVM chains.
        id: ChainId,
        /// Name.
        name: String,
        /// Symbol of the asset that pays network fees.
        native_currency_symbol: Currency,
    }
}

record! {
    /// A chain with its parameters and assets.
    ChainDetail {
        /// Chain id.
        id: ChainId,
        /// Name.
        name: String,
        /// Symbol of the asset that pays network fees.
        native_currency_symbol: Currency,
        /// Address family: `evm`, `bitcoin` or `solana`.
        family: String,
        /// Confirmations required to confirm a payment.
        confirmations_required: u32,
        /// Typical block interval, in seconds.
        block_seconds: u32,
        /// Supported assets.
        assets: Vec<Asset>,
        /// Block explorer; it shows a transaction at `/tx/{hash}` and an address at `/address/{address}` (EIP-3091).
        explorer_url?: String,
        /// True on a test network, whose money has no value.
        test_network?: bool,
        /// Network fees that the operator pays for the organisation's payers who sign (EIP-3009); absent if it pays none.
        payer_fees?: PayerFees,
    }
}

record! {
    /// Network fees of a day (UTC) that the operator pays for the payers of an organisation, in the chain's native coin.
    PayerFees {
        /// Transfers are accepted while the fees reserved in a day fit it. Above it, payers pay the network themselves.
        limit_per_day: Amount,
        /// What today has cost, or may cost for transactions that are in no block yet.
        used_today: Amount,
    }
}

record! {
    /// An asset on a chain.
    Asset {
        /// Symbol.
        symbol: Currency,
        /// Decimal places of the smallest unit.
        scale: u32,
        /// Contract address of the token; absent for the native asset.
        token_address?: String,
    }
}
