//! Counts by status beside the page of a list, for the tabs above it.

use settlekit_core::page::{CountsBy, ListQuery, Page, StatusCount};
use settlekit_core::value::OrganisationId;

use super::filter::Filter;
use super::filter_counts::{CountedList, FilterValues};
use super::list::Bounds;
use super::listing::Listing;
use super::sql::{Database, StoreError, Value};

/// The counts of a counted list within bounds, in the order of `statuses`.
pub(super) fn count(
    database: &mut dyn Database,
    organisation: OrganisationId,
    (counted, kinds): (&CountedList, FilterValues<'_>),
    bounds: Bounds,
    statuses: &[&str],
) -> Result<Vec<StatusCount>, StoreError> {
    let found = counted.by_status(database, organisation.into(), kinds, bounds)?;
    let counts = statuses.iter().map(|status| StatusCount {
        status: (*status).to_owned(),
        count: found
            .get(*status)
            .map_or(0, |count| u64::try_from(*count).unwrap_or(0)),
    });
    Ok(counts.collect())
}

impl<T, Id> Listing<T, Id>
where
    Id: for<'a> Into<Value<'a>>,
{
    /// As [`Listing::matching`]; if asked for, with the counts of `statuses`. They are left out if a condition is not counted.
    pub(crate) fn matching_by_status(
        &self,
        database: &mut dyn Database,
        organisation: OrganisationId,
        (query, counts): (&ListQuery, Option<&CountsBy>),
        filter: &Filter<'_>,
        statuses: &[&str],
    ) -> Result<Page<T>, StoreError> {
        let page = self.matching(database, organisation, query, filter)?;
        let counted = filter.all_counted().filter(|_| counts.is_some());
        let Some((counted, kinds)) = counted else {
            return Ok(page);
        };
        let sent = filter.is_ordered().then_some(true).or(kinds.sent);
        let kinds = FilterValues { sent, ..kinds };
        let bounds = self.bounds(database, organisation.into(), query)?;
        let counts = count(database, organisation, (counted, kinds), bounds, statuses)?;
        Ok(Page {
            counts: Some(counts),
            ..page
        })
    }
}
