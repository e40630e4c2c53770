//! Bar chart of what came in and went out: by day, or by week where days have no room.

use leptos::prelude::*;
use settlekit_core::overview::OverviewSeries;
use settlekit_core::value::Amount;

use crate::page::home::chart::{Chart, Marks, SIDE, day_labels, dollar_text};
use crate::page::home::days::{Series, days, is_zero, missing_note, sum_comparison};
use crate::text::{self, home as words};
use crate::ui::{
    CHART_BOTTOM, CHART_HEIGHT, CHART_TOP, Empty, Icon, axis_steps, axis_text, figure, grid_lines,
    height_of, px, total_worth, whole_day,
};

/// Maximum number of days with a bar each.
const DAYS_MAX: usize = 90;

/// What came in and went out from one day to another.
#[derive(Debug, Clone, PartialEq)]
struct Span {
    from: String,
    to: String,
    incoming: Option<Amount>,
    outgoing: Option<Amount>,
}

impl Span {
    fn title(&self) -> String {
        let to = whole_day(&self.to);
        if self.from == self.to {
            to
        } else {
            words::span(&whole_day(&self.from), &to)
        }
    }
}

fn by_day(series: &Series) -> Vec<Span> {
    let incoming = days(&series.incoming.current);
    let outgoing = days(&series.outgoing.current);
    let both = incoming.into_iter().zip(outgoing);
    both.map(|(incoming, outgoing)| Span {
        from: incoming.date.clone(),
        to: incoming.date,
        incoming: incoming.amount,
        outgoing: outgoing.amount,
    })
    .collect()
}

/// Weeks, counted from the newest day.
fn by_week(days: &[Span]) -> Vec<Span> {
    let week = |days: &[Span]| {
        Some(Span {
            from: days.first()?.from.clone(),
            to: days.last()?.to.clone(),
            incoming: sum(days.iter().map(|day| day.incoming)),
            outgoing: sum(days.iter().map(|day| day.outgoing)),
        })
    };
    let mut weeks: Vec<Span> = days.rchunks(7).filter_map(week).collect();
    weeks.reverse();
    weeks
}

/// The sum of the known amounts, if any.
fn sum(amounts: impl Iterator<Item = Option<Amount>>) -> Option<Amount> {
    let mut amounts = amounts.flatten();
    let first = amounts.next()?;
    amounts.try_fold(first, |sum, amount| sum.plus(amount).ok())
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

/// What came in and went out, each with its sum beside that of the previous period.
#[component]
pub(super) fn Volume(series: Memo<Option<Series>>) -> impl IntoView {
    let read = move |read: fn(&Series) -> AnyView| series.with(|series| series.as_ref().map(read));
    let is_empty = Memo::new(move |_| {
        series.with(|series| {
            let series = series.as_ref();
            series.is_none_or(
                |Series {
                     incoming, outgoing, ..
                 }| { is_zero(&incoming.current) && is_zero(&outgoing.current) },
            )
        })
    });
    let is_priced = Memo::new(move |_| {
        series.with(|series| {
            let series = series.as_ref();
            series.is_some_and(|series| !series.incoming.current.points.is_empty())
        })
    });
    let days =
        Memo::new(move |_| series.with(|series| series.as_ref().map(by_day).unwrap_or_default()));
    let content = move || {
        match (is_priced.get(), is_empty.get()) {
        (false, _) => view! { <Empty picture=Icon::Clock title=text::rates::no_history() hint=words::no_prices_hint() /> }.into_any(),
        (true, true) => view! { <Empty picture=Icon::Movements title=words::no_volume() hint=words::no_volume_hint() /> }.into_any(),
        (true, false) => view! { <VolumeChart days=days /> }.into_any(),
    }
    };
    view! {
        <section class="stack-tight" aria-labelledby="volume-title">
            <h2 class="section-title" id="volume-title">{words::volume()}</h2>
            {move || read(sums)}
            {move || read(|series| missing_note(&series.incoming))}
            {content}
        </section>
    }
}

fn sums(series: &Series) -> AnyView {
    let one = |label, series: &OverviewSeries| {
        let sum = match series.current.sum_usd {
            Some(sum) => total_worth(sum).into_any(),
            None => text::not_available().into_any(),
        };
        figure(label, sum, Some(sum_comparison(series)))
    };
    view! { <dl class="figures level">{one(text::in_(), &series.incoming)}{one(text::out(), &series.outgoing)}</dl> }
        .into_any()
}

/// The bar at a place between 0 and 1.
fn nearest(along: f64, count: usize) -> usize {
    let index = (along * count as f64) as usize;
    index.min(count.saturating_sub(1))
}

#[component]
fn VolumeChart(days: Memo<Vec<Span>>) -> impl IntoView {
    let marks = Marks::start();
    let is_weekly = Memo::new(move |_| days.with(Vec::len) > DAYS_MAX);
    let bars = Memo::new(move |_| {
        if is_weekly.get() {
            days.with(|days| by_week(days))
        } else {
            days.get()
        }
    });
    let base = CHART_HEIGHT - CHART_BOTTOM;
    let scale = Memo::new(move |_| {
        let top = bars.with(|bars| {
            let both = bars.iter().flat_map(|bar| [bar.incoming, bar.outgoing]);
            both.map(|amount| height_of(amount.as_ref()))
                .fold(0.0, f64::max)
        });
        axis_steps(top)
    });
    let grid = move || {
        let right = marks.width.get()?;
        let (step, count) = scale.get();
        let label = move |index| axis_text(step * f64::from(index));
        Some(grid_lines((SIDE, right), count, label))
    };
    let drawing = move || {
        let plot = (marks.width.get()? - SIDE).max(1.0);
        let (step, count) = scale.get();
        let top = step * f64::from(count);
        let picked = marks.picked;
        let drawn = bars.with(|bars| {
            let slot = plot / bars.len().max(1) as f64;
            let bar_width = (slot * 0.36).clamp(1.0, 12.0);
            let middle = |index: usize| SIDE + slot * (index as f64 + 0.5);
            let tall =
                |amount: &Option<Amount>| (base - CHART_TOP) * height_of(amount.as_ref()) / top;
            let one = |(index, span): (usize, &Span)| {
                let middle = middle(index);
                let left = middle - slot / 2.0;
                view! {
                    <g class:picked=move || picked.get() == Some(index)>
                        <rect class="day" x=px(left) y=px(CHART_TOP) width=px(slot) height=px(base - CHART_TOP) />
                        <path class="bar-in" d=bar(middle - bar_width - 0.5, bar_width, tall(&span.incoming), base) />
                        <path class="bar-out" d=bar(middle + 0.5, bar_width, tall(&span.outgoing), base) />
                    </g>
                }
            };
            let labels = bars.iter().enumerate();
            let labels = labels.map(|(index, span)| (middle(index), span.to.clone()));
            let labels = day_labels(labels, slot);
            let drawn = bars.iter().enumerate().map(one).collect_view();
            view! { {drawn}{labels} }.into_any()
        });
        Some(drawn)
    };
    let reading = move || {
        let span = marks
            .picked
            .get()
            .and_then(|index| bars.with(|bars| bars.get(index).cloned()));
        match span {
            Some(span) => view! {
                <strong>{span.title()}</strong>
                <span class="key">{text::in_()} " " <strong>{dollar_text(span.incoming, "USD")}</strong></span>
                <span class="key out">{text::out()} " " <strong>{dollar_text(span.outgoing, "USD")}</strong></span>
            }
            .into_any(),
            None => view! { <span class="key">{text::in_()}</span><span class="key out">{text::out()}</span><span>{words::chart_hint()}</span> }.into_any(),
        }
    };
    let rows = move || {
        let row = |day: Span| {
            view! {
                <tr><td>{day.title()}</td><td class="end">{dollar_text(day.incoming, "")}</td><td class="end">{dollar_text(day.outgoing, "")}</td></tr>
            }
        };
        days.get().into_iter().rev().map(row).collect_view()
    };
    let label = Signal::derive(move || {
        if is_weekly.get() {
            words::weekly_chart()
        } else {
            text::chart_label()
        }
    });
    view! {
        <Chart
            marks=marks label=label count=Signal::derive(move || bars.with(Vec::len))
            nearest=nearest
            reading=ViewFn::from(reading) heads=vec![text::day(), text::in_usd(), text::out_usd()] rows=ViewFn::from(rows)
        >
            {grid}{drawing}
        </Chart>
    }
}
