//! Notes of read requests, collected and written together: a thousand equal ones cost the writer as much as one.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};

use settlekit_service::Touch;

/// Maximum number of different notes. Further ones are dropped: neither memory nor the writer's work grows with the records that a bot reads.
const NOTES_MAX: usize = 4096;

/// How often each note was made since the notes were written last.
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
        let count = notes.len();
        if let Some(times) = notes.get_mut(&note) {
            *times = times.saturating_add(1);
        } else if count < NOTES_MAX {
            notes.insert(note, 1);
        }
        count == 0
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

    #[test]
    fn a_full_collection_counts_known_notes_and_drops_new_ones() {
        let notes = Notes::default();
        for note in 0..NOTES_MAX {
            notes.add(note);
        }
        assert!(!notes.add(NOTES_MAX));
        assert!(!notes.add(7));
        let taken = notes.take();
        assert_eq!(taken.len(), NOTES_MAX);
        assert_eq!((taken.get(&NOTES_MAX), taken[&7]), (None, 2));
    }
}
