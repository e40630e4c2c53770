//! Verifies a received webhook with core's own verification. The webhook does not leave the browser.

use leptos::prelude::*;
use settlekit_core::header;
use settlekit_core::organisation::GetOrganisation;
use settlekit_core::value::Timestamp;
use settlekit_core::webhook::{PublicKey, Received, TOLERANCE, WebhookError, verify};

use crate::api;
use crate::form::{Form, LongField};
use crate::shell::load;
use crate::text;
use crate::ui::{Icon, Notice, PageHead, Tone, icon, service_now};

#[derive(Debug, Clone, Copy, PartialEq)]
enum Verdict {
    Fits(Timestamp),
    /// The signature is valid, but its timestamp is too old or too far ahead.
    OutOfTime(Timestamp),
    Refused(WebhookError),
}

/// The value of a header among lines of `name: value`.
fn value_of<'a>(lines: &'a str, name: &str) -> &'a str {
    lines
        .lines()
        .filter_map(|line| line.split_once(':'))
        .find(|(found, _)| found.trim().eq_ignore_ascii_case(name))
        .map_or("", |(_, value)| value.trim())
}

fn check_webhook(headers: &str, body: &str, pem: &str, now: Timestamp) -> Verdict {
    let key = match PublicKey::from_pem(pem) {
        Ok(key) => key,
        Err(error) => return Verdict::Refused(error),
    };
    let timestamp = value_of(headers, header::WEBHOOK_TIMESTAMP);
    let received = Received {
        id: value_of(headers, header::WEBHOOK_ID),
        timestamp,
        signature: value_of(headers, header::WEBHOOK_SIGNATURE),
        body: body.as_bytes(),
    };
    let keys = [key];
    match verify(received, &keys, now, TOLERANCE) {
        Ok(at) => Verdict::Fits(at),
        // Verify again at the signing time, to tell whether only the time is wrong.
        Err(error @ (WebhookError::TooOld | WebhookError::TooNew)) => {
            let seconds = timestamp.parse::<i64>().unwrap_or_default();
            let then = Timestamp::from_millis(seconds.saturating_mul(1_000));
            match verify(received, &keys, then, TOLERANCE) {
                Ok(at) => Verdict::OutOfTime(at),
                Err(WebhookError::SignatureInvalid) => {
                    Verdict::Refused(WebhookError::SignatureInvalid)
                }
                Err(_) => Verdict::Refused(error),
            }
        }
        Err(error) => Verdict::Refused(error),
    }
}

#[component]
pub(crate) fn VerifyWebhook() -> impl IntoView {
    let form = Form::new();
    let organisation = load::<GetOrganisation>(|| Some(api::plain()));
    let empty = || RwSignal::new(String::new());
    let (headers, body, key) = (empty(), empty(), empty());
    Effect::new(move |_| {
        let known = organisation.read(|one| one.webhook_public_key.clone());
        if let Some(known) = known
            .flatten()
            .filter(|_| key.with_untracked(String::is_empty))
        {
            key.set(known);
        }
    });
    let verdict: RwSignal<Option<Verdict>> = RwSignal::new(None);
    // Clear the result when the input changes.
    Effect::new(move |_| {
        headers.track();
        body.track();
        key.track();
        verdict.set(None);
    });
    let submit = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        let [headers, body, key] = [headers, body, key].map(|value| value.get_untracked());
        verdict.set(Some(check_webhook(&headers, &body, &key, service_now())));
    };
    let shown = move || {
        verdict.get().map(|verdict| {
            let (tone, title, why) = match verdict {
                Verdict::Fits(at) => (Tone::Good, text::fits(), text::signed_at(&at.to_string())),
                Verdict::OutOfTime(at) => {
                    let why = [&text::signed_at(&at.to_string()), text::fits_old_why()].join(" ");
                    (Tone::Warn, text::fits_old(), why)
                }
                Verdict::Refused(error) => {
                    let why = text::refusal(vec![(None, "", &error.to_string())]).0;
                    (Tone::Bad, text::fits_not(), why)
                }
            };
            view! { <Notice tone=tone title=title>{why}</Notice> }
        })
    };
    view! {
        <div class="page">
            <PageHead title=text::verify() lead=text::verify_lead() above=("/events", text::events()) />
            <form class="panel settings verify" novalidate on:submit=submit>
                <div class="panel-body fields">
                    <LongField form=form name="headers" label=text::headers() value=headers hint=text::headers_hint() />
                    <LongField form=form name="body" label=text::body() value=body hint=text::body_hint() />
                    <LongField form=form name="key" label=text::public_key() value=key hint=text::verify_key_hint() />
                    <div aria-live="polite">{shown}</div>
                </div>
                <div class="panel-foot"><button class="button primary">{icon(Icon::Check)}{text::verify_act()}</button></div>
            </form>
        </div>
    }
}
