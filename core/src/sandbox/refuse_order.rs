//! `POST /sandbox/order-refusals`.

use crate::field::body;
use crate::operation::{Scope, operation};
use crate::trade::QuickTrade;
use crate::validate::Validate;
use crate::value::OrderId;

body! {
    /// The order that is refused.
    RefuseOrderBody {
        /// Order id of an order whose sold money is reserved.
        order_id: OrderId,
    }
}

impl Validate for RefuseOrderBody {}

operation! {
    /// Has the simulated venue refuse an order: it is Failed with `VenueRefused`, and its money is released.
    /// Returns the order.
    RefuseOrder in "sandbox": POST "/sandbox/order-refusals",
    body: RefuseOrderBody,
    response: QuickTrade,
    SCOPE: Scope::Write,
    SANDBOX: true,
}
