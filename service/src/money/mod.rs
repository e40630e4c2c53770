//! Money: balances and movements, prices and venues, which chains are connected, and where money may go.

pub(crate) mod connection;
pub mod ledger;
pub(crate) mod outflow;
pub(crate) mod prices;
pub(crate) mod rounding;
pub(crate) mod venue;
