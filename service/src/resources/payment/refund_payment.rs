//! Checks a merchant's refund and starts it.

use settlekit_core::payment::{Payment, RefundPayment};

use super::refund::{NewRefund, refund};
use super::scale_of;
use crate::resources::plan;
use crate::store;
use crate::store::destination::Destination;
use crate::store::sql::StoreError;
use crate::unit::caller::Via;
use crate::unit::{Outcome, Received, Refusal, Unit};

/// Refunds a payment: by default the whole remainder, to the sender.
pub(crate) fn refund_payment(
    unit: &mut Unit<'_>,
    call: Received<RefundPayment>,
) -> Outcome<Payment> {
    let organisation = call.caller.organisation;
    let payment = store::payment::LISTING
        .lock(unit.database, organisation, call.path.payment_id)?
        .ok_or_else(|| Refusal::not_found("payment"))?;
    let chain = payment
        .chain_id
        .ok_or_else(|| StoreError::Damaged("a payment has no chain".into()))?;
    if let Some(address) = &call.body.address {
        let known = store::chain::find(unit.database, chain)?
            .ok_or_else(|| StoreError::Damaged("a payment is on an unknown chain".into()))?;
        if known.family != address.family() {
            return Err(Refusal::address_malformed(
                "address",
                "is not an address of the payment's chain",
            ));
        }
    }
    let scale = scale_of(unit, &payment)?;
    let units = call.body.amount.map(|amount| amount.to_units(scale));
    let units = units
        .transpose()
        .map_err(|error| Refusal::amount("amount", error))?;
    let address = call.body.address.as_ref();
    let to = address.map(|address| Destination::named_by(&call.caller, address));
    let to = to.transpose()?;
    let new = NewRefund {
        units,
        to,
        reason: call.body.reason,
        source: plan::source_of(&call.caller),
        created_by: match call.caller.via {
            Via::Session { user, .. } => Some(user),
            Via::Key { .. } => None,
        },
    };
    refund(unit, organisation, payment.id, new)
}
