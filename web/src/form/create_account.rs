//! A new settlement account on one chain.

use leptos::prelude::*;
use serde_json::Value;
use settlekit_core::account::{Account, CreateAccount};
use settlekit_core::operation::Scope;

use crate::form::Form;
use crate::form::body::Fields;
use crate::form::failure::form_failure;
use crate::form::field::{Allowed, Field, SelectField, TextField};
use crate::form::form_view::FormView;
use crate::form::options::{
    account_options, accounts, chain_options, chains, currencies_on, options_failure,
};
use crate::session::Needs;
use crate::shell::failure::load_failure;
use crate::shell::unsaved_changes::cancel_link;
use crate::text;
use crate::text::money as words;

#[component]
pub(crate) fn CreateAccountForm(done: Callback<Account>) -> impl IntoView {
    let form = Form::new();
    let empty = || RwSignal::new(String::new());
    let (chain, name, reference, address, parent) = (empty(), empty(), empty(), empty(), empty());
    let ticked: RwSignal<Vec<String>> = RwSignal::new(Vec::new());
    let chains = chains();
    let accounts = accounts();
    let parents = account_options(accounts, |account| account.parent_id.is_none());
    let offered = Memo::new(move |_| match chain.get() {
        chain if chain.is_empty() => Vec::new(),
        chain => currencies_on(chains, &chain),
    });
    let submit = Callback::new(move |()| {
        let offered = offered.get_untracked();
        let currencies: Vec<Value> = ticked
            .get_untracked()
            .into_iter()
            .filter(|currency| offered.contains(currency))
            .map(Value::from)
            .collect();
        let body = Fields::default()
            .value("currencies", Value::Array(currencies))
            .number("chain_id", &chain.get_untracked())
            .text("name", &name.get_untracked())
            .text("reference", &reference.get_untracked())
            .text("address", &address.get_untracked())
            .text("parent_account_id", &parent.get_untracked())
            .body();
        form.send::<CreateAccount>(body, move |account| done.run(account));
    });
    view! {
        <FormView form=form submit=submit><Allowed scope=Scope::Write needs=Needs::Chain>
            {form_failure(form)}
            {load_failure(chains)}{options_failure(accounts)}
            <div class="fields two">
                <SelectField form=form name="chain_id" label=text::chain() value=chain options=chain_options(chains) waits=chains.is_loading() />
                <SelectField form=form name="parent_account_id" label=words::parent() value=parent options=parents waits=accounts.is_loading() none=words::no_parent() optional=true />
                <Field form=form name="currencies" label=words::currencies() whole=true>
                    <Currencies id="field-currencies" offered=offered ticked=ticked before=words::choose_chain_first() />
                </Field>
                <TextField form=form name="name" label=words::account_name() value=name optional=true />
                <TextField form=form name="reference" label=text::reference() value=reference hint=words::own_name_hint() optional=true />
                <TextField form=form name="address" label=words::own_wallet() value=address hint=words::own_wallet_hint() optional=true whole=true />
            </div>
            <div class="row">
                <button data-scope="write" class="button primary" disabled=form.busy>{words::create_account()}</button>
                {cancel_link("/accounts")}
            </div>
        </Allowed></FormView>
    }
}

/// Checkboxes for currencies.
#[component]
pub(crate) fn Currencies(
    id: &'static str,
    offered: Memo<Vec<String>>,
    ticked: RwSignal<Vec<String>>,
    /// Placeholder while there are no options.
    before: &'static str,
) -> impl IntoView {
    let flip = move |currency: &str, on: bool| {
        ticked.update(|list| {
            list.retain(|other| other != currency);
            if on {
                list.push(currency.to_owned());
            }
        });
    };
    view! {
        <div class="ticks" id=id role="group" aria-label=words::currencies()>
            <Show when=move || offered.with(Vec::is_empty)><span class="quiet">{before}</span></Show>
            <For each=move || offered.get() key=Clone::clone let(currency)>
                {
                    let (this, mine) = (currency.clone(), currency.clone());
                    view! {
                        <label class="check">
                            <input type="checkbox" prop:checked=move || ticked.with(|list| list.contains(&this)) on:change=move |event| flip(&mine, event_target_checked(&event)) />
                            <span>{currency}</span>
                        </label>
                    }
                }
            </For>
        </div>
    }
}
