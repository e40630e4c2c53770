//! Bookings on an account, except deposits: withdrawals, transfers, swaps, trades, fees, corrections.
//!
//! Each is a balanced transfer with the movements that show it.

mod swap;

pub(crate) use swap::swap;

use settlekit_core::account::{Account, Direction, Movement, MovementStatus, MovementType};
use settlekit_core::error::Reason;
use settlekit_core::value::Currency;

use super::{book_movement, set_movement_status};
use crate::money::connection;
use crate::money::ledger::{Holder, Leg, post, reserve};
use crate::money::outflow::need_held;
use crate::money::prices;
use crate::store;
use crate::store::destination::Destination;
use crate::store::movement::{NewMovement, ShownMoney};
use crate::store::sql::StoreError;
use crate::unit::Unit;
use crate::unit::refusal::{Outcome, Refusal};

/// An amount on the account's chain, in the currency's smallest unit.
#[derive(Debug, Clone)]
pub(crate) struct Money {
    pub(crate) currency: Currency,
    pub(crate) units: i128,
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

fn scale(unit: &mut Unit<'_>, account: &Account, currency: &Currency) -> Outcome<u32> {
    let chain = account
        .chain_id
        .ok_or_else(|| Refusal::because(Reason::StateForbids, "the account has no chain"))?;
    let asset = store::chain::asset(unit.database, chain, currency)?;
    Ok(asset
        .ok_or_else(|| {
            Refusal::field(
                "currency",
                Reason::NotSupported,
                "is not an asset of the account's chain",
            )
        })?
        .scale)
}

/// A posting of an account. The balance of the merchant's own wallet comes from its chain only and never changes here.
fn leg(account: &Account, holder: Holder, money: &Money, sign: i128) -> Outcome<Leg> {
    if matches!(holder, Holder::Merchant(_)) {
        need_held(account, None)?;
    }
    let chain = account
        .chain_id
        .ok_or_else(|| Refusal::because(Reason::StateForbids, "the account has no chain"))?;
    Ok(Leg {
        holder,
        chain,
        currency: money.currency.clone(),
        units: money.units * sign,
    })
}

/// An amount with its decimal form on the account's chain.
fn shown(unit: &mut Unit<'_>, account: &Account, money: Money) -> Outcome<ShownMoney> {
    let scale = scale(unit, account, &money.currency)?;
    ShownMoney::new(money.currency, money.units, scale).ok_or_else(|| {
        Refusal::because(
            Reason::AmountTooLarge,
            "the amount is too large to represent exactly",
        )
    })
}

fn enter(unit: &mut Unit<'_>, account: &Account, entry: Entry) -> Outcome<Movement> {
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
    Ok(book_movement(unit, account, new)?.movement)
}

/// Confirms a movement with its transfer, and adds it to the daily volume.
fn confirm(
    unit: &mut Unit<'_>,
    account: &Account,
    movement: &Movement,
    transfer: i64,
) -> Outcome<()> {
    let status = (&movement.status, &MovementStatus::Confirmed);
    set_movement_status(unit, account.org_id, movement.id, status, Some(transfer))?;
    let moved = matches!(
        movement.r#type,
        MovementType::Withdraw | MovementType::Deposit
    );
    if moved {
        let scale = scale(unit, account, &movement.currency)?;
        let units = movement
            .amount
            .to_units(scale)
            .map_err(|_| StoreError::Damaged("a movement's amount is malformed".into()))?;
        let usd = prices::connected(unit).usd_of(units, scale, &movement.currency);
        let usd = usd.unwrap_or(0);
        let (inward, outward) = if movement.direction == Direction::In {
            (usd, 0)
        } else {
            (0, usd)
        };
        store::volume::add(unit.database, account.org_id, unit.now, inward, outward)?;
    }
    Ok(())
}

/// Reserves money (1) or releases it (-1).
fn change_reserved(
    unit: &mut Unit<'_>,
    account: &Account,
    moneys: [Option<&Money>; 2],
    sign: i128,
) -> Outcome<()> {
    for money in moneys.into_iter().flatten() {
        let leg = leg(account, Holder::Merchant(account.id), money, sign)?;
        reserve(unit, account.org_id, &leg)?;
    }
    Ok(())
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
    change_reserved(unit, account, [Some(money), fee], 1)?;
    let entry = Entry {
        status: MovementStatus::Pending,
        fee: fee.cloned(),
        to_address: Some(to.as_str().to_owned()),
        entity,
        ..Entry::of(Direction::Out, MovementType::Withdraw, money)
    };
    enter(unit, account, entry)
}

/// Sends a queued withdrawal: books the reserved money out.
pub(crate) fn finish_withdrawal(
    unit: &mut Unit<'_>,
    account: &Account,
    movement: &Movement,
    money: &Money,
    fee: Option<&Money>,
) -> Outcome<()> {
    change_reserved(unit, account, [Some(money), fee], -1)?;
    let mut legs = Vec::with_capacity(4);
    for money in std::iter::once(money).chain(fee) {
        legs.push(leg(account, Holder::Merchant(account.id), money, -1)?);
        legs.push(leg(account, Holder::Chain, money, 1)?);
    }
    let transfer = post(
        unit,
        account.org_id,
        "withdrawal",
        movement.entity_id.as_deref(),
        &legs,
    )?;
    confirm(unit, account, movement, transfer)
}

/// Fails a sent withdrawal: releases the money; the network fee is spent.
pub(crate) fn fail_sent_withdrawal(
    unit: &mut Unit<'_>,
    account: &Account,
    movement: &Movement,
    money: &Money,
    gas: &Money,
) -> Outcome<()> {
    fail_withdrawal(unit, account, movement, money)?;
    change_reserved(unit, account, [Some(gas), None], -1)?;
    let entry = Entry {
        entity: movement.entity_id.clone(),
        transaction_hash: movement.transaction_hash.clone(),
        ..Entry::of(Direction::Out, MovementType::NetworkFee, gas)
    };
    charge_as(unit, account, entry)
}

/// Fails a queued withdrawal: releases the money.
pub(crate) fn fail_withdrawal(
    unit: &mut Unit<'_>,
    account: &Account,
    movement: &Movement,
    money: &Money,
) -> Outcome<()> {
    change_reserved(unit, account, [Some(money), None], -1)?;
    Ok(set_movement_status(
        unit,
        account.org_id,
        movement.id,
        (&movement.status, &MovementStatus::Failed),
        None,
    )?)
}

/// Reserves the service fee of a queued withdrawal.
pub(crate) fn hold_fee(unit: &mut Unit<'_>, account: &Account, fee: &Money) -> Outcome<()> {
    change_reserved(unit, account, [Some(fee), None], 1)
}

/// Releases the service fee of a failed withdrawal.
pub(crate) fn release_fee(unit: &mut Unit<'_>, account: &Account, fee: &Money) -> Outcome<()> {
    change_reserved(unit, account, [Some(fee), None], -1)
}

/// Books the reserved service fee.
pub(crate) fn take_fee(
    unit: &mut Unit<'_>,
    account: &Account,
    fee: &Money,
    entity: Option<String>,
) -> Outcome<()> {
    change_reserved(unit, account, [Some(fee), None], -1)?;
    charge(unit, account, MovementType::ServiceFee, fee, entity)
}

/// Withdraws at once, plus the network fee.
pub(crate) fn withdraw(
    unit: &mut Unit<'_>,
    account: &Account,
    money: &Money,
    gas: Option<&Money>,
    to: &Destination,
    entity: Option<String>,
) -> Outcome<Movement> {
    let chain = account
        .chain_id
        .ok_or_else(|| StoreError::Damaged("an account that sends has no chain".into()))?;
    let connection = connection::connected(unit, chain, None)?;
    let merchant = Holder::Merchant(account.id);
    let mut legs = vec![
        leg(account, merchant, money, -1)?,
        leg(account, Holder::Chain, money, 1)?,
    ];
    if let Some(gas) = gas {
        legs.extend([
            leg(account, merchant, gas, -1)?,
            leg(account, Holder::Chain, gas, 1)?,
        ]);
    }
    let transfer = post(unit, account.org_id, "withdrawal", entity.as_deref(), &legs)?;
    let between = (account.address.as_deref(), to.as_str());
    let hash = connection.send_withdrawal(unit, chain, between, &money.currency, money.units)?;
    let entry = Entry {
        fee: gas.cloned(),
        entity,
        to_address: Some(to.as_str().to_owned()),
        transaction_hash: Some(hash),
        ..Entry::of(Direction::Out, MovementType::Withdraw, money)
    };
    let movement = enter(unit, account, entry)?;
    confirm(unit, account, &movement, transfer)?;
    Ok(movement)
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
        let movement = enter(
            unit,
            account,
            Entry::of(direction, MovementType::Transfer, money),
        )?;
        confirm(unit, account, &movement, number)?;
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
    change_reserved(unit, account, [Some(money), None], 1)?;
    let entry = Entry {
        entity: Some(entity.to_owned()),
        ..Entry::of(Direction::Out, MovementType::Swap, money)
    };
    enter(unit, account, entry)
}

/// Releases the money of a failed trade.
pub(crate) fn release(unit: &mut Unit<'_>, held: &Held) -> Outcome<()> {
    change_reserved(unit, &held.account, [Some(&held.money), None], -1)?;
    Ok(set_movement_status(
        unit,
        held.account.org_id,
        held.movement.id,
        (&held.movement.status, &MovementStatus::Failed),
        None,
    )?)
}

/// Books a settled trade: the reserved money out, the bought money in, the fee to the service.
pub(crate) fn settle(
    unit: &mut Unit<'_>,
    sold: &[Held],
    target: &Account,
    (bought, fee): (&Money, &Money),
    entity: &str,
) -> Outcome<()> {
    let gross = Money {
        currency: bought.currency.clone(),
        units: bought.units.saturating_add(fee.units),
    };
    let merchant = Holder::Merchant(target.id);
    let mut legs = vec![
        leg(target, Holder::Venue, &gross, -1)?,
        leg(target, merchant, bought, 1)?,
    ];
    if fee.units > 0 {
        legs.push(leg(target, Holder::Fees, fee, 1)?);
    }
    for Held { account, money, .. } in sold {
        change_reserved(unit, account, [Some(money), None], -1)?;
        legs.push(leg(account, Holder::Merchant(account.id), money, -1)?);
        legs.push(leg(account, Holder::Venue, money, 1)?);
    }
    let number = post(unit, target.org_id, "swap", Some(entity), &legs)?;
    for Held {
        account, movement, ..
    } in sold
    {
        confirm(unit, account, movement, number)?;
    }
    let entry = Entry {
        entity: Some(entity.to_owned()),
        ..Entry::of(Direction::In, MovementType::Swap, bought)
    };
    let movement = enter(unit, target, entry)?;
    confirm(unit, target, &movement, number)
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
    let to = if entry.kind == MovementType::ServiceFee {
        Holder::Fees
    } else {
        Holder::Chain
    };
    let legs = [
        leg(account, Holder::Merchant(account.id), &entry.money, -1)?,
        leg(account, to, &entry.money, 1)?,
    ];
    let number = post(unit, account.org_id, "fee", entry.entity.as_deref(), &legs)?;
    let movement = enter(unit, account, entry)?;
    confirm(unit, account, &movement, number)
}

/// Books a correction against the service's revenue: a positive amount credits the merchant, a negative one the service.
pub(crate) fn adjust(unit: &mut Unit<'_>, account: &Account, money: &Money) -> Outcome<()> {
    let legs = [
        leg(account, Holder::Fees, money, -1)?,
        leg(account, Holder::Merchant(account.id), money, 1)?,
    ];
    let number = post(unit, account.org_id, "adjustment", None, &legs)?;
    let direction = if money.units < 0 {
        Direction::Out
    } else {
        Direction::In
    };
    let money = Money {
        units: money.units.saturating_abs(),
        ..money.clone()
    };
    let entry = Entry::of(direction, MovementType::Adjustment, &money);
    let movement = enter(unit, account, entry)?;
    confirm(unit, account, &movement, number)
}
