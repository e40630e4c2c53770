//! The public checkout of a paylink.

mod authorization;
mod authorize_payment;
mod get_checkout;
mod hold;
mod offer;
mod pay_from_test_wallet;
mod start_checkout;
#[cfg(not(target_family = "wasm"))]
mod unsigned_transaction;
#[cfg(not(target_family = "wasm"))]
mod wallet_links;

pub(crate) use authorize_payment::authorize_payment;
pub(crate) use get_checkout::get_checkout;
pub(crate) use hold::forget_holds;
pub(crate) use offer::{Offer, check_open, offer};
pub(crate) use pay_from_test_wallet::pay_from_test_wallet;
pub(crate) use start_checkout::{CheckoutChoice, Payer, begin, start_checkout};

use settlekit_core::call::Call;
use settlekit_core::chain::Asset;
use settlekit_core::checkout::{CheckoutPayment, GetCheckoutPayment, QrCode};
use settlekit_core::payment::{Payment, PaymentStatus, TransactionStatus};
use settlekit_core::value::{Amount, PaymentId};

use crate::chains::depth;
use crate::evm;
use crate::store;
use crate::store::sql::StoreError;
use crate::unit::{Outcome, Refusal, Unit};

/// A payment by id for its payer; only payments with their own address are public.
fn payment_of(unit: &mut Unit<'_>, id: PaymentId) -> Outcome<Payment> {
    let unknown = || Refusal::not_found("payment");
    let organisation = store::payment::owner(unit.database, id)?.ok_or_else(unknown)?;
    store::payment::LISTING
        .find(unit.database, organisation, id)?
        .filter(|payment| payment.deposit_address.is_some())
        .ok_or_else(unknown)
}

pub(crate) fn get_checkout_payment(
    unit: &mut Unit<'_>,
    call: Call<GetCheckoutPayment>,
) -> Outcome<CheckoutPayment> {
    let payment = payment_of(unit, call.path.payment_id)?;
    view(unit, payment)
}

/// The currency of a payment on its chain, and the amount due in its smallest unit.
fn due_units(unit: &mut Unit<'_>, payment: &Payment) -> Outcome<(Asset, i128)> {
    let damaged = || StoreError::Damaged("a payment lacks its chain or currency".into());
    let chain = payment.chain_id.ok_or_else(damaged)?;
    let asset = store::chain::asset(unit.database, chain, &payment.currency)?;
    let asset = asset.ok_or_else(damaged)?;
    let units = |amount: Amount| amount.to_units(asset.scale).map_err(|_| damaged());
    let rest = units(payment.amount)?.saturating_sub(units(payment.paid_amount)?);
    Ok((asset, rest))
}

/// A payment for its payer.
fn view(unit: &mut Unit<'_>, payment: Payment) -> Outcome<CheckoutPayment> {
    let damaged = || StoreError::Damaged("a payment lacks its chain or address".into());
    let chain_id = payment.chain_id.ok_or_else(damaged)?;
    let known = store::chain::find(unit.database, chain_id)?.ok_or_else(damaged)?;
    let asset =
        store::chain::asset(unit.database, chain_id, &payment.currency)?.ok_or_else(damaged)?;
    let address = payment.deposit_address.clone().ok_or_else(damaged)?;
    let units = |amount: Amount| amount.to_units(asset.scale).map_err(|_| damaged());
    // After a partial payment, the URI asks for the rest.
    let due = units(payment.amount)?;
    let rest = due.saturating_sub(units(payment.paid_amount)?);
    let asked = if rest > 0 { rest } else { due };
    let token = asset.token_address.as_deref();
    let payment_uri = evm::link(known.chain.id, token, &address, asked);
    let asked = Amount::from_units(asked, asset.scale).map_err(|_| damaged())?;
    // The payer's signed transfer may still pay: a transaction would pay twice.
    #[cfg(not(target_family = "wasm"))]
    let unsigned_transaction = match crate::chains::authorization::executable(unit, &payment)? {
        Some(_) => None,
        None => unsigned_transaction::of(unit, &payment, &asset, (&address, rest))?,
    };
    // A service in wasm is a sandbox.
    #[cfg(target_family = "wasm")]
    let (unsigned_transaction, wallet_links) = (None, None);
    #[cfg(not(target_family = "wasm"))]
    let wallet_links = wallet_links::of(unit, &payment, (&payment_uri, rest))?;
    let authorization = authorization::request(unit, &payment, &asset, rest)?;
    let authorization_status = authorization::status(unit, &payment)?;
    let seen = store::transaction::of_payment(unit.database, payment.org_id, payment.id)?;
    let latest = seen
        .iter()
        .rfind(|seen| seen.status != TransactionStatus::Failed);
    let confirmations = match latest {
        Some(seen) => depth::confirmations(unit, seen)?,
        None => 0,
    };
    Ok(CheckoutPayment {
        payment_id: payment.id,
        paylink_id: payment.payment_link.as_ref().map(|paylink| paylink.id),
        status: payment.status,
        reason: payment.reason,
        amount: payment.amount,
        currency: payment.currency,
        chain: known.chain.clone(),
        qr: QrCode::of(&payment_uri).ok_or_else(damaged)?,
        address_qr: QrCode::of(&address).ok_or_else(damaged)?,
        amount_qr: QrCode::of(&asked.to_string()).ok_or_else(damaged)?,
        unsigned_transaction,
        authorization,
        authorization_status,
        payment_uri,
        wallet_links,
        address_url: known.address_url(&address),
        address,
        paid_amount: payment.paid_amount,
        refunded_amount: payment.refunded_amount,
        confirmed_at: payment
            .timeline
            .iter()
            .flatten()
            .find_map(|entry| (entry.status == PaymentStatus::Confirmed).then_some(entry.at)),
        confirmations,
        confirmations_required: known.confirmations_required,
        transaction_url: latest.and_then(|seen| known.transaction_url(&seen.hash)),
        block_number: latest.and_then(|seen| seen.block),
        test_network: known.test_network(),
        public_rpc_url: known.public_rpc_url,
        explorer_url: known.explorer_url,
        expires_at: payment.expires_at.ok_or_else(damaged)?,
        transaction_hash: latest.map(|seen| seen.hash.clone()),
        after_completion: payment
            .payment_link
            .and_then(|paylink| paylink.after_completion),
        server_time: unit.now,
        sandbox: unit.options().mode.is_sandbox(),
    })
}
