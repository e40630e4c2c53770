//! Resumes an endpoint paused after too many failures by setting its URL again.

use leptos::prelude::*;
use settlekit_core::organisation::{Organisation, UpdateOrganisation};

use crate::form::{Fields, Form, form_failure};
use crate::text;
use crate::ui::{Notice, Toasts, Tone, timestamp};

/// Notice about the paused endpoint with a resume button; nothing if it is not paused.
#[component]
pub(crate) fn ResumeWebhooks(
    organisation: Signal<Option<Organisation>>,
    resumed: Callback<Organisation>,
) -> impl IntoView {
    let (form, toasts) = (Form::new(), Toasts::from_context());
    let paused = Memo::new(move |_| {
        organisation.with(|organisation| {
            let organisation = organisation.as_ref()?;
            let url = organisation.webhook_url.clone()?;
            Some((organisation.webhook_paused_at?, url))
        })
    });
    let resume = move |url: &str| {
        let body = Fields::default().text("webhook_url", url).body();
        form.send::<UpdateOrganisation>(body, move |organisation| {
            toasts.say(text::webhooks_resumed().to_owned());
            resumed.run(organisation);
        });
    };
    move || {
        let (since, url) = paused.get()?;
        let to = url.clone();
        Some(view! {
            <Notice tone=Tone::Bad title=text::webhooks_paused()>
                <p>{text::webhooks_paused_since()}" "{timestamp(since)}". "{text::webhooks_paused_why()}</p>
                <p class="mono">{url}</p>
                {form_failure(form)}
                <button data-scope="manage" type="button" class="button" disabled=form.busy on:click=move |_| resume(&to)>{text::resume_webhooks()}</button>
            </Notice>
        })
    }
}
