//! Statements that wait to be sent to PostgreSQL together: each is a way there and back saved.
//!
//! They are run by name, for a text of many statements has no values beside it; so the values are written out here, and
//! nowhere else.

use std::collections::HashMap;
use std::fmt::Write;

use super::sql::Value;

/// A text longer than this is not made longer.
const LENGTH_MAX: usize = 256 * 1024;

/// What waits on one connection.
#[derive(Default)]
pub(super) struct Batch {
    /// The names under which the server knows statements.
    names: HashMap<String, String>,
    /// How many names were given.
    given: u64,
    text: String,
    /// The tables that what waits will have written.
    tables: Vec<String>,
}

impl Batch {
    /// The connection is a new one: nothing waits and nothing has a name.
    pub(super) fn forget(&mut self) {
        self.names.clear();
        self.clear();
    }

    /// What waits is not sent.
    pub(super) fn clear(&mut self) {
        self.text.clear();
        self.tables.clear();
    }

    /// The name the server knows a statement by.
    pub(super) fn name(&self, sql: &str) -> Option<String> {
        self.names.get(sql).cloned()
    }

    /// A name that is not given yet.
    pub(super) fn new_name(&mut self) -> String {
        self.given += 1;
        format!("batched_{}", self.given)
    }

    /// The server knows a statement by a name.
    pub(super) fn named(&mut self, sql: &str, name: String) {
        self.names.insert(sql.to_owned(), name);
    }

    /// Has a named statement wait with its values.
    pub(super) fn add(&mut self, sql: &str, name: &str, values: &[Value<'_>]) {
        self.text.push_str("EXECUTE ");
        self.text.push_str(name);
        for (place, value) in values.iter().enumerate() {
            self.text.push(if place == 0 { '(' } else { ',' });
            write(&mut self.text, value);
        }
        if !values.is_empty() {
            self.text.push(')');
        }
        self.text.push(';');
        if let Some(table) = written_by(sql)
            && !self.tables.iter().any(|known| known == table)
        {
            self.tables.push(table.to_owned());
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    pub(super) fn is_long(&self) -> bool {
        self.text.len() > LENGTH_MAX
    }

    /// Whether a statement names a table that what waits will have written.
    pub(super) fn concerns(&self, sql: &str) -> bool {
        self.tables.iter().any(|table| names(sql, table))
    }

    /// What waits, with a last statement behind it; nothing waits any more.
    pub(super) fn take(&mut self, last: &str) -> String {
        let mut text = std::mem::take(&mut self.text);
        self.clear();
        text.push_str(last);
        text
    }
}

/// The table that a statement writes.
fn written_by(sql: &str) -> Option<&str> {
    let rest = ["INSERT INTO ", "UPDATE ", "DELETE FROM "]
        .iter()
        .find_map(|verb| sql.strip_prefix(verb))?;
    rest.split_whitespace().next()
}

/// Whether a word of the statement begins with the table's name.
fn names(sql: &str, table: &str) -> bool {
    sql.match_indices(table).any(|(at, _)| {
        let before = sql[..at].chars().next_back();
        !before.is_some_and(|letter| letter.is_ascii_alphanumeric() || letter == '_')
    })
}

/// A value as SQL, as `standard_conforming_strings` reads it.
fn write(text: &mut String, value: &Value<'_>) {
    // Nothing can go wrong in writing to a text.
    let _written = match value {
        Value::Null => write!(text, "NULL"),
        Value::Int(value) => write!(text, "{value}"),
        Value::Amount(value) => write!(text, "{value}"),
        Value::Text(value) => write!(text, "'{}'", value.replace('\'', "''")),
        Value::Blob(value) => write!(text, "'\\x{}'", hex::encode(value)),
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_written_so_that_none_ends_before_its_end() {
        let mut batch = Batch::default();
        let values = [
            Value::Null,
            (-7_i64).into(),
            "it's a \\ '; DROP TABLE t; --".into(),
            (10_i128.pow(37)).into(),
            Value::Blob(&[0, 255]),
        ];
        batch.add(
            "INSERT INTO t VALUES (?1, ?2, ?3, ?4, ?5)",
            "batched_1",
            &values,
        );
        assert_eq!(
            batch.take("COMMIT"),
            "EXECUTE batched_1(NULL,-7,'it''s a \\ ''; DROP TABLE t; --',10000000000000000000000000000000000000,'\\x00ff');COMMIT"
        );
        assert!(batch.is_empty());
    }

    #[test]
    fn what_is_read_is_sent_before_and_what_is_not_can_wait() {
        let mut batch = Batch::default();
        batch.add(
            "INSERT INTO counts (held) VALUES (?1)",
            "batched_1",
            &[1.into()],
        );
        batch.add("UPDATE events SET seq = 1", "batched_2", &[]);
        for (sql, concerned) in [
            ("SELECT held FROM counts", true),
            ("SELECT 1 FROM accounts", false),
            (
                "SELECT l.id FROM movements l JOIN events e ON e.id = l.id",
                true,
            ),
            ("SELECT 1 FROM chain_events", false),
        ] {
            assert_eq!(batch.concerns(sql), concerned, "{sql}");
        }
    }
}
