//! The write-behind cache of the connection that writes to PostgreSQL: answers of queries, rows that change often, and ids
//! reserved for new rows. Every statement costs a round trip; a cached one costs none.
//!
//! Within a transaction the cache follows the transaction's own writes and its rollbacks to savepoints. It survives a transaction
//! only if no other has written since: PostgreSQL gives each writing transaction of every process an xid. If the next
//! transaction starts at exactly the xid at which the last one ended, and no other was running, none has. The cache counts a
//! lower bound of the xids of its own transaction: one too few only empties the cache.

use std::collections::{BTreeMap, VecDeque};

use foldhash::HashMap;

use crate::store::sql::{Cell, Row, Value};

/// Maximum rows of a cached answer.
const ROWS_MAX: usize = 8;

/// The cache is emptied when it holds more entries of a kind.
const REMEMBERED_MAX: usize = 4096;

/// Most ids to reserve in one round trip.
const AHEAD_MAX: usize = 256;

/// Tables whose ids the cache reserves.
const NUMBERED: [&str; 3] = ["movements", "transfers", "chain_transactions"];

/// A set of tables, one bit per table seen.
pub(super) type Tables = u128;

/// A statement, analysed by its words.
struct Statement {
    words: Vec<String>,
    /// The table it writes: all bits if unknown, none for a query.
    target: Tables,
    /// Its answer depends on table rows alone.
    is_steady: bool,
    /// If it succeeds, it has written.
    writes: bool,
    /// The tables it names, among the first `of` tables.
    names: Tables,
    of: usize,
}

/// A cached row as the transaction sees it.
#[derive(Clone)]
struct Kept {
    row: Option<Row>,
    /// The increment still to be written, for rows that are only ever incremented.
    sum: i64,
    /// The statement and values still to be written.
    unwritten: Option<(&'static str, Vec<Cell>)>,
}

/// A table's name and a row's key as text.
type Key = (&'static str, String);

#[derive(Default)]
pub(super) struct WriteCache {
    statements: HashMap<String, Statement>,
    tables: Vec<String>,
    answers: HashMap<String, HashMap<String, Vec<Row>>>,
    answered: usize,
    kept: BTreeMap<Key, Kept>,
    /// Tables that have, or had, cached rows.
    kept_of: Tables,
    /// Tables with unwritten rows.
    unwritten: Tables,
    undo: Vec<(Key, Option<Kept>)>,
    marks: Vec<Mark>,
    /// Count of changes.
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

/// The xids of the transaction: one for itself, and one for each savepoint (subtransaction) inside which it writes.
#[derive(Clone, Default)]
struct Own {
    count: u64,
    /// Whether the transaction, and each of its savepoints, has its xid.
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

/// An unwritten row: a statement and its values.
pub(super) type Unwritten = (&'static str, Vec<Cell>);

impl WriteCache {
    /// Begins a transaction, given PostgreSQL's `pg_current_snapshot()`: `xmin:xmax:xip_list`. The cache survives if no other
    /// transaction is running or has written since the last commit.
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

    pub(super) fn commit(&mut self) {
        self.ended_at = self.begun_at.map(|at| at + self.own.count);
        self.undo.clear();
        self.marks.clear();
    }

    /// Empties the cache.
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

    /// The count of xids is uncertain: the cache will not survive this transaction.
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

    /// Rolls back to the latest savepoint; `sent`: the server has the savepoint.
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

    /// The bit of a table, added on first use.
    fn table(&mut self, name: &str) -> Tables {
        let place = self.tables.iter().position(|known| known == name);
        let place = place.unwrap_or_else(|| {
            self.tables.push(name.to_owned());
            self.tables.len() - 1
        });
        // The last bit is shared by all further tables.
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

    /// The table that a statement writes, and the tables it names; all bits if unknown.
    pub(super) fn tables(&mut self, sql: &str) -> (Tables, Tables) {
        let statement = self.statement(sql);
        match statement.target {
            Tables::MAX => (Tables::MAX, Tables::MAX),
            target => (target, statement.names),
        }
    }

    /// Count of changes.
    pub(super) fn writes(&self) -> u64 {
        self.writes
    }

    /// The cached answer of a query, if no table it reads has changed since.
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

    /// Takes the unwritten rows that a statement may depend on.
    pub(super) fn unwritten_for(&mut self, sql: &str) -> Vec<Unwritten> {
        let statement = self.statement(sql);
        // A statement with an unknown target may depend on any row.
        let tables = match statement.target {
            Tables::MAX => Tables::MAX,
            _ => statement.names,
        };
        self.take_unwritten(tables)
    }

    /// Takes all unwritten rows.
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

    /// A statement runs, or is queued: evicts all that it may change.
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

    /// Cached rows were written with this statement.
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

    /// Saves a cached row for a rollback to the savepoint.
    fn note(&mut self, key: &Key) {
        if !self.marks.is_empty() {
            self.undo.push((key.clone(), self.kept.get(key).cloned()));
        }
    }

    /// A cached row; `None` if it has to be read.
    pub(super) fn known(&self, table: &'static str, key: &[Value<'_>]) -> Option<Row> {
        self.kept.get(&(table, text(key)))?.row.clone()
    }

    /// Caches a row: as read without `write`, else to be written with it.
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

    /// Increments a row that is only ever incremented.
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

    /// The target table of an INSERT, if the cache reserves its ids.
    pub(super) fn numbered(sql: &str) -> Option<&'static str> {
        let rest = sql.strip_prefix("INSERT INTO ")?;
        NUMBERED.into_iter().find(|table| {
            rest.strip_prefix(table)
                .is_some_and(|rest| rest.starts_with(" ("))
        })
    }

    /// The next reserved id of a table, or how many to reserve.
    pub(super) fn number(&mut self, table: &'static str) -> Result<i64, usize> {
        if let Some(number) = self.ahead.entry(table).or_default().pop_front() {
            return Ok(number);
        }
        // Start small: while writers alternate, the reserved ids are lost at the end of each transaction.
        self.ahead_size = (self.ahead_size * 2).clamp(1, AHEAD_MAX);
        Err(self.ahead_size)
    }

    pub(super) fn numbers(&mut self, table: &'static str, numbers: impl Iterator<Item = i64>) {
        self.ahead.entry(table).or_default().extend(numbers);
    }
}

/// Values as an unambiguous text.
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

    /// A cache whose first transaction began at xid 10, took two xids and read an answer.
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
