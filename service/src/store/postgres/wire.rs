//! The wire format of PostgreSQL: values, cells, and its errors as [`StoreError`].

use std::error::Error;

use bytes::BytesMut;
use postgres::error::SqlState;
use postgres::types::{FromSql, IsNull, ToSql, Type, to_sql_checked};

use super::numeric;
use crate::store::sql::{Cell, StoreError, Value};

impl ToSql for Value<'_> {
    fn to_sql(
        &self,
        wanted: &Type,
        out: &mut BytesMut,
    ) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
        match (self, wanted) {
            (Value::Null, _) => return Ok(IsNull::Yes),
            (Value::Int(value), &Type::INT8) => out.extend_from_slice(&value.to_be_bytes()),
            (Value::Int(value), &Type::INT4) => {
                out.extend_from_slice(&i32::try_from(*value)?.to_be_bytes())
            }
            (Value::Int(value), &Type::INT2) => {
                out.extend_from_slice(&i16::try_from(*value)?.to_be_bytes())
            }
            (Value::Int(value), &Type::NUMERIC) => numeric::write(i128::from(*value), out),
            (Value::Amount(value), &Type::NUMERIC) => numeric::write(*value, out),
            (
                Value::Text(value),
                &Type::TEXT | &Type::VARCHAR | &Type::BPCHAR | &Type::NAME | &Type::UNKNOWN,
            ) => {
                out.extend_from_slice(value.as_bytes());
            }
            (Value::Id(id), &Type::TEXT | &Type::VARCHAR | &Type::BPCHAR | &Type::UNKNOWN) => {
                out.extend_from_slice(id.as_str().as_bytes());
            }
            (Value::Blob(value), &Type::BYTEA) => out.extend_from_slice(value),
            (given, wanted) => {
                return Err(format!("{} where the statement wants {wanted}", given.kind()).into());
            }
        }
        Ok(IsNull::No)
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

impl FromSql<'_> for Cell {
    fn from_sql(found: &Type, raw: &[u8]) -> Result<Self, Box<dyn Error + Sync + Send>> {
        Ok(match *found {
            Type::INT8 => Self::Int(i64::from_be_bytes(raw.try_into()?)),
            Type::INT4 => Self::Int(i64::from(i32::from_be_bytes(raw.try_into()?))),
            Type::INT2 => Self::Int(i64::from(i16::from_be_bytes(raw.try_into()?))),
            Type::BOOL => Self::Int(i64::from(raw.first() == Some(&1))),
            Type::NUMERIC => Self::Amount(numeric::read(raw)?),
            Type::TEXT | Type::VARCHAR | Type::BPCHAR | Type::NAME | Type::UNKNOWN => {
                Self::Text(std::str::from_utf8(raw)?.to_owned())
            }
            Type::BYTEA => Self::Blob(raw.to_vec()),
            Type::VOID => Self::Null,
            _ => return Err(format!("a column of type {found}").into()),
        })
    }

    fn from_sql_null(_: &Type) -> Result<Self, Box<dyn Error + Sync + Send>> {
        Ok(Self::Null)
    }

    fn accepts(_: &Type) -> bool {
        true
    }
}

/// Parses a cell from its text format.
pub(super) fn read_text(found: &Type, text: &str) -> Result<Cell, StoreError> {
    let malformed = || StoreError::Broken(format!("a column of type {found} that reads otherwise"));
    Ok(match *found {
        Type::INT8 | Type::INT4 | Type::INT2 => Cell::Int(text.parse().map_err(|_| malformed())?),
        Type::BOOL => Cell::Int(i64::from(text == "t")),
        Type::NUMERIC => Cell::Amount(text.parse().map_err(|_| malformed())?),
        Type::TEXT | Type::VARCHAR | Type::BPCHAR | Type::NAME | Type::UNKNOWN => {
            Cell::Text(text.to_owned())
        }
        Type::BYTEA => {
            let digits = text.strip_prefix("\\x").ok_or_else(malformed)?;
            Cell::Blob(hex::decode(digits).map_err(|_| malformed())?)
        }
        Type::VOID => Cell::Null,
        _ => return Err(StoreError::Broken(format!("a column of type {found}"))),
    })
}

/// Maps an error of the driver to the store's.
pub(super) fn failure(error: &postgres::Error) -> StoreError {
    let Some(code) = error.code() else {
        // Not an error of the server: the connection broke, or a value did not fit its parameter.
        let lost = error.is_closed()
            || caused_by_io(error)
            || ["error connecting", "error performing TLS"]
                .iter()
                .any(|start| error.to_string().starts_with(start));
        return if lost {
            StoreError::Unreachable(error_text(error))
        } else {
            StoreError::Broken(error_text(error))
        };
    };
    match *code {
        SqlState::T_R_SERIALIZATION_FAILURE | SqlState::T_R_DEADLOCK_DETECTED => {
            StoreError::Conflict
        }
        SqlState::LOCK_NOT_AVAILABLE
        | SqlState::QUERY_CANCELED
        | SqlState::TOO_MANY_CONNECTIONS => StoreError::Busy,
        SqlState::READ_ONLY_SQL_TRANSACTION | SqlState::INSUFFICIENT_PRIVILEGE => {
            StoreError::ReadOnly
        }
        SqlState::DISK_FULL => StoreError::Full,
        SqlState::DATA_CORRUPTED | SqlState::INDEX_CORRUPTED => {
            StoreError::Damaged(error_text(error))
        }
        SqlState::INVALID_PASSWORD
        | SqlState::INVALID_AUTHORIZATION_SPECIFICATION
        | SqlState::INVALID_CATALOG_NAME => StoreError::Unreachable(error_text(error)),
        _ => match code.code().get(..2) {
            Some("23") => StoreError::Constraint(
                error
                    .as_db_error()
                    .and_then(|error| error.constraint())
                    .map_or_else(|| error_text(error), str::to_owned),
            ),
            // Class 57: shutdown, start-up or termination. Class 08: the connection failed.
            Some("57" | "08") => StoreError::Unreachable(error_text(error)),
            _ => StoreError::Broken(error_text(error)),
        },
    }
}

fn caused_by_io(error: &postgres::Error) -> bool {
    error
        .source()
        .is_some_and(|source| source.is::<std::io::Error>())
}

/// The message with its cause, without DETAIL, which repeats values.
pub(super) fn error_text(error: &postgres::Error) -> String {
    match error.as_db_error() {
        Some(error) => error.message().to_owned(),
        None => match error.source() {
            Some(source) if !error.to_string().contains(&source.to_string()) => {
                format!("{error}: {source}")
            }
            _ => error.to_string(),
        },
    }
}
