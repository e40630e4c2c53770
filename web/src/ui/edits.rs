//! Edits that are not sent yet: every form on the page reports its own here.

use leptos::prelude::*;

/// Whether a form holds edits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum EditState {
    /// Nothing would be lost.
    Clean,
    /// Something is written and not sent.
    Unsaved,
    /// All that is written is being sent.
    Sent,
}

/// A form on the page.
#[derive(Debug, Clone, Copy)]
struct Registered {
    form: FormId,
    state: EditState,
    overlay: Option<Overlay>,
}

/// Tells the forms of this program apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FormId(u32);

/// The drawer or dialog around a form, as context of what it shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Overlay(pub(crate) u32);

/// The forms on the page and their edits.
#[derive(Clone, Copy)]
pub(crate) struct Edits {
    forms: RwSignal<Vec<Registered>>,
    /// Whether anything was ever written.
    touched: RwSignal<bool>,
    /// How many forms are being sent: their edits are on their way.
    sending: StoredValue<u32>,
    /// How many ids were given.
    ids: StoredValue<u32>,
}

impl Edits {
    /// No form yet; once, at the root.
    pub(crate) fn provide() -> Self {
        let edits = Self {
            forms: RwSignal::new(Vec::new()),
            touched: RwSignal::new(false),
            sending: StoredValue::new(0),
            ids: StoredValue::new(0),
        };
        provide_context(edits);
        edits
    }

    /// Those of this page.
    pub(crate) fn from_context() -> Self {
        expect_context()
    }

    /// An id for a form.
    pub(crate) fn next_id(self) -> FormId {
        let id = self.ids.get_value() + 1;
        self.ids.set_value(id);
        FormId(id)
    }

    /// Takes up a form for as long as it is on the page.
    pub(crate) fn register(self, form: FormId) {
        let overlay = use_context();
        let state = EditState::Clean;
        self.forms.update(|forms| {
            forms.push(Registered {
                form,
                state,
                overlay,
            });
        });
        on_cleanup(move || {
            self.forms
                .try_update(|forms| forms.retain(|other| other.form != form));
        });
    }

    /// Something was written in a form.
    pub(crate) fn mark(self, form: FormId) {
        self.change(form, |_| EditState::Unsaved);
        if !self.touched.get_untracked() {
            self.touched.set(true);
        }
    }

    /// All that was written so far in a form is to be sent.
    pub(crate) fn set_sent(self, form: FormId) {
        self.change(form, |before| match before {
            EditState::Clean => EditState::Clean,
            _ => EditState::Sent,
        });
    }

    /// What was to be sent has been. What was written since has not.
    pub(crate) fn set_saved(self, form: FormId) {
        self.change(form, |before| match before {
            EditState::Unsaved => EditState::Unsaved,
            _ => EditState::Clean,
        });
    }

    /// A form holds no edits any more.
    pub(crate) fn clear(self, form: FormId) {
        self.change(form, |_| EditState::Clean);
    }

    /// The reader gives up all edits.
    pub(crate) fn discard(self) {
        self.forms.update(|forms| {
            for form in forms {
                form.state = EditState::Clean;
            }
        });
    }

    fn change(self, form: FormId, change: fn(EditState) -> EditState) {
        self.forms.try_update(|forms| {
            for form in forms.iter_mut().filter(|other| other.form == form) {
                form.state = change(form.state);
            }
        });
    }

    /// Whether anything was ever written. Tracked.
    pub(crate) fn is_touched(self) -> bool {
        self.touched.get()
    }

    /// Whether the page holds edits.
    pub(crate) fn is_any(self) -> bool {
        self.holds(&|_| true)
    }

    /// Whether a drawer or dialog holds edits: they go with the record that is open.
    pub(crate) fn is_any_in_overlay(self) -> bool {
        self.holds(&|form| form.overlay.is_some())
    }

    /// Whether this drawer or dialog holds edits.
    pub(crate) fn is_any_in(self, overlay: Overlay) -> bool {
        self.holds(&|form| form.overlay == Some(overlay))
    }

    fn holds(self, counts: &dyn Fn(&Registered) -> bool) -> bool {
        self.forms.with_untracked(|forms| {
            let mut edited = forms.iter().filter(|form| form.state != EditState::Clean);
            edited.any(counts)
        })
    }

    /// A form is being sent, or is so no longer.
    pub(crate) fn set_sending(self, begins: bool) {
        let forms = self.sending.get_value();
        self.sending.set_value(if begins {
            forms + 1
        } else {
            forms.saturating_sub(1)
        });
    }

    /// Whether any form is being sent.
    pub(crate) fn is_sending(self) -> bool {
        self.sending.get_value() > 0
    }
}
