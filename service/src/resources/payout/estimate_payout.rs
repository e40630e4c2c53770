//! The fees of a payout, and whether its account covers it.

use settlekit_core::payout::{EstimatePayout, PayoutEstimate};

use super::terms;
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
        None,
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
