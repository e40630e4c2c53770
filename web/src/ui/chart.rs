//! What all charts have, as SVG: size, axes, and the mark that keys move.
//!
//! Floats are used for positions only; displayed figures are exact. The browser parses floats and computes powers: Rust's own code
//! would add twelve kilobytes of tables.

use js_sys::Intl;
use leptos::html;
use leptos::prelude::*;
use settlekit_core::value::Amount;
use wasm_bindgen::JsValue;

use crate::ui::time_zone::{format_with, intl_options};

/// Height of a chart, and what of it is above and below the drawing.
pub(crate) const CHART_HEIGHT: f64 = 272.0;
pub(crate) const CHART_TOP: f64 = 8.0;
pub(crate) const CHART_BOTTOM: f64 = 24.0;

/// An amount as a position; nothing is 0.
pub(crate) fn height_of(amount: Option<&Amount>) -> f64 {
    amount.map_or(0.0, |amount| js_sys::parse_float(&amount.to_string()))
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
pub(crate) fn axis_text(value: f64) -> String {
    AXIS.with(|format| format_with(&format.format(), &JsValue::from_f64(value)))
}

/// The width of a chart's box once it is known, kept current.
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
