//! The queue of transactions of hot wallets.

use alloy_primitives::{Address, U256};
use settlekit_core::payment::Payment;
use settlekit_core::value::{ChainId, Currency};

use crate::evm::call;
use crate::evm::transaction::Call;
use crate::money::connection::Evm;
use crate::store;
use crate::store::outgoing::{NewOutgoing, Purpose};
use crate::store::payout::Payout;
use crate::store::sql::StoreError;
use crate::unit::Unit;

/// Queues a payout's transaction.
pub(crate) fn add_payout(
    unit: &mut Unit<'_>,
    evm: Evm,
    payment: &Payment,
    payout: &Payout,
) -> Result<(), StoreError> {
    let chain = payment.chain_id.ok_or_else(|| damaged("chain"))?;
    let call = payout_call(unit, chain, payment, payout)?;
    let purpose = Purpose::Payout(payment.org_id, payment.id);
    let out = (&payment.currency, payout.units);
    add(unit, (chain, evm.hot_wallet), purpose, &call, out).map(drop)
}

/// The transfer that pays a payout out.
pub(crate) fn payout_call(
    unit: &mut Unit<'_>,
    chain: ChainId,
    payment: &Payment,
    payout: &Payout,
) -> Result<Call, StoreError> {
    let token = token_of(unit, chain, &payment.currency)?;
    let to: Address = payout
        .to
        .parse()
        .map_err(|_| damaged("address of its chain"))?;
    let units = U256::try_from(payout.units).map_err(|_| damaged("positive amount"))?;
    Ok(call::send(token, to, units))
}

fn damaged(what: &str) -> StoreError {
    StoreError::Damaged(format!("a payout has no {what}"))
}

/// Queues the call of a contract, or a transfer, with the amount that leaves the wallet. Returns its id.
pub(super) fn add(
    unit: &mut Unit<'_>,
    (chain, sender): (ChainId, Address),
    purpose: Purpose,
    call: &Call,
    (currency, units): (&Currency, i128),
) -> Result<i64, StoreError> {
    let value = i128::try_from(call.value)
        .map_err(|_| StoreError::Broken("a transaction's value is too large".to_owned()))?;
    let new = NewOutgoing {
        chain,
        sender,
        purpose,
        to: call.to,
        value,
        data: call.data.clone(),
        currency: currency.clone(),
        units,
    };
    store::outgoing::insert(unit.database, &new, unit.now)
}

/// The native coin of a chain.
pub(super) fn native_of(unit: &mut Unit<'_>, chain: ChainId) -> Result<Currency, StoreError> {
    let known = store::chain::find(unit.database, chain)?;
    let known =
        known.ok_or_else(|| StoreError::Damaged("a connected chain is unknown".to_owned()))?;
    Ok(known.chain.native_currency_symbol)
}

/// The contract of a currency on a chain; `None` for the native coin.
pub(super) fn token_of(
    unit: &mut Unit<'_>,
    chain: ChainId,
    currency: &Currency,
) -> Result<Option<Address>, StoreError> {
    let asset = store::chain::asset(unit.database, chain, currency)?
        .ok_or_else(|| StoreError::Damaged("a chain lacks an asset in use".to_owned()))?;
    let token = asset.token_address.as_deref().map(str::parse).transpose();
    token.map_err(|_| StoreError::Damaged("a token has no EVM address".to_owned()))
}
