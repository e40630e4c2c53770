//! A new settlement account on one chain: managed, or a wallet of the merchant's own.

use leptos::prelude::*;
use settlekit_core::account::{Account, CreateAccount};
use settlekit_core::error::Reason;
use settlekit_core::operation::Scope;
use settlekit_core::value::{ExtendedPublicKey, Param, WalletAddress};

use crate::form::{
    Field, FieldKind, Fields, Form, FormView, PageButtons, SelectField, TextField, account_options,
    accounts, chain_options, chains, currencies_on, options_failure,
};
use crate::session::Needs;
use crate::shell::load_failure;
use crate::text::{self, FieldError, money as words};
use crate::ui::{Icon, bilingual, element, icon, input_id, note_id};

#[component]
pub(crate) fn CreateAccountForm(done: Callback<Account>) -> impl IntoView {
    let form = Form::new();
    let chain = form.input("chain_id", FieldKind::Number, String::new());
    let chains = chains();
    let accounts = accounts();
    let parents = account_options(accounts, |account| account.parent_id.is_none());
    let currencies = TickedCurrencies::on(chain);
    let holder = RwSignal::new(Holder::Service.value().to_owned());
    let wallet = RwSignal::new(String::new());
    let chosen = Memo::new(move |_| holder.with(|value| Holder::of(value)));
    let submit = Callback::new(move |()| {
        let Some(fields) = form.fields() else { return };
        let fields = currencies.add_to(fields);
        let fields = match chosen.get_untracked().field() {
            // An empty field is an error of core, never a managed account instead of one's own.
            Some(name) => fields.any_text(name, &wallet.get_untracked()),
            None => fields,
        };
        let body = fields.body();
        form.send::<CreateAccount>(body, move |account| done.run(account));
    });
    view! {
        <FormView form=form scope=Scope::Write needs=Needs::Chain submit=submit>
            {load_failure(chains)}{options_failure(accounts)}
            <div class="fields two">
                <SelectField form=form name="chain_id" label=text::chain() value=chain options=chain_options(chains) waits=chains.is_loading() />
                <SelectField form=form name="parent_account_id" label=words::parent() options=parents waits=accounts.is_loading() none=words::no_parent() optional=true />
                <CurrenciesField form=form currencies=currencies whole=true />
                <TextField form=form name="name" label=text::name() optional=true />
                <TextField form=form name="reference" label=text::reference() hint=words::own_name_hint() optional=true />
                <Field form=form name="managed_account" label=words::wallet_kind() whole=true>
                    <select
                        class="input" id=input_id("managed_account") name="managed_account" aria-describedby=note_id("managed_account")
                        on:change=move |event| { holder.set(event_target_value(&event)); wallet.set(String::new()); }
                    >
                        {Holder::ALL.map(|one| view! { <option value=one.value() selected=move || chosen.get() == one>{one.label()}</option> })}
                    </select>
                    <p class="hint">{move || chosen.get().who()}</p>
                </Field>
                {move || match chosen.get() {
                    Holder::Service => ().into_any(),
                    Holder::Address => view! {
                        <TextField form=form name="address" label=words::own_wallet() value=wallet hint=words::own_wallet_hint() whole=true />
                        <AsTyped form=form name="address" label=words::own_wallet() value=wallet error=wallet_error />
                    }.into_any(),
                    Holder::Key => view! {
                        <TextField form=form name="xpub" label=words::own_key() value=wallet hint=words::own_key_hint() whole=true />
                        <AsTyped form=form name="xpub" label=words::own_key() value=wallet error=key_error />
                    }.into_any(),
                }}
            </div>
            <PageButtons form=form act=words::create_account() list="/accounts" />
        </FormView>
    }
}

/// Who can move the money of a new account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Holder {
    /// Managed: the service holds the keys.
    Service,
    /// The merchant's own wallet, by address.
    Address,
    /// The merchant's own wallet, by extended public key.
    Key,
}

impl Holder {
    const ALL: [Self; 3] = [Self::Service, Self::Address, Self::Key];

    fn of(value: &str) -> Self {
        let mut all = Self::ALL.into_iter();
        all.find(|one| one.value() == value)
            .unwrap_or(Self::Service)
    }

    /// Value of the option.
    const fn value(self) -> &'static str {
        match self.field() {
            Some(name) => name,
            None => "managed",
        }
    }

    /// Field of the contract that names the wallet.
    const fn field(self) -> Option<&'static str> {
        match self {
            Self::Service => None,
            Self::Address => Some("address"),
            Self::Key => Some("xpub"),
        }
    }

    fn label(self) -> &'static str {
        match self {
            Self::Service => words::managed(),
            Self::Address => words::own_by_address(),
            Self::Key => words::own_by_key(),
        }
    }

    /// Who can move the money, in one sentence.
    fn who(self) -> &'static str {
        match self {
            Self::Service => words::managed_why(),
            Self::Address => words::own_by_address_why(),
            Self::Key => words::own_by_key_why(),
        }
    }
}

/// Core's error about a wallet address; none if it is valid.
fn wallet_error(text: &str) -> Option<(Reason, String)> {
    WalletAddress::from_text(text).err()
}

/// Core's error about an extended public key; none if it is valid.
fn key_error(text: &str) -> Option<(Reason, String)> {
    ExtendedPublicKey::from_text(text).err()
}

/// Core's error about a value that is being typed, until the form has one of its own.
#[component]
fn AsTyped(
    form: Form,
    name: &'static str,
    label: &'static str,
    value: RwSignal<String>,
    error: fn(&str) -> Option<(Reason, String)>,
) -> impl IntoView {
    let found = move || {
        let typed = value.with(|value| value.trim().to_owned());
        if typed.is_empty() || form.has_error(name) {
            return None;
        }
        let (reason, message) = error(&typed)?;
        let found = FieldError::of(reason.as_str(), &message);
        let sentence = bilingual(found.about(label), found.english.clone());
        Some(
            element("p", "field-error")
                .child(icon(Icon::Alert))
                .child(sentence),
        )
    };
    view! { <div class="whole as-typed" role="status">{found}</div> }
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
