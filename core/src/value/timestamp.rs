//! Timestamps: UTC microseconds in memory, RFC 3339 on the wire.
//!
//! Nothing here reads a clock; the current time is always an argument.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use time::OffsetDateTime;

use crate::error::Reason;

/// Microseconds since 1970-01-01T00:00:00Z, within the years 1 to 9999.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

const MICROS_MIN: i64 = -62_135_596_800_000_000;
const MICROS_MAX: i64 = 253_402_300_799_999_999;

/// Error: not an RFC 3339 timestamp.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimestampError;

impl TimestampError {
    /// The [`Reason`] reported for this error.
    pub const fn reason(self) -> Reason {
        Reason::TimestampMalformed
    }
}

impl fmt::Display for TimestampError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("must be an RFC 3339 timestamp such as 2026-11-21T09:30:00Z")
    }
}

impl std::error::Error for TimestampError {}

impl Timestamp {
    /// From microseconds since the epoch, clamped to the years 1 to 9999.
    pub fn from_micros(micros: i64) -> Self {
        Self(micros.clamp(MICROS_MIN, MICROS_MAX))
    }

    /// From milliseconds since the epoch, clamped to the years 1 to 9999.
    pub fn from_millis(millis: i64) -> Self {
        Self::from_micros(millis.saturating_mul(1_000))
    }

    /// Microseconds since the epoch.
    pub const fn micros(self) -> i64 {
        self.0
    }

    /// Whole milliseconds since the epoch.
    pub const fn millis(self) -> i64 {
        self.0.div_euclid(1_000)
    }

    /// Whole seconds since the epoch.
    pub const fn seconds(self) -> i64 {
        self.0.div_euclid(1_000_000)
    }

    /// This time plus a duration, clamped.
    #[must_use]
    pub fn plus(self, length: Duration) -> Self {
        Self::from_micros(
            self.0
                .saturating_add(i64::try_from(length.as_micros()).unwrap_or(i64::MAX)),
        )
    }

    /// This time minus a duration, clamped.
    #[must_use]
    pub fn minus(self, length: Duration) -> Self {
        Self::from_micros(
            self.0
                .saturating_sub(i64::try_from(length.as_micros()).unwrap_or(i64::MAX)),
        )
    }

    /// Time elapsed since `earlier`; zero if it is not earlier.
    pub fn since(self, earlier: Self) -> Duration {
        Duration::from_micros(u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0))
    }

    /// The calendar day in UTC, `2026-11-21`.
    pub fn day(self) -> String {
        self.to_string().chars().take(10).collect()
    }

    /// Days since 1970-01-01, in UTC.
    pub const fn day_number(self) -> i64 {
        self.0.div_euclid(86_400_000_000)
    }

    /// Midnight UTC of the day with this number.
    pub fn from_day_number(day: i64) -> Self {
        Self::from_micros(day.saturating_mul(86_400_000_000))
    }
}

impl FromStr for Timestamp {
    type Err = TimestampError;

    fn from_str(text: &str) -> Result<Self, TimestampError> {
        let micros = parse(text.as_bytes()).ok_or(TimestampError)?;
        if (MICROS_MIN..=MICROS_MAX).contains(&micros) {
            Ok(Self(micros))
        } else {
            Err(TimestampError)
        }
    }
}

/// Microseconds since the epoch. Written by hand, as every record has timestamps: the parser of `time` is slower, and a tenth of the
/// npm package's code.
fn parse(text: &[u8]) -> Option<i64> {
    let (whole, rest) = text.split_first_chunk::<19>()?;
    // Any separator is read, as RFC 3339 allows.
    let shape = b"0000-00-00?00:00:00";
    let is_shaped = whole.iter().zip(shape).all(|(byte, shape)| match shape {
        b'0' => byte.is_ascii_digit(),
        b'?' => true,
        other => byte == other,
    });
    let number = |from: usize, to: usize| {
        let digits = whole[from..to].iter();
        digits.fold(0, |number, digit| number * 10 + i64::from(digit & 15))
    };
    let [year, month, day] = [number(0, 4), number(5, 7), number(8, 10)];
    let [hour, minute, second] = [number(11, 13), number(14, 16), number(17, 19)];
    let is_valid = is_shaped
        && (1..=12).contains(&month)
        && (1..=days_of_month(year, month)).contains(&day)
        && hour < 24
        && minute < 60
        && second <= 60;
    if !is_valid {
        return None;
    }
    let (fraction, rest) = parse_fraction(rest)?;
    let offset_minutes = parse_offset(rest)?;
    // A leap second counts as the last microsecond before it.
    let is_leap = second == 60;
    let (second, fraction) = if is_leap {
        (59, 999_999)
    } else {
        (second, fraction)
    };
    let local = day_number(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second;
    let utc = local - offset_minutes * 60;
    if is_leap {
        // Leap seconds end a month in UTC. East of Greenwich that is on its first day.
        let last = if utc.div_euclid(86_400) < local.div_euclid(86_400) {
            1
        } else {
            days_of_month(year, month)
        };
        if utc.rem_euclid(86_400) != 86_399 || day != last {
            return None;
        }
    }
    Some(utc * 1_000_000 + fraction)
}

/// The microseconds of a fraction, if there is one, and the text after it. Further digits are cut off.
fn parse_fraction(text: &[u8]) -> Option<(i64, &[u8])> {
    let [b'.', digits @ ..] = text else {
        return Some((0, text));
    };
    let length = digits
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    let (digits, rest) = digits.split_at(length);
    let padded = digits.iter().chain([b'0'; 6].iter()).take(6);
    let micros = padded.fold(0, |micros, digit| micros * 10 + i64::from(digit & 15));
    (length > 0).then_some((micros, rest))
}

/// Minutes east of Greenwich.
fn parse_offset(text: &[u8]) -> Option<i64> {
    let [sign, hours @ .., b':', minute_tens, minute_units] = text else {
        return matches!(text, [b'Z' | b'z']).then_some(0);
    };
    let number = |digits: &[u8]| {
        let are_digits = digits.len() == 2 && digits.iter().all(u8::is_ascii_digit);
        are_digits.then(|| i64::from(digits[0] & 15) * 10 + i64::from(digits[1] & 15))
    };
    let hours = number(hours).filter(|hours| *hours < 24)?;
    let minutes = number(&[*minute_tens, *minute_units]).filter(|minutes| *minutes < 60)?;
    match sign {
        b'+' => Some(hours * 60 + minutes),
        b'-' => Some(-hours * 60 - minutes),
        _ => None,
    }
}

const fn days_of_month(year: i64, month: i64) -> i64 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days since 1970-01-01 in the Gregorian calendar.
const fn day_number(year: i64, month: i64, day: i64) -> i64 {
    // Counted from March, so that the leap day is the last of its year.
    let (year, month) = if month > 2 {
        (year, month - 3)
    } else {
        (year - 1, month + 9)
    };
    let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    year * 365 + leap_days + (month * 153 + 2) / 5 + day - 719_469
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = OffsetDateTime::from_unix_timestamp(self.seconds()).map_err(|_| fmt::Error)?;
        let (date, time) = (at.date(), at.time());
        // Hot path: every record has timestamps. Writes digits directly instead of using the formatter.
        let mut text = *b"0000-00-00T00:00:00.000000Z";
        let mut put = |from: usize, to: usize, number: u32| {
            let mut rest = number;
            for digit in text[from..to].iter_mut().rev() {
                *digit = b'0' + (rest % 10) as u8;
                rest /= 10;
            }
        };
        put(0, 4, date.year().unsigned_abs());
        put(5, 7, u32::from(u8::from(date.month())));
        put(8, 10, u32::from(date.day()));
        put(11, 13, u32::from(time.hour()));
        put(14, 16, u32::from(time.minute()));
        put(17, 19, u32::from(time.second()));
        put(20, 26, self.0.rem_euclid(1_000_000) as u32);
        f.write_str(std::str::from_utf8(&text).map_err(|_| fmt::Error)?)
    }
}

crate::value::open::text_form!(Timestamp, "an RFC 3339 timestamp");
crate::value::param::param_by_text!(Timestamp: Self(MICROS_MIN), Self(MICROS_MAX));
crate::decode::decode_as!(text: Timestamp);
crate::value::open::schema!(Timestamp, {
    "type": "string", "format": "date-time", "description": "A timestamp, RFC 3339.",
    "examples": ["2026-11-21T09:30:00.000000Z"]
});

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use proptest::prelude::*;
    use time::OffsetDateTime;
    use time::format_description::well_known::Rfc3339;

    use super::{MICROS_MAX, MICROS_MIN, Timestamp};

    /// Reference implementation: the parser of `time`.
    fn expected(text: &str) -> Option<i64> {
        let at = OffsetDateTime::parse(text, &Rfc3339).ok()?;
        let micros = i64::try_from(at.unix_timestamp_nanos().div_euclid(1_000)).ok()?;
        (MICROS_MIN..=MICROS_MAX)
            .contains(&micros)
            .then_some(micros)
    }

    fn check(text: &str) {
        let found = text.parse::<Timestamp>().ok().map(Timestamp::micros);
        assert_eq!(found, expected(text), "{text}");
    }

    #[test]
    fn every_day_of_four_centuries_is_read_as_by_time() {
        for year in (1600..2001).chain([0, 1, 4, 100, 400, 9999]) {
            for month in 0..=13 {
                for day in 0..=32 {
                    check(&format!("{year:04}-{month:02}-{day:02}T12:00:00Z"));
                }
            }
        }
    }

    #[test]
    fn leap_seconds_are_read_as_by_time() {
        for date in [
            "2016-12-31",
            "2017-01-01",
            "2016-02-29",
            "2016-02-28",
            "2015-02-28",
            "0000-12-31",
            "0001-01-01",
            "9999-12-31",
        ] {
            for hour in 0..24 {
                for offset in (-24..=24_i32).flat_map(|hours| [hours * 60, hours * 60 + 30]) {
                    let sign = if offset < 0 { '-' } else { '+' };
                    let [hours, minutes] = [offset.abs() / 60, offset.abs() % 60];
                    for time in ["59:60", "29:60", "59:59.9999999", "58:60", "59:60.5"] {
                        check(&format!(
                            "{date}T{hour:02}:{time}{sign}{hours:02}:{minutes:02}"
                        ));
                    }
                }
            }
            check(&format!("{date}T23:59:60Z"));
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        #[test]
        fn any_timestamp_is_read_as_by_time(text in "[0-9]{4}-[01][0-9]-[0-3][0-9][Tt _é][0-2][0-9]:[0-6][0-9]:[0-6][0-9](\\.[0-9]{0,11})?([Zz]|[+-][0-2][0-9]:[0-6][0-9]|)") {
            check(&text);
        }

        #[test]
        fn a_changed_timestamp_is_read_as_by_time(place in 0..33_usize, how in 0..3, byte in 32..127_u8) {
            let mut text = b"2026-11-21T09:30:00.123456+05:30".to_vec();
            let place = place.min(text.len() - 1);
            match how {
                0 => text[place] = byte,
                1 => drop(text.remove(place)),
                _ => text.insert(place, byte),
            }
            check(std::str::from_utf8(&text).expect("ASCII"));
        }
    }
}
