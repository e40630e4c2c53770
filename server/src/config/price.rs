//! The commands on price sources.

use std::str::FromStr;

use alloy_primitives::Address;
use clap::{Args, Subcommand};
use settlekit_core::value::{ChainId, Currency};
use settlekit_service::price_sources::PriceSource;

use super::chain::evm_address;
use super::store::Store;

/// The commands on price sources.
#[derive(Debug, Subcommand)]
pub enum Price {
    /// Connect a source of prices, or change its URL and age limit. Servers may keep running.
    Connect {
        /// The database.
        #[command(flatten)]
        store: Store,
        /// The source: `kraken`, `coinbase`, `bitstamp`, `ecb` (the European Central Bank's daily rates of fiat currencies) or
        /// `chainlink` (feeds on a connected chain).
        #[arg(value_name = "SOURCE")]
        source: PriceSource,
        /// The base URL, if the source is reached through another address.
        #[arg(long, value_name = "URL")]
        url: Option<String>,
        /// How old a price may be used: 120 seconds by default, four days for the central bank's, 300 seconds after a Chainlink feed
        /// was read.
        #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(30..=864_000))]
        max_age: Option<u32>,
        /// Options of feeds on a chain.
        #[command(flatten)]
        on_chain: OnChain,
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

/// Options of price feeds on a chain.
#[derive(Debug, Clone, Args)]
pub struct OnChain {
    /// The connected chain that Chainlink's feeds are read on: 1 (Ethereum) by default.
    #[arg(long, value_name = "ID")]
    pub chain: Option<ChainId>,
    /// Adds or replaces a feed in US dollars. Default heartbeat: that of the built-in feed of the symbol, or an hour.
    #[arg(long, value_name = "SYMBOL=0xADDRESS[:HEARTBEAT_SECONDS]")]
    pub feed: Vec<FeedOption>,
    /// The uptime feed of a rollup's sequencer, if it is not known. While that is down, or was within an hour, there is no price.
    #[arg(long, value_name = "0xADDRESS", value_parser = evm_address)]
    pub sequencer: Option<Address>,
}

/// The longest heartbeat: a week.
const HEARTBEAT_MAX: u32 = 7 * 24 * 60 * 60;

/// A price feed on a chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeedOption {
    /// The symbol of the currency.
    pub symbol: Currency,
    /// The contract.
    pub address: Address,
    /// The longest time between two rounds, in seconds.
    pub heartbeat: Option<u32>,
}

impl FromStr for FeedOption {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (symbol, feed) = text
            .split_once('=')
            .ok_or_else(|| format!("{text} is not SYMBOL=0xADDRESS"))?;
        let (address, heartbeat) = match feed.split_once(':') {
            Some((address, heartbeat)) => (address, Some(heartbeat)),
            None => (feed, None),
        };
        let heartbeat = heartbeat.map(|seconds| {
            let parsed = seconds.parse().ok();
            let parsed = parsed.filter(|seconds| (1..=HEARTBEAT_MAX).contains(seconds));
            parsed.ok_or_else(|| {
                format!("{seconds} is not a number of seconds up to {HEARTBEAT_MAX}")
            })
        });
        Ok(Self {
            symbol: symbol
                .parse()
                .map_err(|_| format!("{symbol} is not a symbol"))?,
            address: evm_address(address)?,
            heartbeat: heartbeat.transpose()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_feed_is_a_symbol_a_contract_and_perhaps_seconds() {
        const CONTRACT: &str = "0x5f4eC3Df9cbd43714FE2740f5E3616155c5b8419";
        let heartbeat = |text: &str| text.parse::<FeedOption>().map(|feed| feed.heartbeat);
        assert_eq!(heartbeat(&format!("ETH={CONTRACT}")), Ok(None));
        assert_eq!(heartbeat(&format!("ETH={CONTRACT}:3600")), Ok(Some(3_600)));
        for wrong in [
            "ETH".to_owned(),
            "ETH=".to_owned(),
            "ETH=0x5f4e".to_owned(),
            format!("={CONTRACT}"),
            format!("ETH={CONTRACT}:"),
            format!("ETH={CONTRACT}:0"),
            format!("ETH={CONTRACT}:-1"),
            format!("ETH={CONTRACT}:604801"),
            format!("ETH={CONTRACT}:3600:1"),
        ] {
            assert!(wrong.parse::<FeedOption>().is_err(), "{wrong}");
        }
    }
}
