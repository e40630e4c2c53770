//! The operator's exchange accounts, behind an API: balances that no chain shows.
//!
//! The service builds the signed requests and reads the answers; the host sends them.

mod accounts;
mod error;
mod kraken;
mod kraken_orders;
mod order_rounds;
mod orders;
mod reader;

pub use accounts::{ConnectedAccount, ExchangeAccountError, NewAccount};
pub use error::ExchangeError;
pub use kraken::{
    BASE_URL, Credentials, CredentialsError, SignedRequest, balances_request, parse_balances,
};
pub use order_rounds::OrderRound;
pub use orders::{ExchangeOrder, ExchangeOrderError, NewExchangeOrder, ORDERS_LISTED};
pub use reader::BalanceRound;

pub use crate::store::exchange::ExchangeBalance;
pub use crate::store::exchange_order::{ExchangeOrderStatus, Execution, Side};
