//! The operator's list of wallets that payers are offered, as one setting: links keep their order, and a change is all or nothing.

use settlekit_core::installation::WalletLinkTemplate;

use super::sql::{Database, StoreError};
use super::{read_record, setting, write_record};

const SETTING: &str = "wallet_links";

/// The list; `None` if the operator has not changed the usual one.
pub(crate) fn list(
    database: &mut dyn Database,
) -> Result<Option<Vec<WalletLinkTemplate>>, StoreError> {
    let stored = setting::read(database, SETTING)?;
    stored.as_deref().map(read_record).transpose()
}

pub(crate) fn set(
    database: &mut dyn Database,
    links: &[WalletLinkTemplate],
) -> Result<(), StoreError> {
    setting::write(database, SETTING, &write_record(&links)?)
}

/// Forgets the operator's list.
pub(crate) fn delete(database: &mut dyn Database) -> Result<(), StoreError> {
    setting::delete(database, SETTING)
}
