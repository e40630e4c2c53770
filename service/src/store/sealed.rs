//! All sealed values of all organisations, for a rotation of the master key.

use super::sql::{Database, Row, StoreError, Value};

/// The kind of a sealed value, which determines its context.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    SigningSecret,
    WebhookKey,
    ExternalAccount,
    Answer,
    Wallet,
    Providers,
    ExchangeAccount,
}

/// A column of sealed values with the two key columns of its row.
struct Column {
    kind: Kind,
    table: &'static str,
    name: &'static str,
    key: [&'static str; 2],
    /// Which key columns are numbers.
    numbered: [bool; 2],
}

const fn column(
    kind: Kind,
    table: &'static str,
    name: &'static str,
    key: [&'static str; 2],
) -> Column {
    Column {
        kind,
        table,
        name,
        key,
        numbered: [false; 2],
    }
}

const COLUMNS: [Column; 8] = [
    column(
        Kind::SigningSecret,
        "organisations",
        "signing_secret",
        ["id", "id"],
    ),
    column(
        Kind::SigningSecret,
        "retired_signing_secrets",
        "secret",
        ["org_id", "secret_id"],
    ),
    column(
        Kind::WebhookKey,
        "webhook_keys",
        "secret",
        ["org_id", "key_id"],
    ),
    Column {
        numbered: [false, true],
        ..column(
            Kind::ExternalAccount,
            "external_accounts",
            "secret",
            ["org_id", "id"],
        )
    },
    column(
        Kind::Answer,
        "idempotency",
        "body",
        ["caller", "idempotency_key"],
    ),
    column(Kind::Wallet, "wallets", "secret", ["address", "address"]),
    Column {
        numbered: [true; 2],
        ..column(
            Kind::Providers,
            "connections",
            "providers",
            ["chain_id", "chain_id"],
        )
    },
    column(
        Kind::ExchangeAccount,
        "exchange_accounts",
        "credentials",
        ["name", "name"],
    ),
];

/// Reseals a value, given its kind and its row's key.
pub(crate) type Reseal<'a> =
    dyn FnMut(Kind, (&str, &str), &[u8]) -> Result<Vec<u8>, StoreError> + 'a;

/// Values per query.
const PAGE: usize = 500;

/// Replaces each sealed value with the result of `make`; returns their count.
pub(crate) fn each(database: &mut dyn Database, make: &mut Reseal<'_>) -> Result<u64, StoreError> {
    let mut count = 0;
    for column in &COLUMNS {
        let mut last: Option<(String, String)> = None;
        loop {
            let rows = page(database, column, last.as_ref())?;
            for row in &rows {
                let (first, second) = key(column, row)?;
                let made = make(column.kind, (&first, &second), row.blob(2)?)?;
                write(database, column, (&first, &second), &made)?;
                count += 1;
                last = Some((first, second));
            }
            if rows.len() < PAGE {
                break;
            }
        }
    }
    Ok(count)
}

fn page(
    database: &mut dyn Database,
    column: &Column,
    last: Option<&(String, String)>,
) -> Result<Vec<Row>, StoreError> {
    let Column { table, name, .. } = column;
    let [first, second] = column.key;
    let select = format!("SELECT {first}, {second}, {name} FROM {table} WHERE {name} IS NOT NULL");
    let end = format!("ORDER BY {first}, {second} LIMIT {PAGE}");
    match last {
        None => database.query(&format!("{select} {end}"), &[]),
        Some((one, two)) => {
            let next = format!("{select} AND ({first}, {second}) > (?1, ?2) {end}");
            let values = key_values(column, (one, two))?;
            database.query(&next, &values)
        }
    }
}

fn key(column: &Column, row: &Row) -> Result<(String, String), StoreError> {
    let text = |place: usize| {
        Ok(if column.numbered[place] {
            row.int(place)?.to_string()
        } else {
            row.text(place)?.to_owned()
        })
    };
    Ok((text(0)?, text(1)?))
}

fn key_values<'a>(
    column: &Column,
    (one, two): (&'a str, &'a str),
) -> Result<[Value<'a>; 2], StoreError> {
    let value = |is_number: bool, text: &'a str| {
        if !is_number {
            return Ok(text.into());
        }
        let number: Result<i64, _> = text.parse();
        let number = number.map_err(|_| StoreError::Broken(format!("{text:?} is no number")))?;
        Ok(number.into())
    };
    let [first, second] = column.numbered;
    Ok([value(first, one)?, value(second, two)?])
}

fn write(
    database: &mut dyn Database,
    column: &Column,
    (one, two): (&str, &str),
    sealed: &[u8],
) -> Result<(), StoreError> {
    let Column { table, name, .. } = column;
    let [first, second] = column.key;
    let update = format!("UPDATE {table} SET {name} = ?3 WHERE {first} = ?1 AND {second} = ?2");
    let [one, two] = key_values(column, (one, two))?;
    database.execute(&update, &[one, two, sealed.into()])?;
    Ok(())
}
