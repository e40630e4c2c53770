//! Timestamps, absolute, in the reader's language and time zone; the other zone on hover.

use std::cell::RefCell;

use js_sys::{Date, Intl, Object, Reflect};
use leptos::prelude::*;
use settlekit_core::value::Timestamp;
use wasm_bindgen::{JsCast, JsValue};

use crate::text;
use crate::ui::element::{Element, element};
use crate::ui::time_zone::{DAY_MS, Zone, zone};

thread_local! {
    // A formatter costs a thousand times what formatting costs.
    static FORMATS: RefCell<Vec<(&'static str, Intl::DateTimeFormat)>> = const { RefCell::new(Vec::new()) };
}

fn formatted(name: &'static str, options: &[(&str, &str)], date: &Date) -> String {
    FORMATS.with_borrow_mut(|formats| {
        let found = formats.iter().position(|(known, _)| *known == name);
        let at = found.unwrap_or_else(|| {
            let chosen = Object::new();
            for (key, value) in options {
                // Setting a property of a fresh object cannot fail.
                let _ = Reflect::set(&chosen, &JsValue::from_str(key), &JsValue::from_str(value));
            }
            formats.push((
                name,
                Intl::DateTimeFormat::new(&crate::text::locales(), &chosen),
            ));
            formats.len() - 1
        });
        formats[at]
            .1
            .format()
            .call1(&JsValue::UNDEFINED, date)
            .ok()
            .and_then(|text| text.as_string())
            .unwrap_or_default()
    })
}

fn date(moment: Timestamp) -> Date {
    Date::new(&JsValue::from_f64(moment.millis() as f64))
}

const DAY: [(&str, &str); 3] = [("year", "numeric"), ("month", "short"), ("day", "2-digit")];

const CLOCK: [(&str, &str); 4] = [
    ("hour", "2-digit"),
    ("minute", "2-digit"),
    ("second", "2-digit"),
    ("hourCycle", "h23"),
];

/// The same in the zone that is chosen.
fn zoned(name: &'static str, options: &[(&str, &str)], date: &Date) -> String {
    let zone = zone();
    let zone = zone.name().map(|name| ("timeZone", name));
    let options: Vec<(&str, &str)> = options.iter().copied().chain(zone).collect();
    formatted(name, &options, date)
}

fn day_text(date: &Date) -> String {
    zoned("day", &DAY, date)
}

fn clock_text(date: &Date) -> String {
    zoned("clock", &CLOCK, date)
}

/// The short day of a calendar date `2026-11-21`, for axes: `21 Nov`.
pub(crate) fn short_day(day: &str) -> String {
    let date = Date::new(&JsValue::from_str(day));
    formatted(
        "short",
        &[("month", "short"), ("day", "numeric"), ("timeZone", "UTC")],
        &date,
    )
}

/// The whole day of a calendar date `2026-11-21`: `Sat, 21 Nov 2026`.
pub(crate) fn whole_day(day: &str) -> String {
    let date = Date::new(&JsValue::from_str(day));
    formatted(
        "whole",
        &[
            ("weekday", "short"),
            ("year", "numeric"),
            ("month", "short"),
            ("day", "numeric"),
            ("timeZone", "UTC"),
        ],
        &date,
    )
}

/// The first microsecond of a local calendar day, and of the day after; none when the text is not a day.
pub(crate) fn local_day(day: &str) -> Option<(Timestamp, Timestamp)> {
    // Midnight by the clock on the wall, which the zone then places; a day that no calendar has is none here, too.
    let shown: Timestamp = format!("{day}T00:00:00Z").parse().ok()?;
    let midnight = |shown: f64| {
        let millis = zone().moment_of(shown);
        millis
            .is_finite()
            .then(|| Timestamp::from_millis(millis as i64))
    };
    let shown = shown.millis() as f64;
    Some((midnight(shown)?, midnight(shown + DAY_MS)?))
}

/// The reader's own day in which a day of UTC, `2026-11-21`, begins.
pub(crate) fn day_of_utc(day: &str) -> String {
    let shown = zone().shown_at(Date::parse(day));
    Timestamp::from_millis(shown as i64).day()
}

/// The time that a `datetime-local` input shows, in the reader's zone; none if it is empty or incomplete.
pub(crate) fn parse_local_time(text: &str) -> Option<Timestamp> {
    // A browser parses even a lone Z.
    if !text.starts_with(|first: char| first.is_ascii_digit()) {
        return None;
    }
    let millis = zone().moment_of(Date::parse(&format!("{text}Z")));
    millis
        .is_finite()
        .then(|| Timestamp::from_millis(millis as i64))
}

/// The units in which it is told how long ago something was, with their milliseconds; the largest first.
const UNITS: [(&str, f64); 6] = [
    ("year", 365.0 * DAY_MS),
    ("month", 30.0 * DAY_MS),
    ("day", DAY_MS),
    ("hour", 3_600_000.0),
    ("minute", 60_000.0),
    ("second", 1_000.0),
];

/// The relative time: `3 days ago`.
fn age(moment: &Date) -> String {
    let distance = moment.get_time() - Date::now();
    let (unit, length) = UNITS
        .into_iter()
        .find(|(_, length)| distance.abs() >= *length)
        .unwrap_or(UNITS[UNITS.len() - 1]);
    let format = Intl::RelativeTimeFormat::new(&crate::text::locales(), &Object::new());
    format.format((distance / length).trunc(), unit).into()
}

/// What stands between the other zone and the age in what is told on hover.
const BESIDE: &str = " · ";

/// Updates the relative time of a timestamp when it is pointed at.
pub(crate) fn keep_ages_current() {
    let pointed = window_event_listener(leptos::ev::pointerover, |event| {
        let target = event.target();
        let element = target.and_then(|target| target.dyn_into::<web_sys::Element>().ok());
        let time = element.and_then(|element| element.closest("time.moment").ok().flatten());
        let Some(time) = time else { return };
        let told = |name: &str| time.get_attribute(name).unwrap_or_default();
        let (title, datetime) = (told("title"), told("datetime"));
        let other = title.split(BESIDE).next().unwrap_or_default();
        let age = age(&Date::new(&JsValue::from_str(&datetime)));
        // Fails only for a name that no attribute can have.
        let _ = time.set_attribute("title", &format!("{other}{BESIDE}{age}"));
    });
    on_cleanup(move || pointed.remove());
}

/// A timestamp: the day, the time in a quieter colour; on hover UTC and the relative time, or the reader's own time where
/// UTC is shown.
pub(crate) fn timestamp(moment: Timestamp) -> Element {
    let local = date(moment);
    let utc = moment.to_string();
    // The other zone on hover.
    let other = if zone() == Zone::Utc {
        let options = [&DAY[..], &CLOCK, &[("timeZoneName", "short")]].concat();
        formatted("own", &options, &local)
    } else {
        utc.clone()
    };
    element("time", "moment")
        .attr("datetime", utc)
        .attr("title", other)
        .words(format!("{} ", day_text(&local)))
        .child(element("span", "clock").words(clock_text(&local)))
}

/// The day of a timestamp.
pub(crate) fn day(moment: Timestamp) -> Element {
    let utc = moment.to_string();
    element("time", "")
        .attr("datetime", utc.clone())
        .attr("title", utc)
        .words(day_text(&date(moment)))
}

/// A timestamp, or the word for none.
pub(crate) fn optional_timestamp(at: Option<Timestamp>) -> AnyView {
    match at {
        Some(at) => timestamp(at).into_any(),
        None => view! { <span class="quiet">{text::never()}</span> }.into_any(),
    }
}
