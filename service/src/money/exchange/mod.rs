//! The operator's exchange accounts, behind an API: balances that no chain shows.
//!
//! The service builds the signed requests and reads the answers; the host sends them.

mod access;
mod accounts;
mod balances;
mod error;
mod kraken;
mod kraken_orders;
mod order_rounds;
mod orders;
mod rounds;

pub use accounts::{ExchangeAccount, ExchangeAccountError, NewAccount};
pub use error::ExchangeError;
pub use kraken::{
    BASE_URL, Credentials, CredentialsError, SignedRequest, balances_request, parse_balances,
};
pub use orders::{ExchangeOrder, ExchangeOrderError, NewExchangeOrder, ORDERS_LISTED};
pub use rounds::ExchangeRound;

pub use crate::store::exchange::ExchangeBalance;
pub use crate::store::exchange_order::{ExchangeOrderStatus, Execution, Side};
