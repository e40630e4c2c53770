//! The transactions of an order on a chain: an approval of the sold amount, then an exact-input swap.
//!
//! One order at a time uses the allowance for a currency, until its swap is in a block: another approval would replace it. The swap
//! is queued when the approval is in a block, so a node estimates it first: where the market has moved, it is refused and nothing is
//! sent. An order has failed when all its transactions have ended and none has swapped. The allowance is revoked then.

use std::time::Duration;

use alloy_primitives::{Address, B256, U256};
use settlekit_core::quote::{Quote, QuoteAsset};
use settlekit_core::trade::OrderStatus;
use settlekit_core::value::{ChainId, Currency, OrderId, OrganisationId};

use super::{queue, sign, sweep};
use crate::evm::transaction::Call;
use crate::money::connection::{self, Connection};
use crate::money::uniswap::revocation;
use crate::money::venue::{PreparedSwap, SwapMoney, prepare};
use crate::store;
use crate::store::execution::{Execution, SwapTerms};
use crate::store::held_transfer::HeldTransfer;
use crate::store::outgoing::{Outgoing, Purpose, Status};
use crate::store::sql::StoreError;
use crate::unit::Unit;

/// The time in which a swap is mined, or reverts.
const DEADLINE: Duration = Duration::from_secs(10 * 60);

/// How the swap of an order starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Start {
    /// Its first transaction is queued.
    Queued,
    /// Another order uses the allowance, the hot wallet lacks the money yet, or the chain is paused.
    Waits,
    /// The chain's exchange cannot make the swap any more.
    Impossible,
}

/// Where the swap of an order stands.
#[derive(Debug, Clone)]
pub(crate) enum SwapState {
    /// Nothing was queued.
    None,
    UnderWay,
    /// It is settled.
    Settled(Swapped),
    Failed,
}

/// The amounts that a swap moved, in smallest units.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Swapped {
    /// Less than was to be sold if the pools ran out.
    pub(crate) sold: i128,
    pub(crate) bought: i128,
}

/// Starts the swap of an order.
pub(crate) fn start(
    unit: &mut Unit<'_>,
    order: (OrganisationId, OrderId),
    quote: &Quote,
    terms: &SwapTerms,
) -> Result<Start, StoreError> {
    let Some(Connection::Evm(evm)) = connection::of_chain(unit, terms.chain)? else {
        return Ok(Start::Waits);
    };
    let (sold, _) = sides(quote)?;
    // The lock keeps others from using the allowance until the commit.
    store::venue::lock(unit.database, terms.chain)?;
    let Some(prepared) = prepared(unit, quote, terms, evm.hot_wallet)? else {
        return Ok(Start::Impossible);
    };
    let from = (terms.chain, evm.hot_wallet);
    let allowed = (terms.chain, &sold.symbol);
    if prepared.approval.is_some()
        && store::outgoing_open::is_allowance_in_use(unit.database, allowed)?
    {
        return Ok(Start::Waits);
    }
    // Nobody waits for an allowance whose money is not there. A sweep brings it.
    if sign::free(unit, from, &sold.symbol)? < units(unit, terms.chain, sold)? {
        if let Some(connected) = store::connection::find(unit.database, terms.chain)? {
            sweep::queue_early(unit, &connected, evm.hot_wallet)?;
        }
        return Ok(Start::Waits);
    }
    match prepared.approval {
        Some(approval) => {
            let purpose = Purpose::Approval(order.0, order.1);
            add_for_allowance(unit, from, purpose, (&approval, &sold.symbol))?;
        }
        None => add_swap(unit, from, order, quote, &prepared.swap)?,
    }
    Ok(Start::Queued)
}

/// Queues the swap of an order whose approval is in a block, unless a reorganisation has brought the approval again.
pub(super) fn approved(
    unit: &mut Unit<'_>,
    approval: &Outgoing,
    (organisation, order): (OrganisationId, OrderId),
) -> Result<(), StoreError> {
    let all = store::outgoing::of_order(unit.database, organisation, order)?;
    if all.iter().any(is_swap) || !is_under_way(unit, organisation, order)? {
        return Ok(());
    }
    let (quote, terms) = accepted(unit, organisation, order)?;
    // Without its exchange the order fails, once the approval is settled.
    if let Some(prepared) = prepared(unit, &quote, &terms, approval.sender)? {
        let from = (terms.chain, approval.sender);
        add_swap(unit, from, (organisation, order), &quote, &prepared.swap)?;
    }
    Ok(())
}

/// Where the swap of an order stands.
pub(crate) fn state(
    unit: &mut Unit<'_>,
    (organisation, order): (OrganisationId, OrderId),
) -> Result<SwapState, StoreError> {
    let all = store::outgoing::of_order(unit.database, organisation, order)?;
    if all.is_empty() {
        return Ok(SwapState::None);
    }
    let has_ended = |one: &Outgoing| matches!(one.status, Status::Settled | Status::Refused);
    if !all.iter().all(has_ended) {
        return Ok(SwapState::UnderWay);
    }
    let mut swaps = all.iter().filter(|one| is_swap(one));
    let Some(swap) = swaps.find(|one| is_settled(one)) else {
        return Ok(SwapState::Failed);
    };
    let (quote, _) = accepted(unit, organisation, order)?;
    let (sold, bought) = sides(&quote)?;
    let (chain, block, hash) = place(swap)?;
    let at = (swap.sender, &bought.symbol);
    let swapped = Swapped {
        sold: taken(unit, swap)?,
        bought: store::held_transfer::moved_by(unit.database, (chain, block, hash), at)?,
    };
    // No node has traced the coins, or the token is another than it was.
    if swapped.bought <= 0 || swapped.sold > units(unit, chain, sold)? {
        return Err(StoreError::Damaged(format!(
            "swap {hash} brought nothing that the nodes show, or took more than it was to"
        )));
    }
    let least = units(unit, chain, bought)?;
    if swapped.bought < least {
        unit.failures.push(format!(
            "swap {hash} of order {order} brought {} of {} instead of {least} of its smallest unit: the token keeps a part of \
             each transfer",
            swapped.bought, bought.symbol
        ));
    }
    Ok(SwapState::Settled(swapped))
}

/// The merchant's part of a transfer to the hot wallet by the swap of an order; `None` for other transfers. The bought amount is the
/// merchant's, and a refund of the sold currency up to the sold amount: a router refunds all coins that it has.
pub(super) fn merchants_part(
    unit: &mut Unit<'_>,
    transfer: &HeldTransfer,
) -> Result<Option<i128>, StoreError> {
    let Some(sent) = store::outgoing::by_hash(unit.database, transfer.hash)? else {
        return Ok(None);
    };
    let Purpose::Swap(organisation, order) = sent.purpose() else {
        return Ok(None);
    };
    if transfer.currency == sent.currency {
        return Ok(Some(transfer.units.min(sent.units)));
    }
    let (quote, _) = accepted(unit, organisation, order)?;
    let is_bought = quote.buy_asset.symbol == transfer.currency;
    Ok(is_bought.then_some(transfer.units))
}

/// Revokes the rest of the allowance after a swap that took less than it was to. The transfers of its block are recorded.
pub(super) fn mined(unit: &mut Unit<'_>, swap: &Outgoing) -> Result<(), StoreError> {
    let Purpose::Swap(organisation, order) = swap.purpose() else {
        return Ok(());
    };
    if taken(unit, swap)? >= swap.units {
        return Ok(());
    }
    revoke(unit, (organisation, order))
}

/// Sold amount of a mined swap, net of the refund. Zero if the refund was larger: a router also refunds coins that others left.
fn taken(unit: &mut Unit<'_>, swap: &Outgoing) -> Result<i128, StoreError> {
    let at = (swap.sender, &swap.currency);
    let moved = store::held_transfer::moved_by(unit.database, place(swap)?, at)?;
    Ok((-moved).max(0))
}

/// Chain, block and hash of a mined transaction.
fn place(swap: &Outgoing) -> Result<(ChainId, u64, B256), StoreError> {
    let place = swap.block.zip(swap.hash);
    let (block, hash) =
        place.ok_or_else(|| StoreError::Damaged("a mined transaction has no block".to_owned()))?;
    Ok((swap.chain, block, hash))
}

/// Whether the time that a quote leaves is over, so that nothing of its order is signed any more.
pub(super) fn is_late(unit: &mut Unit<'_>, outgoing: &Outgoing) -> Result<bool, StoreError> {
    let (Purpose::Approval(organisation, order) | Purpose::Swap(organisation, order)) =
        outgoing.purpose()
    else {
        return Ok(false);
    };
    match accepted(unit, organisation, order) {
        Ok((quote, _)) => Ok(quote.ttl_at.is_none_or(|ttl_at| ttl_at <= unit.now)),
        // Its order is set aside with an alarm, and the transactions of others go on.
        Err(StoreError::Damaged(_)) => Ok(true),
        Err(error) => Err(error),
    }
}

/// Revokes what an order has left of the router's allowance. An approval that reverted found one that its token does not replace.
pub(crate) fn revoke(
    unit: &mut Unit<'_>,
    (organisation, order): (OrganisationId, OrderId),
) -> Result<(), StoreError> {
    let all = store::outgoing::of_order(unit.database, organisation, order)?;
    let Some(approval) = all.iter().find(|one| !is_swap(one)) else {
        return Ok(());
    };
    // A later approval has replaced it, or failed by it and is revoked after its own order.
    if store::outgoing_open::is_approved_since(unit.database, approval)? {
        return Ok(());
    }
    let call = Call {
        to: approval.to,
        value: U256::ZERO,
        data: approval.data.clone(),
    };
    let revocation = revocation(&call)
        .ok_or_else(|| StoreError::Damaged("an approval is another call".to_owned()))?;
    let from = (approval.chain, approval.sender);
    let of = (&revocation, &approval.currency);
    add_for_allowance(unit, from, Purpose::Revocation, of)
}

fn is_swap(outgoing: &Outgoing) -> bool {
    matches!(outgoing.purpose(), Purpose::Swap(..))
}

fn is_settled(outgoing: &Outgoing) -> bool {
    outgoing.status == Status::Settled && outgoing.succeeded == Some(true)
}

/// Nothing leaves the wallet by it.
fn add_for_allowance(
    unit: &mut Unit<'_>,
    from: (ChainId, Address),
    purpose: Purpose,
    (call, currency): (&Call, &Currency),
) -> Result<(), StoreError> {
    queue::add(unit, from, purpose, call, (currency, 0))
}

fn add_swap(
    unit: &mut Unit<'_>,
    from: (ChainId, Address),
    (organisation, order): (OrganisationId, OrderId),
    quote: &Quote,
    swap: &Call,
) -> Result<(), StoreError> {
    let (sold, _) = sides(quote)?;
    let out = units(unit, from.0, sold)?;
    let purpose = Purpose::Swap(organisation, order);
    queue::add(unit, from, purpose, swap, (&sold.symbol, out))
}

fn prepared(
    unit: &mut Unit<'_>,
    quote: &Quote,
    terms: &SwapTerms,
    wallet: Address,
) -> Result<Option<PreparedSwap>, StoreError> {
    let (sold, bought) = sides(quote)?;
    let money = SwapMoney {
        sold: (&sold.symbol, units(unit, terms.chain, sold)?),
        bought: (&bought.symbol, units(unit, terms.chain, bought)?),
    };
    let deadline = unit.now.plus(DEADLINE).seconds().unsigned_abs();
    prepare(unit, terms, money, (wallet, deadline))
}

/// Whether an order has not ended.
fn is_under_way(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    order: OrderId,
) -> Result<bool, StoreError> {
    let order = store::order::ORDERS.find(unit.database, organisation, order)?;
    Ok(order.is_some_and(|order| {
        order.record.status == OrderStatus::Processing && order.due_at.is_some()
    }))
}

/// The quote of an order, with its swap.
fn accepted(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    order: OrderId,
) -> Result<(Quote, SwapTerms), StoreError> {
    let missing = |what: &str| StoreError::Damaged(format!("an order has no {what}"));
    let order = store::order::ORDERS.find(unit.database, organisation, order)?;
    let id = order.ok_or_else(|| missing("row"))?.quote;
    let quote = store::quote::LISTING.find(unit.database, organisation, id)?;
    let terms = store::quote::terms(unit.database, organisation, id)?;
    match terms.execution {
        Some(Execution::Swap(swap)) => Ok((quote.ok_or_else(|| missing("quote"))?, swap)),
        _ => Err(missing("swap")),
    }
}

/// The sold and the bought asset of a quote.
fn sides(quote: &Quote) -> Result<(&QuoteAsset, &QuoteAsset), StoreError> {
    let sold = quote.sell_assets.first();
    let sold = sold.ok_or_else(|| StoreError::Damaged("a quote sells nothing".to_owned()))?;
    Ok((sold, &quote.buy_asset))
}

/// An amount of a quote in the smallest unit.
fn units(unit: &mut Unit<'_>, chain: ChainId, asset: &QuoteAsset) -> Result<i128, StoreError> {
    let known = store::chain::asset(unit.database, chain, &asset.symbol)?;
    let known = known.ok_or_else(|| StoreError::Damaged("a quote has no asset".to_owned()))?;
    let units = asset.amount.to_units(known.scale);
    units.map_err(|_| StoreError::Damaged("a quote has no exact amount".to_owned()))
}
