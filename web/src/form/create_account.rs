//! A new settlement account on one chain: managed, or a wallet of the merchant's own.

use leptos::prelude::*;
use settlekit_core::account::{Account, CreateAccount};
use settlekit_core::operation::Scope;

use crate::form::wallet_fields::{NewWallet, WalletFields};
use crate::form::{
    Field, FieldKind, Fields, Form, FormView, PageButtons, SelectField, TextField, account_options,
    accounts, chain_options, chains, currencies_on, options_failure,
};
use crate::session::RequiredConnection;
use crate::shell::load_failure;
use crate::text::{self, money as words};
use crate::ui::input_id;

#[component]
pub(crate) fn CreateAccountForm(done: Callback<Account>) -> impl IntoView {
    let form = Form::new();
    let chain = form.input("chain_id", FieldKind::Number, String::new());
    let chains = chains();
    let accounts = accounts();
    let parents = account_options(accounts, |account| account.parent_id.is_none());
    let currencies = TickedCurrencies::on(chain);
    let wallet = NewWallet::new();
    let submit = Callback::new(move |()| {
        let Some(fields) = form.fields() else { return };
        let fields = currencies.add_to(fields);
        let fields = match wallet.named() {
            Some((name, text)) => fields.any_text(name, &text),
            None => fields,
        };
        let body = fields.body();
        form.send::<CreateAccount>(body, move |account| done.run(account));
    });
    view! {
        <FormView form=form scope=Scope::Write needs=RequiredConnection::Chain submit=submit>
            {load_failure(chains)}{options_failure(accounts)}
            <div class="fields two">
                <SelectField form=form name="chain_id" label=text::chain() value=chain options=chain_options(chains) waits=chains.is_loading() />
                <SelectField form=form name="parent_account_id" label=words::parent() options=parents waits=accounts.is_loading() none=words::no_parent() optional=true />
                <CurrenciesField form=form currencies=currencies whole=true />
                <TextField form=form name="name" label=text::name() optional=true />
                <TextField form=form name="reference" label=text::reference() hint=words::own_name_hint() optional=true />
                <WalletFields form=form wallet=wallet />
            </div>
            <PageButtons form=form act=words::create_account() list="/accounts" />
        </FormView>
    }
}

/// Chosen currencies of a chain.
#[derive(Clone, Copy)]
pub(crate) struct TickedCurrencies {
    /// Currencies of the chosen chain.
    offered: Memo<Vec<String>>,
    ticked: RwSignal<Vec<String>>,
}

impl TickedCurrencies {
    /// Currencies on the chain with this id, none chosen.
    pub(crate) fn on(chain: RwSignal<String>) -> Self {
        let chains = chains();
        Self {
            offered: Memo::new(move |_| match chain.get() {
                chain if chain.is_empty() => Vec::new(),
                chain => currencies_on(chains, &chain),
            }),
            ticked: RwSignal::new(Vec::new()),
        }
    }

    /// Adds the body field; currencies of a chain chosen earlier do not count.
    pub(crate) fn add_to(self, fields: Fields) -> Fields {
        let offered = self.offered.get_untracked();
        let mut ticked = self.ticked.get_untracked();
        ticked.retain(|currency| offered.contains(currency));
        fields.any_value("currencies", ticked.into())
    }
}

/// Checkboxes for currencies.
#[component]
pub(crate) fn CurrenciesField(
    form: Form,
    currencies: TickedCurrencies,
    #[prop(optional)] whole: bool,
) -> impl IntoView {
    let TickedCurrencies { offered, ticked } = currencies;
    let flip = move |currency: &str, on: bool| {
        ticked.update(|list| {
            list.retain(|other| other != currency);
            if on {
                list.push(currency.to_owned());
            }
        });
    };
    view! {
        <Field form=form name="currencies" label=words::currencies() whole=whole>
            <div class="ticks" id=input_id("currencies") role="group" aria-label=words::currencies()>
                <Show when=move || offered.with(Vec::is_empty)><span class="quiet">{words::choose_chain_first()}</span></Show>
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
        </Field>
    }
}
