//! The `Database` trait on a PostgreSQL connection. The parent module holds the connection.

use postgres::types::ToSql;

use super::carry_over::CarryOver;
use super::{Postgres, connect, id, is_writable};
use crate::store::dialect::Dialect;
use crate::store::sql::{
    Access, Added, CachedTable, Cell, Change, Database, Row, StoreError, Value,
};

impl Postgres {
    fn begin_optimistic(&mut self, begin: &str) -> Result<(), StoreError> {
        self.make_room()?;
        let snapshot = self.begin_with(begin, "pg_current_snapshot()")?;
        if !self.carried.begin(snapshot.as_deref()) || self.cache.is_full() {
            self.cache.forget();
        }
        self.savepoints = Some(Vec::new());
        Ok(())
    }

    fn commit_all(&mut self) -> Result<(), StoreError> {
        match (self.failed, self.savepoints.is_some()) {
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
        }
    }

    fn roll_back_all(&mut self) -> Result<(), StoreError> {
        self.skipped_checks.roll_back();
        self.bulk_insert.clear();
        self.forget();
        self.failed = false;
        if self.is_lost() {
            // The server rolls back when the connection is lost.
            return Ok(());
        }
        // Outside a transaction PostgreSQL warns only.
        self.plain("ROLLBACK")
    }

    fn roll_back_to_savepoint(&mut self) -> Result<(), StoreError> {
        let depth = self.depth;
        if let Some(savepoints) = &mut self.savepoints {
            self.failed |= savepoints.pop() != Some(self.cache.clock());
            return match self.failed {
                true => Err(StoreError::Conflict),
                false => Ok(()),
            };
        }
        let text = format!("ROLLBACK TO SAVEPOINT at_{depth}; RELEASE SAVEPOINT at_{depth}");
        self.plain(&text)?;
        self.failed = false;
        Ok(())
    }

    /// Reserves ids if none is left, and returns the next.
    fn next_id(&mut self, table: &'static str) -> Result<i64, StoreError> {
        let count = match self.carried.number(table) {
            Ok(number) => return Ok(number),
            Err(count) => count,
        };
        let next = format!(
            "SELECT nextval(sequence.name) FROM (SELECT pg_get_serial_sequence('{table}', 'id')::regclass AS name OFFSET 0) sequence, \
             generate_series(1, {count})"
        );
        let rows = self.query(&next, &[])?;
        let numbers = rows.iter().map(|row| row.int(0));
        let numbers: Vec<i64> = numbers.collect::<Result<_, _>>()?;
        self.carried.numbers(table, numbers.into_iter());
        let first = self.carried.number(table);
        first.map_err(|_| StoreError::Broken("no number was given".to_owned()))
    }
}

impl Database for Postgres {
    fn dialect(&self) -> Dialect {
        Dialect::Postgres
    }

    fn begin(&mut self, access: Access) -> Result<(), StoreError> {
        if self.depth > 0 {
            let depth = self.depth + 1;
            match &mut self.savepoints {
                Some(_) if self.failed => return Err(StoreError::Conflict),
                Some(savepoints) => savepoints.push(self.cache.clock()),
                None => self.plain(&format!("SAVEPOINT at_{depth}"))?,
            }
            self.depth = depth;
            return Ok(());
        }
        self.skipped_checks.begin();
        self.bulk_insert.clear();
        if self.is_lost() {
            self.prepared.clear();
            self.bulk_insert.forget();
            (self.client, self.session) = connect(&self.connect, &self.config)?;
            self.roomy = false;
            self.lost = false;
            self.forget();
        }
        self.failed = false;
        let begin = match access {
            Access::Read => "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
            // The lock makes this the only writer, as in SQLite. The snapshot is taken after it: LOCK TABLE takes none. A writer
            // that bypasses the lock causes a conflict and is never overwritten.
            _ if self.find_writer_lock()? => {
                "BEGIN ISOLATION LEVEL REPEATABLE READ READ WRITE; LOCK TABLE writer_lock IN EXCLUSIVE MODE"
            }
            _ => "BEGIN ISOLATION LEVEL SERIALIZABLE READ WRITE",
        };
        self.depth = 1;
        let begun = match access {
            Access::Optimistic => self.begin_optimistic(begin),
            _ => self.begin_with(begin, "NULL").map(drop),
        };
        if begun.is_err() {
            self.rollback()?;
        }
        begun
    }

    fn commit(&mut self) -> Result<(), StoreError> {
        let depth = self.depth;
        let committed = match (depth, &mut self.savepoints) {
            (0, _) => return Err(StoreError::Broken("no transaction is open".to_owned())),
            (1, _) => self.commit_all(),
            (_, Some(_)) if self.failed => Err(StoreError::Conflict),
            (_, Some(savepoints)) => {
                savepoints.pop();
                Ok(())
            }
            (_, None) => self.plain(&format!("RELEASE SAVEPOINT at_{depth}")),
        };
        if let Err(error) = committed {
            self.rollback()?;
            return Err(error);
        }
        if depth == 1 && self.savepoints.take().is_some() {
            self.carried.commit();
        }
        self.depth -= 1;
        Ok(())
    }

    fn rollback(&mut self) -> Result<(), StoreError> {
        let undone = match self.depth {
            0 => return Ok(()),
            1 => {
                self.savepoints = None;
                self.roll_back_all()
            }
            _ => self.roll_back_to_savepoint(),
        };
        self.depth -= 1;
        undone
    }

    fn depth(&self) -> u32 {
        self.depth
    }

    fn query(&mut self, sql: &str, values: &[Value<'_>]) -> Result<Vec<Row>, StoreError> {
        values.iter().try_for_each(Value::check)?;
        if !self.queues() {
            return self.ask_past(sql, values);
        }
        let statement = self.cache.statement(sql);
        if !self.cache.is_steady(statement) {
            self.write_before(sql)?;
            return self.ask(sql, values);
        }
        if let Some(rows) = self.cache.answer(statement, values) {
            return Ok(rows);
        }
        self.write_before(sql)?;
        let rows = self.ask(sql, values)?;
        self.cache.answered(statement, values, &rows);
        Ok(rows)
    }

    fn execute(&mut self, sql: &str, values: &[Value<'_>]) -> Result<u64, StoreError> {
        values.iter().try_for_each(Value::check)?;
        self.write_before(sql)?;
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

    fn script(&mut self, sql: &str) -> Result<(), StoreError> {
        if self.queues() {
            let rows = self.cache.unwritten();
            self.write_kept(&rows)?;
            self.flush()?;
            self.cache.changes_all();
            self.carried.forget();
        }
        self.plain(sql)
    }

    fn write(&mut self, sql: &str, values: &[Value<'_>]) -> Result<(), StoreError> {
        // After a failure the server refuses every statement: run it now, so that the error shows at once.
        if !self.queues() || !values.iter().all(is_writable) {
            return self.execute(sql, values).map(drop);
        }
        values.iter().try_for_each(Value::check)?;
        self.write_before(sql)?;
        self.put_together(sql, values.iter().map(Cell::of).collect(), false)?;
        if self.bulk_insert.is_long() {
            self.flush()?;
        }
        Ok(())
    }

    fn insert(&mut self, sql: &'static str, values: &[Value<'_>]) -> Result<i64, StoreError> {
        let table = match CarryOver::numbered(sql) {
            Some(table) if self.queues() => table,
            _ => return id(self.query(&format!("{sql} RETURNING id"), values)?.first()),
        };
        let number = self.next_id(table)?;
        self.skipped_checks.record_insert(sql, values);
        let whole = self.with_id(sql);
        self.write(&whole, &[values, &[number.into()]].concat())?;
        Ok(number)
    }

    fn read_cached(
        &mut self,
        cached: &'static CachedTable,
        keys: &[&[Value<'_>]],
    ) -> Result<Vec<Option<Row>>, StoreError> {
        let mut found = vec![None; keys.len()];
        if self.queues() {
            let cached = keys.iter().map(|key| self.cache.row(cached, key));
            found = cached.collect();
        }
        let missing: Vec<&[Value<'_>]> = keys
            .iter()
            .zip(&found)
            .filter_map(|(key, row)| row.is_none().then_some(*key))
            .collect();
        if missing.is_empty() {
            return Ok(found);
        }
        // Other unwritten rows cannot change these: they stay queued.
        let rows = self.ask(&cached.read(missing.len()), &missing.concat())?;
        let unread = keys.iter().zip(&mut found);
        for (key, row) in unread.filter(|(_, row)| row.is_none()) {
            *row = cached.pick(&rows, key);
            if let (true, Some(row)) = (self.savepoints.is_some(), &row) {
                self.cache.read_row(cached, key, row);
            }
        }
        Ok(found)
    }

    fn write_cached(
        &mut self,
        cached: &'static CachedTable,
        key: &[Value<'_>],
        change: Change<'_>,
    ) -> Result<(), StoreError> {
        let given = cached.given(key, change);
        if !self.queues() || !given.iter().all(is_writable) {
            return self.write(cached.write, &given);
        }
        given.iter().try_for_each(Value::check)?;
        match change {
            Change::Set(values) => {
                self.cache.write_cached(cached, key, values);
                Ok(())
            }
            Change::Add(by) => self.cache.add(cached, key, by),
        }
    }

    fn look_up(
        &mut self,
        added: &'static Added,
        read: &str,
        unique: &[Value<'_>],
    ) -> Result<Option<Row>, StoreError> {
        if self.queues() {
            unique.iter().try_for_each(Value::check)?;
            self.write_before(read)?;
            let (whole, (_, names)) = (self.with_id(added.insert), self.tables(read));
            let queue = &self.bulk_insert;
            if !queue.is_asked_for(names, &whole, added.unique, unique) {
                if self.skipped_checks.skip(added, unique) {
                    return Ok(None);
                }
                let row = self.ask_past(read, unique)?.into_iter().next();
                self.skipped_checks.record_lookup(added, row.is_some());
                return Ok(row);
            }
        }
        let row = self.query(read, unique)?.into_iter().next();
        self.skipped_checks.record_lookup(added, row.is_some());
        Ok(row)
    }

    fn change(&mut self, added: &'static Added, values: &[Value<'_>]) -> Result<(), StoreError> {
        if let (true, [_, id, given @ ..]) =
            (self.queues() && values.iter().all(is_writable), values)
        {
            values.iter().try_for_each(Value::check)?;
            let whole = self.with_id(added.insert);
            let places = added.changed.iter().copied();
            let changes = places.zip(given.iter().map(Cell::of));
            if self.bulk_insert.change(&whole, id, changes) {
                let statement = self.cache.statement(added.change);
                self.cache.changes(statement);
                return Ok(());
            }
        }
        self.write(added.change, values)
    }
}
