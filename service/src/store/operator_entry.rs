//! The operator's own money at hot wallets and addresses of the service: every change with its cause.

use alloy_primitives::{Address, B256};
use settlekit_core::value::{ChainId, Currency, Timestamp};

use super::columns;
use super::holding::Holding;
use super::sql::{Database, StoreError};
use super::statement::insert;
use super::{hex, int};

/// The operator's own money on a chain in a currency.
pub(crate) fn balance(
    database: &mut dyn Database,
    chain: ChainId,
    currency: &Currency,
) -> Result<i128, StoreError> {
    // Entries are made in the order of the blocks, and a reorganisation removes the latest.
    const LATEST: &str = "SELECT balance FROM operator_entries WHERE chain_id = ?1 AND currency = ?2 ORDER BY id DESC LIMIT 1";
    let named = [chain.into(), currency.as_str().into()];
    Ok(columns::value(&database.query(LATEST, &named)?)?.unwrap_or(0))
}

/// The operator's own money at an address on a chain in a currency.
pub(crate) fn balance_at(
    database: &mut dyn Database,
    chain: ChainId,
    (address, currency): (Address, &Currency),
) -> Result<i128, StoreError> {
    const LATEST: &str = "SELECT address_balance FROM operator_entries WHERE chain_id = ?1 AND currency = ?2 AND address = ?3 \
         ORDER BY id DESC LIMIT 1";
    let address = hex(address);
    let named = [chain.into(), currency.as_str().into(), (&address).into()];
    Ok(columns::value(&database.query(LATEST, &named)?)?.unwrap_or(0))
}

/// Why the operator's money changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cause {
    /// A hot wallet held it before the first block, or an address of the service before its token was followed.
    Opening,
    /// Somebody sent money to a hot wallet.
    TopUp,
    /// The network took its fee.
    NetworkFee,
    /// Money left a hot wallet by a transaction that is not the service's.
    Unknown,
    /// Somebody paid an address on another chain than the one it was created for.
    Unassigned,
    /// It went to a derived address or came from one, for the gas of its sweep.
    GasMoney,
    /// The operator has withdrawn it.
    Withdrawal,
    /// A token kept a part of a sweep, or of a transfer out of a retired hot wallet.
    TokenFee,
}

impl Cause {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Opening => "opening",
            Self::TopUp => "top_up",
            Self::NetworkFee => "network_fee",
            Self::Unknown => "unknown",
            Self::Unassigned => "unassigned",
            Self::GasMoney => "gas_money",
            Self::Withdrawal => "withdrawal",
            Self::TokenFee => "token_fee",
        }
    }
}

/// Records a change of the operator's money in a hot wallet.
pub(crate) fn insert(
    database: &mut dyn Database,
    (chain, block): (ChainId, u64),
    change: &Holding,
    (cause, hash): (Cause, B256),
    now: Timestamp,
) -> Result<(), StoreError> {
    let of_address = (change.address, &change.currency);
    let before = [
        balance(database, chain, &change.currency)?,
        balance_at(database, chain, of_address)?,
    ];
    let after = before.map(|before| before.checked_add(change.units));
    let [Some(balance), Some(address_balance)] = after else {
        let message = "the operator's money is too large";
        return Err(StoreError::Broken(message.to_owned()));
    };
    insert!(database, "operator_entries" {
        chain_id: chain,
        address: &hex(change.address),
        currency: change.currency.as_str(),
        amount: change.units,
        balance: balance,
        address_balance: address_balance,
        cause: cause.as_str(),
        hash: &hex(hash),
        block: int(block),
        created_at: now,
    })
}

/// Removes the changes of blocks that a reorganisation took away.
pub(crate) fn delete_above(
    database: &mut dyn Database,
    chain: ChainId,
    above: u64,
) -> Result<(), StoreError> {
    const DELETE: &str = "DELETE FROM operator_entries WHERE chain_id = ?1 AND block > ?2";
    database
        .execute(DELETE, &[chain.into(), int(above).into()])
        .map(drop)
}
