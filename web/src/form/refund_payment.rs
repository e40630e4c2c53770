//! A full or partial refund.

use leptos::prelude::*;
use settlekit_core::call::Arguments;
use settlekit_core::operation::Scope;
use settlekit_core::payment::{Payment, RefundPayment};
use settlekit_core::value::Amount;

use crate::form::{Form, FormView, MoneyFailure, TextField};
use crate::session::RequiredConnection;
use crate::text::{self, money as words};
use crate::ui::{Confirm, Icon, amount_text, icon};

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
    let nobody = sender.is_none();
    let id = payment.id;
    let part = RwSignal::new(left.to_string());
    let address = form.text("address");
    let confirming = RwSignal::new(false);
    // Exactly the reviewed arguments are sent.
    let reviewed = StoredValue::new(Arguments::default());
    let question = RwSignal::new(String::new());
    let send = Callback::new(move |()| {
        form.send::<RefundPayment>(reviewed.get_value(), move |_| done.run(()));
    });
    let whole = amount_text(&left, &currency);
    let limit = whole.clone();
    let sentence = Signal::derive(move || {
        let exact = part.with(|text| text.trim().parse::<Amount>()).ok();
        let money = exact.map_or_else(|| "–".to_owned(), |exact| amount_text(&exact, &currency));
        let typed = address.get();
        let to = Some(typed.trim().to_owned())
            .filter(|to| !to.is_empty())
            .or_else(|| sender.clone());
        let sentence = words::refund_sentence(&money, to.as_deref());
        let rest = exact.and_then(|exact| left.minus(exact).ok());
        match rest.filter(|rest| rest.is_positive()) {
            Some(rest) => {
                let rest = words::refund_rest(&amount_text(&rest, &currency));
                format!("{sentence} {rest}")
            }
            None => sentence,
        }
    });
    let submit = Callback::new(move |()| {
        if nobody && address.with_untracked(|address| address.trim().is_empty()) {
            return form.set_error("address", words::refund_to_whom().to_owned());
        }
        let Some(fields) = form.fields() else { return };
        // Sent even if empty: an absent amount means the whole remainder.
        let arguments = fields
            .any_text("amount", &part.get_untracked())
            .body_at("payment_id", id);
        if !form.is_valid::<RefundPayment>(&arguments) {
            return;
        }
        let amount = part.with_untracked(|text| text.trim().parse::<Amount>());
        // The service would refuse it only after the password.
        if amount.is_ok_and(|amount| amount > left) {
            return form.set_error("amount", words::refund_at_most(&limit));
        }
        reviewed.set_value(arguments);
        question.set(sentence.get_untracked());
        confirming.set(true);
    });
    view! {
        <FormView form=form scope=Scope::Payout needs=RequiredConnection::Chain shows_failure=true submit=submit>
            <MoneyFailure form=form look=("/payments", words::look_in_payments()) />
            <TextField form=form name="amount" label=text::amount() value=part kind="decimal" />
            <p class="quiet">{words::refund_left(&whole)}</p>
            <TextField form=form name="address" label=words::refund_to() value=address hint=words::refund_to_hint() optional=true />
            <TextField form=form name="reason" label=words::refund_reason() hint=words::refund_reason_hint() optional=true />
            <p role="status">{sentence}</p>
            <div class="row">
                <button type="button" class="button" on:click=move |_| cancel.run(())>{text::cancel()}</button>
                <button data-scope="payout" class="button danger" disabled=form.busy>{icon(Icon::Back)}{words::review_refund()}</button>
            </div>
        </FormView>
        <Confirm open=confirming title=words::refund_ask_word() consequence=question act=words::refund() busy=form.busy on_confirm=send />
    }
}
