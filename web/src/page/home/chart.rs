//! What both charts have: the picked mark by pointer and by keyboard, its reading, and the table.

use leptos::html;
use leptos::prelude::*;
use settlekit_core::value::Amount;

use crate::text;
use crate::ui::{
    CHART_HEIGHT, Icon, amount_text, chart_width, dollars, icon, move_mark, px, short_day,
};

/// Width of the axis labels.
pub(super) const SIDE: f64 = 52.0;
const WIDTH_FIRST: f64 = 720.0;
/// Width for the label of a day.
const LABEL: f64 = 64.0;

/// The size of a chart, and its picked mark.
#[derive(Clone, Copy)]
pub(super) struct Marks {
    element: NodeRef<html::Div>,
    /// None until the chart is on the page.
    pub(super) width: RwSignal<Option<f64>>,
    pub(super) picked: RwSignal<Option<usize>>,
}

impl Marks {
    pub(super) fn start() -> Self {
        let element = NodeRef::new();
        Self {
            element,
            width: chart_width(element),
            picked: RwSignal::new(None),
        }
    }
}

/// A day's amount in US dollars, or the word for none.
pub(super) fn dollar_text(amount: Option<Amount>, currency: &str) -> String {
    amount.map_or_else(
        || text::not_available().to_owned(),
        |amount| amount_text(&dollars(amount), currency),
    )
}

/// Labels of the days below a chart, each with its position and the distance of two. Counted from the newest, so that today always
/// has one.
pub(super) fn day_labels(
    days: impl ExactSizeIterator<Item = (f64, String)>,
    distance: f64,
) -> AnyView {
    let every = (LABEL / distance.max(0.1)).ceil().max(1.0) as usize;
    let newest = days.len().saturating_sub(1);
    let label = |(index, (x, day)): (usize, (f64, String))| {
        let is_named = (newest - index).is_multiple_of(every);
        is_named.then(|| view! { <text x=px(x) y=px(CHART_HEIGHT - 6.0) text-anchor="middle">{short_day(&day)}</text> })
    };
    days.enumerate().filter_map(label).collect_view().into_any()
}

#[component]
pub(super) fn Chart(
    marks: Marks,
    label: Signal<&'static str>,
    /// Number of marks.
    count: Signal<usize>,
    /// The mark at a place between 0 and 1, of this number.
    nearest: fn(f64, usize) -> usize,
    /// What is read at the picked mark.
    reading: ViewFn,
    /// Heads of the table: the day, and amounts.
    heads: Vec<&'static str>,
    rows: ViewFn,
    /// The drawing.
    children: Children,
) -> impl IntoView {
    let Marks {
        element,
        width,
        picked,
    } = marks;
    let point_at = move |event: web_sys::PointerEvent| {
        let Some((element, width)) = element.get_untracked().zip(width.get_untracked()) else {
            return;
        };
        let x = f64::from(event.client_x()) - element.get_bounding_client_rect().left();
        let along = ((x - SIDE) / (width - SIDE).max(1.0)).clamp(0.0, 1.0);
        let index = Some(nearest(along, count.get_untracked()));
        if picked.get_untracked() != index {
            picked.set(index);
        }
    };
    // The table is built on demand.
    let has_table = RwSignal::new(false);
    let rows = move || has_table.get().then(|| rows.run());
    let heads = heads.into_iter().enumerate().map(|(at, head)| {
        let class = if at == 0 { "" } else { "end" };
        view! { <th scope="col" class=class>{head}</th> }
    });
    view! {
        <figure class="stack-tight">
            <p class="chart-read" aria-live="polite">{move || reading.run()}</p>
            <div
                class="chart" node_ref=element tabindex="0" role="group" aria-label=move || label.get()
                on:keydown=move |event| move_mark(&event, picked, count.get_untracked())
                on:pointermove=point_at on:pointerleave=move |_| picked.set(None) on:blur=move |_| picked.set(None)
            >
                <svg viewBox=move || format!("0 0 {} {}", px(width.get().unwrap_or(WIDTH_FIRST)), px(CHART_HEIGHT)) height=px(CHART_HEIGHT) aria-hidden="true">{children()}</svg>
            </div>
            <details class="more" on:toggle=move |_| has_table.set(true)>
                <summary>{icon(Icon::Right)}{text::as_table()}</summary>
                <div class="table-box" tabindex="0" role="region" aria-label=move || label.get()>
                    <table class="table">
                        <thead><tr>{heads.collect_view()}</tr></thead>
                        <tbody>{rows}</tbody>
                    </table>
                </div>
            </details>
        </figure>
    }
}
