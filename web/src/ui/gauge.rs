//! Gauges as SVG: an amount against a mark, and blocks of a chain. The text beside them says the same exactly.
//!
//! Floats are used for positions only.

use leptos::prelude::*;
use settlekit_core::value::Amount;

const WIDTH: f64 = 100.0;

fn length(amount: &Amount) -> f64 {
    js_sys::parse_float(&amount.to_string()).max(0.0)
}

/// A part of the whole, from 0 to the width, with two decimal places.
fn share(part: f64, whole: f64) -> String {
    if whole <= 0.0 {
        return "0".to_owned();
    }
    let hundredths = ((part / whole).clamp(0.0, 1.0) * WIDTH * 100.0).round() as u32;
    format!("{}.{:02}", hundredths / 100, hundredths % 100)
}

/// An amount on a scale with a mark, drawn in the middle unless the amount is far above it.
pub(crate) fn amount_gauge(amount: &Amount, mark: &Amount, is_low: bool, label: String) -> AnyView {
    let (amount, mark) = (length(amount), length(mark));
    let whole = amount.max(mark * 2.0);
    let class = if is_low { "gauge low" } else { "gauge" };
    view! {
        <svg class=class viewBox="0 0 100 10" preserveAspectRatio="none" role="img" aria-label=label>
            <rect class="track" y="2" width="100" height="6" />
            <rect class="fill" y="2" width=share(amount, whole) height="6" />
            <rect class="mark" x=share(mark, whole) width="0.6" height="10" />
        </svg>
    }
    .into_any()
}

/// Blocks from the latest settled one to the latest of the nodes: recorded blocks, then blocks still to be read.
pub(crate) fn block_gauge(recorded: u64, behind: u64, label: String) -> AnyView {
    let whole = (recorded + behind).max(1) as f64;
    let recorded = share(recorded as f64, whole);
    view! {
        <svg class="gauge" viewBox="0 0 100 10" preserveAspectRatio="none" role="img" aria-label=label>
            <rect class="behind" y="2" width="100" height="6" />
            <rect class="fill" y="2" width=recorded.clone() height="6" />
            <rect class="mark" x=recorded width="0.6" height="10" />
        </svg>
    }
    .into_any()
}
