//! Chains and assets.

use settlekit_core::chain::{Asset, Chain, ChainDetail};
use settlekit_core::value::address::Family;
use settlekit_core::value::{ChainId, Currency};

use super::sql::{Database, Row, StoreError};
use super::{first, read_text};

fn chain_id(row: &Row, column: usize) -> Result<ChainId, StoreError> {
    ChainId::new(row.int(column)?).ok_or_else(|| StoreError::Damaged("a chain has no id".into()))
}

fn small(row: &Row, column: usize) -> Result<u32, StoreError> {
    u32::try_from(row.int(column)?)
        .map_err(|_| StoreError::Damaged("a small number is not one".into()))
}

fn family(text: &str) -> Result<Family, StoreError> {
    Family::from_wire(text)
        .ok_or_else(|| StoreError::Damaged(format!("the chain family {text} is unknown")))
}

/// A chain, as the rules need it.
#[derive(Debug, Clone)]
pub(crate) struct Known {
    pub(crate) chain: Chain,
    /// The format of its addresses.
    pub(crate) family: Family,
    pub(crate) confirmations_required: u32,
    pub(crate) block_seconds: u32,
}

/// The columns of [`Known`], table alias `c`.
macro_rules! known_columns {
    () => {
        "c.id, c.name, c.native_symbol, c.family, c.confirmations_required, c.block_seconds"
    };
}
pub(super) use known_columns;

pub(super) fn known(row: &Row) -> Result<Known, StoreError> {
    Ok(Known {
        chain: Chain {
            id: chain_id(row, 0)?,
            name: row.text(1)?.to_owned(),
            native_currency_symbol: read_text(row.text(2)?)?,
        },
        family: family(row.text(3)?)?,
        confirmations_required: small(row, 4)?,
        block_seconds: small(row, 5)?,
    })
}

pub(crate) fn find(database: &mut dyn Database, id: ChainId) -> Result<Option<Known>, StoreError> {
    const FIND: &str = concat!(
        "SELECT ",
        known_columns!(),
        " FROM chains c WHERE c.id = ?1"
    );
    first(database.query(FIND, &[id.into()])?)
        .map(|row| known(&row))
        .transpose()
}

/// All chains with their assets, by id.
pub(crate) fn list(database: &mut dyn Database) -> Result<Vec<ChainDetail>, StoreError> {
    const CHAINS: &str = "SELECT id, name, native_symbol, family, confirmations_required, block_seconds FROM chains ORDER BY id";
    const ASSETS: &str =
        "SELECT chain_id, symbol, scale, token_address FROM assets ORDER BY chain_id, symbol";
    let assets: Vec<(ChainId, Asset)> = database
        .query(ASSETS, &[])?
        .iter()
        .map(|row| Ok((chain_id(row, 0)?, asset_in(row, 1)?)))
        .collect::<Result<_, StoreError>>()?;
    let chains = database.query(CHAINS, &[])?;
    chains
        .iter()
        .map(|row| {
            let id = chain_id(row, 0)?;
            Ok(ChainDetail {
                id,
                name: row.text(1)?.to_owned(),
                native_currency_symbol: read_text(row.text(2)?)?,
                family: row.text(3)?.to_owned(),
                confirmations_required: small(row, 4)?,
                block_seconds: small(row, 5)?,
                assets: assets
                    .iter()
                    .filter(|(chain, _)| *chain == id)
                    .map(|(_, asset)| asset.clone())
                    .collect(),
            })
        })
        .collect()
}

pub(crate) fn asset(
    database: &mut dyn Database,
    chain: ChainId,
    currency: &Currency,
) -> Result<Option<Asset>, StoreError> {
    const ASSET: &str =
        "SELECT symbol, scale, token_address FROM assets WHERE chain_id = ?1 AND symbol = ?2";
    let Some(row) = first(database.query(ASSET, &[chain.into(), currency.as_str().into()])?) else {
        return Ok(None);
    };
    asset_in(&row, 0).map(Some)
}

/// Reads symbol, scale and contract of an asset, starting at a column.
pub(super) fn asset_in(row: &Row, column: usize) -> Result<Asset, StoreError> {
    Ok(Asset {
        symbol: read_text(row.text(column)?)?,
        scale: small(row, column + 1)?,
        token_address: row.maybe_text(column + 2)?.map(str::to_owned),
    })
}
