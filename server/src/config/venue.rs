//! The commands on exchanges.

use alloy_primitives::Address;
use clap::{Args, Subcommand};
use settlekit_core::value::ChainId;

use super::chain::evm_address;
use super::store::Store;

/// The commands on exchanges.
#[derive(Debug, Subcommand)]
pub enum Venue {
    /// Connect the Uniswap of a connected chain, or an exchange with its contracts, or replace it. Servers may keep running.
    Connect {
        /// The database.
        #[command(flatten)]
        store: Store,
        /// The connected chain.
        #[arg(long, value_name = "ID")]
        chain: ChainId,
        /// The name that is shown.
        #[arg(long, value_name = "NAME", default_value = "Uniswap")]
        name: String,
        /// The contracts.
        #[command(flatten)]
        contracts: VenueContracts,
        /// How much worse than its quote a swap may be, in hundredths of a percent.
        #[arg(long, value_name = "BASIS_POINTS", default_value = "50", value_parser = clap::value_parser!(u32).range(0..=1_000))]
        slippage: u32,
    },
    /// List the connected exchanges with the pools that can be used.
    List {
        /// The database.
        #[command(flatten)]
        store: Store,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Disconnect the exchange of a chain.
    Disconnect {
        /// The database.
        #[command(flatten)]
        store: Store,
        /// The chain.
        #[arg(long, value_name = "ID")]
        chain: ChainId,
    },
}

/// The contracts of an exchange, which name the others.
#[derive(Debug, Clone, Args)]
pub struct VenueContracts {
    /// The router of version 2: `UniswapV2Router02`.
    #[arg(long, value_name = "0xADDRESS", value_parser = evm_address)]
    pub v2_router: Option<Address>,
    /// The fee of all pools of version 2, in hundredths of a percent.
    #[arg(long, value_name = "BASIS_POINTS", default_value = "30", value_parser = clap::value_parser!(u32).range(0..=1_000))]
    pub v2_fee: u32,
    /// The router of version 3: `SwapRouter` or `SwapRouter02`.
    #[arg(long, value_name = "0xADDRESS", requires = "v3_quoter", value_parser = evm_address)]
    pub v3_router: Option<Address>,
    /// The quoter of version 3: `QuoterV2`.
    #[arg(long, value_name = "0xADDRESS", requires = "v3_router", value_parser = evm_address)]
    pub v3_quoter: Option<Address>,
}
