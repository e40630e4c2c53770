//! What is made up for of what servers of the version before wrote, and of rows from before a migration: such a server may go on
//! while a newer one has brought the database up to date, and knows nothing of what is kept besides since.

use super::sql::{Database, StoreError};
use super::{count, customer};

/// How many customers are taken in at a time.
const CUSTOMERS: u32 = 256;

/// Makes up for a little of it, if there is any.
pub(crate) fn make_up(database: &mut dyn Database) -> Result<(), StoreError> {
    // One question, since hardly ever there is anything.
    const ANY: &str = "SELECT EXISTS (SELECT 1 FROM counts WHERE settled IS DISTINCT FROM held), \
         EXISTS (SELECT 1 FROM customers WHERE taken_in IS DISTINCT FROM search)";
    let rows = database.query(ANY, &[])?;
    let Some(row) = rows.first() else {
        return Ok(());
    };
    if row.int(0)? != 0 {
        count::take_over(database)?;
    }
    if row.int(1)? != 0 {
        customer::take_in(database, CUSTOMERS)?;
    }
    Ok(())
}
