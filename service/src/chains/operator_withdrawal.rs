//! An operator withdraws own money from a hot wallet.
//!
//! The transaction is queued like a payout, and leaves only if the operator's own money covers it when it is signed: the rest of a hot
//! wallet belongs to merchants. The settled transfer reduces the operator's own money, and no merchant's balance.

use std::time::Duration;

use alloy_primitives::{Address, U256};
use settlekit_core::value::{Amount, ChainId, Currency, Timestamp};

use super::followed::Followed;
use super::operator_error::OperatorError;
use super::queue;
use crate::evm::call;
use crate::evm::proxy::FACTORY;
use crate::random::{Random, Seed};
use crate::store::outgoing::{Outgoing, Purpose};
use crate::store::sql::{Database, StoreError};
use crate::unit::Unit;
use crate::{Service, store};

/// A queued withdrawal that no server has sent by then has ended.
const QUEUED_MAX: Duration = Duration::from_secs(60 * 60);

/// Own money to withdraw from a hot wallet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewWithdrawal {
    /// The chain.
    pub chain: ChainId,
    /// The hot wallet; the one in use by default.
    pub wallet: Option<Address>,
    /// The currency on the chain.
    pub currency: Currency,
    /// The amount that leaves the hot wallet.
    pub amount: Amount,
    /// The receiver: no address of the service, except the hot wallet in use for money of a replaced one.
    pub to: Address,
}

impl Service {
    /// Queues a withdrawal, which a running server sends. Returns the hot wallet that sends it.
    ///
    /// # Errors
    /// [`OperatorError::NotConnected`], [`OperatorError::Paused`], [`OperatorError::NoWallet`], [`OperatorError::UnknownWallet`],
    /// [`OperatorError::UnknownCurrency`], [`OperatorError::Amount`], [`OperatorError::ServiceAddress`],
    /// [`OperatorError::IsWithdrawing`] and [`OperatorError::NotAvailable`].
    pub fn withdraw_own_money(
        &self,
        database: &mut dyn Database,
        new: &NewWithdrawal,
        now: Timestamp,
        seed: Seed,
    ) -> Result<Address, OperatorError> {
        self.need_live()?;
        self.transact(database, |database| {
            let mut unit = Unit::new(self, database, now, Random::new(seed));
            queue(&mut unit, new)
        })?
    }
}

fn queue(
    unit: &mut Unit<'_>,
    new: &NewWithdrawal,
) -> Result<Result<Address, OperatorError>, StoreError> {
    let connected = store::connection::lock(unit.database, new.chain)?;
    let Some(connected) = connected else {
        return Ok(Err(OperatorError::NotConnected(new.chain)));
    };
    if connected.paused {
        return Ok(Err(OperatorError::Paused(new.chain)));
    }
    let Some(current) = store::wallet::current_wallet(unit.database)? else {
        return Ok(Err(OperatorError::NoWallet));
    };
    let wallet = new.wallet.unwrap_or(current.address);
    if store::wallet::find(unit.database, wallet)?.is_none() {
        return Ok(Err(OperatorError::UnknownWallet(wallet)));
    }
    let asset = store::chain::asset(unit.database, new.chain, &new.currency)?;
    let Some(asset) = asset else {
        return Ok(Err(OperatorError::UnknownCurrency(new.currency.clone())));
    };
    let units = new.amount.to_units(asset.scale).ok();
    let Some(units) = units.filter(|units| *units > 0) else {
        return Ok(Err(OperatorError::Amount(new.amount, asset)));
    };
    // Gas money of a replaced hot wallet may be sent to the one in use.
    let goes_on = new.to == current.address && wallet != current.address;
    if !goes_on && is_service_address(unit, new)? {
        return Ok(Err(OperatorError::ServiceAddress(new.to)));
    }
    let of_chain = (new.chain, &new.currency);
    if store::outgoing_open::is_withdrawing(unit.database, of_chain)? {
        let currency = new.currency.clone();
        return Ok(Err(OperatorError::IsWithdrawing(new.chain, currency)));
    }
    let at = (wallet, &asset);
    let available = store::operator_money::withdrawable(unit.database, new.chain, at)?;
    // Its own fee is paid in the native coin.
    let fee = match asset.token_address {
        None => connected.payout_fee(),
        Some(_) => 0,
    };
    let available = available.saturating_sub(fee).max(0);
    if units > available {
        let available = Amount::from_units(available, asset.scale).ok();
        return Ok(Err(OperatorError::NotAvailable(
            new.currency.clone(),
            available,
        )));
    }
    let token = queue::token_of(unit, new.chain, &new.currency)?;
    let call = call::send(token, new.to, U256::from(units.unsigned_abs()));
    let (sender, out) = ((new.chain, wallet), (&new.currency, units));
    queue::add(unit, sender, Purpose::OperatorWithdrawal, &call, out)?;
    Ok(Ok(wallet))
}

/// Whether money at the receiver would be a merchant's, or nobody's.
fn is_service_address(unit: &mut Unit<'_>, new: &NewWithdrawal) -> Result<bool, StoreError> {
    let followed = Followed::among(unit.database, new.chain, &[new.to])?;
    let assets = store::chain::assets(unit.database, new.chain)?;
    let mut tokens = assets.iter().filter_map(|asset| {
        let token = asset.token_address.as_deref()?;
        token.parse::<Address>().ok()
    });
    Ok(followed.has(new.to)
        || new.to == Address::ZERO
        || new.to == FACTORY
        || tokens.any(|token| token == new.to))
}

/// Whether the operator's own money covers a withdrawal after all pending transactions and orders. `sign::is_affordable` compares the fee.
pub(super) fn is_covered(unit: &mut Unit<'_>, outgoing: &Outgoing) -> Result<bool, StoreError> {
    let asset = store::chain::asset(unit.database, outgoing.chain, &outgoing.currency)?;
    let Some(asset) = asset else {
        return Ok(false);
    };
    let at = (outgoing.sender, &asset);
    let available = store::operator_money::withdrawable(unit.database, outgoing.chain, at)?;
    Ok(outgoing.units <= available)
}

/// Whether no server sent a withdrawal in time: the operator does not expect it any more.
pub(super) fn is_late(unit: &Unit<'_>, outgoing: &Outgoing) -> bool {
    let age = unit.now.since(outgoing.created_at);
    outgoing.purpose() == Purpose::OperatorWithdrawal && age > QUEUED_MAX
}

/// Tells the operator that a withdrawal has ended without moving money.
pub(super) fn not_executed(unit: &mut Unit<'_>, outgoing: &Outgoing) -> Result<(), StoreError> {
    let asset = store::chain::asset(unit.database, outgoing.chain, &outgoing.currency)?;
    let amount = asset.and_then(|asset| Amount::from_units(outgoing.units, asset.scale).ok());
    let amount = amount.map_or_else(String::new, |amount| format!("{amount} "));
    unit.failures.push(format!(
        "the withdrawal of {amount}{} from hot wallet {} on chain {} was not executed: your money there does not cover it, or the \
         network refused or reverted it",
        outgoing.currency, outgoing.sender, outgoing.chain
    ));
    Ok(())
}
