//! The lifecycle of a payment: its status, changed with its event, and its transactions.

use std::cmp::Ordering;

use settlekit_core::event::EventAction;
use settlekit_core::payment::{
    NextAction, Payment, PaymentReason, PaymentStatus, TRANSITIONS, TimelineEntry,
    TransactionStatus,
};
use settlekit_core::value::amount::UNITS_MAX;
use settlekit_core::value::{Amount, AmountError, Currency, OrganisationId, PaymentId, Timestamp};

use super::spent::update_spent;
use super::{due_at, due_in_status, scale_of, with_seen, with_transactions};
use crate::chains::authorization;
use crate::money::prices;
use crate::money::rounding::Rounding;
use crate::resources::plan::Stock;
use crate::resources::{event, invoice, plan, subscription};
use crate::store;
use crate::store::authorization::Status;
use crate::store::paylink_day::PaylinkStep;
use crate::store::sql::StoreError;
use crate::store::transaction::Seen;
use crate::unit::{Outcome, Refusal, Unit};

/// Changes a payment's status, if the state machine allows it, with its event.
pub(crate) fn move_to(
    unit: &mut Unit<'_>,
    payment: Payment,
    status: PaymentStatus,
) -> Outcome<Payment> {
    let looked_at = due_in_status(&status, &payment);
    set_payment_status(unit, payment, status, looked_at, None)
}

/// As [`move_to`], with the time at which the service next processes the payment, and its transactions if they were read.
pub(crate) fn set_payment_status(
    unit: &mut Unit<'_>,
    payment: Payment,
    status: PaymentStatus,
    looked_at: Option<Timestamp>,
    seen: Option<&[Seen]>,
) -> Outcome<Payment> {
    if !TRANSITIONS.allows(&payment.status, &status) {
        return Err(Refusal::state_forbids(format!(
            "a {} payment cannot become {status}",
            payment.status
        )));
    }
    let payment = if status == PaymentStatus::Confirmed {
        subscription::subscribe(unit, payment)?
    } else {
        payment
    };
    let before = payment.status.clone();
    let mut timeline = payment.timeline.clone().unwrap_or_default();
    timeline.push(TimelineEntry {
        status: status.clone(),
        at: unit.now,
    });
    let payment = Payment {
        // The payer has no further step; a sent payout has none either.
        next_action: Some(NextAction::None),
        status,
        timeline: Some(timeline),
        updated_at: unit.now,
        ..payment
    };
    store::payment::update(unit.database, &payment, &before, looked_at)?;
    let action = match payment.status {
        PaymentStatus::Confirmed => EventAction::Settled,
        PaymentStatus::Canceled => EventAction::Canceled,
        PaymentStatus::Refunded | PaymentStatus::PartialRefunded => EventAction::Refunded,
        _ => EventAction::Updated,
    };
    let payment = match seen {
        Some(seen) => with_seen(unit, payment, seen)?,
        None => with_transactions(unit, payment)?,
    };
    event::record(unit, payment.org_id, action, &payment)?;
    let is_sold = payment.status == PaymentStatus::Confirmed;
    let ended_unpaid = matches!(
        payment.status,
        PaymentStatus::Canceled | PaymentStatus::Expired | PaymentStatus::Failed
    );
    if is_sold
        && payment.amount.is_positive()
        && let Some(customer) = payment.customer_id
    {
        store::customer::count_payment(unit.database, payment.org_id, customer, unit.now)?;
    }
    if matches!(
        payment.status,
        PaymentStatus::Confirmed | PaymentStatus::Refunded | PaymentStatus::PartialRefunded
    ) {
        update_spent(unit, &payment)?;
    }
    if is_sold && let Some(invoice) = payment.invoice_id {
        invoice::paid(unit, payment.org_id, invoice)?;
    }
    if let Some(paylink) = &payment.payment_link {
        if is_sold {
            plan::change_stock(unit, payment.org_id, paylink.plan_id, Stock::SellHeld)?;
            store::checkout_hold::paid(unit.database, payment.org_id, payment.id)?;
            let (link, paid) = ((payment.org_id, paylink.id), (PaylinkStep::Payment, 1));
            store::paylink_day::add(unit.database, link, unit.now.day_number(), paid)?;
        } else if ended_unpaid {
            plan::change_stock(unit, payment.org_id, paylink.plan_id, Stock::Release)?;
        }
    }
    Ok(payment)
}

/// The sums of the payer's transactions in the currency's smallest unit: those not failed, and those confirmed. A sum that
/// overflows is not counted: no balance can hold it, so it will fail.
pub(super) fn paid(payment: &Payment, seen: &[Seen]) -> (i128, i128, Option<String>) {
    let sum = |wanted: &dyn Fn(&TransactionStatus) -> bool| {
        seen.iter()
            .filter(|seen| wanted(&seen.status) && seen.currency == payment.currency)
            .fold(0_i128, |sum, seen| {
                sum.saturating_add(seen.units).min(UNITS_MAX)
            })
    };
    let sender = seen.iter().find_map(|seen| seen.from_address.clone());
    (
        sum(&|status| *status != TransactionStatus::Failed),
        sum(&|status| *status == TransactionStatus::Success),
        sender,
    )
}

/// The tolerated shortfall, in the currency's smallest unit.
fn tolerance(unit: &mut Unit<'_>, payment: &Payment, scale: u32) -> Result<i128, StoreError> {
    let settings = store::organisation::find(unit.database, payment.org_id)?;
    let thresholds = settings
        .and_then(|settings| settings.properties)
        .and_then(|properties| properties.underpay_thresholds);
    let Some(thresholds) = thresholds else {
        return Ok(0);
    };
    let usd: Option<Currency> = "USD".parse().ok();
    let in_usd = thresholds.underpay_tolerance_usd.zip(usd);
    let prices = match &in_usd {
        Some((_, usd)) => Some(prices::of(unit, [usd, &payment.currency])?),
        None => None,
    };
    let in_currency = thresholds
        .underpay_tolerance_amount
        .filter(|_| thresholds.underpay_tolerance_currency.as_ref() == Some(&payment.currency))
        .and_then(|amount| prices::in_units(Amount::from(amount), scale, Rounding::Down));
    let in_usd = in_usd.zip(prices).and_then(|((amount, usd), prices)| {
        let amount = Amount::from(amount);
        prices
            .convert(amount, &usd, &payment.currency, scale, Rounding::Down)?
            .ok()
    });
    Ok(in_currency.into_iter().chain(in_usd).max().unwrap_or(0))
}

/// The amounts due, in the currency's smallest unit.
pub(super) struct Due {
    pub(super) due: i128,
    /// The minimum that suffices.
    pub(super) least: i128,
    pub(super) scale: u32,
}

pub(super) fn damaged(_: AmountError) -> StoreError {
    StoreError::Damaged("a payment's amount is malformed".into())
}

pub(super) fn due(unit: &mut Unit<'_>, payment: &Payment) -> Result<Due, StoreError> {
    let scale = scale_of(unit, payment)?;
    let due = payment.amount.to_units(scale).map_err(damaged)?;
    let least = due.saturating_sub(tolerance(unit, payment, scale)?).max(1);
    Ok(Due { due, least, scale })
}

/// Updates a payment after a change of its transaction.
pub(crate) fn transaction_changed(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    id: PaymentId,
) -> Result<(), StoreError> {
    let Some(payment) = store::payment::LISTING.lock(unit.database, organisation, id)? else {
        return Ok(());
    };
    let seen = store::transaction::of_payment(unit.database, organisation, id)?;
    let (under_way, confirmed, sender) = paid(&payment, &seen);
    let Due { due, least, scale } = due(unit, &payment)?;
    let payment = Payment {
        next_action: Some(match payment.status {
            PaymentStatus::Processing if under_way >= least => NextAction::Wait,
            PaymentStatus::Processing => NextAction::SendFunds,
            _ => NextAction::None,
        }),
        paid_amount: Amount::from_units(under_way, scale).map_err(damaged)?,
        sender_address: sender.or(payment.sender_address),
        updated_at: unit.now,
        ..payment
    };
    // Money that a pending refund returns pays nothing.
    let refunding = payment.refunding_amount.unwrap_or(Amount::ZERO);
    let refunding = refunding.to_units(scale).map_err(damaged)?;
    let enough = confirmed.saturating_sub(refunding) >= least;
    let late = matches!(
        payment.status,
        PaymentStatus::Expired | PaymentStatus::Failed
    );
    let settles = enough
        && TRANSITIONS.allows(&payment.status, &PaymentStatus::Confirmed)
        && (!late || reclaim_stock(unit, &payment)?);
    if settles {
        let reason = if late {
            Some(PaymentReason::PaidLate)
        } else {
            measured(confirmed, due)
        };
        let payment = Payment {
            reason: reason.or(payment.reason),
            ..payment
        };
        let confirmed = PaymentStatus::Confirmed;
        return settle(set_payment_status(
            unit,
            payment,
            confirmed,
            None,
            Some(&seen),
        ));
    }
    let payment = Payment {
        reason: match &payment.status {
            _ if late && enough => Some(PaymentReason::PaidLate),
            // A later transaction may overpay, or complete an underpayment.
            PaymentStatus::Confirmed if payment.reason != Some(PaymentReason::PaidLate) => {
                measured(confirmed, due)
            }
            _ => payment.reason,
        },
        ..payment
    };
    store::payment::update(unit.database, &payment, &payment.status, due_at(&payment))?;
    update_spent(unit, &payment)?;
    let payment = with_seen(unit, payment, &seen)?;
    event::record(unit, payment.org_id, EventAction::Updated, &payment)
}

/// Records the event of a payment whose booked transaction lost its block in a reorganisation, or has one again. Nothing is settled
/// by it.
pub(crate) fn transaction_moved(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    id: PaymentId,
) -> Result<(), StoreError> {
    let Some(payment) = store::payment::LISTING.lock(unit.database, organisation, id)? else {
        return Ok(());
    };
    let payment = Payment {
        updated_at: unit.now,
        ..payment
    };
    store::payment::update(unit.database, &payment, &payment.status, due_at(&payment))?;
    let payment = with_transactions(unit, payment)?;
    event::record(unit, payment.org_id, EventAction::Updated, &payment)
}

/// Whether the confirmed amount is under or over the amount due.
pub(super) fn measured(confirmed: i128, due: i128) -> Option<PaymentReason> {
    match confirmed.cmp(&due) {
        Ordering::Less => Some(PaymentReason::Underpaid),
        Ordering::Greater => Some(PaymentReason::Overpaid),
        Ordering::Equal => None,
    }
}

/// Takes back the stock that an unpaid payment released when it ended. False if it is sold out: the merchant has to refund the
/// money, and the status stays.
fn reclaim_stock(unit: &mut Unit<'_>, payment: &Payment) -> Result<bool, StoreError> {
    let Some(paylink) = &payment.payment_link else {
        return Ok(true);
    };
    let organisation = payment.org_id;
    // Any payment pays the invoice: expire other attempts without money.
    if paylink.invoice_id.is_some() {
        for begun in store::payment::under_way_by(unit.database, organisation, paylink.id)? {
            // A payment with a pending authorization continues: its money will arrive.
            let is_authorized = authorization::executable(unit, &begun)?
                .is_some_and(|authorized| authorized.status == Status::Open);
            if begun.paid_amount.is_zero() && !is_authorized {
                expire_unpaid_payment(unit, begun)?;
            }
        }
    }
    plan::change_stock(unit, organisation, paylink.plan_id, Stock::Hold)
}

/// The move was checked before: only the database can fail.
fn settle(outcome: Outcome<Payment>) -> Result<(), StoreError> {
    outcome.map(drop).map_err(|refusal| {
        refusal.unexpected("a payment made a transition that its table does not allow")
    })
}

/// Expires a pending payment without money, because its payer starts another.
pub(crate) fn expire_unpaid_payment(
    unit: &mut Unit<'_>,
    payment: Payment,
) -> Result<(), StoreError> {
    settle(move_to(unit, payment, PaymentStatus::Expired))
}
