//! Creates a payout: validate, check cover, reserve, queue.

use settlekit_core::account::{Account, AccountSummary};
use settlekit_core::error::Reason;
use settlekit_core::event::EventAction;
use settlekit_core::external_account::ExternalAccountType;
use settlekit_core::payment::{
    Payment, PaymentMethod, PaymentReason, PaymentStatus, PayoutApproval,
};
use settlekit_core::payout::{CreatePayout, CreatePayoutBody};
use settlekit_core::value::{AccountKey, Amount, ChainId, Currency, OrganisationId, WalletAddress};

use super::limit;
use super::prepare::prepare;
use super::sender::sender_of;
use super::terms::{NewPayout, PayoutTerms, need_payer, not_covered, shown, split_of, terms};
use crate::money::connection;
use crate::money::outflow::check_destination;
use crate::resources::account::book::{self, Money};
use crate::resources::{chain, event, payment, plan};
use crate::store;
use crate::store::destination::Destination;
use crate::store::payout::Payout;
use crate::unit::caller::Via;
use crate::unit::{Outcome, Received, Refusal, Unit};

pub(crate) fn create_payout(unit: &mut Unit<'_>, call: Received<CreatePayout>) -> Outcome<Payment> {
    let organisation = call.caller.organisation;
    let body = call.body;
    let (chain, address, destination_name) = destination(unit, organisation, &body)?;
    let to = Destination::named_by(&call.caller, &address)?;
    let chain_field = match body.chain_id {
        Some(_) => "chain_id",
        None => "external_account_id",
    };
    let terms = terms(
        unit,
        organisation,
        &body.account,
        (chain, chain_field),
        (body.amount, &body.currency),
        Some(to.as_str()),
    )?;
    if !terms.covered && terms.account.xpub.is_some() {
        return Err(not_covered(
            terms.available,
            terms.scale,
            &terms.money.currency,
        )?);
    }
    if !terms.covered {
        return Err(Refusal::field(
            "amount",
            Reason::InsufficientFunds,
            format!(
                "and the fees exceed the available balance of {} {}",
                shown(terms.available, terms.scale)?,
                terms.money.currency
            ),
        ));
    }
    let new = NewPayout {
        to,
        destination_name,
        reference: body.reference,
        metadata: body.metadata,
        source: plan::source_of(&call.caller),
        properties: None,
        created_by: match call.caller.via {
            Via::Session { user, .. } => Some(user),
            Via::Key { .. } => None,
        },
        refunded: None,
    };
    let to_field = match body.address {
        Some(_) => "address",
        None => "external_account_id",
    };
    match terms.account.is_held() {
        true => start(unit, &terms, (body.amount, Some(to_field)), new),
        false => {
            check_destination(unit, terms.chain, Some(to_field), new.to.as_str())?;
            prepare(unit, &terms, body.amount, new)
        }
    }
}

/// Pays out an amount. The fees come from the remaining available balance of the account, or from the amount where that is too little.
/// Sends nothing if fees would exceed the amount.
pub(crate) fn send_all(
    unit: &mut Unit<'_>,
    account: &Account,
    (amount, currency): (Amount, &Currency),
    for_others: i128,
    new: NewPayout,
) -> Outcome<()> {
    let Some(whole) = terms_from(unit, account, (amount, currency))? else {
        return Ok(());
    };
    if whole.covered && whole.left >= for_others {
        start(unit, &whole, (amount, None), new)?;
        return Ok(());
    }
    send_less(unit, account, &whole, currency, new)
}

/// Pays out as much as an amount covers including fees. Sends nothing if fees would exceed it.
pub(crate) fn send_within(
    unit: &mut Unit<'_>,
    account: &Account,
    (most, currency): (Amount, &Currency),
    new: NewPayout,
) -> Outcome<()> {
    match terms_from(unit, account, (most, currency))? {
        Some(whole) => send_less(unit, account, &whole, currency, new),
        None => Ok(()),
    }
}

/// Sends the money of a refund or a trade to its address: a payout without fees.
pub(crate) fn send_back(
    unit: &mut Unit<'_>,
    account: &Account,
    (chain, scale): (ChainId, u32),
    money: Money,
    new: NewPayout,
) -> Outcome<Payment> {
    let connection = connection::connected(unit, chain, None)?;
    need_payer(account, connection, None)?;
    let native = chain::known(unit, chain)?.chain.native_currency_symbol;
    let amount = shown(money.units, scale)?;
    let sender = sender_of(unit, account, chain, &money, Some(new.to.as_str()))?;
    if let (None, Some(most)) = (&sender.address, sender.most) {
        return Err(not_covered(most, scale, &money.currency)?);
    }
    let terms = PayoutTerms {
        account: account.clone(),
        sender: sender.address,
        chain,
        fee_scale: chain::asset(unit, chain, &native)?.scale,
        fee: Money::new(&native, 0),
        service_fee: 0,
        available: money.units,
        left: 0,
        covered: true,
        scale,
        money,
    };
    match account.is_held() {
        // The reservation refuses an uncovered amount.
        true => start(unit, &terms, (amount, Some("address")), new)
            .map_err(|refusal| refusal.of_funds("amount")),
        false => {
            check_destination(unit, chain, Some("address"), new.to.as_str())?;
            prepare(unit, &terms, amount, new)
        }
    }
}

/// A payout from an account; `None` if the account has no chain.
fn terms_from(
    unit: &mut Unit<'_>,
    account: &Account,
    money: (Amount, &Currency),
) -> Outcome<Option<PayoutTerms>> {
    let Some(chain) = account.chain_id else {
        return Ok(None);
    };
    let key = AccountKey::Id(account.id);
    terms(unit, account.org_id, &key, (chain, "chain_id"), money, None).map(Some)
}

/// Pays out an amount less its fees, if that is covered.
fn send_less(
    unit: &mut Unit<'_>,
    account: &Account,
    whole: &PayoutTerms,
    currency: &Currency,
    new: NewPayout,
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
    let amount = shown(less, whole.scale)?;
    if let Some(less) = terms_from(unit, account, (amount, currency))?
        && less.covered
    {
        start(unit, &less, (amount, None), new)?;
    }
    Ok(())
}

/// Queues a covered payout. The field of the request that named the destination is for errors.
fn start(
    unit: &mut Unit<'_>,
    terms: &PayoutTerms,
    (amount, to_field): (Amount, Option<&'static str>),
    new: NewPayout,
) -> Outcome<Payment> {
    check_destination(unit, terms.chain, to_field, new.to.as_str())?;
    let organisation = terms.account.org_id;
    let kind = (PaymentMethod::Payout, PaymentStatus::Pending);
    let money = (amount, terms.money.currency.clone(), terms.chain);
    let units = (terms.money.units, terms.scale);
    let payment = payment::blank(unit, organisation, kind, money, units)?;
    let movement = book::queue_withdrawal(
        unit,
        &terms.account,
        &terms.money,
        Some(&terms.fee),
        &new.to,
        Some(payment.id.to_string()),
    )?;
    if terms.service_fee > 0 {
        let fee = Money::new(&terms.money.currency, terms.service_fee);
        book::reserve(unit, &terms.account, &fee)?;
    }
    let counted = (amount, &terms.money.currency);
    let approval = limit::exceeded(unit, organisation, terms.chain, counted)?;
    let approval = approval.map(|approval| PayoutApproval {
        requested_by: new.created_by,
        ..approval
    });
    let is_above = approval.is_some();
    let split = split_of(terms, amount, &new);
    let payment = Payment {
        reason: is_above.then_some(PaymentReason::ApprovalRequired),
        approval,
        parent_id: new.refunded,
        reference: new.reference,
        metadata: new.metadata,
        source: Some(new.source),
        properties: new.properties,
        sender_address: terms.account.address.clone(),
        from_account: Some(AccountSummary::from(&terms.account)),
        payout_splits: Some(vec![split]),
        ..payment
    };
    // Sent in the next round, or when a second member approves it.
    let due_at = (!is_above).then_some(unit.now);
    let payment = store::payment::insert(unit.database, payment, terms.account.id, due_at)?;
    let payout = Payout {
        movement: Some(movement.id),
        to: new.to.as_str().to_owned(),
        units: terms.money.units,
        fee: terms.fee.units,
        fee_currency: terms.fee.currency.clone(),
        service_fee: terms.service_fee,
        hash: None,
        sent_at: None,
    };
    store::payout::insert(unit.database, organisation, payment.id, &payout, unit.now)?;
    if is_above {
        store::payout::await_approval(unit.database, organisation, payment.id)?;
    }
    event::record(unit, organisation, EventAction::Queued, &payment)?;
    Ok(payment::with_transactions(unit, payment)?)
}

/// The destination: a stored one with a name, or an address.
fn destination(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    body: &CreatePayoutBody,
) -> Outcome<(ChainId, WalletAddress, Option<String>)> {
    if let (Some(address), Some(chain)) = (&body.address, body.chain_id) {
        if chain::known(unit, chain)?.family != address.family() {
            let message = "is not an address of the chain";
            return Err(Refusal::address_malformed("address", message));
        }
        return Ok((chain, address.clone(), None));
    }
    const FIELD: &str = "external_account_id";
    let found = match body.external_account_id {
        Some(id) => store::external_account::LISTING.find(unit.database, organisation, id)?,
        None => None,
    };
    let Some(found) = found.filter(|account| account.enabled) else {
        let message = "is not a known payout destination";
        return Err(Refusal::reference_unknown(FIELD, message));
    };
    let address = found
        .address
        .as_deref()
        .and_then(|text| text.parse::<WalletAddress>().ok());
    let (ExternalAccountType::Digital, Some(chain), Some(address)) =
        (&found.r#type, found.chain_id, address)
    else {
        let message = "is a bank account, and bank payouts are not supported yet";
        return Err(Refusal::not_supported(FIELD, message));
    };
    if body.chain_id.is_some_and(|given| given != chain) {
        let message = "is not the chain of the destination";
        return Err(Refusal::not_supported("chain_id", message));
    }
    if !found.currencies.contains(&body.currency) {
        let message = "is not accepted by the destination";
        return Err(Refusal::not_supported("currency", message));
    }
    Ok((chain, address, found.reference.or(found.name)))
}
