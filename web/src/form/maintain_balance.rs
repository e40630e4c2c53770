//! Keeping an account's balance between two thresholds.

use leptos::prelude::*;
use settlekit_core::automation::{MaintainBalance, MaintainedBalance};
use settlekit_core::operation::Scope;

use crate::form::{
    DialogButtons, FieldKind, Form, FormView, SelectField, TextField, form_failure, same_labels,
};
use crate::session::RequiredConnection;
use crate::text::{self, money as words};
use crate::ui::{Notice, Tone};

#[component]
pub(crate) fn MaintainBalanceForm(
    /// The account's id or reference.
    account: String,
    currencies: Vec<String>,
    cancel: Callback<()>,
    done: Callback<MaintainedBalance>,
) -> impl IntoView {
    let form = Form::new();
    let number = |name| form.input(name, FieldKind::Number, String::new());
    let minimum = number("minimum_threshold_amount");
    let threshold = number("payout_threshold_amount");
    let first = currencies.first().cloned().unwrap_or_default();
    let currency = form.input("currency", FieldKind::Text, first);
    let options = Signal::stored(same_labels(currencies));
    let submit = Callback::new(move |()| {
        let Some(fields) = form.fields() else { return };
        let arguments = fields.body_at("account", &account);
        form.send::<MaintainBalance>(arguments, move |made| done.run(made));
    });
    view! {
        <FormView form=form scope=Scope::Payout needs=RequiredConnection::Chain shows_failure=true submit=submit>
            <Notice tone=Tone::Plain title=words::maintain_how()>{words::maintain_how_long()}</Notice>
            {form_failure(form)}
            <SelectField form=form name="currency" label=text::currency() value=currency options=options />
            <div class="fields two">
                <TextField form=form name="minimum_threshold_amount" label=words::minimum() value=minimum kind="decimal" hint=words::minimum_hint() />
                <TextField form=form name="payout_threshold_amount" label=words::threshold() value=threshold kind="decimal" hint=words::threshold_hint() />
            </div>
            <TextField form=form name="payout_address" label=words::surplus_to() hint=words::address_hint() />
            <DialogButtons form=form scope=Scope::Payout act=words::maintain() cancel=cancel />
        </FormView>
    }
}
