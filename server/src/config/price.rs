//! The commands on price sources.

use clap::Subcommand;
use settlekit_service::price_sources::PriceSource;

use super::Store;

/// The commands on price sources.
#[derive(Debug, Subcommand)]
pub enum Price {
    /// Connect a source of prices, or change its URL and age limit. Servers may keep running.
    Connect {
        /// The database.
        #[command(flatten)]
        store: Store,
        /// The source: `kraken`, `coinbase`, `bitstamp` or `ecb` (the European Central Bank's daily rates of fiat currencies).
        #[arg(value_name = "SOURCE")]
        source: PriceSource,
        /// The base URL, if the source is reached through another address.
        #[arg(long, value_name = "URL")]
        url: Option<String>,
        /// How old a price may be used: 120 seconds by default, four days for the central bank's.
        #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(30..=864_000))]
        max_age: Option<u32>,
    },
    /// List the connected sources, the prices that are used, and what each source says.
    List {
        /// The database.
        #[command(flatten)]
        store: Store,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Set how far the prices of sources may differ.
    Spread {
        /// The database.
        #[command(flatten)]
        store: Store,
        /// The most that a price may differ, in hundredths of a percent: 200 by default.
        #[arg(value_name = "BASIS_POINTS", value_parser = clap::value_parser!(u32).range(1..=5_000))]
        spread: u32,
    },
    /// Disconnect a source of prices.
    Disconnect {
        /// The database.
        #[command(flatten)]
        store: Store,
        /// The source.
        #[arg(value_name = "SOURCE")]
        source: PriceSource,
    },
}
