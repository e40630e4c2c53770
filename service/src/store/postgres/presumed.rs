//! Skipped existence checks. A caller that looks for a row before it inserts one rarely finds it; after many misses in a row the
//! check is skipped. Without that, deposits of 64 callers fall from 0.84 of pgledger's transfers to 0.70.
//!
//! A unique violation, or a skipped check without the insert that would have proved it, reruns the group with checks on.

use foldhash::HashMap;

use crate::store::sql::{Added, Cell, Value};

/// Consecutive misses before a check is skipped: each wrong skip makes a group run twice.
const MISSES_MIN: u32 = 32;

#[derive(Default)]
pub(super) struct Presumed {
    /// Consecutive misses, by INSERT.
    misses: HashMap<&'static str, u32>,
    /// Skipped checks of this transaction whose insert is still missing.
    unproved: Vec<(&'static Added, Vec<Cell>)>,
    /// Whether this transaction skipped a check.
    presumed: bool,
}

impl Presumed {
    pub(super) fn begin(&mut self) {
        self.unproved.clear();
        self.presumed = false;
    }

    /// Ends a failed transaction. If it skipped a check, that may be the reason: all checks are on again.
    pub(super) fn lose(&mut self) {
        if self.presumed {
            self.misses.clear();
        }
        self.begin();
    }

    /// Whether to skip the check for a row; the transaction then has to insert the row.
    pub(super) fn presume(&mut self, added: &'static Added, unique: &[Value<'_>]) -> bool {
        let often = self.misses.get(added.insert).copied() >= Some(MISSES_MIN);
        if often {
            self.presumed = true;
            self.unproved
                .push((added, unique.iter().map(Cell::of).collect()));
        }
        often
    }

    /// Records the result of a check.
    pub(super) fn looked(&mut self, added: &'static Added, found: bool) {
        let misses = self.misses.entry(added.insert).or_default();
        *misses = if found { 0 } else { misses.saturating_add(1) };
    }

    /// Records an insert: its unique constraint replaces the check.
    pub(super) fn add(&mut self, sql: &str, values: &[Value<'_>]) {
        self.unproved.retain(|(added, unique)| {
            let mut places = added.unique.iter().zip(unique);
            added.insert != sql
                || !places.all(|(place, cell)| values.get(*place) == Some(&cell.value()))
        });
    }

    /// Whether every skipped check got its insert.
    pub(super) fn is_proved(&self) -> bool {
        self.unproved.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use settlekit_core::value::{PaymentId, Timestamp};

    use super::*;

    static ADDED: Added = Added {
        insert: "INSERT INTO t (a, b, c) VALUES (?1, ?2, ?3)",
        unique: &[0, 2],
        change: "",
        changed: &[],
    };

    fn one_after_the_other() -> Presumed {
        let mut presumed = Presumed::default();
        for _ in 0..MISSES_MIN {
            assert!(!presumed.presume(&ADDED, &[1.into(), 2.into()]));
            presumed.looked(&ADDED, false);
        }
        presumed
    }

    #[test]
    fn a_row_is_presumed_not_to_be_there_only_where_many_were_not() {
        let mut presumed = one_after_the_other();
        assert!(presumed.presume(&ADDED, &[1.into(), 2.into()]));
        presumed.begin();
        presumed.looked(&ADDED, true);
        assert!(!presumed.presume(&ADDED, &[1.into(), 2.into()]));
        let mut presumed = one_after_the_other();
        presumed.lose();
        assert!(presumed.presume(&ADDED, &[1.into(), 2.into()]));
        presumed.lose();
        assert!(!presumed.presume(&ADDED, &[1.into(), 2.into()]));
    }

    #[test]
    fn what_was_presumed_is_proved_by_the_very_row() {
        let mut presumed = one_after_the_other();
        assert!(presumed.presume(&ADDED, &[1.into(), 2.into()]));
        presumed.add(ADDED.insert, &[1.into(), 9.into(), 3.into()]);
        presumed.add("INSERT INTO others", &[1.into(), 9.into(), 2.into()]);
        assert!(!presumed.is_proved());
        presumed.add(ADDED.insert, &[1.into(), 9.into(), 2.into()]);
        assert!(presumed.is_proved());
        // Ids are stored as text.
        let mut presumed = one_after_the_other();
        let id = PaymentId::new(Timestamp::from_millis(1), [7; 10]);
        assert!(presumed.presume(&ADDED, &[id.into(), 2.into()]));
        presumed.add(ADDED.insert, &[id.into(), 9.into(), 2.into()]);
        assert!(presumed.is_proved());
    }
}
