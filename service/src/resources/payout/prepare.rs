//! Payouts from a merchant's own wallet: prepared here, signed elsewhere. `prepared` recognises them when they are mined.

use settlekit_core::account::AccountSummary;
use settlekit_core::event::EventAction;
use settlekit_core::payment::{NextAction, Payment, PaymentMethod, PaymentStatus};
use settlekit_core::value::Amount;

use super::terms::{NewPayout, PayoutTerms, split_of};
use crate::resources::{event, payment};
use crate::store;
use crate::store::payout::Payout;
use crate::unit::{Outcome, Unit};

/// Records a payout that the merchant signs. Nothing is reserved: the money is the merchant's until a block shows that it left.
pub(super) fn prepare(
    unit: &mut Unit<'_>,
    terms: &PayoutTerms,
    amount: Amount,
    new: NewPayout,
) -> Outcome<Payment> {
    let organisation = terms.account.org_id;
    let kind = (PaymentMethod::Payout, PaymentStatus::Pending);
    let money = (amount, terms.money.currency.clone(), terms.chain);
    let units = (terms.money.units, terms.scale);
    let blank = payment::blank(unit, organisation, kind, money, units)?;
    let payment = Payment {
        next_action: Some(NextAction::SignTransaction),
        payout_splits: Some(vec![split_of(terms, amount, &new)]),
        parent_id: new.refunded,
        reference: new.reference,
        metadata: new.metadata,
        source: Some(new.source),
        properties: new.properties,
        sender_address: terms.sender.clone(),
        from_account: Some(AccountSummary::from(&terms.account)),
        ..blank
    };
    let payment = store::payment::insert(unit.database, payment, terms.account.id, None)?;
    let payout = Payout {
        movement: None,
        to: new.to.as_str().to_owned(),
        units: terms.money.units,
        fee: 0,
        fee_currency: terms.fee.currency.clone(),
        service_fee: 0,
        hash: None,
        sent_at: None,
    };
    store::payout::insert(unit.database, organisation, payment.id, &payout, unit.now)?;
    event::record(unit, organisation, EventAction::Created, &payment)?;
    Ok(payment::with_transactions(unit, payment)?)
}
