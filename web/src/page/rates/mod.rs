//! Rates: what each currency is worth, its history, and the sources.

mod history;
mod sources;

use std::time::Duration;

use leptos::prelude::*;
use settlekit_core::rate::{ListRates, Rate};

use crate::api;
use crate::form::sandbox::SetPriceForm;
use crate::list::{Column, Table, TableSpec, exact};
use crate::page::rates::history::History;
use crate::page::rates::sources::Sources;
use crate::session::Session;
use crate::shell::{Location, load};
use crate::text::{self, rates as words, sandbox};
use crate::ui::{Empty, Icon, Panel, amount, status_badge_as, timestamp};

/// URL parameter: the currency whose history is shown.
const CURRENCY: &str = "currency";

/// Polling interval: prices are no events of an organisation.
const REFRESH: Duration = Duration::from_secs(10);

fn spec() -> TableSpec<Rate> {
    TableSpec {
        caption: text::money::rates(),
        columns: vec![
            Column::text(text::currency(), "title", |one| {
                Some(one.currency.to_string())
            }),
            Column::exact(words::price(), "end", |one: &Rate| exact(one.usd?, ""))
                .or(|_| status_badge_as("Failed", words::no_price().to_owned()).into_any()),
            Column::time(words::as_of(), "fit named", |one| {
                one.priced_at.or(one.last_at)
            }),
            Column::text(words::sources(), "named", |one| {
                let names = one.sources.iter().map(|one| one.source.clone());
                Some(names.collect::<Vec<_>>().join(", "))
            }),
        ],
        id: |one| one.currency.to_string(),
    }
}

#[component]
pub(crate) fn Rates() -> impl IntoView {
    let location = Location::from_context();
    // Counts the prices that are set here.
    let changes = RwSignal::new(0_u32);
    let rates = load::<ListRates>(|| Some(api::plain()));
    rates.reload_while(|| true, REFRESH);
    let rows = Signal::derive(move || {
        let state = rates.state;
        state.with(|state| state.map(|rates| rates.items.clone()))
    });
    let chosen = Memo::new(move |_| {
        let asked = location.get(CURRENCY);
        rates
            .read(|rates| {
                let mut items = rates.items.iter();
                match asked {
                    Some(asked) => items.find(|rate| rate.currency.as_str() == asked),
                    None => items.next(),
                }
                .cloned()
            })
            .flatten()
    });
    let currency = Memo::new(move |_| chosen.with(|rate| Some(rate.as_ref()?.currency.clone())));
    let open = Callback::new(move |currency: String| {
        let to = location.with(&[(CURRENCY, Some(currency))]);
        location.go(&to, true);
    });
    let connected = Memo::new(move |_| rates.read(|rates| !rates.sources.is_empty()));
    let empty = move || match connected.get() {
        Some(false) => {
            view! { <Empty picture=Icon::Trade title=words::no_sources() hint=words::no_sources_hint() /> }
        }
        _ => {
            view! { <Empty picture=Icon::Clock title=words::no_rates() hint=words::no_rates_hint() /> }
        }
    };
    let session = Session::from_context();
    let is_sandbox = Memo::new(move |_| session.record().is_some_and(|record| record.sandbox));
    let priced = Memo::new(move |_| is_sandbox.get() && currency.with(Option::is_some));
    let set = Callback::new(move |()| {
        rates.reload();
        changes.update(|changes| *changes += 1);
    });
    view! {
        {move || currency.get().map(|currency| view! {
            <section class="panel" aria-labelledby="history">
                <div class="panel-head"><h2 id="history">{words::history_of(currency.as_str())}</h2>{move || chosen.with(|rate| rate.as_ref().map(current_price))}</div>
                <History currency=currency changes=changes.into() />
            </section>
        })}
        <section class="panel" aria-label=text::money::rates()>
            <Table
                spec=spec() rows=rows busy=rates.busy retry=rates.retry() open=open
                opened=Signal::derive(move || currency.get().map(|currency| currency.to_string()))
                empty=ViewFn::from(empty)
            />
        </section>
        <Sources rates=rates chosen=chosen />
        <Show when=move || priced.get()>
            <Panel title=sandbox::price() why=sandbox::price_why()><SetPriceForm currency=currency done=set /></Panel>
        </Show>
    }
}

/// The price now, or why there is none, with the last one.
fn current_price(rate: &Rate) -> AnyView {
    match (&rate.usd, &rate.gap) {
        (Some(usd), _) => {
            let at = rate.priced_at.map(timestamp);
            view! { <p class="push">{amount(usd, "USD")} " " <small class="quiet">{at}</small></p> }
                .into_any()
        }
        (None, gap) => {
            let why = gap.as_ref().map(words::gap_of);
            let last = rate.last_usd.zip(rate.last_at);
            let last = last.map(|(usd, at)| view! { " " {words::last_known()} " " {amount(&usd, "USD")} ", " {timestamp(at)} });
            view! { <p class="push">{status_badge_as("Failed", words::no_price().to_owned())} " " {why}{last}</p> }
                .into_any()
        }
    }
}
