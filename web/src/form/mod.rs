//! Forms: fields become a body, core validates it, the service answers; errors are shown at their fields. No validation rules here.

pub(crate) mod accept_invitation;
pub(crate) mod body;
pub(crate) mod bulk_action;
mod checkout_preview;
pub(crate) mod checkout_style;
pub(crate) mod convert_balance;
pub(crate) mod create_account;
pub(crate) mod create_api_key;
pub(crate) mod create_external_account;
pub(crate) mod create_invoice;
pub(crate) mod create_pay_in_address;
pub(crate) mod create_paylink;
pub(crate) mod create_payment;
pub(crate) mod create_payout;
pub(crate) mod create_plan;
pub(crate) mod create_quick_trade;
pub(crate) mod create_replay;
pub(crate) mod create_session;
pub(crate) mod create_step_up;
pub(crate) mod create_subscription;
pub(crate) mod create_test_event;
pub(crate) mod create_virtual_account;
pub(crate) mod delete_session;
pub(crate) mod example_call;
pub(crate) mod failure;
pub(crate) mod field;
pub(crate) mod form_view;
pub(crate) mod input;
pub(crate) mod maintain_balance;
pub(crate) mod member;
pub(crate) mod notes;
pub(crate) mod options;
pub(crate) mod outcome;
pub(crate) mod price;
pub(crate) mod prove_ownership;
pub(crate) mod refund_payment;
pub(crate) mod request_quote;
pub(crate) mod resume_webhooks;
pub(crate) mod sandbox;
pub(crate) mod settlement_choice;
pub(crate) mod switch_organisation;
pub(crate) mod timestamp_field;
pub(crate) mod unlock;
pub(crate) mod update_customer;
pub(crate) mod update_organisation;
pub(crate) mod update_password;
pub(crate) mod update_paylinks;
pub(crate) mod update_virtual_account;
mod wallet_fields;
pub(crate) mod wallet_link;

pub(crate) use body::*;
pub(crate) use bulk_action::*;
pub(crate) use failure::*;
pub(crate) use field::*;
pub(crate) use form_view::*;
pub(crate) use input::*;
pub(crate) use options::*;
pub(crate) use price::*;
pub(crate) use timestamp_field::*;

use std::sync::Arc;

use leptos::prelude::*;
use leptos::task::spawn_local;
use settlekit_core::call::{Arguments, Outline};
use settlekit_core::error::Reason;
use settlekit_core::header;
use settlekit_core::operation::Operation;

use crate::api::{self, Answered, Prepared};
use crate::call_failure::{CallFailure, Cause};
use crate::session::Session;
use crate::text::{self, FieldError};
use crate::ui::{
    Edits, Element, FormId, Icon, Toasts, bilingual, element, focus, focused, icon, restore_focus,
};

/// Reads the response and, if the form still exists, runs its callback.
type Finish =
    Arc<dyn Fn(Result<Answered, CallFailure>, bool) -> Result<(), CallFailure> + Send + Sync>;

/// State of a form, or of an operation without fields.
#[derive(Clone, Copy)]
pub(crate) struct Form {
    errors: RwSignal<Vec<(String, FieldError)>>,
    fields: StoredValue<Vec<FormField>>,
    /// Failure of the last attempt, if no field is at fault.
    pub(crate) failure: RwSignal<Option<CallFailure>>,
    /// Whether a request is in progress.
    pub(crate) busy: RwSignal<bool>,
    /// Whether the outcome of the last attempt is unknown.
    pub(crate) unknown: RwSignal<bool>,
    /// The request without a definite answer.
    pending: StoredValue<Option<FormRequest>>,
    /// Whether the form waits for a step-up.
    asks: StoredValue<bool>,
    /// Registry of unsaved edits, and this form's id in it.
    edits: Edits,
    id: FormId,
    session: Session,
    toasts: Toasts,
}

impl Form {
    pub(crate) fn new() -> Self {
        let (session, asks) = (Session::from_context(), StoredValue::new(false));
        let edits = Edits::from_context();
        // A removed form needs no step-up.
        on_cleanup(move || {
            if asks.try_get_value() == Some(true) {
                session.cancel_step_up();
            }
        });
        Self {
            errors: RwSignal::new(Vec::new()),
            fields: StoredValue::new(Vec::new()),
            failure: RwSignal::new(None),
            busy: RwSignal::new(false),
            unknown: RwSignal::new(false),
            pending: StoredValue::new(None),
            asks,
            edits,
            id: edits.next_id(),
            session,
            toasts: Toasts::from_context(),
        }
    }

    /// Adds a field that shows its errors.
    pub(crate) fn register_field(self, name: &'static str) {
        self.fields
            .update_value(|fields| fields.push(FormField::Shown(name)));
    }

    /// The value of a body field, with `first` as its first text.
    pub(crate) fn input(
        self,
        name: &'static str,
        kind: FieldKind,
        first: String,
    ) -> RwSignal<String> {
        let value = RwSignal::new(first);
        self.fields
            .update_value(|fields| fields.push(FormField::Body(name, kind, value)));
        value
    }

    /// The value of a text field, empty at first.
    pub(crate) fn text(self, name: &'static str) -> RwSignal<String> {
        self.input(name, FieldKind::Text, String::new())
    }

    /// The body fields of all inputs; none if one is unreadable, with the error at its field.
    pub(crate) fn fields(self) -> Option<Fields> {
        let mut all = self.fields.get_value().into_iter();
        let read = all.try_fold(Fields::default(), |fields, field| field.add_to(fields));
        read.map_err(|(name, line)| self.set_error(name, text::no_colon(line)))
            .ok()
    }

    /// The errors of a field, as views. Tracked.
    pub(crate) fn errors(self, name: &str, label: &str) -> Vec<Element> {
        self.errors.with(|all| {
            let mine = all.iter().filter(|(field, _)| field == name);
            mine.map(|(_, error)| {
                let sentence = bilingual(error.about(label), error.english.clone());
                element("p", "field-error")
                    .child(icon(Icon::Alert))
                    .child(sentence)
            })
            .collect()
        })
    }

    /// Whether a field has errors. Tracked.
    pub(crate) fn has_error(self, name: &str) -> bool {
        self.errors
            .with(|all| all.iter().any(|(field, _)| field == name))
    }

    /// Clears the errors of a field that is being corrected.
    pub(crate) fn clear_error(self, name: &str) {
        if untrack(|| self.has_error(name)) {
            self.errors
                .update(|all| all.retain(|(field, _)| field != name));
        }
    }

    /// Sets the error of a field that cannot be converted for the body.
    pub(crate) fn set_error(self, name: &str, message: String) {
        self.show_error(name, FieldError::own(&message));
    }

    /// Shows an error at a field.
    pub(crate) fn show_error(self, name: &str, error: FieldError) {
        self.clear_error(name);
        self.errors.update(|all| all.push((name.to_owned(), error)));
        focus_first_error();
    }

    /// Validates a call before the confirmation and shows errors.
    pub(crate) fn is_valid<O: Operation>(self, arguments: &Arguments) -> bool {
        self.is_valid_as(const { &Outline::of::<O>() }, arguments)
    }

    fn is_valid_as(self, outline: &'static Outline, arguments: &Arguments) -> bool {
        self.errors.set(Vec::new());
        match outline.request("", arguments) {
            Ok(_) => true,
            Err(report) => {
                self.fail(report.into());
                false
            }
        }
    }

    /// Validates and sends; `done` gets the record. Repeats the call after a required step-up.
    pub(crate) fn send<O: Operation>(
        self,
        arguments: Arguments,
        done: impl Fn(O::Response) + Send + Sync + 'static,
    ) {
        let session = self.session;
        let finish: Finish = Arc::new(move |answered, gone| {
            let record = api::read_answer::<O>(session, answered)?;
            if !gone {
                done(record);
            }
            Ok(())
        });
        let outline = const { &Outline::of::<O>() };
        self.send_as(outline, O::DELEGATED, arguments, finish);
    }

    fn send_as(
        self,
        outline: &'static Outline,
        delegated: bool,
        arguments: Arguments,
        finish: Finish,
    ) {
        if self.busy.get_untracked() {
            return;
        }
        let whom = self.session.acting_for.get_untracked();
        self.run(self.with_idempotency_key(FormRequest {
            outline,
            arguments,
            whom: whom.filter(|_| delegated),
            key: String::new(),
            finish,
        }));
    }

    /// Repeats the request without a definite answer, unchanged and with the same idempotency key, regardless of the fields.
    pub(crate) fn send_again(self) {
        if let Some(sent) = self.pending.get_value() {
            self.edits.set_sent(self.id);
            self.run(sent);
        }
    }

    fn run(self, sent: FormRequest) {
        // The form may be gone.
        if self.busy.try_get_untracked() != Some(false) {
            return;
        }
        self.asks.set_value(false);
        self.errors.set(Vec::new());
        self.failure.set(None);
        let mut prepared = sent.request();
        if !sent.key.is_empty() {
            self.pending.set_value(Some(sent.clone()));
            let key = Some(sent.key.clone());
            prepared = api::with_header(prepared, header::IDEMPOTENCY_KEY, key);
        }
        // The pressed button loses the focus because it is disabled while busy.
        let pressed = focused();
        self.busy.set(true);
        let session = self.session;
        spawn_local(async move {
            self.edits.set_sending(true);
            let answered = api::send(session, prepared).await;
            self.edits.set_sending(false);
            let gone = self.busy.try_set(false).is_some();
            let outcome = (sent.finish)(answered, gone);
            // The page was left: report the failure in a toast.
            if gone {
                if let Err(failure) = outcome {
                    self.toasts.fail(failure);
                }
                return;
            }
            if outcome.is_ok() {
                self.edits.set_saved(self.id);
            }
            // A request without a press, such as the sandbox clock, must not move the focus.
            if pressed.is_some() {
                restore_focus(pressed);
            }
            match &outcome {
                Err(failure) if failure.is_unknown() => {
                    self.unknown.try_set(true);
                }
                Err(failure) if failure.is_rejected_before_execution() => {}
                _ => {
                    self.pending.try_set_value(None);
                    self.unknown.try_set(false);
                }
            }
            match outcome {
                Ok(()) => {}
                Err(failure) if failure.reason() == Some(Reason::StepUpRequired) => {
                    // A removed form needs no step-up.
                    if self.asks.try_set_value(true).is_none() {
                        session.request_step_up(Callback::new(move |()| self.run(sent.clone())));
                    }
                }
                Err(failure) => self.fail(failure),
            }
        });
    }

    /// The request with its idempotency key: the key of an identical request without a definite answer, else a new one.
    fn with_idempotency_key(self, mut sent: FormRequest) -> FormRequest {
        let identity = sent.identity();
        if identity.is_some() {
            let before = self.pending.get_value();
            let same = before.filter(|before| before.identity() == identity);
            sent.key = same.map_or_else(
                || {
                    self.unknown.set(false);
                    random_key()
                },
                |before| before.key,
            );
        }
        sent
    }

    fn fail(self, mut failure: CallFailure) {
        let shown = self.fields.try_get_value().unwrap_or_default();
        let is_shown = |name: &str| shown.iter().any(|field| field.shows(name));
        let is_known = |field: Option<&str>| {
            field.is_some_and(|field| is_shown(field) || is_shown(entry(field).0))
        };
        let all = failure.errors();
        let at_fields: Vec<(String, FieldError)> = all
            .iter()
            .filter(|(field, ..)| is_known(*field))
            .map(|(field, reason, message)| {
                let field = field.unwrap_or_default();
                let error = FieldError::of(reason, message);
                match entry(field) {
                    (list, Some(number)) if !is_shown(field) => (list.to_owned(), error.at(number)),
                    _ => (field.to_owned(), error),
                }
            })
            .collect();
        // Errors of unregistered fields are shown for the form as a whole.
        if at_fields.is_empty() || at_fields.len() < all.len() {
            if let Cause::Unsent(errors) = &mut failure.cause {
                errors.retain(|one| !is_known(one.field.as_deref()));
            }
            self.failure.try_set(Some(failure));
        }
        self.errors.try_set(at_fields);
        focus_first_error();
    }
}

fn focus_first_error() {
    request_animation_frame(|| {
        focus("[aria-invalid='true']");
    });
}

/// Splits `items[2]` into the list's field and the number of the entry, counted from 1.
fn entry(field: &str) -> (&str, Option<usize>) {
    let within = field
        .strip_suffix(']')
        .and_then(|rest| rest.split_once('['));
    let counted = within.and_then(|(list, at)| Some((list, at.parse::<usize>().ok()? + 1)));
    counted.map_or((field, None), |(list, number)| (list, Some(number)))
}

/// A request and the handler of its response.
#[derive(Clone)]
struct FormRequest {
    outline: &'static Outline,
    arguments: Arguments,
    /// Sub-merchant that the request acts for.
    whom: Option<String>,
    /// Idempotency key; empty for reads and invalid requests.
    key: String,
    finish: Finish,
}

impl FormRequest {
    fn request(&self) -> Prepared {
        let prepared = api::prepare(self.outline.request("", &self.arguments));
        api::with_header(prepared, header::ORGANISATION, self.whom.clone())
    }

    /// Identity of a request, to compare requests; none without an idempotency key.
    fn identity(&self) -> Option<(http::Method, String, Vec<u8>, Option<String>)> {
        let (parts, body) = self.request().ok()?.request.into_parts();
        let acts = parts.method != http::Method::GET;
        acts.then(|| (parts.method, parts.uri.to_string(), body, self.whom.clone()))
    }
}

pub(crate) fn random_key() -> String {
    let mut bytes = [0_u8; 16];
    // Every browser has a random generator. Without it the key is all zeros, and the service rejects its second use.
    let _ = window()
        .crypto()
        .and_then(|crypto| crypto.get_random_values_with_u8_array(&mut bytes));
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
