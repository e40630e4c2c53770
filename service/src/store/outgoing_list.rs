//! Lists of the transactions of hot wallets that are under way.

use alloy_primitives::{Address, B256};
use settlekit_core::value::{ChainId, Currency, OrganisationId, PaymentId, Timestamp};

use super::columns::{self, columns};
use super::sql::{Database, StoreError};

/// A transaction that is neither settled nor refused, with its latest signed form.
#[derive(Debug, Clone)]
pub(crate) struct UnderWay {
    pub(crate) id: i64,
    pub(crate) chain: ChainId,
    pub(crate) sender: Address,
    pub(crate) nonce: Option<u64>,
    pub(crate) purpose: String,
    pub(crate) organisation: Option<OrganisationId>,
    pub(crate) payment: Option<PaymentId>,
    pub(crate) to: Address,
    pub(crate) currency: Currency,
    pub(crate) units: i128,
    pub(crate) gas_limit: Option<u64>,
    pub(crate) status: String,
    pub(crate) block: Option<u64>,
    pub(crate) created_at: Timestamp,
    pub(crate) updated_at: Timestamp,
    /// The number of the latest signed form, from 1.
    pub(crate) attempt: Option<u32>,
    pub(crate) hash: Option<B256>,
    pub(crate) max_fee: Option<i128>,
}

columns! { UnderWay {
    id, chain, sender, nonce, purpose, organisation, payment, to, currency, units, gas_limit, status, block, created_at,
    updated_at, attempt, hash, max_fee
} }

macro_rules! under_way {
    ($condition:literal) => {
        concat!(
            "SELECT o.id, o.chain_id, o.sender, o.nonce, o.purpose, o.org_id, o.payment_id, o.to_address, o.currency, o.amount, \
             o.gas_limit, o.status, o.block, o.created_at, o.updated_at, a.number, a.hash, a.max_fee \
             FROM outgoing_transactions o LEFT JOIN outgoing_attempts a ON a.transaction_id = o.id \
             AND a.number = (SELECT MAX(number) FROM outgoing_attempts WHERE transaction_id = o.id) \
             WHERE o.status NOT IN ('Settled', 'Refused') AND ",
            $condition
        )
    };
}

/// The transactions under way after an id, oldest first.
pub(crate) fn page(
    database: &mut dyn Database,
    chain: Option<ChainId>,
    after: i64,
    limit: u32,
) -> Result<Vec<UnderWay>, StoreError> {
    const ALL: &str = under_way!("o.id > ?1 ORDER BY o.id LIMIT ?2");
    const OF_CHAIN: &str = under_way!("o.id > ?1 AND o.chain_id = ?3 ORDER BY o.id LIMIT ?2");
    let rows = match chain {
        None => database.query(ALL, &[after.into(), limit.into()])?,
        Some(chain) => database.query(OF_CHAIN, &[after.into(), limit.into(), chain.into()])?,
    };
    columns::all(&rows)
}

/// A transaction under way.
pub(crate) fn find(database: &mut dyn Database, id: i64) -> Result<Option<UnderWay>, StoreError> {
    const FIND: &str = under_way!("o.id = ?1");
    columns::first(&database.query(FIND, &[id.into()])?)
}

/// The block of the transaction with a signed form of this hash; `None` in no block.
pub(crate) fn block_of(
    database: &mut dyn Database,
    hash: &str,
) -> Result<Option<Option<u64>>, StoreError> {
    const BLOCK: &str = "SELECT o.block FROM outgoing_attempts a JOIN outgoing_transactions o ON o.id = a.transaction_id WHERE a.hash = ?1";
    columns::value(&database.query(BLOCK, &[hash.into()])?)
}

/// The transactions under way of a chain.
#[derive(Debug, Clone)]
pub(crate) struct Count {
    pub(crate) chain: ChainId,
    pub(crate) transactions: u64,
    pub(crate) oldest: i64,
    pub(crate) oldest_at: Timestamp,
}

columns! { Count { chain, transactions, oldest, oldest_at } }

/// The number of transactions under way of each chain that has any. The cost grows with them, not with those of the past.
pub(crate) fn counts(database: &mut dyn Database) -> Result<Vec<Count>, StoreError> {
    const COUNTS: &str = "SELECT c.chain_id, c.transactions, c.oldest, o.created_at FROM (SELECT chain_id, COUNT(*) AS transactions, \
         MIN(id) AS oldest FROM outgoing_transactions WHERE status NOT IN ('Settled', 'Refused') GROUP BY chain_id) c \
         JOIN outgoing_transactions o ON o.id = c.oldest ORDER BY c.chain_id";
    columns::all(&database.query(COUNTS, &[])?)
}
