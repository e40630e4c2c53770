//! An empty database of each kind.

use settlekit_service::Database;
use settlekit_service::store::postgres::Postgres;
use settlekit_service::store::sqlite::Sqlite;

/// SQLite in memory.
pub fn sqlite() -> Box<dyn Database> {
    Box::new(Sqlite::in_memory().expect("a database in memory"))
}

/// A PostgreSQL database of its own.
pub fn postgres() -> Box<dyn Database> {
    Box::new(Postgres::open(&crate::postgres::database()).expect("a connection"))
}

/// Runs a test on each kind, and says which.
pub fn each(test: impl Fn(&str, Box<dyn Database>)) {
    test("SQLite", sqlite());
    test("PostgreSQL", postgres());
}
