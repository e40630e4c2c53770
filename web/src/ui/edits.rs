//! Edits that are not sent yet: every form on the page reports its own here.

use leptos::prelude::*;

/// Whether a form holds edits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum EditState {
    /// Nothing would be lost.
    #[default]
    Clean,
    /// Something is written and not sent.
    Unsaved,
    /// All that is written is being sent.
    Sent,
}

/// The forms on the page and their edits.
#[derive(Clone, Copy)]
pub(crate) struct Edits {
    forms: StoredValue<Vec<Registered>>,
    /// How many forms are being sent: what they hold is on its way.
    sending: StoredValue<u32>,
    /// Whether anything was ever written.
    touched: RwSignal<bool>,
}

#[derive(Clone, Copy)]
struct Registered {
    state: RwSignal<EditState>,
    overlay: Option<Overlay>,
}

/// The drawer or dialog around a form, as context of what it shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Overlay(pub(crate) u32);

impl Edits {
    /// No form yet; once, at the root.
    pub(crate) fn provide() -> Self {
        let edits = Self {
            forms: StoredValue::default(),
            sending: StoredValue::default(),
            touched: RwSignal::new(false),
        };
        provide_context(edits);
        edits
    }

    /// Those of this page.
    pub(crate) fn from_context() -> Self {
        expect_context()
    }

    /// Counts a form's edits for as long as the form is on the page.
    pub(crate) fn register(self, state: RwSignal<EditState>) {
        let overlay = use_context();
        self.forms
            .update_value(|forms| forms.push(Registered { state, overlay }));
        on_cleanup(move || {
            self.forms
                .try_update_value(|forms| forms.retain(|form| form.state != state));
            state.try_set(EditState::Clean);
        });
    }

    /// Something was written in a form.
    pub(crate) fn mark(self, state: RwSignal<EditState>) {
        if state.get_untracked() != EditState::Unsaved {
            state.set(EditState::Unsaved);
        }
        if !self.touched.get_untracked() {
            self.touched.set(true);
        }
    }

    /// Whether anything was ever written. Tracked.
    pub(crate) fn is_touched(self) -> bool {
        self.touched.get()
    }

    /// Whether the page holds edits.
    pub(crate) fn is_any(self) -> bool {
        self.holds(|_| true)
    }

    /// Whether a drawer or dialog holds edits: they go with the record that is open.
    pub(crate) fn is_any_in_overlay(self) -> bool {
        self.holds(|form| form.overlay.is_some())
    }

    /// Whether this drawer or dialog holds edits.
    pub(crate) fn is_any_in(self, overlay: Overlay) -> bool {
        self.holds(|form| form.overlay == Some(overlay))
    }

    fn holds(self, counts: impl Fn(&Registered) -> bool) -> bool {
        self.forms.with_value(|forms| {
            let mut edited = forms.iter().filter(|form| {
                form.state.try_get_untracked().unwrap_or_default() != EditState::Clean
            });
            edited.any(counts)
        })
    }

    /// The reader gives up all edits.
    pub(crate) fn discard(self) {
        for form in self.forms.get_value() {
            form.state.try_set(EditState::Clean);
        }
    }

    /// A form is being sent, or is so no longer.
    pub(crate) fn set_sending(self, begins: bool) {
        self.sending.update_value(|forms| {
            *forms = if begins {
                *forms + 1
            } else {
                forms.saturating_sub(1)
            };
        });
    }

    /// Whether any form is being sent.
    pub(crate) fn is_sending(self) -> bool {
        self.sending.get_value() > 0
    }
}
