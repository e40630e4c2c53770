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
    let page = match &query.reason {
        None => store::payout::list(unit.database, organisation, &query)?,
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
                        counts: None,
                    });
                }
            };
            store::payout::by_approval(unit.database, organisation, state, &query.list)?
        }
    };
    Ok(page.map(|(payment, sent)| transaction::with_sent(payment, sent)))
}
