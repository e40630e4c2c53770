//! `POST /payouts/{payment_id}/approve`.

use crate::operation::{Auth, Scope, operation};
use crate::payment::Payment;
use crate::value::PaymentId;

operation! {
    /// Approves a payout above a limit, which is then sent.
    /// The payout has the reason `ApprovalRequired` until then. The member who created it can't approve it.
    ApprovePayout in "payout": POST "/payouts/{payment_id}/approve",
    path: ApprovePayoutPath {
        /// The payout's id.
        payment_id: PaymentId,
    },
    response: Payment,
    AUTH: Auth::Session,
    SCOPE: Scope::Payout,
    STEP_UP: true,
}
