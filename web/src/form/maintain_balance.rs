//! Keeping an account's balance between two thresholds.

use leptos::prelude::*;
use settlekit_core::automation::{MaintainBalance, MaintainedBalance};
use settlekit_core::operation::Scope;

use crate::form::Form;
use crate::form::body::{Fields, path_argument};
use crate::form::failure::form_failure;
use crate::form::field::{Allowed, SelectField, TextField};
use crate::form::form_view::FormView;
use crate::session::Needs;
use crate::text;
use crate::text::money as words;
use crate::ui::notice::{Notice, Tone};

#[component]
pub(crate) fn MaintainBalanceForm(
    /// The account's id or reference.
    account: String,
    currencies: Vec<String>,
    cancel: Callback<()>,
    done: Callback<MaintainedBalance>,
) -> impl IntoView {
    let form = Form::new();
    let empty = || RwSignal::new(String::new());
    let (minimum, threshold, address) = (empty(), empty(), empty());
    let currency = RwSignal::new(currencies.first().cloned().unwrap_or_default());
    let options = Signal::stored(crate::form::options::same_labels(currencies));
    let submit = Callback::new(move |()| {
        let mut arguments = Fields::default()
            .text("currency", &currency.get_untracked())
            .number("minimum_threshold_amount", &minimum.get_untracked())
            .text("payout_address", &address.get_untracked())
            .number("payout_threshold_amount", &threshold.get_untracked())
            .body();
        arguments.path = path_argument("account", &account).path;
        form.send::<MaintainBalance>(arguments, move |made| done.run(made));
    });
    view! {
        <FormView form=form submit=submit><Allowed scope=Scope::Payout needs=Needs::Chain>
            <Notice tone=Tone::Plain title=words::maintain_how()>{words::maintain_how_long()}</Notice>
            {form_failure(form)}
            <SelectField form=form name="currency" label=text::currency() value=currency options=options />
            <div class="fields two">
                <TextField form=form name="minimum_threshold_amount" label=words::minimum() value=minimum kind="decimal" hint=words::minimum_hint() />
                <TextField form=form name="payout_threshold_amount" label=words::threshold() value=threshold kind="decimal" hint=words::threshold_hint() />
            </div>
            <TextField form=form name="payout_address" label=words::surplus_to() value=address hint=words::address_hint() />
            <div class="row">
                <button type="button" class="button" on:click=move |_| cancel.run(())>{text::cancel()}</button>
                <button data-scope="payout" class="button primary" disabled=form.busy>{words::maintain()}</button>
            </div>
        </Allowed></FormView>
    }
}
