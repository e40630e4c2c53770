//! Validation errors: all of a request at once, in field order, named as the caller wrote them.

use std::ops::RangeInclusive;

use http::StatusCode;
use serde_json::Value;

use crate::error::{ApiError, ErrorDetail, Reason};
use crate::value::{Amount, Currency, Object, Param};
use crate::web_address;
pub use crate::web_address::Scheme;

const CURRENCIES_MAX: usize = 50;

/// Maximum number of validation errors per request: nobody reads more, and an answer must not be larger than its request.
pub const ERRORS_MAX: usize = 100;

/// Maximum size of a request's validation errors as JSON, in bytes; an error that starts within the limit is complete.
pub const ERRORS_BYTES_MAX: usize = 16 << 10;

/// Maximum length of a field name in an error, in bytes: names can be as long as a body.
pub const FIELD_BYTES_MAX: usize = 200;

/// Maximum length of an error message, in bytes.
pub const MESSAGE_BYTES_MAX: usize = 400;

/// A validation error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValidationError {
    /// Field or parameter as the caller wrote it; none for an error of the whole request.
    pub field: Option<String>,
    /// Reason.
    pub reason: Reason,
    /// Human-readable requirement, without the field name.
    pub message: String,
}

/// Validation errors of a request.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    errors: Vec<ValidationError>,
    stand_in: StandIn,
    /// Whether ids of other services are accepted.
    accepts_foreign: bool,
    /// Whether only it counts whether there is an error, of input that is known to have no NUL.
    is_verdict: bool,
    /// Whether errors beyond [`ERRORS_MAX`] or [`ERRORS_BYTES_MAX`] were dropped.
    has_more: bool,
    /// Size of all errors as JSON.
    bytes: usize,
    /// Number of errors added and compared.
    steps: usize,
}

/// Stand-in for an unreadable value, so that the rules can be checked for the others.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum StandIn {
    /// Minimum of the type.
    #[default]
    Least,
    /// Maximum of the type, or another value.
    Greatest,
}

impl StandIn {
    /// A text that no caller sends.
    #[inline(never)]
    pub(crate) fn text(self) -> String {
        match self {
            Self::Least => "\u{0}".into(),
            Self::Greatest => char::MAX.into(),
        }
    }
}

/// A request with rules that its fields can break.
///
/// Rules depend on the request only. Rules that need stored data belong to the service.
pub trait Validate {
    /// Reports every broken rule, in field order; by default there are no rules.
    fn validate(&self, _report: &mut Report) {}
}

impl Report {
    /// An empty report that accepts the ids of other services, as clients of those do.
    pub(crate) fn of_foreign(accepts_foreign: bool) -> Self {
        Self {
            accepts_foreign,
            ..Self::default()
        }
    }

    /// An empty report that is clean in the end if there is no error, of input that is known to have no NUL. It may miss and misname
    /// errors if there are some.
    pub(crate) fn verdict() -> Self {
        Self {
            is_verdict: true,
            ..Self::default()
        }
    }

    /// An empty report of the same input that fills unreadable fields with this stand-in.
    pub(crate) const fn empty(&self, stand_in: StandIn) -> Self {
        Self {
            errors: Vec::new(),
            stand_in,
            accepts_foreign: self.accepts_foreign,
            is_verdict: self.is_verdict,
            has_more: false,
            bytes: 0,
            steps: 0,
        }
    }

    /// Whether further errors are dropped; their paths need not be formatted then.
    pub(crate) const fn is_full(&self) -> bool {
        self.errors.len() >= ERRORS_MAX || self.bytes >= ERRORS_BYTES_MAX
    }

    /// Whether errors were dropped at the limit.
    pub const fn has_more(&self) -> bool {
        self.has_more
    }

    /// Number of errors added and compared. Tests check that this work is proportional to the size of the request.
    pub const fn steps(&self) -> usize {
        self.steps
    }

    /// Drops an error at the limit.
    pub(crate) const fn leave_out(&mut self) {
        self.steps += 1;
        self.has_more = true;
    }

    fn push(&mut self, error: ValidationError) {
        if self.is_full() {
            self.leave_out();
            return;
        }
        self.steps += 1;
        self.bytes += written_bytes(error.field.as_deref().unwrap_or_default());
        self.bytes += written_bytes(&error.message);
        self.errors.push(error);
    }

    /// Whether an error exists for a field path.
    pub(crate) fn has(&mut self, field: &str) -> bool {
        self.steps += self.errors.len();
        self.errors
            .iter()
            .any(|error| error.field.as_deref() == Some(field))
    }

    /// Stand-in for unreadable fields.
    pub(crate) const fn stand_in(&self) -> StandIn {
        self.stand_in
    }

    /// Whether it only counts whether there is an error, of input that is known to have no NUL.
    pub(crate) const fn is_verdict(&self) -> bool {
        self.is_verdict
    }

    /// The value as another service may write it, if that is accepted.
    pub(crate) fn foreign<T: Param>(&self, text: &str) -> Option<T> {
        self.accepts_foreign.then(|| T::foreign(text)).flatten()
    }

    /// Appends the errors of another report.
    pub(crate) fn append(&mut self, other: Self) {
        self.has_more |= other.has_more;
        self.steps += other.steps;
        for error in other.errors {
            self.push(error);
        }
    }

    /// Keeps the errors that do not depend on stand-ins: they also occur with the other stand-ins, and not at an unreadable field.
    pub(crate) fn keep_independent_errors(&mut self, unread: &Self, with_others: &Self) {
        self.has_more |= with_others.has_more;
        self.steps += with_others.steps
            + self.errors.len() * (unread.errors.len() + with_others.errors.len());
        self.errors.retain(|broken| {
            let concerns = |unread: &ValidationError| match (&broken.field, &unread.field) {
                (Some(broken_at), Some(unread_at)) => {
                    is_within(broken_at, unread_at)
                        // A duplicate may be an artefact: two unreadable entries have the same stand-in.
                        || broken.reason == Reason::Repeated && is_within(unread_at, broken_at)
                }
                _ => false,
            };
            with_others.errors.contains(broken) && !unread.errors.iter().any(concerns)
        });
    }

    /// Sorts the errors by field and list index; unknown fields come last. There are at most [`ERRORS_MAX`]: a sort of the standard
    /// library would be larger code and no faster.
    pub(crate) fn sort_by_field(&mut self, fields: &[&str]) {
        let mut sorted: Vec<(ErrorPlace, ValidationError)> = Vec::with_capacity(self.errors.len());
        for error in self.errors.drain(..) {
            let place = error_place(error.field.as_deref(), fields);
            let index = sorted.partition_point(|(other, _)| *other <= place);
            sorted.insert(index, (place, error));
        }
        self.errors
            .extend(sorted.into_iter().map(|(_, error)| error));
    }

    /// Adds an error for a field.
    #[inline(never)]
    pub fn add_error(&mut self, field: &str, reason: Reason, message: impl Into<String>) {
        if self.is_full() {
            self.leave_out();
            return;
        }
        self.push(ValidationError {
            field: Some(shortened(field.to_owned(), FIELD_BYTES_MAX)),
            reason,
            message: shortened(message.into(), MESSAGE_BYTES_MAX),
        });
    }

    /// Adds an error for the whole request.
    pub fn refuse(&mut self, reason: Reason, message: impl Into<String>) {
        self.push(ValidationError {
            field: None,
            reason,
            message: shortened(message.into(), MESSAGE_BYTES_MAX),
        });
    }

    /// The errors so far.
    pub fn errors(&self) -> &[ValidationError] {
        &self.errors
    }

    /// Whether there are no errors.
    pub fn is_clean(&self) -> bool {
        self.errors.is_empty()
    }

    /// The errors of one field.
    pub fn of(&self, field: &str) -> Vec<&ValidationError> {
        self.errors
            .iter()
            .filter(|error| error.field.as_deref() == Some(field))
            .collect()
    }

    /// Keeps the errors of one field and of everything within it.
    pub fn keep_field(&mut self, field: &str) {
        self.errors.retain(|error| {
            let place = error.field.as_deref();
            place.is_some_and(|place| is_within(place, field))
        });
    }

    /// Reports an empty text, or one longer than `chars_max`.
    #[inline(never)]
    pub fn text(&mut self, field: &str, text: &str, chars_max: usize) {
        if let Some((reason, message)) = text_error(text, chars_max) {
            self.add_error(field, reason, message);
        }
    }

    /// Like [`Report::text`], for an optional text.
    #[inline(never)]
    pub fn optional_text(&mut self, field: &str, text: Option<&String>, chars_max: usize) {
        if let Some(text) = text {
            self.text(field, text, chars_max);
        }
    }

    /// Reports an amount that is not greater than zero, if given.
    #[inline(never)]
    pub fn positive(&mut self, field: &str, amount: impl Into<Option<Amount>>) {
        if amount.into().is_some_and(|amount| !amount.is_positive()) {
            self.add_error(field, Reason::NotPositive, "must be greater than zero");
        }
    }

    /// Reports a list longer than `items_max`.
    #[inline(never)]
    pub fn items(&mut self, field: &str, items: usize, items_max: usize) {
        if items > items_max {
            self.add_error(
                field,
                Reason::TooLong,
                format!("must have at most {items_max} items"),
            );
        }
    }

    /// Reports a count outside a range, if given.
    #[inline(never)]
    pub fn quantity(&mut self, field: &str, count: Option<i64>, range: RangeInclusive<i64>) {
        if count.is_some_and(|count| !range.contains(&count)) {
            self.add_error(
                field,
                Reason::OutOfRange,
                format!("must be between {} and {}", range.start(), range.end()),
            );
        }
    }

    /// Reports a text that is not an ISO 8601 period of days, weeks or months, if given.
    #[inline(never)]
    pub fn period(&mut self, field: &str, text: Option<&str>) {
        let shaped = |text: &str| {
            text.strip_prefix('P')
                .and_then(|rest| rest.strip_suffix(['D', 'W', 'M']))
                .is_some_and(|digits| {
                    (1..=4).contains(&digits.len())
                        && digits.bytes().all(|byte| byte.is_ascii_digit())
                })
        };
        if text.is_some_and(|text| !shaped(text)) {
            self.add_error(
                field,
                Reason::UnknownValue,
                "must be a whole number of days, weeks or months such as P14D",
            );
        }
    }

    /// Reports a text that is not a phone number: E.164 (`+4930123456`) or digits in a common notation.
    #[inline(never)]
    pub fn phone(&mut self, field: &str, text: &str) {
        let digits = text.bytes().filter(u8::is_ascii_digit).count();
        let rest = text.strip_prefix('+').unwrap_or(text);
        let written = rest
            .bytes()
            .all(|byte| byte.is_ascii_digit() || b" ()-./".contains(&byte));
        // E.164 allows at most 15 digits; no number has fewer than 3.
        if !written || !(3..=15).contains(&digits) || text.len() > 32 {
            self.add_error(
                field,
                Reason::PhoneMalformed,
                "must be a phone number such as +4930123456",
            );
        }
    }

    /// Reports a list of currencies that is empty, too long or has duplicates.
    #[inline(never)]
    pub fn currencies(&mut self, field: &str, currencies: &[Currency]) {
        self.not_empty(field, currencies, "must list at least one currency");
        self.items(field, currencies.len(), CURRENCIES_MAX);
        // serde_json's map as a set: a sort, or another map, would be linked for this alone.
        let mut seen = Object::new();
        let mut is_repeated = false;
        for currency in currencies {
            let earlier = seen.insert(currency.as_str().to_owned(), Value::Null);
            is_repeated |= earlier.is_some();
        }
        if is_repeated {
            self.add_error(field, Reason::Repeated, "must not list a currency twice");
        }
    }

    /// Reports a text that is not an absolute URL with an allowed scheme.
    #[inline(never)]
    pub fn web_address(&mut self, field: &str, text: &str, scheme: Scheme) {
        if let Some((reason, message)) = web_address::error(text, scheme) {
            self.add_error(field, reason, message);
        }
    }

    /// Reports a text that does not look like an e-mail address.
    #[inline(never)]
    pub fn email(&mut self, field: &str, text: &str) {
        let shaped = text.len() <= 254
            && !text
                .chars()
                .any(|char| char.is_whitespace() || char.is_control())
            && text.split_once('@').is_some_and(|(local, domain)| {
                !local.is_empty()
                    && !domain.contains('@')
                    && domain.contains('.')
                    && !domain.starts_with('.')
                    && !domain.ends_with('.')
            });
        if !shaped {
            self.add_error(field, Reason::EmailMalformed, "must be an e-mail address");
        }
    }

    /// Content of the error envelope; none without errors.
    ///
    /// The code is 400 if any error is about form, else that of the first error.
    pub fn to_error(&self, domain: &str) -> Option<ApiError> {
        let first = self.errors.first()?;
        let malformed = self
            .errors
            .iter()
            .any(|error| error.reason.status() == StatusCode::BAD_REQUEST);
        let code = if malformed {
            StatusCode::BAD_REQUEST
        } else {
            first.reason.status()
        };
        let mut sentences: Vec<_> = self.errors.iter().map(ValidationError::sentence).collect();
        if self.has_more {
            let listed = sentences.len();
            sentences.push(format!("only the first {listed} errors are listed"));
        }
        Some(ApiError {
            code: code.as_u16(),
            message: sentences.join("; "),
            errors: self.to_details(domain),
        })
    }

    /// The errors as in the error envelope.
    pub fn to_details(&self, domain: &str) -> Vec<ErrorDetail> {
        let errors = self.errors.iter();
        errors.map(|error| error.to_detail(domain)).collect()
    }
}

impl ValidationError {
    /// Human-readable error with its field.
    pub fn sentence(&self) -> String {
        match &self.field {
            Some(field) => format!("`{field}` {}", self.message),
            None => self.message.clone(),
        }
    }

    fn to_detail(&self, domain: &str) -> ErrorDetail {
        ErrorDetail {
            domain: domain.to_owned(),
            reason: self.reason.as_str().to_owned(),
            field: self.field.clone(),
            message: self.message.clone(),
        }
    }
}

/// What errors are sorted by: whether it is of a field, the place of the field, the entry of a list.
type ErrorPlace = (bool, usize, Option<usize>);

fn error_place(path: Option<&str>, fields: &[&str]) -> ErrorPlace {
    let place = path.unwrap_or_default();
    let (root, rest) = place.split_at(place.find(['.', '[']).unwrap_or(place.len()));
    let field = fields.iter().position(|name| *name == root);
    let entry = rest.strip_prefix('[').and_then(|rest| rest.split_once(']'));
    let entry = entry.and_then(|(entry, _)| entry.parse().ok());
    (path.is_some(), field.unwrap_or(fields.len()), entry)
}

/// Why a text is empty or too long.
pub(crate) fn text_error(text: &str, chars_max: usize) -> Option<(Reason, String)> {
    if text.trim().is_empty() {
        Some((Reason::Empty, "must not be empty".to_owned()))
    } else if text.len() > chars_max && text.chars().count() > chars_max {
        Some((
            Reason::TooLong,
            format!("must be at most {chars_max} characters"),
        ))
    } else {
        None
    }
}

/// Length of a text in JSON, where a control character takes six bytes.
fn written_bytes(text: &str) -> usize {
    let controls = text.bytes().filter(|byte| *byte < b' ').count();
    text.len() + 5 * controls
}

/// The text, truncated to `bytes_max` bytes and marked with an ellipsis if longer.
fn shortened(mut text: String, bytes_max: usize) -> String {
    if text.len() > bytes_max {
        text.truncate(text.floor_char_boundary(bytes_max));
        text.push('…');
    }
    text
}

/// Whether a path equals another or lies within it: `items[3].id` in `items`.
fn is_within(place: &str, other: &str) -> bool {
    place
        .strip_prefix(other)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}
