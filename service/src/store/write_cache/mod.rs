//! The write-behind cache of an optimistic transaction: answers of queries, and rows that every booking changes. Such a row is
//! written once: at commit, or before a statement that names its table.
//!
//! No other connection writes while the transaction is open, so an answer stays valid until the transaction itself writes. A
//! group of requests is one transaction: a query common to all runs once. An optimistic transaction never takes back a single
//! write, so the cache knows no savepoints.
//!
//! Bars, and what deposits reach with and without the cache: SQLite 0.6 of hand-written statements over HTTP, 0.97 and 0.57;
//! PostgreSQL 1.0 of pgledger's transfers with 64 callers, 0.96 and 0.14, as there each statement costs a round trip.
//!
//! Longer than 400 lines: every function changes the same private maps, and their invariants hold only together.

mod statement;

use foldhash::HashMap;

use crate::store::sql::{CachedTable, Cell, Row, StoreError, Value};
use statement::{PLACES, Target, bit, names, places};

pub(super) use statement::Tables;

/// Maximum rows of a cached answer.
const ROWS_MAX: usize = 8;

/// The cache is emptied when it holds more entries of a kind.
const ENTRIES_MAX: usize = 4096;

/// An index into `WriteCache::statements`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Statement(usize);

/// An unwritten row: a statement and its values.
pub(super) type Unwritten = (&'static str, Vec<Cell>);

/// A statement, analysed by its words.
#[derive(Debug)]
struct Seen {
    text: Box<str>,
    /// The table it writes: all bits if unknown, none for a query.
    target: Tables,
    /// The tables it names, among the first `of` tables.
    names: Tables,
    of: usize,
    /// A query whose answer depends on the rows of tables alone, and which locks none.
    #[cfg_attr(
        target_family = "wasm",
        expect(dead_code, reason = "there is no PostgreSQL in wasm")
    )]
    is_steady: bool,
    answers: HashMap<Box<[u8]>, Answer>,
}

#[derive(Debug)]
struct Answer {
    at: u64,
    rows: Vec<Row>,
}

/// A cached row.
#[derive(Debug)]
struct CachedRow {
    write: &'static str,
    table: Tables,
    key: Vec<Cell>,
    row: Option<Vec<Cell>>,
    /// The increment still to be written, for rows that are only ever incremented.
    sum: i64,
    unwritten: bool,
}

#[derive(Debug, Default)]
pub(super) struct WriteCache {
    /// Advances with each change and each transaction.
    clock: u64,
    /// Older answers are void.
    begun: u64,
    statements: Vec<Seen>,
    by_text: HashMap<Box<str>, Statement>,
    /// By address and length: most statements are constants, and comparing an address is cheaper than hashing a text.
    by_place: HashMap<(usize, usize), Statement>,
    tables: Vec<String>,
    /// The clock at a table's last change, by its bit.
    changed: Vec<u64>,
    answered: usize,
    rows: Vec<CachedRow>,
    by_key: HashMap<Box<[u8]>, usize>,
    /// The tables of the cached rows.
    row_tables: Tables,
    /// Unwritten rows in the order of their first change, and their tables.
    unwritten: Vec<usize>,
    unwritten_tables: Tables,
    bytes: Vec<u8>,
}

impl WriteCache {
    /// Empties the cache, before a transaction or after an unknown change.
    pub(super) fn forget(&mut self) {
        self.rows.clear();
        self.by_key.clear();
        self.row_tables = 0;
        self.unwritten.clear();
        self.unwritten_tables = 0;
        self.changed.resize(PLACES, 0);
        self.clock += 1;
        self.begun = self.clock;
        if self.statements.len() > ENTRIES_MAX {
            self.statements.clear();
            self.by_text.clear();
            self.by_place.clear();
            self.answered = 0;
        }
    }

    /// Whether the cache should be emptied before the next transaction.
    #[cfg(not(target_family = "wasm"))]
    pub(super) fn is_full(&self) -> bool {
        self.rows.len() > ENTRIES_MAX
    }

    /// The analysed statement, added on first use.
    pub(super) fn statement(&mut self, sql: &str) -> Statement {
        let place = (sql.as_ptr() as usize, sql.len());
        let found = self.by_place.get(&place).copied();
        let found = found.filter(|found| *self.statements[found.0].text == *sql);
        let statement = found.unwrap_or_else(|| {
            let found = self.by_text.get(sql).copied();
            let statement = found.unwrap_or_else(|| self.read(sql));
            if self.by_place.len() > ENTRIES_MAX {
                self.by_place.clear();
            }
            self.by_place.insert(place, statement);
            statement
        });
        let seen = &mut self.statements[statement.0];
        for (place, table) in self.tables.iter().enumerate().skip(seen.of) {
            if names(&seen.text, table) {
                seen.names |= bit(place);
            }
        }
        seen.of = self.tables.len();
        statement
    }

    fn read(&mut self, sql: &str) -> Statement {
        let target = match statement::target(sql) {
            Target::None => 0,
            Target::Table(table) => self.table(table),
            Target::Unknown => Tables::MAX,
        };
        let statement = Statement(self.statements.len());
        self.statements.push(Seen {
            text: sql.into(),
            target,
            names: 0,
            of: 0,
            is_steady: target == 0 && statement::is_steady(sql),
            answers: HashMap::default(),
        });
        self.by_text.insert(sql.into(), statement);
        statement
    }

    /// The bit of a table, added on first use.
    fn table(&mut self, name: &str) -> Tables {
        let place = self.tables.iter().position(|table| table == name);
        bit(place.unwrap_or_else(|| {
            self.tables.push(name.to_owned());
            self.tables.len() - 1
        }))
    }

    /// Whether a statement is a query.
    pub(super) fn is_query(&self, statement: Statement) -> bool {
        self.statements[statement.0].target == 0
    }

    #[cfg(not(target_family = "wasm"))]
    pub(super) fn is_steady(&self, statement: Statement) -> bool {
        self.statements[statement.0].is_steady
    }

    /// The table that a statement writes, and the tables it names; all bits if unknown.
    #[cfg(not(target_family = "wasm"))]
    pub(super) fn tables(&self, statement: Statement) -> (Tables, Tables) {
        let seen = &self.statements[statement.0];
        match seen.target {
            Tables::MAX => (Tables::MAX, Tables::MAX),
            target => (target, seen.names),
        }
    }

    /// The cached answer of a query, if no table it reads has changed since.
    pub(super) fn answer(
        &mut self,
        statement: Statement,
        values: &[Value<'_>],
    ) -> Option<Vec<Row>> {
        self.bytes.clear();
        write_key(values, &mut self.bytes);
        let seen = &self.statements[statement.0];
        let answer = seen.answers.get(self.bytes.as_slice())?;
        let since = places(seen.names).map(|place| self.changed[place]);
        let is_true = answer.at >= since.fold(self.begun, u64::max);
        is_true.then(|| answer.rows.clone())
    }

    pub(super) fn answered(&mut self, statement: Statement, values: &[Value<'_>], rows: &[Row]) {
        if rows.len() > ROWS_MAX {
            return;
        }
        if self.answered > ENTRIES_MAX {
            for seen in &mut self.statements {
                seen.answers.clear();
            }
            self.answered = 0;
        }
        self.bytes.clear();
        write_key(values, &mut self.bytes);
        let answer = Answer {
            at: self.clock,
            rows: rows.to_vec(),
        };
        let answers = &mut self.statements[statement.0].answers;
        match answers.get_mut(self.bytes.as_slice()) {
            Some(before) => *before = answer,
            None => {
                answers.insert(self.bytes.as_slice().into(), answer);
                self.answered += 1;
            }
        }
    }

    /// Takes the unwritten rows that a statement may depend on.
    pub(super) fn unwritten_for(&mut self, statement: Statement) -> Vec<Unwritten> {
        let seen = &self.statements[statement.0];
        // A statement with an unknown target may depend on any row.
        let tables = match seen.target {
            Tables::MAX => Tables::MAX,
            _ => seen.names,
        };
        self.take_unwritten(tables)
    }

    /// Takes all unwritten rows.
    pub(super) fn unwritten(&mut self) -> Vec<Unwritten> {
        self.take_unwritten(Tables::MAX)
    }

    fn take_unwritten(&mut self, tables: Tables) -> Vec<Unwritten> {
        if self.unwritten_tables & tables == 0 {
            return Vec::new();
        }
        let (now, later): (Vec<usize>, Vec<usize>) = std::mem::take(&mut self.unwritten)
            .into_iter()
            .partition(|place| self.rows[*place].table & tables != 0);
        self.unwritten_tables = later
            .iter()
            .fold(0, |all, place| all | self.rows[*place].table);
        self.unwritten = later;
        let mut taken = Vec::with_capacity(now.len());
        for place in now {
            let row = &mut self.rows[place];
            row.unwritten = false;
            let sum = std::mem::take(&mut row.sum);
            let values = match &row.row {
                Some(values) => values.clone(),
                None if sum != 0 => vec![Cell::Int(sum)],
                None => continue,
            };
            taken.push((row.write, [row.key.as_slice(), &values].concat()));
        }
        taken
    }

    /// Evicts all that a statement may change, before it runs.
    pub(super) fn changes(&mut self, statement: Statement) {
        self.evict(self.statements[statement.0].target);
    }

    /// Evicts everything, before a change of any table.
    pub(super) fn changes_all(&mut self) {
        self.evict(Tables::MAX);
    }

    fn evict(&mut self, target: Tables) {
        if target == 0 {
            return;
        }
        self.changed(target);
        if self.row_tables & target != 0 {
            let rows = self.rows.iter_mut();
            rows.filter(|row| row.table & target != 0)
                .for_each(|row| row.row = None);
        }
    }

    /// The count of changes.
    #[cfg(not(target_family = "wasm"))]
    pub(super) fn clock(&self) -> u64 {
        self.clock
    }

    fn changed(&mut self, target: Tables) {
        self.clock += 1;
        for place in places(target) {
            self.changed[place] = self.clock;
        }
        // Tables without a bit yet count as changed too.
        if target == Tables::MAX {
            self.begun = self.clock;
        }
    }

    /// A cached row; `None` if it has to be read.
    pub(super) fn row(&mut self, cached: &'static CachedTable, key: &[Value<'_>]) -> Option<Row> {
        let place = self.find(cached, key)?;
        self.rows[place].row.clone().map(Row::new)
    }

    fn find(&mut self, cached: &'static CachedTable, key: &[Value<'_>]) -> Option<usize> {
        self.bytes.clear();
        self.bytes.extend_from_slice(cached.table.as_bytes());
        write_key(key, &mut self.bytes);
        self.by_key.get(self.bytes.as_slice()).copied()
    }

    fn place(&mut self, cached: &'static CachedTable, key: &[Value<'_>]) -> usize {
        if let Some(place) = self.find(cached, key) {
            return place;
        }
        let place = self.rows.len();
        self.by_key.insert(self.bytes.as_slice().into(), place);
        let table = self.table(cached.table);
        self.row_tables |= table;
        self.rows.push(CachedRow {
            write: cached.write,
            table,
            key: key.iter().map(Cell::of).collect(),
            row: None,
            sum: 0,
            unwritten: false,
        });
        place
    }

    /// Caches a row as read.
    pub(super) fn read_row(&mut self, cached: &'static CachedTable, key: &[Value<'_>], row: &Row) {
        let place = self.place(cached, key);
        self.rows[place].row = Some(row.cells().to_vec());
    }

    /// Caches a row to be written.
    pub(super) fn write_cached(
        &mut self,
        cached: &'static CachedTable,
        key: &[Value<'_>],
        values: &[Value<'_>],
    ) {
        let place = self.place(cached, key);
        self.delay(place);
        let cells = values.iter().map(Cell::of);
        match &mut self.rows[place].row {
            Some(row) => {
                row.clear();
                row.extend(cells);
            }
            row => *row = Some(cells.collect()),
        }
    }

    /// Increments a row that is only ever incremented.
    pub(super) fn add(
        &mut self,
        cached: &'static CachedTable,
        key: &[Value<'_>],
        by: i64,
    ) -> Result<(), StoreError> {
        let place = self.place(cached, key);
        let sum = self.rows[place].sum.checked_add(by);
        let sum = sum.ok_or_else(|| StoreError::Broken("a sum is past a BIGINT".to_owned()))?;
        self.delay(place);
        self.rows[place].sum = sum;
        Ok(())
    }

    /// Marks a row as unwritten, before its change.
    fn delay(&mut self, place: usize) {
        let row = &mut self.rows[place];
        let table = row.table;
        if !std::mem::replace(&mut row.unwritten, true) {
            self.unwritten.push(place);
            self.unwritten_tables |= table;
        }
        self.changed(table);
    }
}

/// Values as unambiguous bytes.
fn write_key(values: &[Value<'_>], out: &mut Vec<u8>) {
    let text = |out: &mut Vec<u8>, kind: u8, bytes: &[u8]| {
        out.push(kind);
        out.extend_from_slice(&bytes.len().to_ne_bytes());
        out.extend_from_slice(bytes);
    };
    for value in values {
        match value {
            Value::Null => out.push(0),
            Value::Int(value) => {
                out.push(1);
                out.extend_from_slice(&value.to_ne_bytes());
            }
            Value::Amount(value) => {
                out.push(2);
                out.extend_from_slice(&value.to_ne_bytes());
            }
            Value::Text(value) => text(out, 3, value.as_bytes()),
            Value::Id(id) => text(out, 3, id.as_str().as_bytes()),
            Value::Blob(value) => text(out, 4, value),
        }
    }
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;
    use crate::store::sql::{Access, Change, Database};
    use crate::store::sqlite::Sqlite;

    static LATEST: CachedTable = CachedTable::new(
        "latest",
        &["id"],
        &["value"],
        "INSERT INTO latest (id, value) VALUES (?1, ?2) ON CONFLICT (id) DO UPDATE SET value = excluded.value",
    );
    static SUMS: CachedTable = CachedTable::new(
        "sums",
        &["id"],
        &["held"],
        "INSERT INTO sums (id, held) VALUES (?1, ?2) ON CONFLICT (id) DO UPDATE SET held = sums.held + excluded.held",
    );
    const READ: &str = "SELECT value FROM latest WHERE id = ?1";
    const WRITTEN: &str = "SELECT COALESCE(SUM(written), 0) FROM log";

    /// Two tables with cached rows, and a log of each write to one of them.
    fn database() -> Sqlite {
        let mut database = Sqlite::in_memory().expect("memory");
        let tables = "CREATE TABLE latest (id INTEGER PRIMARY KEY, value INTEGER) STRICT; \
             CREATE TABLE sums (id INTEGER PRIMARY KEY, held INTEGER) STRICT; \
             CREATE TABLE log (written INTEGER) STRICT; \
             CREATE TRIGGER noted AFTER INSERT ON latest BEGIN INSERT INTO log VALUES (1); END; \
             CREATE TRIGGER noted_again AFTER UPDATE ON latest BEGIN INSERT INTO log VALUES (1); END";
        database.script(tables).expect("tables");
        database
    }

    fn one(database: &mut Sqlite, sql: &str, values: &[Value<'_>]) -> Option<i64> {
        let rows = database.query(sql, values).expect("rows");
        rows.first().map(|row| row.int(0).expect("a number"))
    }

    fn latest(database: &mut Sqlite) -> Option<i64> {
        one(database, READ, &[1.into()])
    }

    fn read_latest_cached(database: &mut Sqlite) -> Option<i64> {
        let rows = database
            .read_cached(&LATEST, &[&[1.into()]])
            .expect("a row");
        let row = rows.into_iter().next().flatten()?;
        Some(row.int(0).expect("a number"))
    }

    fn sum(database: &mut Sqlite) -> Option<i64> {
        one(database, "SELECT held FROM sums WHERE id = 1", &[])
    }

    fn write_cached(database: &mut Sqlite, value: i64) {
        let values = [value.into()];
        let cached = database.write_cached(&LATEST, &[1.into()], Change::Set(&values));
        cached.expect("kept");
        let added = database.write_cached(&SUMS, &[1.into()], Change::Add(value));
        added.expect("added");
    }

    #[test]
    fn a_row_that_changes_again_and_again_is_written_once() {
        let mut database = database();
        database.begin(Access::Optimistic).expect("a transaction");
        assert_eq!(read_latest_cached(&mut database), None);
        for value in 1..=5 {
            write_cached(&mut database, value);
            assert_eq!(read_latest_cached(&mut database), Some(value));
        }
        database.commit().expect("the end");
        assert_eq!(one(&mut database, WRITTEN, &[]), Some(1));
        assert_eq!(
            (latest(&mut database), sum(&mut database)),
            (Some(5), Some(15))
        );
    }

    #[test]
    fn a_statement_that_names_the_table_finds_its_unwritten_rows() {
        let mut database = database();
        database.begin(Access::Optimistic).expect("a transaction");
        write_cached(&mut database, 7);
        assert_eq!(
            (latest(&mut database), sum(&mut database)),
            (Some(7), Some(7))
        );
        write_cached(&mut database, 8);
        assert_eq!(
            (latest(&mut database), sum(&mut database)),
            (Some(8), Some(15)),
            "an answer is old when a row it may have read was kept"
        );
        let doubled = database.execute("UPDATE latest SET value = value * 2 WHERE id = 1", &[]);
        assert_eq!(doubled, Ok(1));
        assert_eq!(read_latest_cached(&mut database), Some(16));
        write_cached(&mut database, 1);
        database
            .script("UPDATE sums SET held = held + 100; DELETE FROM latest")
            .expect("a script");
        assert_eq!(
            (read_latest_cached(&mut database), sum(&mut database)),
            (None, Some(116))
        );
        database.commit().expect("the end");
        assert_eq!(
            (latest(&mut database), sum(&mut database)),
            (None, Some(116))
        );
    }

    #[test]
    fn an_answer_is_asked_again_once_its_table_was_written() {
        let mut database = database();
        let insert = "INSERT INTO latest (id, value) VALUES (1, ?1)";
        let update = "UPDATE latest SET value = ?1";
        database.execute(insert, &[1.into()]).expect("a row");
        database.begin(Access::Optimistic).expect("a transaction");
        assert_eq!(latest(&mut database), Some(1));
        database.execute(update, &[2.into()]).expect("changed");
        assert_eq!(latest(&mut database), Some(2));
        database.rollback().expect("undone");
        assert_eq!(latest(&mut database), Some(1));
        database.execute(update, &[9.into()]).expect("by others");
        database.begin(Access::Optimistic).expect("another");
        assert_eq!(latest(&mut database), Some(9));
    }

    #[test]
    fn rows_written_in_a_savepoint_cannot_be_rolled_back_alone() {
        let mut database = database();
        database.begin(Access::Optimistic).expect("a transaction");
        database.begin(Access::Write).expect("a savepoint");
        write_cached(&mut database, 1);
        assert_eq!(database.rollback(), Err(StoreError::Conflict));
        assert_eq!(database.commit(), Err(StoreError::Conflict));
        assert_eq!((latest(&mut database), sum(&mut database)), (None, None));
        database.begin(Access::Write).expect("not optimistic");
        database.begin(Access::Write).expect("a savepoint");
        write_cached(&mut database, 2);
        database.rollback().expect("undone");
        write_cached(&mut database, 3);
        database.commit().expect("the end");
        assert_eq!(
            (latest(&mut database), sum(&mut database)),
            (Some(3), Some(3))
        );
    }
}
