//! Sends a test event, and shows what became of its delivery.

use std::time::Duration;

use leptos::prelude::*;
use settlekit_core::event::{
    CreateTestEvent, DeliveryStatus, Event, EventPath, GetEvent, TestEventType, WebhookPayload,
};
use settlekit_core::operation::Scope;
use settlekit_core::value::EventId;

use crate::api;
use crate::form::{FieldKind, Form, FormView, SelectField};
use crate::shell::{load, load_failure};
use crate::text::{self, inbox as words};
use crate::ui::{Facts, Icon, Notice, Tone, icon, options_of, status_badge};

/// Polling interval until the first attempt.
const LOOK: Duration = Duration::from_secs(1);

#[component]
pub(crate) fn CreateTestEventForm() -> impl IntoView {
    let form = Form::new();
    let first = TestEventType::Payment.as_str().to_owned();
    let kind = form.input("type", FieldKind::Text, first);
    let sent: RwSignal<Option<EventId>> = RwSignal::new(None);
    let submit = Callback::new(move |()| {
        let Some(fields) = form.fields() else { return };
        form.send::<CreateTestEvent>(fields.body(), move |event| sent.set(Some(event.id)));
    });
    let event = load::<GetEvent>(move || {
        let event_id = sent.get()?;
        Some(api::at(EventPath { event_id }))
    });
    let is_waiting = Memo::new(move |_| event.read(is_untried) == Some(true));
    event.reload_while(move || is_waiting.get(), LOOK);
    view! {
        <FormView form=form scope=Scope::Manage submit=submit>
            <SelectField form=form name="type" label=text::type_() value=kind options=options_of(TestEventType::KNOWN) set=true />
            <div class="row"><button data-scope="manage" class="button" disabled=form.busy>{icon(Icon::Events)}{words::send_test()}</button></div>
        </FormView>
        {load_failure(event)}
        <div aria-live="polite" id="test-event">{move || event.read(outcome)}</div>
    }
}

/// Whether the first attempt has yet to end.
fn is_untried(event: &Event) -> bool {
    event.delivery_status == Some(DeliveryStatus::Pending) && event.webhook_sent_at.is_none()
}

fn outcome(event: &Event) -> AnyView {
    let (tone, title) = match &event.delivery_status {
        Some(DeliveryStatus::Succeeded) => (Tone::Good, words::test_delivered()),
        _ if is_untried(event) => (Tone::Plain, words::test_sending()),
        _ => (Tone::Warn, words::test_failed()),
    };
    let status = event.delivery_status.as_ref();
    let response = event.webhook_response_status.map(text::http_of);
    let facts = Facts::default()
        .text(
            text::event(),
            WebhookPayload::type_of(&event.r#type, &event.action),
        )
        .maybe(text::delivery(), status, |status| {
            status_badge(status.as_str(), None)
        })
        .text(
            text::response(),
            response.or_else(|| event.webhook_response_error.clone()),
        );
    let page = format!("/events?open={}", event.id);
    view! {
        <Notice tone=tone title=title>
            {facts.view()}
            <a class="button" href=page>{icon(Icon::Right)}{words::view_event()}</a>
        </Notice>
    }
    .into_any()
}
