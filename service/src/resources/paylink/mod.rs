//! Payment links.

mod create_paylink;
mod delete_paylink;
mod price;
mod test_networks;
mod update_paylinks;

pub(crate) use create_paylink::{NewPaylink, create, create_paylink};
pub(crate) use delete_paylink::delete_paylink;
pub(crate) use price::{CONVERTED_PLACES_MAX, price_in};
pub(crate) use test_networks::hidden_test_accounts;
pub(crate) use update_paylinks::update_paylinks;

use serde_json::Value;
use settlekit_core::event::EventAction;
use settlekit_core::invoice::InvoicePaymentStatus;
use settlekit_core::page::Page;
use settlekit_core::paylink::{GetPaylink, ListPaylinks, Paylink, PaylinkState};
use settlekit_core::plan::Plan;
use settlekit_core::value::{InvoiceId, Object, OrganisationId, PaylinkId};

use crate::resources::{event, plan};
use crate::store::sql::StoreError;
use crate::store::{self, counter};
use crate::unit::{Outcome, Received, Refusal, Unit};

/// The counter of an organisation's active paylinks (enabled, not deleted, not of an invoice).
pub(crate) const ACTIVE: &str = "paylink active";

/// Updates the count of active paylinks.
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

/// The data a payer is asked for in addition to name and e-mail address.
#[derive(Default)]
struct CollectionSettings {
    customer_ident: bool,
    shipping_address: bool,
    tax_ident: bool,
}

impl CollectionSettings {
    /// From a list of field names of the payer's page; other names are the merchant's own.
    fn of_fields(fields: &[String]) -> Self {
        let asks = |word: &str| fields.iter().any(|field| field == word);
        Self {
            customer_ident: asks("customer_ident"),
            shipping_address: asks("shipping_address"),
            tax_ident: asks("tax_ident"),
        }
    }

    /// From a paylink's metadata: a list of fields, and a flag per field.
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

/// Whether a paylink accepts payments, for merchant and payer alike.
pub(crate) fn state(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    paylink: &Paylink,
    plan: &Plan,
) -> Result<PaylinkState, StoreError> {
    // A started payment of an invoice holds its stock of one, and the payer may restart until it is paid.
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

/// Whether the paylink's invoice is paid.
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

/// The paylink with its plan and state.
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
    let found = store::paylink::LISTING.find(unit.database, organisation, call.path.paylink_id)?;
    let paylink = found.ok_or_else(|| Refusal::not_found("paylink"))?;
    Ok(whole(unit, organisation, paylink)?)
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

/// Closes the paylink of a paid invoice.
pub(crate) fn invoice_paid(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    id: PaylinkId,
    invoice: InvoiceId,
) -> Result<(), StoreError> {
    // An invoice paid by the plan's paylink has none of its own.
    let link = store::paylink::LISTING
        .lock(unit.database, organisation, id)?
        .filter(|link| link.enabled && link.invoice_id == Some(invoice));
    match link {
        Some(link) => close(unit, organisation, link).map(|_| ()),
        None => Ok(()),
    }
}

/// Disables a paylink and its plan, with events.
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
    event::record(unit, organisation, EventAction::Disabled, &paylink)?;
    Ok(paylink)
}
