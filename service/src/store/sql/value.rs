//! Values bound to statements, and rows of their results.

use settlekit_core::value::{
    AccountId, ApiKeyId, AutomationId, ChainId, CustomerId, EventId, ExternalAccountId, IdText,
    InvoiceId, MovementId, NoteId, OrderId, OrganisationId, PaylinkId, PaymentId, PlanId, QuoteId,
    ReplayId, SavedViewId, SubscriptionId, Timestamp, UserId,
};

use super::StoreError;

/// The largest absolute amount a ledger column holds: 38 decimal digits.
pub const LARGEST_AMOUNT: i128 = 10i128.pow(38) - 1;

/// A value bound to `?1`, `?2` and so on. An id equals the text it is stored as.
#[derive(Clone, Copy, Debug)]
pub enum Value<'a> {
    /// NULL of any type.
    Null,
    /// BIGINT: counts, flags, microseconds UTC.
    Int(i64),
    /// TEXT: names, JSON.
    Text(&'a str),
    /// TEXT that is an id.
    Id(IdText),
    /// An amount in the smallest unit of its asset, at most [`LARGEST_AMOUNT`] in absolute value.
    Amount(i128),
    /// Bytes: digests, sealed secrets.
    Blob(&'a [u8]),
}

impl PartialEq for Value<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Null, Self::Null) => true,
            (Self::Int(one), Self::Int(other)) => one == other,
            (Self::Amount(one), Self::Amount(other)) => one == other,
            (Self::Blob(one), Self::Blob(other)) => one == other,
            _ => self
                .as_text()
                .is_some_and(|text| other.as_text() == Some(text)),
        }
    }
}

impl Eq for Value<'_> {}

macro_rules! from_values {
    ($($type:ty: $value:ident => $variant:ident $read:expr;)*) => {
        $(impl<'a> From<$type> for Value<'a> {
            fn from($value: $type) -> Self {
                Self::$variant($read)
            }
        })*
    };
}

from_values! {
    ApiKeyId: id => Id id.into();
    CustomerId: id => Id id.into();
    EventId: id => Id id.into();
    InvoiceId: id => Id id.into();
    NoteId: id => Id id.into();
    OrderId: id => Id id.into();
    OrganisationId: id => Id id.into();
    PaylinkId: id => Id id.into();
    PaymentId: id => Id id.into();
    PlanId: id => Id id.into();
    QuoteId: id => Id id.into();
    ReplayId: id => Id id.into();
    SavedViewId: id => Id id.into();
    SubscriptionId: id => Id id.into();
    UserId: id => Id id.into();
    AccountId: id => Int id.get();
    AutomationId: id => Int id.get();
    ChainId: id => Int id.get();
    ExternalAccountId: id => Int id.get();
    MovementId: id => Int id.get();
    Timestamp: at => Int at.micros();
    i64: value => Int value;
    i32: value => Int i64::from(value);
    u32: value => Int i64::from(value);
    u16: value => Int i64::from(value);
    bool: value => Int i64::from(value);
    i128: value => Amount value;
    &'a str: value => Text value;
    &'a String: value => Text value;
    &'a [u8]: value => Blob value;
    &'a Vec<u8>: value => Blob value;
}

impl<'a, const N: usize> From<&'a [u8; N]> for Value<'a> {
    fn from(value: &'a [u8; N]) -> Self {
        Self::Blob(value)
    }
}

impl<'a, T: Into<Value<'a>>> From<Option<T>> for Value<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

/// `Option<String>` and `Option<Vec<u8>>` are borrowed.
impl<'a, T> From<&'a Option<T>> for Value<'a>
where
    &'a T: Into<Value<'a>>,
{
    fn from(value: &'a Option<T>) -> Self {
        value.as_ref().map_or(Self::Null, Into::into)
    }
}

impl Value<'_> {
    fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Id(id) => Some(id.as_str()),
            _ => None,
        }
    }

    /// Rejects an amount beyond PostgreSQL's NUMERIC(38,0) on every database.
    pub(in crate::store) fn check(&self) -> Result<(), StoreError> {
        match self {
            Self::Amount(amount) if amount.unsigned_abs() > LARGEST_AMOUNT.unsigned_abs() => {
                Err(StoreError::Broken(format!("{amount} is past 38 digits")))
            }
            _ => Ok(()),
        }
    }

    /// The type for messages, which never contain the value.
    pub(in crate::store) fn kind(&self) -> &'static str {
        match self {
            Self::Null => "NULL",
            Self::Int(_) => "an integer",
            Self::Text(_) | Self::Id(_) => "a text",
            Self::Amount(_) => "an amount",
            Self::Blob(_) => "bytes",
        }
    }
}

/// A value of a result row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::store) enum Cell {
    Null,
    Int(i64),
    Text(String),
    /// A NUMERIC of PostgreSQL, or of a cached row; SQLite returns amounts as text.
    Amount(i128),
    Blob(Vec<u8>),
}

impl Cell {
    /// The cell that the database would return for a value.
    pub(in crate::store) fn of(value: &Value<'_>) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Int(value) => Self::Int(*value),
            Value::Text(value) => Self::Text((*value).to_owned()),
            Value::Id(id) => Self::Text(id.as_str().to_owned()),
            Value::Amount(value) => Self::Amount(*value),
            Value::Blob(value) => Self::Blob(value.to_vec()),
        }
    }

    /// The value that writes this cell.
    pub(in crate::store) fn value(&self) -> Value<'_> {
        match self {
            Self::Null => Value::Null,
            Self::Int(value) => Value::Int(*value),
            Self::Text(value) => Value::Text(value),
            Self::Amount(value) => Value::Amount(*value),
            Self::Blob(value) => Value::Blob(value),
        }
    }
}

/// A row of a result. Columns count from 0 in the order of the SELECT.
///
/// Reading a column as the wrong type is a defect of the statement: [`StoreError::Broken`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    cells: Vec<Cell>,
}

impl Row {
    pub(in crate::store) fn new(cells: Vec<Cell>) -> Self {
        Self { cells }
    }

    /// A BIGINT, a count, or a condition as 0 or 1.
    pub fn int(&self, column: usize) -> Result<i64, StoreError> {
        self.maybe_int(column)?.ok_or_else(|| null(column))
    }

    /// TEXT.
    pub fn text(&self, column: usize) -> Result<&str, StoreError> {
        self.maybe_text(column)?.ok_or_else(|| null(column))
    }

    /// An amount in the smallest unit of its asset.
    pub fn amount(&self, column: usize) -> Result<i128, StoreError> {
        self.maybe_amount(column)?.ok_or_else(|| null(column))
    }

    /// Bytes.
    pub fn blob(&self, column: usize) -> Result<&[u8], StoreError> {
        self.maybe_blob(column)?.ok_or_else(|| null(column))
    }

    /// As [`Row::int`], for a nullable column.
    pub fn maybe_int(&self, column: usize) -> Result<Option<i64>, StoreError> {
        match self.cell(column)? {
            Cell::Null => Ok(None),
            Cell::Int(value) => Ok(Some(*value)),
            // PostgreSQL returns SUM over BIGINT as NUMERIC.
            Cell::Amount(value) => match i64::try_from(*value) {
                Ok(value) => Ok(Some(value)),
                Err(_) => Err(StoreError::Broken(format!(
                    "column {column}: {value} is past a BIGINT"
                ))),
            },
            other => Err(mismatch(column, "an integer", other)),
        }
    }

    /// As [`Row::text`], for a nullable column.
    pub fn maybe_text(&self, column: usize) -> Result<Option<&str>, StoreError> {
        match self.cell(column)? {
            Cell::Null => Ok(None),
            Cell::Text(value) => Ok(Some(value)),
            other => Err(mismatch(column, "a text", other)),
        }
    }

    /// As [`Row::amount`], for a nullable column.
    pub fn maybe_amount(&self, column: usize) -> Result<Option<i128>, StoreError> {
        match self.cell(column)? {
            Cell::Null => Ok(None),
            Cell::Amount(value) => Ok(Some(*value)),
            Cell::Int(value) => Ok(Some(i128::from(*value))),
            // SQLite stores amounts as canonical text.
            Cell::Text(value) => match canonical(value) {
                Some(value) => Ok(Some(value)),
                None => Err(StoreError::Damaged(format!(
                    "column {column} holds {value:?} where an amount belongs"
                ))),
            },
            other => Err(mismatch(column, "an amount", other)),
        }
    }

    /// As [`Row::blob`], for a nullable column.
    pub fn maybe_blob(&self, column: usize) -> Result<Option<&[u8]>, StoreError> {
        match self.cell(column)? {
            Cell::Null => Ok(None),
            Cell::Blob(value) => Ok(Some(value)),
            other => Err(mismatch(column, "bytes", other)),
        }
    }

    pub(in crate::store) fn cells(&self) -> &[Cell] {
        &self.cells
    }

    fn cell(&self, column: usize) -> Result<&Cell, StoreError> {
        self.cells.get(column).ok_or_else(|| {
            StoreError::Broken(format!("column {column} of a row of {}", self.cells.len()))
        })
    }
}

fn null(column: usize) -> StoreError {
    StoreError::Broken(format!("column {column} is NULL"))
}

fn mismatch(column: usize, wanted: &str, found: &Cell) -> StoreError {
    let found = found.value().kind();
    StoreError::Broken(format!("column {column} is {found}, not {wanted}"))
}

/// Parses an integer in its canonical form: no plus sign, no leading zero, no `-0`.
fn canonical(text: &str) -> Option<i128> {
    let value: i128 = text.parse().ok()?;
    (value.to_string() == text).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_amount_is_read_only_from_its_canonical_text() {
        let amount = |text: &str| Row::new(vec![Cell::Text(text.to_owned())]).amount(0).ok();
        assert_eq!(amount("-12"), Some(-12));
        assert_eq!(amount("0"), Some(0));
        for odd in ["-0", "+1", "01", "1.0", "", " 1", "1e3"] {
            assert_eq!(amount(odd), None, "{odd:?}");
        }
    }

    #[test]
    fn a_column_read_as_something_else_is_refused_and_named() {
        let row = Row::new(vec![Cell::Text("x".to_owned()), Cell::Null]);
        assert_eq!(
            row.int(0),
            Err(StoreError::Broken(
                "column 0 is a text, not an integer".to_owned()
            ))
        );
        assert_eq!(
            row.int(1),
            Err(StoreError::Broken("column 1 is NULL".to_owned()))
        );
        assert_eq!(row.maybe_int(1), Ok(None));
        assert!(row.text(2).is_err());
    }
}
