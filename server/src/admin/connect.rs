//! The database connection of a command.

use settlekit_service::store::sql::{Database, StoreError};
use settlekit_service::store::sqlite::Sqlite;

use crate::engine::Address;
use crate::{private_file, tls};

pub(super) fn connect(address: &Address) -> Result<Box<dyn Database>, StoreError> {
    Ok(match address {
        Address::Sqlite(path) => {
            private_file::create_database(path);
            Box::new(Sqlite::open(path)?)
        }
        Address::Postgres(address) => Box::new(tls::open(address)?),
    })
}
