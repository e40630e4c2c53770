//! Orders that an exchange on a chain executes: by a swap from the hot wallet.

use std::time::Duration;

use settlekit_core::quote::Quote;
use settlekit_core::trade::{OrderReason, OrderStatus, QuickTrade};
use settlekit_core::value::{Amount, OrderId, OrganisationId};

use super::{account, damaged, end, fail, held, move_to, or_reason, quote_of, send_out};
use crate::chains::swap::{self, Start, SwapState, Swapped};
use crate::resources::account::book::{self, Money};
use crate::store;
use crate::store::order::Order;
use crate::store::quote::SwapTerms;
use crate::store::sql::StoreError;
use crate::unit::{Outcome, Unit};

/// An order that waits for the swap of another one is tried again after this time.
const RETRY_AFTER: Duration = Duration::from_secs(2);

/// While its transactions are under way, nothing is due for an order: they end it. It stays due, as accounts with such orders are
/// not deleted.
const LOOK_AFTER: Duration = Duration::from_secs(60);

/// Starts the swap of a funded order. It fails if it cannot start in the time that the quote leaves.
pub(super) fn start(
    unit: &mut Unit<'_>,
    order: Order,
    quote: &Quote,
    terms: &SwapTerms,
) -> Result<(), StoreError> {
    let id = (quote.org_id, order.id);
    let start = match swap::state(unit, id)? {
        SwapState::None => swap::start(unit, id, quote, terms)?,
        SwapState::UnderWay | SwapState::Settled(_) | SwapState::Failed => Start::Queued,
    };
    let is_over = quote.ttl_at.is_none_or(|ttl_at| ttl_at <= unit.now);
    let after = match start {
        Start::Queued => LOOK_AFTER,
        Start::Waits if !is_over => RETRY_AFTER,
        Start::Waits | Start::Impossible => {
            let parts = held(unit, &order, quote)?;
            let reason = OrderReason::VenueRefused;
            return fail(unit, order, (quote.org_id, &parts), reason);
        }
    };
    let order = Order {
        due_at: Some(unit.now.plus(after)),
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
        SwapState::Settled(swapped) => settle(unit, organisation, order, swapped),
        SwapState::Failed => {
            let quote = quote_of(unit, organisation, &order)?;
            let parts = held(unit, &order, &quote)?;
            let reason = OrderReason::VenueRefused;
            fail(unit, order, (organisation, &parts), reason)?;
            Ok(swap::revoke(unit, (organisation, id))?)
        }
    }
}

/// Books what a swap sold and brought, and sends that out if an address was given. The money is there whatever became of the account.
fn settle(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    order: Order,
    Swapped { sold, bought }: Swapped,
) -> Outcome<()> {
    let quote = quote_of(unit, organisation, &order)?;
    let entity = order.id.to_string();
    let mut parts = held(unit, &order, &quote)?;
    for part in &mut parts {
        if sold < part.money.units {
            book::hold_less(unit, part, sold, &entity)?;
        }
    }
    // A router pays wrapped coins with coins that others left there.
    parts.retain(|part| part.money.units > 0);
    let terms = store::quote::terms(unit.database, organisation, quote.id)?;
    let target = account(unit, organisation, terms.settlement)?;
    let currency = &quote.buy_asset.symbol;
    let received = Money::new(currency, bought);
    // The pools have taken their fee.
    let fee = Money::new(currency, 0);
    book::settle(unit, &parts, &target, (&received, &fee), &entity)?;
    let chain = target.chain_id.ok_or_else(|| damaged("chain"))?;
    let asset = store::chain::asset(unit.database, chain, currency)?;
    let scale = asset.ok_or_else(|| damaged("asset"))?.scale;
    let amount = Amount::from_units(bought, scale).map_err(|_| damaged("exact amount"))?;
    let order = Order {
        held: parts.iter().map(|part| part.movement.id).collect(),
        record: QuickTrade {
            to_amount: amount,
            ..order.record
        },
        ..order
    };
    let id = order.id;
    let sent = unit.attempt(|unit| send_out(unit, id, &quote, (&target, received)))?;
    match or_reason(sent)? {
        Ok(is_sent) => Ok(end(unit, organisation, order, is_sent)?),
        // It stays on the account.
        Err(_) => {
            let failed = (OrderStatus::Failed, Some(OrderReason::PayoutFailed));
            Ok(move_to(unit, organisation, order, failed, None)?)
        }
    }
}
