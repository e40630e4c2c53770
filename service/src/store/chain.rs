//! Chains and assets.

use std::collections::BTreeSet;

use settlekit_core::chain::{Asset, Chain, ChainDetail, ExplorerUrl};
use settlekit_core::value::address::Family;
use settlekit_core::value::{ChainId, Currency, OrganisationId};

use super::columns::{self, Columns, columns, get};
use super::one;
use super::sql::{Database, Row, StoreError};
use super::statement::delete;

fn family(text: &str) -> Result<Family, StoreError> {
    Family::from_wire(text)
        .ok_or_else(|| StoreError::Damaged(format!("the chain family {text} is unknown")))
}

/// A chain, as the rules need it.
#[derive(Debug, Clone)]
pub(crate) struct StoredChain {
    pub(crate) chain: Chain,
    /// The format of its addresses.
    pub(crate) family: Family,
    pub(crate) confirmations_required: u32,
    pub(crate) block_seconds: u32,
    /// The base URL of a block explorer.
    pub(crate) explorer_url: Option<String>,
    /// A public node.
    pub(crate) public_rpc_url: Option<String>,
    /// A test network, whose money has no value.
    pub(crate) is_test: bool,
}

impl StoredChain {
    /// The page of a transaction at the chain's explorer.
    pub(crate) fn transaction_url(&self, hash: &str) -> Option<String> {
        self.explorer()?.transaction(hash)
    }

    /// The page of an address at the chain's explorer.
    pub(crate) fn address_url(&self, address: &str) -> Option<String> {
        self.explorer()?.address(address)
    }

    fn explorer(&self) -> Option<ExplorerUrl> {
        self.explorer_url.as_deref()?.parse().ok()
    }

    /// Set for a test network.
    pub(crate) fn test_network(&self) -> Option<bool> {
        self.is_test.then_some(true)
    }
}

/// The columns of [`StoredChain`], table alias `c`.
macro_rules! known_columns {
    () => {
        "c.id, c.name, c.native_symbol, c.family, c.confirmations_required, c.block_seconds, c.explorer_url, c.test_network, c.public_rpc_url"
    };
}
pub(super) use known_columns;

/// The number of these columns.
pub(super) const KNOWN_COLUMNS: usize = 9;

pub(super) fn known(row: &Row) -> Result<StoredChain, StoreError> {
    Ok(StoredChain {
        chain: Chain {
            id: get(row, 0)?,
            name: get(row, 1)?,
            native_currency_symbol: get(row, 2)?,
        },
        family: family(row.text(3)?)?,
        confirmations_required: get(row, 4)?,
        block_seconds: get(row, 5)?,
        explorer_url: get(row, 6)?,
        is_test: get(row, 7)?,
        public_rpc_url: get(row, 8)?,
    })
}

pub(crate) fn find(
    database: &mut dyn Database,
    id: ChainId,
) -> Result<Option<StoredChain>, StoreError> {
    const FIND: &str = concat!(
        "SELECT ",
        known_columns!(),
        " FROM chains c WHERE c.id = ?1"
    );
    one(database.query(FIND, &[id.into()])?, known)
}

/// Adds an EVM chain or updates it.
pub(crate) fn upsert(database: &mut dyn Database, known: &StoredChain) -> Result<(), StoreError> {
    const WRITE: &str = "INSERT INTO chains (id, name, native_symbol, family, confirmations_required, block_seconds, explorer_url, test_network, public_rpc_url) \
         VALUES (?1, ?2, ?3, 'evm', ?4, ?5, ?6, ?7, ?8) ON CONFLICT (id) DO UPDATE SET name = excluded.name, \
         confirmations_required = excluded.confirmations_required, block_seconds = excluded.block_seconds, \
         explorer_url = excluded.explorer_url, test_network = excluded.test_network, public_rpc_url = excluded.public_rpc_url";
    let values = [
        known.chain.id.into(),
        (&known.chain.name).into(),
        known.chain.native_currency_symbol.as_str().into(),
        known.confirmations_required.into(),
        known.block_seconds.into(),
        (&known.explorer_url).into(),
        i64::from(known.is_test).into(),
        (&known.public_rpc_url).into(),
    ];
    database.execute(WRITE, &values).map(drop)
}

/// Adds a currency of a chain, unless it has one with the symbol.
pub(crate) fn insert_asset(
    database: &mut dyn Database,
    chain: ChainId,
    asset: &Asset,
) -> Result<(), StoreError> {
    const INSERT: &str = "INSERT INTO assets (chain_id, symbol, scale, token_address) VALUES (?1, ?2, ?3, ?4) \
         ON CONFLICT (chain_id, symbol) DO NOTHING";
    let values = [
        chain.into(),
        asset.symbol.as_str().into(),
        asset.scale.into(),
        (&asset.token_address).into(),
    ];
    database.execute(INSERT, &values).map(drop)
}

/// Removes all currencies of a chain that was never connected.
pub(crate) fn delete_assets(database: &mut dyn Database, chain: ChainId) -> Result<(), StoreError> {
    delete!(database, "assets" [chain_id: chain])
}

/// All chains with their assets, by id.
pub(crate) fn list(database: &mut dyn Database) -> Result<Vec<ChainDetail>, StoreError> {
    const CHAINS: &str = "SELECT id, name, native_symbol, family, confirmations_required, block_seconds, explorer_url, test_network FROM chains ORDER BY id";
    const ASSETS: &str =
        "SELECT chain_id, symbol, scale, token_address FROM assets ORDER BY chain_id, symbol";
    let assets: Vec<(ChainId, Asset)> = database
        .query(ASSETS, &[])?
        .iter()
        .map(|row| Ok((get(row, 0)?, Asset::read(row, 1)?)))
        .collect::<Result<_, StoreError>>()?;
    let chains = database.query(CHAINS, &[])?;
    chains
        .iter()
        .map(|row| {
            let id = get(row, 0)?;
            Ok(ChainDetail {
                id,
                name: get(row, 1)?,
                native_currency_symbol: get(row, 2)?,
                family: get(row, 3)?,
                confirmations_required: get(row, 4)?,
                block_seconds: get(row, 5)?,
                explorer_url: get(row, 6)?,
                test_network: Some(get(row, 7)?).filter(|is_test| *is_test),
                payer_fees: None,
                assets: assets
                    .iter()
                    .filter(|(chain, _)| *chain == id)
                    .map(|(_, asset)| asset.clone())
                    .collect(),
            })
        })
        .collect()
}

/// The chains whose money has no value.
pub(crate) fn test_networks(database: &mut dyn Database) -> Result<BTreeSet<ChainId>, StoreError> {
    const TESTS: &str = "SELECT id FROM chains WHERE test_network = 1";
    let rows = database.query(TESTS, &[])?;
    rows.iter().map(|row| get(row, 0)).collect()
}

/// Whether the organisation has an account on a chain whose money has value, or had one.
pub(crate) fn has_real_account(
    database: &mut dyn Database,
    organisation: OrganisationId,
) -> Result<bool, StoreError> {
    const FIND: &str = "SELECT 1 FROM accounts a JOIN chains c ON c.id = a.chain_id \
         WHERE a.org_id = ?1 AND c.test_network = 0 LIMIT 1";
    Ok(!database.query(FIND, &[organisation.into()])?.is_empty())
}

pub(crate) fn asset(
    database: &mut dyn Database,
    chain: ChainId,
    currency: &Currency,
) -> Result<Option<Asset>, StoreError> {
    const ASSET: &str =
        "SELECT symbol, scale, token_address FROM assets WHERE chain_id = ?1 AND symbol = ?2";
    columns::first(&database.query(ASSET, &[chain.into(), currency.as_str().into()])?)
}

/// The currencies of a chain.
pub(crate) fn assets(
    database: &mut dyn Database,
    chain: ChainId,
) -> Result<Vec<Asset>, StoreError> {
    const ASSETS: &str =
        "SELECT symbol, scale, token_address FROM assets WHERE chain_id = ?1 ORDER BY symbol";
    columns::all(&database.query(ASSETS, &[chain.into()])?)
}

columns! { Asset { symbol, scale, token_address } }
