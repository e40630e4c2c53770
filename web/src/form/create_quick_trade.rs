//! A trade at the price of the moment. No trade without an estimate of the same, and none whose outcome is guessed.

use leptos::prelude::*;
use serde_json::Value;
use settlekit_core::operation::Scope;
use settlekit_core::page::{ListQuery, Sort};
use settlekit_core::trade::{
    CreateQuickTrade, ListOrders, ListTradableAssets, ListTradableAssetsQuery, QuickTrade as Record,
};
use settlekit_core::value::{Amount, Param};

use crate::api;
use crate::form::choice::{account_of, account_options, accounts, chains, missing, not_offered};
use crate::form::{Fields, Form};
use crate::live::Live;
use crate::load::load;
use crate::page::orders::rate;
use crate::part::amount::{amount, amount_text};
use crate::part::confirm::Confirm;
use crate::part::field::{Allowed, SelectField, TextField};
use crate::part::icon::{Icon, icon};
use crate::part::notice::{Empty, Failed, MoneyTrouble, Notice, Tone};
use crate::part::state::state;
use crate::text;
use crate::text::money as words;

/// What is sold or bought as one value of a select, `USDC 8453`.
fn halves(asset: &str) -> (String, String) {
    let (symbol, chain) = asset.split_once(' ').unwrap_or((asset, ""));
    (symbol.to_owned(), chain.to_owned())
}

/// A name by which an order is found again when no answer comes.
fn fresh_reference() -> String {
    let now = js_sys::Date::now() as u64;
    format!("quick-{now}")
}

#[component]
pub(crate) fn CreateQuickTradeForm() -> impl IntoView {
    let live = Live::here();
    let (estimating, trading) = (Form::new(), Form::new());
    let empty = || RwSignal::new(String::new());
    let (account, sold, total, bought) = (empty(), empty(), empty(), empty());
    let reference = RwSignal::new(fresh_reference());
    let accounts = accounts();
    let chains = chains();
    let from = account_options(accounts, |account| account.enabled);
    let chosen = Memo::new(move |_| account_of(accounts, &account.get()));
    let name_of = move |id: &str| {
        chains.state.with(|chains| {
            let all = chains.ready()?;
            let chain = all.iter().find(|chain| chain.id.to_string() == id)?;
            Some(chain.name.clone())
        })
    };
    // What the account takes, on its own chain or on the chains below it.
    let sellable = Signal::derive(move || {
        let Some(account) = chosen.get() else {
            return Vec::new();
        };
        let own = account
            .chain_id
            .map(|chain| (chain, account.currencies.clone()));
        let below = account
            .sub_accounts
            .iter()
            .flatten()
            .filter_map(|below| Some((below.chain_id?, below.currencies.clone())));
        let mut all: Vec<(String, String)> = own
            .into_iter()
            .chain(below)
            .flat_map(|(chain, currencies)| {
                let chain = chain.to_string();
                let name = name_of(&chain).unwrap_or_else(|| chain.clone());
                currencies
                    .into_iter()
                    .map(move |one| {
                        (
                            format!("{one} {chain}"),
                            words::currency_on(one.as_str(), &name),
                        )
                    })
                    .collect::<Vec<_>>()
            })
            .collect();
        if all.is_empty() {
            all = account
                .currencies
                .iter()
                .map(|one| (one.to_string(), one.to_string()))
                .collect();
        }
        all
    });
    let into = load::<ListTradableAssets>(move || {
        let (symbol, chain) = halves(&sold.get());
        Some(api::asking(ListTradableAssetsQuery {
            currency: symbol.parse().ok()?,
            chain_id: Param::from_text(&chain).ok(),
            amount: total
                .with(|text| text.trim().parse::<Amount>())
                .ok()
                .filter(|amount| amount.is_positive()),
            account_id: Param::from_text(&account.get()).ok(),
            require_settlement_support: Some(true),
        }))
    });
    let buyable = Signal::derive(move || {
        into.state.with(|state| {
            state.ready().map_or_else(Vec::new, |all| {
                all.iter()
                    .map(|asset| {
                        let chain = asset.chain_id.to_string();
                        let name = name_of(&chain).unwrap_or_else(|| chain.clone());
                        (
                            format!("{} {chain}", asset.currency),
                            words::currency_on(asset.currency.as_str(), &name),
                        )
                    })
                    .collect()
            })
        })
    });
    let estimate: RwSignal<Option<Record>> = RwSignal::new(None);
    let result: RwSignal<Option<Record>> = RwSignal::new(None);
    let searching = RwSignal::new(false);
    // An estimate of something else is no estimate: whatever is changed, a new one is needed.
    Effect::new(move |_| {
        account.track();
        sold.track();
        total.track();
        bought.track();
        estimate.set(None);
    });
    let arguments = move |dry: bool| {
        let (from, from_chain) = halves(&sold.get_untracked());
        let (to, to_chain) = halves(&bought.get_untracked());
        let mine = account.get_untracked();
        let chosen = chosen.get_untracked();
        let fields = Fields::default()
            .text("amount", &total.get_untracked())
            .text("currency", &from)
            .number("chain_id", &from_chain)
            .text("to_currency", &to)
            .number("to_chain_id", &to_chain)
            .text("reference", &reference.get_untracked());
        // A virtual account is named by its reference, another by its number.
        let by_name = chosen
            .filter(crate::page::accounts::is_virtual)
            .and_then(|account| account.reference);
        let fields = match by_name {
            Some(name) => fields.text("account_reference", name.as_str()),
            None => fields.number("account_id", &mine),
        };
        if dry {
            fields.value("dry_run", Value::Bool(true)).body()
        } else {
            fields.body()
        }
    };
    let ask = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        result.set(None);
        trading.trouble.set(None);
        searching.set(false);
        estimating.send::<CreateQuickTrade>(arguments(true), move |made| estimate.set(Some(made)));
    };
    let asked = RwSignal::new(false);
    let trade = Callback::new(move |()| {
        asked.set(false);
        searching.set(false);
        trading.send::<CreateQuickTrade>(arguments(false), move |made| {
            result.set(Some(made));
            live.poke();
        });
    });
    Effect::new(move |_| {
        let unknown = trading.trouble.with(|trouble| {
            trouble
                .as_ref()
                .is_some_and(crate::api::Trouble::is_passing)
        });
        searching.set(unknown);
    });
    let again = move |_| {
        reference.set(fresh_reference());
        estimate.set(None);
        result.set(None);
    };
    let consequence = Signal::derive(move || {
        estimate.with(|estimate| {
            estimate.as_ref().map_or_else(String::new, |made| {
                words::trade_ask(
                    &amount_text(&made.from_amount, made.from_currency.as_str()),
                    &amount_text(&made.to_amount, made.to_currency.as_str()),
                )
            })
        })
    });
    let complete = move || {
        sold.with(|text| !text.is_empty())
            && bought.with(|text| !text.is_empty())
            && total.with(|text| !text.trim().is_empty())
    };
    view! {
        <div class="columns halves">
            <form class="panel" novalidate on:submit=ask><Allowed scope=Scope::Write>
                <div class="panel-head"><h2>{words::quick_trade()}</h2><p>{words::quick_trade_why()}</p></div>
                <div class="panel-body stack">
                    {move || estimating.trouble.get().map(|trouble| view! { <Failed trouble=trouble /> })}
                    {not_offered(accounts)}{missing(chains)}{missing(into)}
                    <SelectField form=estimating name="account_id" label=words::funded_by() value=account options=from waits=accounts.waits() />
                    <div class="fields two">
                        <SelectField form=estimating name="currency" label=words::you_sell() value=sold options=sellable none=words::choose_account_first() />
                        <TextField form=estimating name="amount" label=words::sell_amount() value=total kind="decimal" />
                        <SelectField form=estimating name="to_currency" label=words::you_buy() value=bought options=buyable hint=words::buyable_hint() whole=true />
                        <TextField form=estimating name="reference" label=text::reference() value=reference hint=words::trade_reference_hint() whole=true />
                    </div>
                    <div class="row"><button data-scope="write" class="button primary" disabled=move || estimating.busy.get() || !complete()>{words::get_estimate()}</button></div>
                </div>
            </Allowed></form>
            <section class="panel sticky" aria-live="polite" aria-label=words::estimate()>
                {move || match (estimate.get(), result.get()) {
                    (None, None) => view! { <Empty picture=Icon::Trade title=words::no_estimate_yet() lesson=words::no_estimate_yet_lesson() /> }.into_any(),
                    (before, after) => {
                        let traded = after.is_some();
                        view! {
                            <div class="panel-head"><h2>{if traded { words::traded() } else { words::estimate() }}</h2></div>
                            <div class="panel-body stack">
                                {compare(before.as_ref(), after.as_ref())}
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
                    }
                }}
                <div class="panel-body stack" hidden=move || trading.trouble.with(Option::is_none)>
                    <MoneyTrouble form=trading again=trade look=("/trade/orders", words::look_in_orders()) />
                    <Show when=move || searching.get()><Search reference=reference /></Show>
                </div>
            </section>
        </div>
        <Confirm open=asked title=words::trade_ask_word() consequence=consequence act=words::trade_now() busy=trading.busy on_confirm=trade />
    }
}

/// Whether the order is among the newest, found by its reference.
#[component]
fn Search(reference: RwSignal<String>) -> impl IntoView {
    let orders = load::<ListOrders>(|| {
        Some(api::asking(ListQuery {
            sort: Some(Sort::Descending),
            ..ListQuery::default()
        }))
    });
    move || {
        let wanted = reference.get();
        orders.state.with(|state| {
            let page = state.ready()?;
            let found = page.items.iter().find(|order| order.reference.as_deref() == Some(wanted.as_str()));
            Some(match found {
                Some(order) => {
                    let id = order.order_id.map(|id| id.to_string()).unwrap_or_default();
                    let (bought, stands) = (amount(&order.to_amount, order.to_currency.as_str()), state_of(order));
                    view! {
                        <Notice tone=Tone::Good title=words::order_found()>
                            <p class="row">{bought}{stands}</p>
                            <a href=format!("/trade/orders?open={id}")>{words::open_order()}</a>
                        </Notice>
                    }
                    .into_any()
                }
                None => view! { <p class="quiet">{words::order_not_found(&wanted, page.items.len())}</p> }.into_any(),
            })
        })
    }
}

fn state_of(order: &Record) -> AnyView {
    state(order.status.as_str(), None).into_any()
}

/// A line of the comparison: its name, and what a record shows in it.
type Line = (&'static str, fn(&Record) -> AnyView);

/// Estimate and result, line by line.
fn compare(before: Option<&Record>, after: Option<&Record>) -> AnyView {
    let lines: [Line; 3] = [
        (words::you_sell(), |one| {
            amount(&one.from_amount, one.from_currency.as_str()).into_any()
        }),
        (words::you_buy(), |one| {
            amount(&one.to_amount, one.to_currency.as_str()).into_any()
        }),
        (words::rate(), rate),
    ];
    let cells = lines
        .into_iter()
        .map(|(name, show)| view! { <tr><th scope="row">{name}</th><td>{before.map(show)}</td>{after.map(|after| view! { <td>{show(after)}</td> })}</tr> })
        .collect_view();
    let status = after.map(|after| {
        view! { <tr><th scope="row">{text::status()}</th><td></td><td>{state_of(after)}</td></tr> }
    });
    view! {
        <table class="compare">
            <thead><tr><td></td><th scope="col">{words::estimate()}</th>{after.map(|_| view! { <th scope="col">{words::result()}</th> })}</tr></thead>
            <tbody>{cells}{status}</tbody>
        </table>
    }
    .into_any()
}
