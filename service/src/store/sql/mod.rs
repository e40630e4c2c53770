//! The interface to a database: SQL, values, rows, errors.
//!
//! It is the same for every engine; `dialect` holds the differences.

mod error;
mod value;

use std::sync::OnceLock;

pub use error::StoreError;
pub use value::{LARGEST_AMOUNT, Row, Value};

pub(super) use value::Cell;

/// The kind of a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// One snapshot of the data, read-only.
    Read,
    /// The only writer of all processes: write transactions run one after another.
    Write,
    /// As `Write`, but savepoints cost nothing, and what many requests share is read and written once. If a savepoint that wrote
    /// is rolled back, or a statement fails late, the transaction fails with [`StoreError::Conflict`]: repeat its work with
    /// `Write`. Few requests need that.
    Optimistic,
}

/// Rows that many transactions change, found by key: sequence numbers, counts, balances. An optimistic transaction reads each
/// once and writes it at its end.
#[derive(Debug)]
pub struct CachedTable {
    /// The table; only statements that name it write it.
    pub(super) table: &'static str,
    /// The columns of the key.
    key: &'static [&'static str],
    /// The columns of the values.
    columns: &'static [&'static str],
    /// Writes a row: its key, then its values or its increment.
    pub(super) write: &'static str,
    /// Reads the row of one key.
    read_one: OnceLock<String>,
}

impl CachedTable {
    pub(super) const fn new(
        table: &'static str,
        key: &'static [&'static str],
        columns: &'static [&'static str],
        write: &'static str,
    ) -> Self {
        Self {
            table,
            key,
            columns,
            write,
            read_one: OnceLock::new(),
        }
    }

    /// The statement that writes a row, given its key, then its values or its increment.
    pub fn write(&self) -> &'static str {
        self.write
    }

    /// The statement that reads and locks the rows of this number of keys. Columns: the values, then the key.
    pub(super) fn read(&self, keys: usize) -> String {
        let parts = (0..keys).map(|number| {
            let columns = self.key.iter().enumerate();
            let parts = columns.map(|(place, column)| {
                format!("{column} = ?{}", number * self.key.len() + place + 1)
            });
            format!("({})", parts.collect::<Vec<_>>().join(" AND "))
        });
        format!(
            "SELECT {}, {} FROM {} WHERE {} FOR UPDATE",
            self.columns.join(", "),
            self.key.join(", "),
            self.table,
            parts.collect::<Vec<_>>().join(" OR ")
        )
    }

    /// As [`CachedTable::read`], of one key.
    pub(super) fn read_one(&self) -> &str {
        self.read_one.get_or_init(|| self.read(1))
    }

    /// The values for [`CachedTable::write`].
    pub(super) fn given<'a>(&self, key: &[Value<'a>], change: Change<'a>) -> Vec<Value<'a>> {
        match change {
            Change::Set(values) => [key, values].concat(),
            Change::Add(by) => [key, &[by.into()]].concat(),
        }
    }

    /// The values of a key among the rows of [`CachedTable::read`].
    pub(super) fn pick(&self, rows: &[Row], key: &[Value<'_>]) -> Option<Row> {
        let row = rows.iter().find(|row| {
            let found = row.cells().get(self.columns.len()..).unwrap_or(&[]);
            found.iter().map(Cell::value).eq(key.iter().copied())
        })?;
        let values = row.cells().iter().take(self.columns.len());
        Some(Row::new(values.cloned().collect()))
    }
}

/// A change of a row of [`CachedTable`].
#[derive(Clone, Copy, Debug)]
pub enum Change<'a> {
    /// The new values.
    Set(&'a [Value<'a>]),
    /// An increment, of a row that is only ever incremented.
    Add(i64),
}

/// Rows with an id from the database that are looked up or changed soon after their insert, while a bulk insert of PostgreSQL may
/// still hold them.
#[derive(Debug)]
pub struct Added {
    /// Inserts a row, as [`Database::insert`] expects it.
    pub(super) insert: &'static str,
    /// The indexes, from 0, of values that a unique constraint covers.
    #[cfg_attr(
        target_family = "wasm",
        expect(dead_code, reason = "there is no PostgreSQL in wasm")
    )]
    pub(super) unique: &'static [usize],
    /// Changes a row: its organisation, its id, then values. NULL leaves a column unchanged.
    pub(super) change: &'static str,
    /// The indexes in `insert` of the values given to `change`.
    #[cfg_attr(
        target_family = "wasm",
        expect(dead_code, reason = "there is no PostgreSQL in wasm")
    )]
    pub(super) changed: &'static [usize],
}

/// One connection to a database.
///
/// Transactions nest: `begin` inside an open one sets a savepoint, which `commit` releases and `rollback` rolls back; `depth` counts
/// both. `query` runs a statement for its rows, `execute` for its count of rows, in SQL that both engines understand; `script` is for
/// migrations, and `dialect` says what differs. These eight are a whole database. The other six say more about a statement, so that
/// an optimistic transaction can spare a round trip: `write` that nobody needs the result, `insert` that only the id is needed,
/// `read_cached` and `write_cached` that many requests share the row, `look_up` and `change` that the row may still wait for its
/// insert. In every other transaction each of the six is a `query` or an `execute`.
pub trait Database: Send {
    /// The database engine.
    fn dialect(&self) -> super::dialect::Dialect;

    /// Opens a transaction; in an open one, sets a savepoint, whatever the access. PostgreSQL reconnects here after a lost
    /// connection.
    fn begin(&mut self, access: Access) -> Result<(), StoreError>;

    /// Makes the transaction durable, or keeps the changes since the latest savepoint. After an error these are rolled back, as
    /// by [`Database::rollback`].
    fn commit(&mut self) -> Result<(), StoreError>;

    /// Rolls back the transaction, or to the latest savepoint; without an open transaction does nothing. After an error the whole
    /// transaction is lost: roll back until [`Database::depth`] is 0.
    fn rollback(&mut self) -> Result<(), StoreError>;

    /// The count of open transactions: 1, and 1 for each savepoint.
    fn depth(&self) -> u32;

    /// Runs a statement and returns its rows.
    fn query(&mut self, sql: &str, values: &[Value<'_>]) -> Result<Vec<Row>, StoreError>;

    /// Runs a statement without result rows; returns the count of affected rows.
    fn execute(&mut self, sql: &str, values: &[Value<'_>]) -> Result<u64, StoreError>;

    /// Runs several statements without values, for migrations.
    fn script(&mut self, sql: &str) -> Result<(), StoreError>;

    /// Runs a statement whose result is not needed. PostgreSQL may defer it: a later query of its table sees it, and a later call
    /// reports its failure, at the latest the commit.
    fn write(&mut self, sql: &str, values: &[Value<'_>]) -> Result<(), StoreError> {
        self.execute(sql, values).map(drop)
    }

    /// Inserts one row into a table whose `id` the database assigns, and returns the id. The statement has no RETURNING, for
    /// which SQLite builds a temporary table each time.
    fn insert(&mut self, sql: &'static str, values: &[Value<'_>]) -> Result<i64, StoreError>;

    /// Reads and locks rows by their keys, in the order of the keys.
    fn read_cached(
        &mut self,
        cached: &'static CachedTable,
        keys: &[&[Value<'_>]],
    ) -> Result<Vec<Option<Row>>, StoreError>;

    /// Changes a row by its key, as [`Database::write`] does.
    fn write_cached(
        &mut self,
        cached: &'static CachedTable,
        key: &[Value<'_>],
        change: Change<'_>,
    ) -> Result<(), StoreError>;

    /// Reads a row by its unique values, in the order of [`Added::unique`].
    fn look_up(
        &mut self,
        added: &'static Added,
        read: &str,
        unique: &[Value<'_>],
    ) -> Result<Option<Row>, StoreError> {
        let _added = added;
        Ok(self.query(read, unique)?.into_iter().next())
    }

    /// Changes a row, given its organisation, its id and the values, as [`Database::write`] does.
    fn change(&mut self, added: &'static Added, values: &[Value<'_>]) -> Result<(), StoreError> {
        self.write(added.change, values)
    }
}

/// Runs work in a transaction, or in a savepoint of the open one. An error rolls it back.
pub fn transaction<T, E: From<StoreError>>(
    database: &mut dyn Database,
    access: Access,
    work: impl FnOnce(&mut dyn Database) -> Result<T, E>,
) -> Result<T, E> {
    database.begin(access)?;
    match work(database) {
        Ok(value) => {
            database.commit()?;
            Ok(value)
        }
        Err(error) => {
            database.rollback()?;
            Err(error)
        }
    }
}

/// Rolls back to a depth: the transactions that a panic or an error left open.
///
/// # Errors
/// The first error; the transactions are closed all the same.
pub fn roll_back_to(database: &mut dyn Database, depth: u32) -> Result<(), StoreError> {
    let mut outcome = Ok(());
    while database.depth() > depth {
        outcome = outcome.and(database.rollback());
    }
    outcome
}
