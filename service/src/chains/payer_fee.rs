//! The operator's cost of signed transfers of payers: reserved when they are accepted, in the limit of a day and an organisation.

use settlekit_core::chain::PayerFees;
use settlekit_core::payment::Payment;
use settlekit_core::value::amount::UNITS_MAX;
use settlekit_core::value::{Amount, ChainId, Currency, OrganisationId, Timestamp};

use crate::money::prices;
use crate::money::test_network::is_test_network;
use crate::store;
use crate::store::authorization::Authorized;
use crate::store::connection::Connected;
use crate::store::movement::WORTH_SCALE;
use crate::store::outgoing::{Outgoing, Purpose};
use crate::store::payer_fees::FeeDay;
use crate::store::sql::StoreError;
use crate::unit::Unit;

/// About the gas of an executed authorization: USDC takes 62 000 to 85 000.
const GAS: i128 = 100_000;

/// The highest cost of an authorization, as a multiple of its reserve.
const DEARER_MAX: i128 = 3;

/// Decimal places of native coins.
const NATIVE_SCALE: u32 = 18;

/// The most in wei that one may cost now.
pub(super) fn reserved(connected: &Connected) -> i128 {
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

/// Writes the cost of an authorization, or its reserve, and changes the cost of its day.
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

/// Stores the worth of a mined transaction's fee now. A reorganisation takes the fee away, and its next block brings another.
pub(super) fn mined(
    unit: &mut Unit<'_>,
    outgoing: &Outgoing,
    (native, fee): (&Currency, i128),
) -> Result<(), StoreError> {
    let usd = match is_test_network(unit, outgoing.chain)? {
        true => None,
        false => prices::of(unit, [native])?.usd_of(fee, NATIVE_SCALE, native),
    };
    store::payer_transaction::set_usd(unit.database, outgoing.id, usd)
}

/// A payment with the network fee that the operator paid for it.
pub(crate) fn with_network_fee(
    unit: &mut Unit<'_>,
    payment: Payment,
) -> Result<Payment, StoreError> {
    let paid = store::payer_transaction::fees(unit.database, (payment.org_id, payment.id))?;
    let Some(first) = paid.first() else {
        return Ok(payment);
    };
    let known = store::chain::find(unit.database, first.chain)?;
    let known = known.ok_or_else(|| StoreError::Damaged("a fee of an unknown chain".to_owned()))?;
    let too_large = |_| StoreError::Damaged("a network fee is too large".to_owned());
    let wei = paid.iter().fold(0_i128, |sum, paid| {
        sum.saturating_add(paid.fee).min(UNITS_MAX)
    });
    // Without the price of one, the sum would be too low.
    let usd = paid
        .iter()
        .try_fold(0_i128, |sum, paid| sum.checked_add(paid.usd?));
    let usd = usd.map(|usd| Amount::from_units(usd, WORTH_SCALE));
    Ok(Payment {
        network_fee: Some(Amount::from_units(wei, NATIVE_SCALE).map_err(too_large)?),
        network_fee_currency: Some(known.chain.native_currency_symbol.clone()),
        network_fee_usd: usd.transpose().map_err(too_large)?,
        ..payment
    })
}

/// How much of today's limit of an organisation is used on a chain; `None` if the operator pays no fees there.
pub(crate) fn today(
    unit: &mut Unit<'_>,
    connected: &Connected,
    organisation: OrganisationId,
) -> Result<Option<PayerFees>, StoreError> {
    let Some(limit) = connected.payer_fees_per_day else {
        return Ok(None);
    };
    let of = (connected.chain, organisation);
    let used = store::payer_fees::spent(unit.database, fee_day(unit.now, of))?;
    let shown = |wei: i128| {
        let amount = Amount::from_units(wei.min(UNITS_MAX), NATIVE_SCALE);
        amount.map_err(|_| StoreError::Damaged("a limit of network fees is too large".to_owned()))
    };
    Ok(Some(PayerFees {
        limit_per_day: shown(limit)?,
        used_today: shown(used)?,
    }))
}
