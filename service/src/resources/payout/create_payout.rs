//! Creates a payout: validate, check cover, reserve, queue.

use settlekit_core::account::{Account, AccountSummary};
use settlekit_core::error::Reason;
use settlekit_core::event::EventAction;
use settlekit_core::external_account::ExternalAccountType;
use settlekit_core::paylink::Source;
use settlekit_core::payment::{
    NextAction, Payment, PaymentMethod, PaymentStatus, PayoutSplit, TimelineEntry,
};
use settlekit_core::payout::{CreatePayout, CreatePayoutBody};
use settlekit_core::value::{
    AccountKey, Amount, ChainId, Currency, Object, OrganisationId, PaymentId, WalletAddress,
};

use super::{Plan, plan};
use crate::money::prices;
use crate::resources::account::book::{self, Money};
use crate::resources::{event, payment, plan as plans};
use crate::store;
use crate::store::destination::Destination;
use crate::store::payout::Payout;
use crate::unit::Unit;
use crate::unit::received::Received;
use crate::unit::refusal::{Outcome, Refusal};

pub(crate) fn create_payout(unit: &mut Unit<'_>, call: Received<CreatePayout>) -> Outcome<Payment> {
    let organisation = call.caller.organisation;
    let body = call.body;
    let (chain, address, called) = destination(unit, organisation, &body)?;
    let to = Destination::named_by(&call.caller, &address)?;
    let chain_field = match body.chain_id {
        Some(_) => "chain_id",
        None => "external_account_id",
    };
    let plan = plan(
        unit,
        organisation,
        &body.account,
        (chain, chain_field),
        (body.amount, &body.currency),
    )?;
    if !plan.covered {
        return Err(Refusal::field(
            "amount",
            Reason::InsufficientFunds,
            format!(
                "and the fees exceed the available balance of {} {}",
                super::shown(plan.available, plan.scale)?,
                plan.money.currency
            ),
        ));
    }
    let order = Order {
        to,
        called,
        reference: body.reference,
        metadata: body.metadata,
        source: plans::source_of(&call.caller),
        properties: None,
    };
    start(unit, &plan, body.amount, order)
}

/// The data of a payout, except the money.
pub(crate) struct Order {
    pub(crate) to: Destination,
    /// The merchant's name of a stored destination.
    pub(crate) called: Option<String>,
    pub(crate) reference: Option<String>,
    pub(crate) metadata: Option<Object>,
    pub(crate) source: Source,
    pub(crate) properties: Option<Object>,
}

/// Pays out an amount, with fees from the account's other free money, or from the amount where that is too little. Sends nothing
/// if fees would exceed the amount.
pub(crate) fn send_all(
    unit: &mut Unit<'_>,
    account: &Account,
    (amount, currency): (Amount, &Currency),
    for_others: i128,
    order: Order,
) -> Outcome<()> {
    let Some(whole) = plan_from(unit, account, (amount, currency))? else {
        return Ok(());
    };
    if whole.covered && whole.left >= for_others {
        start(unit, &whole, amount, order)?;
        return Ok(());
    }
    send_less(unit, account, &whole, currency, order)
}

/// Pays out as much as an amount covers including fees. Sends nothing if fees would exceed it.
pub(crate) fn send_within(
    unit: &mut Unit<'_>,
    account: &Account,
    (most, currency): (Amount, &Currency),
    order: Order,
) -> Outcome<()> {
    match plan_from(unit, account, (most, currency))? {
        Some(whole) => send_less(unit, account, &whole, currency, order),
        None => Ok(()),
    }
}

/// A payout from an account; `None` if the account has no chain.
fn plan_from(
    unit: &mut Unit<'_>,
    account: &Account,
    money: (Amount, &Currency),
) -> Outcome<Option<Plan>> {
    let Some(chain) = account.chain_id else {
        return Ok(None);
    };
    let key = AccountKey::Id(account.id);
    plan(unit, account.org_id, &key, (chain, "chain_id"), money).map(Some)
}

/// Pays out a planned amount less its fees, if that is covered.
fn send_less(
    unit: &mut Unit<'_>,
    account: &Account,
    whole: &Plan,
    currency: &Currency,
    order: Order,
) -> Outcome<()> {
    let fees = if whole.fee.currency == *currency {
        whole.fee.units + whole.service_fee
    } else {
        whole.service_fee
    };
    let less = whole.money.units - fees;
    if less <= 0 {
        return Ok(());
    }
    let amount = super::shown(less, whole.scale)?;
    if let Some(less) = plan_from(unit, account, (amount, currency))?
        && less.covered
    {
        start(unit, &less, amount, order)?;
    }
    Ok(())
}

/// Queues a covered payout.
fn start(unit: &mut Unit<'_>, plan: &Plan, amount: Amount, order: Order) -> Outcome<Payment> {
    let organisation = plan.account.org_id;
    let id = PaymentId::new(unit.now, unit.id_bytes());
    let movement = book::queue_withdrawal(
        unit,
        &plan.account,
        &plan.money,
        Some(&plan.fee),
        &order.to,
        Some(id.to_string()),
    )?;
    if plan.service_fee > 0 {
        let fee = Money {
            currency: plan.money.currency.clone(),
            units: plan.service_fee,
        };
        book::hold_fee(unit, &plan.account, &fee)?;
    }
    let payment = Payment {
        reference: order.reference,
        metadata: order.metadata,
        source: Some(order.source),
        properties: order.properties,
        payout_splits: Some(vec![PayoutSplit {
            address: Some(order.to.as_str().to_owned()),
            amount,
            chain_id: Some(plan.chain),
            currency: plan.money.currency.clone(),
            destination_account_id: None,
            reference: order.called,
        }]),
        ..blank(unit, id, plan, amount)
    };
    let payment = store::payment::insert(
        unit.database,
        payment,
        plan.account.id,
        // Sent in the next round.
        Some(unit.now),
    )?;
    let payout = Payout {
        movement: movement.id,
        to: order.to.as_str().to_owned(),
        units: plan.money.units,
        fee: plan.fee.units,
        fee_currency: plan.fee.currency.clone(),
        service_fee: plan.service_fee,
        hash: None,
        sent_at: None,
    };
    store::payout::insert(unit.database, organisation, id, &payout, unit.now)?;
    event::record(unit, payment.org_id, EventAction::Queued, &payment)?;
    payment::with_transactions(unit, payment).map_err(Refusal::from)
}

/// The destination: a stored one with a name, or an address.
fn destination(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    body: &CreatePayoutBody,
) -> Outcome<(ChainId, WalletAddress, Option<String>)> {
    let wrong = |field, reason, message: &str| Err(Refusal::field(field, reason, message));
    if let (Some(address), Some(chain)) = (&body.address, body.chain_id) {
        let Some(known) = store::chain::find(unit.database, chain)? else {
            return wrong("chain_id", Reason::NotSupported, "is not a supported chain");
        };
        if known.family != address.family() {
            return wrong(
                "address",
                Reason::AddressMalformed,
                "is not an address of the chain",
            );
        }
        return Ok((chain, address.clone(), None));
    }
    const FIELD: &str = "external_account_id";
    let found = match body.external_account_id {
        Some(id) => store::external_account::LISTING.find(unit.database, organisation, id)?,
        None => None,
    };
    let Some(found) = found.filter(|account| account.enabled) else {
        return wrong(
            FIELD,
            Reason::ReferenceUnknown,
            "is not a known payout destination",
        );
    };
    let address = found
        .address
        .as_deref()
        .and_then(|text| text.parse::<WalletAddress>().ok());
    let (ExternalAccountType::Digital, Some(chain), Some(address)) =
        (&found.r#type, found.chain_id, address)
    else {
        return wrong(
            FIELD,
            Reason::NotSupported,
            "is a bank account, and bank payouts are not supported yet",
        );
    };
    if body.chain_id.is_some_and(|given| given != chain) {
        return wrong(
            "chain_id",
            Reason::NotSupported,
            "is not the chain of the destination",
        );
    }
    if !found.currencies.contains(&body.currency) {
        return wrong(
            "currency",
            Reason::NotSupported,
            "is not accepted by the destination",
        );
    }
    Ok((chain, address, found.reference.or(found.name)))
}

fn blank(unit: &Unit<'_>, id: PaymentId, plan: &Plan, amount: Amount) -> Payment {
    let currency = plan.money.currency.clone();
    Payment {
        id,
        reference: None,
        parent_id: None,
        org_id: plan.account.org_id,
        invoice_id: None,
        customer_id: None,
        amount,
        amount_usd: prices::connected(unit)
            .usd_of(plan.money.units, plan.scale, &currency)
            .and_then(prices::usd_shown),
        currency,
        chain_id: Some(plan.chain),
        status: PaymentStatus::Pending,
        reason: None,
        payment_method: PaymentMethod::Payout,
        source: None,
        next_action: Some(NextAction::None),
        scheduled_time: None,
        sender_address: plan.account.address.clone(),
        deposit_address: None,
        paid_amount: Amount::ZERO,
        refunded_amount: None,
        expires_at: None,
        customer: None,
        payment_link: None,
        from_account: Some(AccountSummary::from(&plan.account)),
        to_account: None,
        payout_splits: None,
        crypto_transaction: None,
        settlement_transaction: None,
        crypto_transactions: None,
        timeline: Some(vec![TimelineEntry {
            status: PaymentStatus::Pending,
            at: unit.now,
        }]),
        cf_headers: None,
        metadata: None,
        properties: None,
        created_at: unit.now,
        updated_at: unit.now,
    }
}
