//! Event log: events, webhook deliveries, requests and responses.

use std::time::Duration;

use leptos::prelude::*;
use settlekit_core::call::Arguments;
use settlekit_core::event::{
    Attempt, CountReplayQuery, DeliveryStatus, Event, EventAction, EventOrder, EventPath,
    EventType, GetEvent, ListAttempts, ListAttemptsPath, ListEvents, ListEventsQuery, RetryEvent,
    WebhookPayload,
};
use settlekit_core::organisation::GetOrganisation;
use settlekit_core::page::{CountsBy, ListQuery};
use settlekit_core::value::{EventId, Timestamp};

use crate::api;
use crate::form::create_replay::CreateReplayDialog;
use crate::form::resume_webhooks::ResumeWebhooks;
use crate::form::{BulkAction, BulkActions, Form, RecordNames, form_failure, path_argument};
use crate::list::{
    Column, EmptyState, Exporter, FilterBar, FilterSpec, List, RecordDetails, RecordDrawer,
    RecordList, Selection, StatusTab, StatusTabs, TableSpec, actions_of, counts_of, link_to,
    load_list, load_opened,
};
use crate::query_errors::collect;
use crate::remote::Remote;
use crate::shell::{
    Failed, Live, LiveBadge, Loaded, Location, address_of, load, load_failure, name,
};
use crate::text;
use crate::ui::{
    CopyButton, Facts, Icon, PageHead, Payload, Toasts, changes, changes_view, icon, service_now,
    status_badge, test_mark, time_ago, timestamp,
};

const DOCUMENT: &str = "document_id";
const ACTION: &str = "action";
const DELIVERY: &str = "delivery_status";
const TYPE: &str = "type";
const ORDER: &str = name::ORDER_BY;
const FILTERS: &[&str] = &[
    TYPE,
    ACTION,
    DELIVERY,
    DOCUMENT,
    ORDER,
    name::SINCE,
    name::UNTIL,
    name::SORT,
];

/// Update interval of the time until the next attempt.
const TICK: Duration = Duration::from_secs(1);
/// Polling interval while a retry is pending.
const LOOK: Duration = Duration::from_secs(2);

fn kind(event: &Event) -> String {
    WebhookPayload::type_of(&event.r#type, &event.action)
}

fn delivery(event: &Event) -> AnyView {
    event
        .delivery_status
        .as_ref()
        .map(|status| status_badge(status.as_str(), None))
        .into_any()
}

/// Id of the event's record.
fn document(event: &Event) -> Option<String> {
    match event.data.get("id")? {
        serde_json::Value::String(id) => Some(id.clone()),
        other => Some(other.to_string()),
    }
}

/// Id for filtering events about a record: that of its parent object, or its own.
fn belongs_to(event: &Event) -> Option<String> {
    let entity = event.data.get("entity_id").and_then(|id| id.as_str());
    entity.map(str::to_owned).or_else(|| document(event))
}

/// Path of the event's record; for an on-chain transaction, of its payment. Integer ids are accounts or movements, depending on
/// the record's fields.
fn subject(event: &Event) -> Option<String> {
    let by_id = |name: &str| address_of(event.data.get(name)?.as_str()?);
    let by_number = |has: &str, page: &str| {
        event.data.get(has)?;
        Some(format!("{page}{}", event.data.get("id")?.as_i64()?))
    };
    by_id("id")
        .or_else(|| by_number("account_type", "/accounts/"))
        .or_else(|| by_number("direction", "/movements?open="))
        .or_else(|| by_id("order_id"))
        .or_else(|| by_id("payment_id"))
}

fn table_spec() -> TableSpec<Event> {
    TableSpec {
        caption: text::events(),
        columns: vec![
            Column::new(text::event(), "mono across", |event| {
                let mark = event.test.map(|_| test_mark());
                view! { <span class="row tight">{kind(event)}{mark}</span> }.into_any()
            }),
            Column::new(text::delivery(), "second", delivery),
            Column::text(text::response(), "quiet skip-narrow", |event| {
                event
                    .webhook_response_status
                    .map(|status| status.to_string())
                    .or_else(|| event.webhook_response_error.clone())
            }),
            Column::id(text::about(), "skip-narrow", document),
            Column::text(text::number(), "quiet skip-narrow fit", |event| {
                Some(event.event_id.to_string())
            }),
            Column::time(text::when(), "fit second", |event| Some(event.timestamp)),
        ],
        id: |event| event.id.to_string(),
    }
}

fn path(id: &str) -> Arguments {
    path_argument("event_id", id)
}

#[component]
pub(crate) fn Events() -> impl IntoView {
    let location = Location::from_context();
    let ask_by = move |order_by, list, counts| {
        Some(api::with_query::<ListEvents>(ListEventsQuery {
            list,
            document_id: location.get(DOCUMENT),
            action: location.param(ACTION),
            delivery_status: location.param(DELIVERY),
            r#type: location.param(TYPE),
            order_by,
            counts,
        }))
    };
    let ask = move |list| ask_by(location.param(ORDER), list, Some(CountsBy::Status));
    let events = List {
        // By event number, which never changes, so that retries don't move rows between pages.
        export: (Exporter::of(move |list| ask_by(None, list, None)), "events"),
        ..load_list("events", ask)
    };
    // A replay would ignore invalid parameters, so it needs a valid URL.
    let readable = Memo::new(move |_| collect(|| ask(location.list())).is_ok());
    let replayed = Memo::new(move |_| {
        let list = location.list();
        CountReplayQuery {
            since: list.since,
            until: list.until,
            r#type: location.param(TYPE),
            action: location.param(ACTION),
            delivery_status: location.param(DELIVERY),
        }
    });
    let organisation = load::<GetOrganisation>(|| Some(api::plain()));
    let by_record = Signal::derive(move || location.get(DOCUMENT).is_some());
    let selection = Selection::default();
    let names = RecordNames::of(events.page, |event| {
        let name = format!("{} {}", kind(event), event.event_id);
        (event.id.to_string(), name)
    });
    let mut filters = vec![
        FilterSpec::choice(text::type_(), TYPE, EventType::KNOWN),
        FilterSpec::choice(text::action(), ACTION, EventAction::KNOWN),
        FilterSpec::choice(text::delivery(), DELIVERY, DeliveryStatus::KNOWN)
            .in_tabs(DeliveryStatus::KNOWN),
        FilterSpec::text(text::about(), DOCUMENT, text::about_hint()),
    ];
    filters.extend(FilterSpec::by_date());
    filters.push(FilterSpec::choice(
        text::order_by(),
        ORDER,
        EventOrder::KNOWN,
    ));
    let tabs = StatusTab::each(
        DELIVERY,
        DeliveryStatus::KNOWN,
        text::words,
        counts_of(&events),
    );
    let retry = BulkAction::new::<RetryEvent>(text::retry(), text::retry_together_why(), path);
    view! {
        <div class="page">
            <PageHead title=text::events() lead=text::events_lead()>
                <LiveBadge />
                <a class="button" href="/events/verify">{icon(Icon::Check)}{text::verify()}</a>
                <Show when=move || readable.get()><CreateReplayDialog filter=replayed by_record=by_record /></Show>
            </PageHead>
            <StatusTabs label=text::delivery() tabs=tabs />
            <FilterBar filters=filters />
            <ResumeWebhooks organisation=organisation.ready().into() resumed=Callback::new(move |newer| organisation.put(newer)) />
            <BulkActions selection=selection names=names actions=vec![retry] />
            <RecordList
                spec=table_spec() list=events filters=FILTERS selection=selection
                empty=EmptyState { picture: Icon::Events, title: text::no_events(), text: text::no_events_hint(), step: ("/settings/webhooks", text::set_endpoint()) }
            />
            <RecordDrawer title=text::event()><OneEvent /></RecordDrawer>
        </div>
    }
}

#[component]
fn OneEvent() -> impl IntoView {
    let event = load_opened::<GetEvent, _>(|event_id| EventPath { event_id });
    let attempts = load_opened::<ListAttempts, _>(|event_id| ListAttemptsPath { event_id });
    // While a retry is pending, refresh more often than events arrive.
    let pending = Memo::new(move |_| {
        let status = event.read(|event| event.delivery_status.clone()).flatten();
        status == Some(DeliveryStatus::Pending)
    });
    event.reload_while(move || pending.get(), LOOK);
    attempts.reload_while(move || pending.get(), LOOK);
    let data = Memo::new(move |_| event.read(|event| event.data.clone()));
    view! {
        <RecordDetails loaded=event show=head />
        {actions_of(event, |event| event.id, move |id| view! { <Attempts id=id event=event attempts=attempts /> }.into_any())}
        <Difference event=event />
        {move || data.get().map(|data| view! { <Payload source=data.to_string() what=text::record() /> })}
    }
}

/// Delivery attempts, and a retry button.
#[component]
fn Attempts(id: EventId, event: Loaded<Event>, attempts: Loaded<Vec<Attempt>>) -> impl IntoView {
    let (live, toasts, form) = (Live::from_context(), Toasts::from_context(), Form::new());
    let retry = move |_| {
        form.send::<RetryEvent>(path_argument("event_id", id), move |newer| {
            toasts.say(text::retry_sent().to_owned());
            event.put(newer);
            attempts.reload();
            live.refresh();
        });
    };
    let again = attempts.retry();
    view! {
        {form_failure(form)}
        <section class="stack-tight" id="attempts">
            <div class="row">
                <h3 class="section-title">{text::attempts()}</h3>
                <button data-scope="write" type="button" class="button small push" id="retry" disabled=form.busy on:click=retry>{icon(Icon::Turning)}{text::retry()}</button>
            </div>
            {move || attempts.state.with(|attempts| match attempts {
                Remote::Loading => view! { <span class="bone b4"></span> }.into_any(),
                Remote::Failed(failure) => view! { <Failed failure=failure.clone() retry=Some(again) /> }.into_any(),
                Remote::Ready(all) if all.is_empty() => view! { <p class="quiet">{text::no_attempts()}</p> }.into_any(),
                Remote::Ready(all) => view! { <ol class="attempts">{all.iter().rev().map(attempt).collect_view()}</ol> }.into_any(),
            })}
        </section>
    }
}

/// Difference to the previous event about the record.
#[component]
fn Difference(event: Loaded<Event>) -> impl IntoView {
    // Requested once per event: earlier events don't change.
    let subject = Memo::new(move |_| {
        let subject = event.read(|event| {
            let kind = event.r#type.clone();
            let (parent, own) = (belongs_to(event)?, document(event)?);
            Some((event.event_id, event.timestamp, kind, parent, own))
        });
        subject.flatten()
    });
    let earlier = load::<ListEvents>(move || {
        let (_, until, kind, document_id, _) = subject.get()?;
        Some(api::with_query(ListEventsQuery {
            list: ListQuery {
                until: Some(until),
                ..ListQuery::default()
            },
            document_id: Some(document_id),
            r#type: Some(kind),
            ..ListEventsQuery::default()
        }))
    });
    let shown = move || {
        let (number, _, _, _, subject) = subject.get()?;
        let now = event.read(|event| event.data.clone())?;
        let is_earlier =
            |event: &&Event| event.event_id < number && document(event).as_ref() == Some(&subject);
        earlier.read(|page| {
            let before = page.items.iter().filter(is_earlier);
            let none = match page.next {
                Some(_) => text::no_earlier_near(),
                None => text::no_earlier(),
            };
            match before.max_by_key(|event| event.event_id) {
                None => view! { <p class="quiet">{none}</p> }.into_any(),
                Some(before) => against(before, changes(&before.data, &now)),
            }
        })
    };
    view! {
        <Show when=move || subject.with(Option::is_some)>
            <section class="stack-tight" id="difference">
                <h3 class="section-title">{text::difference()}</h3>
                {load_failure(earlier)}
                {shown}
            </section>
        </Show>
    }
}

fn against(
    before: &Event,
    changes: Vec<(String, Option<serde_json::Value>, Option<serde_json::Value>)>,
) -> AnyView {
    let count = changes.len();
    view! {
        <p class="row quiet"><a href=format!("/events?open={}", before.id)>{text::event_before()}</a>{timestamp(before.timestamp)}<span class="push">{text::fields_changed(count)}</span></p>
        {if count == 0 { view! { <p class="quiet">{text::no_difference()}</p> }.into_any() } else { changes_view(changes) }}
    }
    .into_any()
}

/// Request of an attempt as a curl command, without the signature, which differs per attempt.
fn curl(attempt: &Attempt) -> String {
    let quoted = |text: &str| format!("'{}'", text.replace('\'', "'\\''"));
    format!(
        "curl -X POST {} -H 'content-type: application/json' --data-raw {}",
        quoted(&attempt.url),
        quoted(&attempt.request)
    )
}

fn head(event: &Event) -> AnyView {
    let facts = Facts::default()
        .id(text::event(), event.id.to_string())
        .with(text::number(), event.event_id.to_string())
        .id(text::about(), document(event))
        .time(text::when(), event.timestamp)
        .text(text::endpoint_address(), event.webhook_url.clone())
        .maybe(text::next_attempt(), event.next_attempt_at, |at| {
            view! { <NextAttempt at=at /> }
        });
    let about = subject(event).map(|to| link_to(to, Icon::Right, text::open_subject()));
    view! { <div class="lede"><strong class="mono">{kind(event)}</strong>{event.test.map(|_| test_mark())}{delivery(event)}</div>{facts.view()}{about} }.into_any()
}

/// Time of the next delivery attempt, and how long until then.
#[component]
fn NextAttempt(at: Timestamp) -> impl IntoView {
    let now = RwSignal::new(service_now());
    let timer = set_interval_with_handle(move || now.set(service_now()), TICK).ok();
    on_cleanup(move || {
        if let Some(timer) = timer {
            timer.clear();
        }
    });
    let left = move || {
        if now.get() < at {
            time_ago(at)
        } else {
            text::attempt_due().to_owned()
        }
    };
    view! { <span class="row tight">{timestamp(at)}<span class="quiet">{left}</span></span> }
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
                    {status_badge(word, None)}
                    <span class="quiet">{outcome}</span>
                    <span class="quiet">{text::milliseconds(attempt.duration_ms)}</span>
                    {timestamp(attempt.sent_at)}
                </summary>
                <div>
                    <p class="row"><span class="mono">{attempt.url.clone()}</span><CopyButton text=curl(attempt) what=text::curl() words=text::copy_curl() /></p>
                    <p class="quiet">{text::curl_note()}</p>
                    {error.map(|error| view! { <p class="quiet">{error}</p> })}
                    <Payload source=attempt.request.clone() what=text::request() />
                    {match response {
                        Some(body) => view! { <Payload source=body what=text::response() /> }.into_any(),
                        None => view! { <p class="quiet">{text::no_response()}</p> }.into_any(),
                    }}
                </div>
            </details>
        </li>
    }
}
