//! Events, recorded in the transaction of their change.

mod list_events;
mod replay;

pub(crate) use list_events::{get_event, list_attempts, list_events, retry_event};
pub(crate) use replay::{cancel_replay, count_replay, create_replay, get_replay, run_due};

use serde::Serialize;
use settlekit_core::account::{Account, Movement};
use settlekit_core::api_key::ApiKey;
use settlekit_core::automation::Automation;
use settlekit_core::customer::Customer;
use settlekit_core::error::Reason;
use settlekit_core::event::{EventAction, EventType};
use settlekit_core::external_account::ExternalAccount;
use settlekit_core::invoice::Invoice;
use settlekit_core::member::Member;
use settlekit_core::organisation::Organisation;
use settlekit_core::paylink::Paylink;
use settlekit_core::payment::{CryptoTransaction, Payment};
use settlekit_core::plan::Plan;
use settlekit_core::quote::Quote;
use settlekit_core::subscription::Subscription;
use settlekit_core::value::{EventId, OrganisationId};

use crate::store;
use crate::store::sql::StoreError;
use crate::unit::Unit;
use crate::unit::refusal::{Outcome, Refusal};

/// Refuses a retry without an endpoint.
fn refuse_unreachable(unit: &mut Unit<'_>, organisation: OrganisationId) -> Outcome<()> {
    let settings = store::organisation::find(unit.database, organisation)?;
    let forbids = |message| Err(Refusal::because(Reason::StateForbids, message));
    match settings {
        Some(settings) if settings.webhook_paused_at.is_some() => {
            forbids("the webhook endpoint is paused: set its URL again to resume")
        }
        Some(settings) if settings.webhook_url.is_some() => Ok(()),
        _ => forbids("no webhook URL is set"),
    }
}

/// A record with an id, which is the document of its events.
pub(crate) trait Document: Serialize {
    fn document_id(&self) -> String;
}

macro_rules! documents {
    ($($record:ty),* $(,)?) => {
        $(impl Document for $record {
            fn document_id(&self) -> String {
                self.id.to_string()
            }
        })*
    };
}

documents!(
    Account,
    ApiKey,
    Automation,
    Customer,
    ExternalAccount,
    Invoice,
    Member,
    Organisation,
    Paylink,
    Plan,
    Quote,
    Subscription,
);

/// Records an event of a record.
pub(crate) fn record<T: Document>(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    kind: EventType,
    action: EventAction,
    data: &T,
) -> Result<(), StoreError> {
    let document = data.document_id();
    record_about(unit, organisation, (kind, action), document, data)
}

/// Records an event of a record that belongs to another document, as a movement belongs to its payment.
pub(crate) fn record_about<T: Serialize>(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    (kind, action): (EventType, EventAction),
    document: String,
    data: &T,
) -> Result<(), StoreError> {
    let data = serde_json::to_string(data)
        .map_err(|error| StoreError::Broken(format!("an event cannot be written: {error}")))?;
    let id = EventId::new(unit.now, unit.id_bytes());
    let new = store::event::NewEvent {
        id,
        organisation,
        kind,
        action,
        document: Some(document),
        data: &data,
    };
    store::event::insert(unit.database, &new, unit.now)
}

/// Records an event of the organisation's own data: settings, keys, members.
pub(crate) fn record_organisation<T: Document>(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    action: EventAction,
    data: &T,
) -> Result<(), StoreError> {
    record(unit, organisation, EventType::Org, action, data)
}

pub(crate) fn record_payment(
    unit: &mut Unit<'_>,
    action: EventAction,
    payment: &Payment,
) -> Result<(), StoreError> {
    record_about(
        unit,
        payment.org_id,
        (EventType::Payment, action),
        payment.id.to_string(),
        payment,
    )
}

/// The document of a record: its entity, or else itself.
fn belonging(entity: &Option<String>, id: impl ToString) -> String {
    entity.clone().unwrap_or_else(|| id.to_string())
}

pub(crate) fn record_movement(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    action: EventAction,
    movement: &Movement,
) -> Result<(), StoreError> {
    record_about(
        unit,
        organisation,
        (EventType::Transaction, action),
        belonging(&movement.entity_id, movement.id),
        movement,
    )
}

pub(crate) fn record_transaction(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    action: EventAction,
    transaction: &CryptoTransaction,
) -> Result<(), StoreError> {
    record_about(
        unit,
        organisation,
        (EventType::CryptoTransaction, action),
        belonging(&transaction.entity_id, transaction.id),
        transaction,
    )
}
