//! Files of exported records: a table with a column per field as CSV (RFC 4180) or XLSX, or JSON.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};
use settlekit_core::account::{Direction, MovementStatus};
use settlekit_core::value::Amount;

use crate::list::export_columns::{ColumnKind, NET};
use crate::list::xlsx::{Cell, Sheet, Workbook};
use crate::ui::field_path;

/// Ending of a column that stands for all fields of an object.
const ALL_FIELDS: &str = ".*";

/// From a byte order mark Excel knows that the file is UTF-8.
const BYTE_ORDER_MARK: &str = "\u{feff}";

/// The fields of a record, those of objects within it by their path.
type Fields = Vec<(String, Value)>;

/// Records as rows.
pub(crate) struct ExportTable {
    headings: Vec<String>,
    /// Null where a record has no such field.
    rows: Vec<Vec<Value>>,
}

impl ExportTable {
    /// The records with the columns; without columns, with each field of any record, in order of appearance.
    pub(crate) fn of(records: Vec<Value>, columns: Option<&[String]>) -> Self {
        let has_net = columns.is_some_and(|columns| columns.iter().any(|column| column == NET));
        let fields = |record: Value| {
            let net = has_net.then(|| net_of(&record)).flatten();
            let mut fields = Fields::new();
            flatten(String::new(), record, &mut fields);
            fields.extend(net.map(|net| (NET.to_owned(), Value::String(net.to_string()))));
            fields
        };
        let records: Vec<Fields> = records.into_iter().map(fields).collect();
        let found = names_of(&records);
        let headings = match columns {
            Some(columns) => expanded(columns, &found),
            None => id_first(found),
        };
        let rows = {
            let places: BTreeMap<&str, usize> = headings
                .iter()
                .enumerate()
                .map(|(place, heading)| (heading.as_str(), place))
                .collect();
            let row = |fields: Fields| {
                let mut row = vec![Value::Null; headings.len()];
                for (name, value) in fields {
                    if let Some(place) = places.get(name.as_str())
                        && let Some(cell) = row.get_mut(*place)
                    {
                        *cell = value;
                    }
                }
                row
            };
            records.into_iter().map(row).collect()
        };
        Self { headings, rows }
    }

    /// Comma-separated values, for Excel with a byte order mark.
    pub(crate) fn csv(&self, for_excel: bool) -> String {
        let mut text = String::from(if for_excel { BYTE_ORDER_MARK } else { "" });
        add_line(&mut text, self.headings.iter().cloned());
        for row in &self.rows {
            add_line(&mut text, row.iter().map(text_of));
        }
        text
    }

    /// An array of objects with the columns as fields.
    pub(crate) fn json(self) -> String {
        let headings = &self.headings;
        let object =
            |row: Vec<Value>| -> Map<String, Value> { headings.iter().cloned().zip(row).collect() };
        let objects: Vec<_> = self.rows.into_iter().map(object).collect();
        serde_json::to_string_pretty(&objects).unwrap_or_default()
    }

    /// A workbook; `name` is the name of its sheet.
    pub(crate) fn workbook(self, name: &str) -> Workbook {
        let kinds: Vec<ColumnKind> = self
            .headings
            .iter()
            .map(|heading| ColumnKind::of(heading))
            .collect();
        let mut sheet = Sheet::new(&self.headings);
        for row in self.rows {
            let cells = row.iter().zip(&kinds);
            sheet.push(cells.map(|(value, kind)| cell_of(text_of(value), *kind)));
        }
        sheet.finish(name)
    }
}

/// What a booked movement changes its account's balance by, in its currency. A fee in another currency is not part of it.
fn net_of(movement: &Value) -> Option<Amount> {
    let text = |name: &str| movement.get(name).and_then(Value::as_str);
    let amount = |name: &str| text(name)?.parse::<Amount>().ok();
    let is_booked = matches!(
        MovementStatus::from(text("status")?),
        MovementStatus::Confirmed | MovementStatus::Refunded | MovementStatus::PartialRefunded
    );
    if !is_booked {
        return None;
    }
    let fee = amount("fee").filter(|_| text("fee_currency") == text("currency"));
    let (amount, fee) = (amount("amount")?, fee.unwrap_or(Amount::ZERO));
    let net = match Direction::from(text("direction")?) {
        Direction::In => amount.minus(fee),
        _ => Amount::ZERO
            .minus(amount)
            .and_then(|amount| amount.minus(fee)),
    };
    net.ok()
}

fn flatten(path: String, value: Value, fields: &mut Fields) {
    match value {
        Value::Object(object) => {
            for (name, value) in object {
                flatten(field_path(&path, &name), value, fields);
            }
        }
        Value::Null => {}
        other => fields.push((path, other)),
    }
}

/// The names of all fields, in order of appearance.
fn names_of(records: &[Fields]) -> Vec<String> {
    let (mut names, mut seen) = (Vec::new(), BTreeSet::new());
    for (name, _) in records.iter().flatten() {
        if seen.insert(name.as_str()) {
            names.push(name.clone());
        }
    }
    names
}

fn id_first(mut names: Vec<String>) -> Vec<String> {
    if let Some(at) = names.iter().position(|name| name == "id") {
        names[..=at].rotate_right(1);
    }
    names
}

/// The columns, those of objects as the fields that were found. A column that no record has stays, so that the files of two months
/// have the same columns.
fn expanded(columns: &[String], found: &[String]) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for column in columns {
        let fields: Vec<&String> = match column.strip_suffix(ALL_FIELDS) {
            Some(object) => {
                let is_within = |name: &&String| {
                    let rest = name.strip_prefix(object);
                    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
                };
                found.iter().filter(is_within).collect()
            }
            None => vec![column],
        };
        for field in fields {
            if !all.contains(field) {
                all.push(field.clone());
            }
        }
    }
    all
}

/// A value as text, with every digit.
fn text_of(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn cell_of(text: String, kind: ColumnKind) -> Cell {
    match kind {
        ColumnKind::Text => Cell::Text(text),
        ColumnKind::Number => Cell::Number(text),
        ColumnKind::Time => match text.parse() {
            Ok(time) => Cell::Time(time),
            Err(_) => Cell::Text(text),
        },
    }
}

fn add_line(text: &mut String, cells: impl Iterator<Item = String>) {
    let cells: Vec<String> = cells.map(|cell| quoted(&cell)).collect();
    text.push_str(&cells.join(","));
    text.push_str("\r\n");
}

/// First characters of what spreadsheets may take for a formula (OWASP, CSV injection), some of them in their wide form.
const FORMULA_STARTS: [char; 11] = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];

/// A cell of a CSV file that spreadsheets don't interpret as a formula. Negative amounts stay numbers.
fn quoted(value: &str) -> String {
    let is_number = value.strip_prefix('-').is_some_and(|rest| {
        rest.bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'.')
    });
    let guard = if value.starts_with(FORMULA_STARTS) && !is_number {
        "'"
    } else {
        ""
    };
    if value.contains([',', '"', '\n', '\r']) {
        format!("\"{guard}{}\"", value.replace('"', "\"\""))
    } else {
        format!("{guard}{value}")
    }
}
