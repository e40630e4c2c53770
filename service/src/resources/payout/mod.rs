//! Payouts: queued with the money reserved, sent, confirmed, booked.

mod approval;
mod create_payout;
mod limit;
mod prepared;
mod progress;

pub(crate) use approval::{approve_payout, refuse_payout};
pub(crate) use create_payout::{create_payout, send_all, send_back, send_within};
pub(crate) use prepared::{prepared_for, prepared_is_final, prepared_is_mined};
pub(crate) use progress::{
    advance, broadcast, ended, fail_on_chain, has_failed, refused, settled, transaction_confirmed,
    transaction_failed, unsettled, with_transaction,
};

use settlekit_core::account::Account;
use settlekit_core::find::FoundKind;
use settlekit_core::page::Page;
use settlekit_core::paylink::Source;
use settlekit_core::payment::{Payment, PaymentReason, PayoutSplit};
use settlekit_core::payout::{EstimatePayout, ListPayouts, PayoutEstimate};
use settlekit_core::value::{
    AccountKey, Amount, ChainId, Currency, Object, OrganisationId, PaymentId, Timestamp, UserId,
};

use crate::money::connection;
use crate::resources::account::book::Money;
use crate::resources::{account, chain, trade};
use crate::store;
use crate::store::destination::Destination;
use crate::store::payout::{ApprovalState, Payout};
use crate::store::sql::StoreError;
use crate::unit::{Outcome, Received, Refusal, Unit};

/// The data of a payout, except the money.
pub(crate) struct Order {
    pub(crate) to: Destination,
    /// The merchant's name of a stored destination.
    pub(crate) called: Option<String>,
    pub(crate) reference: Option<String>,
    pub(crate) metadata: Option<Object>,
    pub(crate) source: Source,
    pub(crate) properties: Option<Object>,
    /// The member who created it.
    pub(crate) created_by: Option<UserId>,
    /// The payment that it refunds.
    pub(crate) refunded: Option<PaymentId>,
}

impl Order {
    /// The payout of a deposit share or an automation.
    pub(crate) fn automatic(to: Destination, properties: Option<Object>) -> Self {
        Self {
            to,
            called: None,
            reference: None,
            metadata: None,
            source: Source::Automation,
            properties,
            created_by: None,
            refunded: None,
        }
    }
}

/// A payout before it is created.
struct Plan {
    account: Account,
    chain: ChainId,
    money: Money,
    scale: u32,
    fee: Money,
    fee_scale: u32,
    /// The service fee, in the currency of `money`.
    service_fee: i128,
    /// The available balance of the currency.
    available: i128,
    /// The balance after the payout; negative if not covered.
    left: i128,
    covered: bool,
}

/// Resolves the account, computes the fee and checks the cover.
fn plan(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    key: &AccountKey,
    (chain, chain_field): (ChainId, &'static str),
    (amount, currency): (Amount, &Currency),
) -> Outcome<Plan> {
    let known = chain::known(unit, chain)?;
    let connection = connection::connected(unit, chain, Some(chain_field))?;
    let account = account::holder_on_chain(unit, organisation, key, chain)?;
    prepared::need_payer(&account, connection, Some("account"))?;
    let asset = chain::asset(unit, chain, currency)?;
    let units = amount
        .to_units(asset.scale)
        .map_err(|error| Refusal::amount("amount", error))?;
    let held = store::ledger::balances(unit.database, organisation, Some(account.id))?;
    let available = |currency: &Currency| {
        held.iter()
            .filter(|balance| balance.currency == *currency)
            .map(|balance| balance.posted - balance.reserved)
            .sum::<i128>()
    };
    let native = known.chain.native_currency_symbol;
    let native_scale = store::chain::asset(unit.database, chain, &native)?
        .ok_or_else(|| StoreError::Damaged("a chain lacks its own asset".into()))?
        .scale;
    // Gas is paid in the native asset if the account has enough, otherwise from the sent currency.
    let gas = connection
        .fee(chain, &native, native_scale)
        .ok_or_else(|| StoreError::Damaged("a chain's own asset has no price".into()))?;
    let spent = if native == *currency { units } else { 0 };
    let (fee, fee_scale) = match connection.fee(chain, currency, asset.scale) {
        Some(fee) if available(&native).saturating_sub(spent) < gas => {
            (Money::new(currency, fee), asset.scale)
        }
        _ => (Money::new(&native, gas), native_scale),
    };
    let same = if fee.currency == *currency {
        fee.units
    } else {
        0
    };
    // What leaves the merchant's own wallet never passes the service.
    let service_fee = match account.is_held() {
        true => account::fee::of_payout(unit, &account, units)?,
        false => 0,
    };
    let left = [units, same, service_fee]
        .into_iter()
        .fold(available(currency), i128::saturating_sub);
    let covered = left >= 0 && fee.units <= available(&fee.currency);
    Ok(Plan {
        available: available(currency),
        left,
        chain,
        money: Money::new(currency, units),
        scale: asset.scale,
        fee,
        fee_scale,
        service_fee,
        covered,
        account,
    })
}

fn shown(units: i128, scale: u32) -> Outcome<Amount> {
    Amount::from_units(units, scale).map_err(|_| Refusal::amount_too_large())
}

pub(crate) fn estimate_payout(
    unit: &mut Unit<'_>,
    call: Received<EstimatePayout>,
) -> Outcome<PayoutEstimate> {
    let query = call.query;
    let plan = plan(
        unit,
        call.caller.organisation,
        &query.account,
        (query.chain_id, "chain_id"),
        (query.amount, &query.currency),
    )?;
    Ok(PayoutEstimate {
        amount: query.amount,
        currency: query.currency,
        fee: shown(plan.fee.units, plan.fee_scale)?,
        fee_currency: plan.fee.currency,
        service_fee: shown(plan.service_fee, plan.scale)?,
        available: shown(plan.available, plan.scale)?,
        covered: plan.covered,
    })
}

pub(crate) fn list_payouts(
    unit: &mut Unit<'_>,
    call: Received<ListPayouts>,
) -> Outcome<Page<Payment>> {
    let (organisation, query) = (call.caller.organisation, call.query);
    let page = match query.reason {
        None => store::payout::LISTING.page(unit.database, organisation, &query.list)?,
        Some(reason) => {
            let state = match reason {
                PaymentReason::ApprovalRequired => ApprovalState::Waiting,
                PaymentReason::ApprovalRefused => ApprovalState::Refused,
                // Payouts have no other reasons.
                _ => {
                    return Ok(Page {
                        items: Vec::new(),
                        total: 0,
                        next: None,
                        last_update: None,
                    });
                }
            };
            store::payout::by_approval(unit.database, organisation, state, &query.list)?
        }
    };
    let items = page.items.into_iter();
    Ok(Page {
        items: items
            .map(|(payment, sent)| progress::with_sent(payment, sent))
            .collect(),
        total: page.total,
        next: page.next,
        last_update: page.last_update,
    })
}

/// Where the money of a payout goes.
fn split_of(plan: &Plan, amount: Amount, order: &Order) -> PayoutSplit {
    PayoutSplit {
        address: Some(order.to.as_str().to_owned()),
        amount,
        chain_id: Some(plan.chain),
        currency: plan.money.currency.clone(),
        destination_account_id: None,
        reference: order.called.clone(),
    }
}

/// A payout with its payment, locked.
fn locked(
    unit: &mut Unit<'_>,
    (organisation, id): (OrganisationId, PaymentId),
) -> Result<(Payment, Payout), StoreError> {
    let payment = store::payment::LISTING.lock(unit.database, organisation, id)?;
    let payout = store::payout::find(unit.database, organisation, id)?;
    Ok((
        payment.ok_or_else(|| damaged("payment"))?,
        payout.ok_or_else(|| damaged("row"))?,
    ))
}

/// Records the transaction of a payout, by which the payment that it refunds, or its order, is found too.
fn note_sent(
    unit: &mut Unit<'_>,
    payment: &Payment,
    (hash, at): (&str, Timestamp),
) -> Result<(), StoreError> {
    let organisation = payment.org_id;
    store::payout::sent(unit.database, organisation, payment.id, (hash, at))?;
    if let Some(refunded) = payment.parent_id {
        let found = (FoundKind::Payment, refunded);
        store::find::note(unit.database, organisation, found, Some(hash))?;
    }
    if let Some(order) = trade::order_of(payment) {
        let found = (FoundKind::Order, order);
        store::find::note(unit.database, organisation, found, Some(hash))?;
    }
    Ok(())
}

fn damaged(what: &str) -> StoreError {
    StoreError::Damaged(format!("a payout has no {what}"))
}
