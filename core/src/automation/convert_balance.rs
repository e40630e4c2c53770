//! `POST /partners/accounts/id/{account}/automations/convert-balance`.

use super::Automation;
use crate::error::Reason;
use crate::field::body;
use crate::operation::{Auth, Scope, operation};
use crate::validate::{Report, Validate};
use crate::value::{AccountKey, Currency, Number};

/// The largest cost limit, in basis points.
const COST_BPS_MAX: i64 = 1_000;

body! {
    /// Currencies, threshold and cost limit of a conversion.
    ConvertBalanceBody {
        /// Currency that is sold.
        currency: Currency,
        /// Currency that is bought.
        to_currency: Currency,
        /// Above this available balance on a chain, all of it is sold.
        threshold_amount: Number,
        /// The most that a conversion may cost by the price sources, in basis points of the sold amount: fees, price impact and
        /// slippage together.
        max_cost_bps: i64,
    }
}

impl Validate for ConvertBalanceBody {
    fn validate(&self, report: &mut Report) {
        report.not_negative("threshold_amount", self.threshold_amount);
        if self.currency == self.to_currency {
            report.add_error(
                "to_currency",
                Reason::Repeated,
                "must differ from `currency`",
            );
        }
        if !(1..=COST_BPS_MAX).contains(&self.max_cost_bps) {
            report.add_error(
                "max_cost_bps",
                Reason::OutOfRange,
                format!("must be from 1 to {COST_BPS_MAX}"),
            );
        }
    }
}

operation! {
    /// Sells all of an account's balance once it is above a threshold, at the best price of all venues.
    ConvertBalance in "automation": POST "/partners/accounts/id/{account}/automations/convert-balance",
    path: ConvertBalancePath {
        /// The settlement or virtual account's id or reference.
        account: AccountKey,
    },
    body: ConvertBalanceBody,
    response: Automation,
    AUTH: Auth::Signed,
    SUCCESS: http::StatusCode::CREATED,
    SCOPE: Scope::Payout,
    STEP_UP: true,
    DELEGATED: true,
}
