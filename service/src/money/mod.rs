//! Money: ledger, prices, venues, connected chains, and where money may go.

pub(crate) mod connection;
mod connections;
#[cfg(not(target_family = "wasm"))]
pub mod exchange;
#[cfg(not(target_family = "wasm"))]
mod feed_set;
pub mod ledger;
#[cfg(not(target_family = "wasm"))]
mod live_rates;
pub mod median;
pub(crate) mod outflow;
#[cfg(not(target_family = "wasm"))]
pub mod pool_reader;
pub mod price;
#[cfg(not(target_family = "wasm"))]
pub mod price_feed;
#[cfg(not(target_family = "wasm"))]
pub mod price_operator;
#[cfg(not(target_family = "wasm"))]
pub mod price_sources;
pub(crate) mod prices;
pub(crate) mod rates;
pub(crate) mod rounding;
pub(crate) mod test_network;
pub mod uniswap;
pub(crate) mod venue;
#[cfg(not(target_family = "wasm"))]
mod venue_contracts;
#[cfg(not(target_family = "wasm"))]
pub mod venue_operator;
#[cfg(not(target_family = "wasm"))]
pub mod web_answer;
pub(crate) mod worth;
