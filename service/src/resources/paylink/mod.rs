//! Payment links.

mod create_paylink;
mod delete_paylink;
mod price;
mod statistics;
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
use crate::store;
use crate::store::sql::StoreError;
use crate::unit::{Outcome, Received, Refusal, Unit, due_job};

/// Stores the state of a changed paylink.
fn store_state(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    paylink: &Paylink,
) -> Result<(), StoreError> {
    let plan = store::plan::LISTING.find(unit.database, organisation, paylink.plan_id)?;
    let plan = plan.ok_or_else(|| StoreError::Damaged("a paylink sells no plan".into()))?;
    store::paylink::set_state(unit.database, organisation, paylink, &plan, unit.now)
}

/// Stores that paylinks whose time is over are Expired. Nothing else changes, so there is no event.
pub(crate) fn expire_due(unit: &mut Unit<'_>, limit: u32) -> Result<usize, StoreError> {
    due_job::run_each(unit, &store::due::PAYLINKS, limit, expire)
}

fn expire(unit: &mut Unit<'_>, organisation: OrganisationId, id: PaylinkId) -> Outcome<()> {
    match store::paylink::LISTING.lock(unit.database, organisation, id)? {
        Some(paylink) => Ok(store_state(unit, organisation, &paylink)?),
        None => Ok(()),
    }
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
    Ok(match store::paylink::state_of(paylink, plan, unit.now) {
        PaylinkState::Disabled if is_paid(unit, organisation, paylink)? => PaylinkState::Paid,
        state => state,
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
    let statistics = statistics::statistics(unit, organisation, paylink.id)?;
    Ok(Paylink {
        statistics,
        ..whole(unit, organisation, paylink)?
    })
}

pub(crate) fn list_paylinks(
    unit: &mut Unit<'_>,
    call: Received<ListPaylinks>,
) -> Outcome<Page<Paylink>> {
    let organisation = call.caller.organisation;
    let mut page = store::paylink::list(unit.database, organisation, &call.query)?;
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
    let paylink = Paylink {
        enabled: false,
        updated_at: unit.now,
        ..before
    };
    store::paylink::update(unit.database, organisation, &paylink)?;
    store_state(unit, organisation, &paylink)?;
    plan::follow_link(unit, organisation, paylink.plan_id, false)?;
    let paylink = whole(unit, organisation, paylink)?;
    event::record(unit, organisation, EventAction::Disabled, &paylink)?;
    Ok(paylink)
}
