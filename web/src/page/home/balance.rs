//! Line chart of the balance, with that of the previous period.

use leptos::prelude::*;

use crate::page::home::chart::{Chart, Marks, SIDE, day_labels, dollar_text};
use crate::page::home::days::{Day, Series, comparison, days, is_zero, last, missing_note};
use crate::text::{self, home as words};
use crate::ui::{
    CHART_BOTTOM, CHART_HEIGHT, CHART_TOP, Empty, Icon, axis_steps, axis_text, grid_lines,
    height_of, px, whole_day,
};

/// Space at the right of the newest day.
const MARGIN: f64 = 8.0;

/// The days of a period, and of the one before.
#[derive(Debug, Clone, Default, PartialEq)]
struct Lines {
    days: Vec<Day>,
    before: Vec<Day>,
}

impl Lines {
    fn of(series: &Series) -> Self {
        let before = series.balance.previous.as_ref();
        Self {
            days: days(&series.balance.current),
            before: before.map(days).unwrap_or_default(),
        }
    }
}

/// Maps days and amounts to positions.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Scale {
    /// Number of days.
    count: usize,
    /// The lowest label, the distance of labels, and their number above the lowest.
    bottom: f64,
    step: f64,
    steps: u32,
}

impl Scale {
    fn of(lines: &Lines) -> Self {
        let both = lines.days.iter().chain(&lines.before);
        let heights = both.map(|day| height_of(day.amount.as_ref()));
        // From zero, so that a small change looks small.
        let (low, high) = heights.fold((0.0, 0.0), |(low, high): (f64, f64), height| {
            (low.min(height), high.max(height))
        });
        let (step, _) = axis_steps(high - low);
        let bottom = (low / step).floor() * step;
        Self {
            count: lines.days.len(),
            bottom,
            step,
            steps: ((high - bottom) / step).ceil().max(1.0) as u32,
        }
    }

    /// The distance of two days in a chart that is `width` wide.
    fn distance(self, width: f64) -> f64 {
        (width - SIDE - MARGIN).max(1.0) / self.count.saturating_sub(1).max(1) as f64
    }

    fn x(self, index: usize, width: f64) -> f64 {
        SIDE + self.distance(width) * index as f64
    }

    fn y(self, day: &Day) -> f64 {
        let base = CHART_HEIGHT - CHART_BOTTOM;
        let up =
            (height_of(day.amount.as_ref()) - self.bottom) / (self.step * f64::from(self.steps));
        base - up * (base - CHART_TOP)
    }

    /// The line through the amounts; days without one are gaps.
    fn line(self, days: &[Day], width: f64) -> String {
        let mut path = String::new();
        let mut continues = false;
        for (index, day) in days.iter().enumerate() {
            if day.amount.is_none() {
                continues = false;
                continue;
            }
            let (x, y) = (px(self.x(index, width)), px(self.y(day)));
            if continues {
                path.push_str(&format!("L{x} {y}"));
            } else {
                // A lone day is a dot.
                path.push_str(&format!("M{x} {y}h.1"));
            }
            continues = true;
        }
        path
    }
}

/// The balance of each day, and how it changed in the period.
#[component]
pub(super) fn Balance(series: Memo<Option<Series>>) -> impl IntoView {
    let read = move |read: fn(&Series) -> AnyView| series.with(|series| series.as_ref().map(read));
    let lines = Memo::new(move |_| {
        series.with(|series| series.as_ref().map(Lines::of).unwrap_or_default())
    });
    let is_priced =
        Memo::new(move |_| lines.with(|lines| lines.days.iter().any(|day| day.amount.is_some())));
    let is_empty = Memo::new(move |_| {
        series.with(|series| {
            let balance = series.as_ref().map(|series| &series.balance);
            balance.is_none_or(|balance| {
                is_zero(&balance.current) && balance.previous.as_ref().is_none_or(is_zero)
            })
        })
    });
    let content = move || {
        match (is_priced.get(), is_empty.get()) {
        (false, _) => view! { <Empty picture=Icon::Clock title=text::rates::no_history() hint=words::no_prices_hint() /> }.into_any(),
        (true, true) => view! { <Empty picture=Icon::Accounts title=words::no_balance() hint=words::no_balance_hint() /> }.into_any(),
        (true, false) => view! { <BalanceChart lines=lines /> }.into_any(),
    }
    };
    view! {
        <section class="stack-tight" aria-labelledby="balance-title">
            <h2 class="section-title" id="balance-title">{words::balance_over_time()}</h2>
            <p class="quiet">{move || read(change)}</p>
            {move || read(|series| missing_note(&series.balance))}
            {content}
        </section>
    }
}

/// The balance at the end of the previous period, and the change since.
fn change(series: &Series) -> AnyView {
    let before = series.balance.previous.as_ref().and_then(last);
    let now = last(&series.balance.current);
    comparison((before, now), words::before_balance)
}

/// The day nearest to a place between 0 and 1.
fn nearest(along: f64, count: usize) -> usize {
    (along * count.saturating_sub(1) as f64).round() as usize
}

#[component]
fn BalanceChart(lines: Memo<Lines>) -> impl IntoView {
    let marks = Marks::start();
    let Marks { width, picked, .. } = marks;
    let scale = Memo::new(move |_| lines.with(Scale::of));
    let base = CHART_HEIGHT - CHART_BOTTOM;
    let grid = move || {
        let Scale {
            bottom,
            step,
            steps,
            ..
        } = scale.get();
        let label = move |index| axis_text(bottom + step * f64::from(index));
        Some(grid_lines((SIDE, width.get()?), steps, label))
    };
    let labels = move || {
        let (width, scale) = (width.get()?, scale.get());
        Some(lines.with(|lines| {
            let days = lines.days.iter().enumerate();
            let days = days.map(|(index, day)| (scale.x(index, width), day.date.clone()));
            day_labels(days, scale.distance(width))
        }))
    };
    let line = move |of: fn(&Lines) -> &[Day]| {
        move || {
            let width = width.get()?;
            Some(lines.with(|lines| scale.get().line(of(lines), width)))
        }
    };
    let (before, now) = (
        line(|lines| lines.before.as_slice()),
        line(|lines| lines.days.as_slice()),
    );
    let mark = move || {
        let (width, index) = (width.get()?, picked.get()?);
        let scale = scale.get();
        let y = lines.with(|lines| {
            let day = lines.days.get(index)?;
            Some(day.amount.as_ref().map(|_| px(scale.y(day))))
        })?;
        let x = px(scale.x(index, width));
        let dot = y.map(|y| view! { <circle class="bar-in" cx=x.clone() cy=y r="4" /> });
        Some(view! { <line class="base" x1=x.clone() x2=x y1=px(CHART_TOP) y2=px(base) />{dot} })
    };
    let reading = move || {
        let found = picked.get().and_then(|index| {
            lines.with(|lines| {
                let day = lines.days.get(index)?.clone();
                Some((day, lines.before.get(index).cloned()))
            })
        });
        let Some((day, before)) = found else {
            return view! { <span class="key">{text::balance()}</span><span class="key out">{words::previous_period()}</span><span>{words::chart_hint()}</span> }
                .into_any();
        };
        let before = before.map(|before| view! {
            <span class="key out">{whole_day(&before.date)} " " <strong>{dollar_text(before.amount, "USD")}</strong></span>
        });
        view! {
            <span class="key">{whole_day(&day.date)} " " <strong>{dollar_text(day.amount, "USD")}</strong></span>
            {before}
        }
        .into_any()
    };
    let rows = move || {
        let Lines { days, before } = lines.get();
        let row = |(index, day): (usize, Day)| {
            let before = before.get(index).cloned();
            let (date, amount) = before.map(|day| (day.date, day.amount)).unzip();
            let amount = amount.map(|amount| dollar_text(amount, ""));
            view! {
                <tr><td>{whole_day(&day.date)}</td><td class="end">{dollar_text(day.amount, "")}</td><td class="end">{date.as_deref().map(whole_day)}</td><td class="end">{amount}</td></tr>
            }
        };
        let rows = days.into_iter().enumerate().rev().map(row);
        rows.collect_view()
    };
    view! {
        <Chart
            marks=marks label=Signal::derive(words::balance_chart) count=Signal::derive(move || lines.with(|lines| lines.days.len()))
            nearest=nearest
            reading=ViewFn::from(reading) heads=vec![text::day(), words::balance_usd(), words::compared_with(), words::before_usd()] rows=ViewFn::from(rows)
        >
            {grid}{labels}<path class="line before" stroke-linejoin="round" stroke-linecap="round" d=before /><path class="line" stroke-linejoin="round" stroke-linecap="round" d=now />{mark}
        </Chart>
    }
}
