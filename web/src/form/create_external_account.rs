//! A new payout destination: a wallet or a bank account.

use leptos::prelude::*;
use settlekit_core::external_account::{
    BeneficiaryType, CreateExternalAccount, ExternalAccount, ExternalAccountType, PaymentRail,
};
use settlekit_core::operation::Scope;

use crate::form::create_account::{CurrenciesField, TickedCurrencies};
use crate::form::{
    DialogButtons, Form, FormView, SelectField, TextField, chain_options, chains, same_labels,
};
use crate::shell::load_failure;
use crate::text::{self, money as words};
use crate::ui::options_of;

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
    let (address, chain) = (empty(), empty());
    let (rail, bank_name, country, kind) = (empty(), empty(), empty(), empty());
    let (holder, number) = (empty(), empty());
    let currency = RwSignal::new(BANK_CURRENCIES.to_owned());
    let chains = chains();
    let ticked = TickedCurrencies::on(chain);
    let rails = PaymentRail::KNOWN.iter().map(ToString::to_string);
    // Abbreviations, shown unchanged.
    let rails = Signal::stored(same_labels(rails.collect()));
    let submit = Callback::new(move |()| {
        let Some(fields) = form.fields() else { return };
        let fields = if bank.get_untracked() {
            let typed = currency.get_untracked();
            let all = typed.split([',', ' ']).filter(|part| !part.is_empty());
            fields
                .text("type", ExternalAccountType::Fiat.as_str())
                .any_value("currencies", all.collect())
                .text("payment_rail", &rail.get_untracked())
                .text("bank_name", &bank_name.get_untracked())
                .text("country", &country.get_untracked())
                .text("beneficiary_type", &kind.get_untracked())
                .text("account_holder_name", &holder.get_untracked())
                .text("account_number", &number.get_untracked())
        } else {
            ticked
                .add_to(fields)
                .text("type", ExternalAccountType::Digital.as_str())
                .number("chain_id", &chain.get_untracked())
                .text("address", &address.get_untracked())
        };
        form.send::<CreateExternalAccount>(fields.body(), move |account| done.run(account));
    });
    let segment = move |wanted: bool, label: &'static str| {
        view! { <button type="button" aria-pressed=move || (bank.get() == wanted).to_string() on:click=move |_| bank.set(wanted)>{label}</button> }
    };
    view! {
        <FormView form=form scope=Scope::Payout submit=submit>
            <div class="segments" role="group" aria-label=text::type_()>{segment(false, text::wallet())}{segment(true, words::bank_account())}</div>
            <TextField form=form name="name" label=text::name() optional=true />
            {move || if bank.get() {
                view! {
                    <div class="fields two">
                        <TextField form=form name="account_holder_name" label=words::holder() value=holder hint=words::holder_hint() whole=true />
                        <TextField form=form name="account_number" label=words::account_number() value=number hint=words::account_number_hint() whole=true />
                        <SelectField form=form name="payment_rail" label=words::rail() value=rail options=rails />
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
                    <CurrenciesField form=form currencies=ticked />
                }.into_any()
            }}
            <TextField form=form name="reference" label=text::reference() hint=words::own_name_hint() optional=true />
            <DialogButtons form=form scope=Scope::Payout act=words::add_external() cancel=cancel />
        </FormView>
    }
}
