//! Tokens that take transfers signed by their sender (EIP-3009).

use settlekit_core::value::{ChainId, Currency};

use super::columns::{self, columns};
use super::sql::{Database, StoreError};
use super::statement::delete;
use crate::evm::authorization::TokenDomain;

columns! { TokenDomain { name, version } }

/// The domain of a token's signed transfers; `None` if it takes none.
pub(crate) fn find(
    database: &mut dyn Database,
    chain: ChainId,
    currency: &Currency,
) -> Result<Option<TokenDomain>, StoreError> {
    const FIND: &str =
        "SELECT name, version FROM token_domains WHERE chain_id = ?1 AND symbol = ?2";
    columns::first(&database.query(FIND, &[chain.into(), currency.as_str().into()])?)
}

/// Records the current answer of a token's contract.
pub(crate) fn set(
    database: &mut dyn Database,
    (chain, currency): (ChainId, &Currency),
    domain: Option<&TokenDomain>,
) -> Result<(), StoreError> {
    const WRITE: &str = "INSERT INTO token_domains (chain_id, symbol, name, version) VALUES (?1, ?2, ?3, ?4) \
         ON CONFLICT (chain_id, symbol) DO UPDATE SET name = excluded.name, version = excluded.version";
    let Some(domain) = domain else {
        return delete!(database, "token_domains" [chain_id: chain, symbol: currency.as_str()]);
    };
    let values = [
        chain.into(),
        currency.as_str().into(),
        (&domain.name).into(),
        (&domain.version).into(),
    ];
    database.execute(WRITE, &values).map(drop)
}

/// Forgets all tokens of a chain.
pub(crate) fn delete_all(database: &mut dyn Database, chain: ChainId) -> Result<(), StoreError> {
    delete!(database, "token_domains" [chain_id: chain])
}
