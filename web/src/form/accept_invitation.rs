//! Joining by an invitation, with a new account or one of another organisation, or choosing a new password by one.

use leptos::prelude::*;
use settlekit_core::member::AcceptInvitation;

use crate::address::base_path;
use crate::form::{Fields, Form, FormView, TextField};
use crate::session::{Session, SessionState};
use crate::shell::record_activity;
use crate::text;

#[component]
pub(crate) fn AcceptInvitationForm(
    token: String,
    email: String,
    /// The name of an existing member.
    member: Option<String>,
    /// Whether the address has an account, whose password accepts the invitation.
    has_account: bool,
) -> impl IntoView {
    let session = Session::from_context();
    let form = Form::new();
    let joins = member.is_none();
    // The service ignores the name for an account, and needs one.
    let known = member.or_else(|| has_account.then(|| email.clone()));
    let asks_name = known.is_none();
    let name = RwSignal::new(known.unwrap_or_default());
    let (password_label, password_hint, autocomplete) = if has_account {
        (
            text::account_password(),
            text::account_password_hint(),
            "current-password",
        )
    } else {
        (
            text::new_password(),
            text::new_password_hint(),
            "new-password",
        )
    };
    let password = RwSignal::new(String::new());
    let submit = Callback::new(move |()| {
        let body = Fields::default()
            .text("token", &token)
            .any_text("name", &name.get_untracked())
            .any_secret("password", &password.get_untracked())
            .body();
        form.send::<AcceptInvitation>(body, move |record| {
            record_activity();
            session.set(SessionState::SignedIn(Box::new(record)));
            // Fails only if the page may not navigate.
            let _ = window().location().replace(&format!("{}/", base_path()));
        });
    });
    view! {
        <FormView form=form submit=submit>
            {asks_name.then(|| view! { <TextField form=form name="name" label=text::your_name() value=name hint=text::your_name_hint() autocomplete="name" /> })}
            // Tells password managers the user name.
            <input type="text" class="hidden-text" tabindex="-1" aria-hidden="true" autocomplete="username" value=email readonly />
            <TextField form=form name="password" label=password_label value=password kind="password" hint=password_hint autocomplete=autocomplete />
            <button class="button primary" disabled=form.busy>{if joins { text::join() } else { text::change_password() }}</button>
        </FormView>
    }
}
