//! Creates a payment with an address of its own.

use settlekit_core::account::{Account, AccountSummary};
use settlekit_core::customer::Customer;
use settlekit_core::event::EventAction;
use settlekit_core::paylink::{Paylink, Source};
use settlekit_core::payment::{CreatePayment, NextAction, Payment, PaymentMethod, PaymentStatus};
use settlekit_core::value::{Amount, ChainId, Currency, Object, OrganisationId, Timestamp};

use super::{VALIDITY, asset, blank, due_at, with_seen};
use crate::money::connection;
use crate::money::outflow::need_receiver;
use crate::resources::{account, chain, customer, event, plan};
use crate::store;
use crate::unit::{Outcome, Received, Refusal, Unit};

/// The terms of a new payment.
pub(crate) struct PaymentTerms {
    pub(crate) amount: Amount,
    pub(crate) currency: Currency,
    pub(crate) chain: ChainId,
    pub(crate) account: Account,
    pub(crate) customer: Option<Customer>,
    pub(crate) paylink: Option<Paylink>,
    pub(crate) reference: Option<String>,
    pub(crate) metadata: Option<Object>,
    pub(crate) source: Source,
    pub(crate) paid_by: PaidBy,
}

/// How a payment's money comes.
#[derive(Debug, Clone, Copy)]
pub(crate) enum PaidBy {
    /// To an address of its own.
    Deposit,
    /// By a transfer that its payer has signed already, and that is valid until this time.
    SignedTransfer(Timestamp),
}

pub(crate) fn create_payment(
    unit: &mut Unit<'_>,
    call: Received<CreatePayment>,
) -> Outcome<Payment> {
    let organisation = call.caller.organisation;
    let body = call.body;
    chain::known(unit, body.chain_id)?;
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
        None => store::account::all_accounts(unit.database, organisation)?
            .into_iter()
            .find(|account| takes(account) && account.may_receive()),
    };
    let account = account.ok_or_else(|| {
        Refusal::not_supported("account", "does not support this currency on this chain")
    })?;
    let customer = match body.customer_id {
        Some(id) => Some(customer::named(unit, organisation, id)?),
        None => None,
    };
    let terms = PaymentTerms {
        amount: body.amount,
        currency: body.currency,
        chain: body.chain_id,
        account,
        customer,
        paylink: None,
        reference: body.reference,
        metadata: body.metadata,
        source: plan::source_of(&call.caller),
        paid_by: PaidBy::Deposit,
    };
    start(unit, organisation, terms)
}

/// Creates a payment, which is Processing: it has its address, or its money comes.
pub(crate) fn start(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    terms: PaymentTerms,
) -> Outcome<Payment> {
    let connection = connection::connected(unit, terms.chain, Some("chain_id"))?;
    let address = match terms.paid_by {
        PaidBy::Deposit => Some(connection.new_pay_in_address(unit, &terms.account)?),
        PaidBy::SignedTransfer(_) => None,
    };
    let (method, next_action, expires_at) = match terms.paid_by {
        PaidBy::Deposit => (
            PaymentMethod::ProxyWallet,
            NextAction::SendFunds,
            unit.now.plus(VALIDITY),
        ),
        PaidBy::SignedTransfer(until) => (PaymentMethod::Direct, NextAction::Wait, until),
    };
    let scale = asset(unit, terms.chain, &terms.currency)?.scale;
    let units = terms
        .amount
        .to_units(scale)
        .map_err(|error| Refusal::amount("amount", error))?;
    let money = (terms.amount, terms.currency, terms.chain);
    let kind = (method, PaymentStatus::Processing);
    let payment = Payment {
        reference: terms.reference,
        invoice_id: terms
            .paylink
            .as_ref()
            .and_then(|paylink| paylink.invoice_id),
        customer_id: terms.customer.as_ref().map(|customer| customer.id),
        source: Some(terms.source),
        next_action: Some(next_action),
        deposit_address: address.as_ref().map(|new| new.address.clone()),
        expires_at: Some(expires_at),
        customer: terms.customer,
        payment_link: terms.paylink,
        to_account: Some(AccountSummary::from(&terms.account)),
        metadata: terms.metadata,
        ..blank(unit, organisation, kind, money, (units, scale))?
    };
    if let Some(address) = &address {
        let on_chain = (terms.chain, address);
        account::hold_new_address(unit, &terms.account, on_chain, Some(payment.id))?;
    }
    let due_at = due_at(&payment);
    let payment = store::payment::insert(unit.database, payment, terms.account.id, due_at)?;
    let payment = with_seen(unit, payment, &[])?;
    event::record(unit, payment.org_id, EventAction::Created, &payment)?;
    Ok(payment)
}
