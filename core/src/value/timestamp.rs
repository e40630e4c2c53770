//! Timestamps: UTC microseconds in memory, RFC 3339 on the wire.
//!
//! Nothing here reads a clock; the current time is always an argument.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

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
        let at = OffsetDateTime::parse(text, &Rfc3339).map_err(|_| TimestampError)?;
        let micros = i64::try_from(at.unix_timestamp_nanos().div_euclid(1_000))
            .map_err(|_| TimestampError)?;
        if (MICROS_MIN..=MICROS_MAX).contains(&micros) {
            Ok(Self(micros))
        } else {
            Err(TimestampError)
        }
    }
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
