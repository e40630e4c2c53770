//! The commands on chains and hot wallets.

use std::str::FromStr;

use alloy_primitives::Address;
use clap::Subcommand;
use settlekit_core::chain::{ExplorerUrl, PublicRpcUrl};
use settlekit_core::value::{Amount, ChainId, Currency, OrganisationId};

use super::store::Store;

/// The commands on chains.
#[derive(Debug, Subcommand)]
pub enum Chain {
    /// Connect a chain, or replace the nodes of a connected one. Asks the nodes, and refuses what they contradict.
    ///
    /// Ethereum, Optimism, BNB Smart Chain, Polygon, Base, Arbitrum and their test networks need the chain id and a node only; any
    /// other EVM chain is described by the options. Servers may keep running.
    Connect {
        /// The database.
        #[command(flatten)]
        store: Store,
        /// The EIP-155 id.
        #[arg(long, value_name = "ID")]
        chain: ChainId,
        /// The URL of a node's JSON-RPC. With two or more, two must agree on every block, unless only one has
        /// answered in the last minute.
        #[arg(long, value_name = "URL", required = true)]
        rpc: Vec<String>,
        /// Confirmations after which money counts as received, or `finalized`: when the nodes call its block final.
        #[arg(long, value_name = "N|finalized")]
        confirmations: Option<Confirmations>,
        /// A token to take: the symbol of one that is known on the chain, or SYMBOL=0xCONTRACT. All known ones by default.
        #[arg(long, value_name = "TOKEN")]
        token: Vec<Token>,
        /// The chain's name, if it is not a usual one.
        #[arg(long)]
        name: Option<String>,
        /// The symbol of its native coin, of 18 decimal places.
        #[arg(long, value_name = "SYMBOL")]
        native: Option<Currency>,
        /// Seconds between two of its blocks.
        #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(1..=3600))]
        block_seconds: Option<u32>,
        /// The base URL of its block explorer, which shows transactions at /tx/HASH and addresses at /address/ADDRESS (EIP-3091).
        #[arg(long, value_name = "URL")]
        explorer: Option<ExplorerUrl>,
        /// The URL of a public node, given to wallets of payers that don't know the chain. The usual chains have one, except
        /// Ethereum and Sepolia, which every wallet knows.
        #[arg(long, value_name = "URL")]
        public_rpc: Option<PublicRpcUrl>,
        /// A test network: its money has no value, is marked as such, and counts in no sum and in no limit on payouts.
        #[arg(long)]
        test_network: bool,
        /// The chain was connected with `--test-network` by mistake: its money has value.
        #[arg(long, conflicts_with = "test_network")]
        no_test_network: bool,
        /// Deploy the factory of proxy wallets if the chain has none, paid by the hot wallet.
        #[arg(long)]
        deploy: bool,
        /// Don't trace transactions: native coins that contracts send are not seen then, and nodes may lack `debug_trace…`.
        #[arg(long)]
        no_traces: bool,
        /// Don't look for payments in the mempools of the nodes: they are seen in their block then.
        #[arg(long)]
        no_mempool: bool,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// List the connected chains.
    List {
        /// The database.
        #[command(flatten)]
        store: Store,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Manage the tokens of connected chains.
    #[command(subcommand)]
    Token(ChainToken),
    /// Pay the network for payers who only sign (EIP-3009), up to a limit. Off until it is set.
    PayerFees {
        /// The database.
        #[command(flatten)]
        store: Store,
        /// The EIP-155 id.
        #[arg(long, value_name = "ID")]
        chain: ChainId,
        /// The most native coins a day (UTC) for the payers of one organisation; 0 for none.
        #[arg(long, value_name = "AMOUNT")]
        per_day: Amount,
    },
    /// Stop reading a chain and sending on it. Deposits are booked when it is resumed.
    Pause {
        /// The database.
        #[command(flatten)]
        store: Store,
        /// The EIP-155 id.
        #[arg(long, value_name = "ID")]
        chain: ChainId,
    },
    /// Go on with a paused chain, from the block where it was paused.
    Resume {
        /// The database.
        #[command(flatten)]
        store: Store,
        /// The EIP-155 id.
        #[arg(long, value_name = "ID")]
        chain: ChainId,
    },
    /// Forget a chain on which no account was ever opened.
    Disconnect {
        /// The database.
        #[command(flatten)]
        store: Store,
        /// The EIP-155 id.
        #[arg(long, value_name = "ID")]
        chain: ChainId,
    },
}

/// The commands on the tokens of chains.
#[derive(Debug, Subcommand)]
pub enum ChainToken {
    /// Take another token on a connected chain. Servers may keep running. Transfers before are not booked.
    Add {
        /// The database.
        #[command(flatten)]
        store: Store,
        /// The EIP-155 id.
        #[arg(long, value_name = "ID")]
        chain: ChainId,
        /// The symbol of a token that is known on the chain, or SYMBOL=0xCONTRACT.
        #[arg(long, value_name = "TOKEN")]
        token: Token,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
}

/// The commands on the hot wallet.
#[derive(Debug, Subcommand)]
pub enum Wallet {
    /// Create the hot wallet, which holds the money of all managed accounts. Its words are shown once: they are the money.
    Create {
        /// The database.
        #[command(flatten)]
        store: Store,
        /// The JSON-RPC URL of an external signer (`eth_signTransaction`) that holds the key, instead of words.
        #[arg(long, value_name = "URL")]
        signer: Option<String>,
        /// The address, if the signer has several.
        #[arg(long, requires = "signer", value_parser = evm_address)]
        address: Option<Address>,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Import the hot wallet from BIP 39 words on standard input.
    Import {
        /// The database.
        #[command(flatten)]
        store: Store,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Replace the hot wallet by a new one. The old one's money is sent on to it, and what still arrives there too; the gas money
    /// stays.
    Rotate {
        /// The database.
        #[command(flatten)]
        store: Store,
        /// Take other BIP 39 words from standard input, instead of the next key of the same words.
        #[arg(long, conflicts_with = "signer")]
        import: bool,
        /// The JSON-RPC URL of an external signer that holds the new key.
        #[arg(long, value_name = "URL")]
        signer: Option<String>,
        /// The address, if the signer has several.
        #[arg(long, requires = "signer", value_parser = evm_address)]
        address: Option<Address>,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Sweep the money at all proxy wallets into the hot wallet now.
    Sweep {
        /// The database.
        #[command(flatten)]
        store: Store,
        /// The chain; all by default.
        #[arg(long, value_name = "ID")]
        chain: Option<ChainId>,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Cancel a pending transaction by an empty one with its nonce. The money returns when that one is final.
    Cancel {
        /// The database.
        #[command(flatten)]
        store: Store,
        /// The chain.
        #[arg(long, value_name = "ID")]
        chain: ChainId,
        /// The transaction's nonce.
        #[arg(long, value_name = "NUMBER")]
        nonce: u64,
        /// Its hot wallet; the one in use by default.
        #[arg(long, value_parser = evm_address)]
        address: Option<Address>,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Withdraw your own money from a hot wallet: what you put in, and what trades at exchange accounts brought. Merchants' money stays.
    Withdraw {
        /// The database.
        #[command(flatten)]
        store: Store,
        /// The chain.
        #[arg(long, value_name = "ID")]
        chain: ChainId,
        /// The currency.
        #[arg(long, value_name = "SYMBOL")]
        currency: Currency,
        /// The amount.
        #[arg(long)]
        amount: Amount,
        /// The receiver.
        #[arg(long, value_name = "ADDRESS", value_parser = evm_address)]
        to: Address,
        /// The hot wallet; the one in use by default.
        #[arg(long, value_parser = evm_address)]
        address: Option<Address>,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Show the limits above which a payout waits for a second member's approval; with a currency, set one.
    Limits {
        /// The database.
        #[command(flatten)]
        store: Store,
        /// The currency of the limit to set, on all chains except test networks.
        #[arg(long, value_name = "SYMBOL")]
        currency: Option<Currency>,
        /// The organisation to limit. Default: the whole installation, all organisations together.
        #[arg(long, value_name = "ORG_ID", requires = "currency")]
        org: Option<OrganisationId>,
        /// The most of one payout, or `none`.
        #[arg(long, value_name = "AMOUNT", requires = "currency")]
        per_payout: Option<Limit>,
        /// The most of a day (UTC), or `none`.
        #[arg(long, value_name = "AMOUNT", requires = "currency")]
        per_day: Option<Limit>,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Show the hot wallets: addresses and settled balances.
    Show {
        /// The database.
        #[command(flatten)]
        store: Store,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
}

/// The most confirmations.
const CONFIRMATIONS_MAX: u32 = 512;

/// When money counts as received.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Confirmations {
    /// When its block has this number of confirmations.
    Depth(u32),
    /// When the nodes call its block final.
    Finalized,
}

impl FromStr for Confirmations {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "finalized" {
            return Ok(Self::Finalized);
        }
        let depth = text.parse().ok();
        let depth = depth.filter(|depth| (1..=CONFIRMATIONS_MAX).contains(depth));
        depth.map(Self::Depth).ok_or_else(|| {
            format!("{text} is neither `finalized` nor a number from 1 to {CONFIRMATIONS_MAX}")
        })
    }
}

pub(super) fn evm_address(text: &str) -> Result<Address, String> {
    text.parse()
        .map_err(|_| format!("{text} is not an EVM address"))
}

/// An amount, or none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limit(pub Option<Amount>);

impl FromStr for Limit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "none" {
            return Ok(Self(None));
        }
        let amount: Amount = text
            .parse()
            .map_err(|error| format!("{text} is neither an amount nor `none`: {error}"))?;
        if amount.is_negative() {
            return Err(format!("{text} is negative"));
        }
        Ok(Self(Some(amount)))
    }
}

/// A token, by its symbol and, unless it is known, its contract.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// The symbol.
    pub symbol: Currency,
    /// The contract.
    pub contract: Option<String>,
}

impl FromStr for Token {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (symbol, contract) = match text.split_once('=') {
            Some((symbol, contract)) => (symbol, Some(contract)),
            None => (text, None),
        };
        if let Some(contract) = contract
            && settlekit_core::value::address::parse(contract).is_none()
        {
            return Err(format!("{contract} is not an address"));
        }
        Ok(Self {
            symbol: symbol
                .parse()
                .map_err(|_| format!("{symbol} is not a symbol"))?,
            contract: contract.map(str::to_owned),
        })
    }
}
