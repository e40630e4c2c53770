//! The step-up: a fresh password check for protected operations.

use leptos::html;
use leptos::prelude::*;
use settlekit_core::session::{CreateStepUp, StepUp};

use crate::form::{Form, TextField};
use crate::session::Session;
use crate::shell::Failed;
use crate::text;
use crate::ui::{Dialog, focus_inside};

/// Dialog, open while a step-up is requested.
#[component]
pub(crate) fn StepUpDialog(children: ChildrenFn) -> impl IntoView {
    let session = Session::from_context();
    let close = Callback::new(move |()| {
        if session.step_up_open.get_untracked() {
            session.cancel_step_up();
        }
    });
    view! {
        <Dialog open=session.step_up_open close=close title=text::step_up()>
            {children()}
        </Dialog>
    }
}

#[component]
pub(crate) fn StepUpForm() -> impl IntoView {
    let session = Session::from_context();
    view! {
        <Password
            why=text::step_up_why() go_on=text::go_on() done=Callback::new(move |proof| session.complete_step_up(proof))
            other=text::cancel() left=Form::new() leave=Callback::new(move |()| session.cancel_step_up())
        />
    }
}

/// Password form with a second button.
#[component]
pub(crate) fn Password(
    why: &'static str,
    go_on: &'static str,
    done: Callback<StepUp>,
    /// Label of the second button.
    other: &'static str,
    left: Form,
    leave: Callback<()>,
) -> impl IntoView {
    let form = Form::new();
    let element = NodeRef::<html::Form>::new();
    // The dialog opens before its contents are loaded, and can't focus the field then.
    Effect::new(move |_| {
        if let Some(element) = element.get() {
            focus_inside(&element, "[type='password']");
        }
    });
    let email = untrack(|| Session::from_context().record())
        .map(|record| record.user.email)
        .unwrap_or_default();
    let submit = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        let Some(fields) = form.fields() else { return };
        form.send::<CreateStepUp>(fields.body(), move |proof| done.run(proof));
    };
    view! {
        <form class="stack" node_ref=element novalidate on:submit=submit>
            <p>{why}</p>
            {move || form.failure.get().or_else(|| left.failure.get()).map(|failure| view! { <Failed failure=failure /> })}
            // Tells password managers the user name.
            <input type="text" class="hidden-text" tabindex="-1" aria-hidden="true" autocomplete="username" value=email readonly />
            <TextField form=form name="password" label=text::password() kind="password" autocomplete="current-password" />
            <div class="row">
                <button type="button" class="button" disabled=left.busy on:click=move |_| leave.run(())>{other}</button>
                <button class="button primary" disabled=form.busy>{go_on}</button>
            </div>
        </form>
    }
}
