//! Outcomes of a bulk action.

use crate::call_failure::CallFailure;

/// Outcome for one record.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum BulkOutcome {
    Waiting,
    Running,
    Done,
    Failed(CallFailure),
}

impl BulkOutcome {
    pub(crate) const fn is_failed(&self) -> bool {
        matches!(self, Self::Failed(_))
    }
}

/// Number of successful and failed records.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct OutcomeCounts {
    pub(crate) done: usize,
    pub(crate) failed: usize,
}

impl OutcomeCounts {
    pub(crate) fn of(outcomes: impl Iterator<Item = BulkOutcome>) -> Self {
        outcomes.fold(Self::default(), |counts, outcome| Self {
            done: counts.done + usize::from(outcome == BulkOutcome::Done),
            failed: counts.failed + usize::from(outcome.is_failed()),
        })
    }

    /// Number of records with a final outcome.
    pub(crate) const fn ended(self) -> usize {
        self.done + self.failed
    }
}
