//! Fails a payout on the simulated chain.

use leptos::prelude::*;
use settlekit_core::operation::Scope;
use settlekit_core::sandbox::FailPayout;

use crate::form::{Form, FormView, TextField};
use crate::text::sandbox as words;
use crate::ui::Toasts;

#[component]
pub(crate) fn FailPayoutForm(done: Callback<()>) -> impl IntoView {
    let (form, toasts) = (Form::new(), Toasts::from_context());
    let payout = form.text("payment_id");
    let submit = Callback::new(move |()| {
        let Some(fields) = form.fields() else { return };
        form.send::<FailPayout>(fields.body(), move |_| {
            toasts.say(words::payout_failed().to_owned());
            payout.set(String::new());
            done.run(());
        });
    });
    view! {
        <FormView form=form scope=Scope::Write submit=submit>
            <TextField form=form name="payment_id" label=words::payout_failure_id() value=payout placeholder="pay_…" />
            <div class="row"><button data-scope="write" class="button" disabled=form.busy>{words::fail_payout()}</button></div>
        </FormView>
    }
}
