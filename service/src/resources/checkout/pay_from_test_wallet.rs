//! Pays from the test wallet of the sandbox.

use settlekit_core::call::Call;
use settlekit_core::checkout::{CheckoutPayment, PayFromTestWallet};
use settlekit_core::payment::PaymentStatus;
use settlekit_core::value::Amount;

use super::{payment_of, view};
use crate::chains::simulated;
use crate::resources::payment::scale_of;
use crate::unit::{Outcome, Refusal, Unit};

pub(crate) fn pay_from_test_wallet(
    unit: &mut Unit<'_>,
    call: Call<PayFromTestWallet>,
) -> Outcome<CheckoutPayment> {
    let payment = payment_of(unit, call.path.payment_id)?;
    let over = matches!(
        payment.status,
        PaymentStatus::Canceled | PaymentStatus::Confirmed | PaymentStatus::Refunded
    );
    if over {
        return Err(Refusal::state_forbids(format!(
            "the payment is already {}",
            payment.status
        )));
    }
    let scale = scale_of(unit, &payment)?;
    let units_of = |amount: Amount| {
        let units = amount.to_units(scale);
        units.map_err(|error| Refusal::amount("amount", error))
    };
    let units = match call.body.amount {
        Some(amount) => units_of(amount)?,
        None => units_of(payment.amount)? - units_of(payment.paid_amount)?,
    };
    if units <= 0 {
        return Err(Refusal::state_forbids("nothing is due"));
    }
    let address = payment.deposit_address.clone();
    let address = address.ok_or_else(|| Refusal::state_forbids("the payment has no address"))?;
    let chain = payment
        .chain_id
        .ok_or_else(|| Refusal::state_forbids("the payment has no chain"))?;
    simulated::send(
        unit.need_simulation()?,
        unit,
        chain,
        (None, &address),
        &payment.currency,
        units,
    )?;
    let payment = payment_of(unit, call.path.payment_id)?;
    view(unit, payment)
}
