//! Refunds: to the senders, oldest first, or to a given address.

use serde_json::{Value, json};
use settlekit_core::account::{Account, MovementStatus};
use settlekit_core::error::Reason;
use settlekit_core::event::EventAction;
use settlekit_core::find::FoundKind;
use settlekit_core::payment::{Payment, PaymentStatus};
use settlekit_core::value::{Amount, Object, OrganisationId, PaymentId, Timestamp};

use super::progress::{damaged, move_to};
use super::{scale_of, with_transactions};
use crate::money::connection;
use crate::money::outflow::need_held;
use crate::resources::account::{self, book};
use crate::resources::event;
use crate::store;
use crate::store::destination::Destination;
use crate::store::sql::StoreError;
use crate::store::transaction::Seen;
use crate::unit::{Outcome, Refusal, Unit};

/// The key of refund reasons in a payment's `properties`, oldest first.
const REFUNDS: &str = "refunds";

/// The payment's properties with the reason of a refund added.
fn with_reason(payment: &Payment, amount: Amount, reason: String, now: Timestamp) -> Object {
    let mut properties = payment.properties.clone().unwrap_or_default();
    let refund = json!({ "amount": amount, "reason": reason, "at": now });
    match properties.get_mut(REFUNDS).and_then(Value::as_array_mut) {
        Some(refunds) => refunds.push(refund),
        None => {
            properties.insert(REFUNDS.to_owned(), Value::Array(vec![refund]));
        }
    }
    properties
}

/// The refunded part of a deposit.
struct Part {
    deposit: Seen,
    units: i128,
    /// The deposit is then fully refunded.
    whole: bool,
}

/// The deposits of a refund: oldest first, after earlier refunds.
fn parts(deposits: &[Seen], refunded: i128, units: i128) -> Vec<Part> {
    let (mut before, mut left) = (refunded, units);
    let mut parts = Vec::new();
    for deposit in deposits {
        let gone = before.min(deposit.units);
        before -= gone;
        let taken = left.min(deposit.units - gone);
        left -= taken;
        if taken > 0 {
            parts.push(Part {
                deposit: deposit.clone(),
                units: taken,
                whole: gone + taken == deposit.units,
            });
        }
    }
    parts
}

/// Refunds a payment or a part of it.
pub(crate) fn refund(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    id: PaymentId,
    units: Option<i128>,
    to: Option<Destination>,
    reason: Option<String>,
) -> Outcome<Payment> {
    let payment = store::payment::LISTING
        .lock(unit.database, organisation, id)?
        .ok_or_else(|| Refusal::not_found("payment"))?;
    let scale = scale_of(unit, &payment)?;
    // Unconfirmed deposits may fail and cannot be refunded.
    let mut deposits = store::transaction::booked(unit.database, organisation, id)?;
    deposits.retain(|seen| seen.currency == payment.currency);
    let first = deposits
        .first()
        .ok_or_else(|| Refusal::state_forbids("nothing has been paid"))?;
    let paid = deposits
        .iter()
        .fold(0_i128, |sum, seen| sum.saturating_add(seen.units));
    let refunded = payment.refunded_amount.unwrap_or(Amount::ZERO);
    let refunded = refunded.to_units(scale).map_err(damaged)?;
    // More may have arrived since a full refund.
    let is_gone = payment.status == PaymentStatus::Refunded && refunded == paid;
    if is_gone || !payment.may_refund() {
        return Err(Refusal::state_forbids(format!(
            "a {} payment cannot be refunded",
            payment.status
        )));
    }
    let units = units.unwrap_or(paid - refunded);
    if units <= 0 || units > paid - refunded {
        return Err(Refusal::field(
            "amount",
            Reason::OutOfRange,
            "must be greater than zero and at most the amount left to refund",
        ));
    }
    let account = store::account::LISTING
        .find(unit.database, organisation, first.account)?
        .ok_or_else(|| Refusal::not_found("account"))?;
    if let Some(chain) = account.chain_id {
        connection::connected(unit, chain, None)?;
    }
    need_held(&account, None)?;
    let parts = parts(&deposits, refunded, units);
    send(unit, &payment, &account, &parts, to)?;
    for part in &parts {
        mark(unit, part)?;
    }
    let after = if refunded + units == paid {
        PaymentStatus::Refunded
    } else {
        PaymentStatus::PartialRefunded
    };
    let shown = |units| Amount::from_units(units, scale).map_err(damaged);
    let properties = match reason {
        Some(reason) => Some(with_reason(&payment, shown(units)?, reason, unit.now)),
        None => payment.properties.clone(),
    };
    let payment = Payment {
        refunded_amount: Some(shown(refunded + units)?),
        properties,
        ..payment
    };
    if payment.status == after {
        // A further partial refund changes the record, not the status.
        let payment = Payment {
            updated_at: unit.now,
            ..payment
        };
        store::payment::update(unit.database, &payment, &after, None)?;
        let payment = with_transactions(unit, payment)?;
        event::record(unit, payment.org_id, EventAction::Refunded, &payment)?;
        return Ok(payment);
    }
    move_to(unit, payment, after)
}

/// Sends the parts of a refund, merged per address.
fn send(
    unit: &mut Unit<'_>,
    payment: &Payment,
    account: &Account,
    parts: &[Part],
    to: Option<Destination>,
) -> Outcome<()> {
    let mut sums: Vec<(Destination, i128)> = Vec::new();
    for part in parts {
        let sender = part.deposit.from_address.clone();
        let to = to.clone().or_else(|| sender.map(Destination::recorded));
        let to = to.ok_or_else(|| {
            Refusal::field(
                "address",
                Reason::Required,
                "is required: the sender of the money is unknown",
            )
        })?;
        match sums.iter_mut().find(|(known, _)| *known == to) {
            Some((_, sum)) => *sum += part.units,
            None => sums.push((to, part.units)),
        }
    }
    for (to, units) in sums {
        let money = book::Money {
            currency: payment.currency.clone(),
            units,
        };
        let entity = Some(payment.id.to_string());
        let sent = book::withdraw(unit, account, &money, None, &to, entity)
            .map_err(|refusal| refusal.of_funds("amount"))?;
        let hash = sent.transaction_hash.as_deref();
        let found = (FoundKind::Payment, payment.id);
        store::find::note(unit.database, payment.org_id, found, hash)?;
    }
    Ok(())
}

/// Marks a deposit's movement as refunded.
fn mark(unit: &mut Unit<'_>, part: &Part) -> Outcome<()> {
    let organisation = part.deposit.organisation;
    let movement = store::movement::find(unit.database, organisation, part.deposit.movement)?
        .ok_or_else(|| StoreError::Damaged("a deposit has no movement".into()))?;
    let after = if part.whole {
        MovementStatus::Refunded
    } else {
        MovementStatus::PartialRefunded
    };
    if movement.status != after {
        let status = (&movement.status, &after);
        account::set_movement_status(unit, organisation, movement.id, status, None)?;
    }
    Ok(())
}
