//! Payouts: queued with the money reserved, sent, confirmed, booked.

mod approval;
mod create_payout;
mod limit;
mod prepare;
mod prepared;
mod progress;
mod send;
mod terms;
mod transaction;

pub(crate) use approval::{approve_payout, refuse_payout};
pub(crate) use create_payout::{create_payout, send_all, send_back, send_within};
pub(crate) use prepared::{prepared_for, prepared_is_final, prepared_is_mined};
pub(crate) use progress::{
    broadcast, has_failed, refused, settled, transaction_confirmed, transaction_failed, unsettled,
};
pub(crate) use send::{advance, fail_on_chain};
pub(crate) use terms::NewPayout;
pub(crate) use transaction::with_transaction;

use settlekit_core::page::Page;
use settlekit_core::payment::{Payment, PaymentReason};
use settlekit_core::payout::{EstimatePayout, ListPayouts, PayoutEstimate};

use crate::store;
use crate::store::payout::ApprovalState;
use crate::unit::{Outcome, Received, Unit};

pub(crate) fn estimate_payout(
    unit: &mut Unit<'_>,
    call: Received<EstimatePayout>,
) -> Outcome<PayoutEstimate> {
    let query = call.query;
    let terms = terms::terms(
        unit,
        call.caller.organisation,
        &query.account,
        (query.chain_id, "chain_id"),
        (query.amount, &query.currency),
    )?;
    Ok(PayoutEstimate {
        amount: query.amount,
        currency: query.currency,
        fee: terms::shown(terms.fee.units, terms.fee_scale)?,
        fee_currency: terms.fee.currency,
        service_fee: terms::shown(terms.service_fee, terms.scale)?,
        available: terms::shown(terms.available, terms.scale)?,
        covered: terms.covered,
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
            .map(|(payment, sent)| transaction::with_sent(payment, sent))
            .collect(),
        total: page.total,
        next: page.next,
        last_update: page.last_update,
    })
}
