//! Time zone of all timestamps: the browser's, UTC, or the organisation's.

use js_sys::{Array, Date, Function, Intl, Object, Reflect};
use leptos::prelude::*;
use wasm_bindgen::{JsCast, JsValue};

use crate::local_storage;

/// Local storage key: UTC is chosen.
const UTC: &str = "settlekit.utc";
/// Local storage key: name of another chosen zone.
const NAMED: &str = "settlekit.zone";

/// Length of a day in UTC.
pub(crate) const DAY_MS: f64 = 86_400_000.0;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Zone {
    /// The browser's time zone.
    Local,
    Utc,
    /// IANA time zone name.
    Named(String),
}

impl Zone {
    /// The chosen zone; the browser's if the chosen one is unknown here.
    fn chosen() -> Self {
        if local_storage::is_set(UTC) {
            return Self::Utc;
        }
        local_storage::get(NAMED)
            .filter(|name| is_known(name))
            .map_or(Self::Local, Self::Named)
    }

    /// Name of the zone; none for the browser's.
    pub(crate) fn name(&self) -> Option<&str> {
        match self {
            Self::Local => None,
            Self::Utc => Some("UTC"),
            Self::Named(name) => Some(name),
        }
    }

    /// UTC time of the local time `shown`, both in milliseconds.
    pub(crate) fn utc_from_local(&self, shown: f64) -> f64 {
        match self {
            Self::Utc => shown,
            // Browsers parse a time without a zone as local.
            Self::Local => {
                let date = Date::new(&JsValue::from_f64(shown));
                let own = Date::new_with_year_month_day_hr_min_sec(
                    date.get_utc_full_year(),
                    date.get_utc_month() as i32,
                    date.get_utc_date() as i32,
                    date.get_utc_hours() as i32,
                    date.get_utc_minutes() as i32,
                    date.get_utc_seconds() as i32,
                );
                own.get_time()
            }
            // Tries the offsets before and after a DST change. An ambiguous local time is the first one; a skipped one uses the
            // offset before the change, as browsers do.
            Self::Named(name) => {
                let by_clock_of = |near: f64| shown - ahead(name, near);
                let shows = |at: f64| at + ahead(name, at) == shown;
                let (before, after) = (by_clock_of(shown - DAY_MS), by_clock_of(shown + DAY_MS));
                if !shows(before) && shows(after) {
                    after
                } else {
                    before
                }
            }
        }
    }

    /// Local time at a UTC time, both in milliseconds.
    pub(crate) fn shown_at(&self, at: f64) -> f64 {
        match self {
            Self::Utc => at,
            Self::Local => {
                let behind = Date::new(&JsValue::from_f64(at)).get_timezone_offset();
                at - behind * 60_000.0
            }
            Self::Named(name) => at + ahead(name, at),
        }
    }
}

thread_local! {
    // The choice does not change while a page is open.
    static ZONE: Zone = Zone::chosen();
}

pub(crate) fn zone() -> Zone {
    ZONE.with(Clone::clone)
}

/// Sets the zone and reloads the page, because every timestamp changes.
pub(crate) fn choose(zone: &Zone) {
    local_storage::remove(UTC);
    local_storage::remove(NAMED);
    match zone {
        Zone::Local => {}
        Zone::Utc => local_storage::set(UTC, "1"),
        Zone::Named(name) => local_storage::set(NAMED, name),
    }
    // Fails only if the page may not reload.
    let _ = window().location().reload();
}

/// A function of `Intl` by name; none if unsupported.
fn of_intl(name: &str) -> Option<Function> {
    let intl = Reflect::get(&js_sys::global(), &"Intl".into()).ok()?;
    Reflect::get(&intl, &name.into()).ok()?.dyn_into().ok()
}

/// Names of the zones known to the browser; empty if unsupported.
pub(crate) fn known() -> Vec<String> {
    let names = of_intl("supportedValuesOf")
        .and_then(|list| list.call1(&JsValue::UNDEFINED, &"timeZone".into()).ok());
    names
        .map(|names| {
            Array::from(&names)
                .iter()
                .filter_map(|name| name.as_string())
                .collect()
        })
        .unwrap_or_default()
}

fn is_known(name: &str) -> bool {
    let arguments = Array::of2(&JsValue::UNDEFINED, &options(name));
    // An unknown name throws, which `Reflect::construct` returns as an error.
    of_intl("DateTimeFormat").is_some_and(|make| Reflect::construct(&make, &arguments).is_ok())
}

fn options(name: &str) -> Object {
    intl_options(&[
        ("timeZone", name),
        ("hourCycle", "h23"),
        ("year", "numeric"),
        ("month", "numeric"),
        ("day", "numeric"),
        ("hour", "numeric"),
        ("minute", "numeric"),
        ("second", "numeric"),
    ])
}

/// Options of an `Intl` formatter.
pub(crate) fn intl_options(all: &[(&str, &str)]) -> Object {
    let options = Object::new();
    for (key, value) in all {
        // Setting a property of a fresh object cannot fail.
        let _ = Reflect::set(&options, &JsValue::from_str(key), &JsValue::from_str(value));
    }
    options
}

/// Formats a value by the function of an `Intl` formatter.
pub(crate) fn format_with(format: &Function, value: &JsValue) -> String {
    let written = format.call1(&JsValue::UNDEFINED, value).ok();
    written
        .and_then(|text| text.as_string())
        .unwrap_or_default()
}

/// Offset of a zone from UTC at a UTC time, in milliseconds.
fn ahead(name: &str, at: f64) -> f64 {
    let format = Intl::DateTimeFormat::new(&Array::of1(&"en-US".into()), &options(name));
    let parts = format.format_to_parts(&Date::new(&JsValue::from_f64(at)));
    let number = |wanted: &str| {
        let found = parts
            .iter()
            .find(|part| Reflect::get(part, &"type".into()).is_ok_and(|kind| kind == wanted));
        found
            .and_then(|part| {
                Reflect::get(&part, &"value".into())
                    .ok()?
                    .as_string()?
                    .parse::<i32>()
                    .ok()
            })
            .unwrap_or_default()
    };
    let [year, month, day] = ["year", "month", "day"].map(number);
    let [hour, minute, second] = ["hour", "minute", "second"].map(number);
    let shown = Date::parse(&format!(
        "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z"
    ));
    // Formatted times have whole seconds.
    shown - (at - at.rem_euclid(1_000.0))
}
