//! The transaction that the payer's wallet signs to pay.

use alloy_primitives::{Address, U256};
use settlekit_core::chain::Asset;
use settlekit_core::checkout::UnsignedTransaction;
use settlekit_core::payment::{Payment, PaymentStatus};

use crate::evm::call;
use crate::store::sql::StoreError;
use crate::unit::Unit;

/// Whether a wallet can pay the amount due. A sandbox asks for no money: nobody holds the keys of its addresses.
pub(super) fn awaits_wallet(unit: &Unit<'_>, payment: &Payment, rest: i128) -> bool {
    let is_awaited = matches!(
        payment.status,
        PaymentStatus::Pending | PaymentStatus::Processing
    );
    !unit.options().mode.is_sandbox() && is_awaited && rest > 0
}

/// The transaction that pays the rest of a payment to its address.
pub(super) fn of(
    unit: &Unit<'_>,
    payment: &Payment,
    asset: &Asset,
    (address, rest): (&str, i128),
) -> Result<Option<UnsignedTransaction>, StoreError> {
    if !awaits_wallet(unit, payment, rest) {
        return Ok(None);
    }
    let damaged = |_| StoreError::Damaged("a payment has no address of its chain".into());
    let token = asset.token_address.as_deref().map(str::parse).transpose();
    let (token, to) = (
        token.map_err(damaged)?,
        address.parse::<Address>().map_err(damaged)?,
    );
    let call = call::send(token, to, U256::from(rest.unsigned_abs()));
    Ok(Some(UnsignedTransaction {
        to: call.to.to_string(),
        value: format!("{:#x}", call.value),
        data: call.data.to_string(),
        token_address: asset.token_address.clone(),
        units: rest.to_string(),
        decimals: asset.scale,
    }))
}
