//! Quotes.

use serde::{Deserialize, Serialize};
use settlekit_core::quote::{Quote, QuoteStatus};
use settlekit_core::value::{AccountId, OrganisationId, QuoteId, Timestamp};

use super::columns::get;
#[cfg(not(target_family = "wasm"))]
pub(crate) use super::execution::Execution;
use super::listing::{Listing, listing};
use super::sql::{Database, StoreError};
use super::statement::{insert, update};
use super::{first, read_record, write_record};

pub(crate) const LISTING: Listing<Quote, QuoteId> = listing!("quotes");

/// How a quote would be executed.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Terms {
    /// The account debited for each sold asset, in order.
    pub(crate) funding: Vec<AccountId>,
    /// The account credited with the bought asset, also when it continues to an external wallet.
    pub(crate) settlement: AccountId,
    /// The delay of the slowest venue.
    pub(crate) delay_ms: u64,
    /// The execution of each sold asset, in order. Empty for a simulated venue, which settles after its delay.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) executions: Vec<PartTerms>,
}

/// How the sale of one asset of a quote is executed.
#[cfg(not(target_family = "wasm"))]
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct PartTerms {
    pub(crate) execution: Execution,
    /// The amount that it buys, in the smallest unit: all parts together buy the amount of the quote.
    pub(crate) bought: i128,
    /// The value of the sold amount, in millionths of a US dollar, if its currency has a price.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) usd: Option<i128>,
}

/// A service in wasm is a sandbox, whose venues settle after their delay.
#[cfg(target_family = "wasm")]
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) enum PartTerms {}

/// As [`PartTerms`].
#[cfg(target_family = "wasm")]
#[derive(Debug, Clone)]
pub(crate) enum Execution {}

/// When an open quote expires.
fn expires_at(quote: &Quote) -> Option<i64> {
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
    let (seq, quote) = LISTING.number(database, quote.org_id, quote)?;
    insert!(database, "quotes" {
        seq: seq,
        status: quote.status.as_str(),
        expires_at: expires_at(&quote),
        terms: &write_record(terms)?,
        ..quote
    })?;
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
    update!(database, "quotes" {
        status: quote.status.as_str(),
        expires_at: expires_at(quote),
        ..quote
    })
}

/// The count of the organisation's open quotes, and when the first of them expires.
pub(crate) fn open(
    database: &mut dyn Database,
    organisation: OrganisationId,
    now: Timestamp,
) -> Result<(u64, Option<Timestamp>), StoreError> {
    const OPEN: &str =
        "SELECT COUNT(*), MIN(expires_at) FROM quotes WHERE org_id = ?1 AND expires_at > ?2";
    let row = first(database.query(OPEN, &[organisation.into(), now.into()])?)
        .ok_or_else(|| StoreError::Damaged("quotes are not counted".into()))?;
    Ok((u64::try_from(row.int(0)?).unwrap_or(0), get(&row, 1)?))
}
