//! A new payout destination: a wallet or a bank account.

use leptos::prelude::*;
use serde_json::Value;
use settlekit_core::external_account::{
    BeneficiaryType, CreateExternalAccount, ExternalAccount, ExternalAccountType, PaymentRail,
};
use settlekit_core::operation::Scope;

use crate::form::Form;
use crate::form::body::Fields;
use crate::form::create_account::Currencies;
use crate::form::failure::form_failure;
use crate::form::field::{Allowed, Field, SelectField, TextField};
use crate::form::form_view::FormView;
use crate::form::options::{chain_options, chains, currencies_on};
use crate::shell::failure::load_failure;
use crate::text;
use crate::text::money as words;
use crate::ui::field::options_of;

/// Currencies suggested for a bank account; others can be typed.
const BANK_CURRENCIES: &str = "EUR";

#[component]
pub(crate) fn CreateExternalAccountForm(
    done: Callback<ExternalAccount>,
    cancel: Callback<()>,
) -> impl IntoView {
    let form = Form::new();
    let empty = || RwSignal::new(String::new());
    let bank = RwSignal::new(false);
    let (name, reference, address, chain) = (empty(), empty(), empty(), empty());
    let (rail, bank_name, country, kind) = (empty(), empty(), empty(), empty());
    let (holder, number) = (empty(), empty());
    let currency = RwSignal::new(BANK_CURRENCIES.to_owned());
    let ticked: RwSignal<Vec<String>> = RwSignal::new(Vec::new());
    let chains = chains();
    let offered = Memo::new(move |_| match chain.get() {
        chain if chain.is_empty() => Vec::new(),
        chain => currencies_on(chains, &chain),
    });
    let submit = Callback::new(move |()| {
        let fields = Fields::default()
            .text("name", &name.get_untracked())
            .text("reference", &reference.get_untracked());
        let list = |all: Vec<String>| Value::Array(all.into_iter().map(Value::from).collect());
        let fields = if bank.get_untracked() {
            let all = currency
                .get_untracked()
                .split([',', ' '])
                .filter(|part| !part.is_empty())
                .map(str::to_owned)
                .collect();
            fields
                .text("type", ExternalAccountType::Fiat.as_str())
                .value("currencies", list(all))
                .text("payment_rail", &rail.get_untracked())
                .text("bank_name", &bank_name.get_untracked())
                .text("country", &country.get_untracked())
                .text("beneficiary_type", &kind.get_untracked())
                .text("account_holder_name", &holder.get_untracked())
                .text("account_number", &number.get_untracked())
        } else {
            let offered = offered.get_untracked();
            let mut all = ticked.get_untracked();
            all.retain(|one| offered.contains(one));
            fields
                .text("type", ExternalAccountType::Digital.as_str())
                .value("currencies", list(all))
                .number("chain_id", &chain.get_untracked())
                .text("address", &address.get_untracked())
        };
        form.send::<CreateExternalAccount>(fields.body(), move |account| done.run(account));
    });
    let segment = move |wanted: bool, label: &'static str| {
        view! { <button type="button" aria-pressed=move || (bank.get() == wanted).to_string() on:click=move |_| bank.set(wanted)>{label}</button> }
    };
    view! {
        <FormView form=form submit=submit><Allowed scope=Scope::Payout>
            {form_failure(form)}
            <div class="segments" role="group" aria-label=text::type_()>{segment(false, words::wallet())}{segment(true, words::bank_account())}</div>
            <TextField form=form name="name" label=words::account_name() value=name optional=true />
            {move || if bank.get() {
                view! {
                    <div class="fields two">
                        <TextField form=form name="account_holder_name" label=words::holder() value=holder hint=words::holder_hint() whole=true />
                        <TextField form=form name="account_number" label=words::account_number() value=number hint=words::account_number_hint() whole=true />
                        <SelectField form=form name="payment_rail" label=words::rail() value=rail options=options_plain(PaymentRail::KNOWN) />
                        <SelectField form=form name="beneficiary_type" label=words::beneficiary() value=kind options=options_of(BeneficiaryType::KNOWN) />
                        <TextField form=form name="bank_name" label=words::bank() value=bank_name optional=true />
                        <TextField form=form name="country" label=words::country() value=country hint=words::country_hint() />
                        <TextField form=form name="currencies" label=words::currencies() value=currency hint=words::bank_currencies_hint() whole=true />
                    </div>
                }.into_any()
            } else {
                view! {
                    {load_failure(chains)}
                    <SelectField form=form name="chain_id" label=text::chain() value=chain options=chain_options(chains) waits=chains.is_loading() />
                    <TextField form=form name="address" label=words::address() value=address hint=words::address_hint() />
                    <Field form=form name="currencies" label=words::currencies()>
                        <Currencies id="field-currencies" offered=offered ticked=ticked before=words::choose_chain_first() />
                    </Field>
                }.into_any()
            }}
            <TextField form=form name="reference" label=text::reference() value=reference hint=words::own_name_hint() optional=true />
            <div class="row">
                <button type="button" class="button" on:click=move |_| cancel.run(())>{text::cancel()}</button>
                <button data-scope="payout" class="button primary" disabled=form.busy>{words::add_external()}</button>
            </div>
        </Allowed></FormView>
    }
}

/// Options whose labels are abbreviations, shown unchanged.
fn options_plain(all: &'static [&'static str]) -> crate::ui::field::Options {
    Signal::stored(
        all.iter()
            .map(|one| ((*one).to_owned(), (*one).to_owned()))
            .collect(),
    )
}
