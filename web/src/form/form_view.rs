//! The element of a form that is sent to the service, and its buttons. Filters and dialogs use plain `form` elements, because they
//! hold no edits.

use leptos::prelude::*;
use settlekit_core::operation::Scope;

use crate::form::Form;
use crate::form::failure::form_failure;
use crate::form::field::Allowed;
use crate::session::RequiredConnection;
use crate::shell::cancel_link;
use crate::text;
use crate::ui::{Icon, icon};

/// A form with a warning before its edits are lost.
#[component]
pub(crate) fn FormView(
    form: Form,
    #[prop(default = "stack")] class: &'static str,
    #[prop(optional, into)] hidden: Signal<bool>,
    /// Scope of the operation; without it, the fields are disabled.
    #[prop(optional)]
    scope: Option<Scope>,
    /// Connection that the operation needs.
    #[prop(optional)]
    needs: RequiredConnection,
    /// Whether the children show the failure; else it is shown above them.
    #[prop(optional)]
    shows_failure: bool,
    submit: Callback<()>,
    children: Children,
) -> impl IntoView {
    let Form { edits, id, .. } = form;
    edits.register(id);
    let send = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        edits.set_sent(id);
        submit.run(());
    };
    let inside = move || {
        let failure = (!shows_failure).then(|| form_failure(form));
        view! { {failure}{children()} }.into_any()
    };
    let inside = match scope {
        Some(scope) => view! { <Allowed scope=scope needs=needs>{inside()}</Allowed> }.into_any(),
        None => inside(),
    };
    view! {
        <form class=class novalidate hidden=move || hidden.get() on:input=move |_| edits.mark(id) on:submit=send>{inside}</form>
    }
}

/// Buttons of a form in a dialog or drawer: cancel, if possible, and send.
#[component]
pub(crate) fn DialogButtons(
    form: Form,
    act: &'static str,
    #[prop(optional)] scope: Option<Scope>,
    #[prop(optional)] cancel: Option<Callback<()>>,
) -> impl IntoView {
    let cancel = cancel.map(|cancel| view! { <button type="button" class="button" on:click=move |_| cancel.run(())>{text::cancel()}</button> });
    view! {
        <div class="row">
            {cancel}
            <button data-scope=scope.map(Scope::as_str) class="button primary" disabled=form.busy>{act}</button>
        </div>
    }
}

/// Buttons of a form on its own page: send, and a link back to the list.
#[component]
pub(crate) fn PageButtons(
    form: Form,
    act: &'static str,
    #[prop(optional)] picture: Option<Icon>,
    #[prop(default = Scope::Write)] scope: Scope,
    list: &'static str,
) -> impl IntoView {
    view! {
        <div class="row">
            <button data-scope=scope.as_str() class="button primary" disabled=form.busy aria-busy=move || form.busy.get().to_string()>{picture.map(icon)}{act}</button>
            {cancel_link(list)}
        </div>
    }
}
