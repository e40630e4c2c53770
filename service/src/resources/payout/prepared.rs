//! Payouts from a merchant's own wallet after `prepare`: recognised when a block brings them.

use std::time::Duration;

use settlekit_core::account::Account;
use settlekit_core::payment::{Payment, PaymentStatus};
use settlekit_core::value::{MovementId, OrganisationId, PaymentId, Timestamp};

use super::progress::{self, locked, record_transaction};
use crate::resources::account::book::Money;
use crate::store;
use crate::store::sql::StoreError;
use crate::unit::Unit;

/// How far the clocks of a chain and of this service may come to differ. An unrecognised payout would be signed again, which is worse than
/// a payout that an equal transfer of the last minutes pays.
const CLOCK_GAP_MAX: Duration = Duration::from_secs(5 * 60);

/// The prepared payout that a transfer from an address of an account pays out: one whose transaction a reorganisation took away,
/// which the wallet may have replaced, else the oldest that nobody has signed. If none was prepared from this address, one from
/// another address of the extended public key is paid by it: it must not be signed again. A transfer that was mined before a payout was
/// created pays another debt, however late its block is read: after a halt, the latest known block says nothing about its age.
pub(crate) fn find_prepared(
    unit: &mut Unit<'_>,
    account: &Account,
    (from, to): (&str, &str),
    money: &Money,
    mined_at: Timestamp,
) -> Result<Option<PaymentId>, StoreError> {
    let (organisation, now) = (account.org_id, unit.now);
    let units = money.units;
    let reorganised = store::withdrawal::reorganised_payouts(unit.database, account, to, units)?;
    let unsigned = store::payout::prepared(unit.database, organisation, to, units)?;
    let mut from_another = None;
    for (ids, is_unsigned) in [(reorganised, false), (unsigned, true)] {
        for id in ids {
            let payment = store::payment::LISTING.lock(unit.database, organisation, id)?;
            let payment = payment.filter(|payment| {
                is_open(payment, account, money) && !is_mined_before(mined_at, payment, now)
            });
            let Some(payment) = payment else {
                continue;
            };
            if payment.sender_address.as_deref() == Some(from) {
                return Ok(Some(id));
            }
            if is_unsigned && from_another.is_none() && is_from(unit, &payment, account)? {
                from_another = Some(id);
            }
        }
    }
    Ok(from_another)
}

/// Whether a payout of a currency on an account's chain can still be paid.
fn is_open(payout: &Payment, account: &Account, money: &Money) -> bool {
    matches!(
        payout.status,
        PaymentStatus::Pending | PaymentStatus::Processing
    ) && payout.currency == money.currency
        && payout.chain_id == account.chain_id
}

/// Whether a transfer was mined before a payout was created. A creation time in the future is ignored: a clock was ahead.
fn is_mined_before(mined_at: Timestamp, payout: &Payment, now: Timestamp) -> bool {
    payout.created_at <= now && mined_at.plus(CLOCK_GAP_MAX) < payout.created_at
}

/// Whether a payout is of an account, or of a deleted one whose wallet the account has taken over. Of an extended public key that is its
/// first address; the other addresses stay with the deleted account.
fn is_from(unit: &mut Unit<'_>, payout: &Payment, account: &Account) -> Result<bool, StoreError> {
    let Some(from) = payout.from_account.as_ref().map(|from| from.id) else {
        return Ok(false);
    };
    if from == account.id {
        return Ok(true);
    }
    let from = store::account::LISTING.find(unit.database, account.org_id, from)?;
    Ok(from.is_some_and(|from| from.address.is_some() && from.address == account.address))
}

/// A block brought the transaction of a prepared payout, from this address.
pub(crate) fn record_prepared_mined(
    unit: &mut Unit<'_>,
    (organisation, id): (OrganisationId, PaymentId),
    movement: MovementId,
    (from, hash): (&str, &str),
) -> Result<(), StoreError> {
    let (payment, _) = locked(unit, (organisation, id))?;
    let payment = Payment {
        sender_address: Some(from.to_owned()),
        ..payment
    };
    store::payout::set_movement(unit.database, organisation, id, movement)?;
    record_transaction(unit, &payment, (hash, unit.now))?;
    match payment.status {
        // Another transaction had been in a block before.
        PaymentStatus::Processing => Ok(()),
        _ => set_status(unit, payment, PaymentStatus::Processing),
    }
}

/// The transaction of a prepared payout has its confirmations, or is lost. If another one pays the payout out since, nothing
/// changes.
pub(crate) fn finish_prepared(
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
    set_status(unit, payment, status)
}

fn set_status(
    unit: &mut Unit<'_>,
    payment: Payment,
    status: PaymentStatus,
) -> Result<(), StoreError> {
    let changed = progress::set_payout_status(unit, payment, status);
    changed
        .map(drop)
        .map_err(|refusal| refusal.unexpected("a prepared payout could not change its status"))
}
