//! Deposits: recorded when they are seen, booked when they have their confirmations.

use alloy_primitives::{Address, B256};
use settlekit_core::account::{Direction, MovementFailure, MovementStatus, MovementType};
use settlekit_core::chain::Asset;
use settlekit_core::event::EventAction;
use settlekit_core::payment::{CryptoTransaction, TransactionStatus};
use settlekit_core::value::Currency;

use super::depth;
use crate::money::ledger;
use crate::money::ledger::{Holder, Leg};
use crate::resources::{account, event, payment};
use crate::store;
use crate::store::account::Target;
use crate::store::authorization::Authorized;
use crate::store::movement::{Booked, NewMovement, ShownMoney, Worth};
use crate::store::sql::StoreError;
use crate::store::transaction::Seen;
use crate::store::transfer_index::TransferIndex;
use crate::unit::{Refusal, Unit};

/// A transfer to an address of an account.
pub(super) struct Deposit<'a> {
    pub(super) target: Target,
    pub(super) hash: &'a str,
    pub(super) transfer: TransferIndex,
    pub(super) from: Option<&'a str>,
    /// In lower case.
    pub(super) to: &'a str,
    pub(super) currency: &'a Currency,
    pub(super) units: i128,
    pub(super) confirmations: u32,
    /// The block, if it is in one.
    pub(super) block: Option<u64>,
}

/// Records a deposit, or its progress.
pub(super) fn record(unit: &mut Unit<'_>, deposit: &Deposit<'_>) -> Result<(), StoreError> {
    let chain = deposit.target.chain.chain.id;
    let known = store::transaction::lock(
        unit.database,
        (deposit.target.account.org_id, &Direction::In),
        (chain, deposit.hash),
        deposit.transfer,
    )?;
    let (mut seen, booked) = match known {
        // Executed again in another block, the transaction has another transfer at this position.
        Some(seen) if deposit.block.is_some() && !deposit.is_of(&seen) => {
            if seen.status == TransactionStatus::Pending {
                failed(unit, seen.clone(), &deposit.target.asset)?;
            }
            store::transaction::free_position(unit.database, seen.id)?;
            let (seen, booked) = record_pending(unit, deposit)?;
            (seen, Some(booked))
        }
        Some(seen) => (seen, None),
        None => match shown_before(unit, deposit)? {
            Some(seen) => (seen, None),
            None => {
                let (seen, booked) = record_pending(unit, deposit)?;
                (seen, Some(booked))
            }
        },
    };
    if deposit.block.is_some() && seen.block != deposit.block {
        store::transaction::set_block(unit.database, seen.id, deposit.block)?;
        let was_lost = seen.is_lost();
        seen.block = deposit.block;
        if was_lost && deposit.is_of(&seen) {
            return record_block(unit, &mut seen, &deposit.target.asset);
        }
    }
    let is_corrected =
        deposit.block.is_some() && deposit.is_of(&seen) && correct(unit, deposit, &mut seen)?;
    if !deposit.is_of(&seen)
        || seen.status != TransactionStatus::Pending
        || deposit.confirmations <= seen.confirmations
    {
        return match is_corrected {
            true => update_payment(unit, &seen),
            false => Ok(()),
        };
    }
    record_confirmations(unit, deposit, seen, booked)
}

/// Corrects the mempool's data by the block's: a single node is not trusted with data that decides where money is sent. False if
/// nothing differs.
fn correct(
    unit: &mut Unit<'_>,
    deposit: &Deposit<'_>,
    seen: &mut Seen,
) -> Result<bool, StoreError> {
    let (organisation, movement) = (seen.organisation, seen.movement);
    let has_other_sender = seen.from_address.as_deref() != deposit.from;
    if let Some(from) = deposit.from.filter(|_| has_other_sender) {
        store::transaction::set_sender(unit.database, seen.id, from)?;
        store::movement::set_sender(unit.database, organisation, movement, from)?;
        seen.from_address = Some(from.to_owned());
    }
    // A mempool does not show which signed transfer it is.
    let payment = deposit.target.payment.filter(|_| seen.payment.is_none());
    if let Some(payment) = payment {
        let entity = payment.to_string();
        store::transaction::set_payment(unit.database, seen.id, payment)?;
        store::movement::set_entity(unit.database, organisation, movement, &entity)?;
        seen.payment = Some(payment);
    }
    Ok(has_other_sender || payment.is_some())
}

/// Whether a transfer was in no block so far.
pub(super) fn is_shown_only(seen: &Seen) -> bool {
    seen.status == TransactionStatus::Pending && seen.block.is_none() && seen.confirmations == 0
}

/// The transfer of a block that was shown before, at its position in the block.
fn shown_before(unit: &mut Unit<'_>, deposit: &Deposit<'_>) -> Result<Option<Seen>, StoreError> {
    // A mempool shows no position, so that a transfer is recorded at that of a plain one, where it was looked for before.
    if deposit.block.is_none() || deposit.transfer.is_of_plain_transfer() {
        return Ok(None);
    }
    let chain = deposit.target.chain.chain.id;
    let found =
        store::transaction::lock_transfers(unit.database, (chain, deposit.hash), deposit.to)?;
    let organisation = deposit.target.account.org_id;
    let mut found = found.into_iter().filter(|seen| {
        seen.organisation == organisation
            && seen.direction == Direction::In
            && is_shown_only(seen)
            && deposit.is_of(seen)
    });
    let Some(mut seen) = found.next() else {
        return Ok(None);
    };
    store::transaction::set_position(unit.database, seen.id, (deposit.hash, deposit.transfer))?;
    seen.transfer = deposit.transfer;
    Ok(Some(seen))
}

impl Deposit<'_> {
    /// Whether a recorded transfer is this one.
    pub(super) fn is_of(&self, seen: &Seen) -> bool {
        seen.to_address == self.to && seen.currency == *self.currency && seen.units == self.units
    }
}

/// Records a new transaction as pending.
fn record_pending(
    unit: &mut Unit<'_>,
    deposit: &Deposit<'_>,
) -> Result<(Seen, Booked), StoreError> {
    let Target {
        chain,
        asset,
        account,
        payment,
    } = &deposit.target;
    let organisation = account.org_id;
    let money = ShownMoney::new(deposit.currency.clone(), deposit.units, asset.scale)
        .ok_or_else(|| StoreError::Broken("an observed amount is too large".into()))?;
    let new = NewMovement {
        organisation,
        account_id: account.id,
        account_reference: account.reference.clone(),
        direction: Direction::In,
        r#type: MovementType::Deposit,
        status: MovementStatus::Pending,
        money,
        fee: None,
        entity_id: payment.map(|id| id.to_string()),
        chain: Some(chain.chain.clone()),
        from_address: deposit.from.map(str::to_owned),
        to_address: None,
        transaction_hash: Some(deposit.hash.to_owned()),
    };
    let booked = account::book_movement(unit, account, new)?;
    let mut seen = Seen {
        id: 0,
        organisation,
        direction: Direction::In,
        chain: chain.chain.id,
        hash: deposit.hash.to_owned(),
        transfer: deposit.transfer,
        to_address: deposit.to.to_owned(),
        from_address: deposit.from.map(str::to_owned),
        currency: deposit.currency.clone(),
        units: deposit.units,
        account: account.id,
        payment: *payment,
        movement: booked.movement.id,
        status: TransactionStatus::Pending,
        confirmations: 0,
        source: match unit.options().mode.is_sandbox() {
            true => "Simulated".to_owned(),
            false => "Observed".to_owned(),
        },
        created_at: unit.now,
        updated_at: unit.now,
        block: deposit.block,
    };
    seen.id = store::transaction::insert(unit.database, &seen)?;
    let record = seen.record(asset)?;
    event::record(unit, organisation, EventAction::Created, &record)?;
    update_payment(unit, &seen)?;
    Ok((seen, booked))
}

/// Records more confirmations, and books the deposit at the required number. `booked` is the movement if it was just booked.
fn record_confirmations(
    unit: &mut Unit<'_>,
    deposit: &Deposit<'_>,
    mut seen: Seen,
    booked: Option<Booked>,
) -> Result<(), StoreError> {
    let known = &deposit.target.chain;
    let before = status_at(seen.confirmations, known);
    let after = status_at(deposit.confirmations, known);
    seen.confirmations = deposit.confirmations.min(known.confirmations_required);
    let ends = after == MovementStatus::Confirmed;
    let transfer = if ends { book(unit, &seen)? } else { None };
    if ends {
        // A deposit that cannot be booked counts neither for the movement nor for a payment.
        seen.status = match transfer {
            Some(_) => TransactionStatus::Success,
            None => TransactionStatus::Failed,
        };
    }
    write(unit, &mut seen, &deposit.target.asset)?;
    if transfer.is_some() {
        let worth = update_movement(unit, &seen, booked, &after, transfer)?;
        follow(unit, deposit, &seen, &worth)?;
    } else if after != before {
        match ends {
            true => {
                let failure = &MovementFailure::AmountTooLarge;
                account::fail_movement(unit, seen.organisation, seen.movement, failure)?;
            }
            false => drop(update_movement(unit, &seen, booked, &after, None)?),
        }
    }
    update_payment(unit, &seen)
}

/// Updates a transaction and records its event.
fn write(unit: &mut Unit<'_>, seen: &mut Seen, asset: &Asset) -> Result<(), StoreError> {
    seen.updated_at = unit.now;
    store::transaction::update(unit.database, seen)?;
    let record = seen.record(asset)?;
    event::record(unit, seen.organisation, EventAction::Updated, &record)
}

/// Updates the payment of a transaction.
fn update_payment(unit: &mut Unit<'_>, seen: &Seen) -> Result<(), StoreError> {
    match seen.payment {
        Some(payment) => payment::transaction_changed(unit, seen.organisation, payment),
        None => Ok(()),
    }
}

fn status_at(confirmations: u32, known: &store::chain::StoredChain) -> MovementStatus {
    match confirmations {
        0 => MovementStatus::Pending,
        count if count < known.confirmations_required => MovementStatus::Processing,
        _ => MovementStatus::Confirmed,
    }
}

/// Books a deposit and returns the transfer's id; `None` if the balance would have no exact decimal form.
fn book(unit: &mut Unit<'_>, seen: &Seen) -> Result<Option<i64>, StoreError> {
    let leg = |holder, units| Leg {
        holder,
        chain: seen.chain,
        currency: seen.currency.clone(),
        units,
    };
    let legs = [
        leg(Holder::Chain, -seen.units),
        leg(Holder::Merchant(seen.account), seen.units),
    ];
    let entity = seen.payment.map(|id| id.to_string());
    match ledger::post(unit, seen.organisation, "deposit", entity.as_deref(), &legs) {
        Ok(transfer) => Ok(Some(transfer)),
        Err(Refusal::Store(error)) => Err(error),
        // The transfer wrote nothing.
        Err(_) => Ok(None),
    }
}

/// Updates the movement of a transaction, and returns its value. `booked` is the movement if it was just booked.
fn update_movement(
    unit: &mut Unit<'_>,
    seen: &Seen,
    booked: Option<Booked>,
    after: &MovementStatus,
    transfer: Option<i64>,
) -> Result<Worth, StoreError> {
    let organisation = seen.organisation;
    match booked {
        Some(booked) => account::move_movement_on(unit, organisation, booked, after, transfer),
        None => account::set_movement_status(unit, organisation, seen.movement, after, transfer),
    }
}

/// The effects of a booked deposit: daily volume, fees, splits.
fn follow(
    unit: &mut Unit<'_>,
    deposit: &Deposit<'_>,
    seen: &Seen,
    worth: &Worth,
) -> Result<(), StoreError> {
    let Target { account, asset, .. } = &deposit.target;
    let before;
    let account = if account.id == seen.account {
        account
    } else {
        // The address has moved to another account; the transaction stays with the first.
        before = store::account::LISTING
            .find(unit.database, seen.organisation, seen.account)?
            .ok_or_else(|| StoreError::Damaged("a transaction has no account".into()))?;
        &before
    };
    // Deposits to an unproven wallet have no effects here.
    if !account.may_receive() {
        return Ok(());
    }
    account::count_deposit(unit, &seen.on_chain(), worth)?;
    let entity = seen.payment.map(|id| id.to_string());
    let left = account::fee::charge_payin(unit, account, seen.units, &seen.currency, entity)?;
    account::share_out(unit, account, (left, asset.scale), &seen.currency)
}

/// Settles a pending deposit whose block has its confirmations.
pub(super) fn settle(unit: &mut Unit<'_>, seen: Seen) -> Result<(), StoreError> {
    let missing = |what: &str| StoreError::Damaged(format!("a transaction has no {what}"));
    let chain = store::chain::find(unit.database, seen.chain)?.ok_or_else(|| missing("chain"))?;
    let asset = store::chain::asset(unit.database, seen.chain, &seen.currency)?;
    let account = store::account::LISTING.find(unit.database, seen.organisation, seen.account)?;
    let deposit = Deposit {
        hash: &seen.hash,
        transfer: seen.transfer,
        from: seen.from_address.as_deref(),
        to: &seen.to_address,
        currency: &seen.currency,
        units: seen.units,
        confirmations: chain.confirmations_required,
        block: seen.block,
        target: Target {
            chain,
            asset: asset.ok_or_else(|| missing("asset"))?,
            account: account.ok_or_else(|| missing("account"))?,
            payment: seen.payment,
        },
    };
    record_confirmations(unit, &deposit, seen.clone(), None)
}

/// Takes a transfer out of a block that a reorganisation took away. A pending one waits for its next block. A confirmed one stays
/// booked, which is an alarm.
pub(super) fn rewind(unit: &mut Unit<'_>, mut seen: Seen) -> Result<(), StoreError> {
    store::transaction::set_block(unit.database, seen.id, None)?;
    seen.block = None;
    if seen.status != TransactionStatus::Pending {
        unit.failures.push(format!(
            "a reorganisation of chain {} took away transaction {}, which was confirmed",
            seen.chain, seen.hash
        ));
    }
    let Some(asset) = store::chain::asset(unit.database, seen.chain, &seen.currency)? else {
        return Ok(());
    };
    record_block(unit, &mut seen, &asset)
}

/// Records the events of a transfer that lost its block, or of a booked one that has a block again. The status of a payment with
/// a booked one stays.
fn record_block(unit: &mut Unit<'_>, seen: &mut Seen, asset: &Asset) -> Result<(), StoreError> {
    // The row keeps the confirmations that its movement has.
    seen.updated_at = unit.now;
    store::transaction::update(unit.database, seen)?;
    let record = CryptoTransaction {
        confirmations: Some(depth::confirmations(unit, seen)?),
        ..seen.record(asset)?
    };
    event::record(unit, seen.organisation, EventAction::Updated, &record)?;
    match (seen.payment, &seen.status) {
        (None, _) => Ok(()),
        (Some(_), TransactionStatus::Pending) => update_payment(unit, seen),
        (Some(payment), _) => payment::transaction_moved(unit, seen.organisation, payment),
    }
}

/// Fails a transfer that has been without a block for too long. If a block brings it later, it is a new one.
pub(super) fn lost(unit: &mut Unit<'_>, seen: Seen) -> Result<(), StoreError> {
    let Some(asset) = store::chain::asset(unit.database, seen.chain, &seen.currency)? else {
        return Ok(());
    };
    let id = seen.id;
    failed(unit, seen, &asset)?;
    store::transaction::free_position(unit.database, id)
}

/// Fails what executed an authorization before a reorganisation, now that a block has another transfer that does: a token executes it
/// once, so only one of them pays. Not at an address of the payment's own, where a plain transfer pays, too, and looks the same.
pub(super) fn replaced(
    unit: &mut Unit<'_>,
    authorized: &Authorized,
    (hash, index): (B256, TransferIndex),
) -> Result<(), StoreError> {
    let hash = format!("{hash:#x}");
    let (from, to) = (
        authorized.payer.to_string(),
        format!("{:#x}", authorized.to),
    );
    let of = (authorized.organisation, authorized.payment);
    let payment = store::payment::LISTING.find(unit.database, of.0, of.1)?;
    let own = payment.and_then(|payment| payment.deposit_address?.parse::<Address>().ok());
    if own == Some(authorized.to) {
        return Ok(());
    }
    for seen in store::transaction::of_payment(unit.database, of.0, of.1)? {
        let is_adrift = seen.status == TransactionStatus::Pending && seen.block.is_none();
        let is_as_signed = seen.from_address.as_deref() == Some(&from)
            && (&seen.to_address, seen.units) == (&to, authorized.units)
            && (seen.chain, &seen.currency) == (authorized.chain, &authorized.currency);
        // This transfer itself stays.
        let is_other = (&seen.hash, seen.transfer) != (&hash, index);
        if is_adrift && is_as_signed && is_other && !is_shown_only(&seen) {
            lost(unit, seen)?;
        }
    }
    Ok(())
}

/// Fails a pending transfer.
fn failed(unit: &mut Unit<'_>, mut seen: Seen, asset: &Asset) -> Result<(), StoreError> {
    seen.status = TransactionStatus::Failed;
    write(unit, &mut seen, asset)?;
    let failure = &MovementFailure::Dropped;
    account::fail_movement(unit, seen.organisation, seen.movement, failure)?;
    update_payment(unit, &seen)
}
