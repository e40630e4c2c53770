//! A quote request: one exact side; one sold currency or a basket.

use leptos::prelude::*;
use serde_json::Value;
use settlekit_core::operation::Scope;
use settlekit_core::quote::{DepositMethod, Quote, RequestQuote};

use crate::form::settlement_choice::{SettlementChoice, SettlementFields};
use crate::form::{
    DecimalInput, Field, Fields, Form, FormView, SelectField, TextField, account_options, accounts,
    asset_halves, asset_value, chains, currencies_on, options_failure,
};
use crate::session::RequiredConnection;
use crate::shell::{Loaded, load_failure};
use crate::text::{self, money as words};
use crate::ui::{Icon, icon};

/// A sold currency.
#[derive(Clone, Copy, PartialEq)]
struct Leg {
    number: u32,
    asset: RwSignal<String>,
    amount: RwSignal<String>,
}

impl Leg {
    fn new(number: u32) -> Self {
        Self {
            number,
            asset: RwSignal::new(String::new()),
            amount: RwSignal::new(String::new()),
        }
    }
}

/// Currency and chain of a select value, as in the query.
fn halves(asset: &str) -> (&str, Value) {
    let (symbol, chain) = asset_halves(asset);
    let chain = chain.parse::<i64>().map_or(Value::Null, Value::from);
    (symbol, chain)
}

/// All currencies, first without a chain, then on each chain.
pub(crate) fn asset_options(
    chains: Loaded<Vec<settlekit_core::chain::ChainDetail>>,
) -> Signal<Vec<(String, String)>> {
    Signal::derive(move || {
        let mut all: Vec<(String, String)> = currencies_on(chains, "")
            .into_iter()
            .map(|symbol| (symbol.clone(), words::any_chain(&symbol)))
            .collect();
        chains.state.with(|chains| {
            for chain in chains.ready().into_iter().flatten() {
                for asset in &chain.assets {
                    all.push((
                        asset_value(&asset.symbol, chain.id),
                        words::currency_on(asset.symbol.as_str(), &chain.name),
                    ));
                }
            }
        });
        all.sort_by(|one, other| one.1.cmp(&other.1));
        all
    })
}

/// Reports the quote, and whether it is firm.
#[component]
pub(crate) fn RequestQuoteForm(
    /// Whether the quote is for a sub-merchant, whose accounts are unknown here.
    delegated: bool,
    done: Callback<(Quote, bool)>,
) -> impl IntoView {
    let form = Form::new();
    let empty = || RwSignal::new(String::new());
    let buy_exact = RwSignal::new(false);
    let (bought, buy_amount, account) = (empty(), empty(), empty());
    let method = RwSignal::new(DepositMethod::Balance.as_str().to_owned());
    let next = StoredValue::new(1_u32);
    let legs = RwSignal::new(vec![Leg::new(0)]);
    let chains = chains();
    let assets = asset_options(chains);
    let accounts = (!delegated).then(accounts);
    let all = accounts.map(|accounts| account_options(accounts, |account| account.enabled));
    let settlement = SettlementChoice::new(all);
    let waits = accounts.map_or_else(|| Signal::stored(false), Loaded::is_loading);
    let add = move |_| {
        let number = next.get_value();
        next.set_value(number + 1);
        legs.update(|legs| legs.push(Leg::new(number)));
    };
    let ask = move |firm: bool| {
        let exact = buy_exact.get_untracked();
        let (mut currencies, mut on, mut amounts) = (Vec::new(), Vec::new(), Vec::new());
        for leg in legs.get_untracked() {
            let asset = leg.asset.get_untracked();
            let (symbol, chain) = halves(&asset);
            currencies.push(Value::from(symbol));
            on.push(chain);
            amounts.push(Value::from(leg.amount.get_untracked().trim()));
        }
        let open = on.iter().all(Value::is_null);
        let bought = bought.get_untracked();
        let (symbol, chain) = halves(&bought);
        let fields = Fields::default()
            .text("buy_currency", symbol)
            .value("buy_chain_id", chain)
            .value("sell_currency", Value::Array(currencies))
            .list("sell_chain_ids", if open { Vec::new() } else { on })
            .text("account_id", &account.get_untracked())
            .text("deposit_method", &method.get_untracked());
        let fields = settlement.fields(fields);
        let fields = if exact {
            fields.text("buy_amount", &buy_amount.get_untracked())
        } else {
            fields.value("sell_amount", Value::Array(amounts))
        };
        let estimate = (!firm).then_some(true);
        let arguments = fields.value("estimate", estimate.into()).query();
        form.send::<RequestQuote>(arguments, move |quote| done.run((quote, firm)));
    };
    let submit = Callback::new(move |()| ask(true));
    let segment = move |wanted: bool, label: &'static str| {
        let choose = move |_| {
            buy_exact.set(wanted);
            // A basket cannot have a single amount to buy.
            if wanted {
                legs.update(|legs| legs.truncate(1));
            }
        };
        view! { <button type="button" aria-pressed=move || (buy_exact.get() == wanted).to_string() on:click=choose>{label}</button> }
    };
    let row = move |leg: Leg| {
        let amount = DecimalInput::new(leg.amount);
        let several = move || legs.with(Vec::len) > 1;
        view! {
            <div class="leg" role="group" aria-label=words::leg_number(leg.number + 1)>
                <select class="input" aria-label=words::you_sell() on:change=move |event| { leg.asset.set(event_target_value(&event)); form.clear_error("sell_currency"); }>
                    <option value="">{words::choose()}</option>
                    {move || assets.get().into_iter().map(|(id, name)| {
                        let mine = id.clone();
                        view! { <option value=id selected=move || leg.asset.with(|asset| *asset == mine)>{name}</option> }
                    }).collect_view()}
                </select>
                <Show when=move || !buy_exact.get()>
                    <input class="input" inputmode="decimal" aria-label=words::sell_amount() placeholder=text::amount() autocomplete="off" prop:value=move || amount.text() on:input=move |event| { amount.set_text(event_target_value(&event)); form.clear_error("sell_amount"); } />
                </Show>
                <Show when=several>
                    <button type="button" class="button plain square" aria-label=words::remove_leg() title=words::remove_leg() on:click=move |_| legs.update(|legs| legs.retain(|other| *other != leg))>{icon(Icon::Bin)}</button>
                </Show>
            </div>
        }
    };
    form.register_field("sell_amount");
    view! {
        <FormView form=form scope=Scope::Write needs=RequiredConnection::Venue submit=submit>
            {load_failure(chains)}{accounts.map(options_failure)}
            <div class="segments" role="group" aria-label=words::exact_side()>{segment(false, words::sell_exact())}{segment(true, words::buy_exact())}</div>
            <Field form=form name="sell_currency" label=words::you_sell()>
                <div class="stack-tight" id="field-sell-currency"><For each=move || legs.get() key=|leg| leg.number children=row /></div>
            </Field>
            {move || form.errors("sell_amount", words::sell_amount())}
            <Show when=move || !buy_exact.get()>
                <div class="row"><button type="button" class="button small" on:click=add>{icon(Icon::Plus)}{words::add_leg()}</button></div>
            </Show>
            <div class="fields two">
                <SelectField form=form name="buy_currency" label=words::you_buy() value=bought options=assets waits=chains.is_loading() />
                <Show when=move || buy_exact.get()>
                    <TextField form=form name="buy_amount" label=words::buy_amount() value=buy_amount kind="decimal" />
                </Show>
                {match all {
                    Some(all) => view! { <SelectField form=form name="account_id" label=words::funded_by() value=account options=all waits=waits none=words::primary_account() optional=true /> }.into_any(),
                    None => view! { <TextField form=form name="account_id" label=words::funded_by() value=account kind="number" hint=words::account_id_hint() optional=true /> }.into_any(),
                }}
                <SelectField form=form name="deposit_method" label=words::handed_over() value=method options=Signal::stored(words::deposit_methods()) />
                <SettlementFields form=form settlement=settlement waits=waits />
            </div>
            <div class="row">
                <button data-scope="write" class="button primary" disabled=form.busy>{words::get_quote()}</button>
                <button type="button" class="button" disabled=form.busy on:click=move |_| ask(false)>{words::get_estimate()}</button>
            </div>
        </FormView>
    }
}
