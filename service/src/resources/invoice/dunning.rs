//! Payment and dunning of invoices.

use std::time::Duration;

use settlekit_core::event::EventAction;
use settlekit_core::invoice::{
    DUNNING_TRANSITIONS, DunningStatus, Invoice, InvoicePaymentStatus, PAYMENT_TRANSITIONS,
};
use settlekit_core::value::{InvoiceId, OrganisationId, PaylinkId};

use super::PAYMENT_LINK_ID;
use crate::resources::{event, paylink, payment, subscription};
use crate::store;
use crate::store::sql::StoreError;
use crate::unit::{Outcome, Unit, due_job};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// The delay of the reminder after the due date, and of giving up after the reminder.
const REMINDED_AFTER: Duration = DAY.saturating_mul(3);
const GIVEN_UP_AFTER: Duration = DAY.saturating_mul(11);

/// Records that an invoice's payment is confirmed.
pub(crate) fn paid(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    id: InvoiceId,
) -> Result<(), StoreError> {
    let Some((invoice, subscription)) =
        store::invoice::WITH_SUBSCRIPTION.lock(unit.database, organisation, id)?
    else {
        return Ok(());
    };
    let paid = InvoicePaymentStatus::Succeeded;
    if !PAYMENT_TRANSITIONS.allows(&invoice.payment_status, &paid) {
        return Ok(());
    }
    let was_overdue = invoice.dunning_status != DunningStatus::None;
    let was_sold = store::invoice::any_paid(unit.database, organisation, subscription)?;
    let invoice = Invoice {
        payment_status: paid,
        dunning_status: DunningStatus::None,
        updated_at: unit.now,
        ..invoice
    };
    store::invoice::update(unit.database, &invoice, None)?;
    event::record(unit, invoice.org_id, EventAction::Settled, &invoice)?;
    if let Some(link) = link_of(&invoice) {
        paylink::invoice_paid(unit, organisation, link, invoice.id)?;
    }
    if !was_sold {
        subscription::retake_stock(unit, organisation, subscription)?;
    }
    if was_overdue {
        let still = store::invoice::any_overdue(unit.database, organisation, subscription)?;
        subscription::set_overdue(unit, organisation, subscription, still)?;
    }
    Ok(())
}

/// The paylink of an invoice.
fn link_of(invoice: &Invoice) -> Option<PaylinkId> {
    let properties = invoice.properties.as_ref()?;
    properties.get(PAYMENT_LINK_ID)?.as_str()?.parse().ok()
}

/// The delay of an invoice's next dunning step, if any: its paylink is closed, so nobody can pay, or money for it is under way,
/// which may fail.
fn postponed(unit: &mut Unit<'_>, invoice: &Invoice) -> Result<Option<Duration>, StoreError> {
    let organisation = invoice.org_id;
    if store::organisation::is_suspended(unit.database, organisation)? {
        return Ok(Some(DAY));
    }
    let Some(link) = link_of(invoice) else {
        return Ok(None);
    };
    let begun = store::payment::under_way_by(unit.database, organisation, link)?;
    let mut begun = begun.iter();
    let is_being_paid = begun.any(|payment| !payment.paid_amount.is_zero())
        || store::payment::is_awaited_by(unit.database, organisation, link)?;
    Ok(is_being_paid.then_some(payment::VALIDITY))
}

/// Advances due invoices: overdue, reminded, failed. Returns how many were due.
pub(crate) fn run_due(unit: &mut Unit<'_>, limit: u32) -> Result<usize, StoreError> {
    due_job::run_each(unit, &store::due::INVOICES, limit, step)
}

fn step(unit: &mut Unit<'_>, organisation: OrganisationId, id: InvoiceId) -> Outcome<()> {
    let Some((invoice, subscription)) =
        store::invoice::WITH_SUBSCRIPTION.lock(unit.database, organisation, id)?
    else {
        return Ok(());
    };
    if invoice.payment_status != InvoicePaymentStatus::Pending {
        return Ok(store::invoice::update(unit.database, &invoice, None)?);
    }
    if let Some(wait) = postponed(unit, &invoice)? {
        let again = Some(unit.now.plus(wait));
        return Ok(store::invoice::update(unit.database, &invoice, again)?);
    }
    let (dunning_status, action, next) = match invoice.dunning_status {
        DunningStatus::None => (
            DunningStatus::Overdue,
            EventAction::Overdue,
            Some(REMINDED_AFTER),
        ),
        DunningStatus::Overdue => (
            DunningStatus::Reminded,
            EventAction::Delayed,
            Some(GIVEN_UP_AFTER),
        ),
        _ => (DunningStatus::GivenUp, EventAction::Updated, None),
    };
    if !DUNNING_TRANSITIONS.allows(&invoice.dunning_status, &dunning_status) {
        return Ok(store::invoice::update(unit.database, &invoice, None)?);
    }
    let given_up = dunning_status == DunningStatus::GivenUp;
    let invoice = Invoice {
        dunning_status,
        payment_status: if given_up {
            InvoicePaymentStatus::Failed
        } else {
            invoice.payment_status
        },
        updated_at: unit.now,
        ..invoice
    };
    let looked_at = next.map(|wait| unit.now.plus(wait));
    store::invoice::update(unit.database, &invoice, looked_at)?;
    event::record(unit, invoice.org_id, action, &invoice)?;
    subscription::set_overdue(unit, organisation, subscription, true)?;
    if given_up {
        subscription::expire(unit, organisation, subscription)?;
    }
    Ok(())
}
