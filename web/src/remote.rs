//! State of a record on a page: loading, ready or failed.

use crate::call_failure::CallFailure;

/// A record that is loading, ready or failed. A failure is never shown as an empty list.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Remote<T> {
    Loading,
    Ready(T),
    Failed(CallFailure),
}

impl<T> Remote<T> {
    pub(crate) const fn ready(&self) -> Option<&T> {
        match self {
            Self::Ready(record) => Some(record),
            _ => None,
        }
    }

    pub(crate) const fn failed(&self) -> Option<&CallFailure> {
        match self {
            Self::Failed(failure) => Some(failure),
            _ => None,
        }
    }

    pub(crate) const fn is_loading(&self) -> bool {
        matches!(self, Self::Loading)
    }

    pub(crate) fn map<U>(&self, change: impl FnOnce(&T) -> U) -> Remote<U> {
        match self {
            Self::Loading => Remote::Loading,
            Self::Ready(record) => Remote::Ready(change(record)),
            Self::Failed(failure) => Remote::Failed(failure.clone()),
        }
    }
}
