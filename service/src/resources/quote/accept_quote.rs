//! Accepts a quote and creates its order.

use settlekit_core::quote::{AcceptQuote, Quote, QuoteStatus};
use settlekit_core::trade::QuickTrade;

use super::{expired, is_over, move_to};
use crate::money::outflow::check_receiver;
use crate::money::venue;
use crate::resources::trade;
use crate::store;
use crate::unit::caller::Caller;
use crate::unit::{Outcome, Received, Refusal, Unit};

pub(crate) fn accept_quote(
    unit: &mut Unit<'_>,
    call: Received<AcceptQuote>,
) -> Outcome<QuickTrade> {
    let organisation = call.caller.organisation;
    let quote = store::quote::LISTING
        .lock(unit.database, organisation, call.path.quote_id)?
        .ok_or_else(|| Refusal::not_found("quote"))?;
    accept(unit, &call.caller, quote, call.body.reference)
}

/// Accepts a locked or new quote and creates its order. Settlement to an external wallet is money sent out.
pub(crate) fn accept(
    unit: &mut Unit<'_>,
    caller: &Caller,
    quote: Quote,
    reference: Option<String>,
) -> Outcome<QuickTrade> {
    venue::check_connected(unit)?;
    let settlement = quote.settlement_instruction.as_ref();
    if settlement.is_some_and(|settlement| settlement.address.is_some()) {
        caller.need_to_send_out()?;
    }
    // So is settlement on an account that pays out automatically.
    let elsewhere = settlement
        .and_then(|settlement| settlement.account_id)
        .filter(|id| Some(*id) != quote.account_id);
    if let Some(id) = elsewhere
        && let Some(account) = store::account::LISTING.find(unit.database, quote.org_id, id)?
    {
        check_receiver(unit, caller, &account)?;
    }
    place(unit, quote, reference)
}

/// Places the order of a locked or new quote.
pub(crate) fn place(
    unit: &mut Unit<'_>,
    quote: Quote,
    reference: Option<String>,
) -> Outcome<QuickTrade> {
    if is_over(unit, &quote) {
        return Err(expired());
    }
    let quote = move_to(unit, quote, QuoteStatus::Accepted)?;
    trade::place_order(unit, &quote, reference)
}
