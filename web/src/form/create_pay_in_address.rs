//! A permanent address that takes payments to an account.

use leptos::prelude::*;
use settlekit_core::account::{Account, CreatePayInAddress, PayInAddress};
use settlekit_core::operation::Scope;

use crate::form::Form;
use crate::form::body::{Fields, path_argument};
use crate::form::failure::form_failure;
use crate::form::field::{Allowed, SelectField, TextField};
use crate::form::form_view::FormView;
use crate::form::options::{chain_options, chains};
use crate::session::Needs;
use crate::shell::failure::load_failure;
use crate::text;
use crate::text::money as words;

#[component]
pub(crate) fn CreatePayInAddressForm(
    account: Account,
    done: Callback<Option<PayInAddress>>,
) -> impl IntoView {
    let form = Form::new();
    let empty = || RwSignal::new(String::new());
    let (customer, reference) = (empty(), empty());
    let chain = RwSignal::new(
        account
            .chain_id
            .map(|chain| chain.to_string())
            .unwrap_or_default(),
    );
    let mine: Vec<String> = account
        .sub_accounts
        .iter()
        .flatten()
        .filter(|below| below.enabled)
        .filter_map(|below| below.chain_id)
        .chain(account.chain_id)
        .map(|chain| chain.to_string())
        .collect();
    let chains = chains();
    let all = chain_options(chains);
    let options = Signal::derive(move || {
        let all = all.get();
        all.into_iter()
            .filter(|(id, _)| mine.contains(id))
            .collect::<Vec<_>>()
    });
    let submit = Callback::new(move |()| {
        let mut arguments = Fields::default()
            .number("chain_id", &chain.get_untracked())
            .text("customer_id", &customer.get_untracked())
            .text("reference", &reference.get_untracked())
            .body();
        arguments.path = path_argument("account", account.id).path;
        form.send::<CreatePayInAddress>(arguments, move |made| done.run(Some(made)));
    });
    view! {
        <FormView form=form submit=submit><Allowed scope=Scope::Write needs=Needs::Chain>
            {form_failure(form)}
            {load_failure(chains)}
            <SelectField form=form name="chain_id" label=text::chain() value=chain options=options waits=chains.is_loading() />
            <TextField form=form name="customer_id" label=text::customer() value=customer hint=words::pay_in_customer_hint() optional=true />
            <TextField form=form name="reference" label=text::reference() value=reference hint=words::own_name_hint() optional=true />
            <div class="row">
                <button type="button" class="button" on:click=move |_| done.run(None)>{text::cancel()}</button>
                <button data-scope="write" class="button primary" disabled=form.busy>{words::create_address()}</button>
            </div>
        </Allowed></FormView>
    }
}
