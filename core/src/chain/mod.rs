//! Chains and the assets on them.

mod list_chains;

pub use list_chains::ListChains;

use crate::value::record::record;
use crate::value::{ChainId, Currency};

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
