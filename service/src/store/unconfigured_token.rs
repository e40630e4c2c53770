//! Tokens that a chain does not take, with the transfers of them that were seen.

use alloy_primitives::Address;
use settlekit_core::value::ChainId;

use super::columns::{self, columns};
use super::sql::{Database, StoreError};
use super::statement::delete;
use super::{hex, int};

/// Tokens kept for each chain. Anybody can make tokens and send them to known addresses. An operator looks for the one that a payer
/// has just sent, so the latest are kept.
pub const UNCONFIGURED_TOKENS_MAX: usize = 100;

/// A token that a chain does not take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnconfiguredToken {
    /// The contract.
    pub contract: Address,
    /// The transfers of it that were seen.
    pub transfers: u64,
    /// The block of the latest one.
    pub last_block: u64,
}

columns! { UnconfiguredToken { contract, transfers, last_block } }

/// Counts the transfers of tokens in a block, and forgets all tokens but the latest.
pub(crate) fn count(
    database: &mut dyn Database,
    (chain, block): (ChainId, u64),
    seen: &[(Address, u64)],
) -> Result<(), StoreError> {
    const COUNT: &str = "INSERT INTO unconfigured_tokens (chain_id, contract, transfers, last_block) VALUES (?1, ?2, ?3, ?4) \
         ON CONFLICT (chain_id, contract) DO UPDATE SET transfers = unconfigured_tokens.transfers + excluded.transfers, \
         last_block = excluded.last_block";
    const FORGET: &str = "DELETE FROM unconfigured_tokens WHERE chain_id = ?1 AND contract NOT IN \
         (SELECT contract FROM unconfigured_tokens WHERE chain_id = ?1 ORDER BY last_block DESC, contract LIMIT ?2)";
    for (contract, transfers) in seen.iter().take(UNCONFIGURED_TOKENS_MAX) {
        let contract = hex(contract);
        let values = [
            chain.into(),
            (&contract).into(),
            int(*transfers).into(),
            int(block).into(),
        ];
        database.execute(COUNT, &values)?;
    }
    let kept = int(UNCONFIGURED_TOKENS_MAX as u64);
    let values = [chain.into(), kept.into()];
    database.execute(FORGET, &values).map(drop)
}

/// The tokens of a chain, the latest first.
pub(crate) fn list(
    database: &mut dyn Database,
    chain: ChainId,
) -> Result<Vec<UnconfiguredToken>, StoreError> {
    const LIST: &str = "SELECT contract, transfers, last_block FROM unconfigured_tokens WHERE chain_id = ?1 \
         ORDER BY last_block DESC, contract";
    columns::all(&database.query(LIST, &[chain.into()])?)
}

/// Forgets a token, which the chain takes now.
pub(crate) fn forget(
    database: &mut dyn Database,
    chain: ChainId,
    contract: &str,
) -> Result<(), StoreError> {
    let contract = contract.to_ascii_lowercase();
    delete!(database, "unconfigured_tokens" [chain_id: chain, contract: &contract])
}

/// Forgets all tokens of a chain.
pub(super) fn forget_all(database: &mut dyn Database, chain: ChainId) -> Result<(), StoreError> {
    delete!(database, "unconfigured_tokens" [chain_id: chain])
}
