//! Failures of forms.

use leptos::prelude::*;

use crate::call_failure::Cause;
use crate::form::Form;
use crate::shell::failure_notice;
use crate::text;
use crate::ui::{Icon, Notice, Tone, failure_text, icon};

/// Failure of the form as a whole.
pub(crate) fn form_failure(form: Form) -> AnyView {
    failure_notice(form.failure.into(), None)
}

/// Failure of a form that moves money. If the outcome is unknown, offers the safe retry.
#[component]
pub(crate) fn MoneyFailure(
    form: Form,
    /// Path and label of the list that shows the outcome.
    look: (&'static str, &'static str),
) -> impl IntoView {
    let why = move || {
        form.failure.get().map(|failure| {
            let request = failure.request_id.clone();
            view! {
                {(failure.cause != Cause::Offline).then(|| view! { <p class="quiet">{failure_text(&failure)}</p> })}
                {request.map(|id| view! { <small class="mono">{text::request_of(&id)}</small> })}
            }
        })
    };
    view! {
        <Show when=move || form.unknown.get() fallback=move || form_failure(form)>
            <Notice tone=Tone::Warn title=text::money::outcome_unknown()>
                <p>{text::money::outcome_unknown_why()}</p>
                {why}
                <div class="row">
                    <button type="button" class="button small" disabled=form.busy on:click=move |_| form.send_again()>{icon(Icon::Turning)}{text::money::ask_again()}</button>
                    <a class="button small" href=look.0>{look.1}</a>
                </div>
            </Notice>
        </Show>
    }
}
