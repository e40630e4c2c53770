//! Invoices: issued for periods of a subscription or manually, paid by their own paylink, dunned when overdue.

mod create_invoice;
mod dunning;

pub(crate) use create_invoice::create_invoice;
pub(crate) use dunning::{paid, run_due};

use serde_json::Value;
use settlekit_core::customer::Customer;
use settlekit_core::event::EventAction;
use settlekit_core::invoice::{
    DunningStatus, GetInvoice, Invoice, InvoicePaymentStatus, InvoiceStatus, ListInvoices,
};
use settlekit_core::page::Page;
use settlekit_core::paylink::Source;
use settlekit_core::plan::CreatePlanBody;
use settlekit_core::subscription::Subscription;
use settlekit_core::value::{Amount, InvoiceId, Object, OrganisationId, PaylinkId, Timestamp};

use crate::resources::plan::Author;
use crate::resources::{event, paylink, plan, subscription};
use crate::store;
use crate::store::paylink::SettlementAccounts;
use crate::store::sql::StoreError;
use crate::unit::{Outcome, Received, Refusal, Unit};

/// The key of the paylink's id in an invoice's `properties`.
const PAYMENT_LINK_ID: &str = "payment_link_id";

pub(crate) fn get_invoice(unit: &mut Unit<'_>, call: Received<GetInvoice>) -> Outcome<Invoice> {
    let (organisation, id) = (call.caller.organisation, call.path.invoice_id);
    let found = store::invoice::LISTING.find(unit.database, organisation, id)?;
    found.ok_or_else(|| Refusal::not_found("invoice"))
}

pub(crate) fn list_invoices(
    unit: &mut Unit<'_>,
    call: Received<ListInvoices>,
) -> Outcome<Page<Invoice>> {
    let page = store::invoice::list(unit.database, call.caller.organisation, &call.query)?;
    Ok(page)
}

/// The customer of an invoice.
pub(crate) fn customer(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    id: InvoiceId,
) -> Result<Customer, StoreError> {
    let invoice = store::invoice::LISTING
        .find(unit.database, organisation, id)?
        .ok_or_else(|| StoreError::Damaged("a link's invoice is not there".into()))?;
    store::customer::RECORDS
        .find(unit.database, organisation, invoice.customer_id)?
        .ok_or_else(|| StoreError::Damaged("an invoice's customer is not there".into()))
}

/// Issues an invoice for one period of a subscription, with a paylink; returns the existing one of that due date if there is one.
pub(crate) fn issue(
    unit: &mut Unit<'_>,
    subscription: &Subscription,
    due_at: Timestamp,
    title: Option<String>,
    properties: Option<Object>,
) -> Outcome<Invoice> {
    let organisation = subscription.org_id;
    if let Some(invoice) =
        store::invoice::due_on(unit.database, organisation, subscription.id, due_at)?
    {
        return Ok(invoice);
    }
    let amount = subscription::price(subscription)?;
    let id = InvoiceId::new(unit.now, unit.id_bytes());
    let mut properties = properties.unwrap_or_default();
    let title = title.unwrap_or_else(|| names(subscription));
    let link = link(unit, subscription, id, amount, &title)?;
    for (name, value) in [
        ("title", title),
        (PAYMENT_LINK_ID, link.id.to_string()),
        ("payment_url", link.url),
    ] {
        properties.insert(name.to_owned(), Value::String(value));
    }
    add(unit, subscription, (id, amount), due_at, properties)
}

/// Issues an invoice for a period being paid by the plan's paylink: it has no paylink of its own and is due now.
pub(crate) fn issue_paid(
    unit: &mut Unit<'_>,
    subscription: &Subscription,
    link: PaylinkId,
) -> Outcome<Invoice> {
    let amount = subscription::price(subscription)?;
    let id = InvoiceId::new(unit.now, unit.id_bytes());
    let mut properties = Object::new();
    for (name, value) in [
        ("title", names(subscription)),
        (PAYMENT_LINK_ID, link.to_string()),
    ] {
        properties.insert(name.to_owned(), Value::String(value));
    }
    add(unit, subscription, (id, amount), unit.now, properties)
}

/// Inserts an invoice issued now and records its event.
fn add(
    unit: &mut Unit<'_>,
    subscription: &Subscription,
    (id, amount): (InvoiceId, Amount),
    due_at: Timestamp,
    mut properties: Object,
) -> Outcome<Invoice> {
    properties.insert(
        "subscription_id".to_owned(),
        Value::String(subscription.id.to_string()),
    );
    let invoice = Invoice {
        id,
        reference: None,
        customer_id: subscription.customer_id,
        org_id: subscription.org_id,
        amount,
        currency: subscription.currency.clone(),
        status: InvoiceStatus::Finalized,
        payment_status: InvoicePaymentStatus::Pending,
        dunning_status: DunningStatus::None,
        due_at,
        issuing_at: unit.now,
        source: Some(Source::Subscription),
        properties: Some(properties),
        created_at: unit.now,
        updated_at: unit.now,
    };
    let invoice = store::invoice::insert(unit.database, subscription.id, invoice)?;
    event::record(unit, invoice.org_id, EventAction::Created, &invoice)?;
    Ok(invoice)
}

/// The names of the subscribed plans, for display.
fn names(subscription: &Subscription) -> String {
    let names: Vec<&str> = subscription
        .items
        .iter()
        .filter_map(|item| item.plan.as_ref().map(|plan| plan.name.as_str()))
        .collect();
    names.join(", ")
}

/// The paylink of an invoice, with a stock of one so that it is paid once.
fn link(
    unit: &mut Unit<'_>,
    subscription: &Subscription,
    invoice: InvoiceId,
    amount: Amount,
    title: &str,
) -> Outcome<settlekit_core::paylink::Paylink> {
    let author = Author {
        organisation: subscription.org_id,
        by: None,
        source: Source::Subscription,
    };
    let settlement = settlement(unit, subscription)?;
    let plan = plan::create(
        unit,
        &author,
        CreatePlanBody {
            name: title.to_owned(),
            price: amount,
            currency: subscription.currency.clone(),
            available_quantity: Some(1),
            description: None,
            expires_at: None,
            image_url: None,
            metadata: None,
            recurring_interval: None,
            recurring_interval_count: None,
            reference: None,
            trial_period: None,
            r#type: None,
        },
    )?;
    let new = paylink::NewPaylink::for_invoice(plan, invoice, settlement);
    paylink::create(unit, &author, new)
}

/// The settlement of a subscription: that of the first of its plans with a paylink.
fn settlement(
    unit: &mut Unit<'_>,
    subscription: &Subscription,
) -> Result<SettlementAccounts, StoreError> {
    for item in &subscription.items {
        let (organisation, plan) = (subscription.org_id, item.plan_id);
        let of_plan = store::paylink::settlement_of(unit.database, organisation, plan)?;
        if let Some(of_plan) = of_plan {
            return Ok(of_plan);
        }
    }
    Ok(SettlementAccounts::default())
}
