//! `GET /checkout/{paylink_id}`.

use super::Checkout;
use crate::operation::{Auth, operation};
use crate::value::PaylinkId;

operation! {
    /// Reads what a payer needs to know of a paylink.
    GetCheckout in "checkout": GET "/checkout/{paylink_id}",
    path: CheckoutPath {
        /// The paylink's id.
        paylink_id: PaylinkId,
    },
    response: Checkout,
    AUTH: Auth::Public,
}
