//! `GET /trade/tradable-assets`.

use super::TradableAsset;
use crate::field::query_fields;
use crate::operation::operation;
use crate::validate::{Report, Validate};
use crate::value::{AccountId, Amount, ChainId, Currency};

query_fields! {
    /// Asset to exchange.
    ListTradableAssetsQuery {
        /// Starting currency.
        currency: Currency,
        /// Starting chain.
        chain_id: Option<ChainId>,
        /// Order size, for the minimum and maximum of venues.
        amount: Option<Amount>,
        /// Settlement account whose chains are eligible; the organisation's primary virtual account when absent.
        account_id: Option<AccountId>,
        /// Whether the account must also support the currency on the chain.
        require_settlement_support: Option<bool>,
    }
    names &["currency", "chain_id", "amount", "account_id", "require_settlement_support"]
}

impl Validate for ListTradableAssetsQuery {
    fn validate(&self, report: &mut Report) {
        report.positive("amount", self.amount);
    }
}

operation! {
    /// Lists every currency and chain that an asset can be exchanged into.
    ListTradableAssets in "trade": GET "/trade/tradable-assets",
    query: ListTradableAssetsQuery,
    response: Vec<TradableAsset>,
}
