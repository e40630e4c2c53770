//! PostgreSQL: one connection, its prepared statements, its way of failing.
//!
//! The client blocks: never call it on a thread that drives asynchronous work.

use std::collections::HashMap;
use std::error::Error;
use std::str::FromStr;
use std::time::Duration;

use bytes::BytesMut;
use postgres::error::SqlState;
use postgres::types::{FromSql, IsNull, ToSql, Type, to_sql_checked};
use postgres::{Client, Config, NoTls, SimpleQueryMessage, Statement};

use super::batch::{Batch, call};
use super::dialect::Dialect;
use super::numeric;
use super::sql::{Access, Cell, Database, Row, StoreError, Value};

/// How long a connection may take to be made.
const PATIENCE: Duration = Duration::from_secs(10);

/// Statements kept prepared per connection; the service has fewer, lists with filters make some more.
const PREPARED: usize = 512;

/// A statement that takes longer is a defect, a lock not had by then means that somebody hangs.
const SESSION: &str = "SET statement_timeout = '60s'; SET lock_timeout = '10s'; \
    SET idle_in_transaction_session_timeout = '60s'; SET client_min_messages = warning; \
    SET standard_conforming_strings = on; SET bytea_output = hex";

/// Makes a connection; the host says how, for it knows how to encrypt.
type Connect = Box<dyn Fn(&Config) -> Result<Client, postgres::Error> + Send>;

/// A connection to PostgreSQL.
pub struct Postgres {
    config: Config,
    connect: Connect,
    client: Client,
    prepared: HashMap<String, Statement>,
    /// A statement failed: PostgreSQL refuses all others until the savepoint or the transaction is undone,
    /// and would answer COMMIT with a silent rollback.
    failed: bool,
    /// The connection broke; the client itself may take a moment longer to notice.
    lost: bool,
    savepoints: u32,
    /// A transaction that may write is open: statements may wait.
    open: bool,
    batch: Batch,
    /// The table `turns` is there.
    turns: bool,
}

impl std::fmt::Debug for Postgres {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The configuration holds a password.
        f.debug_struct("Postgres")
            .field("prepared", &self.prepared.len())
            .finish_non_exhaustive()
    }
}

impl Postgres {
    /// Connects to `postgres://user:password@host:port/name`, or the `key=value` form of the same, without encryption.
    ///
    /// # Errors
    /// [`StoreError::Unreachable`] when there is no such server, role or database.
    pub fn open(address: &str) -> Result<Self, StoreError> {
        Self::open_with(address, |config| config.connect(NoTls))
    }

    /// As [`Postgres::open`], over connections that the caller makes.
    ///
    /// # Errors
    /// As [`Postgres::open`].
    pub fn open_with(
        address: &str,
        connect: impl Fn(&Config) -> Result<Client, postgres::Error> + Send + 'static,
    ) -> Result<Self, StoreError> {
        let mut config =
            Config::from_str(address).map_err(|error| StoreError::Unreachable(said(&error)))?;
        if config.get_application_name().is_none() {
            config.application_name("settlekit");
        }
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(PATIENCE);
        }
        let connect: Connect = Box::new(connect);
        let client = self::connect(&connect, &config)?;
        Ok(Self {
            config,
            connect,
            client,
            prepared: HashMap::new(),
            failed: false,
            lost: false,
            savepoints: 0,
            open: false,
            batch: Batch::default(),
            turns: false,
        })
    }

    fn prepared(&mut self, sql: &str) -> Result<Statement, StoreError> {
        if let Some(statement) = self.prepared.get(sql) {
            return Ok(statement.clone());
        }
        let statement = self
            .client
            .prepare(&Dialect::Postgres.statement(sql))
            .map_err(|error| self.failure(&error))?;
        if self.prepared.len() >= PREPARED {
            self.prepared.clear();
        }
        self.prepared.insert(sql.to_owned(), statement.clone());
        Ok(statement)
    }

    fn failure(&mut self, error: &postgres::Error) -> StoreError {
        self.failed = true;
        // A migration elsewhere changed what a statement answers: prepare it anew next time.
        if error.code() == Some(&SqlState::FEATURE_NOT_SUPPORTED)
            && said(error).contains("cached plan")
        {
            self.prepared.clear();
            return StoreError::Conflict;
        }
        let failure = failure(error);
        self.lost |= matches!(failure, StoreError::Unreachable(_));
        failure
    }

    /// Whether the table is there by which writers wait for each other: it is not before the first migrations.
    fn has_turns(&mut self) -> Result<bool, StoreError> {
        if !self.turns {
            let found = self
                .client
                .query_one("SELECT to_regclass('turns') IS NOT NULL", &[]);
            self.turns = found.map_err(|error| self.failure(&error))?.get(0);
        }
        Ok(self.turns)
    }

    fn is_lost(&self) -> bool {
        self.lost || self.client.is_closed()
    }

    fn plain(&mut self, sql: &str) -> Result<(), StoreError> {
        self.client
            .batch_execute(sql)
            .map_err(|error| self.failure(&error))
    }

    /// Sends what waits.
    fn flush(&mut self) -> Result<(), StoreError> {
        if self.batch.is_empty() {
            return Ok(());
        }
        let text = self.batch.take("");
        self.plain(&text)
    }

    /// Runs a statement together with what waits before it.
    fn query_behind(&mut self, sql: &str, values: &[Value<'_>]) -> Result<Vec<Row>, StoreError> {
        let types: Vec<Type> = self
            .prepared(sql)?
            .columns()
            .iter()
            .map(|column| column.type_().clone())
            .collect();
        let name = self.named(sql)?;
        let text = self.batch.take(&call(&name, values));
        let messages = self
            .client
            .simple_query(&text)
            .map_err(|error| self.failure(&error))?;
        // The rows of the last statement; those before it give none.
        let rows = messages.iter().filter_map(|message| match message {
            SimpleQueryMessage::Row(row) => Some(row),
            _ => None,
        });
        rows.map(|row| {
            let cells = types
                .iter()
                .enumerate()
                .map(|(column, found)| {
                    row.get(column)
                        .map_or(Ok(Cell::Null), |text| read_text(found, text))
                })
                .collect::<Result<_, _>>();
            cells.map(Row::new)
        })
        .collect()
    }

    /// The name by which a text of many statements can run this one.
    fn named(&mut self, sql: &str) -> Result<String, StoreError> {
        if let Some(name) = self.batch.name(sql) {
            return Ok(name);
        }
        let name = self.batch.new_name();
        let statement = Dialect::Postgres.statement(sql);
        self.flush()?;
        self.plain(&format!("PREPARE {name} AS {statement}"))?;
        self.batch.named(sql, name.clone());
        Ok(name)
    }
}

/// Whether a value can be written into a text: not with a NUL in it.
fn is_writable(value: &Value<'_>) -> bool {
    !matches!(value, Value::Text(text) if text.contains('\0'))
}

fn connect(connect: &Connect, config: &Config) -> Result<Client, StoreError> {
    let mut client = connect(config).map_err(|error| failure(&error))?;
    client
        .batch_execute(SESSION)
        .map_err(|error| failure(&error))?;
    Ok(client)
}

impl Database for Postgres {
    fn execute(&mut self, sql: &str, values: &[Value<'_>]) -> Result<u64, StoreError> {
        values.iter().try_for_each(Value::check)?;
        self.flush()?;
        let statement = self.prepared(sql)?;
        let values: Vec<&(dyn ToSql + Sync)> = values
            .iter()
            .map(|value| value as &(dyn ToSql + Sync))
            .collect();
        self.client
            .execute(&statement, &values)
            .map_err(|error| self.failure(&error))
    }

    fn write(&mut self, sql: &str, values: &[Value<'_>]) -> Result<(), StoreError> {
        // After a failure the server refuses everything, and says so at once.
        if !self.open || self.failed || !values.iter().all(is_writable) {
            return self.execute(sql, values).map(drop);
        }
        values.iter().try_for_each(Value::check)?;
        let name = self.named(sql)?;
        self.batch.add(&name, values);
        if self.batch.is_long() {
            self.flush()?;
        }
        Ok(())
    }

    fn query(&mut self, sql: &str, values: &[Value<'_>]) -> Result<Vec<Row>, StoreError> {
        values.iter().try_for_each(Value::check)?;
        if !self.batch.is_empty() {
            // What is not known yet may fail when it is made known; by then the marks have to be set.
            let known = self.prepared.contains_key(sql) && self.batch.name(sql).is_some();
            if known && values.iter().all(is_writable) {
                return self.query_behind(sql, values);
            }
            self.flush()?;
            self.named(sql)?;
        }
        let statement = self.prepared(sql)?;
        let values: Vec<&(dyn ToSql + Sync)> = values
            .iter()
            .map(|value| value as &(dyn ToSql + Sync))
            .collect();
        let rows = self
            .client
            .query(&statement, &values)
            .map_err(|error| self.failure(&error))?;
        rows.iter()
            .map(|row| {
                let cells = (0..row.len())
                    .map(|column| row.try_get::<_, Cell>(column))
                    .collect::<Result<_, _>>();
                cells
                    .map(Row::new)
                    .map_err(|error| StoreError::Broken(said(&error)))
            })
            .collect()
    }

    fn script(&mut self, sql: &str) -> Result<(), StoreError> {
        self.flush()?;
        self.plain(sql)
    }

    fn dialect(&self) -> Dialect {
        Dialect::Postgres
    }

    fn begin(&mut self, access: Access) -> Result<(), StoreError> {
        self.batch.clear();
        self.open = false;
        if self.is_lost() {
            self.prepared.clear();
            self.batch.forget();
            self.client = connect(&self.connect, &self.config)?;
            self.lost = false;
        }
        self.failed = false;
        self.savepoints = 0;
        if access == Access::Read {
            return self.plain("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
        }
        self.open = true;
        let begun = match self.has_turns()? {
            // What SQLite gives with its one writer, the lock gives here. The view of the data begins after it: LOCK TABLE
            // takes none. Whoever writes past the lock is met, and not written over.
            true => self.plain(
                "BEGIN ISOLATION LEVEL REPEATABLE READ READ WRITE; LOCK TABLE turns IN EXCLUSIVE MODE",
            ),
            false => self.plain("BEGIN ISOLATION LEVEL SERIALIZABLE READ WRITE"),
        };
        if begun.is_err() {
            self.rollback()?;
        }
        begun
    }

    fn commit(&mut self) -> Result<(), StoreError> {
        let committed = match self.failed {
            true => Err(StoreError::Broken(
                "a statement of the transaction had failed".to_owned(),
            )),
            false => {
                let text = self.batch.take("COMMIT");
                self.plain(&text)
            }
        };
        self.open = false;
        if committed.is_err() {
            self.rollback()?;
        }
        self.savepoints = 0;
        committed
    }

    fn rollback(&mut self) -> Result<(), StoreError> {
        self.batch.clear();
        self.open = false;
        self.failed = false;
        self.savepoints = 0;
        if self.is_lost() {
            // The server undoes what a lost connection had begun.
            return Ok(());
        }
        // Outside a transaction this is a warning, not an error.
        self.plain("ROLLBACK")
    }

    fn savepoint(&mut self) -> Result<(), StoreError> {
        let depth = self.savepoints + 1;
        if self.open && !self.failed {
            self.batch.mark(depth);
        } else {
            self.plain(&format!("SAVEPOINT mark_{depth}"))?;
        }
        self.savepoints = depth;
        Ok(())
    }

    fn release(&mut self) -> Result<(), StoreError> {
        let depth = self.savepoints;
        if depth == 0 || self.failed || !self.batch.release(depth) {
            let text = self.batch.take(&format!("RELEASE SAVEPOINT mark_{depth}"));
            self.plain(&text)?;
        }
        self.savepoints = depth.saturating_sub(1);
        Ok(())
    }

    fn rollback_to_savepoint(&mut self) -> Result<(), StoreError> {
        let depth = self.savepoints;
        // Whatever waits came after the mark, if the mark is with the server: it was sent with what was before.
        if !self.batch.undo() || self.failed {
            self.plain(&format!(
                "ROLLBACK TO SAVEPOINT mark_{depth}; RELEASE SAVEPOINT mark_{depth}"
            ))?;
        }
        self.savepoints = depth.saturating_sub(1);
        self.failed = false;
        Ok(())
    }

    fn savepoints(&self) -> u32 {
        self.savepoints
    }
}

impl ToSql for Value<'_> {
    fn to_sql(
        &self,
        wanted: &Type,
        out: &mut BytesMut,
    ) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
        match (self, wanted) {
            (Value::Null, _) => return Ok(IsNull::Yes),
            (Value::Int(value), &Type::INT8) => out.extend_from_slice(&value.to_be_bytes()),
            (Value::Int(value), &Type::INT4) => {
                out.extend_from_slice(&i32::try_from(*value)?.to_be_bytes())
            }
            (Value::Int(value), &Type::INT2) => {
                out.extend_from_slice(&i16::try_from(*value)?.to_be_bytes())
            }
            (Value::Int(value), &Type::NUMERIC) => numeric::write(i128::from(*value), out),
            (Value::Amount(value), &Type::NUMERIC) => numeric::write(*value, out),
            (
                Value::Text(value),
                &Type::TEXT | &Type::VARCHAR | &Type::BPCHAR | &Type::NAME | &Type::UNKNOWN,
            ) => {
                out.extend_from_slice(value.as_bytes());
            }
            (Value::Blob(value), &Type::BYTEA) => out.extend_from_slice(value),
            (given, wanted) => {
                return Err(format!("{} where the statement wants {wanted}", given.kind()).into());
            }
        }
        Ok(IsNull::No)
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

impl FromSql<'_> for Cell {
    fn from_sql(found: &Type, raw: &[u8]) -> Result<Self, Box<dyn Error + Sync + Send>> {
        Ok(match *found {
            Type::INT8 => Self::Int(i64::from_be_bytes(raw.try_into()?)),
            Type::INT4 => Self::Int(i64::from(i32::from_be_bytes(raw.try_into()?))),
            Type::INT2 => Self::Int(i64::from(i16::from_be_bytes(raw.try_into()?))),
            Type::BOOL => Self::Int(i64::from(raw.first() == Some(&1))),
            Type::NUMERIC => Self::Amount(numeric::read(raw)?),
            Type::TEXT | Type::VARCHAR | Type::BPCHAR | Type::NAME | Type::UNKNOWN => {
                Self::Text(std::str::from_utf8(raw)?.to_owned())
            }
            Type::BYTEA => Self::Blob(raw.to_vec()),
            Type::VOID => Self::Null,
            _ => return Err(format!("a column of type {found}").into()),
        })
    }

    fn from_sql_null(_: &Type) -> Result<Self, Box<dyn Error + Sync + Send>> {
        Ok(Self::Null)
    }

    fn accepts(_: &Type) -> bool {
        true
    }
}

/// A cell that came as text.
fn read_text(found: &Type, text: &str) -> Result<Cell, StoreError> {
    let malformed = || StoreError::Broken(format!("a column of type {found} that reads otherwise"));
    Ok(match *found {
        Type::INT8 | Type::INT4 | Type::INT2 => Cell::Int(text.parse().map_err(|_| malformed())?),
        Type::BOOL => Cell::Int(i64::from(text == "t")),
        Type::NUMERIC => Cell::Amount(text.parse().map_err(|_| malformed())?),
        Type::TEXT | Type::VARCHAR | Type::BPCHAR | Type::NAME | Type::UNKNOWN => {
            Cell::Text(text.to_owned())
        }
        Type::BYTEA => {
            let digits = text.strip_prefix("\\x").ok_or_else(malformed)?;
            Cell::Blob(hex::decode(digits).map_err(|_| malformed())?)
        }
        Type::VOID => Cell::Null,
        _ => return Err(StoreError::Broken(format!("a column of type {found}"))),
    })
}

fn failure(error: &postgres::Error) -> StoreError {
    let Some(code) = error.code() else {
        // Not the server's answer: the way to it broke, or a value did not fit its statement.
        let lost = error.is_closed()
            || caused_by_io(error)
            || ["error connecting", "error performing TLS"]
                .iter()
                .any(|start| error.to_string().starts_with(start));
        return if lost {
            StoreError::Unreachable(said(error))
        } else {
            StoreError::Broken(said(error))
        };
    };
    match *code {
        SqlState::T_R_SERIALIZATION_FAILURE | SqlState::T_R_DEADLOCK_DETECTED => {
            StoreError::Conflict
        }
        SqlState::LOCK_NOT_AVAILABLE
        | SqlState::QUERY_CANCELED
        | SqlState::TOO_MANY_CONNECTIONS => StoreError::Busy,
        SqlState::READ_ONLY_SQL_TRANSACTION | SqlState::INSUFFICIENT_PRIVILEGE => {
            StoreError::ReadOnly
        }
        SqlState::DISK_FULL => StoreError::Full,
        SqlState::DATA_CORRUPTED | SqlState::INDEX_CORRUPTED => StoreError::Damaged(said(error)),
        SqlState::INVALID_PASSWORD
        | SqlState::INVALID_AUTHORIZATION_SPECIFICATION
        | SqlState::INVALID_CATALOG_NAME => StoreError::Unreachable(said(error)),
        _ => match code.code().get(..2) {
            Some("23") => StoreError::Constraint(
                error
                    .as_db_error()
                    .and_then(|error| error.constraint())
                    .map_or_else(|| said(error), str::to_owned),
            ),
            // The server is going down, coming up, or cut us off.
            Some("57" | "08") => StoreError::Unreachable(said(error)),
            _ => StoreError::Broken(said(error)),
        },
    }
}

fn caused_by_io(error: &postgres::Error) -> bool {
    error
        .source()
        .is_some_and(|source| source.is::<std::io::Error>())
}

/// The message with its cause, without the DETAIL, which repeats values.
fn said(error: &postgres::Error) -> String {
    match error.as_db_error() {
        Some(error) => error.message().to_owned(),
        None => match error.source() {
            Some(source) if !error.to_string().contains(&source.to_string()) => {
                format!("{error}: {source}")
            }
            _ => error.to_string(),
        },
    }
}
