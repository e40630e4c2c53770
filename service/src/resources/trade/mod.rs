//! Trading: orders of accepted quotes, and tradable assets.

mod create_quick_trade;
mod get_currencies;
mod list_instruments;
mod list_tradable_assets;
mod order;
mod place;
mod progress;

pub(crate) use create_quick_trade::create_quick_trade;
pub(crate) use get_currencies::get_currencies;
pub(crate) use list_instruments::list_instruments;
pub(crate) use list_tradable_assets::list_tradable_assets;
pub(crate) use place::place_order;
#[cfg(not(target_family = "wasm"))]
pub(crate) use progress::swap_ended;
pub(crate) use progress::{payout_ended, refuse, run_due};

use settlekit_core::page::Page;
use settlekit_core::trade::{GetOrder, ListOrders, QuickTrade};

use crate::store;
use crate::unit::{Outcome, Received, Refusal, Unit};

pub(crate) fn get_order(unit: &mut Unit<'_>, call: Received<GetOrder>) -> Outcome<QuickTrade> {
    store::order::LISTING
        .find(unit.database, call.caller.organisation, call.path.order_id)?
        .ok_or_else(|| Refusal::not_found("order"))
}

pub(crate) fn list_orders(
    unit: &mut Unit<'_>,
    call: Received<ListOrders>,
) -> Outcome<Page<QuickTrade>> {
    Ok(store::order::LISTING.page(unit.database, call.caller.organisation, &call.query)?)
}
