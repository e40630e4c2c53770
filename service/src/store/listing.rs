//! The tables of records, each listed by owner: how a row is found, locked, read and numbered.

use serde::de::DeserializeOwned;
use settlekit_core::customer::Customer;
use settlekit_core::invoice::Invoice;
use settlekit_core::paylink::Paylink;
use settlekit_core::payment::Payment;
use settlekit_core::plan::Plan;
use settlekit_core::quote::Quote;
use settlekit_core::subscription::Subscription;
use settlekit_core::value::{OrganisationId, Timestamp};
use std::marker::PhantomData;

use super::columns::get;
use super::sql::{Database, Row, StoreError, Value};
use super::{one, read_record, sequence};

/// A table of records listed by owner, as the macro `listing` declares it.
pub(crate) struct Listing<T, Id, Owner = OrganisationId> {
    /// The table with the `seq` column.
    pub(crate) table: &'static str,
    /// The owner's column.
    pub(crate) owner: &'static str,
    /// The name of the owner's sequence.
    pub(crate) kind: &'static str,
    /// The SELECT, table alias `l`, with joins if needed: `SELECT … FROM table l …`.
    pub(crate) select: &'static str,
    /// The SELECT by owner and id.
    pub(crate) find: &'static str,
    /// As `find`, with a row lock.
    pub(crate) lock: &'static str,
    /// Reads a record and the time of its last change.
    pub(crate) read: ReadRow<T>,
    /// The id types of a record and its owner.
    pub(crate) ids: PhantomData<fn(Owner, Id)>,
}

/// A [`Listing`] of a table: of its records, or of columns with the function that reads them. By default its owner is the
/// organisation, and its sequence has the name of the table.
macro_rules! listing {
    ($table:literal) => {
        $crate::store::listing::listing!(
            $table,
            "l.record, l.updated_at",
            $crate::store::listing::record
        )
    };
    ($table:literal, $columns:expr, $read:expr) => {
        $crate::store::listing::listing!($table by "org_id" in $table, $columns, "", $read)
    };
    ($table:literal by $owner:literal in $kind:literal, $columns:expr, $joins:literal, $read:expr) => {
        $crate::store::listing::Listing {
            table: $table,
            owner: $owner,
            kind: $kind,
            select: concat!("SELECT ", $columns, " FROM ", $table, " l", $joins),
            find: concat!(
                "SELECT ", $columns, " FROM ", $table, " l", $joins, " WHERE l.", $owner, " = ?1 AND l.id = ?2"
            ),
            lock: concat!(
                "SELECT ", $columns, " FROM ", $table, " l", $joins, " WHERE l.", $owner, " = ?1 AND l.id = ?2 FOR UPDATE"
            ),
            read: $read,
            ids: std::marker::PhantomData,
        }
    };
}
pub(super) use listing;

/// Reads a record and the time of its last change.
pub(super) type ReadRow<T> = fn(&Row) -> Result<(T, Timestamp), StoreError>;

/// Reads a record from column 0 and the time of its last change from column 1.
pub(super) fn record<T: DeserializeOwned>(row: &Row) -> Result<(T, Timestamp), StoreError> {
    Ok((read_record(row.text(0)?)?, get(row, 1)?))
}

/// A record that has the time of its creation and of its last change.
pub(crate) trait Timed {
    /// Both times.
    fn times(&mut self) -> [&mut Timestamp; 2];
}

macro_rules! timed {
    ($($record:ty),* $(,)?) => {
        $(impl Timed for $record {
            fn times(&mut self) -> [&mut Timestamp; 2] {
                [&mut self.created_at, &mut self.updated_at]
            }
        })*
    };
}

timed!(
    Customer,
    Invoice,
    Paylink,
    Payment,
    Plan,
    Quote,
    Subscription,
);

impl<T, Id, Owner> Listing<T, Id, Owner>
where
    Id: for<'a> Into<Value<'a>>,
    Owner: for<'a> Into<Value<'a>>,
{
    /// A row of the owner by id.
    pub(crate) fn find(
        &self,
        database: &mut dyn Database,
        owner: Owner,
        id: Id,
    ) -> Result<Option<T>, StoreError> {
        self.first(database.query(self.find, &[owner.into(), id.into()])?)
    }

    /// As [`Listing::find`], locked until the transaction ends. Not for a list that joins.
    pub(crate) fn lock(
        &self,
        database: &mut dyn Database,
        owner: Owner,
        id: Id,
    ) -> Result<Option<T>, StoreError> {
        self.first(database.query(self.lock, &[owner.into(), id.into()])?)
    }

    /// The first of rows of the listing's columns.
    pub(super) fn first(&self, rows: Vec<Row>) -> Result<Option<T>, StoreError> {
        Ok(one(rows, self.read)?.map(|(item, _)| item))
    }

    /// The `seq` and the time of a new row: `now`, or that of the owner's latest row if later.
    pub(super) fn next(
        &self,
        database: &mut dyn Database,
        owner: Owner,
        now: Timestamp,
    ) -> Result<(i64, Timestamp), StoreError> {
        sequence::next(database, owner.into(), self.kind, now)
    }

    /// As [`Listing::next`], for a record created now: sets its times too.
    pub(super) fn number(
        &self,
        database: &mut dyn Database,
        owner: Owner,
        mut record: T,
    ) -> Result<(i64, T), StoreError>
    where
        T: Timed,
    {
        let [created_at, updated_at] = record.times();
        let (seq, at) = self.next(database, owner, *created_at)?;
        (*created_at, *updated_at) = (at, at);
        Ok((seq, record))
    }
}
