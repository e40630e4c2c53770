//! The balances of proxies, hot wallets and the merchants' own wallets, followed transfer by transfer.

use alloy_primitives::{Address, U256};
use settlekit_core::value::amount::UNITS_MAX;
use settlekit_core::value::{ChainId, Currency, Timestamp};

use super::block::{Block, Mined};
use super::followed::Followed;
use super::{gas_money, queue, sweep, token_fee};
use crate::store;
use crate::store::held_transfer::HeldTransfer;
use crate::store::holding::Holding;
use crate::store::operator_entry::Cause;
use crate::store::outgoing::Purpose;
use crate::store::sql::StoreError;
use crate::store::transfer_index::TransferIndex;
use crate::unit::Unit;

/// Records the network's fee for a transaction of a followed wallet. A fee that no books can hold is not recorded: the comparison
/// with the chain names what is missing then.
pub(super) fn record_fee(
    unit: &mut Unit<'_>,
    block: &Block,
    mined: &Mined,
    native: &Currency,
) -> Result<(), StoreError> {
    let Some(units) = units(mined.fee) else {
        unit.failures.push(format!(
            "the network took {} wei for transaction {} on chain {}, which no books can hold: it is not booked",
            mined.fee, mined.hash, block.chain
        ));
        return Ok(());
    };
    let fee = HeldTransfer {
        chain: block.chain,
        block: block.number,
        hash: mined.hash,
        transfer: TransferIndex::Fee,
        from: mined.from,
        to: Address::ZERO,
        currency: native.clone(),
        units,
    };
    store::held_transfer::insert(unit.database, &fee)
}

/// The changes of holdings by a transfer, with the sign of the settlement or of its return.
fn move_holdings(
    unit: &mut Unit<'_>,
    followed: &Followed,
    transfer: &HeldTransfer,
    sign: i128,
) -> Result<(), StoreError> {
    let ends = [
        (transfer.from, -transfer.units),
        (transfer.to, transfer.units),
    ];
    for (address, units) in ends {
        if followed.has(address) {
            let of_address = holding(transfer, address, units * sign);
            let sweep_at = unit.now.plus(sweep::AFTER);
            change(unit, followed, transfer.chain, (&of_address, sweep_at))?;
        }
    }
    Ok(())
}

/// Changes the holding of a followed address, and schedules its sweep.
pub(super) fn change(
    unit: &mut Unit<'_>,
    followed: &Followed,
    chain: ChainId,
    (change, sweep_at): (&Holding, Timestamp),
) -> Result<(), StoreError> {
    let add = match followed.is_swept(change.address) {
        true => store::holding::add_at_proxy,
        false => store::holding::add,
    };
    add(unit.database, chain, change, sweep_at)
}

fn holding(transfer: &HeldTransfer, address: Address, units: i128) -> Holding {
    Holding {
        address,
        currency: transfer.currency.clone(),
        units,
    }
}

/// Books settled transfers to the holdings of addresses, and records changes of the operator's own money.
pub(super) fn settle(unit: &mut Unit<'_>, transfers: &[HeldTransfer]) -> Result<(), StoreError> {
    let mut kept_by_tokens = Vec::new();
    for transfer in transfers {
        let ends = [transfer.from, transfer.to];
        let followed = Followed::among(unit.database, transfer.chain, &ends)?;
        move_holdings(unit, &followed, transfer, 1)?;
        // What waits for gas money need not wait any longer.
        if followed.is_hot(transfer.to)
            && transfer.currency == queue::native_of(unit, transfer.chain)?
        {
            let wallet = (transfer.chain, transfer.to);
            store::outgoing::set_queued_due(unit.database, wallet, unit.now)?;
        }
        let at = (transfer.chain, transfer.block);
        for (change, cause) in operator_changes(unit, &followed, transfer)? {
            let why = (cause, transfer.hash);
            store::operator_entry::insert(unit.database, at, &change, why, unit.now)?;
        }
        if token_fee::is_of_own_wallet(unit, &followed, transfer)? {
            kept_by_tokens.push(transfer);
        }
    }
    // Needs the holdings after all transfers: it compares them with the books.
    for transfer in kept_by_tokens {
        token_fee::book_for_own_wallet(unit, transfer)?;
    }
    Ok(())
}

/// The change of the operator's own money by a transfer.
fn operator_changes(
    unit: &mut Unit<'_>,
    followed: &Followed,
    transfer: &HeldTransfer,
) -> Result<Vec<(Holding, Cause)>, StoreError> {
    let (from, to) = (transfer.from, transfer.to);
    let is_hot = |address| followed.is_hot(address);
    let out = holding(transfer, from, -transfer.units);
    let into = holding(transfer, to, transfer.units);
    if transfer.transfer == TransferIndex::Fee {
        return match followed.is_derived(from) {
            true => gas_money::fee_changes(unit, transfer),
            false => Ok(is_hot(from)
                .then_some((out, Cause::NetworkFee))
                .into_iter()
                .collect()),
        };
    }
    let sent = match is_hot(from) || followed.is_derived(from) {
        true => store::outgoing::by_hash(unit.database, transfer.hash)?,
        false => None,
    };
    // In another currency, the withdrawal's call took it for somebody else.
    let is_withdrawal = sent.as_ref().is_some_and(|sent| {
        sent.purpose() == Purpose::OperatorWithdrawal
            && sent.sender == from
            && sent.currency == transfer.currency
    });
    if is_withdrawal {
        // From a replaced hot wallet to the one in use.
        let into = is_hot(to).then_some((into, Cause::TopUp));
        return Ok([Some((out, Cause::Withdrawal)), into]
            .into_iter()
            .flatten()
            .collect());
    }
    let may_be_gas_money = is_hot(from) && followed.is_derived(to);
    if may_be_gas_money && gas_money::is_gas_money(unit, transfer)? {
        return Ok(vec![(out, Cause::GasMoney), (into, Cause::GasMoney)]);
    }
    if is_hot(to) {
        if followed.is_derived(from) {
            return gas_money::moved_with_sweep(unit, transfer);
        }
        let of = (transfer.hash, transfer.transfer);
        if store::authorization::is_authorized(unit.database, transfer.chain, of)? {
            return Ok(Vec::new());
        }
        #[cfg(not(target_family = "wasm"))]
        if let Some(part) = super::swap::merchants_part(unit, transfer)? {
            let rest = holding(transfer, to, transfer.units - part);
            let has_rest = rest.units > 0;
            return Ok(has_rest
                .then_some((rest, Cause::TopUp))
                .into_iter()
                .collect());
        }
        // Money from an address of the service was held before.
        let is_new = !followed.is_service_address(from);
        return Ok(is_new.then_some((into, Cause::TopUp)).into_iter().collect());
    }
    let mut changes = Vec::new();
    let has_key = is_hot(from) || followed.is_derived(from);
    let is_of_withdrawal = sent
        .as_ref()
        .is_some_and(|sent| sent.purpose() == Purpose::OperatorWithdrawal);
    if has_key && (sent.is_none() || is_of_withdrawal) {
        changes.push((out, Cause::Unknown));
    } else if let Some(fee) = token_fee::of_service(unit, followed, transfer)? {
        changes.push((fee, Cause::TokenFee));
    }
    // Transfers to a hot wallet are handled above.
    let pays_hot_wallet = followed.is_operators(unit.database, to)?;
    let is_unassigned = pays_hot_wallet
        && store::account::known_among(unit.database, transfer.chain, &[to])?.is_empty();
    changes.extend(is_unassigned.then_some((into, Cause::Unassigned)));
    Ok(changes)
}

/// Takes back what settled transfers moved, whose blocks a reorganisation took away.
pub(super) fn rewind(unit: &mut Unit<'_>, chain: ChainId, above: u64) -> Result<(), StoreError> {
    for transfer in store::held_transfer::remove(unit.database, chain, above)? {
        let ends = [transfer.from, transfer.to];
        let followed = Followed::among(unit.database, chain, &ends)?;
        move_holdings(unit, &followed, &transfer, -1)?;
    }
    store::operator_entry::delete_above(unit.database, chain, above)
}

/// A balance in the smallest unit as the type of the books; `None` if it is too large.
pub(super) fn units(balance: U256) -> Option<i128> {
    i128::try_from(balance)
        .ok()
        .filter(|units| *units <= UNITS_MAX)
}
