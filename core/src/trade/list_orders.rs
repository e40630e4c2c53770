//! `GET /trade/orders`.

use super::QuickTrade;
use crate::operation::{Wire, operation};
use crate::page::{ListQuery, Page};

operation! {
    /// Lists orders.
    ListOrders in "trade": GET "/trade/orders",
    query: ListQuery,
    response: Page<QuickTrade>,
    WIRE: Wire::List,
}
