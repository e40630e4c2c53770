//! A paylink as a resource: its receipt, for its payment.

use http::StatusCode;
use http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE,
};
use serde_json::json;
use settlekit_core::PREFIX;
use settlekit_core::account::Account;
use settlekit_core::chain::Asset;
use settlekit_core::checkout::CheckoutOption;
use settlekit_core::payment::Payment;
use settlekit_core::value::PaylinkId;
use settlekit_core::x402::{
    Failure, Network, PAYMENT_REQUIRED, PAYMENT_RESPONSE, PaymentPayload, PaymentRequired,
    REQUEST_HEADERS, RESPONSE_HEADERS, Requirements, Resource, SettlementResponse, Version,
    X_PAYMENT_RESPONSE,
};

use super::signed::{self, TransferState};
use super::{X402Error, add_header, decode};
use crate::chains::authorization::{Fee, shared_receiver};
use crate::money::connection;
use crate::resources::checkout::{self, CheckoutChoice, Offer, Payer, check_open};
use crate::resources::payment::PaidBy;
use crate::resources::signed_transfer::{self, SignedTransfer, TransferTerms};
use crate::resources::subscription;
use crate::store;
use crate::store::authorization::Authorized;
use crate::store::sql::StoreError;
use crate::unit::{Outcome, Refusal, Unit};

/// The most options of an answer: headers have a limit.
const ACCEPTED_MAX: usize = 12;

/// An option of a paylink that a program can pay.
struct PayableOption {
    option: CheckoutOption,
    account: Account,
    terms: TransferTerms,
    requirements: Requirements,
}

/// Answers a request for a paylink's receipt, with its payment if it has one.
pub(crate) fn get_resource(
    unit: &mut Unit<'_>,
    paylink: PaylinkId,
    payment: Option<&str>,
) -> Outcome<Vec<u8>> {
    allow_other_origins(unit);
    let Some(header) = payment else {
        let offer = checkout::offer(unit, paylink)?;
        check_open(unit, &offer)?;
        return payment_required(unit, &offer, None);
    };
    let given = decode(header).and_then(|json| PaymentPayload::read(&json));
    let payload = match given {
        Ok(payload) => payload,
        Err(failure) => return refuse(unit, paylink, None, failure.into()),
    };
    match pay(unit, paylink, &payload) {
        Ok(body) => Ok(body),
        Err(refused) => refuse(unit, paylink, Some(&payload), refused),
    }
}

/// Answers the question of a browser whether a page of another origin may pay a paylink. Nothing here depends on who asks.
pub(crate) fn preflight(unit: &mut Unit<'_>) -> Outcome<Vec<u8>> {
    allow_other_origins(unit);
    let headers = [
        (ACCESS_CONTROL_ALLOW_METHODS, "GET"),
        (ACCESS_CONTROL_ALLOW_HEADERS, REQUEST_HEADERS),
        (ACCESS_CONTROL_MAX_AGE, "86400"),
    ];
    let headers = headers.map(|(name, text)| (name, text.to_owned()));
    unit.headers.extend(headers);
    Ok(Vec::new())
}

fn allow_other_origins(unit: &mut Unit<'_>) {
    let any = (ACCESS_CONTROL_ALLOW_ORIGIN, "*".to_owned());
    let read = (ACCESS_CONTROL_EXPOSE_HEADERS, RESPONSE_HEADERS.to_owned());
    unit.headers.extend([any, read]);
}

/// 402: what the paylink accepts, and why the request's payment was not accepted.
fn payment_required(unit: &mut Unit<'_>, offer: &Offer, error: Option<String>) -> Outcome<Vec<u8>> {
    let accepted = payable_options(unit, offer)?;
    if accepted.is_empty() {
        return Err(Refusal::because(
            settlekit_core::error::Reason::NotSupported,
            "programs cannot pay this paylink: it takes no token with signed transfers on a chain where the service executes them, \
             or it asks for details of the payer",
        ));
    }
    let url = format!(
        "{}{PREFIX}/x402/{}",
        unit.options().public_url,
        offer.paylink.id
    );
    let offered = PaymentRequired {
        resource: Resource {
            url,
            description: offer.plan.name.clone(),
        },
        accepts: accepted.into_iter().map(|one| one.requirements).collect(),
        error,
    };
    let (one, two) = (offered.to_json(Version::One), offered.to_json(Version::Two));
    add_header(unit, PAYMENT_REQUIRED, &two);
    unit.status = Some(StatusCode::PAYMENT_REQUIRED);
    // Version 1 has names for few chains only.
    let has_names = one["accepts"].as_array().is_some_and(|all| !all.is_empty());
    let body = if has_names { one } else { two };
    Ok(body.to_string().into_bytes())
}

fn refuse(
    unit: &mut Unit<'_>,
    paylink: PaylinkId,
    payload: Option<&PaymentPayload>,
    refused: X402Error,
) -> Outcome<Vec<u8>> {
    let (failure, message) = match refused {
        X402Error::Payment(failure, message) => (failure, message),
        X402Error::Service(refusal) => return Err(refusal),
    };
    if let Some(payload) = payload {
        let failure = Some((failure, message));
        add_settlement(unit, payload, (None, failure));
    }
    let offer = checkout::offer(unit, paylink)?;
    check_open(unit, &offer)?;
    payment_required(unit, &offer, Some(failure.code().to_owned()))
}

/// Adds the header with the settlement of a payment.
fn add_settlement(
    unit: &mut Unit<'_>,
    payload: &PaymentPayload,
    (transaction, failure): (Option<String>, Option<(Failure, String)>),
) {
    let settled = SettlementResponse {
        network: Network(payload.chain).name(payload.version),
        payer: Some(payload.authorization.from.clone()),
        transaction,
        failure,
    };
    let name = match payload.version {
        Version::One => X_PAYMENT_RESPONSE,
        Version::Two => PAYMENT_RESPONSE,
    };
    add_header(unit, name, &settled.to_json());
}

/// The options that a program can pay.
fn payable_options(unit: &mut Unit<'_>, offer: &Offer) -> Result<Vec<PayableOption>, StoreError> {
    let mut all = Vec::new();
    let paylink = &offer.paylink;
    let asks_details = paylink.customer_ident_collection
        || paylink.shipping_address_collection
        || paylink.tax_ident_collection;
    if asks_details || subscription::starts_with_trial(unit, &offer.plan) {
        return Ok(all);
    }
    for (option, account) in offer.options(unit)? {
        let (chain, symbol) = (option.chain.id, &option.currency);
        let Some(connection) = connection::of_chain(unit, chain)? else {
            continue;
        };
        let Some(asset) = store::chain::asset(unit.database, chain, symbol)? else {
            continue;
        };
        // A question makes no payment, so its receiver is that of all payments.
        let to = shared_receiver(connection, &account)?;
        let Some(units) = option
            .amount
            .to_units(asset.scale)
            .ok()
            .filter(|units| *units > 0)
        else {
            continue;
        };
        let of = (connection, chain, &asset);
        let terms = TransferTerms::find(unit, of, account.clone(), (to, units))?;
        let Some(terms) = terms.filter(|terms| matches!(terms.fee, Fee::Covered(_))) else {
            continue;
        };
        all.push(PayableOption {
            requirements: Requirements {
                chain,
                asset: terms.token.to_string(),
                amount: units.to_string(),
                pay_to: to.to_string(),
                domain_name: terms.domain.name.clone(),
                domain_version: terms.domain.version.clone(),
            },
            option,
            account,
            terms,
        });
        if all.len() == ACCEPTED_MAX {
            break;
        }
    }
    Ok(all)
}

/// Answers with the receipt of a payment, however often it is sent.
fn pay(
    unit: &mut Unit<'_>,
    paylink: PaylinkId,
    payload: &PaymentPayload,
) -> Result<Vec<u8>, X402Error> {
    let (asset, signed) = read(unit, payload)?;
    let of = (payload.chain, &asset);
    let state = match signed::transfer_state(unit, of, &signed)? {
        TransferState::New => begin(unit, paylink, (payload, &asset), &signed)?,
        state => state,
    };
    let is_under_way = matches!(state, TransferState::UnderWay(_));
    let (authorized, hash) = match state {
        TransferState::Executed(authorized, hash) => (authorized, Some(hash)),
        TransferState::UnderWay(authorized) => (authorized, None),
        // Nobody sends it. Until it expires, another signature could pay twice.
        TransferState::Executable(authorized) => (authorized, None),
        TransferState::Failed | TransferState::New => return Err(Failure::TransactionFailed.into()),
    };
    let of = (authorized.organisation, authorized.payment);
    let payment = store::payment::LISTING.find(unit.database, of.0, of.1)?;
    // The nonce of a payment for something else is used.
    let payment = payment.filter(|payment| {
        let link = payment.payment_link.as_ref();
        link.is_some_and(|link| link.id == paylink)
    });
    let payment = payment.ok_or(Failure::NonceUsed)?;
    if is_under_way {
        unit.awaits = Some(authorized.id);
    }
    Ok(receipt(unit, payload, (&payment, &authorized, hash))?)
}

/// The transfer of a payment, and its token.
fn read(
    unit: &mut Unit<'_>,
    payload: &PaymentPayload,
) -> Result<(Asset, SignedTransfer), X402Error> {
    let assets = store::chain::assets(unit.database, payload.chain)?;
    let mut refused = X402Error::from(Failure::UnsupportedToken);
    for asset in assets {
        let Some(token) = &asset.token_address else {
            continue;
        };
        // Version 1 does not name the token: the signature does.
        let accepted = payload.accepted.as_ref();
        if accepted.is_some_and(|accepted| !accepted.asset.eq_ignore_ascii_case(token)) {
            continue;
        }
        match signed::read(unit, (payload.chain, &asset), &payload.authorization) {
            Ok(signed) => return Ok((asset, signed)),
            Err(X402Error::Payment(Failure::UnsupportedToken, _)) => {}
            Err(error) => refused = error,
        }
    }
    Err(refused)
}

/// Creates the payment of a transfer that is new, and accepts it.
fn begin(
    unit: &mut Unit<'_>,
    paylink: PaylinkId,
    (payload, asset): (&PaymentPayload, &Asset),
    signed: &SignedTransfer,
) -> Result<TransferState, X402Error> {
    let offer = checkout::offer(unit, paylink)?;
    check_open(unit, &offer)?;
    let (authorization, _) = signed;
    let mut options = payable_options(unit, &offer)?;
    options.retain(|option| {
        let is_same = |accepted: &Requirements| accepted.is_same_transfer(&option.requirements);
        option.terms.chain == payload.chain
            && option.terms.asset.symbol == asset.symbol
            && payload.accepted.as_ref().is_none_or(is_same)
    });
    let Some(chosen) = options.pop() else {
        return Err(Failure::RequirementsMismatch.into());
    };
    signed::compare(&chosen.terms, signed)?;
    signed::check_time(unit.now, &chosen.terms, signed)?;
    let accepted = unit.attempt(|unit| {
        signed_transfer::check_with_nodes(unit, &chosen.terms, signed)?;
        let until = signed::payment_expiry(unit.now, &chosen.terms, signed);
        let begun = CheckoutChoice {
            option: chosen.option,
            account: chosen.account,
            payer: Payer::Wallet(authorization.from.to_string()),
            metadata: None,
            paid_by: PaidBy::SignedTransfer(until),
        };
        let payment = checkout::begin(unit, offer, begun)?;
        signed_transfer::accept(unit, &payment, (&chosen.terms, signed), None)
    })?;
    Ok(signed::accepted_state(unit, accepted?)?)
}

/// The receipt: 200 once a block has the transfer, 202 before.
fn receipt(
    unit: &mut Unit<'_>,
    payload: &PaymentPayload,
    (payment, authorized, hash): (&Payment, &Authorized, Option<String>),
) -> Result<Vec<u8>, StoreError> {
    let known = store::chain::find(unit.database, authorized.chain)?;
    let url = hash
        .as_deref()
        .and_then(|hash| known.as_ref()?.transaction_url(hash));
    let after = payment
        .payment_link
        .as_ref()
        .and_then(|link| link.after_completion.as_ref());
    let receipt = json!({
        "payment_id": payment.id,
        "paylink_id": payment.payment_link.as_ref().map(|link| link.id),
        "status": payment.status,
        "amount": payment.amount,
        "currency": payment.currency,
        "chain_id": payment.chain_id,
        "payer": authorized.payer.to_string(),
        "transaction_hash": hash,
        "transaction_url": url,
        "after_completion": after,
    });
    match hash {
        Some(hash) => add_settlement(unit, payload, (Some(hash), None)),
        None => unit.status = Some(StatusCode::ACCEPTED),
    }
    Ok(receipt.to_string().into_bytes())
}
