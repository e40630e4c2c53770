//! What all charts have, and the bar chart of daily volume, as SVG: accessible by pointer, by keyboard and as a table.
//!
//! Floats are used for positions only; displayed figures are exact. The browser parses floats and computes powers: Rust's own code
//! would add twelve kilobytes of tables to the first load.

use js_sys::Intl;
use leptos::html;
use leptos::prelude::*;
use settlekit_core::overview::DayVolume;
use settlekit_core::value::Amount;
use wasm_bindgen::JsValue;

use crate::text;
use crate::ui::amount::{amount_text, count_text, dollars};
use crate::ui::time_zone::{format_with, intl_options};
use crate::ui::timestamp::{short_day, whole_day};

/// Height of a chart, and what of it is above and below the drawing.
pub(crate) const CHART_HEIGHT: f64 = 272.0;
pub(crate) const CHART_TOP: f64 = 8.0;
pub(crate) const CHART_BOTTOM: f64 = 24.0;
/// Width of the axis labels.
const SIDE: f64 = 52.0;
const WIDTH_FIRST: f64 = 720.0;

fn height_of(amount: Option<&Amount>) -> f64 {
    amount.map_or(0.0, |amount| js_sys::parse_float(&amount.to_string()))
}

/// A day's amount in US dollars, or the word for none.
fn dollar_text(amount: Option<Amount>, currency: &str) -> String {
    amount.map_or_else(
        || text::not_available().to_owned(),
        |amount| amount_text(&dollars(amount), currency),
    )
}

/// A length in pixels, with one decimal place, at least 0.
pub(crate) fn px(length: f64) -> String {
    let tenths = (length * 10.0).round() as u32;
    format!("{}.{}", tenths / 10, tenths % 10)
}

/// Step size and number of steps for an axis of the length `top`.
pub(crate) fn axis_steps(top: f64) -> (f64, u32) {
    if top <= 0.0 {
        return (1.0, 1);
    }
    let rough = top / 4.0;
    let power = js_sys::Math::pow(10.0, js_sys::Math::log10(rough).floor());
    let step = [1.0, 2.0, 2.5, 5.0, 10.0]
        .into_iter()
        .map(|factor| factor * power)
        .find(|step| *step >= rough)
        .unwrap_or(power);
    (step, (top / step).ceil().max(1.0) as u32)
}

thread_local! {
    // Cached: creating a formatter costs a thousand times as much as formatting.
    static AXIS: Intl::NumberFormat = axis_format();
}

fn axis_format() -> Intl::NumberFormat {
    // Numbers may be given as texts.
    let options = intl_options(&[
        ("notation", "compact"),
        ("style", "currency"),
        ("currency", "USD"),
        ("currencyDisplay", "narrowSymbol"),
        ("maximumFractionDigits", "1"),
    ]);
    Intl::NumberFormat::new(&crate::text::locales(), &options)
}

/// Abbreviated axis label in the user's locale.
fn axis_text(value: f64) -> String {
    AXIS.with(|format| format_with(&format.format(), &JsValue::from_f64(value)))
}

fn bar(x: f64, width: f64, height: f64, base: f64) -> String {
    if height <= 0.0 {
        return String::new();
    }
    let height = height.max(1.5);
    let round = (width / 2.0).min(2.0).min(height);
    let (right, top) = (x + width, base - height);
    let [x, base, shoulder, end, round] = [x, base, top + round, right - round, round].map(px);
    format!(
        "M{x} {base}V{shoulder}q0 -{round} {round} -{round}H{end}q{round} 0 {round} {round}V{base}Z"
    )
}

/// The width of a chart's box once it is known, kept current.
// Inlined like the two below: as functions of their own they cost the first load 800 bytes more.
#[inline(always)]
pub(crate) fn chart_width(element: NodeRef<html::Div>) -> RwSignal<Option<f64>> {
    let width = RwSignal::new(None);
    let measure = move || {
        if let Some(element) = element.get_untracked() {
            let found = f64::from(element.client_width());
            if found > 0.0 {
                width.set(Some(found));
            }
        }
    };
    Effect::new(move |_| {
        if element.get().is_some() {
            measure();
        }
    });
    let listener = window_event_listener(leptos::ev::resize, move |_| measure());
    on_cleanup(move || listener.remove());
    width
}

/// The horizontal lines of a chart with their labels, from the bottom up.
#[inline(always)]
pub(crate) fn grid_lines(
    (left, right): (f64, f64),
    count: u32,
    label: impl Fn(u32) -> String,
) -> impl IntoView {
    let base = CHART_HEIGHT - CHART_BOTTOM;
    let line = |index: u32| {
        let y = (base - (base - CHART_TOP) * f64::from(index) / f64::from(count)).round() + 0.5;
        view! {
            <g>
                <line class=if index == 0 { "base" } else { "grid" } x1=px(left) x2=px(right) y1=px(y) y2=px(y) />
                <text x=px(left - 8.0) y=px(y + 3.5) text-anchor="end">{label(index)}</text>
            </g>
        }
    };
    (0..=count).map(line).collect_view()
}

/// Moves the picked mark of a chart by keyboard.
#[inline(always)]
pub(crate) fn move_mark(
    event: &web_sys::KeyboardEvent,
    picked: RwSignal<Option<usize>>,
    count: usize,
) {
    let last = count.saturating_sub(1);
    let now = picked.get_untracked();
    let next = match event.key().as_str() {
        "ArrowLeft" => now.map_or(last, |now| now.saturating_sub(1)),
        "ArrowRight" => now.map_or(last, |now| (now + 1).min(last)),
        "Home" => 0,
        "End" => last,
        "Escape" => {
            picked.set(None);
            return;
        }
        _ => return,
    };
    event.prevent_default();
    picked.set(Some(next));
}

/// Bar chart of incoming and outgoing volume by day.
#[component]
pub(crate) fn VolumeChart(#[prop(into)] days: Signal<Vec<DayVolume>>) -> impl IntoView {
    let element = NodeRef::<html::Div>::new();
    let width = chart_width(element);
    let picked: RwSignal<Option<usize>> = RwSignal::new(None);

    let base = CHART_HEIGHT - CHART_BOTTOM;
    let scale = Memo::new(move |_| {
        let top = days.with(|days| {
            days.iter()
                .flat_map(|day| {
                    [
                        height_of(day.in_usd.as_ref()),
                        height_of(day.out_usd.as_ref()),
                    ]
                })
                .fold(0.0, f64::max)
        });
        axis_steps(top)
    });
    let grid = move || {
        let right = width.get()?;
        let (step, count) = scale.get();
        let label = move |index| axis_text(step * f64::from(index));
        Some(grid_lines((SIDE, right), count, label))
    };
    let bars = move || {
        let plot = (width.get()? - SIDE).max(1.0);
        let (step, count) = scale.get();
        let top = step * f64::from(count);
        let bars = days.with(|days| {
            let slot = plot / days.len().max(1) as f64;
            let bar_width = (slot * 0.36).clamp(1.0, 12.0);
            let every = (64.0 / slot).ceil().max(1.0) as usize;
            days.iter()
                .enumerate()
                .map(|(index, day)| {
                    let left = SIDE + slot * index as f64;
                    let middle = left + slot / 2.0;
                    let tall = |amount: Option<&Amount>| (base - CHART_TOP) * height_of(amount) / top;
                    // Counted from the newest day, so that today always has a label.
                    let named = (days.len() - 1 - index) % every == 0;
                    view! {
                        <g class:picked=move || picked.get() == Some(index) on:pointerenter=move |_| picked.set(Some(index))>
                            <rect class="day" x=px(left) y=px(CHART_TOP) width=px(slot) height=px(base - CHART_TOP) />
                            <path class="bar-in" d=bar(middle - bar_width - 0.5, bar_width, tall(day.in_usd.as_ref()), base) />
                            <path class="bar-out" d=bar(middle + 0.5, bar_width, tall(day.out_usd.as_ref()), base) />
                            {named.then(|| view! { <text x=px(middle) y=px(CHART_HEIGHT - 6.0) text-anchor="middle">{short_day(&day.date)}</text> })}
                        </g>
                    }
                })
                .collect_view()
        });
        Some(bars)
    };
    let reading = move || {
        let day = picked
            .get()
            .and_then(|index| days.with(|days| days.get(index).cloned()));
        match day {
            Some(day) => view! {
                <strong>{whole_day(&day.date)}</strong>
                <span class="key">{text::in_()} " " <strong>{dollar_text(day.in_usd, "USD")}</strong></span>
                <span class="key out">{text::out()} " " <strong>{dollar_text(day.out_usd, "USD")}</strong></span>
                <span>{text::movements_of(&count_text(day.count))}</span>
            }
            .into_any(),
            None => view! { <span class="key">{text::in_()}</span><span class="key out">{text::out()}</span><span>{text::chart_hint()}</span> }.into_any(),
        }
    };
    // The table is built on demand.
    let twin = RwSignal::new(false);
    let rows = move || {
        let row = |day: DayVolume| {
            view! {
                <tr><td>{whole_day(&day.date)}</td><td class="end">{dollar_text(day.in_usd, "")}</td><td class="end">{dollar_text(day.out_usd, "")}</td><td class="end">{count_text(day.count)}</td></tr>
            }
        };
        twin.get()
            .then(|| days.get().into_iter().rev().map(row).collect_view())
    };
    view! {
        <figure class="stack-tight">
            <p class="chart-read" aria-live="polite">{reading}</p>
            <div
                class="chart" node_ref=element tabindex="0" role="group" aria-label=text::chart_label()
                on:keydown=move |event| move_mark(&event, picked, days.with_untracked(Vec::len)) on:pointerleave=move |_| picked.set(None) on:blur=move |_| picked.set(None)
            >
                <svg viewBox=move || format!("0 0 {} {}", px(width.get().unwrap_or(WIDTH_FIRST)), px(CHART_HEIGHT)) height=px(CHART_HEIGHT) aria-hidden="true">{grid}{bars}</svg>
            </div>
            <details class="more" on:toggle=move |_| twin.set(true)>
                <summary>{crate::ui::icon::icon(crate::ui::icon::Icon::Right)}{text::as_table()}</summary>
                <div class="table-box" tabindex="0" role="region" aria-label=text::chart_label()>
                    <table class="table">
                        <thead><tr><th scope="col">{text::day()}</th><th scope="col" class="end">{text::in_usd()}</th><th scope="col" class="end">{text::out_usd()}</th><th scope="col" class="end">{text::movements()}</th></tr></thead>
                        <tbody>{rows}</tbody>
                    </table>
                </div>
            </details>
        </figure>
    }
}
