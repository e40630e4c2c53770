//! Creates the automation that sells all of a balance above a threshold.

use leptos::prelude::*;
use settlekit_core::automation::{Automation, ConvertBalance};
use settlekit_core::operation::Scope;

use crate::form::{
    DialogButtons, FieldKind, Form, FormView, SelectField, TextField, form_failure, same_labels,
};
use crate::session::RequiredConnection;
use crate::text::money as words;
use crate::ui::{Notice, Tone};

/// What a conversion may cost unless the form says otherwise, in basis points.
const COST_BPS: &str = "50";

#[component]
pub(crate) fn ConvertBalanceForm(
    /// The account's id or reference.
    account: String,
    currencies: Vec<String>,
    cancel: Callback<()>,
    done: Callback<Automation>,
) -> impl IntoView {
    let form = Form::new();
    let threshold = form.input("threshold_amount", FieldKind::Number, String::new());
    let cost = form.input("max_cost_bps", FieldKind::Number, COST_BPS.to_owned());
    let mut chosen = currencies.iter().cloned();
    let sold = form.input(
        "currency",
        FieldKind::Text,
        chosen.next().unwrap_or_default(),
    );
    let bought = chosen.next().unwrap_or_default();
    let bought = form.input("to_currency", FieldKind::Text, bought);
    let options = Signal::stored(same_labels(currencies));
    let submit = Callback::new(move |()| {
        let Some(fields) = form.fields() else { return };
        let arguments = fields.body_at("account", &account);
        form.send::<ConvertBalance>(arguments, move |made| done.run(made));
    });
    view! {
        <FormView form=form scope=Scope::Payout needs=RequiredConnection::Chain shows_failure=true submit=submit>
            <Notice tone=Tone::Plain title=words::maintain_how()>{words::convert_how_long()}</Notice>
            {form_failure(form)}
            <div class="fields two">
                <SelectField form=form name="currency" label=words::convert_from() value=sold options=options />
                <SelectField form=form name="to_currency" label=words::convert_to() value=bought options=options />
                <TextField form=form name="threshold_amount" label=words::convert_above() value=threshold kind="decimal" hint=words::convert_above_hint() />
                <TextField form=form name="max_cost_bps" label=words::convert_cost() value=cost kind="numeric" hint=words::convert_cost_hint() />
            </div>
            <DialogButtons form=form scope=Scope::Payout act=words::convert() cancel=cancel />
        </FormView>
    }
}
