//! Transitions of a payment's status.

use super::PaymentStatus;
use crate::state::transitions;

transitions! {
    /// Transitions of a payment's status.
    TRANSITIONS: PaymentStatus of "Payment", initially Pending, Processing;
    Pending => Processing: "the payout was sent",
    Pending => Failed: "the network or a second member refused the payout before it was sent",
    Pending => Canceled: "the merchant canceled the payout before anything was signed",
    Processing => Confirmed: "the full amount is confirmed",
    Processing => Failed: "the transaction failed, or too little was paid in time",
    Processing => Expired: "nothing was paid in time",
    Processing => Canceled: "the merchant canceled it before anything was paid",
    Expired => Confirmed: "the full amount was paid late",
    Failed => Confirmed: "the rest was paid late",
    Confirmed => Refunded: "everything paid was refunded",
    Confirmed => PartialRefunded: "a part was refunded",
    PartialRefunded => Refunded: "the rest was refunded",
    Refunded => PartialRefunded: "a part of a later payment was refunded",
    Expired => Refunded: "the late payment was refunded",
    Expired => PartialRefunded: "a part of the late payment was refunded",
    Failed => Refunded: "everything paid was refunded",
    Failed => PartialRefunded: "a part was refunded",
    Canceled => Refunded: "a payment after the cancellation was refunded",
    Canceled => PartialRefunded: "a part of a payment after the cancellation was refunded",
}
