//! The inbox of a sandbox: webhooks as a receiver gets them. Their signatures are verified by core, in the browser.

use std::time::Duration;

use leptos::prelude::*;
use serde_json::Value;
use settlekit_core::call::Arguments;
use settlekit_core::header;
use settlekit_core::organisation::GetOrganisation;
use settlekit_core::page::ListQuery;
use settlekit_core::sandbox::{EmptyInbox, InboxMessage, ListInbox};
use settlekit_core::webhook::{PublicKey, Received, TOLERANCE, WebhookError, verify};

use crate::api;
use crate::form::{Form, form_failure};
use crate::list::{
    Column, EmptyState, Exporter, List, RecordDrawer, RecordList, RecordSkeleton, TableSpec,
    link_to,
};
use crate::session::Session;
use crate::shell::{Location, load, name};
use crate::text::{self, inbox as words};
use crate::ui::{
    Confirm, Empty, Facts, Icon, Notice, PageHead, Payload, Toasts, Tone, icon, test_mark,
};

/// Polling interval: a delivery follows its event, and no event tells of it.
const LOOK: Duration = Duration::from_secs(5);

/// The type of a message, with a mark if it is a test.
fn kind(message: &InboxMessage) -> AnyView {
    let body: Option<Value> = serde_json::from_str(&message.body).ok();
    let is_test = body.is_some_and(|body| body.get("test") == Some(&Value::Bool(true)));
    let mark = is_test.then(test_mark);
    view! { <span class="row tight">{message.r#type.clone()}{mark}</span> }.into_any()
}

fn table_spec() -> TableSpec<InboxMessage> {
    TableSpec {
        caption: words::title(),
        columns: vec![
            Column::new(text::type_(), "mono across", kind),
            Column::id(text::event(), "skip-narrow", |message| {
                Some(message.event_id.to_string())
            }),
            Column::time(words::received(), "fit second", |message| {
                Some(message.received_at)
            }),
        ],
        id: |message| message.id.to_string(),
    }
}

/// Whether the signature of a message is valid.
#[derive(Debug, Clone, PartialEq)]
enum Verdict {
    Valid,
    /// Signed before the key was replaced.
    ReplacedKey,
    Refused(WebhookError),
}

/// The value of a header; empty if the message lacks it.
fn value_of<'a>(message: &'a InboxMessage, name: &str) -> &'a str {
    let mut headers = message.headers.iter();
    let found = headers.find(|header| header.name == name);
    found.map_or("", |header| header.value.as_str())
}

/// Verifies a message with a key, at the time of its arrival.
fn check_message(message: &InboxMessage, pem: &str) -> Verdict {
    let key = match PublicKey::from_pem(pem) {
        Ok(key) => key,
        Err(error) => return Verdict::Refused(error),
    };
    let mut signers = value_of(message, header::WEBHOOK_KEY_ID).split(' ');
    if !signers.any(|signer| signer == key.id()) {
        return Verdict::ReplacedKey;
    }
    let received = Received {
        id: value_of(message, header::WEBHOOK_ID),
        timestamp: value_of(message, header::WEBHOOK_TIMESTAMP),
        signature: value_of(message, header::WEBHOOK_SIGNATURE),
        body: message.body.as_bytes(),
    };
    match verify(received, &[key], message.received_at, TOLERANCE) {
        Ok(_) => Verdict::Valid,
        Err(error) => Verdict::Refused(error),
    }
}

fn verdict_view(verdict: &Verdict) -> AnyView {
    let (tone, title, why) = match verdict {
        Verdict::Valid => (Tone::Good, text::fits(), words::signature_why().to_owned()),
        Verdict::ReplacedKey => (
            Tone::Warn,
            words::old_key(),
            words::old_key_why().to_owned(),
        ),
        Verdict::Refused(error) => {
            let why = text::refusal(vec![(None, "", &error.to_string())]).0;
            (Tone::Bad, text::fits_not(), why)
        }
    };
    view! { <Notice tone=tone title=title>{why}</Notice> }.into_any()
}

#[component]
pub(crate) fn Inbox() -> impl IntoView {
    let session = Session::from_context();
    let is_sandbox = Memo::new(move |_| session.record().is_some_and(|record| record.sandbox));
    let not_here = || {
        view! {
            <div class="page">
                <PageHead title=words::title() />
                <Empty picture=Icon::Inbox title=text::sandbox::not_here() hint=words::no_inbox_hint() />
            </div>
        }
    };
    view! { <Show when=move || is_sandbox.get() fallback=not_here><Messages /></Show> }
}

#[component]
fn Messages() -> impl IntoView {
    let location = Location::from_context();
    let (form, toasts) = (Form::new(), Toasts::from_context());
    let ask = |list: ListQuery| Some(api::with_query::<ListInbox>(list));
    let messages = load(move || ask(location.list()));
    messages.reload_while(|| true, LOOK);
    let list = List {
        page: messages.state.into(),
        busy: messages.busy.into(),
        reload: messages.retry(),
        export: (Exporter::of(ask), "inbox"),
    };
    // The open message stays when newer ones move it to the next page.
    let opened = Memo::new(move |before: Option<&Option<InboxMessage>>| {
        let id = location.get(name::OPEN)?;
        let found = messages.read(|page| {
            let mut items = page.items.iter();
            items.find(|item| item.id.to_string() == id).cloned()
        });
        let known = || before.cloned().flatten();
        let found = found.flatten().or_else(known);
        found.filter(|message| message.id.to_string() == id)
    });
    let is_missing = Memo::new(move |_| {
        let is_open = location.get(name::OPEN).is_some();
        let is_loaded = messages.read(|_| ()).is_some();
        is_open && is_loaded && opened.with(Option::is_none)
    });
    let loading = messages.is_loading();
    let organisation = load::<GetOrganisation>(|| Some(api::plain()));
    let key = Memo::new(move |_| {
        let key = organisation.read(|one| one.webhook_public_key.clone());
        key.flatten()
    });
    let verdict = Memo::new(move |_| {
        let (message, pem) = (opened.get()?, key.get()?);
        Some(check_message(&message, &pem))
    });
    let total = messages.total();
    let is_empty = Memo::new(move |_| total.get().is_none_or(|total| total == 0));
    let emptying = RwSignal::new(false);
    let empty = Callback::new(move |()| {
        form.send::<EmptyInbox>(Arguments::default(), move |_| {
            toasts.say(words::emptied().to_owned());
            messages.reload();
        });
    });
    view! {
        <div class="page">
            <PageHead title=words::title() lead=words::lead()>
                <button
                    data-scope="write" type="button" class="button"
                    disabled=move || form.busy.get() || is_empty.get() on:click=move |_| emptying.set(true)
                >{icon(Icon::Bin)}{words::empty()}</button>
            </PageHead>
            {form_failure(form)}
            <RecordList
                spec=table_spec() list=list filters=&[]
                empty=EmptyState { picture: Icon::Inbox, title: words::no_messages(), text: words::no_messages_hint(), step: ("/settings/webhooks", text::webhooks()) }
            />
            <RecordDrawer title=words::webhook()>
                <Show when=move || loading.get()><RecordSkeleton /></Show>
                <Show when=move || is_missing.get()>
                    <Notice tone=Tone::Warn title=words::gone()>{words::gone_why()}</Notice>
                </Show>
                {move || opened.with(|message| message.as_ref().map(head))}
                <div id="signature">{move || verdict.with(|verdict| verdict.as_ref().map(verdict_view))}</div>
                {move || opened.with(|message| message.as_ref().map(parts))}
            </RecordDrawer>
            <Confirm
                open=emptying title=words::empty_ask() consequence=words::empty_why()
                act=words::empty() busy=form.busy on_confirm=empty
            />
        </div>
    }
}

fn head(message: &InboxMessage) -> AnyView {
    let facts = Facts::default()
        .time(words::received(), message.received_at)
        .id(text::event(), message.event_id.to_string());
    let event = link_to(
        format!("/events?open={}", message.event_id),
        Icon::Events,
        words::view_event(),
    );
    view! { <div class="lede"><strong class="mono">{kind(message)}</strong></div>{facts.view()}{event} }
        .into_any()
}

/// Headers and body as received.
fn parts(message: &InboxMessage) -> AnyView {
    let headers = message.headers.iter();
    let headers: Vec<String> = headers
        .map(|header| format!("{}: {}", header.name, header.value))
        .collect();
    view! {
        <Payload source=headers.join("\n") what=text::headers() />
        <Payload source=message.body.clone() what=text::body() />
    }
    .into_any()
}
