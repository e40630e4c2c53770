//! Observations of chains, and their effects.
//!
//! Observations may be repeated, late or out of order. A repeated one changes nothing. The number of confirmations decreases only
//! when the transaction fails or a reorganisation is reported.

use settlekit_core::chain::Asset;
use settlekit_core::payment::TransactionStatus;
use settlekit_core::value::{ChainId, Currency};

use super::deposit::{self, Deposit};
use crate::money::connection;
use crate::resources::payout;
use crate::store;
use crate::store::sql::StoreError;
use crate::store::transaction::Seen;
use crate::store::transfer_index::TransferIndex;
use crate::unit::Unit;

/// An observation of a chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Observation {
    /// A transfer to an address, with its confirmations.
    Deposit {
        /// The chain.
        chain: ChainId,
        /// The transaction's hash.
        hash: String,
        /// The transfer within the transaction.
        transfer: TransferIndex,
        /// The sender.
        from: Option<String>,
        /// The receiver.
        to: String,
        /// The currency.
        currency: Currency,
        /// The amount, in the currency's smallest unit.
        units: i128,
        /// The blocks on top, its own included; 0 in the mempool.
        confirmations: u32,
        /// Comes from the simulated chain.
        simulated: bool,
    },
    /// A reorganisation moved a known transaction to a new block.
    Reorganised {
        /// The chain.
        chain: ChainId,
        /// The transaction's hash.
        hash: String,
        /// The transfer; all to the receiver if absent.
        transfer: Option<TransferIndex>,
        /// The receiver.
        to: String,
    },
    /// A known transaction will never confirm.
    Failed {
        /// The chain.
        chain: ChainId,
        /// The transaction's hash.
        hash: String,
        /// The transfer; all to the receiver if absent.
        transfer: Option<TransferIndex>,
        /// The receiver.
        to: String,
    },
}

/// Records an observation for each organisation that has or watches the address; ignores other addresses.
///
/// # Errors
/// [`StoreError::NotConnected`] for a chain that is not connected, and for a simulated transfer in live mode.
pub(crate) fn observe(unit: &mut Unit<'_>, observation: &Observation) -> Result<(), StoreError> {
    check_source(unit, observation)?;
    match observation {
        Observation::Deposit {
            chain,
            hash,
            transfer,
            from,
            to,
            currency,
            units,
            confirmations,
            simulated,
        } => {
            if *units <= 0 || *units > settlekit_core::value::amount::UNITS_MAX {
                return Ok(());
            }
            let to = to.to_ascii_lowercase();
            for target in store::account::by_address(unit.database, *chain, currency, &to)? {
                let deposit = Deposit {
                    target,
                    hash,
                    transfer: *transfer,
                    from: from.as_deref(),
                    to: &to,
                    currency,
                    units: *units,
                    confirmations: *confirmations,
                    source: if *simulated { "Simulated" } else { "Observed" },
                    block: None,
                };
                deposit::record(unit, &deposit)?;
            }
            Ok(())
        }
        Observation::Reorganised {
            chain,
            hash,
            transfer,
            to,
        } => {
            payout::transaction_reorganised(unit, (*chain, hash), to)?;
            for (seen, asset) in waiting(unit, (*chain, hash), *transfer, to)? {
                deposit::reorganised(unit, seen, &asset)?;
            }
            Ok(())
        }
        Observation::Failed {
            chain,
            hash,
            transfer,
            to,
        } => {
            payout::transaction_failed(unit, (*chain, hash), to)?;
            for (seen, asset) in waiting(unit, (*chain, hash), *transfer, to)? {
                deposit::failed(unit, seen, &asset)?;
            }
            Ok(())
        }
    }
}

/// Rejects observations that no connected chain can have made.
fn check_source(unit: &mut Unit<'_>, observation: &Observation) -> Result<(), StoreError> {
    let (chain, simulated) = match observation {
        Observation::Deposit {
            chain, simulated, ..
        } => (*chain, *simulated),
        Observation::Reorganised { chain, .. } | Observation::Failed { chain, .. } => {
            (*chain, false)
        }
    };
    if simulated && unit.options().mode.simulation().is_none() {
        return Err(StoreError::NotConnected(
            "a simulated transfer was observed in live mode".to_owned(),
        ));
    }
    if connection::of_chain(unit, chain)?.is_none() {
        return Err(StoreError::NotConnected(format!(
            "a transfer was observed on chain {chain}, which is not connected"
        )));
    }
    Ok(())
}

/// The pending transfers of a transaction to an address, each with the asset of its currency.
fn waiting(
    unit: &mut Unit<'_>,
    (chain, hash): (ChainId, &str),
    transfer: Option<TransferIndex>,
    to: &str,
) -> Result<Vec<(Seen, Asset)>, StoreError> {
    let to = to.to_ascii_lowercase();
    let mut waiting = Vec::new();
    for seen in store::transaction::lock_transfers(unit.database, (chain, hash), &to)? {
        let is_meant = transfer.is_none_or(|transfer| transfer == seen.transfer);
        if is_meant
            && seen.status == TransactionStatus::Pending
            && let Some(asset) = store::chain::asset(unit.database, chain, &seen.currency)?
        {
            waiting.push((seen, asset));
        }
    }
    Ok(waiting)
}
