//! Withdrawals from the merchants' own wallets, and the network fees that the wallets pay. The service sends none of them: it books the
//! transfers in blocks.

use alloy_primitives::Address;
use settlekit_core::account::{Account, Direction, MovementFailure, MovementStatus, MovementType};
use settlekit_core::event::EventAction;
use settlekit_core::payment::{CryptoTransaction, TransactionStatus};
use settlekit_core::value::{ChainId, Currency, OrganisationId, PaymentId, Timestamp};

use super::block::{Block, Mined};
use super::{HAS_REAL_CHAINS, adjustment, depth, holdings};
use crate::money::ledger::{self, Holder, Leg};
use crate::resources::account::book::Money;
use crate::resources::{account, event, payout};
use crate::store;
use crate::store::account::Target;
use crate::store::movement::{NewMovement, ShownMoney, Worth};
use crate::store::sql::StoreError;
use crate::store::transaction::Seen;
use crate::store::transfer_index::TransferIndex;
use crate::unit::{Refusal, Unit};

/// A transfer from a merchant's own wallet, or the network's fee for its transaction.
pub(super) struct Withdrawal<'a> {
    pub(super) chain: ChainId,
    pub(super) block: u64,
    pub(super) mined_at: Timestamp,
    pub(super) hash: &'a str,
    pub(super) transfer: TransferIndex,
    pub(super) from: Address,
    pub(super) to: Address,
    pub(super) currency: &'a Currency,
    pub(super) units: i128,
}

impl Withdrawal<'_> {
    /// Whether a recorded transfer is this one.
    fn is_of(&self, seen: &Seen) -> bool {
        seen.from_address == Some(self.from.to_string())
            && seen.to_address == format!("{:#x}", self.to)
            && seen.currency == *self.currency
            && seen.units == self.units
    }

    fn is_fee(&self) -> bool {
        self.transfer == TransferIndex::Fee
    }
}

/// Records a withdrawal for each organisation that watches the wallet.
pub(super) fn record(unit: &mut Unit<'_>, withdrawal: &Withdrawal<'_>) -> Result<(), StoreError> {
    let from = format!("{:#x}", withdrawal.from);
    let (chain, currency) = (withdrawal.chain, withdrawal.currency);
    for target in store::account::by_address(unit.database, chain, currency, &from)? {
        if !target.account.is_held() {
            record_for(unit, withdrawal, &target)?;
        }
    }
    Ok(())
}

/// Records the network's fee for a transaction of a merchant's own wallet.
pub(super) fn record_fee(
    unit: &mut Unit<'_>,
    block: &Block,
    mined: &Mined,
    native: &Currency,
) -> Result<(), StoreError> {
    // A private chain may take no fee. `holdings` raises the alarm for a fee that is too large for the books.
    let Some(units) = holdings::units(mined.fee).filter(|units| *units > 0) else {
        return Ok(());
    };
    let fee = Withdrawal {
        chain: block.chain,
        block: block.number,
        mined_at: block.mined_at,
        hash: &format!("{:#x}", mined.hash),
        transfer: TransferIndex::Fee,
        from: mined.from,
        to: Address::ZERO,
        currency: native,
        units,
    };
    record(unit, &fee)
}

fn record_for(
    unit: &mut Unit<'_>,
    withdrawal: &Withdrawal<'_>,
    target: &Target,
) -> Result<(), StoreError> {
    let known = store::transaction::lock(
        unit.database,
        (target.account.org_id, &Direction::Out),
        (withdrawal.chain, withdrawal.hash),
        withdrawal.transfer,
    )?;
    match known {
        Some(mut seen) if withdrawal.is_of(&seen) => {
            store::transaction::set_block(unit.database, seen.id, Some(withdrawal.block))?;
            let was_lost = seen.is_lost();
            seen.block = Some(withdrawal.block);
            match was_lost {
                true => record_block(unit, &mut seen),
                false => Ok(()),
            }
        }
        // Executed again in another block, the transaction has another transfer at this position, or takes it from another address.
        Some(seen) => {
            match seen.payment.is_some() && is_reorganised(&seen) {
                // The payout's transfer may come at another position. If it does not, it is lost later.
                true => store::transaction::free_position(unit.database, seen.id)?,
                false => lost(unit, seen)?,
            }
            insert(unit, withdrawal, target)
        }
        None => insert(unit, withdrawal, target),
    }
}

fn insert(
    unit: &mut Unit<'_>,
    withdrawal: &Withdrawal<'_>,
    Target {
        chain,
        asset,
        account,
        ..
    }: &Target,
) -> Result<(), StoreError> {
    let organisation = account.org_id;
    let currency = withdrawal.currency;
    let money = ShownMoney::new(currency.clone(), withdrawal.units, asset.scale)
        .ok_or_else(|| StoreError::Broken("an observed amount is too large".into()))?;
    let (from, to) = (withdrawal.from.to_string(), withdrawal.to.to_string());
    // On a simulated chain only managed accounts pay out.
    let payout = match HAS_REAL_CHAINS && !withdrawal.is_fee() {
        false => None,
        true => {
            let money = Money::new(currency, withdrawal.units);
            let mined_at = own_time(unit, withdrawal)?;
            payout::find_prepared(unit, account, (&from, &to), &money, mined_at)?
        }
    };
    let new = NewMovement {
        organisation,
        account_id: account.id,
        account_reference: account.reference.clone(),
        direction: Direction::Out,
        r#type: match withdrawal.is_fee() {
            true => MovementType::NetworkFee,
            false => MovementType::Withdraw,
        },
        status: MovementStatus::Processing,
        money,
        fee: None,
        entity_id: payout.map(|payout| payout.to_string()),
        chain: Some(chain.chain.clone()),
        from_address: None,
        to_address: Some(to).filter(|_| !withdrawal.is_fee()),
        transaction_hash: Some(withdrawal.hash.to_owned()),
    };
    let movement = account::book_movement(unit, account, new)?.movement.id;
    let seen = Seen {
        id: 0,
        organisation,
        direction: Direction::Out,
        chain: withdrawal.chain,
        hash: withdrawal.hash.to_owned(),
        transfer: withdrawal.transfer,
        to_address: format!("{:#x}", withdrawal.to),
        from_address: Some(from.clone()),
        currency: currency.clone(),
        units: withdrawal.units,
        account: account.id,
        payment: payout,
        movement,
        status: TransactionStatus::Pending,
        confirmations: 1,
        source: "Observed".to_owned(),
        created_at: unit.now,
        updated_at: unit.now,
        block: Some(withdrawal.block),
    };
    store::transaction::insert(unit.database, &seen)?;
    match payout {
        Some(payout) => {
            let transaction = (from.as_str(), withdrawal.hash);
            payout::record_prepared_mined(unit, (organisation, payout), movement, transaction)?;
            end_replaced(unit, (organisation, payout), &seen)
        }
        None => Ok(()),
    }
}

/// When a withdrawal was mined, by the clock of this service.
fn own_time(unit: &mut Unit<'_>, withdrawal: &Withdrawal<'_>) -> Result<Timestamp, StoreError> {
    let mined_at = withdrawal.mined_at;
    let connected = store::connection::find(unit.database, withdrawal.chain)?;
    Ok(connected.map_or(mined_at, |connected| connected.own_time(mined_at)))
}

/// Ends the transactions of a payout that a reorganisation took away when another transfer pays it: no other payout is paid by them, and
/// the money that they would have moved is available again. If a block brings one of them later, it is a new one.
fn end_replaced(
    unit: &mut Unit<'_>,
    (organisation, payout): (OrganisationId, PaymentId),
    by: &Seen,
) -> Result<(), StoreError> {
    for seen in store::transaction::of_payment(unit.database, organisation, payout)? {
        if seen.movement == by.movement || !is_reorganised(&seen) {
            continue;
        }
        let named = (seen.chain, seen.hash.as_str());
        for other in store::transaction::lock_reorganised(unit.database, organisation, named)? {
            // The same transaction at other positions is still being recorded. Other payouts of it may be paid by the next transfers.
            let is_replaced = other.hash != by.hash && other.payment.is_none();
            if other.id == seen.id || is_replaced {
                lost(unit, other)?;
            }
        }
    }
    Ok(())
}

/// Whether a withdrawal waits for its next block.
fn is_reorganised(seen: &Seen) -> bool {
    seen.status == TransactionStatus::Pending && seen.block.is_none()
}

/// Books a withdrawal whose block has its confirmations.
pub(super) fn settle(unit: &mut Unit<'_>, mut seen: Seen) -> Result<(), StoreError> {
    let account = store::account::LISTING.find(unit.database, seen.organisation, seen.account)?;
    let account =
        account.ok_or_else(|| StoreError::Damaged("a withdrawal has no account".to_owned()))?;
    let transfer = book(unit, &account, &seen)?;
    let outcome = transfer.ok_or(MovementFailure::AmountTooLarge);
    seen.status = match outcome {
        Ok(_) => TransactionStatus::Success,
        Err(_) => TransactionStatus::Failed,
    };
    if let Some(known) = store::chain::find(unit.database, seen.chain)? {
        seen.confirmations = known.confirmations_required;
    }
    let worth = finish(unit, &seen, &outcome)?;
    match outcome {
        Ok(_) if seen.transfer != TransferIndex::Fee => {
            account::count_withdrawal(unit, &account, &seen.on_chain(), &worth)
        }
        _ => Ok(()),
    }
}

/// Books money out to the chain; `None` if the balance would have no exact decimal form.
fn book(unit: &mut Unit<'_>, account: &Account, seen: &Seen) -> Result<Option<i64>, StoreError> {
    let owner = (seen.organisation, Some(account.id));
    let held = store::ledger::balances(unit.database, owner.0, owner.1)?;
    let mut held = held.into_iter();
    let held = held.find(|held| held.currency == seen.currency);
    let missing = seen.units - held.map_or(0, |held| held.posted);
    // More left than the books know of: it came before the wallet was watched, or unseen.
    if missing > 0 {
        let money = Money::new(&seen.currency, missing);
        adjustment::book(unit, account, &money)?;
    }
    let leg = |holder, units| Leg {
        holder,
        chain: seen.chain,
        currency: seen.currency.clone(),
        units,
    };
    let legs = [
        leg(Holder::Merchant(account.id), -seen.units),
        leg(Holder::Chain, seen.units),
    ];
    let entity = seen.payment.map(|id| id.to_string());
    let cause = match seen.transfer {
        TransferIndex::Fee => "fee",
        _ => "withdrawal",
    };
    match ledger::post(unit, seen.organisation, cause, entity.as_deref(), &legs) {
        Ok(transfer) => Ok(Some(transfer)),
        Err(Refusal::Store(error)) => Err(error),
        // The transfer wrote nothing.
        Err(_) => Ok(None),
    }
}

/// Ends a pending withdrawal, its movement and its payout, with its ledger transfer or the failure; returns its worth.
fn finish(
    unit: &mut Unit<'_>,
    seen: &Seen,
    outcome: &Result<i64, MovementFailure>,
) -> Result<Worth, StoreError> {
    let ended = Seen {
        updated_at: unit.now,
        ..seen.clone()
    };
    store::transaction::update(unit.database, &ended)?;
    let (organisation, movement) = (seen.organisation, seen.movement);
    let worth = match outcome {
        Ok(transfer) => {
            let (confirmed, transfer) = (&MovementStatus::Confirmed, Some(*transfer));
            account::set_movement_status(unit, organisation, movement, confirmed, transfer)?
        }
        Err(failure) => {
            account::fail_movement(unit, organisation, movement, failure)?;
            Worth::default()
        }
    };
    if let Some(payout) = seen.payment {
        let named = (seen.organisation, payout);
        payout::finish_prepared(unit, named, seen.movement, outcome.is_ok())?;
    }
    Ok(worth)
}

/// Takes a withdrawal out of a block that a reorganisation took away. A pending one waits for its next block. A confirmed one stays
/// booked, which is an alarm and an event.
pub(super) fn rewind(unit: &mut Unit<'_>, mut seen: Seen) -> Result<(), StoreError> {
    store::transaction::set_block(unit.database, seen.id, None)?;
    if seen.status != TransactionStatus::Pending {
        unit.failures.push(format!(
            "a reorganisation of chain {} took away transaction {}, which was confirmed",
            seen.chain, seen.hash
        ));
        seen.block = None;
        return record_block(unit, &mut seen);
    }
    // It is lost when no block brings it for long enough from now.
    seen.updated_at = unit.now;
    store::transaction::update(unit.database, &seen)
}

/// Records the event of a confirmed withdrawal whose block was taken away, or is back.
fn record_block(unit: &mut Unit<'_>, seen: &mut Seen) -> Result<(), StoreError> {
    let Some(asset) = store::chain::asset(unit.database, seen.chain, &seen.currency)? else {
        return Ok(());
    };
    seen.updated_at = unit.now;
    store::transaction::update(unit.database, seen)?;
    let record = CryptoTransaction {
        confirmations: Some(depth::confirmations(unit, seen)?),
        ..seen.record(&asset)?
    };
    event::record(unit, seen.organisation, EventAction::Updated, &record)
}

/// Fails a withdrawal that has been without a block for too long. If a block brings it later, it is a new one.
pub(super) fn lost(unit: &mut Unit<'_>, mut seen: Seen) -> Result<(), StoreError> {
    let id = seen.id;
    if seen.status == TransactionStatus::Pending {
        seen.status = TransactionStatus::Failed;
        finish(unit, &seen, &Err(MovementFailure::Dropped))?;
    }
    store::transaction::free_position(unit.database, id)
}
