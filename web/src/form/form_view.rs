//! The element of a form that is sent to the service. Filters and dialogs use plain `form` elements, because they hold no edits.

use leptos::prelude::*;

use crate::form::Form;

/// A form with a warning before its edits are lost.
#[component]
pub(crate) fn FormView(
    form: Form,
    #[prop(default = "stack")] class: &'static str,
    #[prop(optional, into)] hidden: Signal<bool>,
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
    view! {
        <form class=class novalidate hidden=move || hidden.get() on:input=move |_| edits.mark(id) on:submit=send>{children()}</form>
    }
}
