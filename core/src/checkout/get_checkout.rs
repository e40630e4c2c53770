//! `GET /checkout/{paylink_id}`.

use super::Checkout;
use crate::operation::{Auth, operation};
use crate::value::PaylinkId;

operation! {
    /// Reads a paylink as shown to the payer.
    GetCheckout in "checkout": GET "/checkout/{paylink_id}",
    path: CheckoutPath {
        /// The paylink's id.
        paylink_id: PaylinkId,
    },
    response: Checkout,
    AUTH: Auth::Public,
}
