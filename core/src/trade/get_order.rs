//! `GET /trade/orders/{order_id}`.

use super::QuickTrade;
use crate::operation::operation;
use crate::value::OrderId;

operation! {
    /// Reads one order.
    GetOrder in "trade": GET "/trade/orders/{order_id}",
    path: GetOrderPath {
        /// The order's id.
        order_id: OrderId,
    },
    response: QuickTrade,
}
