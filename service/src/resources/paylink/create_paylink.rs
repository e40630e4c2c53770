//! Creates a paylink and its plan.

use settlekit_core::account::Account;
use settlekit_core::event::EventAction;
use settlekit_core::paylink::{AfterCompletion, CreatePaylink, CreatePaylinkBody, Paylink};
use settlekit_core::plan::{CreatePlanBody, Plan};
use settlekit_core::value::{InvoiceId, Object, OrganisationId, PaylinkId};

use super::price::check_payable;
use super::{CollectionSettings, hidden_test_accounts, whole};
use crate::money::outflow::need_receiver;
use crate::resources::plan::Author;
use crate::resources::{event, plan};
use crate::store;
use crate::store::paylink::SettlementAccounts;
use crate::unit::{Outcome, Received, Refusal, Unit};

pub(crate) fn create_paylink(
    unit: &mut Unit<'_>,
    call: Received<CreatePaylink>,
) -> Outcome<Paylink> {
    let organisation = call.caller.organisation;
    let body = call.body;
    unit.check_expiry(body.expires_at)?;
    let settlement = settlement(unit, organisation, &body)?;
    let author = Author::of(&call.caller);
    let plan = plan::create(unit, &author, plan_of(&body))?;
    let new = NewPaylink {
        collects: CollectionSettings::of_metadata(body.metadata.as_ref()),
        after_completion: body.after_completion,
        metadata: body.metadata,
        settlement,
        invoice: None,
        plan,
    };
    create(unit, &author, new)
}

pub(crate) struct NewPaylink {
    plan: Plan,
    invoice: Option<InvoiceId>,
    settlement: SettlementAccounts,
    after_completion: Option<AfterCompletion>,
    collects: CollectionSettings,
    metadata: Option<Object>,
}

impl NewPaylink {
    /// The paylink of an invoice.
    pub(crate) fn for_invoice(
        plan: Plan,
        invoice: InvoiceId,
        settlement: SettlementAccounts,
    ) -> Self {
        Self {
            plan,
            invoice: Some(invoice),
            settlement,
            after_completion: None,
            collects: CollectionSettings::default(),
            metadata: None,
        }
    }
}

/// Creates a paylink for an existing plan, with the events of both.
pub(crate) fn create(unit: &mut Unit<'_>, author: &Author, new: NewPaylink) -> Outcome<Paylink> {
    let organisation = author.organisation;
    let id = PaylinkId::new(unit.now, unit.id_bytes());
    let paylink = Paylink {
        id,
        plan_id: new.plan.id,
        plan: None,
        url: format!(
            "{}/pay/{id}",
            unit.options().public_url.trim_end_matches('/')
        ),
        enabled: true,
        state: None,
        statistics: None,
        after_completion: new.after_completion,
        customer_ident_collection: new.collects.customer_ident,
        shipping_address_collection: new.collects.shipping_address,
        tax_ident_collection: new.collects.tax_ident,
        invoice_id: new.invoice,
        metadata: new.metadata,
        properties: None,
        source: Some(author.source.clone()),
        created_at: unit.now,
        created_by: author.by.clone(),
        updated_at: unit.now,
        updated_by: None,
        deleted_at: None,
    };
    let sale = (&new.plan, &new.settlement);
    let paylink = store::paylink::insert(unit.database, organisation, paylink, sale)?;
    plan::record_created(unit, new.plan, Some(&paylink))?;
    let paylink = whole(unit, organisation, paylink)?;
    event::record(unit, organisation, EventAction::Created, &paylink)?;
    Ok(paylink)
}

/// The settlement of a request: resolves the named accounts and checks that one can receive the price.
fn settlement(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    body: &CreatePaylinkBody,
) -> Outcome<SettlementAccounts> {
    let unknown = |field| Refusal::reference_unknown(field, "is not a known account");
    let named = match (&body.account_ids, &body.account_ref) {
        (Some(ids), _) => {
            let mut accounts = Vec::with_capacity(ids.len());
            for id in ids {
                let account = store::account::LISTING.find(unit.database, organisation, *id)?;
                let account = account.filter(|account| account.deleted_at.is_none());
                let account = account.ok_or_else(|| unknown("account_ids"))?;
                need_receiver(&account, "account_ids")?;
                accounts.push(account);
            }
            accounts
        }
        (None, Some(reference)) => {
            store::account::by_reference(unit.database, organisation, reference)?
        }
        (None, None) => store::account::all_accounts(unit.database, organisation)?,
    };
    if body.account_ref.is_some() && named.is_empty() {
        return Err(unknown("account_ref"));
    }
    let mut receivers: Vec<Account> = named
        .iter()
        .filter(|one| one.may_receive())
        .cloned()
        .collect();
    if let (true, Some(watched)) = (receivers.is_empty(), named.first()) {
        need_receiver(watched, "account_ref")?;
    }
    let all = body.account_ids.is_none() && body.account_ref.is_none();
    let settlement = if all {
        SettlementAccounts::default()
    } else {
        SettlementAccounts {
            account_ids: named.iter().map(|account| account.id).collect(),
            account_ref: body.account_ref.clone(),
        }
    };
    let hidden = hidden_test_accounts(unit, organisation, &receivers, &settlement)?;
    receivers.retain(|account| !hidden.contains(&account.id));
    let unsupported = match hidden.is_empty() {
        true => "is not supported by any of the accounts",
        false => {
            "is not supported by any of the accounts; those on test networks count only if account_ids lists them"
        }
    };
    let price = (body.amount, &body.currency);
    check_payable(unit, &receivers, price, unsupported)?;
    Ok(settlement)
}

/// The plan's fields of a paylink request.
fn plan_of(body: &CreatePaylinkBody) -> CreatePlanBody {
    let body = body.clone();
    CreatePlanBody {
        name: body.name,
        price: body.amount,
        currency: body.currency,
        available_quantity: body.available_quantity,
        description: body.description,
        expires_at: body.expires_at,
        image_url: body.image_url,
        metadata: body.metadata,
        recurring_interval: body.interval,
        recurring_interval_count: body.intervalCount,
        reference: body.reference,
        trial_period: body.trial_period,
        r#type: body.r#type,
    }
}
