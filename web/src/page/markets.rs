//! Markets: instruments by venue, exchange targets of a currency, all currencies, and their rates.

use std::collections::BTreeSet;

use leptos::prelude::*;
use settlekit_core::trade::{
    GetCurrencies, Instrument, ListInstruments, ListInstrumentsQuery, ListTradableAssets,
    ListTradableAssetsQuery, TradableAsset, TradeCurrency,
};
use settlekit_core::value::{Amount, Currency};

use crate::api;
use crate::form::{
    account_options, accounts, chains, currencies_on, name_of_chain, options_failure, same_labels,
};
use crate::list::{Column, FilterBar, FilterSpec, Table, TableSpec, exact};
use crate::page::rates::Rates;
use crate::page::trading::{NotOverTheCounter, is_otc_missing};
use crate::session::{RequiredConnection, Session};
use crate::shell::{Loaded, Location, load, load_failure};
use crate::text::{self, money as words};
use crate::ui::{Empty, Icon, Options, grouped_text};

const VIEW: &str = "view";
const ASSETS: &str = "assets";
const CURRENCIES: &str = "currencies";
const RATES: &str = "rates";
const VENUE: &str = "venue";
const BASE: &str = "base";
const PRICED_IN: &str = "quote";
const CURRENCY: &str = "currency";
const ACCOUNT: &str = "account";

/// The lists, or a notice instead of calls that find nothing: an installation without a venue trades nothing. Rates need none.
#[component]
pub(crate) fn Markets() -> impl IntoView {
    let (location, session) = (Location::from_context(), Session::from_context());
    let view = Memo::new(move |_| location.get(VIEW));
    let missing = Memo::new(move |_| session.missing_connection(RequiredConnection::Venue));
    let segment = move |wanted: Option<&'static str>, label: &'static str| {
        let href = wanted.map_or_else(
            || "/trade/markets".to_owned(),
            |wanted| format!("/trade/markets?{VIEW}={wanted}"),
        );
        view! { <a href=href aria-current=move || (view.get().as_deref() == wanted).then_some("page")>{label}</a> }
    };
    view! {
        <nav class="segments level" aria-label=words::markets()>
            {segment(None, words::instruments())}
            {segment(Some(ASSETS), words::tradable_assets())}
            {segment(Some(CURRENCIES), words::currencies())}
            {segment(Some(RATES), words::rates())}
        </nav>
        {move || match (view.get().as_deref(), missing.get()) {
            (Some(RATES), _) => view! { <Rates /> }.into_any(),
            (_, Some((title, why))) => {
                let notice = view! { <Empty picture=Icon::Trade title=title hint=why /> };
                view! { <section class="panel">{notice}</section> }.into_any()
            }
            (Some(ASSETS), None) => view! { <Assets /> }.into_any(),
            (Some(CURRENCIES), None) => view! { <Currencies /> }.into_any(),
            (_, None) => view! { <Instruments /> }.into_any(),
        }}
    }
}

fn instrument_spec() -> TableSpec<Instrument> {
    TableSpec {
        caption: words::instruments(),
        columns: vec![
            Column::new(words::pair_word(), "title", |one| {
                view! { {words::pair(one.base.as_str(), one.quote.as_str())}<small>{one.venue_name.clone()}</small> }
                    .into_any()
            }),
            Column::exact(words::last_price(), "end", |one| {
                exact(one.last_price, one.quote.as_str())
            }),
            Column::exact(words::min_size(), "end named", |one| {
                exact(one.min_size, one.base.as_str())
            }),
            Column::exact(words::max_size(), "end named", |one| {
                exact(one.max_size, one.base.as_str())
            }),
            Column::exact(words::liquidity(), "end named", |one| {
                exact(one.base_liquidity?, one.base.as_str())
            }),
            Column::exact(words::spread(), "end named", |one| {
                exact(one.spread_bps, "")
            }),
            Column::exact(words::cost(), "end named", |one| {
                exact(one.estimated_cost_bps, "")
            }),
            Column::text(words::delay(), "end named", |one| {
                Some(text::milliseconds(one.estimated_delay_ms))
            }),
        ],
        id: |one| one.id.to_string(),
    }
}

#[component]
fn Instruments() -> impl IntoView {
    let location = Location::from_context();
    let instruments = load::<ListInstruments>(move || {
        Some(api::with_query(ListInstrumentsQuery {
            venue_id: location.param(VENUE),
            base: location.param(BASE),
            quote: location.param(PRICED_IN),
        }))
    });
    // Options are independent of the current filter.
    let whole = load::<ListInstruments>(|| Some(api::with_query(ListInstrumentsQuery::default())));
    let missing = Memo::new(move |_| instruments.state.with(is_otc_missing));
    let options = move |of: fn(&Instrument) -> (String, String)| {
        Signal::derive(move || {
            let all = whole.read(|all| all.iter().map(of).collect());
            let mut all: Vec<(String, String)> = all.unwrap_or_default();
            all.sort_by(|one, other| one.1.cmp(&other.1));
            all.dedup();
            all
        })
    };
    let venues = options(|one| (one.venue_id.to_string(), one.venue_name.clone()));
    let bases = options(|one| (one.base.to_string(), one.base.to_string()));
    let quotes = options(|one| (one.quote.to_string(), one.quote.to_string()));
    let filters = move || {
        let fields = [
            (words::venue(), VENUE, venues),
            (words::priced(), BASE, bases),
            (words::priced_in(), PRICED_IN, quotes),
        ];
        let field = |(label, name, options): (&'static str, &'static str, Options)| {
            FilterSpec::options(label, name, options, text::any()).always_shown()
        };
        fields.map(field).to_vec()
    };
    let empty = || view! { <Empty picture=Icon::Search title=text::no_match() hint=words::no_instruments_hint() /> };
    view! {
        <Show when=move || !missing.get() fallback=NotOverTheCounter>
            <FilterBar filters=filters() />
            <Grid all=whole />
            <section class="panel" aria-label=words::instruments()>
                <Table spec=instrument_spec() rows=instruments.state busy=instruments.busy retry=instruments.retry() empty=ViewFn::from(empty) />
            </section>
        </Show>
    }
}

/// Matrix of pairs: number of instruments, smallest spread, and a link to them.
#[component]
fn Grid(all: Loaded<Vec<Instrument>>) -> impl IntoView {
    let location = Location::from_context();
    let whole = all.ready();
    move || {
        let all = whole.get().filter(|all| !all.is_empty())?;
        let of = |currency: fn(&Instrument) -> &Currency| {
            let all: BTreeSet<String> = all.iter().map(|one| currency(one).to_string()).collect();
            all
        };
        let (bases, quotes) = (of(|one| &one.base), of(|one| &one.quote));
        let cell = |base: &str, quote: &str| {
            let pair = |one: &&Instrument| one.base.as_str() == base && one.quote.as_str() == quote;
            let spreads = all.iter().filter(pair).map(|one| one.spread_bps);
            let count = spreads.clone().count();
            let least = spreads.map(Amount::from).min()?;
            let here = [
                (BASE, Some(base.to_owned())),
                (PRICED_IN, Some(quote.to_owned())),
            ];
            Some(
                view! { <a href=location.with(&here)><span class="hidden-text">{words::pair(base, quote)}" "</span>{words::count_and_spread(count, &grouped_text(&least))}</a> },
            )
        };
        let rows = bases
            .iter()
            .map(|base| {
                let cells = quotes
                    .iter()
                    .map(|quote| view! { <td>{cell(base, quote)}</td> })
                    .collect_view();
                view! { <tr><th scope="row">{base.clone()}</th>{cells}</tr> }
            })
            .collect_view();
        let heads = quotes
            .iter()
            .map(|quote| view! { <th scope="col">{quote.clone()}</th> })
            .collect_view();
        Some(view! {
            <section class="panel">
                <div class="panel-head"><h2>{words::what_for_what()}</h2><p>{words::what_for_what_why()}</p></div>
                <div class="panel-body table-box" tabindex="0" role="group" aria-label=words::what_for_what()>
                    <table class="matrix"><thead><tr><td></td>{heads}</tr></thead><tbody>{rows}</tbody></table>
                </div>
            </section>
        })
    }
}

/// A currency on a chain, with the chain's name.
#[derive(Debug, Clone, PartialEq)]
struct AssetRow {
    currency: String,
    chain: String,
}

#[component]
fn Assets() -> impl IntoView {
    let location = Location::from_context();
    let chains = chains();
    let own = accounts();
    let accounts = account_options(own, |account| account.enabled);
    let symbols = Signal::derive(move || same_labels(currencies_on(chains, "")));
    let wanted = Memo::new(move |_| location.get(CURRENCY).is_some());
    let assets = load::<ListTradableAssets>(move || {
        Some(api::with_query(ListTradableAssetsQuery {
            currency: location.param(CURRENCY)?,
            chain_id: None,
            amount: None,
            account_id: location.param(ACCOUNT),
            require_settlement_support: None,
        }))
    });
    let named = move |asset: &TradableAsset| AssetRow {
        currency: asset.currency.to_string(),
        chain: name_of_chain(chains, asset.chain_id),
    };
    let rows = Signal::derive(move || {
        let state = assets.state;
        state.with(|state| state.map(|assets| assets.iter().map(named).collect()))
    });
    let table_spec = || TableSpec {
        caption: words::tradable_assets(),
        columns: vec![
            Column::text(words::exchanged_into(), "title", |one: &AssetRow| {
                Some(one.currency.clone())
            }),
            Column::text(text::chain(), "end", |one: &AssetRow| {
                Some(one.chain.clone())
            }),
        ],
        id: |one: &AssetRow| format!("{} {}", one.currency, one.chain),
    };
    let filters = vec![
        FilterSpec::options(words::you_have(), CURRENCY, symbols, words::choose()).always_shown(),
        FilterSpec::options(text::account(), ACCOUNT, accounts, words::primary_account())
            .always_shown(),
    ];
    let empty = || view! { <Empty picture=Icon::Trade title=words::not_tradable() hint=words::not_tradable_hint() /> };
    view! {
        <FilterBar filters=filters />
        {load_failure(chains)}
        {options_failure(own)}
        <section class="panel" aria-label=words::tradable_assets()>
            <Show when=move || wanted.get() fallback=|| view! { <Empty picture=Icon::Trade title=words::choose_currency() hint=words::choose_currency_hint() /> }>
                <Table spec=table_spec() rows=rows busy=assets.busy retry=assets.retry() empty=ViewFn::from(empty) />
            </Show>
        </section>
    }
}

/// A currency with the names of its chains.
#[derive(Debug, Clone, PartialEq)]
struct CurrencyRow {
    currency: TradeCurrency,
    chains: String,
}

#[component]
fn Currencies() -> impl IntoView {
    let chains = chains();
    let currencies = load::<GetCurrencies>(|| Some(api::plain()));
    let listed = move |currency: &TradeCurrency| {
        let names = currency
            .chain_ids
            .iter()
            .map(|id| name_of_chain(chains, *id));
        CurrencyRow {
            currency: currency.clone(),
            chains: names.collect::<Vec<_>>().join(", "),
        }
    };
    let rows = Signal::derive(move || {
        let state = currencies.state;
        state.with(|state| state.map(|all| all.currencies.iter().map(listed).collect()))
    });
    let methods = move || {
        currencies.read(|all| {
            let names = all.payment_methods.iter().map(words::deposit_method);
            words::handed_over_by(&names.collect::<Vec<_>>().join("; "))
        })
    };
    let spec = TableSpec {
        caption: words::currencies(),
        columns: vec![
            Column::text(text::currency(), "title", |one: &CurrencyRow| {
                Some(one.currency.symbol.to_string())
            }),
            Column::text(words::places(), "end", |one: &CurrencyRow| {
                Some(one.currency.scale.to_string())
            }),
            Column::text(words::on_chains(), "named", |one: &CurrencyRow| {
                Some(one.chains.clone())
            }),
        ],
        id: |one| one.currency.symbol.to_string(),
    };
    let empty = || view! { <Empty picture=Icon::Trade title=text::no_match() hint=words::no_instruments_hint() /> };
    view! {
        <section class="panel" aria-label=words::currencies()>
            <Table spec=spec rows=rows busy=currencies.busy retry=currencies.retry() empty=ViewFn::from(empty) />
            {move || methods().map(|sentence| view! { <p class="panel-body quiet">{sentence}</p> })}
        </section>
    }
}
