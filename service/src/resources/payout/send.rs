//! Sends due payouts: on the simulated chain at once, on a real one through the queue.

use settlekit_core::payment::{Payment, PaymentReason, PaymentStatus};
use settlekit_core::value::ChainId;

use super::progress::record_sent;
use super::transaction::{damaged, with_transaction};
use crate::chains::{queue, simulated};
use crate::mode::Simulation;
use crate::money::connection::{self, Connection};
use crate::store;
use crate::store::payout::Payout;
use crate::unit::{Outcome, Refusal, Unit};

/// Advances a locked payout by one step.
pub(crate) fn advance(unit: &mut Unit<'_>, payment: Payment) -> Outcome<()> {
    let payout = store::payout::find(unit.database, payment.org_id, payment.id)?
        .ok_or_else(|| damaged("row"))?;
    let chain = payment.chain_id.ok_or_else(|| damaged("chain"))?;
    match payment.status {
        PaymentStatus::Pending if is_waiting(&payment) => Ok(()),
        PaymentStatus::Pending => send(unit, payment, &payout, chain),
        _ => Ok(()),
    }
}

/// Whether a payout waits for a second member. Nothing but its approval sends it.
fn is_waiting(payment: &Payment) -> bool {
    payment.reason == Some(PaymentReason::ApprovalRequired)
}

fn send(unit: &mut Unit<'_>, payment: Payment, payout: &Payout, chain: ChainId) -> Outcome<()> {
    match connection::connected(unit, chain, None)? {
        Connection::Simulated(simulation) => {
            let between = (payment.sender_address.as_deref(), payout.to.as_str());
            let currency = &payment.currency;
            let sent = simulated::send(simulation, unit, chain, between, currency, payout.units)?;
            record_sent(unit, payment, payout, &sent.hash)
        }
        Connection::Evm(evm) => {
            queue::add_payout(unit, evm, &payment, payout)?;
            // A node has to take it before the payout continues.
            store::payment::update(unit.database, &payment, &payment.status, None)?;
            Ok(())
        }
    }
}

/// Fails a locked payout on the simulated chain; sends a queued one first.
pub(crate) fn fail_on_chain(
    simulation: Simulation,
    unit: &mut Unit<'_>,
    payment: Payment,
) -> Outcome<Payment> {
    let (organisation, id) = (payment.org_id, payment.id);
    let forbids = |message: String| Refusal::state_forbids(message);
    if is_waiting(&payment) {
        return Err(Refusal::state_forbids("the payout waits for approval"));
    }
    match payment.status {
        PaymentStatus::Pending => advance(unit, payment)?,
        PaymentStatus::Processing => {}
        status => return Err(forbids(format!("the payout is already {status}"))),
    }
    let again = |unit: &mut Unit<'_>| {
        let found = store::payment::LISTING.find(unit.database, organisation, id)?;
        found.ok_or_else(|| damaged("payment"))
    };
    let payment = again(unit)?;
    let payout = store::payout::find(unit.database, organisation, id)?;
    let payout = payout.ok_or_else(|| damaged("row"))?;
    let chain = payment.chain_id.ok_or_else(|| damaged("chain"))?;
    let hash = payout.hash.ok_or_else(|| damaged("transaction"))?;
    if !simulated::reorganise(simulation, unit, (chain, &hash), false)? {
        let message = "the payout's transaction has too many confirmations to fail";
        return Err(forbids(message.to_owned()));
    }
    let payment = again(unit)?;
    Ok(with_transaction(unit, payment)?)
}
