//! A trade at the current price. Every trade needs an estimate of the same trade; an unknown outcome is looked up, not guessed.

use std::time::Duration;

use leptos::prelude::*;
use serde_json::Value;
use settlekit_core::call::Arguments;
use settlekit_core::operation::Scope;
use settlekit_core::page::{ListQuery, Sort};
use settlekit_core::trade::{
    CreateQuickTrade, ListOrders, ListTradableAssets, ListTradableAssetsQuery, QuickTrade as Record,
};
use settlekit_core::value::{Amount, ChainId, Currency, Param, Timestamp};

use crate::api;
use crate::form::settlement_choice::{SettlementChoice, SettlementFields};
use crate::form::{
    Fields, Form, FormView, MoneyFailure, SelectField, TextField, account_of, account_options,
    account_options_failure, accounts, asset_halves, asset_value, chains, form_failure,
    name_of_chain, same_labels,
};
use crate::record::order::{order_destination, outside_wallet, rate, total_fee};
use crate::record::quote_terms::QuoteTerms;
use crate::session::RequiredConnection;
use crate::shell::{Live, load, load_failure};
use crate::text::{self, money as words};
use crate::ui::{Confirm, Empty, Icon, Notice, Tone, amount, amount_text, icon, status_badge};

/// An estimate and its trade. Exactly this trade is executed, even if the fields change.
#[derive(Clone)]
struct Estimate {
    record: Record,
    trade: Arguments,
}

/// Polling interval for the order of a trade without an answer.
const POLL_INTERVAL: Duration = Duration::from_secs(3);

/// A reference to find the order by if there is no answer.
fn fresh_reference() -> String {
    let now = js_sys::Date::now() as u64;
    format!("quick-{now}")
}

#[component]
pub(crate) fn CreateQuickTradeForm() -> impl IntoView {
    let live = Live::from_context();
    let (estimating, trading) = (Form::new(), Form::new());
    let empty = || RwSignal::new(String::new());
    let (account, sold, total, bought) = (empty(), empty(), empty(), empty());
    let reference = RwSignal::new(fresh_reference());
    let accounts = accounts();
    let chains = chains();
    let from = account_options(accounts, |account| account.enabled);
    let settlement = SettlementChoice::new(Some(from));
    let chosen = Memo::new(move |_| account_of(accounts, &account.get()));
    let option = move |currency: &Currency, chain: ChainId| {
        let name = name_of_chain(chains, chain);
        (
            asset_value(currency, chain),
            words::currency_on(currency.as_str(), &name),
        )
    };
    // Currencies of the account, on its own chain or on the chains of its sub-accounts.
    let sellable = Signal::derive(move || {
        let Some(account) = chosen.get() else {
            return Vec::new();
        };
        let own = (account.chain_id, &account.currencies);
        let below = account.sub_accounts.iter().flatten();
        let below = below.map(|below| (below.chain_id, &below.currencies));
        let on_chain = |(chain, held): (Option<ChainId>, &Vec<Currency>)| {
            let options = chain.map(|chain| held.iter().map(move |one| option(one, chain)));
            options.into_iter().flatten().collect::<Vec<_>>()
        };
        let mut all: Vec<_> = [own].into_iter().chain(below).flat_map(on_chain).collect();
        if all.is_empty() {
            all = same_labels(account.currencies.iter().map(ToString::to_string).collect());
        }
        all
    });
    let into = load::<ListTradableAssets>(move || {
        let sold = sold.get();
        let (symbol, chain) = asset_halves(&sold);
        Some(api::with_query(ListTradableAssetsQuery {
            currency: symbol.parse().ok()?,
            chain_id: Param::from_text(chain).ok(),
            amount: total
                .with(|text| text.trim().parse::<Amount>())
                .ok()
                .filter(|amount| amount.is_positive()),
            account_id: Param::from_text(&settlement.account().unwrap_or_else(|| account.get()))
                .ok(),
            // An external wallet accepts any currency.
            require_settlement_support: Some(!settlement.is_outside()),
        }))
    });
    let buyable = Signal::derive(move || {
        let options = into.read(|all| {
            let all = all.iter();
            all.map(|asset| option(&asset.currency, asset.chain_id))
                .collect()
        });
        options.unwrap_or_default()
    });
    let estimate: RwSignal<Option<Estimate>> = RwSignal::new(None);
    // The estimate and the executed trade.
    let result: RwSignal<Option<(Record, Record)>> = RwSignal::new(None);
    // Reference of the last sent trade, and the time of its estimate.
    let sent: RwSignal<Option<(String, Timestamp)>> = RwSignal::new(None);
    // Every change invalidates the estimate.
    Effect::new(move |_| {
        account.track();
        sold.track();
        total.track();
        bought.track();
        settlement.track();
        reference.track();
        estimate.set(None);
    });
    let arguments = move || {
        let (sold, bought) = (sold.get_untracked(), bought.get_untracked());
        let ((from, from_chain), (to, to_chain)) = (asset_halves(&sold), asset_halves(&bought));
        let mine = account.get_untracked();
        let chosen = chosen.get_untracked();
        let fields = Fields::default()
            .text("amount", &total.get_untracked())
            .text("currency", from)
            .number("chain_id", from_chain)
            .text("to_currency", to)
            .number("to_chain_id", to_chain)
            .text("reference", &reference.get_untracked());
        let fields = settlement.fields(fields);
        // Virtual accounts are named by reference, others by id.
        let by_name = chosen
            .filter(crate::record::account::is_virtual)
            .and_then(|account| account.reference);
        match by_name {
            Some(name) => fields.text("account_reference", name.as_str()),
            None => fields.number("account_id", &mine),
        }
        .body()
    };
    let ask = Callback::new(move |()| {
        result.set(None);
        let trade = arguments();
        let mut dry = trade.clone();
        if let Some(Value::Object(body)) = &mut dry.body {
            body.insert("dry_run".to_owned(), Value::Bool(true));
        }
        estimating.send::<CreateQuickTrade>(dry, move |record| {
            // Drop a late answer if the fields have changed or the page is gone.
            if estimate.try_get_untracked().is_some() && arguments() == trade {
                let trade = trade.clone();
                estimate.set(Some(Estimate { record, trade }));
            }
        });
    });
    let asked = RwSignal::new(false);
    let trade = Callback::new(move |()| {
        let Some(Estimate { record, trade }) = estimate.get_untracked() else {
            return;
        };
        let named = trade.body.as_ref().and_then(|body| body.get("reference"));
        let named = named.and_then(Value::as_str).unwrap_or_default();
        sent.set(Some((named.to_owned(), record.created_at)));
        trading.send::<CreateQuickTrade>(trade, move |made| {
            result.try_set(Some((record.clone(), made)));
            live.refresh();
        });
    });
    let again = move |_| {
        reference.set(fresh_reference());
        estimate.set(None);
        result.set(None);
    };
    let consequence = Signal::derive(move || {
        let asked = |Estimate { record: made, .. }: &Estimate| {
            let sold = amount_text(&made.from_amount, made.from_currency.as_str());
            let bought = amount_text(&made.to_amount, made.to_currency.as_str());
            words::and_outside(words::trade_ask(&sold, &bought), outside_wallet(made))
        };
        estimate.with(|estimate| estimate.as_ref().map(asked).unwrap_or_default())
    });
    let complete = move || {
        sold.with(|text| !text.is_empty())
            && bought.with(|text| !text.is_empty())
            && total.with(|text| !text.trim().is_empty())
    };
    view! {
        <div class="columns halves">
            <FormView form=estimating class="panel" scope=Scope::Write needs=RequiredConnection::Venue shows_failure=true submit=ask>
                <div class="panel-head"><h2>{words::quick_trade()}</h2><p>{words::quick_trade_why()}</p></div>
                <div class="panel-body stack">
                    {form_failure(estimating)}
                    {account_options_failure(accounts)}{load_failure(chains)}{load_failure(into)}
                    <SelectField form=estimating name="account_id" label=words::funded_by() value=account options=from waits=accounts.is_loading() />
                    <div class="fields two">
                        <SelectField form=estimating name="currency" label=words::you_sell() value=sold options=sellable none=words::choose_account_first() />
                        <TextField form=estimating name="amount" label=words::sell_amount() value=total kind="decimal" />
                        <SelectField form=estimating name="to_currency" label=words::you_buy() value=bought options=buyable hint=words::buyable_hint() whole=true />
                        <SettlementFields form=estimating settlement=settlement waits=accounts.is_loading() />
                        <TextField form=estimating name="reference" label=text::reference() value=reference hint=words::trade_reference_hint() whole=true />
                    </div>
                    <div class="row"><button data-scope="write" class="button primary" disabled=move || estimating.busy.get() || !complete()>{words::get_estimate()}</button></div>
                </div>
            </FormView>
            <section class="panel sticky" aria-live="polite" aria-label=words::estimate()>
                {move || {
                    let (before, after) = match (estimate.get(), result.get()) {
                        (_, Some((before, after))) => (before, Some(after)),
                        (Some(made), None) => (made.record, None),
                        (None, None) => return view! { <Empty picture=Icon::Trade title=words::no_estimate_yet() hint=words::no_estimate_yet_hint() /> }.into_any(),
                    };
                    let traded = after.is_some();
                    view! {
                        <div class="panel-head"><h2>{if traded { words::traded() } else { words::estimate() }}</h2></div>
                        <div class="panel-body stack">
                            {compare(&before, after.as_ref())}
                            {match after {
                                Some(done) => view! {
                                    <div class="row">
                                        <a class="button" href=format!("/trade/orders?open={}", done.order_id.map(|id| id.to_string()).unwrap_or_default())>{words::open_order()}</a>
                                        <button type="button" class="button" on:click=again>{words::trade_again()}</button>
                                    </div>
                                }.into_any(),
                                None => view! {
                                    <p class="quiet">{words::estimate_not_held()}</p>
                                    <div class="row"><button data-scope="write" type="button" class="button primary" disabled=trading.busy on:click=move |_| asked.set(true)>{icon(Icon::Trade)}{words::trade_now()}</button></div>
                                }.into_any(),
                            }}
                        </div>
                    }.into_any()
                }}
                <div class="panel-body stack" hidden=move || trading.failure.with(Option::is_none) && !trading.unknown.get()>
                    <MoneyFailure form=trading look=("/trade/orders", words::look_in_orders()) />
                    <Show when=move || trading.unknown.get()><Search sent=sent /></Show>
                </div>
            </section>
        </div>
        <Confirm open=asked title=words::trade_ask_word() consequence=consequence act=words::trade_now() busy=trading.busy on_confirm=trade />
    }
}

/// Looks for the order among the newest, by its reference. An order from before the estimate belongs to another trade.
#[component]
fn Search(sent: RwSignal<Option<(String, Timestamp)>>) -> impl IntoView {
    let orders = load::<ListOrders>(|| {
        Some(api::with_query(ListQuery {
            sort: Some(Sort::Descending),
            ..ListQuery::default()
        }))
    });
    let found = Memo::new(move |_| {
        let sent = sent.get();
        let found = orders.read(|page| order_of(&page.items, sent.as_ref()?).cloned());
        found.flatten()
    });
    // The order may appear long after the answer was lost.
    orders.reload_while(move || found.with(Option::is_none), POLL_INTERVAL);
    let shown = move || {
        let (wanted, _) = sent.get()?;
        let looked_at = orders.read(|page| page.items.len())?;
        Some(match found.get() {
            Some(order) => {
                let id = order.order_id.map(|id| id.to_string()).unwrap_or_default();
                let bought = amount(&order.to_amount, order.to_currency.as_str());
                view! {
                    <Notice tone=Tone::Good title=words::order_found()>
                        <p class="row">{bought}{state_of(&order)}</p>
                        <a href=format!("/trade/orders?open={id}")>{words::open_order()}</a>
                    </Notice>
                }
                .into_any()
            }
            None => view! { <p class="quiet">{words::order_not_found(&wanted, looked_at)}</p> }
                .into_any(),
        })
    };
    view! { {load_failure(orders)}{shown} }
}

/// The order of the sent trade.
fn order_of<'a>(all: &'a [Record], (name, since): &(String, Timestamp)) -> Option<&'a Record> {
    let is_it =
        |order: &&Record| order.reference.as_ref() == Some(name) && order.created_at >= *since;
    all.iter().find(is_it)
}

fn terms(trade: &Record) -> QuoteTerms<'_> {
    QuoteTerms {
        properties: trade.properties.as_ref(),
        sold: 1,
        bought: trade.to_currency.as_str(),
        sells_exact: true,
    }
}

fn state_of(order: &Record) -> AnyView {
    status_badge(order.status.as_str(), None).into_any()
}

/// A row of the comparison: label and value of a record.
type ComparisonRow = (&'static str, fn(&Record) -> Option<AnyView>);

/// Compares estimate and result; omits values that both lack.
fn compare(before: &Record, after: Option<&Record>) -> AnyView {
    let lines: [ComparisonRow; 10] = [
        (words::you_sell(), |one| {
            Some(amount(&one.from_amount, one.from_currency.as_str()).into_any())
        }),
        (words::you_buy(), |one| {
            Some(amount(&one.to_amount, one.to_currency.as_str()).into_any())
        }),
        (words::rate(), |one| Some(rate(one))),
        (words::fees(), |one| {
            one.fees.as_ref().and_then(total_fee).map(IntoAny::into_any)
        }),
        (words::expected_amount(), |one| terms(one).expected_amount()),
        (words::slippage(), |one| terms(one).slippage()),
        (words::price_impact(), |one| terms(one).price_impact()),
        (words::network_fee(), |one| terms(one).network_fee()),
        (words::offers(), |one| terms(one).offers()),
        (words::settled_to(), order_destination),
    ];
    let cells = lines
        .into_iter()
        .filter_map(|(name, show)| {
            let (before, after) = (show(before), after.map(show));
            let is_there = before.is_some() || after.as_ref().is_some_and(Option::is_some);
            is_there.then(|| view! { <tr><th scope="row">{name}</th><td>{before}</td>{after.map(|after| view! { <td>{after}</td> })}</tr> })
        })
        .collect_view();
    let status = after.map(|after| {
        view! { <tr><th scope="row">{text::status()}</th><td></td><td>{state_of(after)}</td></tr> }
    });
    view! {
        <table class="compare">
            <thead><tr><td></td><th scope="col">{words::estimate()}</th>{after.map(|_| view! { <th scope="col">{text::result()}</th> })}</tr></thead>
            <tbody>{cells}{status}</tbody>
        </table>
    }
    .into_any()
}
