//! Payouts from a merchant's own wallet after `prepare`: recognised when a block brings them.

use settlekit_core::account::Account;
use settlekit_core::payment::{Payment, PaymentStatus};
use settlekit_core::value::{MovementId, OrganisationId, PaymentId};

use super::progress::{self, locked, note_sent};
use crate::resources::account::book::Money;
use crate::store;
use crate::store::sql::StoreError;
use crate::unit::Unit;

/// The prepared payout of an account that a transfer from one of its addresses pays out: one whose transaction a reorganisation took
/// away, which the wallet may have replaced, else the oldest that nobody has signed.
pub(crate) fn prepared_for(
    unit: &mut Unit<'_>,
    account: &Account,
    (from, to): (&str, &str),
    money: &Money,
) -> Result<Option<PaymentId>, StoreError> {
    let organisation = account.org_id;
    let units = money.units;
    let mut found = store::withdrawal::adrift_payouts(unit.database, account, to, units)?;
    found.extend(store::payout::prepared(
        unit.database,
        organisation,
        to,
        units,
    )?);
    for id in found {
        let payment = store::payment::LISTING.lock(unit.database, organisation, id)?;
        let is_meant = payment.is_some_and(|payment| {
            matches!(
                payment.status,
                PaymentStatus::Pending | PaymentStatus::Processing
            ) && payment.currency == money.currency
                && payment.sender_address.as_deref() == Some(from)
                && payment.chain_id == account.chain_id
                && (payment.from_account).is_some_and(|from| from.id == account.id)
        });
        if is_meant {
            return Ok(Some(id));
        }
    }
    Ok(None)
}

/// A block brought the transaction of a prepared payout.
pub(crate) fn prepared_is_mined(
    unit: &mut Unit<'_>,
    (organisation, id): (OrganisationId, PaymentId),
    movement: MovementId,
    hash: &str,
) -> Result<(), StoreError> {
    let (payment, _) = locked(unit, (organisation, id))?;
    store::payout::set_movement(unit.database, organisation, id, movement)?;
    note_sent(unit, &payment, (hash, unit.now))?;
    match payment.status {
        // Another transaction had been in a block before.
        PaymentStatus::Processing => Ok(()),
        _ => move_on(unit, payment, PaymentStatus::Processing),
    }
}

/// The transaction of a prepared payout has its confirmations, or is lost. If another one pays the payout out since, nothing
/// changes.
pub(crate) fn prepared_is_final(
    unit: &mut Unit<'_>,
    named: (OrganisationId, PaymentId),
    movement: MovementId,
    has_left: bool,
) -> Result<(), StoreError> {
    let (payment, payout) = locked(unit, named)?;
    if payout.movement != Some(movement) {
        return Ok(());
    }
    let (payment, status) = match has_left {
        true => {
            let paid_amount = payment.amount;
            let paid = Payment {
                paid_amount,
                ..payment
            };
            (paid, PaymentStatus::Confirmed)
        }
        false => (payment, PaymentStatus::Failed),
    };
    move_on(unit, payment, status)
}

fn move_on(unit: &mut Unit<'_>, payment: Payment, status: PaymentStatus) -> Result<(), StoreError> {
    let moved = progress::move_on(unit, payment, status);
    moved
        .map(drop)
        .map_err(|refusal| refusal.unexpected("a prepared payout could not go on"))
}
