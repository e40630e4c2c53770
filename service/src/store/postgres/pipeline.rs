//! The pipeline of statements to PostgreSQL: a statement whose answer is not needed is sent with the next one whose answer is
//! awaited, in order, which saves a round trip each.
//!
//! They run as prepared statements by name, because a simple query takes no parameters; only this module quotes their values.

use std::fmt::Write;

use foldhash::HashMap;

use crate::store::sql::Value;

/// A longer queue, in bytes, is sent before more is added.
const LENGTH_MAX: usize = 256 * 1024;

/// The queue of one connection.
#[derive(Default)]
pub(super) struct Pipeline {
    /// Names of the prepared statements, by SQL text.
    names: HashMap<String, String>,
    given: u64,
    text: String,
    /// Whether the queue holds a write.
    writes: bool,
    /// Queued savepoints, latest last: the position in the text, and whether a queued write precedes it.
    marks: Vec<(usize, bool)>,
}

impl Pipeline {
    /// Resets the queue and all names for a new connection.
    pub(super) fn forget(&mut self) {
        self.names.clear();
        self.clear();
    }

    /// Discards the queue.
    pub(super) fn clear(&mut self) {
        self.text.clear();
        self.writes = false;
        self.marks.clear();
    }

    /// The name of a prepared statement.
    pub(super) fn name(&self, sql: &str) -> Option<String> {
        self.names.get(sql).cloned()
    }

    pub(super) fn new_name(&mut self) -> String {
        self.given += 1;
        format!("batched_{}", self.given)
    }

    /// Records the name of a prepared statement.
    pub(super) fn named(&mut self, sql: &str, name: String) {
        self.names.insert(sql.to_owned(), name);
    }

    /// Queues a named statement with its values.
    pub(super) fn add(&mut self, name: &str, values: &[Value<'_>]) {
        self.writes = true;
        let call = call(name, values);
        self.text.push_str(&call);
        self.text.push(';');
    }

    /// Queues a savepoint. Savepoints are named by depth: rolling back to one discards the inner ones.
    pub(super) fn mark(&mut self, depth: u32) {
        self.marks.push((self.text.len(), self.writes));
        self.text.push_str(&format!("SAVEPOINT mark_{depth};"));
    }

    /// Queues the release of the latest savepoint; false if a queued write has to report its failure first.
    pub(super) fn release(&mut self, depth: u32) -> bool {
        if self.writes {
            return false;
        }
        match self.marks.pop() {
            // Nothing follows the savepoint: drop both.
            Some((at, _)) => self.text.truncate(at),
            None => self
                .text
                .push_str(&format!("RELEASE SAVEPOINT mark_{depth};")),
        }
        true
    }

    /// Removes everything queued since the latest savepoint, and the savepoint; false if the server already has it.
    pub(super) fn undo(&mut self) -> bool {
        let Some((at, writes)) = self.marks.pop() else {
            self.clear();
            return false;
        };
        self.text.truncate(at);
        self.writes = writes;
        true
    }

    pub(super) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    pub(super) fn is_long(&self) -> bool {
        self.text.len() > LENGTH_MAX
    }

    /// Empties the queue and returns its text, with a last statement appended.
    pub(super) fn take(&mut self, last: &str) -> String {
        let mut text = std::mem::take(&mut self.text);
        self.clear();
        text.push_str(last);
        text
    }
}

/// An EXECUTE of a named statement with its values.
pub(super) fn call(name: &str, values: &[Value<'_>]) -> String {
    let mut text = format!("EXECUTE {name}");
    for (place, value) in values.iter().enumerate() {
        text.push(if place == 0 { '(' } else { ',' });
        write(&mut text, value);
    }
    if !values.is_empty() {
        text.push(')');
    }
    text
}

/// Writes a value as an SQL literal under `standard_conforming_strings`.
fn write(text: &mut String, value: &Value<'_>) {
    // Writing to a String cannot fail.
    let _written = match value {
        Value::Null => write!(text, "NULL"),
        Value::Int(value) => write!(text, "{value}"),
        Value::Amount(value) => write!(text, "{value}"),
        Value::Text(value) => write!(text, "'{}'", value.replace('\'', "''")),
        Value::Id(id) => write!(text, "'{}'", id.as_str()),
        Value::Blob(value) => write!(text, "'\\x{}'", hex::encode(value)),
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_written_so_that_none_ends_before_its_end() {
        let mut pipeline = Pipeline::default();
        let values = [
            Value::Null,
            (-7_i64).into(),
            "it's a \\ '; DROP TABLE t; --".into(),
            (10_i128.pow(37)).into(),
            Value::Blob(&[0, 255]),
        ];
        pipeline.add("batched_1", &values);
        assert_eq!(
            pipeline.take("COMMIT"),
            "EXECUTE batched_1(NULL,-7,'it''s a \\ ''; DROP TABLE t; --',10000000000000000000000000000000000000,'\\x00ff');COMMIT"
        );
        assert!(pipeline.is_empty());
    }

    #[test]
    fn a_mark_that_was_never_sent_is_undone_and_released_without_a_word() {
        let mut pipeline = Pipeline::default();
        pipeline.mark(1);
        assert!(pipeline.release(1));
        assert!(pipeline.is_empty());
        pipeline.add("batched_1", &[]);
        pipeline.mark(1);
        pipeline.add("batched_2", &[]);
        assert!(!pipeline.release(1), "a failure has to be told first");
        assert!(pipeline.undo());
        assert_eq!(pipeline.take(""), "EXECUTE batched_1;");
        assert!(!pipeline.undo(), "the mark is with the server");
    }
}
