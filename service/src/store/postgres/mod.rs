//! PostgreSQL: one connection with its session, prepared statements and error handling.
//!
//! The client blocks: never call it on a thread that drives async tasks.
//!
//! Longer than 400 lines: session, statements, savepoints and errors share the private state of the connection.

mod array;
mod bulk_insert;
mod carry_over;
mod database;
mod literal;
mod numeric;
mod skipped_checks;
mod wire;

use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use foldhash::HashMap;
use postgres::error::{Severity, SqlState};
use postgres::types::{ToSql, Type};
use postgres::{Client, Config, NoTls, SimpleQueryMessage, SimpleQueryRow, Statement};

use crate::store::dialect::Dialect;
use crate::store::sql::{Cell, Row, StoreError, Value};
use crate::store::write_cache::{Tables, Unwritten, WriteCache};
use bulk_insert::BulkInsert;
use carry_over::CarryOver;
use literal::call;
use skipped_checks::SkippedChecks;
use wire::{error_text, failure, read_text};

/// Default connection timeout.
const PATIENCE: Duration = Duration::from_secs(10);

/// Prepared statements per connection. The service has fewer, apart from lists with filters.
const PREPARED: usize = 512;

/// A statement that takes longer is a defect; a lock that takes longer means that its holder hangs. Query plans must not depend on bound
/// values: from some table size on PostgreSQL would plan the statement of a list page again for each request, which takes longer than
/// the statement.
const SESSION: &str = "SET statement_timeout = '60s'; SET lock_timeout = '10s'; \
    SET idle_in_transaction_session_timeout = '60s'; SET client_min_messages = warning; \
    SET standard_conforming_strings = on; SET bytea_output = hex; SET plan_cache_mode = force_generic_plan";

/// Names the session: PostgreSQL keeps settings, prepared statements and the basis of the writer's cache per session, and a
/// transaction pooler may answer from any session.
const NAME_SESSION: &str = "SELECT set_config('settlekit.session', gen_random_uuid()::text, false)";

/// The name of the current session; empty or NULL if it has none.
const SESSION_NAME: &str = "current_setting('settlekit.session', true)";

/// Opens a connection; supplied by the host, which knows how to encrypt.
type Connect = Box<dyn Fn(&Config) -> Result<Client, postgres::Error> + Send>;

/// A connection to PostgreSQL.
pub struct Postgres {
    config: Config,
    connect: Connect,
    client: Client,
    /// The name of the session behind `client`.
    session: String,
    /// The server sent a warning since the last reset.
    warned: Arc<AtomicBool>,
    prepared: HashMap<String, Statement>,
    /// A statement failed: PostgreSQL refuses all others until a rollback to the savepoint or of the transaction, and would
    /// answer COMMIT with a silent rollback.
    failed: bool,
    /// The connection broke; the client may notice later.
    lost: bool,
    depth: u32,
    /// In an optimistic transaction: per savepoint, the cache's clock before it. The server has none of them.
    savepoints: Option<Vec<u64>>,
    bulk_insert: BulkInsert,
    cache: WriteCache,
    carried: CarryOver,
    skipped_checks: SkippedChecks,
    /// INSERTs without an id, mapped to the same with the id as last value.
    numbered: HashMap<&'static str, Arc<str>>,
    /// The table `writer_lock` exists.
    has_writer_lock: bool,
    /// [`Self::make_room`] ran on this connection.
    roomy: bool,
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

    /// As [`Postgres::open`], over connections opened by the caller.
    ///
    /// # Errors
    /// As [`Postgres::open`].
    pub fn open_with(
        address: &str,
        connect: impl Fn(&Config) -> Result<Client, postgres::Error> + Send + 'static,
    ) -> Result<Self, StoreError> {
        let mut config = Config::from_str(address)
            .map_err(|error| StoreError::Unreachable(error_text(&error)))?;
        if config.get_application_name().is_none() {
            config.application_name("settlekit");
        }
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(PATIENCE);
        }
        let warned = Arc::new(AtomicBool::new(false));
        let heard = Arc::clone(&warned);
        config.notice_callback(move |notice| {
            let is_warning = notice.parsed_severity() == Some(Severity::Warning);
            heard.fetch_or(is_warning, Ordering::Relaxed);
        });
        let connect: Connect = Box::new(connect);
        let (mut client, session) = self::connect(&connect, &config)?;
        // A transaction pooler gives the same session to the second connection.
        let probe = self::connect(&connect, &config)?;
        let name = client
            .simple_query(&format!("SELECT {SESSION_NAME}"))
            .map_err(|error| failure(&error))?;
        drop(probe);
        if first_cell(&name) != Some(&session) {
            return Err(pooled());
        }
        Ok(Self {
            config,
            connect,
            client,
            session,
            warned,
            prepared: HashMap::default(),
            failed: false,
            lost: false,
            depth: 0,
            savepoints: None,
            bulk_insert: BulkInsert::default(),
            cache: WriteCache::default(),
            carried: CarryOver::default(),
            skipped_checks: SkippedChecks::default(),
            numbered: HashMap::default(),
            has_writer_lock: false,
            roomy: false,
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
        // A migration elsewhere changed the result type of a statement: prepare it again next time.
        if error.code() == Some(&SqlState::FEATURE_NOT_SUPPORTED)
            && error_text(error).contains("cached plan")
        {
            self.prepared.clear();
            return StoreError::Conflict;
        }
        let failure = failure(error);
        self.lost |= matches!(failure, StoreError::Unreachable(_));
        match failure {
            // The check before the insert may have been skipped: the rerun makes it.
            StoreError::Constraint(_) if self.savepoints.is_some() => StoreError::Conflict,
            failure => failure,
        }
    }

    /// Makes the server's process keep the memory of one group for the next. Otherwise the C library returns free memory to the
    /// system whenever it exceeds twice the largest block ever freed, and allocates it again for the next group: a fifth of the
    /// cost of a group.
    fn make_room(&mut self) -> Result<(), StoreError> {
        const ROOM: &str = "SELECT octet_length(repeat(repeat(' ', 1000), 8000))";
        if !self.roomy {
            self.plain(ROOM)?;
            self.roomy = true;
        }
        Ok(())
    }

    /// Whether the table `writer_lock` exists; the first migrations create it.
    fn find_writer_lock(&mut self) -> Result<bool, StoreError> {
        if !self.has_writer_lock {
            // Not prepared: the session is verified only at BEGIN, which comes later.
            let found = self
                .client
                .simple_query("SELECT to_regclass('writer_lock')");
            let found = found.map_err(|error| self.failure(&error))?;
            self.has_writer_lock = first_cell(&found).is_some();
        }
        Ok(self.has_writer_lock)
    }

    fn is_lost(&self) -> bool {
        self.lost || self.client.is_closed()
    }

    fn plain(&mut self, sql: &str) -> Result<(), StoreError> {
        self.client
            .batch_execute(sql)
            .map_err(|error| self.failure(&error))
    }

    /// Whether statements are queued and answers cached: in an optimistic transaction that has not failed.
    fn queues(&self) -> bool {
        self.savepoints.is_some() && !self.failed
    }

    /// Sends the queue.
    fn flush(&mut self) -> Result<(), StoreError> {
        if self.bulk_insert.is_empty() {
            return Ok(());
        }
        let text = self.bulk_insert.take("");
        self.plain(&text)
    }

    /// Begins a transaction if the session is this connection's own, and returns the value of the expression `ask`.
    fn begin_with(&mut self, begin: &str, ask: &str) -> Result<Option<String>, StoreError> {
        let text = format!("{begin}; SELECT {SESSION_NAME}, {ask}");
        let messages = self
            .client
            .simple_query(&text)
            .map_err(|error| self.failure(&error))?;
        if first_cell(&messages) != Some(&self.session) {
            self.plain("ROLLBACK")?;
            // The next transaction reconnects.
            self.lost = true;
            self.forget();
            return Err(pooled());
        }
        Ok(first_row(&messages).and_then(|row| row.get(1).map(str::to_owned)))
    }

    /// Drops the rows cached by earlier transactions.
    fn forget(&mut self) {
        self.cache.forget();
        self.carried.forget();
    }

    /// Queues the unwritten rows of the tables that a statement names, and evicts the cached rows of the table it writes.
    fn write_before(&mut self, sql: &str) -> Result<(), StoreError> {
        if self.queues() {
            let statement = self.cache.statement(sql);
            let rows = self.cache.unwritten_for(statement);
            self.write_kept(&rows)?;
            self.cache.changes(statement);
            self.note_write(sql);
        }
        Ok(())
    }

    fn note_write(&mut self, sql: &str) {
        if !self.carried.has_written() && certainly_writes(sql) {
            self.carried.write();
        }
    }

    fn write_kept(&mut self, rows: &[Unwritten]) -> Result<(), StoreError> {
        for (sql, cells) in rows {
            let values: Vec<Value<'_>> = cells.iter().map(Cell::value).collect();
            self.put(sql, &values)?;
            self.note_write(sql);
        }
        Ok(())
    }

    fn tables(&mut self, sql: &str) -> (Tables, Tables) {
        let statement = self.cache.statement(sql);
        self.cache.tables(statement)
    }

    /// Queues a statement.
    fn put(&mut self, sql: &str, values: &[Value<'_>]) -> Result<(), StoreError> {
        let (name, tables) = (self.single(sql)?, self.tables(sql));
        self.bulk_insert.call(&name, values, tables);
        Ok(())
    }

    /// Queues a statement with others of the same text, if it has an array form; `are_distinct`: no two are about the same row.
    fn put_together(
        &mut self,
        sql: &str,
        row: Vec<Cell>,
        are_distinct: bool,
    ) -> Result<(), StoreError> {
        if let Some(name) = self.array(sql, are_distinct)? {
            let tables = self.tables(sql);
            self.bulk_insert.row(sql, &name, tables, row);
            return Ok(());
        }
        let values: Vec<Value<'_>> = row.iter().map(Cell::value).collect();
        self.put(sql, &values)
    }

    /// The name of the array form of a statement, if it has one.
    fn array(&mut self, sql: &str, are_distinct: bool) -> Result<Option<Arc<str>>, StoreError> {
        const REFERENCES: &str = "SELECT conrelid::regclass::text, confrelid::regclass::text FROM pg_constraint \
             WHERE contype = 'f' AND conrelid <> confrelid";
        if let Some(known) = self.bulk_insert.array(sql) {
            return Ok(known);
        }
        if !self.bulk_insert.has_ranks() {
            let found = self.client.query(REFERENCES, &[]);
            let found = found.map_err(|error| self.failure(&error))?;
            let found = found.iter().map(|row| (row.get(0), row.get(1)));
            self.bulk_insert.rank(&found.collect::<Vec<_>>());
        }
        let types = self.prepared(sql)?;
        let types = types.params().iter().map(|found| found.name().to_owned());
        let types: Vec<String> = types.collect();
        let mut name = None;
        if let Some(statement) = bulk_insert::array_form(sql, &types, are_distinct) {
            let new = self.bulk_insert.new_name();
            let arrays = types.join("[], ");
            self.plain(&format!("PREPARE {new} ({arrays}[]) AS {statement}"))?;
            name = Some(new);
        }
        self.bulk_insert.add_array(sql, name.clone());
        Ok(name)
    }

    /// The name of a statement for EXECUTE, preparing it on first use.
    fn single(&mut self, sql: &str) -> Result<Arc<str>, StoreError> {
        if let Some(name) = self.bulk_insert.single(sql) {
            return Ok(name);
        }
        let name = self.bulk_insert.new_name();
        let statement = Dialect::Postgres.statement(sql);
        self.plain(&format!("PREPARE {name} AS {statement}"))?;
        self.bulk_insert.add_single(sql, Arc::clone(&name));
        Ok(name)
    }

    /// Sends the queue and commits.
    fn send_all(&mut self) -> Result<(), StoreError> {
        if !self.skipped_checks.are_proved() {
            return Err(StoreError::Conflict);
        }
        if self.savepoints.is_some() {
            // A row may be in the queue already, and one statement must not write the same row twice.
            self.bulk_insert.seal();
            for (sql, cells) in self.cache.unwritten() {
                self.put_together(sql, cells, true)?;
                self.note_write(sql);
            }
        }
        // If the wait for synchronous replication is cancelled, the transaction is committed on this server alone, and only a
        // warning says so. Therefore no timeout cancels it, and a commit with a warning is not acknowledged.
        let text = self
            .bulk_insert
            .take("SET LOCAL statement_timeout = 0; COMMIT");
        self.warned.store(false, Ordering::Relaxed);
        self.plain(&text)?;
        if self.warned.load(Ordering::Relaxed) {
            self.lost = true;
            return Err(StoreError::Unreachable(
                "PostgreSQL committed with a warning: what was written may not be replicated"
                    .to_owned(),
            ));
        }
        Ok(())
    }

    /// The INSERT with the id as last value, for one without id.
    fn with_id(&mut self, sql: &'static str) -> Arc<str> {
        let whole = self.numbered.entry(sql);
        Arc::clone(whole.or_insert_with(|| Arc::from(with_id(sql))))
    }

    /// Runs a query on the server, after the queue where needed.
    fn ask(&mut self, sql: &str, values: &[Value<'_>]) -> Result<Vec<Row>, StoreError> {
        if !self.bulk_insert.is_empty() && self.depends_on_queue(sql) {
            let is_prepared = self.prepared.contains_key(sql);
            if is_prepared && values.iter().all(is_writable) {
                return self.query_behind(sql, values);
            }
            self.flush()?;
        }
        self.ask_past(sql, values)
    }

    fn depends_on_queue(&mut self, sql: &str) -> bool {
        let (target, names) = self.tables(sql);
        target != 0 || self.bulk_insert.is_read_by(names)
    }

    /// Runs a query ahead of the queue.
    fn ask_past(&mut self, sql: &str, values: &[Value<'_>]) -> Result<Vec<Row>, StoreError> {
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
                    .map_err(|error| StoreError::Broken(error_text(&error)))
            })
            .collect()
    }

    /// Runs a query in one round trip with the queue before it.
    fn query_behind(&mut self, sql: &str, values: &[Value<'_>]) -> Result<Vec<Row>, StoreError> {
        let types: Vec<Type> = self
            .prepared(sql)?
            .columns()
            .iter()
            .map(|column| column.type_().clone())
            .collect();
        let name = self.single(sql)?;
        let text = self.bulk_insert.take(&call(&name, values));
        let messages = self
            .client
            .simple_query(&text)
            .map_err(|error| self.failure(&error))?;
        // Only the last statement returns rows.
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
}

/// Whether a statement writes a row if it succeeds.
fn certainly_writes(sql: &str) -> bool {
    sql.starts_with("INSERT INTO ")
        && sql.contains(" VALUES ")
        && !sql.contains("NOTHING")
        && !sql.contains("WHERE")
}

/// Whether a value can be written as a literal: text with NUL cannot.
fn is_writable(value: &Value<'_>) -> bool {
    !matches!(value, Value::Text(text) if text.contains('\0'))
}

/// Opens and sets up a connection; returns it with the name of its session.
fn connect(connect: &Connect, config: &Config) -> Result<(Client, String), StoreError> {
    let mut client = connect(config).map_err(|error| failure(&error))?;
    let messages = client
        .simple_query(&format!("{SESSION}; {NAME_SESSION}"))
        .map_err(|error| failure(&error))?;
    let name = first_cell(&messages)
        .ok_or_else(|| StoreError::Broken("PostgreSQL did not name the session".to_owned()))?;
    Ok((client, name.to_owned()))
}

fn first_row(messages: &[SimpleQueryMessage]) -> Option<&SimpleQueryRow> {
    messages.iter().find_map(|message| match message {
        SimpleQueryMessage::Row(row) => Some(row),
        _ => None,
    })
}

fn first_cell(messages: &[SimpleQueryMessage]) -> Option<&str> {
    first_row(messages)?.get(0)
}

fn pooled() -> StoreError {
    StoreError::Unreachable(
        "the session of this connection is gone: a transaction pooler stands before PostgreSQL, which cannot work; connect \
         to PostgreSQL itself, or set the pooler to session pooling"
            .to_owned(),
    )
}

/// The INSERT with the id as last value.
fn with_id(sql: &str) -> String {
    let given = sql.split('?').skip(1).filter_map(|rest| {
        let end = rest.find(|letter: char| !letter.is_ascii_digit());
        rest[..end.unwrap_or(rest.len())].parse().ok()
    });
    let last: usize = given.max().unwrap_or(0) + 1;
    let into = sql.replacen(") VALUES (", ", id) VALUES (", 1);
    match into.strip_suffix(')') {
        Some(start) => format!("{start}, ?{last})"),
        None => into,
    }
}

/// The id in a row of one column.
fn id(row: Option<&Row>) -> Result<i64, StoreError> {
    row.ok_or_else(|| StoreError::Broken("the row got no id".to_owned()))?
        .int(0)
}
