//! Organisations and their webhook keys.

use settlekit_core::organisation::Organisation;
use settlekit_core::page::Page;
use settlekit_core::partner::{ListSubMerchantsQuery, SubMerchant};
use settlekit_core::value::{Currency, OrganisationId, Timestamp};

use super::columns::{self, get};
use super::filter::{Filter, Pattern};
use super::folding::searched;
use super::listing::{Listing, listing};
use super::sql::{CachedTable, Database, Row, StoreError};
use super::statement::{insert, update};
use super::{one_record, read_record, write_record};

pub(crate) fn insert(
    database: &mut dyn Database,
    organisation: &Organisation,
    otc: bool,
    signing_secret: &[u8],
) -> Result<(), StoreError> {
    // A sub-merchant has a `seq` in its partner's list, along which times never decrease.
    let (mut seq, mut at) = (None, organisation.created_at);
    if let Some(partner) = organisation.partner_id {
        let (number, created_at) = SUB_MERCHANTS.next(database, partner, at)?;
        (seq, at) = (Some(number), created_at);
    }
    let organisation = &Organisation {
        created_at: at,
        ..organisation.clone()
    };
    insert!(database, "organisations" {
        id: organisation.id,
        partner_id: organisation.partner_id,
        otc: otc,
        signing_secret: signing_secret,
        webhook_url: &organisation.webhook_url,
        reporting_currency: own_currency(organisation).map(Currency::as_str),
        search: &searched([Some(organisation.name.as_str())]),
        record: &write_record(organisation)?,
        created_at: organisation.created_at,
        updated_at: organisation.updated_at,
        seq: seq,
    })
}

fn own_currency(organisation: &Organisation) -> Option<&Currency> {
    organisation.properties.as_ref()?.currency.as_ref()
}

/// The currency that an organisation reports in, if it chose one. Every booking needs it: the writing connection keeps it.
pub(crate) fn reporting_currency(
    database: &mut dyn Database,
    id: OrganisationId,
) -> Result<Option<Currency>, StoreError> {
    static CACHED: CachedTable = CachedTable::new(
        "organisations",
        &["id"],
        &["reporting_currency"],
        "UPDATE organisations SET reporting_currency = ?2 WHERE id = ?1",
    );
    let key = [id.into()];
    match database.read_cached(&CACHED, &[&key])?.pop().flatten() {
        Some(row) => get(&row, 0),
        None => Ok(None),
    }
}

pub(crate) const SUB_MERCHANTS: Listing<SubMerchant, OrganisationId> = listing!(
    "organisations" by "partner_id" in "sub-merchants",
    "l.record, l.suspended, l.updated_at",
    "",
    sub_merchant
);

fn sub_merchant(row: &Row) -> Result<(SubMerchant, Timestamp), StoreError> {
    let organisation: Organisation = read_record(row.text(0)?)?;
    let listed = SubMerchant {
        id: organisation.id,
        name: organisation.name,
        suspended: get(row, 1)?,
        balance_usd: None,
        reserved_usd: None,
        created_at: organisation.created_at,
    };
    Ok((listed, get(row, 2)?))
}

/// A page of a partner's sub-merchants. A search reads the names of all in an index.
pub(crate) fn list_sub_merchants(
    database: &mut dyn Database,
    partner: OrganisationId,
    query: &ListSubMerchantsQuery,
) -> Result<Page<SubMerchant>, StoreError> {
    let Some(text) = query.search.as_deref().map(str::trim) else {
        return SUB_MERCHANTS.page(database, partner, &query.list);
    };
    let pattern = Pattern::folded(text);
    let mut filter = Filter::default();
    let pattern = filter.value(pattern.as_str().into());
    let id = filter.value(text.into());
    // SQLite would merge a query without DISTINCT into the list's, and read each record.
    let filter = filter.among(format!(
        "SELECT DISTINCT s.seq FROM organisations s WHERE s.partner_id = ?1 AND (s.search LIKE {pattern} ESCAPE '!' OR s.id = {id})"
    ));
    SUB_MERCHANTS.matching(database, partner, &query.list, &filter)
}

pub(crate) fn find(
    database: &mut dyn Database,
    id: OrganisationId,
) -> Result<Option<Organisation>, StoreError> {
    const FIND: &str = "SELECT record FROM organisations WHERE id = ?1";
    one_record(database.query(FIND, &[id.into()])?)
}

/// As [`find`], locked until the transaction ends.
pub(crate) fn lock(
    database: &mut dyn Database,
    id: OrganisationId,
) -> Result<Option<Organisation>, StoreError> {
    const LOCK: &str = "SELECT record FROM organisations WHERE id = ?1 FOR UPDATE";
    one_record(database.query(LOCK, &[id.into()])?)
}

pub(crate) fn update(
    database: &mut dyn Database,
    organisation: &Organisation,
) -> Result<(), StoreError> {
    let suspended = organisation
        .properties
        .as_ref()
        .is_some_and(|properties| properties.is_suspended == Some(true));
    update!(database, "organisations" [id: organisation.id] {
        webhook_url: &organisation.webhook_url,
        reporting_currency: own_currency(organisation).map(Currency::as_str),
        search: &searched([Some(organisation.name.as_str())]),
        record: &write_record(organisation)?,
        updated_at: organisation.updated_at,
        suspended: suspended,
    })
}

pub(crate) fn is_suspended(
    database: &mut dyn Database,
    id: OrganisationId,
) -> Result<bool, StoreError> {
    const SUSPENDED: &str = "SELECT 1 FROM organisations WHERE id = ?1 AND suspended = 1";
    Ok(!database.query(SUSPENDED, &[id.into()])?.is_empty())
}

/// Whether the organisation may trade OTC.
pub(crate) fn is_otc(database: &mut dyn Database, id: OrganisationId) -> Result<bool, StoreError> {
    const OTC: &str = "SELECT otc FROM organisations WHERE id = ?1";
    Ok(columns::value(&database.query(OTC, &[id.into()])?)? == Some(true))
}

/// The organisation's partner, if any.
pub(crate) fn partner_of(
    database: &mut dyn Database,
    id: OrganisationId,
) -> Result<Option<OrganisationId>, StoreError> {
    const PARTNER: &str = "SELECT partner_id FROM organisations WHERE id = ?1";
    Ok(columns::value(&database.query(PARTNER, &[id.into()])?)?.flatten())
}

/// The organisation's webhook URL, if any.
pub(crate) fn webhook_url(
    database: &mut dyn Database,
    id: OrganisationId,
) -> Result<Option<String>, StoreError> {
    const URL: &str = "SELECT webhook_url FROM organisations WHERE id = ?1";
    Ok(columns::value(&database.query(URL, &[id.into()])?)?.flatten())
}

pub(crate) fn signing_secret(
    database: &mut dyn Database,
    id: OrganisationId,
) -> Result<Vec<u8>, StoreError> {
    const SECRET: &str = "SELECT signing_secret FROM organisations WHERE id = ?1";
    columns::value(&database.query(SECRET, &[id.into()])?)?
        .ok_or_else(|| StoreError::Broken("a key belongs to no organisation".into()))
}

pub(crate) fn insert_webhook_key(
    database: &mut dyn Database,
    id: OrganisationId,
    key_id: &str,
    secret: &[u8],
    now: Timestamp,
) -> Result<(), StoreError> {
    insert!(database, "webhook_keys" {
        org_id: id,
        key_id: key_id,
        secret: secret,
        created_at: now,
    })
}

/// Lets the current key sign until a time. A key retired earlier ends now: every webhook is signed with each active key.
pub(crate) fn retire_webhook_keys(
    database: &mut dyn Database,
    id: OrganisationId,
    (now, until): (Timestamp, Timestamp),
) -> Result<(), StoreError> {
    const END: &str =
        "UPDATE webhook_keys SET retires_at = ?2 WHERE org_id = ?1 AND retires_at > ?2";
    const RETIRE: &str =
        "UPDATE webhook_keys SET retires_at = ?2 WHERE org_id = ?1 AND retires_at IS NULL";
    database.execute(END, &[id.into(), now.into()])?;
    database.execute(RETIRE, &[id.into(), until.into()])?;
    Ok(())
}

/// Ends all keys at a time, retired ones too.
pub(crate) fn revoke_webhook_keys(
    database: &mut dyn Database,
    id: OrganisationId,
    at: Timestamp,
) -> Result<(), StoreError> {
    const REVOKE: &str = "UPDATE webhook_keys SET retires_at = ?2 WHERE org_id = ?1 AND (retires_at IS NULL OR retires_at > ?2)";
    database.execute(REVOKE, &[id.into(), at.into()])?;
    Ok(())
}

/// The active keys at a time, newest first: id and sealed secret.
pub(crate) fn webhook_keys(
    database: &mut dyn Database,
    id: OrganisationId,
    now: Timestamp,
) -> Result<Vec<(String, Vec<u8>)>, StoreError> {
    const KEYS: &str = "SELECT key_id, secret FROM webhook_keys WHERE org_id = ?1 AND (retires_at IS NULL OR retires_at > ?2) \
         ORDER BY created_at DESC, key_id";
    columns::all(&database.query(KEYS, &[id.into(), now.into()])?)
}
