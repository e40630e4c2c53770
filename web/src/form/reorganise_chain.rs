//! Reverts a block of the simulated chain.

use leptos::prelude::*;
use settlekit_core::operation::Scope;
use settlekit_core::sandbox::ReorganiseChain;

use crate::form::{Fields, Form, FormView, TextField};
use crate::text::sandbox as words;
use crate::ui::{Checkbox, Toasts};

#[component]
pub(crate) fn ReorganiseChainForm(
    /// Transaction hash of the last deposit made here.
    hash: RwSignal<String>,
    done: Callback<()>,
) -> impl IntoView {
    let (form, toasts) = (Form::new(), Toasts::from_context());
    let returns = RwSignal::new(false);
    let submit = Callback::new(move |()| {
        let arguments = Fields::default()
            .text("transaction_hash", &hash.get_untracked())
            .value("returns", returns.get_untracked().into())
            .body();
        form.send::<ReorganiseChain>(arguments, move |_| {
            toasts.say(words::reorganised().to_owned());
            done.run(());
        });
    });
    view! {
        <FormView form=form scope=Scope::Write submit=submit>
            <TextField form=form name="transaction_hash" label=words::reorganised_hash() value=hash hint=words::reorganised_hash_hint() />
            <Checkbox label=words::reorganised_returns() value=returns />
            <div class="row"><button data-scope="write" class="button" disabled=form.busy>{words::reorganise()}</button></div>
        </FormView>
    }
}
