//! The write-behind cache of the connection that writes to PostgreSQL: answers of statements, rows that change often, and numbers
//! reserved for new rows. Every statement costs a round trip; a cached one costs none.
//!
//! Within a transaction the cache follows the transaction's own writes and its rollbacks to savepoints. It survives a transaction
//! only if nobody else has written since: PostgreSQL gives every writing transaction of every process a number. If the next
//! transaction starts at exactly the number that the last one ended with, and no other was running then, nobody has. The cache counts
//! the numbers of its own transaction from below: counting one too few only empties the cache.

use std::collections::{BTreeMap, VecDeque};

use foldhash::HashMap;

use crate::store::sql::{Cell, Row, Value};

/// An answer of more rows than this is not remembered.
const ROWS_MAX: usize = 8;

/// With more than this remembered of a kind, it begins anew.
const REMEMBERED_MAX: usize = 4096;

/// Numbers for new rows that are asked for at once, at most.
const AHEAD_MAX: usize = 256;

/// Tables whose new rows get numbers from the store.
const NUMBERED: [&str; 3] = ["movements", "transfers", "chain_transactions"];

/// A set of tables, a bit for each that was ever written.
pub(super) type Tables = u128;

/// What there is to know of a statement before it runs.
struct Statement {
    words: Vec<String>,
    /// What it writes into; all when that cannot be told, and nothing when it reads.
    target: Tables,
    /// Its answer depends on the rows of tables alone.
    is_steady: bool,
    /// It certainly writes when it succeeds.
    writes: bool,
    /// The tables it names, of the first so many.
    names: Tables,
    of: usize,
}

/// A row that is kept: what it is in the transaction's eyes, and how it is written when it has to be.
#[derive(Clone)]
struct Kept {
    row: Option<Row>,
    /// To be added to what is there, for rows that are only ever added to.
    sum: i64,
    /// The statement and the values that are not with the server yet.
    unwritten: Option<(&'static str, Vec<Cell>)>,
}

/// A table's name and the key of a row, as text.
type Key = (&'static str, String);

#[derive(Default)]
pub(super) struct WriteCache {
    statements: HashMap<String, Statement>,
    tables: Vec<String>,
    answers: HashMap<String, HashMap<String, Vec<Row>>>,
    answered: usize,
    kept: BTreeMap<Key, Kept>,
    /// The tables that rows are kept of, or were.
    kept_of: Tables,
    /// Those among them that are not with the server.
    unwritten: Tables,
    undo: Vec<(Key, Option<Kept>)>,
    marks: Vec<Mark>,
    /// How often something was written.
    writes: u64,
    ahead: HashMap<&'static str, VecDeque<i64>>,
    ahead_size: usize,
    begun_at: Option<u64>,
    ended_at: Option<u64>,
    own: Own,
}

struct Mark {
    undo: usize,
    writes: u64,
    own: Own,
}

/// The numbers of writing that are the transaction's own: one for itself and one for each mark inside which it writes.
#[derive(Clone, Default)]
struct Own {
    count: u64,
    /// Whether the transaction, and each of its marks, has its number.
    levels: Vec<bool>,
}

impl Own {
    fn write(&mut self) {
        for level in &mut self.levels {
            self.count += u64::from(!*level);
            *level = true;
        }
    }
}

/// A waiting row of the memory: a statement and its values.
pub(super) type Unwritten = (&'static str, Vec<Cell>);

impl WriteCache {
    /// A transaction begins, with PostgreSQL's `pg_current_snapshot()`: the first number under way, the next one, and those
    /// under way between.
    pub(super) fn begin(&mut self, snapshot: Option<&str>) {
        let alone = snapshot.and_then(|text| {
            let (first, rest) = text.split_once(':')?;
            let (next, _) = rest.split_once(':')?;
            (first == next).then(|| next.parse().ok())?
        });
        if alone.is_none() || alone != self.ended_at || self.kept.len() > REMEMBERED_MAX {
            self.forget();
        }
        self.begun_at = alone;
        self.ended_at = None;
        self.own = Own {
            count: 0,
            levels: vec![false],
        };
        self.undo.clear();
        self.marks.clear();
    }

    /// The transaction is committed.
    pub(super) fn commit(&mut self) {
        self.ended_at = self.begun_at.map(|at| at + self.own.count);
        self.undo.clear();
        self.marks.clear();
    }

    /// Nothing is known any more.
    pub(super) fn forget(&mut self) {
        self.forget_answers();
        self.kept.clear();
        self.kept_of = 0;
        self.unwritten = 0;
        self.undo.clear();
        self.ahead.clear();
        self.ahead_size = 0;
        self.begun_at = None;
        self.ended_at = None;
    }

    /// Something went otherwise than was counted on: nothing outlasts this transaction.
    pub(super) fn doubt(&mut self) {
        self.begun_at = None;
    }

    pub(super) fn mark(&mut self) {
        self.marks.push(Mark {
            undo: self.undo.len(),
            writes: self.writes,
            own: self.own.clone(),
        });
        self.own.levels.push(false);
    }

    pub(super) fn release(&mut self) {
        self.marks.pop();
        self.own.levels.pop();
    }

    /// Back to the latest mark; whether the server ever heard of it.
    pub(super) fn undo(&mut self, sent: bool) {
        let Some(mark) = self.marks.pop() else { return };
        for (key, before) in self.undo.drain(mark.undo..).rev() {
            match before {
                Some(kept) => self.kept.insert(key, kept),
                None => self.kept.remove(&key),
            };
        }
        self.unwritten = Tables::MAX;
        if self.writes != mark.writes {
            self.forget_answers();
        }
        if sent {
            self.own.levels.pop();
        } else {
            self.own = mark.own;
        }
    }

    fn forget_answers(&mut self) {
        self.answers.clear();
        self.answered = 0;
    }

    /// The bit of a table.
    fn table(&mut self, name: &str) -> Tables {
        let place = self.tables.iter().position(|known| known == name);
        let place = place.unwrap_or_else(|| {
            self.tables.push(name.to_owned());
            self.tables.len() - 1
        });
        // The last bit stands for all that have none of their own.
        1 << place.min(Tables::BITS as usize - 1)
    }

    fn statement(&mut self, sql: &str) -> &mut Statement {
        if !self.statements.contains_key(sql) {
            if self.statements.len() > REMEMBERED_MAX {
                self.statements.clear();
                self.forget_answers();
            }
            let statement = self.read(sql);
            self.statements.insert(sql.to_owned(), statement);
        }
        let tables = &self.tables;
        let statement = self.statements.get_mut(sql).expect("just put there");
        for (place, table) in tables.iter().enumerate().skip(statement.of) {
            if statement.words.iter().any(|word| word == table) {
                statement.names |= 1 << place.min(Tables::BITS as usize - 1);
            }
        }
        statement.of = tables.len();
        statement
    }

    fn read(&mut self, sql: &str) -> Statement {
        let mut words: Vec<String> = sql
            .split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect();
        let word = |place: usize| words.get(place).map_or("", String::as_str);
        let target = match (word(0), word(1)) {
            ("SELECT", _) => None,
            ("INSERT", "INTO") | ("DELETE", "FROM") => Some(word(2)),
            ("UPDATE", table) => Some(table),
            _ => Some(""),
        };
        let writes = word(0) == "INSERT"
            && words.iter().any(|word| word == "VALUES")
            && !words
                .iter()
                .any(|word| word == "NOTHING" || word == "WHERE");
        let is_steady = target.is_none()
            && words.iter().any(|word| word == "FROM")
            && !words.iter().any(|word| {
                word.starts_with("pg_")
                    || [
                        "UPDATE",
                        "nextval",
                        "setval",
                        "to_regclass",
                        "now",
                        "random",
                    ]
                    .contains(&word.as_str())
            });
        let target = match target.map(str::to_owned) {
            None => 0,
            Some(table) if table.is_empty() => Tables::MAX,
            Some(table) => self.table(&table),
        };
        words.sort_unstable();
        words.dedup();
        Statement {
            words,
            target,
            is_steady,
            writes,
            names: 0,
            of: 0,
        }
    }

    /// The table that a statement writes into, and those it names; all when that cannot be told.
    pub(super) fn tables(&mut self, sql: &str) -> (Tables, Tables) {
        let statement = self.statement(sql);
        match statement.target {
            Tables::MAX => (Tables::MAX, Tables::MAX),
            target => (target, statement.names),
        }
    }

    /// How often something was written.
    pub(super) fn writes(&self) -> u64 {
        self.writes
    }

    /// What a statement answered before, if nothing it reads has changed since.
    pub(super) fn answer(&self, sql: &str, values: &str) -> Option<Vec<Row>> {
        self.answers.get(sql)?.get(values).cloned()
    }

    pub(super) fn is_steady(&mut self, sql: &str) -> bool {
        self.statement(sql).is_steady
    }

    pub(super) fn answered(&mut self, sql: &str, values: String, rows: &[Row]) {
        if rows.len() > ROWS_MAX {
            return;
        }
        if self.answered > REMEMBERED_MAX {
            self.forget_answers();
        }
        let answers = self.answers.entry(sql.to_owned()).or_default();
        self.answered += usize::from(answers.insert(values, rows.to_vec()).is_none());
    }

    /// The rows that have to be with the server before a statement runs.
    pub(super) fn unwritten_for(&mut self, sql: &str) -> Vec<Unwritten> {
        let statement = self.statement(sql);
        // Of what might write anywhere nothing may be left behind.
        let tables = match statement.target {
            Tables::MAX => Tables::MAX,
            _ => statement.names,
        };
        self.take_unwritten(tables)
    }

    /// All rows that are not with the server.
    pub(super) fn unwritten(&mut self) -> Vec<Unwritten> {
        self.take_unwritten(Tables::MAX)
    }

    fn take_unwritten(&mut self, tables: Tables) -> Vec<Unwritten> {
        if self.unwritten & tables == 0 {
            return Vec::new();
        }
        let waiting: Vec<Key> = self
            .kept
            .iter()
            .filter(|(_, kept)| kept.unwritten.is_some() || kept.sum != 0)
            .map(|(key, _)| key.clone())
            .collect();
        let (mut taken, mut left) = (Vec::new(), 0);
        for key in waiting {
            let bit = self.table(key.0);
            if bit & tables == 0 {
                left |= bit;
                continue;
            }
            self.note(&key);
            let Some(kept) = self.kept.get_mut(&key) else {
                continue;
            };
            let sum = std::mem::take(&mut kept.sum);
            if let Some((sql, mut values)) = kept.unwritten.take() {
                if kept.row.is_none() {
                    values.push(Cell::Int(sum));
                }
                if kept.row.is_some() || sum != 0 {
                    taken.push((sql, values));
                }
            }
        }
        self.unwritten = left;
        taken
    }

    /// A statement runs, or will with what waits: what it may have changed is not known any more.
    pub(super) fn ran(&mut self, sql: &str) {
        let statement = self.statement(sql);
        let (target, writes) = (statement.target, statement.writes);
        if target == 0 {
            return;
        }
        if writes {
            self.own.write();
        }
        self.changed(target);
        if self.kept_of & target == 0 {
            return;
        }
        let mut gone: Vec<Key> = Vec::new();
        for key in self.kept.keys() {
            let place = self.tables.iter().position(|table| table == key.0);
            if place.is_some_and(|place| target & (1 << place.min(Tables::BITS as usize - 1)) != 0)
            {
                gone.push(key.clone());
            }
        }
        for key in gone {
            self.note(&key);
            self.kept.remove(&key);
        }
    }

    /// Rows of the memory were written.
    pub(super) fn wrote(&mut self, sql: &str) {
        if self.statement(sql).writes {
            self.own.write();
        }
    }

    fn changed(&mut self, tables: Tables) {
        self.writes += 1;
        for (sql, answers) in &mut self.answers {
            if answers.is_empty() {
                continue;
            }
            let names = self
                .statements
                .get_mut(sql)
                .map_or(Tables::MAX, |statement| {
                    for (place, table) in self.tables.iter().enumerate().skip(statement.of) {
                        if statement.words.iter().any(|word| word == table) {
                            statement.names |= 1 << place.min(Tables::BITS as usize - 1);
                        }
                    }
                    statement.of = self.tables.len();
                    statement.names
                });
            if names & tables != 0 {
                self.answered -= answers.len();
                answers.clear();
            }
        }
    }

    /// Notes what a kept row is, so that it can be again.
    fn note(&mut self, key: &Key) {
        if !self.marks.is_empty() {
            self.undo.push((key.clone(), self.kept.get(key).cloned()));
        }
    }

    /// A kept row; `None` when it has to be read.
    pub(super) fn known(&self, table: &'static str, key: &[Value<'_>]) -> Option<Row> {
        self.kept.get(&(table, text(key)))?.row.clone()
    }

    /// A kept row as it was read, written, or both.
    pub(super) fn keep(
        &mut self,
        table: &'static str,
        key: &[Value<'_>],
        values: &[Value<'_>],
        write: Option<&'static str>,
    ) {
        let place = (table, text(key));
        self.note(&place);
        if write.is_some() {
            let bit = self.table(table);
            self.unwritten |= bit;
            self.changed(bit);
        }
        self.kept_of |= self.table(table);
        let row = Row::new(values.iter().map(Cell::of).collect());
        let unwritten = write.map(|sql| (sql, key.iter().chain(values).map(Cell::of).collect()));
        self.kept.insert(
            place,
            Kept {
                row: Some(row),
                sum: 0,
                unwritten,
            },
        );
    }

    /// Adds to a kept row that is only ever added to.
    pub(super) fn add(
        &mut self,
        table: &'static str,
        key: &[Value<'_>],
        by: i64,
        write: &'static str,
    ) {
        let place = (table, text(key));
        self.note(&place);
        let bit = self.table(table);
        self.kept_of |= bit;
        self.unwritten |= bit;
        self.changed(bit);
        let kept = self.kept.entry(place).or_insert(Kept {
            row: None,
            sum: 0,
            unwritten: None,
        });
        kept.sum += by;
        if kept.unwritten.is_none() {
            kept.unwritten = Some((write, key.iter().map(Cell::of).collect()));
        }
    }

    /// The table that an INSERT names, if its rows get their numbers from here.
    pub(super) fn numbered(sql: &str) -> Option<&'static str> {
        let rest = sql.strip_prefix("INSERT INTO ")?;
        NUMBERED.into_iter().find(|table| {
            rest.strip_prefix(table)
                .is_some_and(|rest| rest.starts_with(" ("))
        })
    }

    /// The next number for a row of a table, or how many have to be asked for.
    pub(super) fn number(&mut self, table: &'static str) -> Result<i64, usize> {
        if let Some(number) = self.ahead.entry(table).or_default().pop_front() {
            return Ok(number);
        }
        // Few at first: who takes turns with others has them forgotten at the end of each.
        self.ahead_size = (self.ahead_size * 2).clamp(1, AHEAD_MAX);
        Err(self.ahead_size)
    }

    pub(super) fn numbers(&mut self, table: &'static str, numbers: impl Iterator<Item = i64>) {
        self.ahead.entry(table).or_default().extend(numbers);
    }
}

/// Values as a text that no others have.
pub(super) fn text(values: &[Value<'_>]) -> String {
    super::pipeline::call("", values)
}

#[cfg(test)]
mod tests {
    use super::*;

    const WRITE: &str = "INSERT INTO t (id) VALUES (?1)";
    const READ: &str = "SELECT id FROM t WHERE id = ?1";
    const ADD: &str = "INSERT INTO sums (id, sum) VALUES (?1, ?2) ON CONFLICT (id) DO UPDATE SET sum = sums.sum + excluded.sum";

    fn one(number: i64) -> Vec<Row> {
        vec![Row::new(vec![Cell::Int(number)])]
    }

    /// A memory whose first transaction began at number 10, took two numbers and read an answer.
    fn remembering() -> WriteCache {
        let mut cache = WriteCache::default();
        cache.begin(Some("10:10:"));
        cache.mark();
        cache.ran(WRITE);
        cache.ran(WRITE);
        cache.release();
        assert!(cache.is_steady(READ));
        cache.answered(READ, "a".to_owned(), &one(1));
        cache.commit();
        cache
    }

    #[test]
    fn what_is_remembered_outlasts_a_transaction_only_while_nobody_else_writes() {
        for (snapshot, remembers) in [
            ("12:12:", true),
            ("13:13:", false),
            ("11:11:", false),
            ("11:12:11", false),
            ("", false),
        ] {
            let mut cache = remembering();
            cache.begin(Some(snapshot));
            assert_eq!(cache.answer(READ, "a").is_some(), remembers, "{snapshot}");
        }
    }

    #[test]
    fn after_a_doubt_nothing_outlasts_the_transaction() {
        let mut cache = remembering();
        cache.begin(Some("12:12:"));
        cache.doubt();
        cache.commit();
        cache.begin(Some("12:12:"));
        assert!(cache.answer(READ, "a").is_none());
    }

    #[test]
    fn a_write_makes_unknown_what_was_read_of_its_table_alone() {
        let mut cache = remembering();
        cache.begin(Some("12:12:"));
        cache.ran("UPDATE others SET id = 1");
        assert!(cache.answer(READ, "a").is_some());
        cache.ran("UPDATE t SET id = 1");
        assert!(cache.answer(READ, "a").is_none());
    }

    #[test]
    fn kept_rows_and_sums_go_back_to_what_they_were_at_a_mark() {
        let (key, mut cache) = ([Value::Int(7)], WriteCache::default());
        cache.begin(Some("10:10:"));
        cache.keep("t", &key, &[1.into()], Some(WRITE));
        cache.add("sums", &key, 5, ADD);
        cache.mark();
        cache.keep("t", &key, &[2.into()], Some(WRITE));
        cache.add("sums", &key, 6, ADD);
        assert_eq!(cache.unwritten_for("SELECT sum FROM sums").len(), 1);
        cache.add("sums", &key, 7, ADD);
        cache.undo(true);
        let row = cache.known("t", &key).expect("kept");
        assert_eq!(row.int(0), Ok(1));
        let cells = |numbers: &[i64]| numbers.iter().copied().map(Cell::Int).collect::<Vec<_>>();
        let written = [(ADD, cells(&[7, 5])), (WRITE, cells(&[7, 1]))];
        assert_eq!(cache.unwritten(), written);
        assert!(cache.unwritten().is_empty());
    }
}
