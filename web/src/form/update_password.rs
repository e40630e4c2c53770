//! Change of the user's own password.

use leptos::prelude::*;
use settlekit_core::session::UpdatePassword;

use crate::form::{Fields, Form, FormView, TextField, form_failure};
use crate::session::Session;
use crate::text;
use crate::ui::Toasts;

#[component]
pub(crate) fn UpdatePasswordForm() -> impl IntoView {
    let (session, toasts) = (Session::from_context(), Toasts::from_context());
    let form = Form::new();
    let password = RwSignal::new(String::new());
    let email = move || session.record().map(|record| record.user.email);
    let submit = Callback::new(move |()| {
        let body = Fields::default()
            .any_secret("new_password", &password.get_untracked())
            .body();
        form.send::<UpdatePassword>(body, move |_| {
            password.set(String::new());
            toasts.say(text::password_changed().to_owned());
        });
    });
    view! {
        <FormView form=form class="panel" shows_failure=true submit=submit>
            <div class="panel-head"><h2>{text::change_password()}</h2><p>{text::password_why()}</p></div>
            <div class="panel-body stack">
                {form_failure(form)}
                // Tells password managers the user name.
                <input type="text" class="hidden-text" tabindex="-1" aria-hidden="true" autocomplete="username" prop:value=move || email().unwrap_or_default() readonly />
                <TextField form=form name="new_password" label=text::new_password() value=password kind="password" hint=text::new_password_hint() autocomplete="new-password" />
            </div>
            <div class="panel-foot"><button class="button primary" disabled=form.busy>{text::change_password()}</button></div>
        </FormView>
    }
}
