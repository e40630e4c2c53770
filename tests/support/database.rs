//! An empty database of each engine.

use settlekit_service::store::postgres::Postgres;
use settlekit_service::store::sqlite::Sqlite;
use settlekit_service::{Database, Row};

/// SQLite in memory.
pub fn sqlite() -> Box<dyn Database> {
    Box::new(Sqlite::in_memory().expect("a database in memory"))
}

/// A new PostgreSQL database.
pub fn postgres() -> Box<dyn Database> {
    Box::new(Postgres::open(&crate::postgres::database()).expect("a connection"))
}

/// Runs a test on each engine, with its name. The PostgreSQL database has the schema already, as migrating it takes longer than most
/// tests.
pub fn each(test: impl Fn(&str, Box<dyn Database>)) {
    // The test harness shows the name when the test fails.
    println!("on SQLite");
    test("SQLite", sqlite());
    println!("on PostgreSQL");
    test("PostgreSQL", Box::new(crate::postgres::migrated()));
}

/// The rows of a query, each as its cells joined by spaces; text and integers only.
pub fn rows(database: &mut dyn Database, sql: &str) -> Vec<String> {
    let rows = database.query(sql, &[]).expect(sql);
    let cell = |row: &Row, column: usize| match row.text(column) {
        Ok(text) => Some(text.to_owned()),
        Err(_) => row.int(column).ok().map(|number| number.to_string()),
    };
    let cells =
        |row: &Row| -> Vec<String> { (0..).map_while(|column| cell(row, column)).collect() };
    rows.iter().map(|row| cells(row).join(" ")).collect()
}
