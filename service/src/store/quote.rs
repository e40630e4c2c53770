//! Quotes.

use serde::{Deserialize, Serialize};
use std::marker::PhantomData;

use settlekit_core::quote::{Quote, QuoteStatus};
use settlekit_core::value::{AccountId, OrganisationId, QuoteId, Timestamp};

use super::list::{Listing, record};
use super::sql::{Database, StoreError};
use super::{first, maybe_timestamp, read_record, sequence, write_record};

pub(crate) const LISTING: Listing<Quote, QuoteId> = Listing {
    table: "quotes",
    owner: "org_id",
    kind: "quotes",
    select: "SELECT l.record, l.updated_at FROM quotes l",
    read: record,
    ids: PhantomData,
};

/// How a quote would be executed.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Terms {
    /// The account debited for each sold asset, in order.
    pub(crate) funding: Vec<AccountId>,
    /// The account credited with the bought asset, also when it continues to an external wallet.
    pub(crate) settlement: AccountId,
    /// The delay of the slowest venue.
    pub(crate) delay_ms: u64,
}

fn lapses_at(quote: &Quote) -> Option<i64> {
    (quote.status == QuoteStatus::Created)
        .then_some(quote.expires_at)
        .flatten()
        .map(Timestamp::micros)
}

pub(crate) fn insert(
    database: &mut dyn Database,
    quote: Quote,
    terms: &Terms,
) -> Result<Quote, StoreError> {
    const INSERT: &str = "INSERT INTO quotes (id, org_id, seq, status, lapses_at, terms, record, created_at, updated_at) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8)";
    let (seq, at) = sequence::next(
        database,
        quote.org_id.into(),
        LISTING.kind,
        quote.created_at,
    )?;
    let quote = Quote {
        created_at: at,
        updated_at: at,
        ..quote
    };
    let (terms, record) = (write_record(terms)?, write_record(&quote)?);
    database.execute(
        INSERT,
        &[
            quote.id.into(),
            quote.org_id.into(),
            seq.into(),
            quote.status.as_str().into(),
            lapses_at(&quote).into(),
            (&terms).into(),
            (&record).into(),
            at.into(),
        ],
    )?;
    Ok(quote)
}

/// The terms of a quote of the organisation.
pub(crate) fn terms(
    database: &mut dyn Database,
    organisation: OrganisationId,
    id: QuoteId,
) -> Result<Terms, StoreError> {
    const TERMS: &str = "SELECT terms FROM quotes WHERE org_id = ?1 AND id = ?2";
    let row = first(database.query(TERMS, &[organisation.into(), id.into()])?)
        .ok_or_else(|| StoreError::Damaged("a quote is not there".into()))?;
    read_record(row.text(0)?)
}

pub(crate) fn update(database: &mut dyn Database, quote: &Quote) -> Result<(), StoreError> {
    const UPDATE: &str = "UPDATE quotes SET status = ?3, lapses_at = ?4, record = ?5, updated_at = ?6 WHERE org_id = ?1 AND id = ?2";
    let record = write_record(quote)?;
    database.execute(
        UPDATE,
        &[
            quote.org_id.into(),
            quote.id.into(),
            quote.status.as_str().into(),
            lapses_at(quote).into(),
            (&record).into(),
            quote.updated_at.into(),
        ],
    )?;
    Ok(())
}

/// The count of the organisation's open quotes, and when the first of them lapses.
pub(crate) fn open(
    database: &mut dyn Database,
    organisation: OrganisationId,
    now: Timestamp,
) -> Result<(u64, Option<Timestamp>), StoreError> {
    const OPEN: &str =
        "SELECT COUNT(*), MIN(lapses_at) FROM quotes WHERE org_id = ?1 AND lapses_at > ?2";
    let row = first(database.query(OPEN, &[organisation.into(), now.into()])?)
        .ok_or_else(|| StoreError::Damaged("quotes are not counted".into()))?;
    Ok((
        u64::try_from(row.int(0)?).unwrap_or(0),
        maybe_timestamp(&row, 1)?,
    ))
}
