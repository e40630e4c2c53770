//! `POST /payouts/{payment_id}/refuse`.

use crate::operation::{Auth, Scope, operation};
use crate::payment::Payment;
use crate::value::PaymentId;

operation! {
    /// Refuses a payout that waits for approval. Its money returns to the account.
    /// The member who created it can't refuse it.
    RefusePayout in "payout": POST "/payouts/{payment_id}/refuse",
    path: RefusePayoutPath {
        /// The payout's id.
        payment_id: PaymentId,
    },
    response: Payment,
    AUTH: Auth::Session,
    SCOPE: Scope::Payout,
    STEP_UP: true,
}
