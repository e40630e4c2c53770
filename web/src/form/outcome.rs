//! The outcome of an action on each of many records, and how many ended how.

use crate::call_failure::CallFailure;

/// The outcome for one record.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Outcome {
    Waiting,
    Running,
    Done,
    Failed(CallFailure),
}

impl Outcome {
    pub(crate) const fn is_failed(&self) -> bool {
        matches!(self, Self::Failed(_))
    }
}

/// How many records are done, and how many failed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct OutcomeCounts {
    pub(crate) done: usize,
    pub(crate) failed: usize,
}

impl OutcomeCounts {
    pub(crate) fn of(outcomes: impl Iterator<Item = Outcome>) -> Self {
        outcomes.fold(Self::default(), |counts, outcome| Self {
            done: counts.done + usize::from(outcome == Outcome::Done),
            failed: counts.failed + usize::from(outcome.is_failed()),
        })
    }

    /// Records with a final outcome.
    pub(crate) const fn ended(self) -> usize {
        self.done + self.failed
    }
}
