//! Lists payouts, by default all.

use settlekit_core::page::Page;
use settlekit_core::payment::{Payment, PaymentReason};
use settlekit_core::payout::ListPayouts;

use super::transaction;
use crate::store;
use crate::store::payout::ApprovalState;
use crate::unit::{Outcome, Received, Unit};

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
