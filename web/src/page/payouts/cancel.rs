//! Cancels a payout that is not sent.

use leptos::prelude::*;
use settlekit_core::payment::{CancelPayment, Payment};
use settlekit_core::value::PaymentId;

use crate::form::{Form, form_failure, path_argument};
use crate::shell::{Live, Loaded};
use crate::text::payout as words;
use crate::ui::{Confirm, Toasts};

/// Whether nothing has left yet.
fn is_unsent(payout: &Payment) -> bool {
    payout.is_unsigned() || payout.is_unsent_payout()
}

#[component]
pub(super) fn Cancel(id: PaymentId, payout: Loaded<Payment>) -> impl IntoView {
    let (form, toasts, live) = (Form::new(), Toasts::from_context(), Live::from_context());
    let confirming = RwSignal::new(false);
    let cancel = Callback::new(move |()| {
        form.send::<CancelPayment>(path_argument("payment_id", id), move |payment| {
            toasts.say(words::canceled().to_owned());
            payout.put(payment);
            live.refresh();
        });
    });
    let consequence = Signal::derive(move || {
        let is_unsigned = payout.read(Payment::is_unsigned) == Some(true);
        let consequence = if is_unsigned {
            words::cancel_payout_why()
        } else {
            words::cancel_unsent_why()
        };
        consequence.to_owned()
    });
    view! {
        {form_failure(form)}
        <Show when=move || payout.read(is_unsent) == Some(true)>
            <div class="row" data-scope="write"><button type="button" class="button danger" disabled=form.busy on:click=move |_| confirming.set(true)>{words::cancel_payout()}</button></div>
        </Show>
        <Confirm open=confirming title=words::cancel_payout_ask() consequence=consequence act=words::cancel_payout() busy=form.busy on_confirm=cancel />
    }
}
