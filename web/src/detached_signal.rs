//! Signals that outlive the pages that subscribe to them.
//!
//! Leptos drops the subscribers of a signal when it changes, not when they are disposed. A signal that rarely changes would keep
//! memory for every visited page.

use std::ops::Deref;

use leptos::prelude::*;
use leptos::reactive::graph::{AnySource, Observer, Source, ToAnySource};

/// A signal that drops each subscriber when it is disposed.
pub(crate) struct DetachedSignal<T: 'static>(RwSignal<T>);

impl<T> Clone for DetachedSignal<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for DetachedSignal<T> {}

impl<T: Send + Sync + 'static> DetachedSignal<T> {
    pub(crate) fn new(value: T) -> Self {
        Self(RwSignal::new(value))
    }

    /// Reads it; tracked.
    pub(crate) fn with<U>(self, read: impl FnOnce(&T) -> U) -> U {
        if !self.0.is_disposed() {
            release(self.0.to_any_source());
        }
        self.0.with(read)
    }

    /// Clones the value; tracked.
    pub(crate) fn get(self) -> T
    where
        T: Clone,
    {
        self.with(T::clone)
    }
}

impl<T: Send + Sync + 'static> From<ArcRwSignal<T>> for DetachedSignal<T> {
    fn from(signal: ArcRwSignal<T>) -> Self {
        Self(RwSignal::from(signal))
    }
}

/// All methods without tracking.
impl<T> Deref for DetachedSignal<T> {
    type Target = RwSignal<T>;

    fn deref(&self) -> &RwSignal<T> {
        &self.0
    }
}

fn release(source: AnySource) {
    if let Some(reader) = Observer::get() {
        on_cleanup(move || source.remove_subscriber(&reader));
    }
}
