//! Lazy panels of the overview: charts of the balance and of what came in and went out, and how the business does.

mod balance;
mod business;
mod chart;
mod days;
mod volume;

pub(crate) use business::Business;

use leptos::prelude::*;
use settlekit_core::overview::{
    GetOverviewSeries, GetOverviewSeriesQuery, OverviewSeries, SeriesMetric, SeriesPeriod,
};

use crate::api;
use crate::page::overview::charts_waiting;
use crate::shell::{Failed, Live, Loaded, Location, load};
use crate::text::{self, home as words};

use balance::Balance;
use days::Series;
use volume::Volume;

/// URL parameter: number of days.
const PERIOD: &str = "period";

const PERIODS: [SeriesPeriod; 4] = [
    SeriesPeriod::Week,
    SeriesPeriod::Month,
    SeriesPeriod::Quarter,
    SeriesPeriod::Year,
];

fn series(location: Location, metric: SeriesMetric) -> Loaded<OverviewSeries> {
    load::<GetOverviewSeries>(move || {
        Some(api::with_query(GetOverviewSeriesQuery {
            metric: metric.clone(),
            period: location.param(PERIOD),
            compare: Some(true),
        }))
    })
}

#[component]
pub(crate) fn Charts() -> impl IntoView {
    provide_context(Live::from_context().calmed());
    let location = Location::from_context();
    let balance = series(location, SeriesMetric::Balance);
    let incoming = series(location, SeriesMetric::In);
    let outgoing = series(location, SeriesMetric::Out);
    let all = [balance, incoming, outgoing];
    let found = Memo::new(move |before: Option<&Option<Series>>| {
        let found = Series {
            balance: balance.read(Clone::clone)?,
            incoming: incoming.read(Clone::clone)?,
            outgoing: outgoing.read(Clone::clone)?,
        };
        if found.is_of_one_period() {
            Some(found)
        } else {
            // Another period is loading: its answers come one after the other.
            before.cloned().flatten()
        }
    });
    // One failure for all: they have one cause.
    let failures = all.map(Loaded::failed);
    let failure = Memo::new(move |_| failures.iter().find_map(|failure| failure.get()));
    let retries = all.map(Loaded::retry);
    let retry = Callback::new(move |()| {
        for retry in retries {
            retry.run(());
        }
    });
    let is_there = Memo::new(move |_| found.with(Option::is_some));
    let content = move || match (failure.get(), is_there.get()) {
        (Some(failure), _) => view! { <Failed failure=failure retry=Some(retry) /> }.into_any(),
        (None, false) => charts_waiting(),
        (None, true) => view! { <Balance series=found /><Volume series=found /> }.into_any(),
    };
    view! {
        <Periods location=location />
        <div class="stack" aria-busy=move || all.iter().any(|one| one.busy.get()).to_string()>{content}</div>
    }
}

#[component]
fn Periods(location: Location) -> impl IntoView {
    let asked = Memo::new(move |_| location.param::<SeriesPeriod>(PERIOD));
    let period = Memo::new(move |_| asked.get().unwrap_or(SeriesPeriod::Month));
    let segment = move |one: SeriesPeriod| {
        let to = one.to_string();
        let label = words::period_of(&one);
        let is_chosen = Memo::new(move |_| period.with(|period| *period == one));
        let choose = move |_| {
            let to = location.with(&[(PERIOD, Some(to.clone()))]);
            location.go(&to, true);
        };
        view! { <button type="button" aria-pressed=move || is_chosen.get().to_string() on:click=choose>{label}</button> }
    };
    view! {
        <div class="segments level" role="group" aria-label=text::rates::period()>{PERIODS.map(segment).collect_view()}</div>
    }
}
