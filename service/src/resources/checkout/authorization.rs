//! The transfer that a payer signs to pay without network fee (EIP-3009), and its status.

use std::time::Duration;

use settlekit_core::account::Account;
use settlekit_core::chain::Asset;
use settlekit_core::checkout::{AuthorizationRequest, AuthorizationStatus};
use settlekit_core::payment::{Payment, PaymentStatus};

use crate::chains::authorization::{self, Fee};
use crate::money::connection;
use crate::resources::signed_transfer::TransferTerms;
use crate::store;
use crate::store::authorization::Status;
use crate::store::outgoing;
use crate::store::sql::StoreError;
use crate::unit::Unit;

/// The time in which an offered authorization is executed, from the view of the payment on.
const VALID_FOR: Duration = Duration::from_secs(15 * 60);

/// The terms for a payment that awaits `rest`; `None` where its token, its state, its account or the operator does not allow any.
pub(super) fn terms(
    unit: &mut Unit<'_>,
    payment: &Payment,
    asset: &Asset,
    rest: i128,
) -> Result<Option<TransferTerms>, StoreError> {
    let is_awaited = matches!(
        payment.status,
        PaymentStatus::Pending | PaymentStatus::Processing
    );
    // A payer who signs again and again keeps no price.
    let has_expired = payment.expires_at.is_some_and(|at| at <= unit.now);
    let Some(chain) = payment
        .chain_id
        .filter(|_| is_awaited && rest > 0 && !has_expired)
    else {
        return Ok(None);
    };
    let Some(connection) = connection::of_chain(unit, chain)? else {
        return Ok(None);
    };
    let account = match &payment.to_account {
        Some(account) => store::account::LISTING.find(unit.database, payment.org_id, account.id)?,
        None => None,
    };
    let Some(account) = account.filter(Account::may_receive) else {
        return Ok(None);
    };
    let to = authorization::receiver(connection, &account, payment)?;
    TransferTerms::find(unit, (connection, chain, asset), account, (to, rest))
}

/// The transfer for the payer's wallet to sign. Nothing is offered while an authorization is under way: it could pay twice.
pub(super) fn request(
    unit: &mut Unit<'_>,
    payment: &Payment,
    asset: &Asset,
    rest: i128,
) -> Result<Option<AuthorizationRequest>, StoreError> {
    let before = authorization::executable(unit, payment)?;
    if before
        .as_ref()
        .is_some_and(|before| before.status == Status::Open)
    {
        return Ok(None);
    }
    let nonce = authorization::nonce(unit, payment)?;
    let terms = terms(unit, payment, asset, rest)?;
    let offered = terms.filter(|terms| {
        // An earlier signature can only be repeated.
        let is_same = before
            .as_ref()
            .is_none_or(|before| before.to == terms.to && before.units == terms.units);
        is_same && matches!(terms.fee, Fee::Covered(_))
    });
    Ok(offered.map(|terms| AuthorizationRequest {
        to: terms.to.to_string(),
        value: terms.units.to_string(),
        decimals: asset.scale,
        valid_before: unit.now.plus(VALID_FOR).seconds(),
        nonce: nonce.to_string(),
        token_address: terms.token.to_string(),
        domain_name: terms.domain.name,
        domain_version: terms.domain.version,
    }))
}

/// The status of a payment's authorization.
pub(super) fn status(
    unit: &mut Unit<'_>,
    payment: &Payment,
) -> Result<Option<AuthorizationStatus>, StoreError> {
    let Some(authorized) = authorization::executable(unit, payment)? else {
        let of = (payment.org_id, payment.id);
        let is_executed = store::authorization::count_executed(unit.database, of)? > 0;
        return Ok(is_executed.then_some(AuthorizationStatus::Executed));
    };
    if authorized.status == Status::Failed {
        return Ok(Some(AuthorizationStatus::Failed));
    }
    let transaction = match authorized.transaction {
        Some(id) => store::outgoing::find(unit.database, id)?,
        None => None,
    };
    let is_sent = transaction.is_some_and(|transaction| {
        use outgoing::Status::{Abandoned, Mined, Sent, Settled};
        matches!(transaction.status, Sent | Abandoned | Mined | Settled)
    });
    Ok(Some(match is_sent {
        true => AuthorizationStatus::Sent,
        false => AuthorizationStatus::Accepted,
    }))
}
