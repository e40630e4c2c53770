//! Bookings on an account, except deposits: withdrawals, transfers, swaps, trades, fees, corrections.
//!
//! Each is a balanced transfer with the movements that show it.

mod swap;

pub(crate) use swap::swap;

use settlekit_core::account::{
    Account, Direction, Movement, MovementFailure, MovementStatus, MovementType,
};
use settlekit_core::error::Reason;
use settlekit_core::value::{ChainId, Currency};

use super::volume::count_withdrawal;
use super::{book_movement, fail_movement, move_movement_on, set_movement_status};
use crate::money::ledger::{self, Holder, Leg, post};
use crate::money::outflow::need_held;
use crate::store;
use crate::store::destination::Destination;
use crate::store::movement::{Booked, NewMovement, ShownMoney, Worth};
use crate::store::own_transfer::ChainTransfer;
use crate::unit::{Outcome, Refusal, Unit};

/// An amount on the account's chain, in the currency's smallest unit.
#[derive(Debug, Clone)]
pub(crate) struct Money {
    pub(crate) currency: Currency,
    pub(crate) units: i128,
}

impl Money {
    pub(crate) fn new(currency: &Currency, units: i128) -> Self {
        let currency = currency.clone();
        Self { currency, units }
    }
}

/// A movement to be booked.
struct Entry {
    direction: Direction,
    kind: MovementType,
    status: MovementStatus,
    money: Money,
    fee: Option<Money>,
    entity: Option<String>,
    to_address: Option<String>,
    transaction_hash: Option<String>,
}

impl Entry {
    fn of(direction: Direction, kind: MovementType, money: &Money) -> Self {
        Self {
            direction,
            kind,
            status: MovementStatus::Processing,
            money: money.clone(),
            fee: None,
            entity: None,
            to_address: None,
            transaction_hash: None,
        }
    }
}

fn chain_of(account: &Account) -> Outcome<ChainId> {
    let chain = account.chain_id;
    chain.ok_or_else(|| Refusal::state_forbids("the account has no chain"))
}

fn scale(unit: &mut Unit<'_>, account: &Account, currency: &Currency) -> Outcome<u32> {
    let asset = store::chain::asset(unit.database, chain_of(account)?, currency)?;
    let unknown = || Refusal::not_supported("currency", "is not an asset of the account's chain");
    Ok(asset.ok_or_else(unknown)?.scale)
}

/// A posting of an account. The balance of the merchant's own wallet comes from its chain only and never changes here.
fn leg(account: &Account, holder: Holder, money: &Money, sign: i128) -> Outcome<Leg> {
    if matches!(holder, Holder::Merchant(_)) {
        need_held(account, None)?;
    }
    Ok(Leg {
        holder,
        chain: chain_of(account)?,
        currency: money.currency.clone(),
        units: money.units * sign,
    })
}

/// The postings of money from an account to another holder on its chain.
fn legs_out(account: &Account, money: &Money, to: Holder) -> Outcome<[Leg; 2]> {
    Ok([
        leg(account, Holder::Merchant(account.id), money, -1)?,
        leg(account, to, money, 1)?,
    ])
}

/// An amount with its decimal form on the account's chain.
fn shown(unit: &mut Unit<'_>, account: &Account, money: Money) -> Outcome<ShownMoney> {
    let scale = scale(unit, account, &money.currency)?;
    ShownMoney::new(money.currency, money.units, scale).ok_or_else(Refusal::amount_too_large)
}

fn enter(unit: &mut Unit<'_>, account: &Account, entry: Entry) -> Outcome<Booked> {
    let fee = entry.fee.map(|fee| shown(unit, account, fee)).transpose()?;
    let has_transaction = entry.transaction_hash.is_some();
    let new = NewMovement {
        organisation: account.org_id,
        account_id: account.id,
        account_reference: account.reference.clone(),
        direction: entry.direction,
        r#type: entry.kind,
        status: entry.status,
        money: shown(unit, account, entry.money)?,
        fee,
        entity_id: entry.entity,
        chain: account.chain.clone().filter(|_| has_transaction),
        from_address: None,
        to_address: entry.to_address,
        transaction_hash: entry.transaction_hash,
    };
    Ok(book_movement(unit, account, new)?)
}

/// Confirms a movement with its transfer, and returns its worth.
fn confirm(
    unit: &mut Unit<'_>,
    account: &Account,
    movement: &Movement,
    transfer: i64,
) -> Outcome<Worth> {
    let confirmed = &MovementStatus::Confirmed;
    let organisation = account.org_id;
    let (id, transfer) = (movement.id, Some(transfer));
    Ok(set_movement_status(
        unit,
        organisation,
        id,
        confirmed,
        transfer,
    )?)
}

/// Enters the movement of a transfer, confirmed.
fn enter_confirmed(
    unit: &mut Unit<'_>,
    account: &Account,
    entry: Entry,
    transfer: i64,
) -> Outcome<()> {
    let booked = enter(unit, account, entry)?;
    let confirmed = &MovementStatus::Confirmed;
    move_movement_on(unit, account.org_id, booked, confirmed, Some(transfer))?;
    Ok(())
}

/// Reserves money for pending work.
pub(crate) fn reserve(unit: &mut Unit<'_>, account: &Account, money: &Money) -> Outcome<()> {
    let leg = leg(account, Holder::Merchant(account.id), money, 1)?;
    ledger::reserve(unit, account.org_id, &leg)
}

/// Releases reserved money.
pub(crate) fn release(unit: &mut Unit<'_>, account: &Account, money: &Money) -> Outcome<()> {
    let leg = leg(account, Holder::Merchant(account.id), money, -1)?;
    ledger::reserve(unit, account.org_id, &leg)
}

/// Fails a movement whose money is reserved: releases the money.
pub(crate) fn fail_reserved(
    unit: &mut Unit<'_>,
    account: &Account,
    movement: &Movement,
    money: &Money,
    failure: &MovementFailure,
) -> Outcome<()> {
    release(unit, account, money)?;
    Ok(fail_movement(unit, account.org_id, movement.id, failure)?)
}

/// Queues a withdrawal and reserves the amount and the network fee.
pub(crate) fn queue_withdrawal(
    unit: &mut Unit<'_>,
    account: &Account,
    money: &Money,
    fee: Option<&Money>,
    to: &Destination,
    entity: Option<String>,
) -> Outcome<Movement> {
    for money in std::iter::once(money).chain(fee) {
        reserve(unit, account, money)?;
    }
    let entry = Entry {
        status: MovementStatus::Pending,
        fee: fee.cloned(),
        to_address: Some(to.as_str().to_owned()),
        entity,
        ..Entry::of(Direction::Out, MovementType::Withdraw, money)
    };
    Ok(enter(unit, account, entry)?.movement)
}

/// Books a withdrawal and its network fee out to the chain; returns the transfer's id.
fn post_withdrawal(
    unit: &mut Unit<'_>,
    account: &Account,
    money: &Money,
    fee: Option<&Money>,
    entity: Option<&str>,
) -> Outcome<i64> {
    let mut legs = Vec::with_capacity(4);
    let fee = fee.filter(|fee| fee.units > 0);
    for money in std::iter::once(money).chain(fee) {
        legs.extend(legs_out(account, money, Holder::Chain)?);
    }
    post(unit, account.org_id, "withdrawal", entity, &legs)
}

/// Sends a queued withdrawal: books the reserved money out, and counts it in the daily volume.
pub(crate) fn finish_withdrawal(
    unit: &mut Unit<'_>,
    account: &Account,
    movement: &Movement,
    money: &Money,
    fee: &Money,
) -> Outcome<()> {
    release(unit, account, money)?;
    release(unit, account, fee)?;
    let entity = movement.entity_id.as_deref();
    let transfer = post_withdrawal(unit, account, money, Some(fee), entity)?;
    let worth = confirm(unit, account, movement, transfer)?;
    let to = movement.to_address.as_deref().unwrap_or_default();
    let sent = ChainTransfer {
        organisation: account.org_id,
        chain: chain_of(account)?,
        hash: movement.transaction_hash.as_deref().unwrap_or_default(),
        to: &to.to_ascii_lowercase(),
        currency: &money.currency,
        units: money.units,
    };
    Ok(count_withdrawal(unit, account, &sent, &worth)?)
}

/// Fails a sent withdrawal: releases the money; the network fee is spent.
pub(crate) fn fail_sent_withdrawal(
    unit: &mut Unit<'_>,
    account: &Account,
    movement: &Movement,
    (money, gas): (&Money, &Money),
    failure: &MovementFailure,
) -> Outcome<()> {
    fail_reserved(unit, account, movement, money, failure)?;
    if gas.units == 0 {
        return Ok(());
    }
    release(unit, account, gas)?;
    let entry = Entry {
        entity: movement.entity_id.clone(),
        transaction_hash: movement.transaction_hash.clone(),
        ..Entry::of(Direction::Out, MovementType::NetworkFee, gas)
    };
    charge_as(unit, account, entry)
}

/// Transfers money between two accounts on one chain.
pub(crate) fn transfer(
    unit: &mut Unit<'_>,
    source: &Account,
    target: &Account,
    money: &Money,
) -> Outcome<()> {
    if source.chain_id != target.chain_id {
        return Err(Refusal::because(
            Reason::NotSupported,
            "the accounts are on different chains",
        ));
    }
    let legs = [
        leg(source, Holder::Merchant(source.id), money, -1)?,
        leg(target, Holder::Merchant(target.id), money, 1)?,
    ];
    let number = post(unit, source.org_id, "transfer", None, &legs)?;
    for (account, direction) in [(source, Direction::Out), (target, Direction::In)] {
        let entry = Entry::of(direction, MovementType::Transfer, money);
        enter_confirmed(unit, account, entry, number)?;
    }
    Ok(())
}

/// Money reserved for a trade, with its movement.
#[derive(Debug)]
pub(crate) struct Held {
    pub(crate) account: Account,
    pub(crate) money: Money,
    pub(crate) movement: Movement,
}

/// Reserves the sold money of a trade until the venue settles it.
pub(crate) fn hold(
    unit: &mut Unit<'_>,
    account: &Account,
    money: &Money,
    entity: &str,
) -> Outcome<Movement> {
    reserve(unit, account, money)?;
    let entry = Entry {
        entity: Some(entity.to_owned()),
        ..Entry::of(Direction::Out, MovementType::Swap, money)
    };
    Ok(enter(unit, account, entry)?.movement)
}

/// Keeps a smaller amount reserved for a trade: the rest is released, and the movement gives way to one of that amount.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn hold_less(
    unit: &mut Unit<'_>,
    held: &mut Held,
    units: i128,
    entity: &str,
) -> Outcome<()> {
    let failure = &MovementFailure::NotExecuted;
    fail_reserved(unit, &held.account, &held.movement, &held.money, failure)?;
    held.money.units = units;
    if units > 0 {
        held.movement = hold(unit, &held.account, &held.money, entity)?;
    }
    Ok(())
}

/// Books a settled trade with a holder: the reserved money out, the bought money in, the fee to the service.
pub(crate) fn settle(
    unit: &mut Unit<'_>,
    sold: &[Held],
    target: &Account,
    (bought, fee): (&Money, &Money),
    (with, entity): (Holder, &str),
) -> Outcome<()> {
    let gross = Money::new(&bought.currency, bought.units.saturating_add(fee.units));
    let mut legs = vec![
        leg(target, with, &gross, -1)?,
        leg(target, Holder::Merchant(target.id), bought, 1)?,
    ];
    if fee.units > 0 {
        legs.push(leg(target, Holder::Fees, fee, 1)?);
    }
    for held in sold {
        release(unit, &held.account, &held.money)?;
        legs.extend(legs_out(&held.account, &held.money, with)?);
    }
    let number = post(unit, target.org_id, "swap", Some(entity), &legs)?;
    for held in sold {
        confirm(unit, &held.account, &held.movement, number)?;
    }
    let entry = Entry {
        entity: Some(entity.to_owned()),
        ..Entry::of(Direction::In, MovementType::Swap, bought)
    };
    enter_confirmed(unit, target, entry, number)
}

/// Charges a fee of the service or the chain.
pub(crate) fn charge(
    unit: &mut Unit<'_>,
    account: &Account,
    kind: MovementType,
    money: &Money,
    entity: Option<String>,
) -> Outcome<()> {
    let entry = Entry {
        entity,
        ..Entry::of(Direction::Out, kind, money)
    };
    charge_as(unit, account, entry)
}

/// Charges the amount of an entry.
fn charge_as(unit: &mut Unit<'_>, account: &Account, entry: Entry) -> Outcome<()> {
    let to = match entry.kind {
        MovementType::ServiceFee => Holder::Fees,
        _ => Holder::Chain,
    };
    let legs = legs_out(account, &entry.money, to)?;
    let number = post(unit, account.org_id, "fee", entry.entity.as_deref(), &legs)?;
    enter_confirmed(unit, account, entry, number)
}

/// Books a correction against the service's revenue: a positive amount credits the merchant, a negative one the service.
pub(crate) fn adjust(unit: &mut Unit<'_>, account: &Account, money: &Money) -> Outcome<()> {
    let legs = [
        leg(account, Holder::Fees, money, -1)?,
        leg(account, Holder::Merchant(account.id), money, 1)?,
    ];
    let number = post(unit, account.org_id, "adjustment", None, &legs)?;
    let direction = match money.units {
        ..0 => Direction::Out,
        _ => Direction::In,
    };
    let money = Money::new(&money.currency, money.units.saturating_abs());
    let entry = Entry::of(direction, MovementType::Adjustment, &money);
    enter_confirmed(unit, account, entry, number)
}
