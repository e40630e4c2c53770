//! Transactions of hot wallets: queued, estimated by a node, signed, broadcast, replaced, or abandoned.
//!
//! The nonce is taken and the signed bytes are stored in one database transaction, before any node sees them. After a crash the
//! same bytes are broadcast again. A replacement has the same nonce, so only one of them can ever be mined. The replacement of a
//! transaction that no node takes is a filler, which sends nothing: the blocks decide between them.

use std::time::Duration;

use alloy_primitives::{B256, U256};
use settlekit_core::value::amount::UNITS_MAX;
use settlekit_core::value::{ChainId, Timestamp};

use super::derived::Readiness;
use super::filler::{filler_estimate, is_too_dear, latest_attempt, may_abandon};
pub use super::node_request::{Broadcast, Estimate, NodeRequest, Signature, UnsignedTransaction};
use super::sign::{
    add_signature, fill, is_affordable, is_covered, replace, replacement_fee, sign,
    signature_request,
};
#[cfg(not(target_family = "wasm"))]
use super::swap;
use super::{
    authorization, derived, gas_money, holdings, moves, operator_withdrawal, payer_fee, settlement,
    sweep,
};
use crate::resources::payout;
use crate::store;
use crate::store::connection::Connected;
use crate::store::outgoing::{Outgoing, Purpose, Status};
use crate::store::outgoing_attempt::Attempt;
use crate::store::sql::StoreError;
use crate::unit::Unit;

/// A failed request to a node is made again after this time.
const RETRY_AFTER: Duration = Duration::from_secs(15);

/// Requests per round.
const REQUESTS_MAX: u32 = 64;

/// A transaction that is in none of this many blocks is replaced, but not before [`REPLACE_AFTER`].
const REPLACE_AFTER_BLOCKS: u32 = 4;
const REPLACE_AFTER: Duration = Duration::from_secs(20);

/// A transaction that lacks money is estimated again after this time.
const RETRY_UNAFFORDABLE_AFTER: Duration = Duration::from_secs(60);

/// The most gas of a payout; on a rollup, with the gas of the chain below.
const PAYOUT_GAS_MAX: u64 = 1_000_000;

/// The most gas of a transfer that a payer signed: the operator pays it for somebody else.
const AUTHORIZATION_GAS_MAX: u64 = 250_000;

/// About the gas that a derived address needs to send a token on, if no node says.
const SWEEP_GAS: i128 = 100_000;

/// The most gas per proxy of a sweep. A first sweep takes about 80 000.
const SWEEP_GAS_MAX: u64 = 150_000;

/// The most gas of the factory's deployment. It takes about 800 000.
const DEPLOY_GAS_MAX: u64 = 4_000_000;

/// A transaction that nodes refused so often, [`RETRY_AFTER`] apart, is abandoned.
const REFUSALS_MAX: u32 = 20;

/// Gas beyond the estimate, in percent: the state may change until the transaction is mined.
const GAS_MARGIN: u64 = 25;

/// The due requests of a chain. Each is made again after a while unless it is reported.
pub(crate) fn due(unit: &mut Unit<'_>, chain: ChainId) -> Result<Vec<NodeRequest>, StoreError> {
    let connected = store::connection::find(unit.database, chain)?;
    let Some(connected) = connected.filter(|connected| !connected.paused) else {
        return Ok(Vec::new());
    };
    let wallets = store::wallet::all_wallets(unit.database)?;
    let mut in_use = wallets.iter().filter(|wallet| wallet.retired_at.is_none());
    let Some(hot_wallet) = in_use.next().map(|wallet| wallet.address) else {
        return Ok(Vec::new());
    };
    sweep::queue_due(unit, &connected, Duration::ZERO)?;
    derived::queue_due(unit, &connected, (hot_wallet, Duration::ZERO))?;
    let retired = wallets.iter().filter(|wallet| wallet.retired_at.is_some());
    for wallet in retired {
        moves::queue_due(unit, chain, (wallet.address, hot_wallet))?;
    }
    let due = store::outgoing::due_transactions(unit.database, chain, unit.now, REQUESTS_MAX)?;
    let mut requests = Vec::with_capacity(due.len());
    for mut outgoing in due {
        // Another wallet that took over sends the transactions queued before.
        let is_of_sender = matches!(
            outgoing.purpose(),
            Purpose::Move | Purpose::SweepDerived | Purpose::OperatorWithdrawal
        );
        let is_of_order = matches!(
            outgoing.purpose(),
            Purpose::Approval(_) | Purpose::Swap(_) | Purpose::Revocation
        );
        if outgoing.status == Status::Queued && !is_of_sender && !is_of_order {
            outgoing.sender = hot_wallet;
        }
        let is_late = is_late(unit, &outgoing)?;
        let request = match outgoing.status {
            // The next sweep takes the balance of that time.
            Status::Queued if is_of_sender && !is_there(unit, &outgoing)? => {
                settlement::refuse(unit, outgoing)?;
                continue;
            }
            // The sold amount is in the new wallet.
            Status::Queued if is_of_order && outgoing.sender != hot_wallet => {
                settlement::refuse(unit, outgoing)?;
                continue;
            }
            Status::Queued if is_late || operator_withdrawal::is_late(unit, &outgoing) => {
                settlement::refuse(unit, outgoing)?;
                continue;
            }
            Status::Queued if !is_of_sender && !is_covered(unit, &outgoing)? => {
                // Waits for a sweep, or for the operator.
                sweep::queue_early(unit, &connected, hot_wallet)?;
                let again = unit.now.plus(RETRY_AFTER);
                store::outgoing::update(unit.database, &outgoing, Some(again), unit.now)?;
                continue;
            }
            Status::Queued => Some(NodeRequest::Estimate {
                id: outgoing.id,
                from: outgoing.sender,
                to: outgoing.to,
                value: estimated_value(&outgoing),
                data: outgoing.data.to_vec(),
            }),
            Status::Unsigned | Status::Signed => {
                match authorization::is_late(unit, &outgoing)? && may_abandon(unit, &outgoing)? {
                    true => {
                        outgoing.status = Status::Abandoned;
                        Some(filler_estimate(&outgoing))
                    }
                    false => Some(next_request(unit, &outgoing)?),
                }
            }
            Status::Sent => {
                let wallet = (outgoing.sender, chain);
                let lowest = store::outgoing_open::lowest_nonce(unit.database, wallet)?;
                // The others wait for this one, whatever they offer.
                if lowest != outgoing.nonce {
                    outgoing.status = Status::Signed;
                    Some(next_request(unit, &outgoing)?)
                } else if (is_late || is_too_dear(unit, &outgoing, |_| connected.max_fee())?)
                    && may_abandon(unit, &outgoing)?
                {
                    outgoing.status = Status::Abandoned;
                    Some(filler_estimate(&outgoing))
                } else if is_too_dear(unit, &outgoing, |latest| {
                    replacement_fee(latest, &connected)
                })? {
                    // The bytes offer enough for the current fees.
                    outgoing.status = Status::Signed;
                    Some(next_request(unit, &outgoing)?)
                } else {
                    replace(unit, &connected, &mut outgoing)?;
                    Some(next_request(unit, &outgoing)?)
                }
            }
            Status::Abandoned => Some(filler_estimate(&outgoing)),
            // A mined one whose settlement failed is tried again with the next block.
            Status::Mined | Status::Settled | Status::Refused => None,
        };
        let again = request.is_some().then(|| unit.now.plus(RETRY_AFTER));
        store::outgoing::update(unit.database, &outgoing, again, unit.now)?;
        requests.extend(request);
    }
    Ok(requests)
}

/// Whether a transaction would be too late: its order or its authorization has no time left.
#[cfg(not(target_family = "wasm"))]
fn is_late(unit: &mut Unit<'_>, outgoing: &Outgoing) -> Result<bool, StoreError> {
    Ok(authorization::is_late(unit, outgoing)? || swap::is_late(unit, outgoing)?)
}

/// A sandbox has no orders on chains.
#[cfg(target_family = "wasm")]
fn is_late(unit: &mut Unit<'_>, outgoing: &Outgoing) -> Result<bool, StoreError> {
    authorization::is_late(unit, outgoing)
}

/// Whether the sender holds the amount to send.
fn is_there(unit: &mut Unit<'_>, outgoing: &Outgoing) -> Result<bool, StoreError> {
    match outgoing.purpose() {
        Purpose::SweepDerived => derived::is_there(unit, outgoing),
        _ => is_covered(unit, outgoing),
    }
}

/// The value to estimate with. How much a sweep of native coins sends follows from the gas.
fn estimated_value(outgoing: &Outgoing) -> U256 {
    match outgoing.purpose() {
        Purpose::SweepDerived => U256::ZERO,
        _ => U256::from(outgoing.value.unsigned_abs()),
    }
}

/// The request for the latest form: its broadcast, or first its signature.
fn next_request(unit: &mut Unit<'_>, outgoing: &Outgoing) -> Result<NodeRequest, StoreError> {
    let attempt = latest_attempt(unit, outgoing)?;
    match (attempt.hash, &attempt.signed) {
        (Some(hash), Some(signed)) => Ok(NodeRequest::Broadcast {
            id: outgoing.id,
            hash,
            signed: signed.to_vec(),
        }),
        _ => signature_request(unit, outgoing, &attempt),
    }
}

/// Records a node's estimate: signs the transaction or its filler, or gives up one that the network refuses.
pub(crate) fn report_estimate(
    unit: &mut Unit<'_>,
    id: i64,
    estimate: &Estimate,
) -> Result<(), StoreError> {
    let Some(mut outgoing) = store::outgoing::lock(unit.database, id)? else {
        return Ok(());
    };
    let is_abandoned = outgoing.status == Status::Abandoned;
    // A late report of a transaction that has changed since.
    if outgoing.status != Status::Queued && !is_abandoned {
        return Ok(());
    }
    if !is_abandoned && is_late(unit, &outgoing)? {
        return settlement::refuse(unit, outgoing);
    }
    let (gas, priority_fee) = match *estimate {
        Estimate::Succeeds { gas, priority_fee } if gas <= gas_max(&outgoing) => {
            (gas, priority_fee)
        }
        // The operator can ask again, and should know.
        Estimate::Unaffordable
            if !is_abandoned && outgoing.purpose() == Purpose::OperatorWithdrawal =>
        {
            return settlement::refuse(unit, outgoing);
        }
        // Waits for a sweep, for gas money, or for the operator.
        Estimate::Unaffordable => {
            if let Some(connected) = store::connection::find(unit.database, outgoing.chain)? {
                let gas = connected.max_fee().saturating_mul(SWEEP_GAS);
                gas_money::add_for_poor(unit, (outgoing.chain, outgoing.sender), gas)?;
            }
            return wait(unit, &outgoing, RETRY_UNAFFORDABLE_AFTER);
        }
        // A node may lag the block of the approval, or be ahead of the one in which somebody else executed the authorization.
        Estimate::Reverts
            if matches!(
                outgoing.purpose(),
                Purpose::Swap(_) | Purpose::Authorization
            ) && outgoing.refusals == 0 =>
        {
            outgoing.refusals = 1;
            return wait(unit, &outgoing, RETRY_AFTER);
        }
        // A filler is never reverted: the node is at fault.
        _ if is_abandoned => return wait(unit, &outgoing, RETRY_UNAFFORDABLE_AFTER),
        Estimate::Succeeds { .. } | Estimate::Reverts => {
            return settlement::refuse(unit, outgoing);
        }
    };
    let Some(connected) = with_priority_fee(unit, outgoing.chain, priority_fee)? else {
        return wait(unit, &outgoing, RETRY_AFTER);
    };
    let limit = gas.saturating_add(gas.saturating_mul(GAS_MARGIN) / 100);
    if is_abandoned {
        fill(unit, &connected, &mut outgoing, limit)?;
    } else if outgoing.purpose() == Purpose::SweepDerived {
        match derived::prepare(unit, &connected, &mut outgoing, limit)? {
            Readiness::Ready => take_nonce(unit, &connected, &mut outgoing, limit)?,
            Readiness::Waits => {}
            Readiness::Dust => return settlement::refuse(unit, outgoing),
        }
    } else if payer_fee::is_too_dear(
        unit,
        &outgoing,
        connected.max_fee().saturating_mul(i128::from(limit)),
    )? {
        return settlement::refuse(unit, outgoing);
    } else if is_affordable(unit, &connected, &outgoing, limit)? {
        take_nonce(unit, &connected, &mut outgoing, limit)?;
    } else if outgoing.purpose() == Purpose::OperatorWithdrawal {
        return settlement::refuse(unit, outgoing);
    }
    if !matches!(outgoing.status, Status::Unsigned | Status::Signed) {
        return wait(unit, &outgoing, RETRY_UNAFFORDABLE_AFTER);
    }
    store::outgoing::update(unit.database, &outgoing, Some(unit.now), unit.now)
}

/// Takes the next nonce for a transaction and signs it.
fn take_nonce(
    unit: &mut Unit<'_>,
    connected: &Connected,
    outgoing: &mut Outgoing,
    limit: u64,
) -> Result<(), StoreError> {
    let wallet = (outgoing.sender, outgoing.chain);
    outgoing.nonce = Some(store::wallet::take_nonce(unit.database, wallet)?);
    outgoing.gas_limit = Some(limit);
    sign(unit, connected, outgoing)
}

/// Records the answer of an external signer for a form of a transaction. It can refuse, and nothing else: only its signature of
/// this very form is stored.
pub(crate) fn report_signature(
    unit: &mut Unit<'_>,
    (id, number): (i64, u32),
    answer: &Signature,
) -> Result<(), StoreError> {
    let Some(mut outgoing) = store::outgoing::lock(unit.database, id)? else {
        return Ok(());
    };
    // A block brought an earlier form since, or another form took its place.
    if outgoing.status != Status::Unsigned {
        return Ok(());
    }
    let attempt = latest_attempt(unit, &outgoing)?;
    if attempt.number != number {
        return Ok(());
    }
    if let Signature::Signed(bytes) = answer
        && add_signature(unit, &mut outgoing, &attempt, bytes)?
    {
        outgoing.refusals = 0;
        return store::outgoing::update(unit.database, &outgoing, Some(unit.now), unit.now);
    }
    count_refusal(unit, outgoing, &attempt)
}

/// A chain that is not paused, with the current priority fee, which is recorded.
fn with_priority_fee(
    unit: &mut Unit<'_>,
    chain: ChainId,
    priority_fee: u128,
) -> Result<Option<Connected>, StoreError> {
    let connected = store::connection::find(unit.database, chain)?;
    let Some(connected) = connected.filter(|connected| !connected.paused) else {
        return Ok(None);
    };
    let priority_fee = holdings::units(U256::from(priority_fee)).unwrap_or(UNITS_MAX);
    store::connection::set_priority_fee(unit.database, chain, priority_fee)?;
    Ok(Some(Connected {
        priority_fee,
        ..connected
    }))
}

/// The most gas that a transaction may need. More is asked for by a receiver that makes the operator pay for something else.
fn gas_max(outgoing: &Outgoing) -> u64 {
    match outgoing.purpose() {
        _ if outgoing.status == Status::Abandoned => PAYOUT_GAS_MAX,
        Purpose::Payout(..)
        | Purpose::Move
        | Purpose::SweepDerived
        | Purpose::GasMoney
        | Purpose::OperatorWithdrawal
        | Purpose::Approval(_)
        | Purpose::Swap(_)
        | Purpose::Revocation => PAYOUT_GAS_MAX,
        Purpose::Authorization => AUTHORIZATION_GAS_MAX,
        // The call ends in the salts, a word for each proxy.
        Purpose::Sweep => {
            let words = u64::try_from(outgoing.data.len() / 32).unwrap_or(u64::MAX);
            words.saturating_mul(SWEEP_GAS_MAX)
        }
        Purpose::Deploy | Purpose::Unknown => DEPLOY_GAS_MAX,
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
    let attempt = latest_attempt(unit, &outgoing)?;
    // A block brought it since, or it was replaced.
    if outgoing.status != Status::Signed || attempt.hash != Some(hash) {
        return Ok(());
    }
    match answer {
        Broadcast::Accepted => {
            outgoing.status = Status::Sent;
            outgoing.refusals = 0;
            let replaced_at = replaced_at(unit, outgoing.chain)?;
            store::outgoing::update(unit.database, &outgoing, Some(replaced_at), unit.now)?;
            match outgoing.purpose() {
                Purpose::Payout(organisation, payment) if !attempt.is_filler => settlement::done(
                    payout::broadcast(unit, (organisation, payment), &format!("{hash:#x}")),
                ),
                _ => Ok(()),
            }
        }
        Broadcast::Underpriced => {
            let connected = store::connection::find(unit.database, outgoing.chain)?;
            let has_risen =
                |connected: &Connected| !connected.paused && connected.max_fee() > attempt.max_fee;
            // A late one is given up when it is looked at next.
            let is_late = is_late(unit, &outgoing)?;
            // Fees have risen since: all that were signed before are replaced at once, or each would wait for the one before it.
            if let Some(connected) = connected.filter(has_risen)
                && !is_late
                && !is_too_dear(unit, &outgoing, |latest| {
                    replacement_fee(latest, &connected)
                })?
                && replace(unit, &connected, &mut outgoing)?
            {
                return store::outgoing::update(unit.database, &outgoing, Some(unit.now), unit.now);
            }
            // Replaced with higher fees, as a stuck one is.
            outgoing.status = Status::Sent;
            wait(unit, &outgoing, RETRY_AFTER)
        }
        Broadcast::Refused => count_refusal(unit, outgoing, &attempt),
        Broadcast::Unaffordable => {
            let sender = (outgoing.chain, outgoing.sender);
            gas_money::add_for_poor(unit, sender, attempt.gas_cost())?;
            wait(unit, &outgoing, RETRY_AFTER)
        }
        // A block will say by which transaction.
        Broadcast::NonceUsed | Broadcast::Failed => wait(unit, &outgoing, RETRY_AFTER),
    }
}

/// Abandons a transaction that nodes have refused too often. All later ones of its wallet wait for its nonce.
fn count_refusal(
    unit: &mut Unit<'_>,
    mut outgoing: Outgoing,
    attempt: &Attempt,
) -> Result<(), StoreError> {
    let wallet = (outgoing.sender, outgoing.chain);
    // The others may be refused because of the ones before them.
    if store::outgoing_open::lowest_nonce(unit.database, wallet)? != outgoing.nonce {
        return wait(unit, &outgoing, RETRY_AFTER);
    }
    outgoing.refusals = outgoing.refusals.saturating_add(1);
    if !outgoing.refusals.is_multiple_of(REFUSALS_MAX) {
        return wait(unit, &outgoing, RETRY_AFTER);
    }
    let refused_by = match attempt.hash {
        Some(hash) => format!("no node takes transaction {hash}"),
        None => "the signer does not sign a transaction".to_owned(),
    };
    unit.failures.push(format!(
        "{refused_by} of hot wallet {} on chain {}, nonce {}: {}",
        outgoing.sender,
        outgoing.chain,
        outgoing.nonce.unwrap_or_default(),
        match attempt.is_filler {
            true => "it holds up all later ones",
            false => "a transaction of nothing is to use its nonce",
        }
    ));
    if attempt.is_filler {
        return wait(unit, &outgoing, RETRY_AFTER);
    }
    outgoing.status = Status::Abandoned;
    outgoing.refusals = 0;
    wait(unit, &outgoing, Duration::ZERO)
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
