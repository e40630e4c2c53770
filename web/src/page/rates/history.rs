//! The history of a currency as a line chart, accessible by pointer, by keyboard and as a table.
//!
//! Floats are used for positions only; displayed prices are exact.

use js_sys::Intl;
use leptos::html;
use leptos::prelude::*;
use settlekit_core::rate::{
    HourlyRate, ListRateHistory, ListRateHistoryPath, ListRateHistoryQuery, RatePeriod,
};
use settlekit_core::value::{Currency, Timestamp};
use wasm_bindgen::JsValue;

use crate::api;
use crate::shell::{Failed, Loaded, Location, load};
use crate::text::{self, rates as words};
use crate::ui::{
    CHART_BOTTOM, CHART_HEIGHT, CHART_TOP, Empty, Icon, amount_text, axis_steps, chart_width,
    format_with, grid_lines, icon, intl_options, move_mark, px, short_local_day, short_local_time,
    timestamp,
};

/// URL parameter: how far the history goes back.
const PERIOD: &str = "period";

const PERIODS: [RatePeriod; 4] = [
    RatePeriod::Day,
    RatePeriod::Week,
    RatePeriod::Month,
    RatePeriod::Year,
];

/// Width of the axis labels.
const SIDE: f64 = 76.0;

const HOUR_MS: f64 = 3_600_000.0;

#[component]
pub(super) fn History(
    currency: Currency,
    /// Changes whenever a price was set.
    changes: Signal<u32>,
) -> impl IntoView {
    let location = Location::from_context();
    let asked = Memo::new(move |_| location.param::<RatePeriod>(PERIOD));
    let period = Memo::new(move |_| asked.get().unwrap_or(RatePeriod::Week));
    let named = currency.clone();
    let history = load::<ListRateHistory>(move || {
        let path = ListRateHistoryPath {
            currency: currency.clone(),
        };
        let period = location.param(PERIOD);
        Some(api::at_with_query(path, ListRateHistoryQuery { period }))
    });
    Effect::new(move |before: Option<()>| {
        changes.track();
        if before.is_some() {
            history.reload();
        }
    });
    let segment = move |one: RatePeriod| {
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
        <div class="panel-body stack">
            <div class="segments" role="group" aria-label=words::period()>{PERIODS.map(segment).collect_view()}</div>
            <HistoryContent history=history period=period currency=named />
        </div>
    }
}

/// The chart, or a placeholder while it loads, fails or is empty.
#[component]
fn HistoryContent(
    history: Loaded<Vec<HourlyRate>>,
    period: Memo<RatePeriod>,
    currency: Currency,
) -> impl IntoView {
    let failed = history.failed();
    let points = Memo::new(move |_| history.read(Vec::clone).unwrap_or_default());
    let is_empty = Memo::new(move |_| history.read(Vec::is_empty));
    let currency = StoredValue::new(currency.to_string());
    view! {
        {move || failed.get().map(|failure| view! { <Failed failure=failure retry=Some(history.retry()) /> })}
        <Show when=move || history.is_loading().get()><span class="bone plot chart-bone" aria-busy="true"></span></Show>
        {move || match is_empty.get() {
            Some(true) => view! { <Empty picture=Icon::Clock title=words::no_history() hint=words::no_history_hint() /> }.into_any(),
            Some(false) => view! { <HistoryChart points=points period=period currency=currency.get_value() /> }.into_any(),
            None => ().into_any(),
        }}
    }
}

/// Maps prices to positions in the chart.
#[derive(Debug, Clone, PartialEq)]
struct Scale {
    /// The time at the left edge and the length of the chart, in milliseconds.
    from: f64,
    length: f64,
    /// The lowest label, the distance of labels, and their number above the lowest.
    bottom: f64,
    step: f64,
    steps: u32,
}

impl Scale {
    fn of(points: &[HourlyRate], period: &RatePeriod) -> Self {
        let prices = points.iter().map(price);
        let (low, high) = prices.fold((f64::INFINITY, 0.0), |(low, high), price: f64| {
            (price.min(low), price.max(high))
        });
        // A price that never changed is in the middle.
        let margin = if high > low { 0.0 } else { high / 100.0 };
        let (low, high) = (low - margin, high + margin);
        let (step, _) = axis_steps(high - low);
        let bottom = (low / step).floor() * step;
        let days = match period {
            RatePeriod::Day => 1.0,
            RatePeriod::Month => 30.0,
            RatePeriod::Year => 365.0,
            RatePeriod::Week | RatePeriod::Other(_) => 7.0,
        };
        let length = days * 24.0 * HOUR_MS;
        let last = points.last().map_or(0.0, time);
        Self {
            from: last - length,
            length,
            bottom,
            step,
            steps: ((high - bottom) / step).ceil().max(1.0) as u32,
        }
    }

    /// The position of a price in a chart that is `width` wide.
    fn at(&self, one: &HourlyRate, width: f64) -> (f64, f64) {
        let base = CHART_HEIGHT - CHART_BOTTOM;
        let along = (time(one) - self.from) / self.length;
        let up = (price(one) - self.bottom) / (self.step * f64::from(self.steps));
        (
            SIDE + along * (width - SIDE - 8.0),
            base - up * (base - CHART_TOP),
        )
    }
}

fn price(one: &HourlyRate) -> f64 {
    js_sys::parse_float(&one.usd.to_string())
}

fn time(one: &HourlyRate) -> f64 {
    one.at.millis() as f64
}

/// The line through the prices; hours without one are gaps.
fn line(points: &[HourlyRate], scale: &Scale, width: f64, period: &RatePeriod) -> String {
    let step = match period {
        RatePeriod::Year => 24.0 * HOUR_MS,
        _ => HOUR_MS,
    };
    // Days end in any of their hours.
    let longest = step * 2.0;
    let mut path = String::new();
    let mut before = f64::NEG_INFINITY;
    for one in points {
        let (x, y) = scale.at(one, width);
        let (x, y) = (px(x), px(y));
        if time(one) - before < longest {
            path.push_str(&format!("L{x} {y}"));
        } else {
            // A lone price is a dot.
            path.push_str(&format!("M{x} {y}h.1"));
        }
        before = time(one);
    }
    path
}

thread_local! {
    // Cached: creating a formatter costs a thousand times as much as formatting.
    static AXIS: Intl::NumberFormat = Intl::NumberFormat::new(&text::locales(), &intl_options(&[
        ("style", "currency"),
        ("currency", "USD"),
        ("currencyDisplay", "narrowSymbol"),
        ("maximumSignificantDigits", "6"),
    ]));
}

fn axis_label(value: f64) -> String {
    AXIS.with(|format| format_with(&format.format(), &JsValue::from_f64(value)))
}

fn time_label(at: Timestamp, period: &RatePeriod) -> String {
    match period {
        RatePeriod::Day => short_local_time(at),
        _ => short_local_day(at),
    }
}

/// Line chart of the prices of a currency.
#[component]
fn HistoryChart(
    points: Memo<Vec<HourlyRate>>,
    period: Memo<RatePeriod>,
    currency: String,
) -> impl IntoView {
    let element = NodeRef::<html::Div>::new();
    let width = chart_width(element);
    let picked: RwSignal<Option<usize>> = RwSignal::new(None);
    let scale = Memo::new(move |_| points.with(|points| Scale::of(points, &period.get())));
    let base = CHART_HEIGHT - CHART_BOTTOM;
    let grid = move || {
        let scale = scale.get();
        let label = move |index| axis_label(scale.bottom + scale.step * f64::from(index));
        Some(grid_lines((SIDE, width.get()?), scale.steps, label))
    };
    let times = move || {
        let width = width.get()?;
        let scale = scale.get();
        // No day is named twice.
        let marks_max = match period.get() {
            RatePeriod::Day => 8.0,
            _ => (scale.length / (24.0 * HOUR_MS)).min(8.0),
        };
        let marks = ((width - SIDE) / 96.0).clamp(2.0, marks_max) as u32;
        let labels = (0..=marks).map(|index| {
            let along = f64::from(index) / f64::from(marks);
            let at = Timestamp::from_millis((scale.from + scale.length * along) as i64);
            let x = SIDE + along * (width - SIDE - 8.0);
            let anchor = if index == marks { "end" } else { "middle" };
            view! { <text x=px(x) y=px(CHART_HEIGHT - 6.0) text-anchor=anchor>{time_label(at, &period.get())}</text> }
        });
        Some(labels.collect_view())
    };
    let path = move || {
        let width = width.get()?;
        Some(points.with(|points| line(points, &scale.get(), width, &period.get())))
    };
    let mark = move || {
        let (width, index) = (width.get()?, picked.get()?);
        let (x, y) = points.with(|points| Some(scale.get().at(points.get(index)?, width)))?;
        let (x, y) = (px(x), px(y));
        Some(view! {
            <line class="base" x1=x.clone() x2=x.clone() y1=px(CHART_TOP) y2=px(base) />
            <circle class="bar-in" cx=x cy=y r="4" />
        })
    };
    let point_at = move |event: web_sys::PointerEvent| {
        let Some((element, width)) = element.get_untracked().zip(width.get_untracked()) else {
            return;
        };
        let left = element.get_bounding_client_rect().left();
        let x = f64::from(event.client_x()) - left;
        let scale = scale.get_untracked();
        let nearest = points.with_untracked(|points| {
            let distance = |one: &HourlyRate| (scale.at(one, width).0 - x).abs();
            let places = points.iter().map(distance).enumerate();
            let nearest = places.min_by(|one, other| one.1.total_cmp(&other.1));
            nearest.map(|(index, _)| index)
        });
        picked.set(nearest);
    };
    let label = words::history_of(&currency);
    let (labelled, captioned) = (label.clone(), label);
    let reading = move || {
        let one = picked.get();
        let one = one.and_then(|index| points.with(|points| points.get(index).cloned()));
        match one {
            Some(one) => view! {
                <strong>{timestamp(one.at)}</strong>
                <span>"1 "{currency.clone()}" = "<strong>{amount_text(&one.usd, "USD")}</strong></span>
            }
            .into_any(),
            None => view! { <span>{words::history_hint()}</span> }.into_any(),
        }
    };
    // The table is built on demand.
    let twin = RwSignal::new(false);
    let rows = move || {
        let row = |one: HourlyRate| {
            view! { <tr><td>{timestamp(one.at)}</td><td class="end">{amount_text(&one.usd, "")}</td></tr> }
        };
        twin.get()
            .then(|| points.get().into_iter().rev().map(row).collect_view())
    };
    view! {
        <figure class="stack-tight">
            <p class="chart-read" aria-live="polite">{reading}</p>
            <div
                class="chart" node_ref=element tabindex="0" role="group" aria-label=labelled
                on:keydown=move |event| move_mark(&event, picked, points.with_untracked(Vec::len))
                on:pointermove=point_at on:pointerleave=move |_| picked.set(None) on:blur=move |_| picked.set(None)
            >
                <svg viewBox=move || format!("0 0 {} {}", px(width.get().unwrap_or_default()), px(CHART_HEIGHT)) height=px(CHART_HEIGHT) aria-hidden="true">
                    {grid}{times}<path class="line" stroke-linejoin="round" stroke-linecap="round" d=path />{mark}
                </svg>
            </div>
            <details class="more" on:toggle=move |_| twin.set(true)>
                <summary>{icon(Icon::Right)}{text::as_table()}</summary>
                <div class="table-box" tabindex="0" role="region" aria-label=captioned>
                    <table class="table">
                        <thead><tr><th scope="col">{words::hour()}</th><th scope="col" class="end">{words::price()}</th></tr></thead>
                        <tbody>{rows}</tbody>
                    </table>
                </div>
            </details>
        </figure>
    }
}
