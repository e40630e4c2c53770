//! `POST /trade/quicktrade`.

use super::QuickTrade;
use crate::error::Reason;
use crate::field::body;
use crate::operation::{Scope, operation};
use crate::paylink::create_paylink::REFERENCE_CHARS_MAX;
use crate::quote::check_settlement;
use crate::validate::{Report, Validate};
use crate::value::{AccountId, AccountReference, Amount, ChainId, Currency, WalletAddress};

body! {
    /// What is sold for what.
    CreateQuickTradeBody {
        /// How much is sold.
        amount: Amount,
        /// What is sold.
        currency: Currency,
        /// What is bought.
        to_currency: Currency,
        /// The settlement account that what is sold is taken from.
        account_id: Option<AccountId>,
        /// The virtual account that what is sold is taken from; the organisation's primary one when absent.
        account_reference: Option<AccountReference>,
        /// The chain of what is sold.
        chain_id: Option<ChainId>,
        /// The chain of what is bought.
        to_chain_id: Option<ChainId>,
        /// Only an estimate: nothing is accepted.
        dry_run: Option<bool>,
        /// The merchant's own name for the order.
        reference: Option<String>,
        /// The account that what is bought goes to.
        settlement_account_id: Option<AccountId>,
        /// The outside wallet that what is bought goes to.
        settlement_address: Option<WalletAddress>,
    }
}

impl Validate for CreateQuickTradeBody {
    fn validate(&self, report: &mut Report) {
        report.positive("amount", self.amount);
        if self.currency == self.to_currency
            && (self.chain_id.is_none() || self.chain_id == self.to_chain_id)
        {
            report.complain(
                "to_currency",
                Reason::Repeated,
                "must differ from `currency`, or be on another chain",
            );
        }
        if self.account_id.is_some() && self.account_reference.is_some() {
            report.complain(
                "account_reference",
                Reason::Excluded,
                "must be absent when `account_id` is given",
            );
        }
        report.maybe_text("reference", self.reference.as_ref(), REFERENCE_CHARS_MAX);
        check_settlement(
            self.settlement_account_id,
            self.settlement_address.as_ref(),
            report,
        );
    }
}

operation! {
    /// Trades at once at the price of the time, or says what a trade would give.
    CreateQuickTrade in "trade": POST "/trade/quicktrade",
    body: CreateQuickTradeBody,
    response: QuickTrade,
    SUCCESS: http::StatusCode::CREATED,
    SCOPE: Scope::Write,
    OUTFLOW: true,
}
