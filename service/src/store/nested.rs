//! Nested transactions: work that begins and commits its own transaction becomes part of a larger one.
//!
//! The host uses it to commit several requests at once, and the demo to create its year atomically.

use super::dialect::Dialect;
use super::sql::{Access, Added, Database, Kept, Row, StoreError, Value};

/// A connection in an open transaction; a transaction begun on it becomes a savepoint.
pub struct Nested<'a> {
    outer: &'a mut dyn Database,
    open: bool,
}

impl std::fmt::Debug for Nested<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Nested")
            .field("open", &self.open)
            .finish_non_exhaustive()
    }
}

impl<'a> Nested<'a> {
    /// Nests in the open transaction of this connection.
    pub fn new(outer: &'a mut dyn Database) -> Self {
        Self { outer, open: false }
    }
}

impl Database for Nested<'_> {
    fn execute(&mut self, sql: &str, values: &[Value<'_>]) -> Result<u64, StoreError> {
        self.outer.execute(sql, values)
    }

    fn write(&mut self, sql: &str, values: &[Value<'_>]) -> Result<(), StoreError> {
        self.outer.write(sql, values)
    }

    fn query(&mut self, sql: &str, values: &[Value<'_>]) -> Result<Vec<Row>, StoreError> {
        self.outer.query(sql, values)
    }

    fn insert(&mut self, sql: &'static str, values: &[Value<'_>]) -> Result<i64, StoreError> {
        self.outer.insert(sql, values)
    }

    fn recall(
        &mut self,
        kept: &'static Kept,
        read: &str,
        key: &[Value<'_>],
    ) -> Result<Option<Row>, StoreError> {
        self.outer.recall(kept, read, key)
    }

    fn known(&mut self, kept: &'static Kept, key: &[Value<'_>]) -> Option<Row> {
        self.outer.known(kept, key)
    }

    fn learn(&mut self, kept: &'static Kept, key: &[Value<'_>], values: &[Value<'_>]) {
        self.outer.learn(kept, key, values);
    }

    fn keep(
        &mut self,
        kept: &'static Kept,
        key: &[Value<'_>],
        values: &[Value<'_>],
    ) -> Result<(), StoreError> {
        self.outer.keep(kept, key, values)
    }

    fn add(&mut self, kept: &'static Kept, key: &[Value<'_>], by: i64) -> Result<(), StoreError> {
        self.outer.add(kept, key, by)
    }

    fn look_up(
        &mut self,
        added: &'static Added,
        read: &str,
        unique: &[Value<'_>],
    ) -> Result<Option<Row>, StoreError> {
        self.outer.look_up(added, read, unique)
    }

    fn change(&mut self, added: &'static Added, values: &[Value<'_>]) -> Result<(), StoreError> {
        self.outer.change(added, values)
    }

    fn script(&mut self, sql: &str) -> Result<(), StoreError> {
        self.outer.script(sql)
    }

    fn dialect(&self) -> Dialect {
        self.outer.dialect()
    }

    fn begin(&mut self, _: Access) -> Result<(), StoreError> {
        self.outer.savepoint()?;
        self.open = true;
        Ok(())
    }

    fn commit(&mut self) -> Result<(), StoreError> {
        let released = self.outer.release();
        if released.is_err() {
            self.rollback()?;
        }
        self.open = false;
        released
    }

    fn rollback(&mut self) -> Result<(), StoreError> {
        if std::mem::take(&mut self.open) {
            self.outer.rollback_to_savepoint()?;
        }
        Ok(())
    }

    fn savepoint(&mut self) -> Result<(), StoreError> {
        self.outer.savepoint()
    }

    fn release(&mut self) -> Result<(), StoreError> {
        self.outer.release()
    }

    fn rollback_to_savepoint(&mut self) -> Result<(), StoreError> {
        self.outer.rollback_to_savepoint()
    }

    fn savepoints(&self) -> u32 {
        self.outer.savepoints()
    }

    fn is_part(&self) -> bool {
        true
    }
}
