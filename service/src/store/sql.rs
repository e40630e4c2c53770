//! The interface to a database: SQL, values, rows, errors.
//!
//! It is the same for every engine; `dialect` holds the differences.

use std::fmt;

use settlekit_core::value::{
    AccountId, ApiKeyId, AutomationId, ChainId, CustomerId, EventId, ExternalAccountId, IdText,
    InvoiceId, MovementId, OrderId, OrganisationId, PaylinkId, PaymentId, PlanId, QuoteId,
    ReplayId, SubscriptionId, Timestamp, UserId,
};

use crate::mode::Mode;

/// The largest absolute amount a ledger column holds: 38 decimal digits.
pub const LARGEST_AMOUNT: i128 = 10i128.pow(38) - 1;

/// A value bound to `?1`, `?2` and so on. An id equals the text it is stored as.
#[derive(Clone, Copy, Debug)]
pub enum Value<'a> {
    /// NULL of any type.
    Null,
    /// BIGINT: counts, flags, microseconds UTC.
    Int(i64),
    /// TEXT: names, JSON.
    Text(&'a str),
    /// TEXT that is an id.
    Id(IdText),
    /// An amount in the smallest unit of its asset, at most [`LARGEST_AMOUNT`] in absolute value.
    Amount(i128),
    /// Bytes: digests, sealed secrets.
    Blob(&'a [u8]),
}

impl PartialEq for Value<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Null, Self::Null) => true,
            (Self::Int(one), Self::Int(other)) => one == other,
            (Self::Amount(one), Self::Amount(other)) => one == other,
            (Self::Blob(one), Self::Blob(other)) => one == other,
            _ => self
                .as_text()
                .is_some_and(|text| other.as_text() == Some(text)),
        }
    }
}

impl Eq for Value<'_> {}

macro_rules! from_ids {
    ($($id:ident),*) => {
        $(impl From<$id> for Value<'_> {
            fn from(id: $id) -> Self {
                Self::Id(id.into())
            }
        })*
    };
}

from_ids!(
    ApiKeyId,
    CustomerId,
    EventId,
    InvoiceId,
    OrderId,
    OrganisationId,
    PaylinkId,
    PaymentId,
    PlanId,
    QuoteId,
    ReplayId,
    SubscriptionId,
    UserId
);

macro_rules! from_numbers {
    ($($number:ident $get:ident),*) => {
        $(impl From<$number> for Value<'_> {
            fn from(number: $number) -> Self {
                Self::Int(number.$get())
            }
        })*
    };
}

from_numbers!(
    AccountId get,
    AutomationId get,
    ChainId get,
    ExternalAccountId get,
    MovementId get,
    Timestamp micros
);

impl From<i64> for Value<'_> {
    fn from(value: i64) -> Self {
        Self::Int(value)
    }
}

impl From<i32> for Value<'_> {
    fn from(value: i32) -> Self {
        Self::Int(i64::from(value))
    }
}

impl From<u32> for Value<'_> {
    fn from(value: u32) -> Self {
        Self::Int(i64::from(value))
    }
}

impl From<u16> for Value<'_> {
    fn from(value: u16) -> Self {
        Self::Int(i64::from(value))
    }
}

impl From<bool> for Value<'_> {
    fn from(value: bool) -> Self {
        Self::Int(i64::from(value))
    }
}

impl From<i128> for Value<'_> {
    fn from(value: i128) -> Self {
        Self::Amount(value)
    }
}

impl<'a> From<&'a str> for Value<'a> {
    fn from(value: &'a str) -> Self {
        Self::Text(value)
    }
}

impl<'a> From<&'a String> for Value<'a> {
    fn from(value: &'a String) -> Self {
        Self::Text(value)
    }
}

impl<'a> From<&'a [u8]> for Value<'a> {
    fn from(value: &'a [u8]) -> Self {
        Self::Blob(value)
    }
}

impl<'a> From<&'a Vec<u8>> for Value<'a> {
    fn from(value: &'a Vec<u8>) -> Self {
        Self::Blob(value)
    }
}

impl<'a, const N: usize> From<&'a [u8; N]> for Value<'a> {
    fn from(value: &'a [u8; N]) -> Self {
        Self::Blob(value)
    }
}

impl<'a, T: Into<Value<'a>>> From<Option<T>> for Value<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

/// `Option<String>` and `Option<Vec<u8>>` are borrowed.
impl<'a, T> From<&'a Option<T>> for Value<'a>
where
    &'a T: Into<Value<'a>>,
{
    fn from(value: &'a Option<T>) -> Self {
        value.as_ref().map_or(Self::Null, Into::into)
    }
}

impl Value<'_> {
    fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Id(id) => Some(id.as_str()),
            _ => None,
        }
    }

    /// Rejects an amount beyond PostgreSQL's NUMERIC(38,0) on every database.
    pub(super) fn check(&self) -> Result<(), StoreError> {
        match self {
            Self::Amount(amount) if amount.unsigned_abs() > LARGEST_AMOUNT.unsigned_abs() => {
                Err(StoreError::Broken(format!("{amount} is past 38 digits")))
            }
            _ => Ok(()),
        }
    }

    /// The type for messages, which never contain the value.
    #[cfg(not(target_family = "wasm"))]
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Self::Null => "NULL",
            Self::Int(_) => "an integer",
            Self::Text(_) | Self::Id(_) => "a text",
            Self::Amount(_) => "an amount",
            Self::Blob(_) => "bytes",
        }
    }
}

/// A value of a result row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Cell {
    Null,
    Int(i64),
    Text(String),
    /// A NUMERIC of PostgreSQL, or of a cached row; SQLite returns amounts as text.
    Amount(i128),
    Blob(Vec<u8>),
}

impl Cell {
    /// The cell that the database would return for a value.
    pub(super) fn of(value: &Value<'_>) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Int(value) => Self::Int(*value),
            Value::Text(value) => Self::Text((*value).to_owned()),
            Value::Id(id) => Self::Text(id.as_str().to_owned()),
            Value::Amount(value) => Self::Amount(*value),
            Value::Blob(value) => Self::Blob(value.to_vec()),
        }
    }

    /// The value that writes this cell.
    pub(super) fn value(&self) -> Value<'_> {
        match self {
            Self::Null => Value::Null,
            Self::Int(value) => Value::Int(*value),
            Self::Text(value) => Value::Text(value),
            Self::Amount(value) => Value::Amount(*value),
            Self::Blob(value) => Value::Blob(value),
        }
    }

    fn kind(&self) -> &'static str {
        match self {
            Self::Null => "NULL",
            Self::Int(_) => "an integer",
            Self::Text(_) => "a text",
            Self::Amount(_) => "an amount",
            Self::Blob(_) => "bytes",
        }
    }
}

/// A row of a result. Columns count from 0 in the order of the SELECT.
///
/// Reading a column as the wrong type is a defect of the statement: [`StoreError::Broken`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    cells: Vec<Cell>,
}

impl Row {
    pub(super) fn new(cells: Vec<Cell>) -> Self {
        Self { cells }
    }

    /// A BIGINT, a count, or a condition as 0 or 1.
    pub fn int(&self, column: usize) -> Result<i64, StoreError> {
        self.maybe_int(column)?.ok_or_else(|| null(column))
    }

    /// TEXT.
    pub fn text(&self, column: usize) -> Result<&str, StoreError> {
        self.maybe_text(column)?.ok_or_else(|| null(column))
    }

    /// An amount in the smallest unit of its asset.
    pub fn amount(&self, column: usize) -> Result<i128, StoreError> {
        self.maybe_amount(column)?.ok_or_else(|| null(column))
    }

    /// Bytes.
    pub fn blob(&self, column: usize) -> Result<&[u8], StoreError> {
        self.maybe_blob(column)?.ok_or_else(|| null(column))
    }

    /// As [`Row::int`], for a nullable column.
    pub fn maybe_int(&self, column: usize) -> Result<Option<i64>, StoreError> {
        match self.cell(column)? {
            Cell::Null => Ok(None),
            Cell::Int(value) => Ok(Some(*value)),
            // PostgreSQL returns SUM over BIGINT as NUMERIC.
            Cell::Amount(value) => match i64::try_from(*value) {
                Ok(value) => Ok(Some(value)),
                Err(_) => Err(StoreError::Broken(format!(
                    "column {column}: {value} is past a BIGINT"
                ))),
            },
            other => Err(mismatch(column, "an integer", other)),
        }
    }

    /// As [`Row::text`], for a nullable column.
    pub fn maybe_text(&self, column: usize) -> Result<Option<&str>, StoreError> {
        match self.cell(column)? {
            Cell::Null => Ok(None),
            Cell::Text(value) => Ok(Some(value)),
            other => Err(mismatch(column, "a text", other)),
        }
    }

    /// As [`Row::amount`], for a nullable column.
    pub fn maybe_amount(&self, column: usize) -> Result<Option<i128>, StoreError> {
        match self.cell(column)? {
            Cell::Null => Ok(None),
            Cell::Amount(value) => Ok(Some(*value)),
            Cell::Int(value) => Ok(Some(i128::from(*value))),
            // SQLite stores amounts as canonical text.
            Cell::Text(value) => match canonical(value) {
                Some(value) => Ok(Some(value)),
                None => Err(StoreError::Damaged(format!(
                    "column {column} holds {value:?} where an amount belongs"
                ))),
            },
            other => Err(mismatch(column, "an amount", other)),
        }
    }

    /// As [`Row::blob`], for a nullable column.
    pub fn maybe_blob(&self, column: usize) -> Result<Option<&[u8]>, StoreError> {
        match self.cell(column)? {
            Cell::Null => Ok(None),
            Cell::Blob(value) => Ok(Some(value)),
            other => Err(mismatch(column, "bytes", other)),
        }
    }

    fn cell(&self, column: usize) -> Result<&Cell, StoreError> {
        self.cells.get(column).ok_or_else(|| {
            StoreError::Broken(format!("column {column} of a row of {}", self.cells.len()))
        })
    }
}

fn null(column: usize) -> StoreError {
    StoreError::Broken(format!("column {column} is NULL"))
}

fn mismatch(column: usize, wanted: &str, found: &Cell) -> StoreError {
    StoreError::Broken(format!("column {column} is {}, not {wanted}", found.kind()))
}

/// Parses an integer in its canonical form: no plus sign, no leading zero, no `-0`.
fn canonical(text: &str) -> Option<i128> {
    let value: i128 = text.parse().ok()?;
    (value.to_string() == text).then_some(value)
}

/// The kind of a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// One snapshot of the data, read-only.
    Read,
    /// The only writer of all processes: write transactions run one after another.
    Write,
}

/// Rows that many transactions change, found by key: sequence numbers, counts, balances. A write-behind cache may hold them: they
/// are not read again while this process is the only writer, and are written at the end of the transaction.
#[derive(Debug)]
pub struct Kept {
    /// The table; only statements that name it write it.
    pub(super) table: &'static str,
    /// Writes a row: its key, then its values or its increment.
    pub(super) write: &'static str,
}

impl Kept {
    /// The statement that writes a row, given its key, then its values or its increment.
    pub fn write(&self) -> &'static str {
        self.write
    }
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
pub trait Database: Send {
    /// Runs a statement without result rows; returns the count of affected rows.
    fn execute(&mut self, sql: &str, values: &[Value<'_>]) -> Result<u64, StoreError>;

    /// Runs a statement whose result is not needed. PostgreSQL may defer it: a later query of its table sees it, and a later call
    /// reports its failure, at the latest the release of the savepoint or the commit.
    fn write(&mut self, sql: &str, values: &[Value<'_>]) -> Result<(), StoreError> {
        self.execute(sql, values).map(drop)
    }

    /// Runs a statement and returns its rows.
    fn query(&mut self, sql: &str, values: &[Value<'_>]) -> Result<Vec<Row>, StoreError>;

    /// Inserts one row into a table whose `id` the database assigns, and returns the id. The statement has no RETURNING, for
    /// which SQLite builds a temporary table each time.
    fn insert(&mut self, sql: &'static str, values: &[Value<'_>]) -> Result<i64, StoreError> {
        let rows = self.query(&format!("{sql} RETURNING id"), values)?;
        let row = rows.first();
        row.ok_or_else(|| StoreError::Broken("the row got no id".to_owned()))?
            .int(0)
    }

    /// Returns a cached row, or reads it by its key with `read`.
    fn recall(
        &mut self,
        kept: &'static Kept,
        read: &str,
        key: &[Value<'_>],
    ) -> Result<Option<Row>, StoreError> {
        let _unkept = kept;
        Ok(self.query(read, key)?.into_iter().next())
    }

    /// A row that the transaction read or wrote and nobody has changed since, as it was cached. `None` if it has to be read, or
    /// where caching saves nothing.
    fn known(&mut self, kept: &'static Kept, key: &[Value<'_>]) -> Option<Row> {
        let _unkept = (kept, key);
        None
    }

    /// Caches a row as just read, for [`Database::known`].
    fn learn(&mut self, kept: &'static Kept, key: &[Value<'_>], values: &[Value<'_>]) {
        let _unkept = (kept, key, values);
    }

    /// Caches a row and writes it by its key, as [`Database::write`] does.
    fn keep(
        &mut self,
        kept: &'static Kept,
        key: &[Value<'_>],
        values: &[Value<'_>],
    ) -> Result<(), StoreError> {
        self.write(kept.write, &[key, values].concat())
    }

    /// Increments a row that is only ever incremented, as [`Database::write`] does.
    fn add(&mut self, kept: &'static Kept, key: &[Value<'_>], by: i64) -> Result<(), StoreError> {
        self.write(kept.write, &[key, &[by.into()]].concat())
    }

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

    /// Runs several statements without values, for migrations.
    fn script(&mut self, sql: &str) -> Result<(), StoreError>;

    /// The database engine.
    fn dialect(&self) -> super::dialect::Dialect;

    /// Opens a transaction. PostgreSQL reconnects here after a lost connection.
    fn begin(&mut self, access: Access) -> Result<(), StoreError>;

    /// Opens a write transaction whose savepoints may cost nothing. If a rollback to one of them would undo a write, the whole
    /// transaction may fail with [`StoreError::Conflict`]; repeat its work in one opened by [`Database::begin`].
    fn begin_without_savepoints(&mut self) -> Result<(), StoreError> {
        self.begin(Access::Write)
    }

    /// Makes the transaction durable. After an error nothing is stored and no transaction is open.
    fn commit(&mut self) -> Result<(), StoreError>;

    /// Rolls the transaction back, if one is open.
    fn rollback(&mut self) -> Result<(), StoreError>;

    /// Sets a savepoint. Savepoints nest.
    fn savepoint(&mut self) -> Result<(), StoreError>;

    /// Releases the latest savepoint and keeps the changes since.
    fn release(&mut self) -> Result<(), StoreError>;

    /// Rolls back to the latest savepoint and releases it. After an error the whole transaction is lost.
    fn rollback_to_savepoint(&mut self) -> Result<(), StoreError>;

    /// The count of open savepoints.
    fn savepoints(&self) -> u32;

    /// Whether a transaction begun here is part of a larger one, which can only be rerun as a whole.
    fn is_part(&self) -> bool {
        false
    }
}

/// Why a database operation failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoreError {
    /// Another process holds the database or a lock. A retry helps.
    Busy,
    /// The file, its folder or the server is read-only.
    ReadOnly,
    /// The disk is full.
    Full,
    /// Not a database, or corrupt.
    Damaged(String),
    /// A later version of this program wrote the database.
    Newer {
        /// The database's schema version.
        found: u32,
        /// The latest version this program knows.
        known: u32,
    },
    /// The database belongs to the other mode.
    WrongMode {
        /// The mode of the database.
        found: Mode,
        /// The mode requested.
        asked: Mode,
    },
    /// The chain or source is not connected to this service.
    NotConnected(String),
    /// A conflict with another transaction; nothing was done, and the work can be repeated at once.
    Conflict,
    /// A constraint refused the row. The text differs per database: log it, don't branch on it.
    Constraint(String),
    /// The database cannot be opened or reached.
    Unreachable(String),
    /// A defect of the program or the machine.
    Broken(String),
}

impl StoreError {
    /// Whether stored data or a defect is the cause: a retry does not help, and other work can continue.
    pub(crate) fn is_data_error(&self) -> bool {
        matches!(
            self,
            Self::Damaged(_) | Self::Constraint(_) | Self::Broken(_)
        )
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Busy => f.write_str("the database is locked by someone else"),
            Self::ReadOnly => f.write_str("the database is read-only"),
            Self::Full => f.write_str("the disk is full"),
            Self::Damaged(text) => write!(f, "the database is damaged: {text}"),
            Self::Newer { found, known } => {
                write!(
                    f,
                    "the database has version {found}, this program knows versions up to {known}"
                )
            }
            Self::WrongMode { found, asked } => write!(
                f,
                "the database was created in {found} mode and is not opened in {asked} mode"
            ),
            Self::NotConnected(text) => f.write_str(text),
            Self::Conflict => f.write_str("the transaction met another one and has to run again"),
            Self::Constraint(text) => {
                write!(f, "a constraint of the schema refused the row: {text}")
            }
            Self::Unreachable(text) => write!(f, "the database cannot be reached: {text}"),
            Self::Broken(text) => write!(f, "the database failed: {text}"),
        }
    }
}

impl std::error::Error for StoreError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_amount_is_read_only_from_its_canonical_text() {
        let amount = |text: &str| Row::new(vec![Cell::Text(text.to_owned())]).amount(0).ok();
        assert_eq!(amount("-12"), Some(-12));
        assert_eq!(amount("0"), Some(0));
        for odd in ["-0", "+1", "01", "1.0", "", " 1", "1e3"] {
            assert_eq!(amount(odd), None, "{odd:?}");
        }
    }

    #[test]
    fn a_column_read_as_something_else_is_refused_and_named() {
        let row = Row::new(vec![Cell::Text("x".to_owned()), Cell::Null]);
        assert_eq!(
            row.int(0),
            Err(StoreError::Broken(
                "column 0 is a text, not an integer".to_owned()
            ))
        );
        assert_eq!(
            row.int(1),
            Err(StoreError::Broken("column 1 is NULL".to_owned()))
        );
        assert_eq!(row.maybe_int(1), Ok(None));
        assert!(row.text(2).is_err());
    }
}
