//! `GET /trade/quote`.

use super::{DepositMethod, Quote};
use crate::error::Reason;
use crate::field::query_fields;
use crate::operation::{Scope, operation};
use crate::validate::{Report, Validate};
use crate::value::{AccountId, Amount, ChainId, Currency, WalletAddress};

/// Maximum number of currencies sold in a basket.
pub const BASKET_MAX: usize = 20;

query_fields! {
    /// A quote request.
    RequestQuoteQuery {
        /// Exact amount to buy; mutually exclusive with `sell_amount` unless `estimate` is set.
        buy_amount: Option<Amount>,
        /// Exact amounts to sell, one per sold currency.
        sell_amount: Option<Vec<Amount>>,
        /// Currency bought.
        buy_currency: Currency,
        /// Chain of the bought asset.
        buy_chain_id: Option<ChainId>,
        /// Contract address of the bought asset; absent for the chain's native asset.
        buy_token_address: Option<String>,
        /// Currencies sold; several form a basket.
        sell_currency: Vec<Currency>,
        /// Chains of the sold currencies, one each; an empty entry means any chain.
        sell_chain_ids: Option<Vec<Option<ChainId>>>,
        /// Contract addresses of the sold currencies, one each; an empty entry means the native asset.
        sell_token_addresses: Option<Vec<Option<String>>>,
        /// Account that funds the trade.
        account_id: Option<AccountId>,
        /// How the sold assets are delivered; `Deposit` when absent.
        deposit_method: Option<DepositMethod>,
        /// Returns an estimate only, which can't be accepted.
        estimate: Option<bool>,
        /// Account that receives the bought asset.
        settlement_account_id: Option<AccountId>,
        /// External wallet that receives the bought asset.
        settlement_address: Option<WalletAddress>,
    }
    names &[
        "buy_amount", "sell_amount", "buy_currency", "buy_chain_id", "buy_token_address", "sell_currency",
        "sell_chain_ids", "sell_token_addresses", "account_id", "deposit_method", "estimate", "settlement_account_id",
        "settlement_address",
    ]
}

impl Validate for RequestQuoteQuery {
    fn validate(&self, report: &mut Report) {
        let firm = self.estimate != Some(true);
        let sold = self.sell_currency.len();
        if let Some(amount) = self.buy_amount {
            report.positive("buy_amount", amount);
            if sold > 1 && self.sell_amount.is_none() {
                report.add_error(
                    "buy_amount",
                    Reason::Excluded,
                    "must be absent for a basket: give `sell_amount` for each of its currencies",
                );
            }
        }
        match (&self.buy_amount, &self.sell_amount) {
            (None, None) => {
                report.add_error(
                    "sell_amount",
                    Reason::Required,
                    "is required, or `buy_amount`",
                );
            }
            (Some(_), Some(_)) if firm => report.excluded("sell_amount", "buy_amount"),
            _ => {}
        }
        if let Some(amounts) = &self.sell_amount {
            for (place, amount) in amounts.iter().enumerate() {
                report.positive(&format!("sell_amount[{place}]"), *amount);
            }
        }
        report.items("sell_currency", sold, BASKET_MAX);
        let lengths = [
            ("sell_amount", self.sell_amount.as_ref().map(Vec::len)),
            ("sell_chain_ids", self.sell_chain_ids.as_ref().map(Vec::len)),
            (
                "sell_token_addresses",
                self.sell_token_addresses.as_ref().map(Vec::len),
            ),
        ];
        for (name, length) in lengths {
            if length.is_some_and(|length| length != sold) {
                report.add_error(
                    name,
                    Reason::LengthDiffers,
                    format!("must have one entry for each sold currency: {sold}"),
                );
            }
        }
        // At most one settlement destination (contract, "Errors" 5).
        if self.settlement_account_id.is_some() && self.settlement_address.is_some() {
            report.excluded("settlement_address", "settlement_account_id");
        }
    }
}

operation! {
    /// Requests a firm quote, valid for a limited time, or an estimate.
    RequestQuote in "quote": GET "/trade/quote",
    query: RequestQuoteQuery,
    response: Quote,
    SCOPE: Scope::Write,
    DELEGATED: true,
    WRITES: true,
}
