//! A payment without a link: its own deposit address for one amount.

use leptos::prelude::*;
use settlekit_core::operation::Scope;
use settlekit_core::payment::{CreatePayment, Payment};

use crate::form::{
    DialogButtons, Form, FormView, MetadataField, SelectField, TextField, account_of,
    account_options, account_options_failure, accounts, chain_of, currencies_of,
};
use crate::session::RequiredConnection;
use crate::text::{self, money as words};

#[component]
pub(crate) fn CreatePaymentForm(done: Callback<Payment>, cancel: Callback<()>) -> impl IntoView {
    let form = Form::new();
    let account = form.text("account");
    let all = accounts();
    let chosen = Memo::new(move |_| account_of(all, &account.get()));
    let submit = Callback::new(move |()| {
        let Some(fields) = form.fields() else { return };
        let body = fields.number("chain_id", &chain_of(chosen)).body();
        form.send::<CreatePayment>(body, move |made| done.run(made));
    });
    let options = account_options(all, |account| account.enabled && account.chain_id.is_some());
    view! {
        <FormView form=form scope=Scope::Write needs=RequiredConnection::Chain submit=submit>
            {account_options_failure(all)}
            <SelectField form=form name="account" label=text::to_account() value=account options=options waits=all.is_loading() />
            <div class="fields two">
                <SelectField form=form name="currency" label=text::currency() options=currencies_of(chosen) none=words::choose_account_first() />
                <TextField form=form name="amount" label=text::amount() kind="decimal" />
            </div>
            <TextField form=form name="customer_id" label=text::customer() hint=words::payment_customer_hint() optional=true />
            <TextField form=form name="reference" label=text::reference() hint=words::own_name_hint() optional=true />
            <MetadataField form=form />
            <DialogButtons form=form scope=Scope::Write act=words::create_payment() cancel=cancel />
        </FormView>
    }
}
