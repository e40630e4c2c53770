//! `GET /trade/quote`.

use super::{DepositMethod, Quote};
use crate::error::Reason;
use crate::field::query_fields;
use crate::operation::{Scope, operation};
use crate::validate::{Report, Validate};
use crate::value::{AccountId, Amount, ChainId, Currency, WalletAddress};

/// The most currencies that a basket sells.
pub const BASKET_MAX: usize = 20;

query_fields! {
    /// What a quote is asked for.
    RequestQuoteQuery {
        /// The exact amount to buy; excludes `sell_amount` unless an estimate is asked for.
        buy_amount: Option<Amount>,
        /// The exact amounts to sell, one for each currency that is sold.
        sell_amount: Option<Vec<Amount>>,
        /// What is bought.
        buy_currency: Currency,
        /// The chain of what is bought.
        buy_chain_id: Option<ChainId>,
        /// The contract of what is bought; absent for the chain's native asset.
        buy_token_address: Option<String>,
        /// What is sold; several make a basket.
        sell_currency: Vec<Currency>,
        /// The chains of what is sold, one for each currency; an empty place leaves it open.
        sell_chain_ids: Option<Vec<Option<ChainId>>>,
        /// The contracts of what is sold, one for each currency; an empty place is the chain's native asset.
        sell_token_addresses: Option<Vec<Option<String>>>,
        /// The account that funds the trade.
        account_id: Option<AccountId>,
        /// How what is sold is handed over; `Deposit` when absent.
        deposit_method: Option<DepositMethod>,
        /// Only an estimate: nothing is held and nothing can be accepted.
        estimate: Option<bool>,
        /// The account that what is bought goes to.
        settlement_account_id: Option<AccountId>,
        /// The outside wallet that what is bought goes to.
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
                report.complain(
                    "buy_amount",
                    Reason::Excluded,
                    "must be absent for a basket: give `sell_amount` for each of its currencies",
                );
            }
        }
        match (&self.buy_amount, &self.sell_amount) {
            (None, None) => {
                report.complain(
                    "sell_amount",
                    Reason::Required,
                    "is required, or `buy_amount`",
                );
            }
            (Some(_), Some(_)) if firm => report.complain(
                "sell_amount",
                Reason::Excluded,
                "must be absent when `buy_amount` is given",
            ),
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
                report.complain(
                    name,
                    Reason::LengthDiffers,
                    format!("must have one place for each currency that is sold: {sold}"),
                );
            }
        }
        check_settlement(
            self.settlement_account_id,
            self.settlement_address.as_ref(),
            report,
        );
    }
}

/// Complains about two places to settle to (contract, "Errors" 5).
pub(crate) fn check_settlement(
    account: Option<AccountId>,
    address: Option<&WalletAddress>,
    report: &mut Report,
) {
    if account.is_some() && address.is_some() {
        report.complain(
            "settlement_address",
            Reason::Excluded,
            "must be absent when `settlement_account_id` is given",
        );
    }
}

operation! {
    /// Requests a quote: a price that is held for a while, or an estimate.
    RequestQuote in "quote": GET "/trade/quote",
    query: RequestQuoteQuery,
    response: Quote,
    SCOPE: Scope::Write,
    DELEGATED: true,
    WRITES: true,
}
