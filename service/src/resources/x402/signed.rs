//! The signed transfer of a payment: read, compared with the terms, and its state.

use std::time::Duration;

use alloy_primitives::{Address, B256, U256};
use settlekit_core::chain::Asset;
use settlekit_core::value::{ChainId, Timestamp};
use settlekit_core::x402::{self, Failure};

use super::X402Error;
use crate::chains::authorization::is_executable;
use crate::evm::authorization::Authorization;
use crate::money::connection::Connection;
use crate::resources::payment;
use crate::resources::signed_transfer::{SignedTransfer, TransferTerms, time_of};
use crate::store;
use crate::store::authorization::{Authorized, Key, Status};
use crate::store::sql::StoreError;
use crate::unit::Unit;

/// The time that is left at least to execute a transfer: a block of a usual chain, and some seconds to send it.
const VALID_FOR_MIN: Duration = Duration::from_secs(15);

/// The longest time that a transfer may be valid for. Until then anybody can execute it.
const VALID_FOR_MAX: Duration = Duration::from_secs(60 * 60);

/// Reads a transfer of a token that its sender has signed.
pub(super) fn read(
    unit: &mut Unit<'_>,
    (chain, asset): (ChainId, &Asset),
    given: &x402::Authorization,
) -> Result<SignedTransfer, X402Error> {
    let domain = store::token_domain::find(unit.database, chain, &asset.symbol)?;
    let domain = domain.ok_or(Failure::UnsupportedToken)?;
    let token = asset.token_address.as_deref().unwrap_or_default();
    let token: Address = token.parse().map_err(|_| Failure::UnsupportedToken)?;
    let address = |text: &str| {
        text.parse::<Address>()
            .map_err(|_| Failure::MalformedPayload)
    };
    let authorization = Authorization {
        from: address(&given.from)?,
        to: address(&given.to)?,
        value: given
            .value
            .parse::<U256>()
            .map_err(|_| Failure::MalformedPayload)?,
        valid_after: given.valid_after,
        valid_before: given.valid_before,
        nonce: given
            .nonce
            .parse::<B256>()
            .map_err(|_| Failure::MalformedPayload)?,
    };
    let signature = authorization.signed(&domain, (chain, token), &given.signature);
    Ok((authorization, signature.ok_or(Failure::InvalidSignature)?))
}

/// Compares a transfer with the terms, in any state: a transfer that paid one resource pays no dearer one.
pub(super) fn compare(
    terms: &TransferTerms,
    (authorization, _): &SignedTransfer,
) -> Result<(), Failure> {
    if authorization.to != terms.to {
        return Err(Failure::ReceiverMismatch);
    }
    match authorization.value == U256::from(terms.units.unsigned_abs()) {
        true => Ok(()),
        false => Err(Failure::AmountMismatch),
    }
}

/// Whether a transfer can be executed now.
pub(super) fn check_time(
    now: Timestamp,
    terms: &TransferTerms,
    (authorization, _): &SignedTransfer,
) -> Result<(), Failure> {
    // A simulated chain executes it at once, and its clock is not that of the client.
    if let Connection::Simulated(_) = terms.connection {
        return Ok(());
    }
    if time_of(authorization.valid_after).is_none_or(|after| after >= now) {
        return Err(Failure::NotYetValid);
    }
    let (earliest, latest) = (now.plus(VALID_FOR_MIN), now.plus(VALID_FOR_MAX));
    let before = time_of(authorization.valid_before);
    match before.is_some_and(|before| before >= earliest && before <= latest) {
        true => Ok(()),
        false => Err(Failure::Expired),
    }
}

/// When a payment by a transfer expires if nothing executes it.
pub(super) fn payment_expiry(
    now: Timestamp,
    terms: &TransferTerms,
    (authorization, _): &SignedTransfer,
) -> Timestamp {
    match terms.connection {
        Connection::Evm(_) => time_of(authorization.valid_before).unwrap_or(now),
        Connection::Simulated(_) => now.plus(payment::VALIDITY),
    }
}

/// The state of a signed transfer.
pub(super) enum TransferState {
    New,
    /// It was accepted, and no block has it.
    UnderWay(Authorized),
    /// The transaction of this hash has executed it.
    Executed(Authorized, String),
    /// Its transaction failed, and anybody can still execute it. A payer who signs another may pay twice.
    Executable(Authorized),
    /// Its transaction failed, and it has expired.
    Failed,
}

/// The state of a transfer. Another transfer that was signed with the same nonce has used it.
pub(super) fn transfer_state(
    unit: &mut Unit<'_>,
    (chain, asset): (ChainId, &Asset),
    (authorization, _): &SignedTransfer,
) -> Result<TransferState, X402Error> {
    let key = Key {
        chain,
        currency: asset.symbol.clone(),
        payer: authorization.from,
        nonce: authorization.nonce,
    };
    let Some(known) = store::authorization::by_nonce(unit.database, &key)? else {
        return Ok(TransferState::New);
    };
    let is_same = known.to == authorization.to
        && authorization.value == U256::from(known.units.unsigned_abs());
    if !is_same {
        return Err(Failure::NonceUsed.into());
    }
    state_of(unit, known).map_err(X402Error::from)
}

/// The state of a transfer that was just accepted.
pub(super) fn accepted_state(unit: &mut Unit<'_>, id: i64) -> Result<TransferState, StoreError> {
    let accepted = store::authorization::lock(unit.database, id)?;
    let accepted = accepted.ok_or_else(|| StoreError::Broken("a new row is not there".into()))?;
    state_of(unit, accepted)
}

/// The state of an accepted transfer.
fn state_of(unit: &mut Unit<'_>, known: Authorized) -> Result<TransferState, StoreError> {
    if let Some(hash) = store::authorization::transfer_hash(unit.database, known.id)? {
        return Ok(TransferState::Executed(known, hash));
    }
    Ok(match known.status {
        Status::Failed if is_executable(unit.now, &known) => TransferState::Executable(known),
        Status::Failed => TransferState::Failed,
        Status::Open | Status::Executed => TransferState::UnderWay(known),
    })
}
