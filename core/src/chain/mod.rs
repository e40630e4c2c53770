//! Chains and the assets on them.

mod list_chains;

pub use list_chains::ListChains;

use crate::value::record::record;
use crate::value::{ChainId, Currency};

record! {
    /// A chain, as embedded in other records (contract, "Chain").
    Chain {
        /// The chain's id; for EVM chains the one of EIP-155.
        id: ChainId,
        /// Its name.
        name: String,
        /// The asset that pays its fees.
        native_currency_symbol: Currency,
    }
}

record! {
    /// A chain with what an operator needs to choose it.
    ChainDetail {
        /// The chain's id.
        id: ChainId,
        /// Its name.
        name: String,
        /// The asset that pays its fees.
        native_currency_symbol: Currency,
        /// The form of its addresses: `evm`, `bitcoin` or `solana`.
        family: String,
        /// Confirmations after which a payment counts.
        confirmations_required: u32,
        /// Usual seconds between two blocks.
        block_seconds: u32,
        /// The assets that can be taken on it.
        assets: Vec<Asset>,
    }
}

record! {
    /// An asset on a chain.
    Asset {
        /// Its symbol.
        symbol: Currency,
        /// Decimal places of its smallest unit.
        scale: u32,
        /// The token's contract; absent for the native asset.
        token_address?: String,
    }
}
