//! Transactions of hot wallets: queued, estimated by a node, signed, broadcast, replaced, mined, settled.
//!
//! The nonce is taken and the signed bytes are stored in one database transaction, before any node sees them. After a crash the
//! same bytes are broadcast again. A replacement has the same nonce, so only one of them can ever be mined.

use std::time::Duration;

use alloy_primitives::{Address, B256, U256};
use settlekit_core::value::{ChainId, Currency, Timestamp};

use super::block::{BlockId, Mined};
use super::sign::{is_affordable, is_covered, replace, sign};
use super::sweep;
use crate::resources::payout;
use crate::store;
use crate::store::connection::Connected;
use crate::store::outgoing::{Attempt, NewOutgoing, Outgoing, Purpose, Status};
use crate::store::sql::StoreError;
use crate::unit::{Outcome, Refusal, Unit};

/// A failed request to a node is made again after this time.
const RETRY_AFTER: Duration = Duration::from_secs(15);

/// Requests per round.
const REQUESTS_MAX: u32 = 64;

/// A transaction that is in none of this many blocks is replaced, but not before [`REPLACE_AFTER`].
const REPLACE_AFTER_BLOCKS: u32 = 4;
const REPLACE_AFTER: Duration = Duration::from_secs(20);

/// A transaction that lacks money is estimated again after this time.
const RETRY_UNAFFORDABLE_AFTER: Duration = Duration::from_secs(60);

/// The most gas of a payout; of a rollup, it contains what the chain below takes.
const PAYOUT_GAS_MAX: u64 = 1_000_000;

/// The most gas per proxy of a sweep. A first sweep takes about 80 000.
const SWEEP_GAS_MAX: u64 = 150_000;

/// The most gas of the factory's deployment. It takes about 800 000.
const DEPLOY_GAS_MAX: u64 = 4_000_000;

/// The most priority fee, in wei per gas, unless the base fee is as high: a node may lie.
const PRIORITY_FEE_MAX: i128 = 50_000_000_000;

/// Gas beyond the estimate, in percent: the state may change until the transaction is mined.
const GAS_MARGIN: u64 = 25;

/// A request that the host makes to a node, and reports with its id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NodeRequest {
    /// How much gas a transaction needs now (`eth_estimateGas`), and the priority fee.
    Estimate {
        /// The transaction.
        id: i64,
        /// The hot wallet.
        from: Address,
        /// The receiver or contract.
        to: Address,
        /// In wei.
        value: U256,
        /// The call of the contract.
        data: Vec<u8>,
    },
    /// Broadcasts signed bytes (`eth_sendRawTransaction`).
    Broadcast {
        /// The transaction.
        id: i64,
        /// Its hash.
        hash: B256,
        /// The bytes.
        signed: Vec<u8>,
    },
    /// What lies in a merchant's own wallet at a settled block (`eth_getBalance`, `balanceOf`).
    Balances {
        /// The wallet.
        wallet: Address,
        /// The block, which is asked for by its hash.
        block: BlockId,
        /// The contracts of the tokens, and `None` for the native coin.
        tokens: Vec<Option<Address>>,
    },
}

/// A node's answer to [`NodeRequest::Estimate`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Estimate {
    /// The transaction would succeed.
    Succeeds {
        /// The gas that it needs.
        gas: u64,
        /// The usual priority fee, in wei per gas.
        priority_fee: u128,
    },
    /// The contract would revert the transaction.
    Reverts,
    /// The hot wallet lacks the money for the transaction or its gas.
    Unaffordable,
}

/// A node's answer to [`NodeRequest::Broadcast`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Broadcast {
    /// The node took the transaction, or has it already.
    Accepted,
    /// The fees are too low for the node, or for a replacement.
    Underpriced,
    /// The nonce has been used.
    NonceUsed,
    /// The hot wallet cannot pay for the gas.
    Unaffordable,
    /// Another error, which may pass.
    Failed,
}

/// The due requests of a chain. Each is made again after a while unless it is reported.
pub(crate) fn due(unit: &mut Unit<'_>, chain: ChainId) -> Result<Vec<NodeRequest>, StoreError> {
    let connected = store::connection::find(unit.database, chain)?;
    let Some(connected) = connected.filter(|connected| !connected.paused) else {
        return Ok(Vec::new());
    };
    sweep::queue_due(unit, chain, Duration::ZERO)?;
    let due = store::outgoing::due(unit.database, chain, unit.now, REQUESTS_MAX)?;
    let mut requests = Vec::with_capacity(due.len());
    for mut outgoing in due {
        let request = match outgoing.status {
            Status::Queued if !is_covered(unit, &outgoing)? => {
                // Waits for a sweep, or for the operator.
                sweep::queue_due(unit, chain, sweep::AFTER)?;
                let again = unit.now.plus(RETRY_AFTER);
                store::outgoing::update(unit.database, &outgoing, Some(again), unit.now)?;
                continue;
            }
            Status::Queued => Some(NodeRequest::Estimate {
                id: outgoing.id,
                from: outgoing.sender,
                to: outgoing.to,
                value: U256::from(outgoing.value.unsigned_abs()),
                data: outgoing.data.to_vec(),
            }),
            Status::Signed => Some(broadcast(unit, &outgoing)?),
            Status::Sent => {
                let wallet = (outgoing.sender, chain);
                let lowest = store::outgoing::lowest_open_nonce(unit.database, wallet)?;
                // The others wait for this one, whatever they offer.
                if lowest == outgoing.nonce {
                    replace(unit, &connected, &mut outgoing)?;
                } else {
                    outgoing.status = Status::Signed;
                }
                Some(broadcast(unit, &outgoing)?)
            }
            Status::Mined | Status::Settled | Status::Refused => None,
        };
        let again = request.is_some().then(|| unit.now.plus(RETRY_AFTER));
        store::outgoing::update(unit.database, &outgoing, again, unit.now)?;
        requests.extend(request);
    }
    Ok(requests)
}

fn broadcast(unit: &mut Unit<'_>, outgoing: &Outgoing) -> Result<NodeRequest, StoreError> {
    let attempt = latest_attempt(unit, outgoing)?;
    Ok(NodeRequest::Broadcast {
        id: outgoing.id,
        hash: attempt.hash,
        signed: attempt.signed.to_vec(),
    })
}

fn latest_attempt(unit: &mut Unit<'_>, outgoing: &Outgoing) -> Result<Attempt, StoreError> {
    store::outgoing::latest_attempt(unit.database, outgoing.id)?
        .ok_or_else(|| StoreError::Damaged("a signed transaction has no signed bytes".to_owned()))
}

/// Records a node's estimate: signs the transaction, or gives up one that the network refuses.
pub(crate) fn report_estimate(
    unit: &mut Unit<'_>,
    id: i64,
    estimate: &Estimate,
) -> Result<(), StoreError> {
    let Some(mut outgoing) = store::outgoing::lock(unit.database, id)? else {
        return Ok(());
    };
    // A late report of a transaction that went on since.
    if outgoing.status != Status::Queued {
        return Ok(());
    }
    match *estimate {
        Estimate::Succeeds { gas, .. } if gas > gas_max(&outgoing) => refuse(unit, outgoing),
        Estimate::Succeeds { gas, priority_fee } => {
            let chain = outgoing.chain;
            let connected = store::connection::find(unit.database, chain)?;
            let Some(connected) = connected.filter(|connected| !connected.paused) else {
                return wait(unit, &outgoing, RETRY_AFTER);
            };
            let most = PRIORITY_FEE_MAX.max(connected.base_fee.saturating_mul(2));
            let priority_fee = i128::try_from(priority_fee).unwrap_or(i128::MAX).min(most);
            store::connection::set_priority_fee(unit.database, chain, priority_fee)?;
            let connected = Connected {
                priority_fee,
                ..connected
            };
            let limit = gas.saturating_add(gas.saturating_mul(GAS_MARGIN) / 100);
            if !is_affordable(unit, &connected, &outgoing, limit)? {
                return wait(unit, &outgoing, RETRY_UNAFFORDABLE_AFTER);
            }
            let wallet = (outgoing.sender, chain);
            outgoing.nonce = Some(store::wallet::take_nonce(unit.database, wallet)?);
            outgoing.gas_limit = Some(limit);
            sign(unit, &connected, &mut outgoing)?;
            store::outgoing::update(unit.database, &outgoing, Some(unit.now), unit.now)
        }
        Estimate::Reverts => refuse(unit, outgoing),
        // Waits for a sweep, or for the operator.
        Estimate::Unaffordable => wait(unit, &outgoing, RETRY_UNAFFORDABLE_AFTER),
    }
}

/// The most gas that a transaction may need. More is asked for by a receiver that makes the operator pay for something else.
fn gas_max(outgoing: &Outgoing) -> u64 {
    match outgoing.purpose() {
        Purpose::Payout(..) => PAYOUT_GAS_MAX,
        // The call ends in the salts, a word for each proxy.
        Purpose::Sweep => {
            let words = u64::try_from(outgoing.data.len() / 32).unwrap_or(u64::MAX);
            words.saturating_mul(SWEEP_GAS_MAX)
        }
        Purpose::Deploy | Purpose::Unknown => DEPLOY_GAS_MAX,
    }
}

/// Gives up a transaction that the network refuses before it was signed.
fn refuse(unit: &mut Unit<'_>, mut outgoing: Outgoing) -> Result<(), StoreError> {
    outgoing.status = Status::Refused;
    store::outgoing::update(unit.database, &outgoing, None, unit.now)?;
    match outgoing.purpose() {
        Purpose::Payout(organisation, payment) => {
            done(payout::refused(unit, (organisation, payment)))
        }
        Purpose::Sweep | Purpose::Deploy | Purpose::Unknown => Ok(()),
    }
}

/// Records a node's answer to a broadcast.
pub(crate) fn report_broadcast(
    unit: &mut Unit<'_>,
    (id, hash): (i64, B256),
    answer: Broadcast,
) -> Result<(), StoreError> {
    let Some(mut outgoing) = store::outgoing::lock(unit.database, id)? else {
        return Ok(());
    };
    // A block brought it since, or it was replaced.
    if outgoing.status != Status::Signed || latest_attempt(unit, &outgoing)?.hash != hash {
        return Ok(());
    }
    match answer {
        Broadcast::Accepted => {
            outgoing.status = Status::Sent;
            let replaced_at = replaced_at(unit, outgoing.chain)?;
            store::outgoing::update(unit.database, &outgoing, Some(replaced_at), unit.now)?;
            match outgoing.purpose() {
                Purpose::Payout(organisation, payment) => done(payout::broadcast(
                    unit,
                    (organisation, payment),
                    &format!("{hash:#x}"),
                )),
                Purpose::Sweep | Purpose::Deploy | Purpose::Unknown => Ok(()),
            }
        }
        Broadcast::Underpriced => {
            // Replaced with higher fees, as a stuck one is.
            outgoing.status = Status::Sent;
            wait(unit, &outgoing, RETRY_AFTER)
        }
        // A block will say by which transaction.
        Broadcast::NonceUsed | Broadcast::Unaffordable | Broadcast::Failed => {
            wait(unit, &outgoing, RETRY_AFTER)
        }
    }
}

fn wait(unit: &mut Unit<'_>, outgoing: &Outgoing, after: Duration) -> Result<(), StoreError> {
    let again = unit.now.plus(after);
    store::outgoing::update(unit.database, outgoing, Some(again), unit.now)
}

fn replaced_at(unit: &mut Unit<'_>, chain: ChainId) -> Result<Timestamp, StoreError> {
    let known = store::chain::find(unit.database, chain)?;
    let block = known.map_or(1, |known| known.block_seconds);
    let blocks = Duration::from_secs(u64::from(block) * u64::from(REPLACE_AFTER_BLOCKS));
    Ok(unit.now.plus(blocks.max(REPLACE_AFTER)))
}

/// Records a mined transaction of a hot wallet.
pub(crate) fn mined(
    unit: &mut Unit<'_>,
    (chain, block): (ChainId, u64),
    native: &Currency,
    mined: &Mined,
) -> Result<(), StoreError> {
    let wallet = (mined.from, chain);
    let outgoing = match store::outgoing::by_nonce(unit.database, wallet, mined.nonce)? {
        Some(outgoing) => outgoing,
        None => {
            // Somebody else has the key.
            store::wallet::skip_nonce(unit.database, wallet, mined.nonce)?;
            unit.failures.push(format!(
                "hot wallet {} sent transaction {} that this service did not sign",
                mined.from, mined.hash
            ));
            let new = NewOutgoing {
                chain,
                sender: mined.from,
                purpose: Purpose::Unknown,
                to: Address::ZERO,
                value: 0,
                data: Default::default(),
                currency: native.clone(),
                units: 0,
            };
            let id = store::outgoing::insert(unit.database, &new, unit.now)?;
            store::outgoing::lock(unit.database, id)?
                .ok_or_else(|| StoreError::Broken("a new row is missing".to_owned()))?
        }
    };
    let fee = i128::try_from(mined.fee).unwrap_or(i128::MAX);
    let outgoing = Outgoing {
        nonce: Some(mined.nonce),
        status: Status::Mined,
        block: Some(block),
        hash: Some(mined.hash),
        succeeded: Some(mined.succeeded),
        fee: Some(fee),
        ..outgoing
    };
    store::outgoing::update(unit.database, &outgoing, None, unit.now)
}

/// Settles a mined transaction whose block has its confirmations.
pub(crate) fn settle(unit: &mut Unit<'_>, mut outgoing: Outgoing) -> Result<(), StoreError> {
    let damaged = || StoreError::Damaged("a mined transaction lacks its block".to_owned());
    let hash = outgoing.hash.ok_or_else(damaged)?;
    let succeeded = outgoing.succeeded.ok_or_else(damaged)?;
    let is_own = store::outgoing::has_attempt(unit.database, outgoing.id, hash)?;
    if !is_own && outgoing.purpose() != Purpose::Unknown {
        // Another transaction has the nonce for good, so none of this one's forms can ever be mined: it starts again.
        unit.failures.push(format!(
            "hot wallet {} lost nonce {} to transaction {hash}, which this service did not sign",
            outgoing.sender,
            outgoing.nonce.unwrap_or_default()
        ));
        store::outgoing::delete_attempts(unit.database, outgoing.id)?;
        outgoing = Outgoing {
            nonce: None,
            gas_limit: None,
            status: Status::Queued,
            block: None,
            hash: None,
            succeeded: None,
            fee: None,
            ..outgoing
        };
        return store::outgoing::update(unit.database, &outgoing, Some(unit.now), unit.now);
    }
    outgoing.status = Status::Settled;
    store::outgoing::update(unit.database, &outgoing, None, unit.now)?;
    match outgoing.purpose() {
        Purpose::Payout(organisation, payment) => done(payout::settled(
            unit,
            (organisation, payment),
            &format!("{hash:#x}"),
            succeeded,
        )),
        Purpose::Sweep | Purpose::Deploy | Purpose::Unknown => Ok(()),
    }
}

/// Takes mined transactions out of blocks that a reorganisation took away: they are broadcast again.
pub(crate) fn rewind(unit: &mut Unit<'_>, chain: ChainId, above: u64) -> Result<(), StoreError> {
    for outgoing in store::outgoing::above(unit.database, chain, above)? {
        if outgoing.status == Status::Settled {
            unit.failures.push(format!(
                "a reorganisation of chain {chain} took away transaction {} of hot wallet {}, which was settled",
                outgoing.hash.unwrap_or_default(),
                outgoing.sender
            ));
        }
        // The money of a settled revert has gone back: sent again, the payout could succeed.
        let is_void = outgoing.status == Status::Settled && outgoing.succeeded == Some(false);
        let is_unknown = outgoing.purpose() == Purpose::Unknown;
        let (status, again) = match (is_void, is_unknown) {
            (true, _) => (Status::Settled, None),
            (_, true) => (Status::Refused, None),
            _ => (Status::Signed, Some(unit.now)),
        };
        let outgoing = Outgoing {
            status,
            nonce: outgoing.nonce.filter(|_| !is_unknown),
            block: None,
            hash: None,
            succeeded: None,
            fee: None,
            ..outgoing
        };
        store::outgoing::update(unit.database, &outgoing, again, unit.now)?;
    }
    Ok(())
}

/// The reserved money covers the booking: only the database can fail.
fn done(outcome: Outcome<()>) -> Result<(), StoreError> {
    outcome.map_err(|refusal: Refusal| refusal.unexpected("a payout could not be booked"))
}
