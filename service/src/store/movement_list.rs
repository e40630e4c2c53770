//! The lists of movements: of an account or a bundle, and of all accounts.

use std::collections::BTreeSet;

use settlekit_core::account::{
    Direction, ListMovementsQuery, Movement, MovementStatus, MovementType,
};
use settlekit_core::page::Page;
use settlekit_core::value::{ChainId, Currency, OrganisationId};

use super::filter::distinct;
use super::filter_counts::{FilterValues, MOVEMENTS, Wanted};
use super::list::Bounds;
use super::listing::Listing;
use super::movement::{ALL, LISTING, List};
use super::movement_index::{
    AmountRange, KindFilter, MovementFilter, MovementList, Reader, Search, Statuses,
};
use super::sql::{Database, StoreError, Value};
use super::status_counts;

/// A page of a list that was checked to be the organisation's.
pub(crate) fn list(
    database: &mut dyn Database,
    organisation: OrganisationId,
    list: List,
    query: &ListMovementsQuery,
) -> Result<Page<Movement>, StoreError> {
    let (filter, number) = (filter_of(query), list.number());
    if filter.is_none() && query.search.is_none() {
        return LISTING.page(database, number, &query.list);
    }
    let bounds = LISTING.bounds(database, number.into(), &query.list)?;
    let list = MovementList::One(number);
    filtered(database, &LISTING, (organisation, list), query, bounds)
}

/// A page of all of an organisation's movements; with the counts by status if asked for, and if nothing else is filtered by.
pub(crate) fn list_all(
    database: &mut dyn Database,
    organisation: OrganisationId,
    query: &ListMovementsQuery,
) -> Result<Page<Movement>, StoreError> {
    let page = page_of_all(database, organisation, query)?;
    let filter = filter_of(query).unwrap_or_default();
    let is_counted = is_by_status(query, &filter) && query.counts.is_some();
    if !is_counted {
        return Ok(page);
    }
    let bounds = ALL.bounds(database, organisation.into(), &query.list)?;
    let counted = (&MOVEMENTS, FilterValues::default());
    let statuses = MovementStatus::KNOWN;
    let counts = status_counts::count(database, organisation, counted, bounds, statuses)?;
    Ok(Page {
        counts: Some(counts),
        ..page
    })
}

/// Whether the movements of a query are selected by nothing but their status and times.
fn is_by_status(query: &ListMovementsQuery, filter: &MovementFilter<'_>) -> bool {
    filter.kinds.is_empty() && filter.amounts.is_none() && query.search.is_none()
}

fn page_of_all(
    database: &mut dyn Database,
    organisation: OrganisationId,
    query: &ListMovementsQuery,
) -> Result<Page<Movement>, StoreError> {
    let filter = filter_of(query);
    if filter.is_none() && query.search.is_none() {
        return ALL.page(database, organisation, &query.list);
    }
    let bounds = ALL.bounds(database, organisation.into(), &query.list)?;
    // The counts by status are exact without reading any row.
    if let Some(statuses) = filter
        .filter(|filter| is_by_status(query, filter))
        .and_then(|filter| filter.statuses)
    {
        let values = FilterValues {
            status: Wanted::OneOf(statuses.words()),
            ..FilterValues::default()
        };
        let counted = (&MOVEMENTS, values);
        return ALL.counted(database, organisation.into(), &query.list, counted, bounds);
    }
    let list = MovementList::All(organisation);
    filtered(database, &ALL, (organisation, list), query, bounds)
}

/// A page of the movements that match.
fn filtered<Id, Owner>(
    database: &mut dyn Database,
    listing: &Listing<Movement, Id, Owner>,
    (organisation, list): (OrganisationId, MovementList),
    query: &ListMovementsQuery,
    bounds: Bounds,
) -> Result<Page<Movement>, StoreError>
where
    Id: for<'a> Into<Value<'a>>,
    Owner: for<'a> Into<Value<'a>>,
{
    let filter = filter_of(query).unwrap_or_default();
    let reader = Reader {
        list,
        organisation,
        filter: &filter,
        bounds,
    };
    if let Some(text) = &query.search {
        let found = reader.among(database, &Search::new(text.trim()))?;
        return listing.found(database, list.owner(), &query.list, &found);
    }
    let (shown, total) = reader.page(database, &query.list)?;
    listing.numbered(database, list.owner(), &query.list, &shown, total)
}

/// The filter of a query, without its search; `None` for every movement.
fn filter_of(query: &ListMovementsQuery) -> Option<MovementFilter<'_>> {
    let chains: BTreeSet<i64> = query
        .chain_id
        .iter()
        .flatten()
        .map(|chain: &ChainId| chain.get())
        .collect();
    let kinds = KindFilter {
        types: distinct(query.r#type.iter().flatten().map(MovementType::as_str)),
        directions: query.direction.iter().map(Direction::as_str).collect(),
        currencies: distinct(query.currency.iter().flatten().map(Currency::as_str)),
        chains: chains.into_iter().collect(),
    };
    let statuses = query.status.as_ref();
    let statuses = statuses.map(|list| distinct(list.iter().map(MovementStatus::as_str)));
    let amounts = AmountRange {
        from: query.amount_from,
        to: query.amount_to,
    };
    let has_amounts = amounts.from.is_some() || amounts.to.is_some();
    let filter = MovementFilter {
        kinds,
        statuses: statuses.map(Statuses::new),
        amounts: has_amounts.then_some(amounts),
    };
    let is_empty = filter.kinds.is_empty() && filter.statuses.is_none() && filter.amounts.is_none();
    (!is_empty).then_some(filter)
}
