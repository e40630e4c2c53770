//! Pays by a transfer that the payer has signed.

use std::time::Duration;

use alloy_primitives::{Address, B256, U256};
use settlekit_core::call::Call;
use settlekit_core::checkout::{AuthorizePayment, AuthorizePaymentBody, CheckoutPayment};
use settlekit_core::error::Reason;
use settlekit_core::payment::Payment;
use settlekit_core::validate::Report;
use settlekit_core::value::Timestamp;

use super::{authorization, due_units, payment_of, view};
use crate::chains;
use crate::evm::authorization::Authorization;
use crate::money::connection;
use crate::resources::signed_transfer::{self, SignedTransfer, TransferTerms, time_of};
use crate::store;
use crate::store::authorization::{Authorized, Key, Status};
use crate::unit::{Outcome, Refusal, Unit};

/// The time that is left at least, and at most, to execute an authorization.
const VALID_FOR_MIN: Duration = Duration::from_secs(2 * 60);
const VALID_FOR_MAX: Duration = Duration::from_secs(60 * 60);

pub(crate) fn authorize_payment(
    unit: &mut Unit<'_>,
    call: Call<AuthorizePayment>,
) -> Outcome<CheckoutPayment> {
    let payment = payment_of(unit, call.path.payment_id)?;
    let locked = store::payment::LISTING.lock(unit.database, payment.org_id, payment.id)?;
    let payment = locked.ok_or_else(|| Refusal::not_found("payment"))?;
    let chain = payment
        .chain_id
        .ok_or_else(|| Refusal::state_forbids("the payment has no chain"))?;
    connection::connected(unit, chain, None)?;
    let from = payer(&call.body)?;
    let nonce = chains::authorization::nonce(unit, &payment)?;
    let key = Key {
        chain,
        currency: payment.currency.clone(),
        payer: from,
        nonce,
    };
    let before = store::authorization::by_nonce(unit.database, &key)?;
    // Payers of x402 choose their nonces: this one can be taken.
    let is_foreign = |before: &Authorized| before.payment != payment.id;
    if before.as_ref().is_some_and(is_foreign) {
        return Err(Refusal::because(
            Reason::AuthorizationUsed,
            "the payer has used the nonce for another payment",
        ));
    }
    let is_of = |known: &Authorized| {
        known.status == Status::Open && call.body.value == known.units.to_string()
    };
    if before.as_ref().is_some_and(is_of) {
        return view(unit, payment);
    }
    let executable = chains::authorization::executable(unit, &payment)?;
    if let Some(other) = &executable
        && (other.status == Status::Open || other.payer != from)
    {
        return Err(Refusal::state_forbids(
            "another authorization for this payment is in progress, or can still be executed",
        ));
    }
    let (asset, rest) = due_units(unit, &payment)?;
    let terms = authorization::terms(unit, &payment, &asset, rest)?;
    let terms = terms.ok_or_else(|| not_offered(&payment))?;
    let signed = check(unit, &call.body, &terms, (from, nonce))?;
    let is_other = |before: &Authorized| before.to != terms.to || before.units != terms.units;
    if executable.as_ref().is_some_and(is_other) {
        return Err(Refusal::state_forbids(
            "an authorization for another amount or receiver can still be executed",
        ));
    }
    terms.network_fee()?;
    signed_transfer::check_with_nodes(unit, &terms, &signed)?;
    signed_transfer::accept(unit, &payment, (&terms, &signed), before)?;
    let payment = payment_of(unit, payment.id)?;
    view(unit, payment)
}

fn payer(body: &AuthorizePaymentBody) -> Outcome<Address> {
    let address = body.from.as_str().parse();
    address.map_err(|_| Refusal::address_malformed("from", "is not an address of an EVM chain"))
}

fn not_offered(payment: &Payment) -> Refusal {
    let is_over = payment.next_action != Some(settlekit_core::payment::NextAction::SendFunds);
    match is_over {
        true => Refusal::state_forbids(format!(
            "the payment is {} and awaits no money",
            payment.status
        )),
        false => Refusal::because(
            Reason::NotSupported,
            "this payment cannot be paid by an authorization: its token, its account or the service does not take any",
        ),
    }
}

/// Seconds since 1970 as a time.
fn time(seconds: i64) -> Option<Timestamp> {
    u64::try_from(seconds).ok().and_then(time_of)
}

/// The authorization of a body, with its signature. All that differs from the terms is refused at once.
fn check(
    unit: &Unit<'_>,
    body: &AuthorizePaymentBody,
    terms: &TransferTerms,
    (from, nonce): (Address, B256),
) -> Outcome<SignedTransfer> {
    let mut report = Report::default();
    let value: Option<U256> = body.value.parse().ok();
    let due = U256::from(terms.units.unsigned_abs());
    if value != Some(due) {
        let message = format!("must be {due}, the amount due in the token's smallest unit");
        report.add_error("value", Reason::AuthorizationAmount, message);
    }
    let reason = Reason::AuthorizationNotValidNow;
    let (after, before) = (time(body.valid_after), time(body.valid_before));
    if after.is_none_or(|after| after >= unit.now) {
        report.add_error("valid_after", reason, "must be in the past");
    }
    let earliest = unit.now.plus(VALID_FOR_MIN);
    let latest = unit.now.plus(VALID_FOR_MAX);
    if before.is_none_or(|before| before < earliest || before > latest) {
        let message = "must be at least two minutes and at most an hour ahead";
        report.add_error("valid_before", reason, message);
    }
    let unsigned = |value| Authorization {
        from,
        to: terms.to,
        value,
        valid_after: body.valid_after.unsigned_abs(),
        valid_before: body.valid_before.unsigned_abs(),
        nonce,
    };
    // A wrong amount has its own error: the signature may be right.
    let authorization = unsigned(value.unwrap_or(due));
    let signature = terms.signature(&authorization, &body.signature);
    if signature.is_none() {
        report.add_error(
            "signature",
            Reason::AuthorizationUnsigned,
            "must be by `from`, over what the payment's `authorization` asks for",
        );
    }
    Refusal::reported(report)?;
    let signature = signature.ok_or_else(|| Refusal::state_forbids("the signature is missing"))?;
    Ok((authorization, signature))
}
