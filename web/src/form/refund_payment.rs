//! Sending a payment back, whole or in part.

use leptos::prelude::*;
use settlekit_core::operation::Scope;
use settlekit_core::payment::{Payment, RefundPayment};
use settlekit_core::value::Amount;

use crate::form::{Fields, Form, path};
use crate::part::amount::amount_text;
use crate::part::field::{Allowed, TextField};
use crate::part::icon::{Icon, icon};
use crate::part::notice::MoneyTrouble;
use crate::text;
use crate::text::money as words;

#[component]
pub(crate) fn RefundPaymentForm(
    payment: Payment,
    cancel: Callback<()>,
    done: Callback<()>,
) -> impl IntoView {
    let form = Form::new();
    let left = payment.refundable().unwrap_or(Amount::ZERO);
    let currency = payment.currency.to_string();
    let sender = payment.sender_address.clone();
    let id = payment.id;
    let part = RwSignal::new(left.to_string());
    let address = RwSignal::new(String::new());
    let send = Callback::new(move |()| {
        let mut arguments = Fields::default()
            .text("amount", &part.get_untracked())
            .text("address", &address.get_untracked())
            .body();
        arguments.path = path("payment_id", id).path;
        form.send::<RefundPayment>(arguments, move |_| done.run(()));
    });
    let submit = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        send.run(());
    };
    let whole = amount_text(&left, &currency);
    let sentence = move || {
        let money = part
            .with(|text| text.trim().parse::<Amount>())
            .map_or_else(|_| "–".to_owned(), |exact| amount_text(&exact, &currency));
        let typed = address.get();
        let to = Some(typed.trim().to_owned())
            .filter(|to| !to.is_empty())
            .or_else(|| sender.clone());
        words::refund_sentence(&money, to.as_deref())
    };
    view! {
        <form class="stack" novalidate on:submit=submit><Allowed scope=Scope::Payout>
            <MoneyTrouble form=form look=("/payments", words::look_in_payments()) />
            <TextField form=form name="amount" label=text::amount() value=part kind="decimal" />
            <p class="quiet">{words::refund_left(&whole)}</p>
            <TextField form=form name="address" label=words::refund_to() value=address hint=words::refund_to_hint() optional=true />
            <p role="status">{sentence}</p>
            <div class="row">
                <button type="button" class="button" on:click=move |_| cancel.run(())>{text::cancel()}</button>
                <button data-scope="payout" class="button danger" disabled=form.busy>{icon(Icon::Back)}{words::refund()}</button>
            </div>
        </Allowed></form>
    }
}
