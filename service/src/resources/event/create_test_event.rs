//! Records a test event: an example of a type, delivered as any other event.

use settlekit_core::event::{CreateTestEvent, Event, EventAction, EventType, TestEventType};
use settlekit_core::value::EventId;

use crate::store;
use crate::store::event::NewEvent;
use crate::unit::{Outcome, Received, Refusal, Unit};

/// The organisation and the time in the example records.
const EXAMPLE_ORGANISATION: &str = "org_019cadc69a8074ed9b59a919015aecdf";
const EXAMPLE_TIME: &str = "2026-03-02T09:00:00.000000Z";

/// An action and the record of an example; `None` for an unknown type.
fn example(kind: &TestEventType) -> Option<(EventAction, &'static str)> {
    Some(match kind {
        TestEventType::Payment => (EventAction::Settled, include_str!("examples/payment.json")),
        TestEventType::Customer => (EventAction::Created, include_str!("examples/customer.json")),
        TestEventType::Plan => (EventAction::Created, include_str!("examples/plan.json")),
        TestEventType::MerchantContract => {
            (EventAction::Created, include_str!("examples/paylink.json"))
        }
        TestEventType::Subscription => (
            EventAction::Created,
            include_str!("examples/subscription.json"),
        ),
        TestEventType::Invoice => (EventAction::Settled, include_str!("examples/invoice.json")),
        TestEventType::Transaction => {
            (EventAction::Settled, include_str!("examples/movement.json"))
        }
        TestEventType::CryptoTransaction => (
            EventAction::Updated,
            include_str!("examples/crypto_transaction.json"),
        ),
        TestEventType::Account => (EventAction::Created, include_str!("examples/account.json")),
        TestEventType::Org => (
            EventAction::Updated,
            include_str!("examples/organisation.json"),
        ),
        TestEventType::Other(_) => return None,
    })
}

pub(crate) fn create_test_event(
    unit: &mut Unit<'_>,
    call: Received<CreateTestEvent>,
) -> Outcome<Event> {
    let organisation = call.caller.organisation;
    super::refuse_unreachable(unit, organisation)?;
    let kind = call.body.r#type;
    let (action, record) =
        example(&kind).ok_or_else(|| Refusal::not_supported("type", "has no example"))?;
    let data = record
        .trim_end()
        .replace(EXAMPLE_ORGANISATION, &organisation.to_string())
        .replace(EXAMPLE_TIME, &unit.now.to_string());
    let id = EventId::new(unit.now, unit.id_bytes());
    let new = NewEvent {
        id,
        organisation,
        kind: EventType::from(kind.as_str()),
        action,
        // The record does not exist: nothing waits for its events.
        document: None,
        data: &data,
        test: true,
    };
    store::event::insert(unit.database, &new, unit.now)?;
    store::event::LISTING
        .find(unit.database, organisation, id)?
        .ok_or_else(|| Refusal::not_found("event"))
}
