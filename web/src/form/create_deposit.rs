//! A deposit on the simulated chain.

use leptos::prelude::*;
use settlekit_core::operation::Scope;
use settlekit_core::sandbox::{CreateDeposit, Deposit};

use crate::form::Form;
use crate::form::body::Fields;
use crate::form::failure::form_failure;
use crate::form::field::{Allowed, SelectField, TextField};
use crate::form::form_view::FormView;
use crate::form::options::{account_of, account_options, accounts, currencies_of, options_failure};
use crate::text::{self, money, sandbox as words};
use crate::ui::toast::Toasts;

#[component]
pub(crate) fn CreateDepositForm(done: Callback<Deposit>) -> impl IntoView {
    let (form, toasts) = (Form::new(), Toasts::from_context());
    let empty = || RwSignal::new(String::new());
    let (account, currency, amount) = (empty(), empty(), empty());
    let all = accounts();
    let chosen = Memo::new(move |_| account_of(all, &account.get()));
    let submit = Callback::new(move |()| {
        let chain = chosen
            .with_untracked(|chosen| chosen.as_ref().and_then(|account| account.chain_id))
            .map(|chain| chain.to_string())
            .unwrap_or_default();
        let arguments = Fields::default()
            .text("account", &account.get_untracked())
            .number("chain_id", &chain)
            .text("currency", &currency.get_untracked())
            .text("amount", &amount.get_untracked())
            .body();
        form.send::<CreateDeposit>(arguments, move |made| {
            amount.set(String::new());
            toasts.say(words::sent().to_owned());
            done.run(made);
        });
    });
    let options = account_options(all, |account| account.chain_id.is_some());
    view! {
        <FormView form=form submit=submit><Allowed scope=Scope::Write>
            {form_failure(form)}
            {options_failure(all)}
            <SelectField form=form name="account" label=text::account() value=account options=options waits=all.is_loading() />
            <div class="fields two">
                <SelectField form=form name="currency" label=text::currency() value=currency options=currencies_of(chosen) none=money::choose_account_first() />
                <TextField form=form name="amount" label=text::amount() value=amount kind="decimal" />
            </div>
            <div class="row"><button data-scope="write" class="button primary" disabled=form.busy>{words::send()}</button></div>
        </Allowed></FormView>
    }
}
