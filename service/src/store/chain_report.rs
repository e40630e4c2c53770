//! Reports of servers about the connected chains, and comparisons of the books with the chains.

use settlekit_core::installation::{ChainComparison, ChainReport};
use settlekit_core::value::ChainId;

use super::sql::{Database, StoreError};
use super::statement::delete;
use super::{one_record, write_record};

/// The latest report of the server that watches a chain.
pub(crate) fn report(
    database: &mut dyn Database,
    chain: ChainId,
) -> Result<Option<ChainReport>, StoreError> {
    const FIND: &str = "SELECT report FROM chain_reports WHERE chain_id = ?1";
    one_record(database.query(FIND, &[chain.into()])?)
}

pub(crate) fn set_report(
    database: &mut dyn Database,
    chain: ChainId,
    report: &ChainReport,
) -> Result<(), StoreError> {
    const WRITE: &str = "INSERT INTO chain_reports (chain_id, report) VALUES (?1, ?2) \
         ON CONFLICT (chain_id) DO UPDATE SET report = excluded.report";
    let report = write_record(report)?;
    let values = [chain.into(), (&report).into()];
    database.execute(WRITE, &values).map(drop)
}

/// The latest comparison of the books with a chain.
pub(crate) fn comparison(
    database: &mut dyn Database,
    chain: ChainId,
) -> Result<Option<ChainComparison>, StoreError> {
    const FIND: &str = "SELECT comparison FROM chain_comparisons WHERE chain_id = ?1";
    one_record(database.query(FIND, &[chain.into()])?)
}

pub(crate) fn set_comparison(
    database: &mut dyn Database,
    chain: ChainId,
    comparison: &ChainComparison,
) -> Result<(), StoreError> {
    const WRITE: &str = "INSERT INTO chain_comparisons (chain_id, comparison) VALUES (?1, ?2) \
         ON CONFLICT (chain_id) DO UPDATE SET comparison = excluded.comparison";
    let comparison = write_record(comparison)?;
    let values = [chain.into(), (&comparison).into()];
    database.execute(WRITE, &values).map(drop)
}

/// Deletes the reports on a chain that is no longer connected.
pub(super) fn delete(database: &mut dyn Database, chain: ChainId) -> Result<(), StoreError> {
    delete!(database, "chain_reports" [chain_id: chain])?;
    delete!(database, "chain_comparisons" [chain_id: chain])
}
