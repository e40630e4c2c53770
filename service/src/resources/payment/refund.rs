//! Refunds: to the senders, oldest first, or to a given address.
//!
//! A refund is a payout for each address, whose parent is the payment. The refunded part of each deposit is recorded when the
//! refund is accepted, so that nothing is refunded twice; the payment and its deposits change when the payout is confirmed.

use serde_json::{Value, json};
use settlekit_core::account::MovementStatus;
use settlekit_core::error::Reason;
use settlekit_core::event::EventAction;
use settlekit_core::paylink::Source;
use settlekit_core::payment::{Payment, PaymentStatus};
use settlekit_core::value::{
    Amount, MovementId, Object, OrganisationId, PaymentId, Timestamp, UserId,
};

use super::progress::{damaged, move_to, transaction_changed};
use super::spent::update_spent;
use super::{due_at, scale_of, with_transactions};
use crate::resources::account::book::Money;
use crate::resources::{account, event, payout};
use crate::store;
use crate::store::destination::Destination;
use crate::store::sql::StoreError;
use crate::store::transaction::Seen;
use crate::unit::{Outcome, Refusal, Unit};

/// The key of refund reasons in a payment's `properties`, oldest first.
const REFUNDS: &str = "refunds";

/// The key of the reason in the `properties` of a refund's payout.
const REASON: &str = "reason";

/// A refund as its caller asks for it.
pub(crate) struct NewRefund {
    /// In the currency's smallest unit; the whole remainder when absent.
    pub(crate) units: Option<i128>,
    /// The senders when absent.
    pub(crate) to: Option<Destination>,
    pub(crate) reason: Option<String>,
    pub(crate) source: Source,
    /// The member who asks for it.
    pub(crate) created_by: Option<UserId>,
}

/// The payment's properties with the reason of a confirmed refund added.
fn with_reason(payment: &Payment, amount: Amount, reason: &Value, now: Timestamp) -> Object {
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

/// The amounts of a payment's deposits that refunds returned, and that are still under way, in the currency's smallest unit.
struct Returned {
    parts: Vec<store::refund::Part>,
}

impl Returned {
    fn of(unit: &mut Unit<'_>, payment: &Payment) -> Result<Self, StoreError> {
        let mut parts = store::refund::parts(unit.database, payment.org_id, payment.id)?;
        // The money of a failed or canceled refund is where it was.
        parts.retain(|part| {
            matches!(
                part.status,
                PaymentStatus::Pending | PaymentStatus::Processing | PaymentStatus::Confirmed
            )
        });
        Ok(Self { parts })
    }

    /// Of one deposit, by its movement.
    fn of_deposit(&self, movement: MovementId) -> i128 {
        let parts = self.parts.iter();
        let parts = parts.filter(|part| part.movement == movement);
        parts.map(|part| part.units).sum()
    }

    /// Of one deposit, confirmed only.
    fn confirmed_of(&self, movement: MovementId) -> i128 {
        let parts = self.parts.iter();
        let parts = parts
            .filter(|part| part.movement == movement && part.status == PaymentStatus::Confirmed);
        parts.map(|part| part.units).sum()
    }

    fn sum(&self, is_confirmed: bool) -> i128 {
        let parts = self.parts.iter();
        let parts = parts.filter(|part| (part.status == PaymentStatus::Confirmed) == is_confirmed);
        parts.map(|part| part.units).sum()
    }

    /// The payment with the amounts of its refunds.
    fn shown_on(&self, payment: Payment, scale: u32) -> Result<Payment, StoreError> {
        let shown = |units: i128| match units {
            0 => Ok(None),
            units => Amount::from_units(units, scale).map(Some).map_err(damaged),
        };
        Ok(Payment {
            refunded_amount: shown(self.sum(true))?,
            refunding_amount: shown(self.sum(false))?,
            ..payment
        })
    }
}

/// The part of a deposit that a refund returns.
struct Part<'a> {
    deposit: &'a Seen,
    units: i128,
}

/// The deposits of a refund: oldest first, without what earlier refunds return.
fn parts<'a>(deposits: &'a [Seen], returned: &Returned, units: i128) -> Vec<Part<'a>> {
    let mut left = units;
    let mut parts = Vec::new();
    for deposit in deposits {
        let gone = returned.of_deposit(deposit.movement);
        let units = left.min(deposit.units.saturating_sub(gone));
        if units > 0 {
            left -= units;
            parts.push(Part { deposit, units });
        }
    }
    parts
}

/// The confirmed deposits in a payment's currency, in booking order. Unconfirmed ones may fail and cannot be refunded.
fn deposits(unit: &mut Unit<'_>, payment: &Payment) -> Result<Vec<Seen>, StoreError> {
    let mut deposits = store::transaction::booked(unit.database, payment.org_id, payment.id)?;
    deposits.retain(|seen| seen.currency == payment.currency);
    Ok(deposits)
}

fn sum(deposits: &[Seen]) -> i128 {
    let units = deposits.iter().map(|seen| seen.units);
    units.fold(0, i128::saturating_add)
}

/// Refunds a payment or a part of it: sends payouts, which end it.
pub(crate) fn refund(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    id: PaymentId,
    new: NewRefund,
) -> Outcome<Payment> {
    let payment = store::payment::LISTING
        .lock(unit.database, organisation, id)?
        .ok_or_else(|| Refusal::not_found("payment"))?;
    let scale = scale_of(unit, &payment)?;
    let deposits = deposits(unit, &payment)?;
    if deposits.is_empty() {
        return Err(Refusal::state_forbids("nothing has been paid"));
    }
    let returned = Returned::of(unit, &payment)?;
    let left = sum(&deposits) - returned.sum(true) - returned.sum(false);
    if !payment.may_refund() {
        return Err(Refusal::state_forbids(format!(
            "a {} payment cannot be refunded",
            payment.status
        )));
    }
    if left <= 0 {
        return Err(Refusal::state_forbids(
            "all that was paid is refunded, or on its way back",
        ));
    }
    let units = new.units.unwrap_or(left);
    if units <= 0 || units > left {
        return Err(Refusal::field(
            "amount",
            Reason::OutOfRange,
            "must be greater than zero and at most the amount left to refund",
        ));
    }
    send(
        unit,
        &payment,
        scale,
        &parts(&deposits, &returned, units),
        new,
    )?;
    let payment = Returned::of(unit, &payment)?.shown_on(payment, scale)?;
    let payment = Payment {
        updated_at: unit.now,
        ..payment
    };
    store::payment::update(unit.database, &payment, &payment.status, due_at(&payment))?;
    let payment = with_transactions(unit, payment)?;
    event::record(unit, payment.org_id, EventAction::Updated, &payment)?;
    Ok(payment)
}

/// Sends the parts of a refund back, with one payout for each address and account.
fn send(
    unit: &mut Unit<'_>,
    payment: &Payment,
    scale: u32,
    parts: &[Part<'_>],
    new: NewRefund,
) -> Outcome<()> {
    let mut payouts: Vec<(Destination, Vec<&Part<'_>>)> = Vec::new();
    for part in parts {
        let sender = part.deposit.from_address.clone();
        let to = new.to.clone().or_else(|| sender.map(Destination::recorded));
        let to = to.ok_or_else(|| {
            Refusal::field(
                "address",
                Reason::Required,
                "is required: the sender of the money is unknown",
            )
        })?;
        let is_with = |(known, parts): &&mut (Destination, Vec<&Part<'_>>)| {
            *known == to && parts[0].deposit.account == part.deposit.account
        };
        match payouts.iter_mut().find(is_with) {
            Some((_, parts)) => parts.push(part),
            None => payouts.push((to, vec![part])),
        }
    }
    let organisation = payment.org_id;
    for (to, parts) in payouts {
        let first = parts[0].deposit;
        let account = store::account::LISTING
            .find(unit.database, organisation, first.account)?
            .ok_or_else(|| Refusal::not_found("account"))?;
        let reason = new.reason.as_ref();
        let reason = reason.map(|reason| Object::from_iter([(REASON.to_owned(), json!(reason))]));
        let order = payout::NewPayout {
            to,
            destination_name: None,
            reference: None,
            metadata: None,
            source: new.source.clone(),
            properties: reason,
            created_by: new.created_by,
            refunded: Some(payment.id),
        };
        let units = parts.iter().map(|part| part.units).sum();
        let money = Money::new(&payment.currency, units);
        let sent = payout::send_back(unit, &account, (first.chain, scale), money, order)?;
        for part in parts {
            let of = (part.deposit.movement, part.units);
            store::refund::insert(unit.database, organisation, (payment.id, sent.id), of)?;
        }
    }
    Ok(())
}

/// Records the end of a refund's payout on its payment: confirmed, the money is refunded; else it is where it was.
pub(crate) fn refund_ended(unit: &mut Unit<'_>, payout: &Payment) -> Outcome<()> {
    let Some(id) = payout.parent_id else {
        return Ok(());
    };
    let payment = store::payment::LISTING
        .lock(unit.database, payout.org_id, id)?
        .ok_or_else(|| StoreError::Damaged("a refund has no payment".into()))?;
    let scale = scale_of(unit, &payment)?;
    let returned = Returned::of(unit, &payment)?;
    let payment = returned.shown_on(payment, scale)?;
    if payout.status != PaymentStatus::Confirmed {
        store::payment::update(unit.database, &payment, &payment.status, due_at(&payment))?;
        // The money of a failed refund counts as paid again.
        return Ok(transaction_changed(unit, payment.org_id, payment.id)?);
    }
    let deposits = deposits(unit, &payment)?;
    for deposit in &deposits {
        mark(unit, deposit, &returned)?;
    }
    let reason = payout.properties.as_ref();
    let reason = reason.and_then(|properties| properties.get(REASON));
    let payment = Payment {
        properties: match reason {
            Some(reason) => Some(with_reason(&payment, payout.amount, reason, unit.now)),
            None => payment.properties.clone(),
        },
        updated_at: unit.now,
        ..payment
    };
    let after = match returned.sum(true) >= sum(&deposits) {
        true => PaymentStatus::Refunded,
        false => PaymentStatus::PartialRefunded,
    };
    if payment.status == after {
        // A further partial refund changes the record, not the status.
        store::payment::update(unit.database, &payment, &after, None)?;
        update_spent(unit, &payment)?;
        let payment = with_transactions(unit, payment)?;
        return Ok(event::record(
            unit,
            payment.org_id,
            EventAction::Refunded,
            &payment,
        )?);
    }
    move_to(unit, payment, after).map(drop)
}

/// Sets the refund status of a deposit's movement.
fn mark(unit: &mut Unit<'_>, deposit: &Seen, returned: &Returned) -> Outcome<()> {
    let units = returned.confirmed_of(deposit.movement);
    if units == 0 {
        return Ok(());
    }
    let organisation = deposit.organisation;
    let movement = store::movement::find_movement(unit.database, organisation, deposit.movement)?
        .ok_or_else(|| StoreError::Damaged("a deposit has no movement".into()))?;
    let after = match units >= deposit.units {
        true => MovementStatus::Refunded,
        false => MovementStatus::PartialRefunded,
    };
    if movement.status != after {
        account::set_movement_status(unit, organisation, movement.id, &after, None)?;
    }
    Ok(())
}
