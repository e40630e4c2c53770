//! The billing calendar: start and end of periods.
//!
//! Every period is computed from the start of the first one, so that month lengths cause no drift: starting on the 31st, the
//! second period begins on the 28th and the third on the 31st again.

use std::time::Duration;

use settlekit_core::plan::RecurringInterval;
use settlekit_core::value::Timestamp;
use time::{Month, OffsetDateTime};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// The time some intervals later; `None` on overflow.
pub(crate) fn after(
    start: Timestamp,
    interval: &RecurringInterval,
    count: u32,
) -> Option<Timestamp> {
    match interval {
        RecurringInterval::Day => Some(start.plus(DAY.checked_mul(count)?)),
        RecurringInterval::Week => Some(start.plus(DAY.checked_mul(count.checked_mul(7)?)?)),
        RecurringInterval::Month => months_after(start, count),
        RecurringInterval::Year => months_after(start, count.checked_mul(12)?),
        RecurringInterval::Unknown | RecurringInterval::Other(_) => None,
    }
}

fn months_after(start: Timestamp, count: u32) -> Option<Timestamp> {
    let nanos = i128::from(start.micros()) * 1000;
    let from = OffsetDateTime::from_unix_timestamp_nanos(nanos).ok()?;
    let months =
        i64::from(from.year()) * 12 + i64::from(u8::from(from.month())) - 1 + i64::from(count);
    let year = i32::try_from(months.div_euclid(12)).ok()?;
    let month = Month::try_from(u8::try_from(months.rem_euclid(12) + 1).ok()?).ok()?;
    let day = from.day().min(month.length(year));
    let date = time::Date::from_calendar_date(year, month, day).ok()?;
    let micros = from.replace_date(date).unix_timestamp_nanos() / 1000;
    Some(Timestamp::from_micros(i64::try_from(micros).ok()?))
}

/// The end of a trial in a plan's notation, `P14D`, `P2W`, `P1M`; `None` without a trial.
pub(crate) fn trial_end(start: Timestamp, period: Option<&str>) -> Option<Timestamp> {
    let rest = period?.strip_prefix('P')?;
    let unit = rest.chars().last()?;
    let interval = match unit {
        'D' => RecurringInterval::Day,
        'W' => RecurringInterval::Week,
        'M' => RecurringInterval::Month,
        _ => return None,
    };
    let count: u32 = rest.strip_suffix(unit)?.parse().ok()?;
    after(start, &interval, count).filter(|end| *end > start)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(start: &str, interval: RecurringInterval, count: u32, expected: &str) {
        let start: Timestamp = start.parse().expect("a timestamp");
        let found = after(start, &interval, count).expect("a timestamp");
        assert_eq!(
            found,
            expected.parse().expect("a timestamp"),
            "{start} {interval} {count}"
        );
    }

    #[test]
    fn monthly_periods_keep_their_day_if_the_month_has_it() {
        use RecurringInterval::{Day, Month, Week, Year};
        check("2026-01-31T09:30:00Z", Month, 1, "2026-02-28T09:30:00Z");
        check("2026-01-31T09:30:00Z", Month, 2, "2026-03-31T09:30:00Z");
        check("2026-01-31T09:30:00Z", Month, 13, "2027-02-28T09:30:00Z");
        check("2024-02-29T00:00:00Z", Year, 1, "2025-02-28T00:00:00Z");
        check("2024-02-29T00:00:00Z", Year, 4, "2028-02-29T00:00:00Z");
        check("2026-12-15T00:00:00.5Z", Month, 1, "2027-01-15T00:00:00.5Z");
        check("2026-12-31T00:00:00Z", Day, 1, "2027-01-01T00:00:00Z");
        check("2026-12-31T00:00:00Z", Week, 2, "2027-01-14T00:00:00Z");
    }

    #[test]
    fn a_trial_lasts_days_weeks_or_months() {
        let start: Timestamp = "2026-01-31T00:00:00Z".parse().expect("a timestamp");
        let at = |text: &str| Some(text.parse().expect("a timestamp"));
        let end = |period| trial_end(start, period);
        assert_eq!(end(Some("P14D")), at("2026-02-14T00:00:00Z"));
        assert_eq!(end(Some("P2W")), at("2026-02-14T00:00:00Z"));
        assert_eq!(end(Some("P1M")), at("2026-02-28T00:00:00Z"));
        assert_eq!(end(Some("P0D")), None);
        assert_eq!(end(None), None);
    }
}
