//! PostgreSQL: one connection, its prepared statements, its way of failing.
//!
//! The client blocks: never call it on a thread that drives asynchronous work.

use std::collections::HashMap;
use std::str::FromStr;
use std::time::Duration;

use postgres::error::SqlState;
use postgres::types::{ToSql, Type};
use postgres::{Client, Config, NoTls, SimpleQueryMessage, Statement};

use super::batch::{Batch, call};
use super::dialect::Dialect;
use super::memory::{self, Memory, Unwritten};
use super::sql::{Access, Cell, Database, Kept, Row, StoreError, Value};
use super::wire::{failure, read_text, said};

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
    memory: Memory,
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
            memory: Memory::default(),
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
        self.memory.doubt();
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

    fn take_turn(&mut self) -> Result<(), StoreError> {
        const TURN: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ WRITE; LOCK TABLE turns IN EXCLUSIVE MODE; \
            SELECT pg_current_snapshot()";
        let messages = self
            .client
            .simple_query(TURN)
            .map_err(|error| self.failure(&error))?;
        let snapshot = messages.iter().find_map(|message| match message {
            SimpleQueryMessage::Row(row) => row.get(0),
            _ => None,
        });
        self.memory.begin(snapshot);
        Ok(())
    }

    /// Has those kept rows wait to be written that a statement may look at.
    fn write_before(&mut self, sql: &str) -> Result<(), StoreError> {
        if !self.open || self.failed {
            return Ok(());
        }
        let rows = self.memory.unwritten_for(sql);
        self.write_kept(&rows)
    }

    fn write_kept(&mut self, rows: &[Unwritten]) -> Result<(), StoreError> {
        for (sql, cells) in rows {
            let values: Vec<Value<'_>> = cells.iter().map(Cell::value).collect();
            let name = self.named(sql)?;
            self.batch.add(&name, &values);
            self.memory.wrote(sql);
        }
        Ok(())
    }

    /// A statement is about to run whose changes are not followed.
    fn ran(&mut self, sql: &str) {
        if self.open {
            self.memory.ran(sql);
        }
    }

    /// Asks the server.
    fn ask(&mut self, sql: &str, values: &[Value<'_>]) -> Result<Vec<Row>, StoreError> {
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
        self.write_before(sql)?;
        self.flush()?;
        self.ran(sql);
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
        self.write_before(sql)?;
        let name = self.named(sql)?;
        self.batch.add(&name, values);
        self.memory.ran(sql);
        if self.batch.is_long() {
            self.flush()?;
        }
        Ok(())
    }

    fn insert(&mut self, sql: &str, values: &[Value<'_>]) -> Result<i64, StoreError> {
        let table = match Memory::numbered(sql) {
            Some(table) if self.open && !self.failed => table,
            _ => return id(self.query(&format!("{sql} RETURNING id"), values)?.first()),
        };
        let number = match self.memory.number(table) {
            Ok(number) => number,
            Err(count) => {
                let next = format!(
                    "SELECT nextval(pg_get_serial_sequence('{table}', 'id')) FROM generate_series(1, {count})"
                );
                let rows = self.query(&next, &[])?;
                let numbers = rows.iter().map(|row| row.int(0));
                let numbers: Vec<i64> = numbers.collect::<Result<_, _>>()?;
                self.memory.numbers(table, numbers.into_iter());
                let first = self.memory.number(table);
                first.map_err(|_| StoreError::Broken("no number was given".to_owned()))?
            }
        };
        let last = values.len() + 1;
        let sql =
            sql.replacen(" (", " (id, ", 1)
                .replacen("VALUES (", &format!("VALUES (?{last}, "), 1);
        self.write(&sql, &[values, &[number.into()]].concat())?;
        Ok(number)
    }

    fn recall(
        &mut self,
        kept: &'static Kept,
        read: &str,
        key: &[Value<'_>],
    ) -> Result<Option<Row>, StoreError> {
        if !self.open || self.failed {
            return Ok(self.query(read, key)?.into_iter().next());
        }
        match self.memory.known(kept.table, key) {
            Some(row) => Ok(Some(row)),
            // Other rows that wait to be written are not looked at.
            None => Ok(self.ask(read, key)?.into_iter().next()),
        }
    }

    fn known(&mut self, kept: &'static Kept, key: &[Value<'_>]) -> Option<Row> {
        match self.open && !self.failed {
            true => self.memory.known(kept.table, key),
            false => None,
        }
    }

    fn learn(&mut self, kept: &'static Kept, key: &[Value<'_>], values: &[Value<'_>]) {
        if self.open && !self.failed {
            self.memory.keep(kept.table, key, values, None);
        }
    }

    fn keep(
        &mut self,
        kept: &'static Kept,
        key: &[Value<'_>],
        values: &[Value<'_>],
    ) -> Result<(), StoreError> {
        if !self.open || self.failed || !key.iter().chain(values).all(is_writable) {
            return self.write(kept.write, &[key, values].concat());
        }
        values.iter().try_for_each(Value::check)?;
        self.memory.keep(kept.table, key, values, Some(kept.write));
        Ok(())
    }

    fn add(&mut self, kept: &'static Kept, key: &[Value<'_>], by: i64) -> Result<(), StoreError> {
        if !self.open || self.failed || !key.iter().all(is_writable) {
            return self.write(kept.write, &[key, &[by.into()]].concat());
        }
        self.memory.add(kept.table, key, by, kept.write);
        Ok(())
    }

    fn query(&mut self, sql: &str, values: &[Value<'_>]) -> Result<Vec<Row>, StoreError> {
        values.iter().try_for_each(Value::check)?;
        if !self.open || self.failed {
            return self.ask(sql, values);
        }
        if !self.memory.is_steady(sql) {
            self.write_before(sql)?;
            self.ran(sql);
            return self.ask(sql, values);
        }
        let given = memory::text(values);
        if let Some(rows) = self.memory.answer(sql, &given) {
            return Ok(rows);
        }
        self.write_before(sql)?;
        let rows = self.ask(sql, values)?;
        self.memory.answered(sql, given, &rows);
        Ok(rows)
    }

    fn script(&mut self, sql: &str) -> Result<(), StoreError> {
        let rows = self.memory.unwritten();
        self.write_kept(&rows)?;
        self.flush()?;
        self.memory.forget();
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
            self.memory.forget();
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
            true => self.take_turn(),
            false => {
                self.memory.begin(None);
                self.plain("BEGIN ISOLATION LEVEL SERIALIZABLE READ WRITE")
            }
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
                let rows = self.memory.unwritten();
                self.write_kept(&rows).and_then(|()| {
                    let text = self.batch.take("COMMIT");
                    self.plain(&text)
                })
            }
        };
        let open = std::mem::take(&mut self.open);
        match committed {
            Ok(()) if open => self.memory.commit(),
            Ok(()) => {}
            Err(_) => self.rollback()?,
        }
        self.savepoints = 0;
        committed
    }

    fn rollback(&mut self) -> Result<(), StoreError> {
        self.batch.clear();
        self.memory.forget();
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
        self.memory.mark();
        self.savepoints = depth;
        Ok(())
    }

    fn release(&mut self) -> Result<(), StoreError> {
        let depth = self.savepoints;
        if depth == 0 || self.failed || !self.batch.release(depth) {
            let text = self.batch.take(&format!("RELEASE SAVEPOINT mark_{depth}"));
            self.plain(&text)?;
        }
        self.memory.release();
        self.savepoints = depth.saturating_sub(1);
        Ok(())
    }

    fn rollback_to_savepoint(&mut self) -> Result<(), StoreError> {
        let depth = self.savepoints;
        // Whatever waits came after the mark, if the mark is with the server: it was sent with what was before.
        let waits = !self.batch.is_empty();
        let sent = !self.batch.undo() || self.failed;
        self.memory.undo(sent);
        if sent && waits {
            // Counted, but never written.
            self.memory.doubt();
        }
        if sent {
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

/// The id in a row of which it is all.
fn id(row: Option<&Row>) -> Result<i64, StoreError> {
    row.ok_or_else(|| StoreError::Broken("the row got no id".to_owned()))?
        .int(0)
}
