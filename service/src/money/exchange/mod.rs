//! The operator's exchange accounts, behind an API: balances that no chain shows.
//!
//! The service builds the signed requests and reads the answers; the host sends them.

mod access;
mod accounts;
mod balances;
mod error;
mod instruction;
mod kraken;
mod kraken_markets;
mod kraken_orders;
mod kraken_withdrawals;
mod market_rounds;
mod markets;
pub(crate) mod order_book;
mod order_rounds;
mod orders;
mod position;
mod rounds;
mod withdrawal_check;
mod withdrawal_error;
mod withdrawal_outcome;
mod withdrawal_resolution;
mod withdrawal_rounds;
mod withdrawal_state;
mod withdrawals;

pub use accounts::{ExchangeAccount, ExchangeAccountError, NewAccount};
pub(crate) use balances::available_balance_beside;
pub use error::ExchangeError;
pub use kraken::{
    BASE_URL, Credentials, CredentialsError, SignedRequest, balances_request, parse_balances,
};
pub(crate) use market_rounds::BOOK_AGE_MAX;
pub use market_rounds::MarketRound;
pub use markets::{BestPrices, ExchangeMarket, ExchangeMarketError, MARKETS_MAX, NewMarket};
pub(crate) use orders::{Covering, cover};
pub use orders::{ExchangeOrder, ExchangeOrderError, NewExchangeOrder, ORDERS_LISTED};
pub(crate) use position::{add, audit, available, release};
pub use rounds::ExchangeRound;
pub use withdrawal_error::{ExchangeWithdrawalError, WithdrawalFault};
pub use withdrawals::{
    ExchangeWithdrawal, NewExchangeWithdrawal, WITHDRAWALS_LISTED, WithdrawalOutcome,
};

pub use crate::store::exchange::ExchangeBalance;
pub use crate::store::exchange_order::{ExchangeOrderStatus, Execution, Side};
pub use crate::store::exchange_withdrawal::{ExchangeIdSource, ExchangeWithdrawalStatus};
