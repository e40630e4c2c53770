//! The transactions of a part of an order on a chain: an approval of the sold amount, then an exact-input swap.
//!
//! One part at a time uses the allowance for a currency, until its swap is in a block: another approval would replace it. The swap
//! is queued when the approval is in a block, so a node estimates it first: where the market has moved, it is refused and nothing is
//! sent. A part has failed when all its transactions have ended and none has swapped. The allowance is revoked then.

use std::time::Duration;

use alloy_primitives::{Address, B256, U256};
use settlekit_core::quote::QuoteAsset;
use settlekit_core::trade::OrderStatus;
use settlekit_core::value::{ChainId, Currency, Timestamp};

use super::{queue, sign, sweep};
use crate::evm::transaction::Call;
use crate::money::connection::{self, Connection};
use crate::money::uniswap::revocation;
use crate::money::venue::{PreparedSwap, SwapMoney, prepare};
use crate::store;
use crate::store::execution::{Execution, SwapTerms};
use crate::store::held_transfer::HeldTransfer;
use crate::store::order::OrderPart;
use crate::store::outgoing::{Outgoing, Purpose, Status};
use crate::store::sql::StoreError;
use crate::unit::Unit;

/// The time in which a swap is mined, or reverts.
const DEADLINE: Duration = Duration::from_secs(10 * 60);

/// How a swap starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Start {
    /// Its first transaction is queued.
    Queued,
    /// Another part uses the allowance, the hot wallet lacks the money yet, or the chain is paused.
    Waits,
    /// The chain's exchange cannot make the swap any more.
    Impossible,
}

/// The state of a part's swap.
#[derive(Debug, Clone)]
pub(crate) enum SwapState {
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

/// Starts the swap of a part.
pub(crate) fn start(
    unit: &mut Unit<'_>,
    of: OrderPart,
    terms: &SwapTerms,
    money: SwapMoney<'_>,
) -> Result<Start, StoreError> {
    let Some(Connection::Evm(evm)) = connection::of_chain(unit, terms.chain)? else {
        return Ok(Start::Waits);
    };
    let (sold, units) = money.sold;
    // The lock keeps others from using the allowance until the commit.
    store::venue::lock(unit.database, terms.chain)?;
    let Some(prepared) = prepared(unit, terms, money, evm.hot_wallet)? else {
        return Ok(Start::Impossible);
    };
    let from = (terms.chain, evm.hot_wallet);
    let allowed = (terms.chain, sold);
    if prepared.approval.is_some()
        && store::outgoing_open::is_allowance_in_use(unit.database, allowed)?
    {
        return Ok(Start::Waits);
    }
    // Nobody waits for an allowance whose money is not there. A sweep brings it.
    if sign::available(unit, from, sold)? < units {
        if let Some(connected) = store::connection::find(unit.database, terms.chain)? {
            sweep::queue_early(unit, &connected, evm.hot_wallet)?;
        }
        return Ok(Start::Waits);
    }
    match prepared.approval {
        Some(approval) => {
            add_for_allowance(unit, from, Purpose::Approval(of), (&approval, sold))?;
        }
        None => add_swap(unit, from, of, (&prepared.swap, money.sold))?,
    }
    Ok(Start::Queued)
}

/// Queues the swap of a part whose approval is in a block, unless a reorganisation has brought the approval again.
pub(super) fn approved(
    unit: &mut Unit<'_>,
    approval: &Outgoing,
    of: OrderPart,
) -> Result<(), StoreError> {
    let all = store::outgoing::of_part(unit.database, of)?;
    if all.iter().any(is_swap) || !is_under_way(unit, of)? {
        return Ok(());
    }
    let accepted = accepted(unit, of)?;
    let (terms, money) = (&accepted.terms, accepted.money());
    // Without its exchange the part fails, once the approval is settled.
    if let Some(prepared) = prepared(unit, terms, money, approval.sender)? {
        let from = (terms.chain, approval.sender);
        add_swap(unit, from, of, (&prepared.swap, money.sold))?;
    }
    Ok(())
}

/// The state of a part's started swap.
pub(crate) fn state(unit: &mut Unit<'_>, of: OrderPart) -> Result<SwapState, StoreError> {
    let all = store::outgoing::of_part(unit.database, of)?;
    let has_ended = |one: &Outgoing| matches!(one.status, Status::Settled | Status::Refused);
    if all.is_empty() || !all.iter().all(has_ended) {
        return Ok(SwapState::UnderWay);
    }
    let mut swaps = all.iter().filter(|one| is_swap(one));
    let Some(swap) = swaps.find(|one| is_settled(one)) else {
        return Ok(SwapState::Failed);
    };
    let accepted = accepted(unit, of)?;
    let SwapMoney { sold, bought } = accepted.money();
    let (chain, block, hash) = place(swap)?;
    let at = (swap.sender, bought.0);
    let swapped = Swapped {
        sold: taken(unit, swap)?,
        bought: store::held_transfer::moved_by(unit.database, (chain, block, hash), at)?,
    };
    // No node has traced the coins, or the token is another than it was.
    if swapped.bought <= 0 || swapped.sold > sold.1 {
        return Err(StoreError::Damaged(format!(
            "swap {hash} brought nothing that the nodes show, or took more than it was to"
        )));
    }
    let (currency, least) = bought;
    if swapped.bought < least {
        unit.failures.push(format!(
            "swap {hash} of {of} brought {} of {currency} instead of {least} of its smallest unit: the token keeps a part of each \
             transfer",
            swapped.bought
        ));
    }
    Ok(SwapState::Settled(swapped))
}

/// The merchant's part of a transfer to the hot wallet by a swap; `None` for other transfers. The bought amount is the
/// merchant's, and a refund of the sold currency up to the sold amount: a router refunds all coins that it has.
pub(super) fn merchants_part(
    unit: &mut Unit<'_>,
    transfer: &HeldTransfer,
) -> Result<Option<i128>, StoreError> {
    let Some(sent) = store::outgoing::by_hash(unit.database, transfer.hash)? else {
        return Ok(None);
    };
    let Purpose::Swap(of) = sent.purpose() else {
        return Ok(None);
    };
    if transfer.currency == sent.currency {
        return Ok(Some(transfer.units.min(sent.units)));
    }
    let is_bought = accepted(unit, of)?.bought.0 == transfer.currency;
    Ok(is_bought.then_some(transfer.units))
}

/// Revokes the rest of the allowance after a swap that took less than it was to. The transfers of its block are recorded.
pub(super) fn mined(unit: &mut Unit<'_>, swap: &Outgoing) -> Result<(), StoreError> {
    let Purpose::Swap(of) = swap.purpose() else {
        return Ok(());
    };
    if taken(unit, swap)? >= swap.units {
        return Ok(());
    }
    revoke(unit, of)
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
    let (Purpose::Approval(of) | Purpose::Swap(of)) = outgoing.purpose() else {
        return Ok(false);
    };
    match accepted(unit, of) {
        Ok(accepted) => Ok(accepted.ttl_at.is_none_or(|ttl_at| ttl_at <= unit.now)),
        // Its order is set aside with an alarm, and the transactions of others continue.
        Err(StoreError::Damaged(_)) => Ok(true),
        Err(error) => Err(error),
    }
}

/// Revokes the router's remaining allowance of a part. An approval that reverted found one that its token does not replace.
pub(crate) fn revoke(unit: &mut Unit<'_>, of: OrderPart) -> Result<(), StoreError> {
    let all = store::outgoing::of_part(unit.database, of)?;
    let Some(approval) = all.iter().find(|one| !is_swap(one)) else {
        return Ok(());
    };
    // A later approval has replaced it, or failed by it and is revoked after its own part.
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
    matches!(outgoing.purpose(), Purpose::Swap(_))
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
    queue::add(unit, from, purpose, call, (currency, 0)).map(drop)
}

fn add_swap(
    unit: &mut Unit<'_>,
    from: (ChainId, Address),
    of: OrderPart,
    (swap, out): (&Call, (&Currency, i128)),
) -> Result<(), StoreError> {
    queue::add(unit, from, Purpose::Swap(of), swap, out).map(drop)
}

fn prepared(
    unit: &mut Unit<'_>,
    terms: &SwapTerms,
    money: SwapMoney<'_>,
    wallet: Address,
) -> Result<Option<PreparedSwap>, StoreError> {
    let deadline = unit.now.plus(DEADLINE).seconds().unsigned_abs();
    prepare(unit, terms, money, (wallet, deadline))
}

/// Whether a part of an order has not ended.
fn is_under_way(unit: &mut Unit<'_>, of: OrderPart) -> Result<bool, StoreError> {
    let order = store::order::ORDERS.find(unit.database, of.organisation, of.order)?;
    Ok(order.is_some_and(|order| {
        order.record.status == OrderStatus::Processing
            && order.due_at.is_some()
            && !order.outcomes.contains_key(&of.part)
    }))
}

/// A part of an accepted quote that a swap executes.
#[derive(Debug)]
struct Accepted {
    terms: SwapTerms,
    sold: (Currency, i128),
    bought: (Currency, i128),
    /// The end of the time for the order.
    ttl_at: Option<Timestamp>,
}

impl Accepted {
    fn money(&self) -> SwapMoney<'_> {
        SwapMoney {
            sold: (&self.sold.0, self.sold.1),
            bought: (&self.bought.0, self.bought.1),
        }
    }
}

/// The swap of a part of an order, by its quote.
fn accepted(unit: &mut Unit<'_>, of: OrderPart) -> Result<Accepted, StoreError> {
    let missing = |what: &str| StoreError::Damaged(format!("an order has no {what}"));
    let order = store::order::ORDERS.find(unit.database, of.organisation, of.order)?;
    let id = order.ok_or_else(|| missing("row"))?.quote;
    let quote = store::quote::LISTING.find(unit.database, of.organisation, id)?;
    let quote = quote.ok_or_else(|| missing("quote"))?;
    let terms = store::quote::terms(unit.database, of.organisation, id)?;
    let part = usize::try_from(of.part).map_err(|_| missing("part"))?;
    let sold = quote.sell_assets.get(part);
    let sold = sold.ok_or_else(|| missing("sold asset"))?;
    let part = terms.executions.into_iter().nth(part);
    let part = part.ok_or_else(|| missing("part"))?;
    let Execution::Swap(terms) = part.execution else {
        return Err(missing("swap"));
    };
    Ok(Accepted {
        sold: (sold.symbol.clone(), units(unit, terms.chain, sold)?),
        bought: (quote.buy_asset.symbol, part.bought),
        ttl_at: quote.ttl_at,
        terms,
    })
}

/// An amount of a quote in the smallest unit.
fn units(unit: &mut Unit<'_>, chain: ChainId, asset: &QuoteAsset) -> Result<i128, StoreError> {
    let known = store::chain::asset(unit.database, chain, &asset.symbol)?;
    let known = known.ok_or_else(|| StoreError::Damaged("a quote has no asset".to_owned()))?;
    let units = asset.amount.to_units(known.scale);
    units.map_err(|_| StoreError::Damaged("a quote has no exact amount".to_owned()))
}
