//! `GET /trade/currencies`.

use crate::operation::operation;
use crate::quote::DepositMethod;
use crate::value::record::record;
use crate::value::{ChainId, Currency};

record! {
    /// Tradable currencies and deposit methods. The contract does not define its shape.
    TradeCurrencies {
        /// Tradable currencies.
        currencies: Vec<TradeCurrency>,
        /// Deposit methods for the sold asset.
        payment_methods: Vec<DepositMethod>,
    }
}

record! {
    /// A tradable currency.
    TradeCurrency {
        /// Currency symbol.
        symbol: Currency,
        /// Decimal places of the smallest unit.
        scale: u32,
        /// Chains on which it can be traded.
        chain_ids: Vec<ChainId>,
    }
}

operation! {
    /// Lists the currencies and payment methods available for trading.
    GetCurrencies in "trade": GET "/trade/currencies",
    response: TradeCurrencies,
}
