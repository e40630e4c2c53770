//! The ends of transactions of hot wallets: refused before they were signed, or mined and settled. A reorganisation reopens them.
//!
//! The mined form of a transaction decides the booking: the call itself, a filler that used its nonce, or a transaction of somebody
//! else who has the key.

use alloy_primitives::{Address, B256};
use settlekit_core::value::amount::UNITS_MAX;
use settlekit_core::value::{ChainId, Currency};

use super::block::Mined;
#[cfg(not(target_family = "wasm"))]
use super::swap;
use super::{authorization, holdings, operator_withdrawal, payer_fee};
use crate::resources::payout;
#[cfg(not(target_family = "wasm"))]
use crate::resources::trade;
use crate::store;
use crate::store::outgoing::{NewOutgoing, Outgoing, Purpose, Status};
use crate::store::sql::StoreError;
use crate::unit::{Outcome, Refusal, Unit, due_job};

/// Gives up a transaction that the network refuses before it was signed.
pub(super) fn refuse(unit: &mut Unit<'_>, outgoing: Outgoing) -> Result<(), StoreError> {
    let what = format!(
        "transaction {} of hot wallet {}",
        outgoing.id, outgoing.sender
    );
    let refused = Outgoing {
        status: Status::Refused,
        ..outgoing.clone()
    };
    let is_booked = due_job::run(unit, &what, |unit| {
        store::outgoing::update(unit.database, &refused, None, unit.now)?;
        undone(unit, &refused)
    })?;
    if is_booked {
        return Ok(());
    }
    let again = unit.now.plus(due_job::RETRY_AFTER);
    store::outgoing::update(unit.database, &outgoing, Some(again), unit.now)
}

/// Undoes the effects of a transaction that will never be mined.
fn undone(unit: &mut Unit<'_>, outgoing: &Outgoing) -> Outcome<()> {
    match outgoing.purpose() {
        Purpose::Payout(organisation, payment) => payout::refused(unit, (organisation, payment)),
        Purpose::Deploy => {
            factory_missing(unit, outgoing.chain);
            Ok(())
        }
        #[cfg(not(target_family = "wasm"))]
        Purpose::Approval(of) | Purpose::Swap(of) => trade::swap_ended(unit, of),
        #[cfg(not(target_family = "wasm"))]
        Purpose::Revocation => {
            not_revoked(unit, outgoing);
            Ok(())
        }
        Purpose::OperatorWithdrawal => Ok(operator_withdrawal::not_executed(unit, outgoing)?),
        Purpose::Authorization => Ok(authorization::ended(unit, outgoing)?),
        // The money is still where it was, and is tried again later.
        _ => Ok(()),
    }
}

fn factory_missing(unit: &mut Unit<'_>, chain: ChainId) {
    unit.failures.push(format!(
        "the factory of proxy wallets could not be deployed on chain {chain}: nothing is swept there until \
         `settlekit chain connect --deploy` succeeds"
    ));
}

#[cfg(not(target_family = "wasm"))]
fn not_revoked(unit: &mut Unit<'_>, outgoing: &Outgoing) {
    unit.failures.push(format!(
        "the allowance of the router for {} of hot wallet {} on chain {} could not be revoked: the router may still take what a \
         failed order sold",
        outgoing.currency, outgoing.sender, outgoing.chain
    ));
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
    let fee = holdings::units(mined.fee).unwrap_or(UNITS_MAX);
    let outgoing = Outgoing {
        nonce: Some(mined.nonce),
        status: Status::Mined,
        block: Some(block),
        hash: Some(mined.hash),
        succeeded: Some(mined.succeeded),
        fee: Some(fee),
        ..outgoing
    };
    store::outgoing::update(unit.database, &outgoing, None, unit.now)?;
    match outgoing.purpose() {
        #[cfg(not(target_family = "wasm"))]
        Purpose::Approval(of) if mined.succeeded => {
            let attempt = store::outgoing_attempt::find(unit.database, outgoing.id, mined.hash)?;
            if attempt.is_some_and(|attempt| !attempt.is_filler) {
                let what = of.to_string();
                // Without its swap the part fails, once the approval is settled: the block is recorded anyway.
                due_job::run(unit, &what, |unit| Ok(swap::approved(unit, &outgoing, of)?))?;
            }
            Ok(())
        }
        #[cfg(not(target_family = "wasm"))]
        Purpose::Swap(of) if mined.succeeded => {
            let what = of.to_string();
            due_job::run(unit, &what, |unit| Ok(swap::mined(unit, &outgoing)?))?;
            Ok(())
        }
        Purpose::Authorization => payer_fee::mined(unit, &outgoing, (native, fee)),
        _ => Ok(()),
    }
}

/// Settles a mined transaction whose block has its confirmations. One whose booking fails is set aside with an alarm and tried
/// again later: the chain continues.
pub(crate) fn settle(unit: &mut Unit<'_>, outgoing: &Outgoing) -> Result<(), StoreError> {
    let what = format!(
        "transaction {} of hot wallet {}",
        outgoing.hash.unwrap_or_default(),
        outgoing.sender
    );
    if due_job::run(unit, &what, |unit| settle_form(unit, outgoing.clone()))? {
        return Ok(());
    }
    let again = unit.now.plus(due_job::RETRY_AFTER);
    store::outgoing::update(unit.database, outgoing, Some(again), unit.now)
}

fn settle_form(unit: &mut Unit<'_>, mut outgoing: Outgoing) -> Outcome<()> {
    let damaged = || StoreError::Damaged("a mined transaction lacks its block".to_owned());
    let hash = outgoing.hash.ok_or_else(damaged)?;
    let succeeded = outgoing.succeeded.ok_or_else(damaged)?;
    let attempt = store::outgoing_attempt::find(unit.database, outgoing.id, hash)?;
    if attempt.is_none() && outgoing.purpose() != Purpose::Unknown {
        return Ok(lost_nonce(unit, outgoing, hash)?);
    }
    let is_filler = attempt.is_some_and(|attempt| attempt.is_filler);
    outgoing.status = match is_filler {
        true => Status::Refused,
        false => Status::Settled,
    };
    store::outgoing::update(unit.database, &outgoing, None, unit.now)?;
    if is_filler {
        return undone(unit, &outgoing);
    }
    match outgoing.purpose() {
        Purpose::Payout(organisation, payment) => {
            let hash = format!("{hash:#x}");
            payout::settled(unit, (organisation, payment), &hash, succeeded)
        }
        Purpose::Deploy if succeeded => Ok(store::connection::set_factory(
            unit.database,
            outgoing.chain,
            true,
        )?),
        Purpose::Deploy => {
            factory_missing(unit, outgoing.chain);
            Ok(())
        }
        #[cfg(not(target_family = "wasm"))]
        Purpose::Approval(of) | Purpose::Swap(of) => trade::swap_ended(unit, of),
        #[cfg(not(target_family = "wasm"))]
        Purpose::Revocation if !succeeded => {
            not_revoked(unit, &outgoing);
            Ok(())
        }
        Purpose::OperatorWithdrawal if !succeeded => {
            Ok(operator_withdrawal::not_executed(unit, &outgoing)?)
        }
        Purpose::Authorization => Ok(authorization::ended(unit, &outgoing)?),
        Purpose::GasMoney => {
            let swept = (outgoing.chain, outgoing.to);
            Ok(store::outgoing::set_derived_due(
                unit.database,
                swept,
                unit.now,
            )?)
        }
        _ => Ok(()),
    }
}

/// Another settled transaction has the nonce, so no form of this one can ever be mined: it starts again, unless its money was
/// returned.
fn lost_nonce(unit: &mut Unit<'_>, outgoing: Outgoing, hash: B256) -> Result<(), StoreError> {
    unit.failures.push(format!(
        "hot wallet {} lost nonce {} to transaction {hash}, which this service did not sign",
        outgoing.sender,
        outgoing.nonce.unwrap_or_default()
    ));
    let is_over = match outgoing.purpose() {
        Purpose::Payout(organisation, payment) => {
            payout::has_failed(unit, (organisation, payment))?
        }
        // The balance is swept again later, at the gas price of that time.
        Purpose::SweepDerived | Purpose::GasMoney => true,
        // The other transaction may have been this withdrawal, by other means. The operator can ask again.
        Purpose::OperatorWithdrawal => {
            operator_withdrawal::not_executed(unit, &outgoing)?;
            true
        }
        _ => false,
    };
    let (status, again) = match is_over {
        true => (Status::Refused, None),
        false => (Status::Queued, Some(unit.now)),
    };
    store::outgoing_attempt::delete(unit.database, outgoing.id)?;
    let outgoing = Outgoing {
        nonce: None,
        gas_limit: None,
        status,
        block: None,
        hash: None,
        succeeded: None,
        fee: None,
        refusals: 0,
        ..outgoing
    };
    store::outgoing::update(unit.database, &outgoing, again, unit.now)
}

/// Takes mined transactions out of blocks that a reorganisation took away: they are broadcast again. Where nothing may be sent
/// any more, a filler uses the nonce, which later transactions wait for.
pub(crate) fn rewind(unit: &mut Unit<'_>, chain: ChainId, above: u64) -> Result<(), StoreError> {
    for outgoing in store::outgoing::above(unit.database, chain, above)? {
        let is_final = matches!(outgoing.status, Status::Settled | Status::Refused);
        if is_final {
            unit.failures.push(format!(
                "a reorganisation of chain {chain} took away transaction {} of hot wallet {}, which was settled",
                outgoing.hash.unwrap_or_default(),
                outgoing.sender
            ));
        }
        if is_final && outgoing.purpose() == Purpose::Deploy {
            store::connection::set_factory(unit.database, chain, false)?;
        }
        // The money of a settled revert was returned: sent again, the payout could succeed.
        let is_reverted = is_final && outgoing.succeeded == Some(false);
        let is_void = is_reverted
            || outgoing.status == Status::Refused
            || outgoing.purpose() == Purpose::Unknown;
        let latest = store::outgoing_attempt::latest_attempt(unit.database, outgoing.id)?;
        let has_filler = latest.as_ref().is_some_and(|attempt| attempt.is_filler);
        let is_signed = latest.is_some_and(|attempt| attempt.signed.is_some());
        let was_settled = outgoing.status == Status::Settled;
        let outgoing = Outgoing {
            status: match (is_void && !has_filler, is_signed) {
                (true, _) => Status::Abandoned,
                (false, true) => Status::Signed,
                (false, false) => Status::Unsigned,
            },
            block: None,
            hash: None,
            succeeded: None,
            fee: None,
            ..outgoing
        };
        store::outgoing::update(unit.database, &outgoing, Some(unit.now), unit.now)?;
        if was_settled && let Purpose::Payout(organisation, payment) = outgoing.purpose() {
            let what = format!("payout {payment}");
            due_job::run(unit, &what, |unit| {
                Ok(payout::unsettled(unit, (organisation, payment))?)
            })?;
        }
    }
    Ok(())
}

/// The reserved money covers the booking: only the database can fail.
pub(super) fn done(outcome: Outcome<()>) -> Result<(), StoreError> {
    outcome.map_err(|refusal: Refusal| refusal.unexpected("a payout could not be booked"))
}
