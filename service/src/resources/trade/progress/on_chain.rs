//! Orders that an exchange on a chain executes: by a swap from the hot wallet.

use std::time::Duration;

use settlekit_core::quote::Quote;
use settlekit_core::trade::{OrderReason, OrderStatus};
use settlekit_core::value::{OrderId, OrganisationId};

use super::executed::{Executed, settle};
use super::{LOOK_AFTER, fail, held, next_multiple, quote_of};
use crate::chains::swap::{self, Start, SwapState};
use crate::money::ledger::Holder;
use crate::store;
use crate::store::execution::SwapTerms;
use crate::store::order::Order;
use crate::store::sql::StoreError;
use crate::unit::{Outcome, Unit};

/// Orders that wait for another one's swap, or for a sweep, are tried again at multiples of this time, in microseconds: together, so
/// that the oldest is the first.
const RETRY_EVERY: i64 = 2_000_000;

/// The time that approval and swap need. An order that has less left is not started.
const SWAP_TIME: Duration = Duration::from_secs(2 * 60);

/// Starts the swap of a funded order. It fails if it cannot start in the time that the quote leaves.
pub(super) fn start(
    unit: &mut Unit<'_>,
    order: Order,
    quote: &Quote,
    terms: &SwapTerms,
) -> Result<(), StoreError> {
    let id = (quote.org_id, order.id);
    let needed_until = unit.now.plus(SWAP_TIME);
    let is_over = quote.ttl_at.is_none_or(|ttl_at| ttl_at <= needed_until);
    let start = match swap::state(unit, id)? {
        SwapState::None if is_over => Start::Impossible,
        SwapState::None => swap::start(unit, id, quote, terms)?,
        SwapState::UnderWay | SwapState::Settled(_) | SwapState::Failed => Start::Queued,
    };
    let due_at = match start {
        Start::Queued => unit.now.plus(LOOK_AFTER),
        Start::Waits => next_multiple(unit.now, RETRY_EVERY),
        Start::Impossible => {
            let parts = held(unit, &order, quote)?;
            let reason = OrderReason::VenueRefused;
            return fail(unit, order, (quote.org_id, &parts), reason);
        }
    };
    let order = Order {
        due_at: Some(due_at),
        ..order
    };
    store::order::update(unit.database, quote.org_id, &order, unit.now)
}

/// Goes on with an order of which a transaction has ended.
pub(crate) fn swap_ended(
    unit: &mut Unit<'_>,
    (organisation, id): (OrganisationId, OrderId),
) -> Outcome<()> {
    let order = store::order::ORDERS.lock(unit.database, organisation, id)?;
    let order = order.ok_or_else(|| StoreError::Damaged("a swap has no order".to_owned()))?;
    // It has ended before: a reorganisation has brought its transactions again.
    if order.record.status != OrderStatus::Processing || order.due_at.is_none() {
        return Ok(());
    }
    match swap::state(unit, (organisation, id))? {
        SwapState::None | SwapState::UnderWay => Ok(()),
        SwapState::Settled(swapped) => {
            let quote = quote_of(unit, organisation, &order)?;
            let executed = Executed {
                sold: swapped.sold,
                bought: swapped.bought,
            };
            settle(unit, order, &quote, executed, Holder::Venue)
        }
        SwapState::Failed => {
            let quote = quote_of(unit, organisation, &order)?;
            let parts = held(unit, &order, &quote)?;
            let reason = OrderReason::VenueRefused;
            fail(unit, order, (organisation, &parts), reason)?;
            Ok(swap::revoke(unit, (organisation, id))?)
        }
    }
}
