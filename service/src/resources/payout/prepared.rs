//! Payouts from a merchant's own wallet: prepared here, signed elsewhere, recognised when they are mined.

use settlekit_core::account::{Account, AccountSummary};
use settlekit_core::error::Reason;
use settlekit_core::event::EventAction;
use settlekit_core::payment::{
    NextAction, Payment, PaymentMethod, PaymentStatus, PreparedTransaction,
};
use settlekit_core::value::{Amount, MovementId, OrganisationId, PaymentId};

use super::{Order, Plan, damaged, locked, note_sent, split_of};
use crate::chains::queue;
use crate::money::connection::Connection;
use crate::money::outflow::need_held;
use crate::resources::account::book::Money;
use crate::resources::{event, payment};
use crate::store;
use crate::store::payout::Payout;
use crate::store::sql::StoreError;
use crate::unit::{Outcome, Refusal, Unit};

/// Refuses an account whose payouts can be neither sent nor prepared. Only wallets on real chains sign elsewhere.
pub(super) fn need_payer(
    account: &Account,
    connection: Connection,
    field: Option<&'static str>,
) -> Outcome<()> {
    if account.xpub.is_some() {
        let message = "is an extended public key, whose money lies at many addresses: send it with your own wallet";
        return Err(Refusal::of(field, Reason::WalletNotHeld, message));
    }
    match connection {
        Connection::Evm(_) if account.own_wallet().is_some() => Ok(()),
        _ => need_held(account, field),
    }
}

/// Records a payout that the merchant signs. Nothing is reserved: the money is the merchant's until a block shows that it left.
pub(super) fn prepare(
    unit: &mut Unit<'_>,
    plan: &Plan,
    amount: Amount,
    order: Order,
) -> Outcome<Payment> {
    let organisation = plan.account.org_id;
    let kind = (PaymentMethod::Payout, PaymentStatus::Pending);
    let money = (amount, plan.money.currency.clone(), plan.chain);
    let units = (plan.money.units, plan.scale);
    let blank = payment::blank(unit, organisation, kind, money, units)?;
    let payment = Payment {
        next_action: Some(NextAction::SignTransaction),
        payout_splits: Some(vec![split_of(plan, amount, &order)]),
        parent_id: order.refunded,
        reference: order.reference,
        metadata: order.metadata,
        source: Some(order.source),
        properties: order.properties,
        sender_address: plan.account.address.clone(),
        from_account: Some(AccountSummary::from(&plan.account)),
        ..blank
    };
    let payment = store::payment::insert(unit.database, payment, plan.account.id, None)?;
    let payout = Payout {
        movement: None,
        to: order.to.as_str().to_owned(),
        units: plan.money.units,
        fee: 0,
        fee_currency: plan.fee.currency.clone(),
        service_fee: 0,
        hash: None,
        sent_at: None,
    };
    store::payout::insert(unit.database, organisation, payment.id, &payout, unit.now)?;
    event::record(unit, organisation, EventAction::Created, &payment)?;
    Ok(payment::with_transactions(unit, payment)?)
}

/// The transaction that pays a payout out, to be signed by the merchant's own wallet.
pub(super) fn transaction(
    unit: &mut Unit<'_>,
    payment: &Payment,
    payout: &Payout,
) -> Result<Option<PreparedTransaction>, StoreError> {
    if payment.next_action != Some(NextAction::SignTransaction) {
        return Ok(None);
    }
    let chain = payment.chain_id.ok_or_else(|| damaged("chain"))?;
    let from = payment.sender_address.clone();
    let call = queue::payout_call(unit, chain, payment, payout)?;
    let asset = store::chain::asset(unit.database, chain, &payment.currency)?;
    let token = asset.and_then(|asset| asset.token_address);
    Ok(Some(PreparedTransaction {
        chain_id: chain,
        from: from.ok_or_else(|| damaged("wallet"))?,
        to: call.to.to_string(),
        value: format!("{:#x}", call.value),
        data: call.data.to_string(),
        link: crate::evm::link(chain, token.as_deref(), &payout.to, payout.units),
    }))
}

/// The prepared payout of an account that a transfer pays out: one whose transaction a reorganisation took away, which the wallet
/// may have replaced, else the oldest that nobody has signed.
pub(crate) fn prepared_for(
    unit: &mut Unit<'_>,
    account: &Account,
    to: &str,
    money: &Money,
) -> Result<Option<PaymentId>, StoreError> {
    let organisation = account.org_id;
    let units = money.units;
    let mut found = store::transaction::adrift_payouts(unit.database, account, to, units)?;
    found.extend(store::payout::prepared(
        unit.database,
        organisation,
        to,
        units,
    )?);
    for id in found {
        let payment = store::payment::LISTING.lock(unit.database, organisation, id)?;
        let is_meant = payment.is_some_and(|payment| {
            matches!(
                payment.status,
                PaymentStatus::Pending | PaymentStatus::Processing
            ) && payment.currency == money.currency
                && payment.chain_id == account.chain_id
                && (payment.from_account).is_some_and(|from| from.id == account.id)
        });
        if is_meant {
            return Ok(Some(id));
        }
    }
    Ok(None)
}

/// A block brought the transaction of a prepared payout.
pub(crate) fn prepared_is_mined(
    unit: &mut Unit<'_>,
    (organisation, id): (OrganisationId, PaymentId),
    movement: MovementId,
    hash: &str,
) -> Result<(), StoreError> {
    let (payment, _) = locked(unit, (organisation, id))?;
    store::payout::set_movement(unit.database, organisation, id, movement)?;
    note_sent(unit, &payment, (hash, unit.now))?;
    match payment.status {
        // Another transaction had been in a block before.
        PaymentStatus::Processing => Ok(()),
        _ => move_on(unit, payment, PaymentStatus::Processing),
    }
}

/// The transaction of a prepared payout has its confirmations, or is lost. If another one pays the payout out since, nothing
/// changes.
pub(crate) fn prepared_is_final(
    unit: &mut Unit<'_>,
    named: (OrganisationId, PaymentId),
    movement: MovementId,
    has_left: bool,
) -> Result<(), StoreError> {
    let (payment, payout) = locked(unit, named)?;
    if payout.movement != Some(movement) {
        return Ok(());
    }
    let (payment, status) = match has_left {
        true => {
            let paid_amount = payment.amount;
            let paid = Payment {
                paid_amount,
                ..payment
            };
            (paid, PaymentStatus::Confirmed)
        }
        false => (payment, PaymentStatus::Failed),
    };
    move_on(unit, payment, status)
}

fn move_on(unit: &mut Unit<'_>, payment: Payment, status: PaymentStatus) -> Result<(), StoreError> {
    let moved = payment::move_on(unit, payment, status, None, None);
    moved
        .map(drop)
        .map_err(|refusal| refusal.unexpected("a prepared payout could not go on"))
}
