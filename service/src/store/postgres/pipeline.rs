//! The pipeline of statements to PostgreSQL: those whose answers nobody needs are sent with the next one whose answer is awaited, in
//! their order, which saves a round trip each.
//!
//! They run as prepared statements by name, because a text of several statements takes no parameters; their values are quoted here and
//! nowhere else.

use std::fmt::Write;

use foldhash::HashMap;

use crate::store::sql::Value;

/// A text longer than this is not made longer.
const LENGTH_MAX: usize = 256 * 1024;

/// What waits on one connection.
#[derive(Default)]
pub(super) struct Pipeline {
    /// The names under which the server knows statements.
    names: HashMap<String, String>,
    /// How many names were given.
    given: u64,
    text: String,
    /// Whether a statement that writes is among it.
    writes: bool,
    /// The marks that are not set yet, the latest last: where they stand in the text, and whether something writes before.
    marks: Vec<(usize, bool)>,
}

impl Pipeline {
    /// The connection is a new one: nothing waits and nothing has a name.
    pub(super) fn forget(&mut self) {
        self.names.clear();
        self.clear();
    }

    /// What waits is not sent.
    pub(super) fn clear(&mut self) {
        self.text.clear();
        self.writes = false;
        self.marks.clear();
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
    pub(super) fn add(&mut self, name: &str, values: &[Value<'_>]) {
        self.writes = true;
        let call = call(name, values);
        self.text.push_str(&call);
        self.text.push(';');
    }

    /// Has a mark wait to be set. Marks are called by their depth: to go back to one forgets those inside it.
    pub(super) fn mark(&mut self, depth: u32) {
        self.marks.push((self.text.len(), self.writes));
        self.text.push_str(&format!("SAVEPOINT mark_{depth};"));
    }

    /// Has the latest mark wait to be released; false when something is unsent whose failure has to be told before that.
    pub(super) fn release(&mut self, depth: u32) -> bool {
        if self.writes {
            return false;
        }
        match self.marks.pop() {
            // Nothing came after it.
            Some((at, _)) => self.text.truncate(at),
            None => self
                .text
                .push_str(&format!("RELEASE SAVEPOINT mark_{depth};")),
        }
        true
    }

    /// Takes back what waits since the latest mark, and the mark; false when the mark is with the server.
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

    /// What waits, with a last statement behind it; nothing waits any more.
    pub(super) fn take(&mut self, last: &str) -> String {
        let mut text = std::mem::take(&mut self.text);
        self.clear();
        text.push_str(last);
        text
    }
}

/// A named statement with its values.
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

/// A value as SQL, as `standard_conforming_strings` reads it.
fn write(text: &mut String, value: &Value<'_>) {
    // Nothing can go wrong in writing to a text.
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
