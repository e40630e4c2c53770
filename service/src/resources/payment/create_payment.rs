//! Creates a payment with an address of its own.

use settlekit_core::account::{Account, AccountSummary};
use settlekit_core::customer::Customer;
use settlekit_core::error::Reason;
use settlekit_core::event::EventAction;
use settlekit_core::paylink::{Paylink, Source};
use settlekit_core::payment::{
    CreatePayment, NextAction, Payment, PaymentMethod, PaymentStatus, TimelineEntry,
};
use settlekit_core::value::{Amount, ChainId, Currency, Object, OrganisationId, PaymentId};

use super::{VALIDITY, due_at, scale_of, with_seen};
use crate::money::connection;
use crate::money::outflow::need_receiver;
use crate::money::prices;
use crate::resources::{account, chain, event, plan};
use crate::store;
use crate::store::account::Address;
use crate::unit::Unit;
use crate::unit::received::Received;
use crate::unit::refusal::{Outcome, Refusal};

/// The terms of a new payment.
pub(crate) struct Terms {
    pub(crate) amount: Amount,
    pub(crate) currency: Currency,
    pub(crate) chain: ChainId,
    pub(crate) account: Account,
    pub(crate) customer: Option<Customer>,
    pub(crate) paylink: Option<Paylink>,
    pub(crate) reference: Option<String>,
    pub(crate) metadata: Option<Object>,
    pub(crate) source: Source,
}

pub(crate) fn create_payment(
    unit: &mut Unit<'_>,
    call: Received<CreatePayment>,
) -> Outcome<Payment> {
    let organisation = call.caller.organisation;
    let body = call.body;
    chain::check_known(unit, body.chain_id)?;
    connection::connected(unit, body.chain_id, Some("chain_id"))?;
    chain::units_taken(unit, body.chain_id, &body.currency, body.amount)?;
    let takes = |account: &Account| {
        account.enabled
            && account.deleted_at.is_none()
            && account.chain_id == Some(body.chain_id)
            && account.currencies.contains(&body.currency)
    };
    let account = match &body.account {
        Some(key) => {
            let account = account::one_on_chain(unit, organisation, key, body.chain_id)?;
            need_receiver(&account, "account")?;
            Some(account).filter(|account| takes(account))
        }
        None => store::account::all(unit.database, organisation)?
            .into_iter()
            .find(|account| takes(account) && account.may_receive()),
    };
    let account = account.ok_or_else(|| {
        Refusal::field(
            "account",
            Reason::NotSupported,
            "does not support this currency on this chain",
        )
    })?;
    let customer = match body.customer_id {
        Some(id) => Some(
            store::customer::RECORDS
                .find(unit.database, organisation, id)?
                .ok_or_else(|| {
                    Refusal::field(
                        "customer_id",
                        Reason::ReferenceUnknown,
                        "is not a known customer",
                    )
                })?,
        ),
        None => None,
    };
    let terms = Terms {
        amount: body.amount,
        currency: body.currency,
        chain: body.chain_id,
        account,
        customer,
        paylink: None,
        reference: body.reference,
        metadata: body.metadata,
        source: plan::source_of(&call.caller),
    };
    start(unit, organisation, terms)
}

/// Creates a payment, which is Processing once its address is known.
pub(crate) fn start(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    terms: Terms,
) -> Outcome<Payment> {
    let connection = connection::connected(unit, terms.chain, Some("chain_id"))?;
    let address = connection.new_address(unit);
    let id = PaymentId::new(unit.now, unit.id_bytes());
    let payment = Payment {
        id,
        reference: terms.reference,
        parent_id: None,
        org_id: organisation,
        invoice_id: terms
            .paylink
            .as_ref()
            .and_then(|paylink| paylink.invoice_id),
        customer_id: terms.customer.as_ref().map(|customer| customer.id),
        amount: terms.amount,
        amount_usd: None,
        currency: terms.currency,
        chain_id: Some(terms.chain),
        status: PaymentStatus::Processing,
        reason: None,
        payment_method: PaymentMethod::ProxyWallet,
        source: Some(terms.source),
        next_action: Some(NextAction::SendFunds),
        scheduled_time: None,
        sender_address: None,
        deposit_address: Some(address.clone()),
        paid_amount: Amount::ZERO,
        refunded_amount: None,
        expires_at: Some(unit.now.plus(VALIDITY)),
        customer: terms.customer,
        payment_link: terms.paylink,
        from_account: None,
        to_account: Some(AccountSummary::from(&terms.account)),
        payout_splits: None,
        crypto_transaction: None,
        settlement_transaction: None,
        crypto_transactions: None,
        timeline: Some(vec![TimelineEntry {
            status: PaymentStatus::Processing,
            at: unit.now,
        }]),
        cf_headers: None,
        metadata: terms.metadata,
        properties: None,
        created_at: unit.now,
        updated_at: unit.now,
    };
    let scale = scale_of(unit, &payment)?;
    let units = payment
        .amount
        .to_units(scale)
        .map_err(|error| Refusal::field("amount", error.reason(), error.to_string()))?;
    let amount_usd = prices::connected(unit)
        .usd_of(units, scale, &payment.currency)
        .and_then(prices::usd_shown);
    let payment = Payment {
        amount_usd,
        ..payment
    };
    let leads_to = Address {
        organisation,
        account: terms.account.id,
        payment: Some(id),
    };
    if !store::account::hold_address(unit.database, terms.chain, &address, &leads_to)? {
        return Err(Refusal::Store(crate::StoreError::Broken(
            "a new address is known already".into(),
        )));
    }
    let lapses = due_at(&payment);
    let payment = store::payment::insert(unit.database, payment, terms.account.id, lapses)?;
    let payment = with_seen(unit, payment, &[])?;
    event::record(unit, payment.org_id, EventAction::Created, &payment)?;
    Ok(payment)
}
