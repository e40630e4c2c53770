//! The operator's cost of signed transfers of payers: reserved when they are accepted, in the limit of a day and an organisation.

use settlekit_core::value::{ChainId, OrganisationId, Timestamp};

use crate::store;
use crate::store::authorization::Authorized;
use crate::store::connection::Connected;
use crate::store::outgoing::{Outgoing, Purpose};
use crate::store::payer_fees::FeeDay;
use crate::store::sql::StoreError;
use crate::unit::Unit;

/// About the gas of an executed authorization: USDC takes 62 000 to 85 000.
const GAS: i128 = 100_000;

/// The most that an authorization may cost, in times of what was reserved for it.
const DEARER_MAX: i128 = 3;

/// The most in wei that one may cost now.
pub(super) const fn reserved(connected: &Connected) -> i128 {
    connected.max_fee().saturating_mul(GAS)
}

/// The day of an organisation on a chain.
pub(super) fn fee_day(at: Timestamp, (chain, organisation): (ChainId, OrganisationId)) -> FeeDay {
    FeeDay {
        chain,
        organisation,
        day: at.day_number(),
    }
}

/// Writes what an authorization costs or may cost, and changes what its day has cost.
pub(super) fn set_fee(
    unit: &mut Unit<'_>,
    before: Authorized,
    fee: i128,
) -> Result<(), StoreError> {
    let day = fee_day(before.created_at, (before.chain, before.organisation));
    // The days before today are forgotten.
    if day.day == unit.now.day_number() {
        let change = fee.saturating_sub(before.network_fee);
        store::payer_fees::add(unit.database, day, change)?;
    }
    let after = Authorized {
        network_fee: fee,
        ..before
    };
    store::authorization::update(unit.database, &after, unit.now)
}

/// Whether a form of a transaction could cost far more than was reserved for it when it was accepted: fees have risen since.
pub(super) fn is_too_dear(
    unit: &mut Unit<'_>,
    outgoing: &Outgoing,
    cost: i128,
) -> Result<bool, StoreError> {
    if outgoing.purpose() != Purpose::Authorization {
        return Ok(false);
    }
    let authorized = store::authorization::of_transaction(unit.database, outgoing.id)?;
    Ok(
        authorized
            .is_none_or(|authorized| cost > authorized.network_fee.saturating_mul(DEARER_MAX)),
    )
}
