//! The address that signs a prepared payout.
//!
//! A wallet signs from one address at a time, so one address of an extended public key pays the whole amount. Its available balance is
//! its settled balance, less pending transfers from it and unsigned payouts with their network fees.

use std::collections::{HashMap, HashSet};

use alloy_primitives::Address;
use settlekit_core::account::Account;
use settlekit_core::value::{ChainId, Currency};

use crate::chains::HAS_REAL_CHAINS;
use crate::resources::account::book::Money;
use crate::resources::chain;
use crate::store;
use crate::store::connection::Connected;
use crate::store::holding::DerivedHolding;
use crate::store::sql::StoreError;
use crate::unit::{Outcome, Unit};

/// The address that sends a payout.
pub(super) struct Sender {
    /// `None` if no address of the extended public key covers the amount.
    pub(super) address: Option<String>,
    /// The most that one address of the extended public key can send; `None` for an account with one wallet.
    pub(super) most: Option<i128>,
}

/// The address from which an account pays: of an extended public key, the one with the least that covers the amount, so that larger
/// balances stay whole; of equal ones, that with the lowest index. Never the recipient. The address pays the network too: native coins
/// must cover the fee beside the amount. A token is sent by an address with coins for the fee if there is one, else the merchant has
/// to send it some first.
pub(super) fn sender_of(
    unit: &mut Unit<'_>,
    account: &Account,
    chain: ChainId,
    money: &Money,
    to: Option<&str>,
) -> Outcome<Sender> {
    if !HAS_REAL_CHAINS || account.xpub.is_none() {
        return Ok(Sender {
            address: account.address.clone(),
            most: None,
        });
    }
    let connected = store::connection::find(unit.database, chain)?;
    let connected =
        connected.ok_or_else(|| StoreError::Broken("the chain is not connected".to_owned()))?;
    let native = chain::known(unit, chain)?.chain.native_currency_symbol;
    let network = (&connected, &native);
    let mut available = available_balances(unit, account, network, &money.currency)?;
    let to = to.and_then(|to| to.parse::<Address>().ok());
    available.retain(|held| Some(held.address) != to);
    let mut with_coins: HashSet<Address> = HashSet::new();
    if money.currency == native {
        let fee = connected.transfer_fee();
        for held in &mut available {
            held.units = held.units.saturating_sub(fee);
        }
    } else {
        let fee = connected.payout_fee();
        let mut coins = available_balances(unit, account, network, &native)?;
        coins.retain(|held| held.units >= fee);
        with_coins.extend(coins.iter().map(|held| held.address));
    }
    let covering = available.iter().filter(|held| held.units >= money.units);
    let covering =
        covering.min_by_key(|held| (!with_coins.contains(&held.address), held.units, held.index));
    let most = available.iter().map(|held| held.units).max();
    Ok(Sender {
        address: covering.map(|held| held.address.to_string()),
        most: Some(most.unwrap_or_default().max(0)),
    })
}

/// The available balance of each address of an account's extended public key in a currency.
fn available_balances(
    unit: &mut Unit<'_>,
    account: &Account,
    (connected, native): (&Connected, &Currency),
    currency: &Currency,
) -> Result<Vec<DerivedHolding>, StoreError> {
    let (chain, owner) = (connected.chain, (account.org_id, account.id));
    let mut pending = store::withdrawal::pending_amounts(unit.database, account, currency)?;
    for (payment, units) in store::payout::unsigned(unit.database, account)? {
        let from = payment.sender_address;
        let Some(from) = from.and_then(|from| from.parse::<Address>().ok()) else {
            continue;
        };
        if payment.currency == *currency {
            pending.push((from, units));
        }
        if *native == *currency {
            let fee = match payment.currency == *native {
                true => connected.transfer_fee(),
                false => connected.payout_fee(),
            };
            pending.push((from, fee));
        }
    }
    let mut taken: HashMap<Address, i128> = HashMap::new();
    for (from, units) in pending {
        let sum = taken.entry(from).or_default();
        *sum = sum.saturating_add(units);
    }
    let mut available = store::holding::of_derived(unit.database, chain, owner, currency)?;
    for held in &mut available {
        let taken = taken.get(&held.address).copied().unwrap_or_default();
        held.units = held.units.saturating_sub(taken);
    }
    Ok(available)
}
