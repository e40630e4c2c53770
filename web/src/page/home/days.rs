//! The series of a period: their days, and how a period differs from the one before.

use leptos::prelude::*;
use settlekit_core::overview::{OverviewSeries, SeriesPart};
use settlekit_core::value::{Amount, Timestamp};

use crate::text::home as words;
use crate::ui::{amount_text, grouped_text, total_worth_text};

/// The series of a period.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Series {
    pub(super) balance: OverviewSeries,
    pub(super) incoming: OverviewSeries,
    pub(super) outgoing: OverviewSeries,
}

impl Series {
    pub(super) fn is_of_one_period(&self) -> bool {
        let first = &self.balance.current.from;
        *first == self.incoming.current.from && *first == self.outgoing.current.from
    }
}

/// A day with its amount; none if some of its money had no price.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Day {
    pub(super) date: String,
    pub(super) amount: Option<Amount>,
}

fn number(date: &str) -> Option<i64> {
    let midnight: Timestamp = format!("{date}T00:00:00Z").parse().ok()?;
    Some(midnight.day_number())
}

/// All days of a period, oldest first: the series leaves out those without an amount.
pub(super) fn days(part: &SeriesPart) -> Vec<Day> {
    let Some((from, to)) = number(&part.from).zip(number(&part.to)) else {
        return Vec::new();
    };
    let mut points = part.points.iter().peekable();
    let day = |number| {
        let date = Timestamp::from_day_number(number).day();
        let point = points.next_if(|point| point.date == date);
        Day {
            amount: point.map(|point| point.amount_usd),
            date,
        }
    };
    (from..=to).map(day).collect()
}

/// The amount of the last day.
pub(super) fn last(part: &SeriesPart) -> Option<Amount> {
    let last = part.points.last();
    let last = last.filter(|point| point.date == part.to);
    last.map(|point| point.amount_usd)
}

/// Whether a period has no amount other than zero.
pub(super) fn is_zero(part: &SeriesPart) -> bool {
    part.points.iter().all(|point| point.amount_usd.is_zero())
}

/// Change in percent with one decimal place, rounded half away from zero; none unless there was money before.
fn change(before: Amount, now: Amount) -> Option<Amount> {
    let scale = before.scale().max(now.scale());
    let (before, now) = (before.to_units(scale).ok()?, now.to_units(scale).ok()?);
    if before <= 0 {
        return None;
    }
    let difference = now.checked_sub(before)?;
    let doubled = difference.checked_abs()?.checked_mul(2_000)?;
    let tenths = doubled.checked_add(before)? / before.checked_mul(2)?;
    Amount::from_units(tenths * difference.signum(), 1).ok()
}

/// The amount before, and the change since in percent.
pub(super) fn comparison(
    (before, now): (Option<Amount>, Option<Amount>),
    label: fn(&str) -> String,
) -> AnyView {
    let Some(before) = before else {
        return words::no_before().into_any();
    };
    let change = now.and_then(|now| change(before, now)).map(|change| {
        let sign = if change.is_positive() { "+" } else { "" };
        let number = format!("{sign}{}", grouped_text(&change));
        view! { <strong>{words::percent(&number)}</strong>" " }
    });
    let exact = amount_text(&before, "USD");
    let before = label(&total_worth_text(before));
    view! { {change}<span title=exact>{before}</span> }.into_any()
}

/// [`comparison`] of sums. Sums of periods with missing days are shown, but not compared.
pub(super) fn sum_comparison(series: &OverviewSeries) -> AnyView {
    let before = series.previous.as_ref();
    let is_whole = |part: &SeriesPart| part.missing_days == 0;
    let comparable = is_whole(&series.current) && before.is_some_and(is_whole);
    let now = series.current.sum_usd.filter(|_| comparable);
    let before = before.and_then(|part| part.sum_usd);
    comparison((before, now), words::before_sum)
}

/// How many days are missing, if any.
pub(super) fn missing_note(series: &OverviewSeries) -> AnyView {
    let before = series.previous.as_ref().map_or(0, |part| part.missing_days);
    let now = series.current.missing_days;
    let now = (now > 0).then(|| words::missing_days(now));
    let before = (before > 0).then(|| words::missing_before(before));
    let lines = now.into_iter().chain(before);
    lines
        .map(|line| view! { <p class="quiet">{line}</p> })
        .collect_view()
        .into_any()
}
