//! The `Database` trait on a SQLite connection. The parent module holds the connection.

use super::{Sqlite, failure, lost, run, set_pragma};
use crate::store::dialect::Dialect;
use crate::store::sql::{Access, CachedTable, Change, Database, Row, StoreError, Value};

impl Sqlite {
    fn commit_all(&mut self) -> Result<(), StoreError> {
        if self.savepoints.is_some() {
            let rows = self.cache.unwritten();
            self.write_kept(&rows)?;
        }
        self.inside(|connection| run(connection, "COMMIT"))
    }

    fn roll_back_to_savepoint(&mut self) -> Result<(), StoreError> {
        if self.lost.get() {
            return Err(self.is_lost());
        }
        let Some(savepoints) = &mut self.savepoints else {
            return self.inside(|connection| {
                run(connection, "ROLLBACK TO step")?;
                run(connection, "RELEASE step")
            });
        };
        let before = savepoints.pop().unwrap_or(false);
        if self.written.replace(before) {
            self.lost.set(true);
            return Err(StoreError::Conflict);
        }
        Ok(())
    }

    pub(super) fn is_lost(&self) -> StoreError {
        match self.savepoints {
            Some(_) => StoreError::Conflict,
            None => lost(),
        }
    }
}

impl Database for Sqlite {
    fn dialect(&self) -> Dialect {
        Dialect::Sqlite
    }

    fn begin(&mut self, access: Access) -> Result<(), StoreError> {
        if self.depth > 0 {
            if self.lost.get() {
                return Err(self.is_lost());
            }
            match &mut self.savepoints {
                // From here on `written` covers the time since this savepoint.
                Some(savepoints) => savepoints.push(self.written.replace(false)),
                None => self.inside(|connection| run(connection, "SAVEPOINT step"))?,
            }
            self.depth += 1;
            return Ok(());
        }
        self.written.set(false);
        match access {
            Access::Read => {
                run(&self.connection, "BEGIN DEFERRED").map_err(failure)?;
                if !self.reader {
                    set_pragma(&self.connection, "query_only", true)?;
                    self.reading = true;
                }
            }
            // Take the write lock now: a transaction that reads first could be refused its upgrade later.
            Access::Write | Access::Optimistic => {
                run(&self.connection, "BEGIN IMMEDIATE").map_err(failure)?;
            }
        }
        if access == Access::Optimistic {
            self.savepoints = Some(Vec::new());
            self.cache.forget();
        }
        self.depth = 1;
        Ok(())
    }

    fn commit(&mut self) -> Result<(), StoreError> {
        let committed = match (self.depth, &mut self.savepoints) {
            (0, _) => return Err(lost()),
            _ if self.lost.get() => Err(self.is_lost()),
            (1, _) => self.commit_all(),
            (_, Some(savepoints)) => {
                let before = savepoints.pop().unwrap_or(false);
                self.written.set(self.written.get() || before);
                Ok(())
            }
            (_, None) => self.inside(|connection| run(connection, "RELEASE step")),
        };
        match committed {
            Ok(()) => self.close(),
            Err(error) => {
                self.rollback()?;
                Err(error)
            }
        }
    }

    fn rollback(&mut self) -> Result<(), StoreError> {
        let undone = match self.depth {
            0 => return Ok(()),
            1 if self.connection.is_autocommit() => Ok(()),
            1 => run(&self.connection, "ROLLBACK").map_err(failure),
            _ => self.roll_back_to_savepoint(),
        };
        undone.and(self.close())
    }

    fn depth(&self) -> u32 {
        self.depth
    }

    fn query(&mut self, sql: &str, values: &[Value<'_>]) -> Result<Vec<Row>, StoreError> {
        values.iter().try_for_each(Value::check)?;
        if !self.caches() {
            return self.ask(sql, values);
        }
        let statement = self.cache.statement(sql);
        if !self.cache.is_query(statement) {
            self.write_before(sql)?;
            return self.ask(sql, values);
        }
        if let Some(rows) = self.cache.answer(statement, values) {
            return Ok(rows);
        }
        let rows = self.cache.unwritten_for(statement);
        self.write_kept(&rows)?;
        let rows = self.ask(sql, values)?;
        self.cache.answered(statement, values, &rows);
        Ok(rows)
    }

    fn execute(&mut self, sql: &str, values: &[Value<'_>]) -> Result<u64, StoreError> {
        values.iter().try_for_each(Value::check)?;
        self.write_before(sql)?;
        self.run(sql, values)
    }

    fn script(&mut self, sql: &str) -> Result<(), StoreError> {
        if self.caches() {
            let rows = self.cache.unwritten();
            self.write_kept(&rows)?;
            self.cache.changes_all();
        }
        self.written.set(true);
        self.inside(|connection| connection.execute_batch(sql))
    }

    fn insert(&mut self, sql: &'static str, values: &[Value<'_>]) -> Result<i64, StoreError> {
        self.execute(sql, values)?;
        Ok(self.connection.last_insert_rowid())
    }

    fn read_cached(
        &mut self,
        cached: &'static CachedTable,
        keys: &[&[Value<'_>]],
    ) -> Result<Vec<Option<Row>>, StoreError> {
        let caches = self.caches();
        let mut found = Vec::with_capacity(keys.len());
        for key in keys {
            let mut row = caches.then(|| self.cache.row(cached, key)).flatten();
            if row.is_none() {
                // Other unwritten rows cannot change this one: they stay in the cache.
                row = cached.pick(&self.ask(cached.read_one(), key)?, key);
                if let (true, Some(row)) = (caches, &row) {
                    self.cache.read_row(cached, key, row);
                }
            }
            found.push(row);
        }
        Ok(found)
    }

    fn write_cached(
        &mut self,
        cached: &'static CachedTable,
        key: &[Value<'_>],
        change: Change<'_>,
    ) -> Result<(), StoreError> {
        if !self.caches() {
            return self.write(cached.write, &cached.given(key, change));
        }
        self.written.set(true);
        match change {
            Change::Set(values) => {
                values.iter().try_for_each(Value::check)?;
                self.cache.write_cached(cached, key, values);
                Ok(())
            }
            Change::Add(by) => self.cache.add(cached, key, by),
        }
    }
}
