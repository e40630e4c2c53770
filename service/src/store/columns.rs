//! Rows as the types of the program: ids, timestamps and words are read from their columns here alone.

use std::str::FromStr;

use alloy_primitives::{Address, B256, Bytes, U256};
use settlekit_core::account::{Direction, MovementFailure, MovementStatus, MovementType};
use settlekit_core::event::{DeliveryStatus, EventAction, EventType};
use settlekit_core::member::Role;
use settlekit_core::note::NotedRecord;
use settlekit_core::payment::{PaymentStatus, TransactionStatus};
use settlekit_core::value::{
    AccountId, AccountReference, Amount, ApiKeyId, ChainId, Currency, EventId, MovementId, NoteId,
    OrderId, OrganisationId, PaymentId, QuoteId, SavedViewId, SubscriptionId, Timestamp, UserId,
};

use super::sql::{Row, StoreError};
use super::transfer_index::TransferIndex;

/// A type that a column holds.
pub(super) trait Column: Sized {
    /// Reads a column; `None` for NULL.
    fn maybe(row: &Row, column: usize) -> Result<Option<Self>, StoreError>;
}

/// Reads a column; NULL only as an `Option`.
pub(super) fn get<T: Column>(row: &Row, column: usize) -> Result<T, StoreError> {
    T::maybe(row, column)?.ok_or_else(|| StoreError::Broken(format!("column {column} is NULL")))
}

/// A type that several columns hold. [`columns`] implements it.
pub(super) trait Columns: Sized {
    /// Reads the columns that begin with `first`.
    fn read(row: &Row, first: usize) -> Result<Self, StoreError>;
}

/// Implements [`Columns`] for a type whose fields are in the order of the columns.
macro_rules! columns {
    ($type:ident { $($field:ident),* $(,)? }) => {
        impl $crate::store::columns::Columns for $type {
            fn read(
                row: &$crate::store::sql::Row,
                first: usize,
            ) -> Result<Self, $crate::store::sql::StoreError> {
                let mut columns = first..;
                let mut next = || columns.next().unwrap_or(usize::MAX);
                Ok(Self { $($field: $crate::store::columns::get(row, next())?),* })
            }
        }
    };
}
pub(super) use columns;

/// Implements `as_str` and [`Column`] for an enum that is stored as text.
#[cfg(not(target_family = "wasm"))]
macro_rules! stored_enum {
    ($type:ident { $($name:ident $word:literal),* $(,)? }) => {
        impl $type {
            /// As stored and shown.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $word),* }
            }
        }

        impl $crate::store::columns::Column for $type {
            fn maybe(
                row: &$crate::store::sql::Row,
                column: usize,
            ) -> Result<Option<Self>, $crate::store::sql::StoreError> {
                let stored = row.maybe_text(column)?;
                let read = |text| match text {
                    $($word => Ok(Self::$name),)*
                    _ => Err($crate::store::sql::StoreError::Damaged(format!(
                        "{text:?} is not what its column holds"
                    ))),
                };
                stored.map(read).transpose()
            }
        }
    };
}
#[cfg(not(target_family = "wasm"))]
pub(super) use stored_enum;

impl<A: Column, B: Column> Columns for (A, B) {
    fn read(row: &Row, first: usize) -> Result<Self, StoreError> {
        Ok((get(row, first)?, get(row, first + 1)?))
    }
}

/// Reads all rows.
pub(super) fn all<T: Columns>(rows: &[Row]) -> Result<Vec<T>, StoreError> {
    rows.iter().map(|row| T::read(row, 0)).collect()
}

/// Reads the only column of the first row, if any.
pub(super) fn value<T: Column>(rows: &[Row]) -> Result<Option<T>, StoreError> {
    rows.first().map(|row| get(row, 0)).transpose()
}

/// Reads the first row, if any.
pub(super) fn first<T: Columns>(rows: &[Row]) -> Result<Option<T>, StoreError> {
    rows.first().map(|row| T::read(row, 0)).transpose()
}

impl<T: Column> Column for Option<T> {
    fn maybe(row: &Row, column: usize) -> Result<Option<Self>, StoreError> {
        T::maybe(row, column).map(Some)
    }
}

macro_rules! read_as {
    ($($type:ty: $cell:ident $value:ident => $read:expr;)*) => {
        $(impl Column for $type {
            fn maybe(row: &Row, column: usize) -> Result<Option<Self>, StoreError> {
                row.$cell(column)?.map(|$value| $read).transpose()
            }
        })*
    };
}

read_as! {
    i64: maybe_int value => Ok(value);
    i128: maybe_amount value => Ok(value);
    bool: maybe_int value => Ok(value != 0);
    u16: maybe_int value => checked(value, u16::try_from(value).ok());
    u32: maybe_int value => checked(value, u32::try_from(value).ok());
    u64: maybe_int value => checked(value, u64::try_from(value).ok());
    String: maybe_text text => Ok(text.to_owned());
    Vec<u8>: maybe_blob bytes => Ok(bytes.to_vec());
    [u8; 32]: maybe_blob bytes => checked(bytes.len(), bytes.try_into().ok());
    Timestamp: maybe_int value => Ok(Self::from_micros(value));
    AccountId: maybe_int value => checked(value, Self::new(value));
    ChainId: maybe_int value => checked(value, Self::new(value));
    MovementId: maybe_int value => checked(value, Self::new(value));
}

macro_rules! parsed {
    ($($type:ty),* $(,)?) => {
        read_as! { $($type: maybe_text text => parse(text);)* }
    };
}

parsed!(
    AccountReference,
    Address,
    Amount,
    ApiKeyId,
    B256,
    Bytes,
    Currency,
    EventId,
    NoteId,
    OrderId,
    OrganisationId,
    PaymentId,
    QuoteId,
    SavedViewId,
    SubscriptionId,
    TransferIndex,
    U256,
    UserId,
);

macro_rules! words {
    ($($type:ty),* $(,)?) => {
        read_as! { $($type: maybe_text text => Ok(text.into());)* }
    };
}

words!(
    DeliveryStatus,
    Direction,
    EventAction,
    EventType,
    MovementFailure,
    MovementStatus,
    MovementType,
    NotedRecord,
    PaymentStatus,
    Role,
    TransactionStatus,
);

/// Parses an id or another value stored as text.
pub(super) fn parse<T: FromStr>(text: &str) -> Result<T, StoreError> {
    checked(format_args!("{text:?}"), text.parse().ok())
}

/// Refuses a value that its column must not hold.
fn checked<T>(value: impl std::fmt::Display, valid: Option<T>) -> Result<T, StoreError> {
    valid.ok_or_else(|| StoreError::Damaged(format!("{value} is not what its column holds")))
}
