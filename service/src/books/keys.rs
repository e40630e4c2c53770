//! Rows of live books that need keys of the installation that they come from. An export has no keys, nor the salts of proxy
//! wallets, so that the new installation could neither sweep nor pay out the money there.

use settlekit_core::account::Account;

use crate::store::books::{Owned, Table};
use crate::store::sql::StoreError;

/// Why a row cannot move to another installation, if so.
pub(super) fn missing(table: &Table, values: &[Owned]) -> Result<Option<String>, StoreError> {
    let value = |name: &str| {
        let place = table.columns.iter().position(|column| column.name == name);
        place.and_then(|place| values.get(place))
    };
    match (
        table.kind,
        value("record"),
        value("address"),
        value("watched"),
    ) {
        ("account", Some(Owned::Text(record)), ..) => {
            let account: Account = serde_json::from_str(record)
                .map_err(|_| StoreError::Broken("an imported account is malformed".to_owned()))?;
            Ok(account.is_held().then(|| {
                format!(
                    "account {} is managed: its money is in the hot wallet of the installation that it comes from. Move the whole \
                     installation by its database and key file",
                    account.id
                )
            }))
        }
        ("address", _, Some(Owned::Text(address)), Some(Owned::Int(0))) => Ok(Some(format!(
            "{address} is a pay-in address that only the installation that it comes from can sweep"
        ))),
        _ => Ok(None),
    }
}
