//! Due jobs, each in its own savepoint. A failing job is retried after one hour.

use std::fmt::Display;
use std::str::FromStr;
use std::time::Duration;

use settlekit_core::value::OrganisationId;

use crate::store::due::DueRows;
use crate::store::sql::StoreError;
use crate::unit::Unit;
use crate::unit::refusal::{Outcome, Refusal};

/// The delay before a failed job is retried.
pub(crate) const RETRY_AFTER: Duration = Duration::from_secs(60 * 60);

/// Runs a job for each due row, at most `limit`, and returns how many were due. All run in one transaction, across organisations:
/// a row whose data fails is postponed and the failure reported.
pub(crate) fn run_each<Id: FromStr + Display>(
    unit: &mut Unit<'_>,
    rows: &DueRows,
    limit: u32,
    mut job: impl FnMut(&mut Unit<'_>, OrganisationId, Id) -> Outcome<()>,
) -> Result<usize, StoreError> {
    let due = rows.due::<Id>(unit.database, unit.now, limit)?;
    let count = due.len();
    for (organisation, id) in due {
        let name = id.to_string();
        let what = format!("{} {name} of {organisation}", rows.table());
        if !run(unit, &what, |unit| job(unit, organisation, id))? {
            let until = unit.now.plus(RETRY_AFTER);
            rows.postpone(unit.database, organisation, &name, until)?;
        }
    }
    Ok(count)
}

/// Runs one job; on an error of its data, rolls it back, reports the failure and returns false.
pub(crate) fn run(
    unit: &mut Unit<'_>,
    what: &str,
    job: impl FnOnce(&mut Unit<'_>) -> Outcome<()>,
) -> Result<bool, StoreError> {
    let failure = match unit.attempt(job)? {
        Ok(()) => return Ok(true),
        Err(Refusal::Store(error)) => error.to_string(),
        Err(refusal) => refusal.into_error("service")?.message,
    };
    unit.failures.push(format!("{what}: {failure}"));
    Ok(false)
}
