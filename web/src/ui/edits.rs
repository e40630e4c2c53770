//! Registry of unsaved edits: every form on the page reports its own.

use leptos::prelude::*;

/// Edits of a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum EditState {
    Clean,
    Unsaved,
    /// All edits are being sent.
    Sent,
}

#[derive(Debug, Clone, Copy)]
struct RegisteredForm {
    form: FormId,
    state: EditState,
    overlay: Option<Overlay>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FormId(u32);

/// Drawer or dialog around a form, as context of its contents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Overlay(pub(crate) u32);

/// The forms on the page and their edits.
#[derive(Clone, Copy)]
pub(crate) struct Edits {
    forms: RwSignal<Vec<RegisteredForm>>,
    /// Whether anything was ever edited.
    touched: RwSignal<bool>,
    /// Number of forms being sent.
    sending: StoredValue<u32>,
    /// Number of ids issued.
    ids: StoredValue<u32>,
}

impl Edits {
    /// Provides an empty registry, once at the root.
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

    pub(crate) fn from_context() -> Self {
        expect_context()
    }

    pub(crate) fn next_id(self) -> FormId {
        let id = self.ids.get_value() + 1;
        self.ids.set_value(id);
        FormId(id)
    }

    /// Registers a form until it is removed from the page.
    pub(crate) fn register(self, form: FormId) {
        let overlay = use_context();
        let state = EditState::Clean;
        self.forms.update(|forms| {
            forms.push(RegisteredForm {
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

    /// Marks a form as edited.
    pub(crate) fn mark(self, form: FormId) {
        self.change(form, |_| EditState::Unsaved);
        if !self.touched.get_untracked() {
            self.touched.set(true);
        }
    }

    /// Marks a form's edits so far as being sent.
    pub(crate) fn set_sent(self, form: FormId) {
        self.change(form, |before| match before {
            EditState::Clean => EditState::Clean,
            _ => EditState::Sent,
        });
    }

    /// Marks the sent edits as saved; later edits stay unsaved.
    pub(crate) fn set_saved(self, form: FormId) {
        self.change(form, |before| match before {
            EditState::Unsaved => EditState::Unsaved,
            _ => EditState::Clean,
        });
    }

    pub(crate) fn clear(self, form: FormId) {
        self.change(form, |_| EditState::Clean);
    }

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

    /// Whether anything was ever edited. Tracked.
    pub(crate) fn is_touched(self) -> bool {
        self.touched.get()
    }

    /// Whether the page has unsaved edits.
    pub(crate) fn is_any(self) -> bool {
        self.any_form(&|_| true)
    }

    /// Whether a drawer or dialog has unsaved edits, which belong to the open record.
    pub(crate) fn is_any_in_overlay(self) -> bool {
        self.any_form(&|form| form.overlay.is_some())
    }

    /// Whether this drawer or dialog has unsaved edits.
    pub(crate) fn is_any_in(self, overlay: Overlay) -> bool {
        self.any_form(&|form| form.overlay == Some(overlay))
    }

    fn any_form(self, counts: &dyn Fn(&RegisteredForm) -> bool) -> bool {
        self.forms.with_untracked(|forms| {
            let mut edited = forms.iter().filter(|form| form.state != EditState::Clean);
            edited.any(counts)
        })
    }

    /// Reports that a form starts or ends sending.
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
