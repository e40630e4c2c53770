//! Payment links.

mod create_paylink;
mod price;
mod update_paylinks;

pub(crate) use create_paylink::{NewPaylink, create, create_paylink};
pub(crate) use price::{CONVERTED_PLACES_MAX, price_in};
pub(crate) use update_paylinks::update_paylinks;

use serde_json::Value;
use settlekit_core::event::{EventAction, EventType};
use settlekit_core::invoice::InvoicePaymentStatus;
use settlekit_core::page::Page;
use settlekit_core::paylink::{DeletePaylink, GetPaylink, ListPaylinks, Paylink, PaylinkState};
use settlekit_core::plan::Plan;
use settlekit_core::value::{InvoiceId, Object, OrganisationId, PaylinkId};

use crate::resources::{event, plan};
use crate::store::sql::StoreError;
use crate::store::{self, counter};
use crate::unit::Unit;
use crate::unit::received::Received;
use crate::unit::refusal::{Outcome, Refusal};

/// The count of an organisation's paylinks that are enabled and not deleted, those of invoices aside.
const ACTIVE: &str = "paylink active";

/// How many of an organisation's paylinks are enabled and not deleted, those of invoices aside.
pub(crate) fn active(unit: &mut Unit<'_>, organisation: OrganisationId) -> Result<u64, StoreError> {
    counter::read(unit.database, organisation, ACTIVE)
}

/// Counts a paylink that is, or is not any more, enabled.
fn count_active(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    paylink: &Paylink,
    by: i64,
) -> Result<(), StoreError> {
    if by != 0 && paylink.invoice_id.is_none() {
        counter::add(unit.database, organisation, ACTIVE, by)?;
    }
    Ok(())
}

/// What a payer is asked for besides a name and an address of e-mail.
struct CollectionSettings {
    customer_ident: bool,
    shipping_address: bool,
    tax_ident: bool,
}

impl CollectionSettings {
    /// As a list of fields says, in the words of the payer's page; other words are the merchant's own.
    fn of_fields(fields: &[String]) -> Self {
        let asks = |word: &str| fields.iter().any(|field| field == word);
        Self {
            customer_ident: asks("customer_ident"),
            shipping_address: asks("shipping_address"),
            tax_ident: asks("tax_ident"),
        }
    }

    /// As a new link's metadata says: by its list of fields, and by a flag for each.
    fn of_metadata(metadata: Option<&Object>) -> Self {
        let value = |name: &str| metadata.and_then(|metadata| metadata.get(name));
        let fields: Vec<String> = match value("customer_fields") {
            Some(Value::Array(words)) => words
                .iter()
                .filter_map(|word| word.as_str().map(str::to_owned))
                .collect(),
            _ => Vec::new(),
        };
        let of_list = Self::of_fields(&fields);
        let flag = |name: &str| value(name) == Some(&Value::Bool(true));
        Self {
            customer_ident: of_list.customer_ident || flag("customer_ident_collection"),
            shipping_address: of_list.shipping_address || flag("shipping_address_collection"),
            tax_ident: of_list.tax_ident || flag("tax_ident_collection"),
        }
    }
}

/// Whether a paylink of this plan takes payments now: the one rule for merchant and payer.
pub(crate) fn state(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    paylink: &Paylink,
    plan: &Plan,
) -> Result<PaylinkState, StoreError> {
    // Who has begun to pay an invoice holds it, and may begin anew until it is paid.
    let is_sold_out = plan.available_quantity == Some(0) && paylink.invoice_id.is_none();
    Ok(if paylink.deleted_at.is_some() {
        PaylinkState::Deleted
    } else if is_sold_out {
        PaylinkState::SoldOut
    } else if paylink.enabled && plan.expires_at.is_some_and(|at| at <= unit.now) {
        PaylinkState::Expired
    } else if paylink.enabled {
        PaylinkState::Open
    } else if is_paid(unit, organisation, paylink)? {
        PaylinkState::Paid
    } else {
        PaylinkState::Disabled
    })
}

/// Whether a paylink is over an invoice that has been paid: there is nothing left that it could sell.
fn is_paid(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    paylink: &Paylink,
) -> Result<bool, StoreError> {
    let Some(invoice) = paylink.invoice_id else {
        return Ok(false);
    };
    let invoice = store::invoice::LISTING.find(unit.database, organisation, invoice)?;
    Ok(invoice.is_some_and(|invoice| invoice.payment_status == InvoicePaymentStatus::Succeeded))
}

/// The paylink with its plan and where it stands.
pub(crate) fn whole(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    paylink: Paylink,
) -> Result<Paylink, StoreError> {
    let plan = store::plan::LISTING.find(unit.database, organisation, paylink.plan_id)?;
    let plan = plan.map(|plan| Plan {
        enabled: plan.enabled && paylink.enabled,
        ..plan
    });
    let state = match &plan {
        Some(plan) => Some(state(unit, organisation, &paylink, plan)?),
        None => None,
    };
    Ok(Paylink {
        state,
        plan,
        ..paylink
    })
}

pub(crate) fn get_paylink(unit: &mut Unit<'_>, call: Received<GetPaylink>) -> Outcome<Paylink> {
    let organisation = call.caller.organisation;
    let paylink =
        store::paylink::LISTING.find(unit.database, organisation, call.path.paylink_id)?;
    Ok(whole(
        unit,
        organisation,
        paylink.ok_or_else(|| Refusal::not_found("paylink"))?,
    )?)
}

pub(crate) fn list_paylinks(
    unit: &mut Unit<'_>,
    call: Received<ListPaylinks>,
) -> Outcome<Page<Paylink>> {
    let organisation = call.caller.organisation;
    let mut page = store::paylink::LISTING.page(unit.database, organisation, &call.query)?;
    let paylinks = std::mem::take(&mut page.items);
    for paylink in paylinks {
        page.items.push(whole(unit, organisation, paylink)?);
    }
    Ok(page)
}

pub(crate) fn delete_paylink(
    unit: &mut Unit<'_>,
    call: Received<DeletePaylink>,
) -> Outcome<String> {
    let organisation = call.caller.organisation;
    let before = store::paylink::LISTING.find(unit.database, organisation, call.path.paylink_id)?;
    let before = before
        .filter(|paylink| paylink.deleted_at.is_none())
        .ok_or_else(|| Refusal::not_found("paylink"))?;
    let deleted = Paylink {
        deleted_at: Some(unit.now),
        updated_by: Some(call.caller.name()),
        ..before
    };
    let paylink = close(unit, organisation, deleted)?;
    Ok(format!("{} was deleted", paylink.id))
}

/// The link over an invoice has been paid: there is nothing left to pay.
pub(crate) fn invoice_paid(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    id: PaylinkId,
    invoice: InvoiceId,
) -> Result<(), StoreError> {
    // An invoice for a plan that was bought through the plan's own link has none.
    let link = store::paylink::LISTING
        .lock(unit.database, organisation, id)?
        .filter(|link| link.enabled && link.invoice_id == Some(invoice));
    match link {
        Some(link) => close(unit, organisation, link).map(|_| ()),
        None => Ok(()),
    }
}

/// Takes a paylink and its plan off sale, with the events.
fn close(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    before: Paylink,
) -> Result<Paylink, StoreError> {
    count_active(unit, organisation, &before, -i64::from(before.enabled))?;
    let paylink = Paylink {
        enabled: false,
        updated_at: unit.now,
        ..before
    };
    store::paylink::update(unit.database, organisation, &paylink)?;
    plan::follow_link(unit, organisation, paylink.plan_id, false)?;
    let paylink = whole(unit, organisation, paylink)?;
    event::record(
        unit,
        organisation,
        EventType::MerchantContract,
        EventAction::Disabled,
        &paylink,
    )?;
    Ok(paylink)
}
