//! Webhook delivery: claims due events, and records the results.
//!
//! The host signs and sends: signing is a pure function of the call, done off the writer. Deliveries to the inbox of a sandbox need
//! no host: they are signed and kept here.

mod schedule;

pub use schedule::{ATTEMPTS_MAX, SCHEDULE};

use std::sync::Arc;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http::header::{CONTENT_TYPE, USER_AGENT};
use http::{Request, StatusCode};
use serde::Serialize;
use serde_json::value::RawValue;
use settlekit_core::event::{Attempt, DeliveryStatus, EventAction, WebhookPayload};
use settlekit_core::header;
use settlekit_core::organisation::Organisation;
use settlekit_core::sandbox::{INBOX_URL, InboxHeader};
use settlekit_core::value::{EventId, OrganisationId, Timestamp};
use settlekit_core::webhook::WebhookKey;

use crate::resources::{event, organisation};
use crate::store;
use crate::store::inbox::NewMessage;
use crate::store::sql::StoreError;
use crate::unit::Unit;

/// The timeout of a webhook call.
pub const TIMEOUT: Duration = Duration::from_secs(15);

/// A claimed call without a report is due again after this.
const CLAIM: Duration = Duration::from_secs(60);

/// Organisations per round, and concurrent calls per organisation: a slow endpoint must not hold up the others.
const TURNS_MAX: u32 = 16;
const SHARE_MAX: u32 = 32;
/// The same for an endpoint after this many consecutive failures: dead endpoints must not fill the host.
const SHARE_FAILING: u32 = 2;
const FAILING_AFTER: u32 = 10;
/// An endpoint is paused when an event's last attempt fails after at least this many consecutive failures, of any event.
const PAUSED_AFTER: u32 = 20;

/// Stored bytes of a response body.
pub const RESPONSE_BYTES_MAX: usize = 16 * 1024;

/// The content of a webhook call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// The organisation.
    pub organisation: OrganisationId,
    /// The delivered event.
    pub event: EventId,
    /// The endpoint.
    pub url: String,
    /// The payload, JSON.
    pub body: String,
}

/// A webhook call for the host to make.
#[derive(Debug, Clone)]
pub struct Outbound {
    /// The content, for the report too.
    pub message: Message,
    /// The timeout.
    pub timeout: Duration,
    /// The active keys.
    keys: Arc<[WebhookKey]>,
    /// The time of the signature.
    at: Timestamp,
}

impl Outbound {
    /// The request to send, signed with each active key.
    ///
    /// # Errors
    /// If the URL is invalid: the host reports a failed call.
    pub fn to_http(&self) -> Result<Request<Vec<u8>>, http::Error> {
        let body = self.message.body.as_bytes();
        let id = self.message.event.to_string();
        let seconds = self.at.seconds();
        let signatures: Vec<String> = self
            .keys
            .iter()
            .map(|key| key.sign(&id, seconds, body))
            .collect();
        let key_ids: Vec<String> = self.keys.iter().map(|key| key.public().id()).collect();
        Request::post(&self.message.url)
            .header(CONTENT_TYPE, "application/json")
            .header(USER_AGENT, "Settlekit")
            .header(header::WEBHOOK_ID, id)
            .header(header::WEBHOOK_TIMESTAMP, seconds)
            .header(header::WEBHOOK_SIGNATURE, signatures.join(" "))
            .header(header::WEBHOOK_KEY_ID, key_ids.join(" "))
            .body(body.to_vec())
    }
}

/// The result of a webhook call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeliveryOutcome {
    /// The endpoint responded.
    Answered {
        /// The status.
        status: u16,
        /// The headers.
        headers: Vec<(String, String)>,
        /// The body, possibly cut.
        body: Vec<u8>,
        /// The duration in milliseconds.
        duration_ms: u32,
    },
    /// No response.
    Failed {
        /// The error.
        error: String,
        /// The duration in milliseconds.
        duration_ms: u32,
    },
}

/// A [`WebhookPayload`] with the record as stored.
#[derive(Serialize)]
struct Payload<'a> {
    r#type: String,
    timestamp: Timestamp,
    data: &'a RawValue,
    #[serde(skip_serializing_if = "Option::is_none")]
    test: Option<bool>,
}

fn body_of(due: &store::delivery::Due) -> Result<String, StoreError> {
    let payload = Payload {
        r#type: WebhookPayload::type_of(&due.kind, &due.action),
        timestamp: due.created_at,
        data: serde_json::from_slice(due.data.as_bytes())
            .map_err(|error| StoreError::Damaged(format!("an event is malformed: {error}")))?,
        test: due.test,
    };
    serde_json::to_string(&payload)
        .map_err(|error| StoreError::Broken(format!("a webhook cannot be written: {error}")))
}

/// Claims due deliveries, and makes those to the inbox of a sandbox. Organisations without an endpoint wait for one.
pub(crate) fn claim(unit: &mut Unit<'_>) -> Result<Vec<Outbound>, StoreError> {
    let until = unit.now.plus(CLAIM);
    let mut calls = Vec::new();
    for organisation in store::delivery::turns(unit.database, unit.now, TURNS_MAX)? {
        let Some(url) = store::organisation::webhook_url(unit.database, organisation)? else {
            store::delivery::clear_due(unit.database, organisation)?;
            continue;
        };
        let failing = store::delivery::failures(unit.database, organisation)? >= FAILING_AFTER;
        let share = if failing { SHARE_FAILING } else { SHARE_MAX };
        let due = store::delivery::claim(unit.database, organisation, unit.now, until, share)?;
        if due.is_empty() {
            continue;
        }
        let keys: Arc<[WebhookKey]> = organisation::webhook_keys(unit, organisation)?.into();
        let is_inbox = unit.options().mode.is_sandbox() && url == INBOX_URL;
        for due in due {
            let call = Outbound {
                message: Message {
                    organisation,
                    event: due.id,
                    url: url.clone(),
                    body: body_of(&due)?,
                },
                timeout: TIMEOUT,
                keys: Arc::clone(&keys),
                // Receivers compare it with their own clock, which a sandbox's may be ahead of.
                at: if is_inbox { unit.now } else { unit.host_now },
            };
            if is_inbox {
                let kind = WebhookPayload::type_of(&due.kind, &due.action);
                deliver_to_inbox(unit, &kind, &call)?;
            } else {
                calls.push(call);
            }
        }
    }
    Ok(calls)
}

/// Keeps a delivery as its receiver would get it, and reports its success.
fn deliver_to_inbox(unit: &mut Unit<'_>, kind: &str, call: &Outbound) -> Result<(), StoreError> {
    let request = call
        .to_http()
        .map_err(|error| StoreError::Broken(format!("a webhook cannot be written: {error}")))?;
    let headers = request.headers().iter();
    let headers: Vec<InboxHeader> = headers
        .map(|(name, value)| InboxHeader {
            name: name.to_string(),
            value: String::from_utf8_lossy(value.as_bytes()).into_owned(),
        })
        .collect();
    let Message {
        organisation,
        event,
        body,
        ..
    } = &call.message;
    let new = NewMessage {
        event: *event,
        kind,
        headers: &headers,
        body,
    };
    store::inbox::insert(unit.database, *organisation, &new, unit.now)?;
    let outcome = DeliveryOutcome::Answered {
        status: StatusCode::OK.as_u16(),
        headers: Vec::new(),
        body: Vec::new(),
        duration_ms: 0,
    };
    report(unit, &call.message, &outcome)
}

/// Records the result of a delivery and schedules the next attempt if needed.
pub(crate) fn report(
    unit: &mut Unit<'_>,
    message: &Message,
    outcome: &DeliveryOutcome,
) -> Result<(), StoreError> {
    let (organisation, event) = (message.organisation, message.event);
    let Some(delivery) = store::delivery::lock_delivery(unit.database, organisation, event)? else {
        return Ok(());
    };
    let (status, response, error, duration_ms) = match outcome {
        DeliveryOutcome::Answered {
            status,
            body,
            duration_ms,
            ..
        } => (Some(*status), Some(readable(body)), None, *duration_ms),
        DeliveryOutcome::Failed { error, duration_ms } => {
            (None, None, Some(error.clone()), *duration_ms)
        }
    };
    let number = delivery.attempts.saturating_add(1);
    let attempt = Attempt {
        number,
        url: message.url.clone(),
        request: message.body.clone(),
        response,
        status,
        error,
        sent_at: unit
            .now
            .minus(Duration::from_millis(u64::from(duration_ms))),
        duration_ms,
    };
    let taken = status
        .and_then(|status| StatusCode::from_u16(status).ok())
        .is_some_and(|status| status.is_success());
    // A late report, after its claim expired and another attempt succeeded, changes nothing.
    if !taken && delivery.status == DeliveryStatus::Succeeded {
        return Ok(());
    }
    let moved = !taken
        && store::organisation::webhook_url(unit.database, organisation)?.as_ref()
            != Some(&message.url);
    let gone = !moved && status == Some(StatusCode::GONE.as_u16());
    let next = if taken || gone {
        None
    } else if moved {
        // The failure is the old URL's: the new one is tried at once.
        Some(unit.now)
    } else {
        schedule::next(
            number,
            unit.now,
            retry_after(outcome, unit.now),
            &mut unit.random,
        )
    };
    let after = match (taken, next) {
        (true, _) => DeliveryStatus::Succeeded,
        (false, Some(_)) => DeliveryStatus::Pending,
        (false, None) => DeliveryStatus::Failed,
    };
    store::delivery::record_attempt(
        unit.database,
        organisation,
        event,
        &delivery,
        &attempt,
        (&after, next),
        unit.now,
    )?;
    let given_up = after == DeliveryStatus::Failed
        && store::delivery::failures(unit.database, organisation)? > PAUSED_AFTER;
    if gone || given_up {
        pause(unit, organisation, &message.url)?;
    }
    Ok(())
}

/// Pauses a dead endpoint and records the event. Events keep waiting until the URL is set again, to a new one or the same.
fn pause(unit: &mut Unit<'_>, id: OrganisationId, url: &str) -> Result<(), StoreError> {
    let Some(organisation) = store::organisation::lock(unit.database, id)? else {
        return Ok(());
    };
    // The URL may have changed during the call.
    if organisation.webhook_url.as_deref() != Some(url) || organisation.webhook_paused_at.is_some()
    {
        return Ok(());
    }
    let organisation = Organisation {
        webhook_paused_at: Some(unit.now),
        updated_at: unit.now,
        ..organisation
    };
    store::organisation::update(unit.database, &organisation)?;
    store::delivery::pause(unit.database, id, unit.now)?;
    event::record(unit, id, EventAction::Disabled, &organisation)
}

/// The beginning of a response body as text, or base64 if it is not text.
fn readable(body: &[u8]) -> String {
    let start = &body[..body.len().min(RESPONSE_BYTES_MAX)];
    match std::str::from_utf8(start) {
        // PostgreSQL text cannot contain NUL.
        Ok(text) => text.replace('\0', "\u{fffd}"),
        // Cut within a character.
        Err(error) if error.error_len().is_none() => {
            String::from_utf8_lossy(&start[..error.valid_up_to()]).replace('\0', "\u{fffd}")
        }
        Err(_) => format!("base64:{}", STANDARD.encode(start)),
    }
}

/// The delay in `Retry-After`, seconds or a date (RFC 9110, section 10.2.3).
fn retry_after(outcome: &DeliveryOutcome, now: Timestamp) -> Option<Duration> {
    let DeliveryOutcome::Answered { headers, .. } = outcome else {
        return None;
    };
    let (_, value) = headers
        .iter()
        .find(|(name, _)| name.eq_ignore_ascii_case(header::RETRY_AFTER))?;
    match value.trim().parse() {
        Ok(seconds) => Some(Duration::from_secs(seconds)),
        Err(_) => http_date(value.trim()).map(|until| until.since(now)),
    }
}

/// Parses an HTTP date in the only format that senders may use: `Mon, 02 Mar 2026 09:10:00 GMT`.
fn http_date(text: &str) -> Option<Timestamp> {
    const MONTHS: [&str; 12] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ];
    let words: Vec<&str> = text.split(' ').collect();
    let [_, day, month, year, time, "GMT"] = words[..] else {
        return None;
    };
    let month = MONTHS.iter().position(|name| *name == month)? + 1;
    format!("{year}-{month:02}-{day}T{time}Z").parse().ok()
}
