//! An empty database of each kind.

use settlekit_service::store::postgres::Postgres;
use settlekit_service::store::sqlite::Sqlite;
use settlekit_service::{Database, Row};

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

/// The rows that a statement gives, each as its cells with a space between: texts, and whole numbers.
pub fn told(database: &mut dyn Database, sql: &str) -> Vec<String> {
    let rows = database.query(sql, &[]).expect(sql);
    let cell = |row: &Row, column: usize| match row.text(column) {
        Ok(text) => Some(text.to_owned()),
        Err(_) => row.int(column).ok().map(|number| number.to_string()),
    };
    let cells =
        |row: &Row| -> Vec<String> { (0..).map_while(|column| cell(row, column)).collect() };
    rows.iter().map(|row| cells(row).join(" ")).collect()
}
