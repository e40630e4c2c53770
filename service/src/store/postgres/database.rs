//! The `Database` trait on a PostgreSQL connection. The parent module holds the connection.

use postgres::types::ToSql;

use super::write_cache::{self, WriteCache};
use super::{Postgres, connect, id, is_writable};
use crate::store::dialect::Dialect;
use crate::store::sql::{Access, Added, Cell, Database, Kept, Row, StoreError, Value};

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
        // After a failure the server refuses every statement: run it now, so that the error shows at once.
        if !self.open || self.failed || !values.iter().all(is_writable) {
            return self.execute(sql, values).map(drop);
        }
        values.iter().try_for_each(Value::check)?;
        self.write_before(sql)?;
        if self.bold.is_some() {
            self.put_together(sql, values.iter().map(Cell::of).collect(), false)?;
        } else {
            self.put(sql, values)?;
        }
        self.cache.ran(sql);
        if self.pipeline.is_long() || self.bulk_insert.is_long() {
            self.flush()?;
        }
        Ok(())
    }

    fn insert(&mut self, sql: &'static str, values: &[Value<'_>]) -> Result<i64, StoreError> {
        let table = match WriteCache::numbered(sql) {
            Some(table) if self.open && !self.failed => table,
            _ => return id(self.query(&format!("{sql} RETURNING id"), values)?.first()),
        };
        let number = match self.cache.number(table) {
            Ok(number) => number,
            Err(count) => {
                let next = format!(
                    "SELECT nextval(pg_get_serial_sequence('{table}', 'id')) FROM generate_series(1, {count})"
                );
                let rows = self.query(&next, &[])?;
                let numbers = rows.iter().map(|row| row.int(0));
                let numbers: Vec<i64> = numbers.collect::<Result<_, _>>()?;
                self.cache.numbers(table, numbers.into_iter());
                let first = self.cache.number(table);
                first.map_err(|_| StoreError::Broken("no number was given".to_owned()))?
            }
        };
        self.presumed.add(sql, values);
        let whole = self.with_id(sql);
        self.write(&whole, &[values, &[number.into()]].concat())?;
        Ok(number)
    }

    fn look_up(
        &mut self,
        added: &'static Added,
        read: &str,
        unique: &[Value<'_>],
    ) -> Result<Option<Row>, StoreError> {
        if self.is_bold() {
            unique.iter().try_for_each(Value::check)?;
            self.write_before(read)?;
            let (whole, (_, names)) = (self.with_id(added.insert), self.cache.tables(read));
            let waits = &self.bulk_insert;
            if !waits.is_asked_for(names, &whole, added.unique, unique) {
                if self.presumed.presume(added, unique) {
                    return Ok(None);
                }
                let row = self.ask_past(read, unique)?.into_iter().next();
                self.presumed.looked(added, row.is_some());
                return Ok(row);
            }
        }
        let row = self.query(read, unique)?.into_iter().next();
        self.presumed.looked(added, row.is_some());
        Ok(row)
    }

    fn change(&mut self, added: &'static Added, values: &[Value<'_>]) -> Result<(), StoreError> {
        if let (true, [_, id, given @ ..]) =
            (self.is_bold() && values.iter().all(is_writable), values)
        {
            values.iter().try_for_each(Value::check)?;
            let whole = self.with_id(added.insert);
            let places = added.changed.iter().copied();
            if self
                .bulk_insert
                .change(&whole, id, places.zip(given.iter().map(Cell::of)))
            {
                self.cache.ran(added.change);
                return Ok(());
            }
        }
        self.write(added.change, values)
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
        match self.cache.known(kept.table, key) {
            Some(row) => Ok(Some(row)),
            // Other unwritten rows cannot change this one: they stay queued.
            None => Ok(self.ask(read, key)?.into_iter().next()),
        }
    }

    fn known(&mut self, kept: &'static Kept, key: &[Value<'_>]) -> Option<Row> {
        match self.open && !self.failed {
            true => self.cache.known(kept.table, key),
            false => None,
        }
    }

    fn learn(&mut self, kept: &'static Kept, key: &[Value<'_>], values: &[Value<'_>]) {
        if self.open && !self.failed {
            self.cache.keep(kept.table, key, values, None);
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
        self.cache.keep(kept.table, key, values, Some(kept.write));
        Ok(())
    }

    fn add(&mut self, kept: &'static Kept, key: &[Value<'_>], by: i64) -> Result<(), StoreError> {
        if !self.open || self.failed || !key.iter().all(is_writable) {
            return self.write(kept.write, &[key, &[by.into()]].concat());
        }
        self.cache.add(kept.table, key, by, kept.write);
        Ok(())
    }

    fn query(&mut self, sql: &str, values: &[Value<'_>]) -> Result<Vec<Row>, StoreError> {
        values.iter().try_for_each(Value::check)?;
        if !self.open || self.failed {
            return self.ask(sql, values);
        }
        if !self.cache.is_steady(sql) {
            self.write_before(sql)?;
            self.ran(sql);
            return self.ask(sql, values);
        }
        let given = write_cache::text(values);
        if let Some(rows) = self.cache.answer(sql, &given) {
            return Ok(rows);
        }
        self.write_before(sql)?;
        let rows = self.ask(sql, values)?;
        self.cache.answered(sql, given, &rows);
        Ok(rows)
    }

    fn script(&mut self, sql: &str) -> Result<(), StoreError> {
        let rows = self.cache.unwritten();
        self.write_kept(&rows)?;
        self.flush()?;
        self.cache.forget();
        self.plain(sql)
    }

    fn dialect(&self) -> Dialect {
        Dialect::Postgres
    }

    fn begin(&mut self, access: Access) -> Result<(), StoreError> {
        self.presumed.begin();
        self.pipeline.clear();
        self.bulk_insert.clear();
        self.bold = None;
        self.open = false;
        if self.is_lost() {
            self.prepared.clear();
            self.pipeline.forget();
            self.bulk_insert.forget();
            (self.client, self.session) = connect(&self.connect, &self.config)?;
            self.roomy = false;
            self.lost = false;
            self.cache.forget();
        }
        self.failed = false;
        self.savepoints = 0;
        if access == Access::Read {
            let begun = self.begin_with("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", "NULL");
            return begun.map(drop);
        }
        self.make_room()?;
        self.open = true;
        let begun = match self.find_writer_lock()? {
            // The lock makes this the only writer, as in SQLite. The snapshot is taken after it: LOCK TABLE takes none. A writer
            // that bypasses the lock causes a conflict and is never overwritten.
            true => self.lock_writer(),
            false => {
                self.cache.begin(None);
                let begin = "BEGIN ISOLATION LEVEL SERIALIZABLE READ WRITE";
                self.begin_with(begin, "NULL").map(drop)
            }
        };
        if begun.is_err() {
            self.rollback()?;
        }
        begun
    }

    fn begin_without_savepoints(&mut self) -> Result<(), StoreError> {
        self.begin(Access::Write)?;
        self.bold = Some(Vec::new());
        Ok(())
    }

    fn commit(&mut self) -> Result<(), StoreError> {
        let committed = match (self.failed, self.bold.is_some()) {
            (true, true) => Err(StoreError::Conflict),
            (true, false) => Err(StoreError::Broken(
                "a statement of the transaction had failed".to_owned(),
            )),
            // The rerun, statement by statement, shows which one failed.
            (false, true) => self.send_all().map_err(|error| match error {
                StoreError::Unreachable(_) => error,
                _ => StoreError::Conflict,
            }),
            (false, false) => self.send_all(),
        };
        let open = std::mem::take(&mut self.open);
        match committed {
            Ok(()) if open => self.cache.commit(),
            Ok(()) => {}
            Err(_) => self.rollback()?,
        }
        self.savepoints = 0;
        committed
    }

    fn rollback(&mut self) -> Result<(), StoreError> {
        self.presumed.lose();
        self.pipeline.clear();
        self.bulk_insert.clear();
        self.bold = None;
        self.cache.forget();
        self.open = false;
        self.failed = false;
        self.savepoints = 0;
        if self.is_lost() {
            // The server rolls back when the connection is lost.
            return Ok(());
        }
        // Outside a transaction PostgreSQL warns only.
        self.plain("ROLLBACK")
    }

    fn savepoint(&mut self) -> Result<(), StoreError> {
        let depth = self.savepoints + 1;
        if let Some(marks) = &mut self.bold {
            if self.failed {
                return Err(StoreError::Conflict);
            }
            marks.push(self.cache.writes());
            self.savepoints = depth;
            return Ok(());
        }
        if self.open && !self.failed {
            self.pipeline.mark(depth);
        } else {
            self.plain(&format!("SAVEPOINT mark_{depth}"))?;
        }
        self.cache.mark();
        self.savepoints = depth;
        Ok(())
    }

    fn release(&mut self) -> Result<(), StoreError> {
        let depth = self.savepoints;
        if let Some(marks) = &mut self.bold {
            if self.failed {
                return Err(StoreError::Conflict);
            }
            marks.pop();
            self.savepoints = depth.saturating_sub(1);
            return Ok(());
        }
        if depth == 0 || self.failed || !self.pipeline.release(depth) {
            let text = self
                .pipeline
                .take(&format!("RELEASE SAVEPOINT mark_{depth}"));
            self.plain(&text)?;
        }
        self.cache.release();
        self.savepoints = depth.saturating_sub(1);
        Ok(())
    }

    fn rollback_to_savepoint(&mut self) -> Result<(), StoreError> {
        let depth = self.savepoints;
        if let Some(marks) = &mut self.bold {
            self.failed |= marks.pop() != Some(self.cache.writes());
            if self.failed {
                return Err(StoreError::Conflict);
            }
            self.savepoints = depth.saturating_sub(1);
            return Ok(());
        }
        // If the savepoint was sent, everything before it was sent too: the queue holds only later statements.
        let waits = !self.pipeline.is_empty();
        let sent = !self.pipeline.undo() || self.failed;
        self.cache.undo(sent);
        if sent && waits {
            // The xids of these writes were counted, but never used.
            self.cache.doubt();
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
