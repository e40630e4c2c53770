//! The event log: what happened, whether the webhook arrived, what was sent and what came back.

use leptos::prelude::*;
use settlekit_core::event::{
    Attempt, DeliveryStatus, Event, EventAction, EventPath, EventType, GetEvent, ListAttempts,
    ListAttemptsPath, ListEvents, ListEventsQuery, RetryEvent, WebhookPayload,
};
use settlekit_core::value::{EventId, Param};

use crate::api;
use crate::form::{self, Form};
use crate::live::Live;
use crate::load::load;
use crate::part::PageHead;
use crate::part::copy::{Id, WholeId};
use crate::part::facts::Facts;
use crate::part::filter::{Choice, Days, Filters, Words};
use crate::part::icon::{Icon, icon};
use crate::part::list::{Lesson, List, Opened, Record};
use crate::part::moment::moment;
use crate::part::nav::Pulse;
use crate::part::notice::{Failed, Toasts};
use crate::part::payload::Payload;
use crate::part::state::state;
use crate::part::table::{Column, Plan};
use crate::place::{Place, name};
use crate::text;

const DOCUMENT: &str = "document_id";
const ACTION: &str = "action";
const DELIVERY: &str = "delivery_status";
const TYPE: &str = "type";
const FILTERS: &[&str] = &[
    TYPE,
    ACTION,
    DELIVERY,
    DOCUMENT,
    name::SINCE,
    name::UNTIL,
    name::SORT,
];

fn kind(event: &Event) -> String {
    WebhookPayload::type_of(&event.r#type, &event.action)
}

fn delivery(event: &Event) -> AnyView {
    event
        .delivery_status
        .as_ref()
        .map(|status| state(status.as_str(), None))
        .into_any()
}

/// The id of the record that an event is about.
fn document(event: &Event) -> Option<String> {
    match event.data.get("id")? {
        serde_json::Value::String(id) => Some(id.clone()),
        other => Some(other.to_string()),
    }
}

/// The few columns beside the overview's chart.
pub(crate) fn latest_plan() -> Plan<Event> {
    Plan {
        caption: text::LATEST_EVENTS,
        columns: vec![
            Column::new(text::EVENT, "", |event| {
                view! { <span class="mono">{kind(event)}</span><small>{moment(event.timestamp)}</small> }.into_any()
            }),
            Column::new(text::DELIVERY, "end", delivery),
        ],
        id: |event| event.id.to_string(),
    }
}

fn plan() -> Plan<Event> {
    Plan {
        caption: text::EVENTS,
        columns: vec![
            Column::new(text::EVENT, "mono", |event| kind(event).into_any()),
            Column::new(text::DELIVERY, "", delivery),
            Column::new(text::ANSWER, "quiet skip-narrow", |event| {
                event
                    .webhook_response_status
                    .map(|status| status.to_string())
                    .or_else(|| event.webhook_response_error.clone())
                    .into_any()
            }),
            Column::new(text::ABOUT, "skip-narrow", |event| {
                document(event)
                    .map(|id| view! { <Id id=id what=text::ABOUT /> })
                    .into_any()
            }),
            Column::new(text::NUMBER, "quiet skip-narrow fit", |event| {
                event.event_id.to_string().into_any()
            }),
            Column::new(text::WHEN, "fit second", |event| {
                moment(event.timestamp).into_any()
            }),
        ],
        id: |event| event.id.to_string(),
    }
}

#[component]
pub(crate) fn Events() -> impl IntoView {
    let place = Place::here();
    let events = load::<ListEvents>(move || {
        Some(api::asking(ListEventsQuery {
            list: place.list(),
            document_id: place.get(DOCUMENT),
            action: place.param(ACTION),
            delivery_status: place.param(DELIVERY),
            r#type: place.param(TYPE),
            order_by: None,
        }))
    });
    view! {
        <div class="page">
            <PageHead title=text::EVENTS lead=text::EVENTS_LEAD><Pulse /></PageHead>
            <Filters names=FILTERS>
                <Choice label=text::TYPE name=TYPE words=EventType::KNOWN />
                <Choice label=text::ACTION name=ACTION words=EventAction::KNOWN />
                <Choice label=text::DELIVERY name=DELIVERY words=DeliveryStatus::KNOWN />
                <Words label=text::ABOUT name=DOCUMENT hint="pay_…" />
                <Days />
            </Filters>
            <List
                plan=plan() page=events.state busy=events.busy retry=events.retry() filters=FILTERS
                lesson=Lesson { picture: Icon::Events, title: text::NO_EVENTS, lesson: text::NO_EVENTS_LESSON, step: ("/settings/webhooks", text::SET_ENDPOINT) }
            />
            <Opened title=text::EVENT><OneEvent /></Opened>
        </div>
    }
}

#[component]
fn OneEvent() -> impl IntoView {
    let (place, live, toasts, form) = (Place::here(), Live::here(), Toasts::here(), Form::new());
    let id = Memo::new(move |_| EventId::from_text(&place.get(name::OPEN)?).ok());
    let event = load::<GetEvent>(move || {
        Some(api::at(EventPath {
            event_id: id.get()?,
        }))
    });
    let attempts = load::<ListAttempts>(move || {
        Some(api::at(ListAttemptsPath {
            event_id: id.get()?,
        }))
    });
    let ready = event.ready();
    let retry = move |_| {
        let Some(id) = id.get_untracked() else { return };
        form.send::<RetryEvent>(form::path("event_id", id), move |newer| {
            toasts.say(text::RETRY_SENT.to_owned());
            event.put(newer);
            attempts.reload();
            live.poke();
        });
    };
    // A retry is under way until its attempt is in the list: look more often than events come.
    let pending = Memo::new(move |_| {
        ready.with(|event| {
            event
                .as_ref()
                .is_some_and(|event| event.delivery_status == Some(DeliveryStatus::Pending))
        })
    });
    Effect::new(move |_| {
        if pending.get()
            && let Ok(timer) = set_interval_with_handle(
                move || {
                    event.reload();
                    attempts.reload();
                },
                std::time::Duration::from_secs(2),
            )
        {
            on_cleanup(move || timer.clear());
        }
    });
    view! {
        <Record loaded=event show=head />
        {move || form.trouble.get().map(|trouble| view! { <Failed trouble=trouble /> })}
        <Show when=move || ready.with(Option::is_some)>
            <section class="stack-tight" id="attempts">
                <div class="row">
                    <h3 class="section-title">{text::ATTEMPTS}</h3>
                    <button type="button" class="button small push" id="retry" disabled=form.busy on:click=retry>{icon(Icon::Turning)}{text::RETRY}</button>
                </div>
                {move || attempts.state.with(|attempts| match attempts {
                    crate::load::Remote::Loading => view! { <span class="bone b4"></span> }.into_any(),
                    crate::load::Remote::Failed(trouble) => view! { <Failed trouble=trouble.clone() /> }.into_any(),
                    crate::load::Remote::Ready(all) if all.is_empty() => view! { <p class="quiet">{text::NO_ATTEMPTS}</p> }.into_any(),
                    crate::load::Remote::Ready(all) => view! { <ol class="attempts">{all.iter().rev().map(attempt).collect_view()}</ol> }.into_any(),
                })}
            </section>
        </Show>
        {move || ready.get().map(|event| view! { <Payload source=event.data.to_string() what=text::RECORD /> })}
    }
}

fn head(event: &Event) -> AnyView {
    let facts = Facts::default()
        .with(
            text::EVENT_ID,
            view! { <WholeId id=event.id.to_string() what=text::EVENT /> },
        )
        .with(text::NUMBER, event.event_id.to_string())
        .maybe(
            text::ABOUT,
            document(event),
            |id| view! { <WholeId id=id what=text::ABOUT /> },
        )
        .with(text::WHEN, moment(event.timestamp))
        .maybe(text::ENDPOINT_ADDRESS, event.webhook_url.clone(), |url| url);
    view! { <div class="lede"><strong class="mono">{kind(event)}</strong>{delivery(event)}</div>{facts.view()} }.into_any()
}

fn attempt(attempt: &Attempt) -> impl IntoView + use<> {
    let fine = attempt
        .status
        .is_some_and(|status| (200..300).contains(&status));
    let word = if fine { "Delivered" } else { "Failed" };
    let outcome = attempt
        .status
        .map(text::http_of)
        .or_else(|| attempt.error.clone())
        .unwrap_or_default();
    let response = attempt.response.clone().filter(|body| !body.is_empty());
    let error = attempt.error.clone();
    view! {
        <li>
            <details>
                <summary>
                    {state(word, None)}
                    <span class="quiet">{outcome}</span>
                    <span class="quiet">{text::milliseconds(attempt.duration_ms)}</span>
                    {moment(attempt.sent_at)}
                </summary>
                <div>
                    <p class="mono">{attempt.url.clone()}</p>
                    {error.map(|error| view! { <p class="quiet">{error}</p> })}
                    <Payload source=attempt.request.clone() what=text::REQUEST />
                    {match response {
                        Some(body) => view! { <Payload source=body what=text::RESPONSE /> }.into_any(),
                        None => view! { <p class="quiet">{text::NO_RESPONSE}</p> }.into_any(),
                    }}
                </div>
            </details>
        </li>
    }
}
