//! Signing in.

use leptos::prelude::*;
use settlekit_core::session::CreateSession;

use crate::form::{Fields, Form};
use crate::part::field::TextField;
use crate::part::notice::Failed;
use crate::session::{Session, Who};
use crate::text;

#[component]
pub(crate) fn CreateSessionForm() -> impl IntoView {
    let session = Session::here();
    let form = Form::new();
    let (email, password) = (RwSignal::new(String::new()), RwSignal::new(String::new()));
    let submit = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        let body = Fields::default()
            .text("email", &email.get_untracked())
            .secret("password", &password.get_untracked())
            .body();
        form.send::<CreateSession>(body, move |record| {
            session.set(Who::Signed(Box::new(record)))
        });
    };
    view! {
        <form class="stack" novalidate on:submit=submit>
            {move || form.trouble.get().map(|trouble| view! { <Failed trouble=trouble /> })}
            <TextField form=form name="email" label=text::email() value=email kind="email" autocomplete="username" />
            <TextField form=form name="password" label=text::password() value=password kind="password" autocomplete="current-password" />
            <button class="button primary" disabled=form.busy>{text::sign_in()}</button>
        </form>
    }
}
