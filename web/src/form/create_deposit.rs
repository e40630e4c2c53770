//! A deposit on the simulated chain.

use leptos::prelude::*;
use settlekit_core::operation::Scope;
use settlekit_core::sandbox::{CreateDeposit, Deposit};

use crate::form::{
    DialogButtons, Form, FormView, SelectField, TextField, account_of, account_options, accounts,
    chain_of, currencies_of, options_failure,
};
use crate::text::{self, money, sandbox as words};
use crate::ui::Toasts;

#[component]
pub(crate) fn CreateDepositForm(done: Callback<Deposit>) -> impl IntoView {
    let (form, toasts) = (Form::new(), Toasts::from_context());
    let (account, amount) = (form.text("account"), form.text("amount"));
    let all = accounts();
    let chosen = Memo::new(move |_| account_of(all, &account.get()));
    let submit = Callback::new(move |()| {
        let Some(fields) = form.fields() else { return };
        let body = fields.number("chain_id", &chain_of(chosen)).body();
        form.send::<CreateDeposit>(body, move |made| {
            amount.set(String::new());
            toasts.say(words::sent().to_owned());
            done.run(made);
        });
    });
    let options = account_options(all, |account| account.chain_id.is_some());
    view! {
        <FormView form=form scope=Scope::Write submit=submit>
            {options_failure(all)}
            <SelectField form=form name="account" label=text::account() value=account options=options waits=all.is_loading() />
            <div class="fields two">
                <SelectField form=form name="currency" label=text::currency() options=currencies_of(chosen) none=money::choose_account_first() />
                <TextField form=form name="amount" label=text::amount() value=amount kind="decimal" />
            </div>
            <DialogButtons form=form scope=Scope::Write act=words::send() />
        </FormView>
    }
}
