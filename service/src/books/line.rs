//! A line of exported books: writing, reading, validation.

use serde_json::{Map, Value, json};
use settlekit_core::account::{Account, PayInAddress};
use settlekit_core::automation::Automation;
use settlekit_core::customer::Customer;
use settlekit_core::event::Replay;
use settlekit_core::external_account::ExternalAccount;
use settlekit_core::invoice::Invoice;
use settlekit_core::organisation::Organisation;
use settlekit_core::paylink::Paylink;
use settlekit_core::payment::Payment;
use settlekit_core::plan::Plan;
use settlekit_core::quote::Quote;
use settlekit_core::subscription::Subscription;
use settlekit_core::trade::QuickTrade;
use settlekit_core::value::OrganisationId;

use crate::mode::Mode;
use crate::store::books::{Column, Kind, Owned, TABLES, Table};
use crate::store::sql::{LARGEST_AMOUNT, StoreError};

/// The version of the format; others are rejected.
pub const VERSION: u32 = 1;

/// The key in the first line that identifies the file format.
const WHAT: &str = "settlekit_books";
/// The key of the last line.
const END: &str = "end";
/// Fields of an organisation's record that are not exported: they belong to the secrets, which are new after an import, to the
/// members, or to the database.
const LEFT_OUT: [&str; 3] = ["webhook_public_key", "partner_id", "owner_user_id"];

pub(super) struct Header {
    pub(super) organisation: OrganisationId,
    pub(super) mode: Mode,
}

impl Header {
    pub(super) fn new(organisation: OrganisationId, mode: Mode) -> Self {
        Self { organisation, mode }
    }

    pub(super) fn write(&self) -> Result<String, StoreError> {
        let mode = self.mode.as_str();
        Ok(json!({ WHAT: VERSION, "mode": mode, "org_id": self.organisation }).to_string())
    }

    pub(super) fn read(text: &str) -> Result<Self, String> {
        let value: Value = serde_json::from_str(text)
            .map_err(|_| "this is not an export of books: its first line is not JSON".to_owned())?;
        match value.get(WHAT).and_then(Value::as_u64) {
            Some(version) if version == u64::from(VERSION) => {}
            Some(version) => {
                return Err(format!(
                    "the books are of version {version}, this program reads version {VERSION}"
                ));
            }
            None => {
                return Err(format!(
                    "this is not an export of books: `{WHAT}` is missing"
                ));
            }
        }
        let organisation = value.get("org_id").and_then(Value::as_str);
        let organisation = organisation.and_then(|id| id.parse().ok());
        let mode = value.get("mode").and_then(Value::as_str);
        Ok(Self {
            organisation: organisation.ok_or("`org_id` is not an organisation id")?,
            mode: mode
                .and_then(Mode::from_text)
                .ok_or("`mode` must be sandbox or live")?,
        })
    }
}

pub(super) fn end(lines: u64) -> String {
    json!({ END: { "lines": lines } }).to_string()
}

pub(super) fn write(table: &Table, values: Vec<Owned>) -> Result<String, StoreError> {
    let mut row = Map::new();
    for (column, value) in table.columns.iter().zip(values) {
        let value = match value {
            Owned::Null => continue,
            Owned::Int(value) => value.into(),
            Owned::Amount(value) => value.to_string().into(),
            Owned::Text(text) if column.kind == Kind::Json => {
                let mut value: Value = serde_json::from_str(&text).map_err(|error| {
                    StoreError::Damaged(format!("{} of a {}: {error}", column.name, table.kind))
                })?;
                if let (true, Value::Object(record)) = (table.kind == "organisation", &mut value) {
                    for name in LEFT_OUT {
                        record.remove(name);
                    }
                }
                value
            }
            Owned::Text(text) => text.into(),
        };
        row.insert(column.name.to_owned(), value);
    }
    let mut line = Map::new();
    line.insert(table.kind.to_owned(), Value::Object(row));
    Ok(Value::Object(line).to_string())
}

/// A parsed line.
pub(super) enum ParsedLine {
    /// A row: index of its table, values of its columns.
    Row(usize, Vec<Owned>),
    /// The count of rows.
    End(u64),
}

/// Parses a line, or returns all its errors.
pub(super) fn read(text: &str, organisation: OrganisationId) -> Result<ParsedLine, Vec<String>> {
    let fail = |message: String| Err(vec![message]);
    let line: Map<String, Value> = match serde_json::from_str(text) {
        Ok(Value::Object(line)) => line,
        Ok(_) => return fail("is not an object".to_owned()),
        Err(error) => return fail(format!("is not JSON: {error}")),
    };
    let mut entries = line.into_iter();
    let (Some((kind, value)), None) = (entries.next(), entries.next()) else {
        return fail("must hold exactly one row, under the name of its kind".to_owned());
    };
    if kind == END {
        return match value.get("lines").and_then(Value::as_u64) {
            Some(lines) => Ok(ParsedLine::End(lines)),
            None => fail("the end must state the number of `lines`".to_owned()),
        };
    }
    let Some(place) = TABLES.iter().position(|table| table.kind == kind) else {
        return fail(format!("unknown kind `{kind}`"));
    };
    let Value::Object(mut row) = value else {
        return fail(format!("a {kind} must be an object"));
    };
    let table = &TABLES[place];
    let mut messages = Vec::new();
    let mut values = Vec::with_capacity(table.columns.len());
    for column in table.columns {
        let at = format!("{kind}.{}", column.name);
        match row.remove(column.name) {
            None | Some(Value::Null) if column.needed => messages.push(format!("{at} is missing")),
            None | Some(Value::Null) => values.push(Owned::Null),
            Some(value) => match own(table, column, value) {
                Ok(value) => values.push(value),
                Err(message) => messages.push(format!("{at} {message}")),
            },
        }
    }
    messages.extend(
        row.keys()
            .map(|name| format!("unknown field {kind}.{name}")),
    );
    let own_id = Owned::Text(organisation.to_string());
    if kind == "organisation" && messages.is_empty() && values.first() != Some(&own_id) {
        messages.push("organisation.id differs from the first line".to_owned());
    }
    if messages.is_empty() {
        Ok(ParsedLine::Row(place, values))
    } else {
        Err(messages)
    }
}

fn own(table: &Table, column: &Column, value: Value) -> Result<Owned, String> {
    match (column.kind, value) {
        (Kind::Int, Value::Number(number)) => number
            .as_i64()
            .map(Owned::Int)
            .ok_or_else(|| "must be a whole number of 64 bits".to_owned()),
        (Kind::Int, _) => Err("must be a whole number".to_owned()),
        (Kind::Amount, Value::String(text)) => match text.parse::<i128>() {
            Ok(amount) if amount.to_string() == text && amount.abs() <= LARGEST_AMOUNT => {
                Ok(Owned::Amount(amount))
            }
            _ => Err("must be a string with a whole number of at most 38 digits".to_owned()),
        },
        (Kind::Amount, _) => Err("must be a string with a whole number".to_owned()),
        // PostgreSQL text cannot contain NUL.
        (Kind::Text, Value::String(text)) if !text.contains('\0') => Ok(Owned::Text(text)),
        (Kind::Text, _) => Err("must be a string".to_owned()),
        (Kind::Json, value) => {
            if column.name == "record" {
                check_record(table.kind, &value)?;
            }
            Ok(Owned::Text(value.to_string()))
        }
    }
}

/// Whether a value is a valid record of the contract.
fn check_record(kind: &str, value: &Value) -> Result<(), String> {
    fn is<T: serde::de::DeserializeOwned>(value: &Value) -> Result<(), String> {
        // Through text, which keeps the digits of numbers.
        serde_json::from_str::<T>(&value.to_string())
            .map(drop)
            .map_err(|error| format!("cannot be read: {error}"))
    }
    match kind {
        "organisation" => is::<Organisation>(value),
        "account" => is::<Account>(value),
        "pay_in_address" => is::<PayInAddress>(value),
        "external_account" => is::<ExternalAccount>(value),
        "automation" => is::<Automation>(value),
        "plan" => is::<Plan>(value),
        "paylink" => is::<Paylink>(value),
        "customer" => is::<Customer>(value),
        "payment" => is::<Payment>(value),
        "subscription" => is::<Subscription>(value),
        "invoice" => is::<Invoice>(value),
        "quote" => is::<Quote>(value),
        "order" => is::<QuickTrade>(value),
        "replay" => is::<Replay>(value),
        _ => Ok(()),
    }
}
