//! `POST /partners/accounts/id/{account}/automations/maintain-balance`.

use crate::account::AccountSummary;
use crate::error::Reason;
use crate::field::body;
use crate::operation::{Auth, Scope, operation};
use crate::validate::{Report, Validate};
use crate::value::record::record;
use crate::value::{AccountKey, Currency, Number, WalletAddress};

body! {
    /// Thresholds of an account's balance.
    MaintainBalanceBody {
        /// Currency of the balance and of both thresholds.
        currency: Currency,
        /// Below this balance a `LowBalanceDetected` event is sent; with 0 the automation is a sweep.
        minimum_threshold_amount: Number,
        /// Destination address of the surplus.
        payout_address: WalletAddress,
        /// Above this balance the surplus over the minimum is paid out.
        payout_threshold_amount: Number,
    }
}

impl Validate for MaintainBalanceBody {
    fn validate(&self, report: &mut Report) {
        report.not_negative("minimum_threshold_amount", self.minimum_threshold_amount);
        if self.payout_threshold_amount <= self.minimum_threshold_amount {
            report.add_error(
                "payout_threshold_amount",
                Reason::OutOfRange,
                "must be greater than `minimum_threshold_amount`",
            );
        }
    }
}

record! {
    /// A maintain-balance automation.
    MaintainedBalance {
        /// Account.
        account: AccountSummary,
        /// Currency of the balance and of both thresholds.
        currency: Currency,
        /// Below this balance a `LowBalanceDetected` event is sent.
        minimum_threshold_amount: Number,
        /// Destination of the surplus.
        payout_account: AccountSummary,
        /// Above this balance the surplus over the minimum is paid out.
        payout_threshold_amount: Number,
    }
}

operation! {
    /// Keeps an account's balance between two thresholds: sends an event when it is low and pays out the surplus when it is high.
    MaintainBalance in "automation": POST "/partners/accounts/id/{account}/automations/maintain-balance",
    path: MaintainBalancePath {
        /// The settlement or virtual account's id or reference.
        account: AccountKey,
    },
    body: MaintainBalanceBody,
    response: MaintainedBalance,
    AUTH: Auth::Signed,
    SUCCESS: http::StatusCode::CREATED,
    SCOPE: Scope::Payout,
    STEP_UP: true,
    DELEGATED: true,
}
