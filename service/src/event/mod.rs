//! Events: recorded with the change they tell of, in the same transaction, never apart.

mod list_events;
mod replay;

pub(crate) use list_events::{get_event, list_attempts, list_events, retry_event};
pub(crate) use replay::{cancel_replay, count_replay, create_replay, get_replay, run_due};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use settlekit_core::account::Movement;
use settlekit_core::error::Reason;
use settlekit_core::event::{EventAction, EventType};
use settlekit_core::payment::{CryptoTransaction, Payment};
use settlekit_core::value::{EventId, OrganisationId};

use crate::refusal::{Outcome, Refusal};
use crate::store;
use crate::store::sql::StoreError;
use crate::unit::Unit;

/// Refuses to send anything again while there is nowhere to send it to.
fn refuse_unreachable(unit: &mut Unit<'_>, organisation: OrganisationId) -> Outcome<()> {
    let settings = store::organisation::find(unit.database, organisation)?;
    let forbids = |message| Err(Refusal::because(Reason::StateForbids, message));
    match settings {
        Some(settings) if settings.webhook_paused_at.is_some() => {
            forbids("the endpoint is paused: set its address again first")
        }
        Some(settings) if settings.webhook_url.is_some() => Ok(()),
        _ => forbids("there is no webhook address to deliver to"),
    }
}

/// The id of a record that says no more about what it belongs to.
#[derive(Deserialize)]
struct Named {
    id: Option<Value>,
}

/// Records that something happened to a record. The document is what it belongs to, as a movement to its payment; else it is
/// the record itself.
pub(crate) fn record<T: Serialize>(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    kind: EventType,
    action: EventAction,
    document: Option<String>,
    data: &T,
) -> Result<(), StoreError> {
    let data = serde_json::to_string(data)
        .map_err(|error| StoreError::Broken(format!("an event cannot be written: {error}")))?;
    let own = || match serde_json::from_str(&data) {
        Ok(Named {
            id: Some(Value::String(id)),
        }) => Some(id),
        Ok(Named {
            id: Some(Value::Number(id)),
        }) => Some(id.to_string()),
        _ => None,
    };
    let document = document.or_else(own);
    let id = EventId::new(unit.now, unit.id_bytes());
    let new = store::event::New {
        id,
        organisation,
        kind,
        action,
        document,
        data: &data,
    };
    store::event::insert(unit.database, &new, unit.now)
}

/// Records a change of what is the organisation's own: its settings, keys, members.
pub(crate) fn record_organisation<T: Serialize>(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    action: EventAction,
    data: &T,
) -> Result<(), StoreError> {
    record(unit, organisation, EventType::Org, action, None, data)
}

/// Records that something happened to a payment.
pub(crate) fn record_payment(
    unit: &mut Unit<'_>,
    action: EventAction,
    payment: &Payment,
) -> Result<(), StoreError> {
    record(
        unit,
        payment.org_id,
        EventType::Payment,
        action,
        Some(payment.id.to_string()),
        payment,
    )
}

/// What a record belongs to, or the record itself.
fn belonging(entity: &Option<String>, id: impl ToString) -> String {
    entity.clone().unwrap_or_else(|| id.to_string())
}

/// Records that something happened to a movement.
pub(crate) fn record_movement(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    action: EventAction,
    movement: &Movement,
) -> Result<(), StoreError> {
    record(
        unit,
        organisation,
        EventType::Transaction,
        action,
        Some(belonging(&movement.entity_id, movement.id)),
        movement,
    )
}

/// Records that something happened to a transaction on a chain.
pub(crate) fn record_transaction(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    action: EventAction,
    transaction: &CryptoTransaction,
) -> Result<(), StoreError> {
    record(
        unit,
        organisation,
        EventType::CryptoTransaction,
        action,
        Some(belonging(&transaction.entity_id, transaction.id)),
        transaction,
    )
}
