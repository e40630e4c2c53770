//! A payment without a link: its own deposit address for one amount.

use leptos::prelude::*;
use settlekit_core::operation::Scope;
use settlekit_core::payment::{CreatePayment, Payment};

use crate::form::Form;
use crate::form::body::{Fields, own_data};
use crate::form::failure::form_failure;
use crate::form::field::{Allowed, LongField, SelectField, TextField};
use crate::form::form_view::FormView;
use crate::form::options::{
    account_of, account_options, account_options_failure, accounts, currencies_of,
};
use crate::session::Needs;
use crate::text;
use crate::text::money as words;

#[component]
pub(crate) fn CreatePaymentForm(done: Callback<Payment>, cancel: Callback<()>) -> impl IntoView {
    let form = Form::new();
    let empty = || RwSignal::new(String::new());
    let (account, currency, amount) = (empty(), empty(), empty());
    let (customer, reference, own) = (empty(), empty(), empty());
    let all = accounts();
    let chosen = Memo::new(move |_| account_of(all, &account.get()));
    let submit = Callback::new(move |()| {
        let metadata = match own_data(&own.get_untracked()) {
            Ok(metadata) => metadata,
            Err(line) => return form.set_error("metadata", text::no_colon(line)),
        };
        let chain = chosen
            .with_untracked(|chosen| chosen.as_ref().and_then(|account| account.chain_id))
            .map(|chain| chain.to_string())
            .unwrap_or_default();
        let arguments = Fields::default()
            .text("amount", &amount.get_untracked())
            .text("currency", &currency.get_untracked())
            .number("chain_id", &chain)
            .text("account", &account.get_untracked())
            .text("customer_id", &customer.get_untracked())
            .text("reference", &reference.get_untracked())
            .value("metadata", metadata)
            .body();
        form.send::<CreatePayment>(arguments, move |made| done.run(made));
    });
    let options = account_options(all, |account| account.enabled && account.chain_id.is_some());
    view! {
        <FormView form=form submit=submit><Allowed scope=Scope::Write needs=Needs::Chain>
            {form_failure(form)}
            {account_options_failure(all)}
            <SelectField form=form name="account" label=text::to_account() value=account options=options waits=all.is_loading() />
            <div class="fields two">
                <SelectField form=form name="currency" label=text::currency() value=currency options=currencies_of(chosen) none=words::choose_account_first() />
                <TextField form=form name="amount" label=text::amount() value=amount kind="decimal" />
            </div>
            <TextField form=form name="customer_id" label=text::customer() value=customer hint=words::payment_customer_hint() optional=true />
            <TextField form=form name="reference" label=text::reference() value=reference hint=words::own_name_hint() optional=true />
            <LongField form=form name="metadata" label=text::own_data() value=own hint=text::own_data_hint() optional=true />
            <div class="row">
                <button type="button" class="button" on:click=move |_| cancel.run(())>{text::cancel()}</button>
                <button data-scope="write" class="button primary" disabled=form.busy>{words::create_payment()}</button>
            </div>
        </Allowed></FormView>
    }
}
