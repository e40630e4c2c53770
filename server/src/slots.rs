//! Counted slots, in total and per holder.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A number of slots.
pub(crate) struct Slots<K> {
    most: usize,
    taken: Mutex<TakenSlots<K>>,
}

struct TakenSlots<K> {
    all: usize,
    by_holder: HashMap<K, usize>,
}

/// A taken slot, freed on drop.
pub(crate) struct Slot<K: Hash + Eq> {
    slots: Arc<Slots<K>>,
    holder: K,
}

/// Why no slot is free.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Full {
    /// The total limit is reached.
    Whole,
    /// The holder's limit is reached.
    One,
}

impl<K: Hash + Eq + Copy> Slots<K> {
    pub(crate) fn new(most: usize) -> Arc<Self> {
        let taken = Mutex::new(TakenSlots {
            all: 0,
            by_holder: HashMap::new(),
        });
        Arc::new(Self { most, taken })
    }

    /// Takes a slot for a holder that may have `most_of_one`.
    pub(crate) fn take(self: &Arc<Self>, holder: K, most_of_one: usize) -> Result<Slot<K>, Full> {
        let mut taken = self.taken();
        if taken.all >= self.most {
            return Err(Full::Whole);
        }
        let of_one = taken.by_holder.entry(holder).or_default();
        if *of_one >= most_of_one {
            return Err(Full::One);
        }
        *of_one += 1;
        taken.all += 1;
        Ok(Slot {
            slots: Arc::clone(self),
            holder,
        })
    }
}

impl<K> Slots<K> {
    fn taken(&self) -> MutexGuard<'_, TakenSlots<K>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Hash + Eq> Drop for Slot<K> {
    fn drop(&mut self) {
        let mut taken = self.slots.taken();
        taken.all -= 1;
        if let Some(of_one) = taken.by_holder.get_mut(&self.holder) {
            *of_one -= 1;
            if *of_one == 0 {
                taken.by_holder.remove(&self.holder);
            }
        }
    }
}
