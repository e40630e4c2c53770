//! Records whose id begins with a text.
//!
//! An id begins with the milliseconds of its creation (UUIDv7). So the records of a prefix are neighbours in their organisation's list, where
//! they are found by time: a range of ids would have the records of all organisations.

use std::time::Duration;

use settlekit_core::page::ListQuery;
use settlekit_core::value::{OrganisationId, Timestamp};

use super::listing::Listing;
use super::sql::{Database, StoreError, Value};

/// Digits of an id.
const DIGITS: usize = 32;

/// Digits of its time in milliseconds.
const TIME_DIGITS: usize = 12;

/// Fewest digits to search for: nearly five hours have the same six.
const DIGITS_MIN: usize = 6;

/// How much later than by its id a record may be listed: times never decrease along a list.
const LISTED_LATER: Duration = Duration::from_secs(10);

/// The beginning of an id.
pub(crate) struct IdPrefix<'a> {
    text: &'a str,
    since: Timestamp,
    until: Timestamp,
}

impl<'a> IdPrefix<'a> {
    /// The beginning of an id of a kind, such as `pay_`; `None` if it is too short, complete, or no id.
    pub(crate) fn of(text: &'a str, kind: &str) -> Option<Self> {
        let digits = text.strip_prefix(kind)?;
        let is_hex = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        if !digits.bytes().all(is_hex) || !(DIGITS_MIN..DIGITS).contains(&digits.len()) {
            return None;
        }
        let time = digits.get(..TIME_DIGITS).unwrap_or(digits);
        let unknown_bits = 4 * (TIME_DIGITS - time.len());
        let first = i64::from_str_radix(time, 16).ok()? << unknown_bits;
        let end = first + (1_i64 << unknown_bits);
        Some(Self {
            text,
            since: Timestamp::from_micros(first * 1000),
            until: Timestamp::from_micros(end * 1000 - 1).plus(LISTED_LATER),
        })
    }
}

impl<T, Id> Listing<T, Id>
where
    Id: for<'a> Into<Value<'a>>,
{
    /// The ids that begin with a text, newest first.
    pub(crate) fn ids_with_prefix(
        &self,
        database: &mut dyn Database,
        organisation: OrganisationId,
        prefix: &IdPrefix<'_>,
        limit: i64,
    ) -> Result<Vec<String>, StoreError> {
        let within = ListQuery {
            since: Some(prefix.since),
            until: Some(prefix.until),
            ..ListQuery::default()
        };
        let bounds = self.bounds(database, organisation.into(), &within)?;
        // The concatenation keeps the planner off the primary key, whose range has other organisations' records.
        let find = format!(
            "SELECT l.id FROM {} l WHERE l.{} = ?1 AND l.seq BETWEEN ?2 AND ?3 AND l.id || '' >= ?4 AND l.id || '' < ?5 \
             ORDER BY l.seq DESC LIMIT ?6",
            self.table, self.owner
        );
        // After all hexadecimal digits.
        let end = format!("{}g", prefix.text);
        let values = [
            organisation.into(),
            bounds.from.into(),
            bounds.to.into(),
            prefix.text.into(),
            (&end).into(),
            limit.into(),
        ];
        let rows = database.query(&find, &values)?;
        rows.iter().map(|row| Ok(row.text(0)?.to_owned())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The times of a prefix in milliseconds, without the delay.
    fn times(text: &str) -> Option<(i64, i64)> {
        let prefix = IdPrefix::of(text, "pay_")?;
        let until = prefix.until.minus(LISTED_LATER);
        Some((prefix.since.millis(), until.millis()))
    }

    #[test]
    fn a_prefix_is_a_range_of_times() {
        let first = 0x019a_a000_0000;
        assert_eq!(times("pay_019aa0"), Some((first, first + 0xff_ffff)));
        let exact = 0x019a_a0b5_c3f0;
        assert_eq!(times("pay_019aa0b5c3f0"), Some((exact, exact)));
        assert_eq!(times("pay_019aa0b5c3f07c0d"), Some((exact, exact)));
    }

    #[test]
    fn other_texts_are_no_prefix() {
        for text in [
            "pay_019aa",
            "pay_019aa0b5c3f07c0d9f2e3b6a7d8c9e01",
            "pay_019AA0",
            "pay_grocer",
            "019aa0b5",
            "cus_019aa0",
            "pay_\u{e9}\u{e9}\u{e9}",
        ] {
            assert_eq!(times(text), None, "{text}");
        }
    }
}
