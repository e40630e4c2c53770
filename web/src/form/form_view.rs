//! The element of a form that is sent to the service. Filters and questions are plain `form` elements: they hold no edits.

use leptos::prelude::*;

use crate::form::Form;

/// A form whose edits are asked about before they are lost.
#[component]
pub(crate) fn FormView(
    form: Form,
    #[prop(default = "stack")] class: &'static str,
    #[prop(optional, into)] hidden: Signal<bool>,
    submit: Callback<()>,
    children: Children,
) -> impl IntoView {
    form.register_edits();
    let send = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        form.set_edits_sent();
        submit.run(());
    };
    view! {
        <form class=class novalidate hidden=move || hidden.get() on:input=move |_| form.mark_edited() on:submit=send>{children()}</form>
    }
}
