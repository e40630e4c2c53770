//! Complaints: all of them at once, in the order of the fields, each with the field as the caller wrote it.

use std::ops::RangeInclusive;

use http::StatusCode;

use crate::error::{ApiError, ErrorDetail, Reason};
use crate::value::{Amount, Currency};

/// The most currencies of one account.
const CURRENCIES_MAX: usize = 50;

/// The most complaints about one request: nobody reads more, and an answer must not be larger than what caused it.
pub const COMPLAINTS_MAX: usize = 100;

/// How much text all complaints of a request hold together, in bytes as JSON writes them; a complaint that begins within is whole.
pub const COMPLAINTS_BYTES_MAX: usize = 16 << 10;

/// The longest name of a field in a complaint, in bytes: names can be as long as a body.
pub const FIELD_BYTES_MAX: usize = 200;

/// The longest message of a complaint, in bytes.
pub const MESSAGE_BYTES_MAX: usize = 400;

/// One complaint about a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Complaint {
    /// The field or parameter as the caller wrote it; none when the complaint is about the request as a whole.
    pub field: Option<String>,
    /// Why.
    pub reason: Reason,
    /// For people: what the field must be, without its name.
    pub message: String,
}

/// The complaints about one request.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    complaints: Vec<Complaint>,
    stand_in: StandIn,
    /// Whether there are complaints past [`COMPLAINTS_MAX`] or [`COMPLAINTS_BYTES_MAX`].
    has_more: bool,
    /// The text of all complaints, as JSON writes it.
    bytes: usize,
    /// Complaints made and compared so far.
    steps: usize,
}

/// What stands for a value that could not be read while the rules about the others are asked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum StandIn {
    /// The least of its type.
    #[default]
    Least,
    /// The greatest, or another one.
    Greatest,
}

impl StandIn {
    /// A text that nobody gives.
    pub(crate) fn text(self) -> String {
        match self {
            Self::Least => "\u{0}".into(),
            Self::Greatest => char::MAX.into(),
        }
    }
}

/// A request whose fields can contradict a rule.
///
/// The rules need nothing but the request itself: what needs stored facts is the service's.
pub trait Validate {
    /// Adds a complaint for every rule that is broken, in the order of the fields.
    fn validate(&self, report: &mut Report);
}

impl Report {
    /// No complaints yet; this stands for what cannot be read.
    pub(crate) const fn with(stand_in: StandIn) -> Self {
        Self {
            complaints: Vec::new(),
            stand_in,
            has_more: false,
            bytes: 0,
            steps: 0,
        }
    }

    /// Whether no further complaint is kept. The place of one need not be written down then.
    pub(crate) const fn is_full(&self) -> bool {
        self.complaints.len() >= COMPLAINTS_MAX || self.bytes >= COMPLAINTS_BYTES_MAX
    }

    /// Whether complaints were left out because there are enough.
    pub const fn has_more(&self) -> bool {
        self.has_more
    }

    /// Complaints made and compared so far: the work that a request caused here, for tests that hold it to the size of the request.
    pub const fn steps(&self) -> usize {
        self.steps
    }

    /// Leaves a complaint out because there are enough.
    pub(crate) const fn leave_out(&mut self) {
        self.steps += 1;
        self.has_more = true;
    }

    fn push(&mut self, complaint: Complaint) {
        if self.is_full() {
            self.leave_out();
            return;
        }
        self.steps += 1;
        self.bytes += written_bytes(complaint.field.as_deref().unwrap_or_default());
        self.bytes += written_bytes(&complaint.message);
        self.complaints.push(complaint);
    }

    /// Whether there is a complaint about a place as [`Complaint::field`] has it.
    pub(crate) fn has(&mut self, field: &str) -> bool {
        self.steps += self.complaints.len();
        self.complaints
            .iter()
            .any(|complaint| complaint.field.as_deref() == Some(field))
    }

    /// What stands for what cannot be read.
    pub(crate) const fn stand_in(&self) -> StandIn {
        self.stand_in
    }

    /// Adds the complaints of another report.
    pub(crate) fn append(&mut self, other: Self) {
        self.has_more |= other.has_more;
        self.steps += other.steps;
        for complaint in other.complaints {
            self.push(complaint);
        }
    }

    /// Of rules that were asked with stand-ins, keeps those that are broken by what was read alone: broken with other
    /// stand-ins as well, and not about anything that is `unread`.
    pub(crate) fn keep_what_holds_without(&mut self, unread: &Self, with_others: &Self) {
        self.has_more |= with_others.has_more;
        self.steps += with_others.steps
            + self.complaints.len() * (unread.complaints.len() + with_others.complaints.len());
        self.complaints.retain(|broken| {
            let concerns = |unread: &Complaint| match (&broken.field, &unread.field) {
                (Some(broken_at), Some(unread_at)) => {
                    is_within(broken_at, unread_at)
                        // Of what surrounds it: two that are unread stand in alike.
                        || broken.reason == Reason::Repeated && is_within(unread_at, broken_at)
                }
                _ => false,
            };
            with_others.complaints.contains(broken) && !unread.complaints.iter().any(concerns)
        });
    }

    /// Puts the complaints in the order of the fields, the entries of a list in theirs; unknown fields come last.
    pub(crate) fn put_in_order(&mut self, fields: &[&str]) {
        self.complaints.sort_by_cached_key(|complaint| {
            let place = complaint.field.as_deref().unwrap_or_default();
            let (root, rest) = place.split_at(place.find(['.', '[']).unwrap_or(place.len()));
            let field = fields.iter().position(|name| *name == root);
            let entry = rest.strip_prefix('[').and_then(|rest| rest.split_once(']'));
            let entry: Option<usize> = entry.and_then(|(entry, _)| entry.parse().ok());
            let about_all = complaint.field.is_none();
            (!about_all, field.unwrap_or(fields.len()), entry)
        });
    }

    /// Adds a complaint about a field.
    pub fn complain(&mut self, field: &str, reason: Reason, message: impl Into<String>) {
        if self.is_full() {
            self.leave_out();
            return;
        }
        self.push(Complaint {
            field: Some(shortened(field.to_owned(), FIELD_BYTES_MAX)),
            reason,
            message: shortened(message.into(), MESSAGE_BYTES_MAX),
        });
    }

    /// Adds a complaint about the request as a whole.
    pub fn refuse(&mut self, reason: Reason, message: impl Into<String>) {
        self.push(Complaint {
            field: None,
            reason,
            message: shortened(message.into(), MESSAGE_BYTES_MAX),
        });
    }

    /// The complaints so far.
    pub fn complaints(&self) -> &[Complaint] {
        &self.complaints
    }

    /// Whether there is nothing to complain about.
    pub fn is_clean(&self) -> bool {
        self.complaints.is_empty()
    }

    /// The complaints about one field.
    pub fn of(&self, field: &str) -> Vec<&Complaint> {
        self.complaints
            .iter()
            .filter(|complaint| complaint.field.as_deref() == Some(field))
            .collect()
    }

    /// Complains about a text that is empty or longer than `chars_max`.
    pub fn text(&mut self, field: &str, text: &str, chars_max: usize) {
        if text.trim().is_empty() {
            self.complain(field, Reason::Empty, "must not be empty");
        } else if text.chars().count() > chars_max {
            self.complain(
                field,
                Reason::TooLong,
                format!("must be at most {chars_max} characters"),
            );
        }
    }

    /// Complains about a text that is given, and empty or longer than `chars_max`.
    pub fn maybe_text(&mut self, field: &str, text: Option<&String>, chars_max: usize) {
        if let Some(text) = text {
            self.text(field, text, chars_max);
        }
    }

    /// Complains about an amount that is not greater than nothing.
    pub fn positive(&mut self, field: &str, amount: Amount) {
        if !amount.is_positive() {
            self.complain(field, Reason::NotPositive, "must be greater than zero");
        }
    }

    /// Complains about a list that is longer than `items_max`.
    pub fn items(&mut self, field: &str, items: usize, items_max: usize) {
        if items > items_max {
            self.complain(
                field,
                Reason::TooLong,
                format!("must hold at most {items_max} items"),
            );
        }
    }

    /// Complains about a count that is given and lies outside a range.
    pub fn quantity(&mut self, field: &str, count: Option<i64>, range: RangeInclusive<i64>) {
        if count.is_some_and(|count| !range.contains(&count)) {
            self.complain(
                field,
                Reason::OutOfRange,
                format!("must be between {} and {}", range.start(), range.end()),
            );
        }
    }

    /// Complains about a text that is given and not an ISO 8601 period of days, weeks or months.
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
            self.complain(
                field,
                Reason::UnknownValue,
                "must be a whole number of days, weeks or months such as P14D",
            );
        }
    }

    /// Complains about a text that is not a phone number: E.164 (`+4930123456`), or digits as people write them.
    pub fn phone(&mut self, field: &str, text: &str) {
        let digits = text.bytes().filter(u8::is_ascii_digit).count();
        let rest = text.strip_prefix('+').unwrap_or(text);
        let written = rest
            .bytes()
            .all(|byte| byte.is_ascii_digit() || b" ()-./".contains(&byte));
        // E.164 has at most 15 digits; nobody's number has fewer than 3.
        if !written || !(3..=15).contains(&digits) || text.len() > 32 {
            self.complain(
                field,
                Reason::PhoneMalformed,
                "must be a phone number such as +4930123456",
            );
        }
    }

    /// Complains about currencies of an account that are none, too many, or named twice.
    pub fn currencies(&mut self, field: &str, currencies: &[Currency]) {
        if currencies.is_empty() {
            self.complain(field, Reason::Empty, "must name at least one currency");
        }
        self.items(field, currencies.len(), CURRENCIES_MAX);
        let mut sorted: Vec<_> = currencies.iter().collect();
        sorted.sort();
        if sorted.windows(2).any(|pair| pair[0] == pair[1]) {
            self.complain(field, Reason::Repeated, "must not name a currency twice");
        }
    }

    /// Complains about a text that is not an absolute http or https address; with `https_only`, about http too.
    pub fn web_address(&mut self, field: &str, text: &str, scheme: Scheme) {
        match web_address(text) {
            None => self.complain(
                field,
                Reason::UrlMalformed,
                "must be an absolute web address without user name or fragment",
            ),
            Some(secure) if !secure && scheme == Scheme::Https => {
                self.complain(field, Reason::UrlNotHttps, "must begin with https://");
            }
            Some(_) => {}
        }
    }

    /// Complains about a text that is not shaped like an e-mail address.
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
            self.complain(field, Reason::EmailMalformed, "must be an e-mail address");
        }
    }

    /// The error envelope's content for these complaints; none when there are none.
    ///
    /// The code is 400 when any complaint is about form, else that of the first.
    pub fn to_error(&self, domain: &str) -> Option<ApiError> {
        let first = self.complaints.first()?;
        let malformed = self
            .complaints
            .iter()
            .any(|complaint| complaint.reason.status() == StatusCode::BAD_REQUEST);
        let code = if malformed {
            StatusCode::BAD_REQUEST
        } else {
            first.reason.status()
        };
        let mut sentences: Vec<_> = self.complaints.iter().map(Complaint::sentence).collect();
        if self.has_more {
            let listed = sentences.len();
            sentences.push(format!("only the first {listed} errors are listed"));
        }
        Some(ApiError {
            code: code.as_u16(),
            message: sentences.join("; "),
            errors: self
                .complaints
                .iter()
                .map(|complaint| complaint.to_detail(domain))
                .collect(),
        })
    }
}

impl Complaint {
    /// The complaint with its field, for people.
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

/// Which web addresses a field takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scheme {
    /// Only https.
    Https,
    /// http or https.
    HttpOrHttps,
}

/// Whether an absolute web address is secure; none when the text is not one.
///
/// Judges form only: where a name leads is looked at when it is called.
fn web_address(text: &str) -> Option<bool> {
    const CHARS_MAX: usize = 2048;
    let uri: http::Uri = text
        .parse()
        .ok()
        .filter(|_| text.len() <= CHARS_MAX && !text.contains('#'))?;
    let authority = uri.authority()?;
    if authority.as_str().contains('@') || authority.host().is_empty() {
        return None;
    }
    match uri.scheme_str()? {
        "https" => Some(true),
        "http" => Some(false),
        _ => None,
    }
}

/// How long a text is in JSON, which writes a control character as six.
fn written_bytes(text: &str) -> usize {
    let controls = text.bytes().filter(|byte| *byte < b' ').count();
    text.len() + 5 * controls
}

/// A text of at most so many bytes, and a sign where it was longer.
fn shortened(mut text: String, bytes_max: usize) -> String {
    if text.len() > bytes_max {
        text.truncate(text.floor_char_boundary(bytes_max));
        text.push('…');
    }
    text
}

/// Whether a place is that of another, or lies in it: `items[3].id` in `items`.
fn is_within(place: &str, other: &str) -> bool {
    place
        .strip_prefix(other)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}
