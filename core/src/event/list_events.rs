//! `GET /events`.

use super::{DeliveryStatus, Event, EventAction, EventType};
use crate::operation::{Wire, operation};
use crate::page::{CountsBy, Page, list_query};
use crate::value::open::open_enum;

open_enum! {
    /// Alternative orders of the event list.
    EventOrder { DeliveredAt = "delivered_at" }
}

list_query! {
    /// Filters of the event list.
    ListEventsQuery {
        /// Only events about the record with this id. For a payment, includes events of its movements and transactions.
        document_id: Option<String>,
        /// Only events of this action.
        action: Option<EventAction>,
        /// Only events with this latest delivery outcome.
        delivery_status: Option<DeliveryStatus>,
        /// Only events of this type.
        r#type: Option<EventType>,
        /// Order by delivery time instead of log position.
        order_by: Option<EventOrder>,
        /// `status` also counts the events with each delivery status. Absent with `document_id`.
        counts: Option<CountsBy>,
    }
}

operation! {
    /// Lists the organisation's events, newest first.
    ListEvents in "event": GET "/events",
    query: ListEventsQuery,
    response: Page<Event>,
    WIRE: Wire::List,
}
