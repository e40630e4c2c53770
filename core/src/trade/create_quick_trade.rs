//! `POST /trade/quicktrade`.

use super::QuickTrade;
use crate::error::Reason;
use crate::field::body;
use crate::operation::{Scope, operation};
use crate::paylink::create_paylink::REFERENCE_CHARS_MAX;
use crate::validate::{Report, Validate};
use crate::value::{AccountId, AccountReference, Amount, ChainId, Currency, WalletAddress};

body! {
    /// A quick trade.
    CreateQuickTradeBody {
        /// Amount to sell.
        amount: Amount,
        /// Currency sold.
        currency: Currency,
        /// Currency bought.
        to_currency: Currency,
        /// Settlement account that funds the trade.
        account_id: Option<AccountId>,
        /// Virtual account that funds the trade; the organisation's primary one when absent.
        account_reference: Option<AccountReference>,
        /// Chain of the sold asset.
        chain_id: Option<ChainId>,
        /// Chain of the bought asset.
        to_chain_id: Option<ChainId>,
        /// Returns an estimate only; nothing is executed.
        dry_run: Option<bool>,
        /// Merchant-defined reference of the order.
        reference: Option<String>,
        /// Account that receives the bought asset.
        settlement_account_id: Option<AccountId>,
        /// External wallet that receives the bought asset.
        settlement_address: Option<WalletAddress>,
    }
}

impl Validate for CreateQuickTradeBody {
    fn validate(&self, report: &mut Report) {
        report.positive("amount", self.amount);
        if self.currency == self.to_currency
            && (self.chain_id.is_none() || self.chain_id == self.to_chain_id)
        {
            report.add_error(
                "to_currency",
                Reason::Repeated,
                "must differ from `currency`, or be on another chain",
            );
        }
        if self.account_id.is_some() && self.account_reference.is_some() {
            report.excluded("account_reference", "account_id");
        }
        report.optional_text("reference", self.reference.as_ref(), REFERENCE_CHARS_MAX);
        if self.settlement_account_id.is_some() && self.settlement_address.is_some() {
            report.excluded("settlement_address", "settlement_account_id");
        }
    }
}

operation! {
    /// Executes a trade immediately at the current price, or estimates it.
    CreateQuickTrade in "trade": POST "/trade/quicktrade",
    body: CreateQuickTradeBody,
    response: QuickTrade,
    SUCCESS: http::StatusCode::CREATED,
    SCOPE: Scope::Write,
    OUTFLOW: true,
}
