//! `GET /events`.

use super::{DeliveryStatus, Event, EventAction, EventType};
use crate::field::query;
use crate::operation::{Wire, operation};
use crate::page::{ListQuery, Page, Paged};
use crate::value::open::open_enum;

open_enum! {
    /// Alternative orders of the event list.
    EventOrder { DeliveredAt = "delivered_at" }
}

query! {
    /// Filters of the event list.
    ListEventsQuery {
        /// Shared list parameters.
        list: ListQuery,
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
    }
    names &["limit", "page", "since", "until", "sort", "document_id", "action", "delivery_status", "type", "order_by"]
}

operation! {
    /// Lists the organisation's events, newest first.
    ListEvents in "event": GET "/events",
    query: ListEventsQuery,
    response: Page<Event>,
    WIRE: Wire::List,
}

impl Paged for ListEventsQuery {
    fn list_mut(&mut self) -> &mut ListQuery {
        &mut self.list
    }
}
