//! The positions of movements in a segment, as a row of the index has them. Pure: no database access.

use crate::store::sql::StoreError;

/// The movements of one kind in a segment.
#[derive(Default)]
pub(super) struct Positions {
    pub(super) count: i64,
    /// Three hexadecimal digits each.
    pub(super) encoded: String,
    /// Their ranks, separated by spaces.
    pub(super) amounts: String,
    pub(super) lowest: String,
    pub(super) highest: String,
}

impl Positions {
    pub(super) fn add(&mut self, position: i64, rank: String) {
        self.encoded.push_str(&format!("{position:03x}"));
        if self.count > 0 {
            self.amounts.push(' ');
        }
        self.amounts.push_str(&rank);
        if self.count == 0 || rank < self.lowest {
            self.lowest.clone_from(&rank);
        }
        if rank > self.highest {
            self.highest = rank;
        }
        self.count += 1;
    }
}

/// The positions in a text of [`Positions`].
pub(super) fn decoded(text: &str) -> Result<Vec<i64>, StoreError> {
    let damaged = || StoreError::Damaged("a position of a movement is malformed".to_owned());
    let position = |digits: &[u8]| {
        let digits = std::str::from_utf8(digits).ok()?;
        let is_whole = digits.len() == 3 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        i64::from_str_radix(digits, 16).ok().filter(|_| is_whole)
    };
    let positions = text.as_bytes().chunks(3).map(position);
    positions.collect::<Option<_>>().ok_or_else(damaged)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_three_digits_each() {
        assert_eq!(decoded("000fff01a"), Ok(vec![0, 4095, 26]));
        assert_eq!(decoded(""), Ok(Vec::new()));
        for odd in ["00", "0000", "00g", "+01", "0é"] {
            assert!(decoded(odd).is_err(), "{odd}");
        }
    }
}
