//! `GET /trade/currencies`.

use crate::operation::operation;
use crate::quote::DepositMethod;
use crate::value::record::record;
use crate::value::{ChainId, Currency};

record! {
    /// What can be traded, and how it can be handed over. The contract does not show its shape.
    TradeCurrencies {
        /// Every currency that can be traded.
        currencies: Vec<TradeCurrency>,
        /// How what is sold can be handed over.
        payment_methods: Vec<DepositMethod>,
    }
}

record! {
    /// A currency that can be traded.
    TradeCurrency {
        /// The currency.
        symbol: Currency,
        /// Decimal places.
        scale: u32,
        /// The chains it can be traded on.
        chain_ids: Vec<ChainId>,
    }
}

operation! {
    /// Lists the currencies and payment methods that are there for trading.
    GetCurrencies in "trade": GET "/trade/currencies",
    response: TradeCurrencies,
}
