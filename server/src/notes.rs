//! Notes of read requests that are collected and written together: so many equal ones cost the writer as much as one.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};

use settlekit_service::Touch;

/// How often each note was made since they were written last.
#[derive(Debug)]
pub(crate) struct Notes<K = Touch>(Mutex<HashMap<K, u32>>);

impl<K> Default for Notes<K> {
    fn default() -> Self {
        Self(Mutex::new(HashMap::new()))
    }
}

impl<K: Hash + Eq> Notes<K> {
    /// Adds a note; true if it is the first since they were taken.
    pub(crate) fn add(&self, note: K) -> bool {
        let mut notes = self.lock();
        let is_first = notes.is_empty();
        let times = notes.entry(note).or_insert(0);
        *times = times.saturating_add(1);
        is_first
    }

    pub(crate) fn take(&self) -> HashMap<K, u32> {
        std::mem::take(&mut *self.lock())
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<K, u32>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_notes_are_added_up_until_they_are_taken() {
        let notes = Notes::default();
        let firsts = ["tea", "tea", "cake"].map(|note| notes.add(note));
        assert_eq!(firsts, [true, false, false]);
        let taken = notes.take();
        assert_eq!((taken["tea"], taken["cake"], taken.len()), (2, 1, 2));
        assert!(notes.take().is_empty());
        assert!(notes.add("tea"));
    }
}
