//! Events, recorded in the transaction of their change.

mod cancel_replay;
mod count_replay;
mod create_replay;
mod create_test_event;
mod get_event;
mod get_replay;
mod list_attempts;
mod list_events;
mod replay;
mod retry_event;

pub(crate) use cancel_replay::cancel_replay;
pub(crate) use count_replay::count_replay;
pub(crate) use create_replay::create_replay;
pub(crate) use create_test_event::create_test_event;
pub(crate) use get_event::get_event;
pub(crate) use get_replay::get_replay;
pub(crate) use list_attempts::list_attempts;
pub(crate) use list_events::list_events;
pub(crate) use replay::run_due;
pub(crate) use retry_event::retry_event;

use serde::Serialize;
use settlekit_core::account::{Account, Movement};
use settlekit_core::api_key::ApiKey;
use settlekit_core::automation::Automation;
use settlekit_core::customer::Customer;
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
use crate::unit::{Outcome, Refusal, Unit};

/// Refuses a retry without an endpoint.
fn refuse_unreachable(unit: &mut Unit<'_>, organisation: OrganisationId) -> Outcome<()> {
    let settings = store::organisation::find(unit.database, organisation)?;
    let forbids = |message| Err(Refusal::state_forbids(message));
    match settings {
        Some(settings) if settings.webhook_paused_at.is_some() => {
            forbids("the webhook endpoint is paused: set its URL again to resume")
        }
        Some(settings) if settings.webhook_url.is_some() => Ok(()),
        _ => forbids("no webhook URL is set"),
    }
}

/// The event of a record that an update may enable or disable.
pub(crate) fn action_of_switch(before: bool, after: bool) -> EventAction {
    match (before, after) {
        (false, true) => EventAction::Enabled,
        (true, false) => EventAction::Disabled,
        _ => EventAction::Updated,
    }
}

/// A record with events.
pub(crate) trait Document: Serialize {
    /// The type of its events.
    const EVENTS: EventType;

    /// The document of its events: the record itself, or the one that it belongs to.
    fn document_id(&self) -> String;
}

/// Records that are the document of their events.
macro_rules! documents {
    ($($record:ty: $events:ident),* $(,)?) => {
        $(impl Document for $record {
            const EVENTS: EventType = EventType::$events;

            fn document_id(&self) -> String {
                self.id.to_string()
            }
        })*
    };
}

documents!(
    Account: Account,
    ApiKey: Org,
    Automation: Account,
    Customer: Customer,
    ExternalAccount: Account,
    Invoice: Invoice,
    Member: Org,
    Organisation: Org,
    Paylink: MerchantContract,
    Payment: Payment,
    Plan: Plan,
    Quote: Transaction,
    Subscription: Subscription,
);

/// Records that belong to an entity if they name one, as a movement belongs to its payment.
macro_rules! documents_of_entities {
    ($($record:ty: $events:ident),* $(,)?) => {
        $(impl Document for $record {
            const EVENTS: EventType = EventType::$events;

            fn document_id(&self) -> String {
                let entity = self.entity_id.clone();
                entity.unwrap_or_else(|| self.id.to_string())
            }
        })*
    };
}

documents_of_entities!(Movement: Transaction, CryptoTransaction: CryptoTransaction);

/// Records an event of a record.
pub(crate) fn record<T: Document>(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    action: EventAction,
    data: &T,
) -> Result<(), StoreError> {
    let document = data.document_id();
    record_about(unit, organisation, (T::EVENTS, action), document, data)
}

/// Records an event of a record that has no id of its own.
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
        test: false,
    };
    store::event::insert(unit.database, &new, unit.now)
}
