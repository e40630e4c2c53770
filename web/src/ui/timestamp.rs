//! Absolute timestamps in the user's locale and time zone; another zone on hover.

use std::cell::RefCell;

use js_sys::{Date, Intl, Object};
use leptos::prelude::*;
use settlekit_core::value::Timestamp;
use wasm_bindgen::JsValue;

use crate::text;
use crate::ui::element::{Element, element};
use crate::ui::focus::target_of;
use crate::ui::service_time::service_now;
use crate::ui::time_zone::{DAY_MS, Zone, format_with, intl_options, zone};

thread_local! {
    // Cached: creating a formatter costs a thousand times as much as formatting.
    static FORMATS: RefCell<Vec<(&'static str, Intl::DateTimeFormat)>> = const { RefCell::new(Vec::new()) };
}

fn formatted(name: &'static str, options: &[(&str, &str)], date: &Date) -> String {
    FORMATS.with_borrow_mut(|formats| {
        let found = formats.iter().position(|(known, _)| *known == name);
        let at = found.unwrap_or_else(|| {
            let format = Intl::DateTimeFormat::new(&text::locales(), &intl_options(options));
            formats.push((name, format));
            formats.len() - 1
        });
        format_with(&formats[at].1.format(), date)
    })
}

fn date(at: Timestamp) -> Date {
    Date::new(&JsValue::from_f64(at.millis() as f64))
}

const YEAR: (&str, &str) = ("year", "numeric");

const DAY: [(&str, &str); 3] = [YEAR, ("month", "short"), ("day", "2-digit")];

const CLOCK: [(&str, &str); 4] = [
    ("hour", "2-digit"),
    ("minute", "2-digit"),
    ("second", "2-digit"),
    ("hourCycle", "h23"),
];

/// Formats in the chosen zone.
fn zoned(name: &'static str, options: &[(&str, &str)], date: &Date) -> String {
    let zone = zone();
    let zone = zone.name().map(|name| ("timeZone", name));
    let options: Vec<(&str, &str)> = options.iter().copied().chain(zone).collect();
    formatted(name, &options, date)
}

/// The day of a date, with the year if it is not the current one.
fn day_text(date: &Date) -> String {
    let year = |date: &Date| zoned("year", &[YEAR], date);
    if year(date) == year(&self::date(service_now())) {
        zoned("short local", &DAY[1..], date)
    } else {
        zoned("day", &DAY, date)
    }
}

/// Options of a calendar date, which has no time zone: weekday, year, month, day, and the zone that it is read in.
const CALENDAR: [(&str, &str); 5] = [
    ("weekday", "short"),
    ("year", "numeric"),
    ("month", "short"),
    ("day", "numeric"),
    ("timeZone", "UTC"),
];

/// Short day of a calendar date `2026-11-21`, for axes: `21 Nov`.
pub(crate) fn short_day(day: &str) -> String {
    formatted("short", &CALENDAR[2..], &Date::new(&day.into()))
}

/// Long day of a calendar date `2026-11-21`: `Sat, 21 Nov 2026`.
pub(crate) fn whole_day(day: &str) -> String {
    formatted("whole", &CALENDAR, &Date::new(&day.into()))
}

/// Short day of a time in the user's zone, for axes: `21 Nov`.
pub(crate) fn short_local_day(at: Timestamp) -> String {
    zoned("short local", &DAY[1..], &date(at))
}

/// Hour and minute of a time in the user's zone, for axes: `14:00`.
pub(crate) fn short_local_time(at: Timestamp) -> String {
    let options = [CLOCK[0], CLOCK[1], CLOCK[3]];
    zoned("short clock", &options, &date(at))
}

/// Start of a local calendar day and of the following day; none if the text is not a day.
pub(crate) fn local_day(day: &str) -> Option<(Timestamp, Timestamp)> {
    // Local midnight, converted by the zone; also rejects days that don't exist.
    let shown: Timestamp = format!("{day}T00:00:00Z").parse().ok()?;
    let midnight = shown.millis() as f64;
    Some((from_local(midnight)?, from_local(midnight + DAY_MS)?))
}

/// The local time `shown`, in milliseconds; none if it is not a number.
fn from_local(shown: f64) -> Option<Timestamp> {
    let millis = zone().utc_from_local(shown);
    let is_known = millis.is_finite();
    is_known.then(|| Timestamp::from_millis(millis as i64))
}

/// The user's local day at the start of a UTC day `2026-11-21`.
pub(crate) fn day_of_utc(day: &str) -> String {
    let shown = zone().shown_at(Date::parse(day));
    Timestamp::from_millis(shown as i64).day()
}

/// Time of a `datetime-local` input in the user's zone; none if it is empty or incomplete.
pub(crate) fn parse_local_time(text: &str) -> Option<Timestamp> {
    // Browsers parse even a single "Z".
    if !text.starts_with(|first: char| first.is_ascii_digit()) {
        return None;
    }
    from_local(Date::parse(&format!("{text}Z")))
}

/// Units of relative times with their milliseconds, largest first.
const UNITS: [(&str, f64); 6] = [
    ("year", 365.0 * DAY_MS),
    ("month", 30.0 * DAY_MS),
    ("day", DAY_MS),
    ("hour", 3_600_000.0),
    ("minute", 60_000.0),
    ("second", 1_000.0),
];

/// Relative time: `3 days ago`, `in 4 minutes`.
pub(crate) fn time_ago(at: Timestamp) -> String {
    age(&date(at))
}

/// Relative time of a date.
fn age(at: &Date) -> String {
    let distance = at.get_time() - service_now().millis() as f64;
    let (unit, length) = UNITS
        .into_iter()
        .find(|(_, length)| distance.abs() >= *length)
        .unwrap_or(UNITS[UNITS.len() - 1]);
    let format = Intl::RelativeTimeFormat::new(&crate::text::locales(), &Object::new());
    format.format((distance / length).trunc(), unit).into()
}

/// Separator between the other zone and the relative time in the tooltip.
const SEPARATOR: &str = " · ";

/// Updates the relative time of a timestamp on hover.
pub(crate) fn keep_ages_current() {
    let pointed = window_event_listener(leptos::ev::pointerover, |event| {
        let time = target_of(&event);
        let time = time.and_then(|element| element.closest("time.timestamp").ok().flatten());
        let Some(time) = time else { return };
        let attribute = |name: &str| time.get_attribute(name).unwrap_or_default();
        let (title, datetime) = (attribute("title"), attribute("datetime"));
        let other = title.split(SEPARATOR).next().unwrap_or_default();
        let age = age(&Date::new(&JsValue::from_str(&datetime)));
        // Fails only for an invalid name.
        let _ = time.set_attribute("title", &format!("{other}{SEPARATOR}{age}"));
    });
    on_cleanup(move || pointed.remove());
}

/// A timestamp: day, then hour and minute in a muted colour. The tooltip has the exact time in UTC, or the local time if UTC is
/// chosen, and the relative time.
pub(crate) fn timestamp(at: Timestamp) -> Element {
    let local = date(at);
    let utc = at.to_string();
    // Tooltip with the other zone.
    let other = if zone() == Zone::Utc {
        let options = [&DAY[..], &CLOCK, &[("timeZoneName", "short")]].concat();
        formatted("own", &options, &local)
    } else {
        utc.clone()
    };
    element("time", "timestamp")
        .attr("datetime", utc)
        .attr("title", other)
        .words(format!("{} ", day_text(&local)))
        .child(element("span", "clock").words(short_local_time(at)))
}

/// A day with its year, for paper.
pub(crate) fn day(at: Timestamp) -> Element {
    let utc = at.to_string();
    element("time", "")
        .attr("datetime", utc.clone())
        .attr("title", utc)
        .words(zoned("day", &DAY, &date(at)))
}

/// A timestamp, or the word for none.
pub(crate) fn optional_timestamp(at: Option<Timestamp>) -> AnyView {
    match at {
        Some(at) => timestamp(at).into_any(),
        None => view! { <span class="quiet">{text::never()}</span> }.into_any(),
    }
}
