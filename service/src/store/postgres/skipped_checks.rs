//! Skipped existence checks. A caller that looks a row up before it inserts it rarely finds one, and the lookup costs a round
//! trip. After many misses in a row the lookup is skipped: the unique constraint of the insert replaces it.
//!
//! The bar: with 64 callers, as many deposits as pgledger makes transfers. Measured: 0.84 with skipped checks, 0.70 without,
//! before foreign keys were dropped and texts were sent as lists. The benchmark recorded last has 1.23 with them.
//!
//! A wrong skip costs a second run: a unique violation, or a skipped check without the insert that would have proved it, reruns
//! the group with checks on. The next skip then needs as many misses again.

use foldhash::HashMap;

use crate::store::sql::{Added, Cell, Value};

/// Consecutive misses before a check is skipped: each wrong skip makes a group run twice.
const MISSES_MIN: u32 = 32;

#[derive(Default)]
pub(super) struct SkippedChecks {
    /// Consecutive misses, by INSERT.
    misses: HashMap<&'static str, u32>,
    /// Skipped checks of this transaction whose insert is still missing.
    unproved: Vec<(&'static Added, Vec<Cell>)>,
    /// Whether this transaction skipped a check.
    has_skipped: bool,
}

impl SkippedChecks {
    pub(super) fn begin(&mut self) {
        self.unproved.clear();
        self.has_skipped = false;
    }

    /// Ends a failed transaction. If it skipped a check, that may be the reason: all checks are on again.
    pub(super) fn roll_back(&mut self) {
        if self.has_skipped {
            self.misses.clear();
        }
        self.begin();
    }

    /// Whether to skip the check for a row; the transaction then has to insert the row.
    pub(super) fn skip(&mut self, added: &'static Added, unique: &[Value<'_>]) -> bool {
        let often = self.misses.get(added.insert).copied() >= Some(MISSES_MIN);
        if often {
            self.has_skipped = true;
            self.unproved
                .push((added, unique.iter().map(Cell::of).collect()));
        }
        often
    }

    /// Records the result of a check.
    pub(super) fn record_lookup(&mut self, added: &'static Added, found: bool) {
        let misses = self.misses.entry(added.insert).or_default();
        *misses = if found { 0 } else { misses.saturating_add(1) };
    }

    /// Records an insert: its unique constraint replaces the check.
    pub(super) fn record_insert(&mut self, sql: &str, values: &[Value<'_>]) {
        self.unproved.retain(|(added, unique)| {
            let mut places = added.unique.iter().zip(unique);
            added.insert != sql
                || !places.all(|(place, cell)| values.get(*place) == Some(&cell.value()))
        });
    }

    /// Whether every skipped check got its insert.
    pub(super) fn are_proved(&self) -> bool {
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

    fn after_many_misses() -> SkippedChecks {
        let mut checks = SkippedChecks::default();
        for _ in 0..MISSES_MIN {
            assert!(!checks.skip(&ADDED, &[1.into(), 2.into()]));
            checks.record_lookup(&ADDED, false);
        }
        checks
    }

    #[test]
    fn a_check_is_skipped_only_after_many_misses_in_a_row() {
        let mut checks = after_many_misses();
        assert!(checks.skip(&ADDED, &[1.into(), 2.into()]));
        checks.begin();
        checks.record_lookup(&ADDED, true);
        assert!(!checks.skip(&ADDED, &[1.into(), 2.into()]));
        let mut checks = after_many_misses();
        checks.roll_back();
        assert!(checks.skip(&ADDED, &[1.into(), 2.into()]));
        checks.roll_back();
        assert!(!checks.skip(&ADDED, &[1.into(), 2.into()]));
    }

    #[test]
    fn a_skipped_check_is_proved_by_the_insert_of_its_row() {
        let mut checks = after_many_misses();
        assert!(checks.skip(&ADDED, &[1.into(), 2.into()]));
        checks.record_insert(ADDED.insert, &[1.into(), 9.into(), 3.into()]);
        checks.record_insert("INSERT INTO others", &[1.into(), 9.into(), 2.into()]);
        assert!(!checks.are_proved());
        checks.record_insert(ADDED.insert, &[1.into(), 9.into(), 2.into()]);
        assert!(checks.are_proved());
        // Ids are stored as text.
        let mut checks = after_many_misses();
        let id = PaymentId::new(Timestamp::from_millis(1), [7; 10]);
        assert!(checks.skip(&ADDED, &[id.into(), 2.into()]));
        checks.record_insert(ADDED.insert, &[id.into(), 9.into(), 2.into()]);
        assert!(checks.are_proved());
    }
}
