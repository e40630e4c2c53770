//! Signing in.

use leptos::html;
use leptos::prelude::*;
use settlekit_core::session::CreateSession;
use wasm_bindgen::JsCast;
use web_sys::HtmlInputElement;

use crate::form::{Fields, Form, TextField, form_failure};
use crate::session::{Session, SessionState};
use crate::shell::record_activity;
use crate::text;
use crate::ui::{focus, focus_inside, input_id};

#[component]
pub(crate) fn CreateSessionForm() -> impl IntoView {
    let session = Session::from_context();
    let form = Form::new();
    let early = EarlyInput::take();
    let last_email = session.last_email();
    let is_known = !last_email.is_empty();
    let email = match early.email.is_empty() {
        true => last_email,
        false => early.email,
    };
    let (email, password) = (RwSignal::new(email), RwSignal::new(early.password));
    let element = NodeRef::<html::Form>::new();
    Effect::new(move |_| {
        if let Some(name) = early.focused {
            focus(&format!("#{}", input_id(name)));
        } else if is_known && let Some(element) = element.get() {
            // The covered page may have a field with the same id.
            focus_inside(&element, "[type='password']");
        }
    });
    let send = move || {
        // Not by `Form::fields`, which would add the other kinds of fields to the first load.
        let body = Fields::default()
            .text("email", &email.get_untracked())
            .secret("password", &password.get_untracked())
            .body();
        form.send::<CreateSession>(body, move |record| {
            record_activity();
            session.set(SessionState::SignedIn(Box::new(record)))
        });
    };
    if early.sent {
        // After the fields are registered, so that errors are shown at them.
        Effect::new(move |_| send());
    }
    let submit = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        send();
    };
    view! {
        <form class="stack" node_ref=element novalidate on:submit=submit>
            {form_failure(form)}
            <TextField form=form name="email" label=text::email() value=email kind="email" autocomplete="username" />
            <TextField form=form name="password" label=text::password() value=password kind="password" autocomplete="current-password" />
            <button class="button primary" disabled=form.busy>{text::sign_in()}</button>
            <p class="quiet forgotten">{text::forgotten()}</p>
        </form>
    }
}

/// Input from the sign-in form of index.html, typed before the program was loaded.
#[derive(Default)]
struct EarlyInput {
    email: String,
    password: String,
    /// Name of the focused field.
    focused: Option<&'static str>,
    /// Whether the form was submitted.
    sent: bool,
}

impl EarlyInput {
    /// Takes the input, once.
    fn take() -> Self {
        let Some(gate) = document().get_element_by_id("early") else {
            return Self::default();
        };
        let now = document().active_element();
        let field = |id| document().get_element_by_id(id);
        let typed = |id| {
            let input = field(id).and_then(|input| input.dyn_into::<HtmlInputElement>().ok());
            input.map(|input| input.value()).unwrap_or_default()
        };
        let focused = [("early-email", "email"), ("early-password", "password")]
            .into_iter()
            .find(|(id, _)| now.is_some() && field(id) == now)
            .map(|(_, name)| name);
        let early = Self {
            email: typed("early-email"),
            password: typed("early-password"),
            focused,
            sent: gate.has_attribute("data-sent"),
        };
        gate.remove();
        early
    }
}
