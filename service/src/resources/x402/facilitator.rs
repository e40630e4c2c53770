//! The facilitator: checks and executes payments for resources of the merchant's own.
//!
//! A payment is settled once. The answer that says so is given once, too, so that a payment pays for one resource, whatever is sent
//! twice or at once. A signature is public as soon as its transfer is sent, so the answer belongs to the request that brought it
//! first. If that got none, because the server died or no block came, another request gets it after a while.

use std::time::Duration;

use serde_json::{Value, json};
use settlekit_core::paylink::Source;
use settlekit_core::value::{Amount, Object, OrganisationId};
use settlekit_core::x402::{
    EXACT, Failure, Network, PaymentPayload, Requirements, SettlementResponse, Version,
};

use super::X402Error;
use super::signed::{self, TransferState};
use crate::chains::authorization::{Fee, fee, sent_hash};
use crate::money::connection;
use crate::resources::customer;
use crate::resources::payment::{self, PaidBy};
use crate::resources::signed_transfer::{self, SignedTransfer, TransferTerms};
use crate::store;
use crate::store::authorization::Authorized;
use crate::store::sql::StoreError;
use crate::unit::caller::Caller;
use crate::unit::{Outcome, Unit};

/// How long the request that brought a transfer first has the answer for itself. Hosts wait no longer for a block.
const FIRST_FOR: Duration = Duration::from_secs(45);

/// The longest URL of a resource that is kept with its payment.
const RESOURCE_CHARS: usize = 500;

/// The payment that a merchant asks about.
struct FacilitatorRequest {
    terms: TransferTerms,
    signed: SignedTransfer,
    /// The resource's URL, by the word of the client.
    resource: Option<String>,
}

/// Checks a payment; nothing changes.
pub(crate) fn verify(unit: &mut Unit<'_>, caller: &Caller, body: &Value) -> Outcome<Vec<u8>> {
    let answer = match check(unit, caller.organisation, body) {
        Ok(payer) => json!({"isValid": true, "payer": payer}),
        Err(X402Error::Service(refusal)) => return Err(refusal),
        Err(X402Error::Payment(failure, message)) => json!({
            "isValid": false, "invalidReason": failure.code(), "invalidMessage": message, "payer": payer(body),
        }),
    };
    Ok(answer.to_string().into_bytes())
}

fn check(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    body: &Value,
) -> Result<String, X402Error> {
    let asked = read(unit, organisation, body)?;
    let (authorization, _) = &asked.signed;
    let payer = authorization.from.to_string();
    match transfer_state(unit, organisation, &asked)? {
        TransferState::New => {
            signed::check_time(unit.now, &asked.terms, &asked.signed)?;
            asked.terms.network_fee()?;
            signed_transfer::check_with_nodes(unit, &asked.terms, &asked.signed)?;
            Ok(payer)
        }
        TransferState::Failed => Err(Failure::TransactionFailed.into()),
        TransferState::Executable(_) => Err(Failure::SettlementPending.into()),
        TransferState::UnderWay(known) | TransferState::Executed(known, _) => {
            match (known.answered_at, is_open_to_all(unit, &known)) {
                (Some(_), _) => Err(Failure::DuplicateSettlement.into()),
                (None, false) => Err(Failure::SettlementPending.into()),
                (None, true) => Ok(payer),
            }
        }
    }
}

/// Executes a payment and answers once a block has it.
pub(crate) fn settle(unit: &mut Unit<'_>, caller: &Caller, body: &Value) -> Outcome<Vec<u8>> {
    let outcome = execute(unit, caller.organisation, body);
    unit.is_final = matches!(outcome, Ok(SettleResult::InBlock { .. }));
    let (transaction, failure) = match outcome {
        Ok(SettleResult::InBlock { hash }) => (Some(hash), None),
        // With the hash, the official middleware asks again.
        Ok(SettleResult::Pending { sent }) => {
            let message = "no block has the transfer yet: ask again".to_owned();
            (sent, Some((Failure::SettlementPending, message)))
        }
        Err(X402Error::Payment(failure, message)) => (None, Some((failure, message))),
        Err(X402Error::Service(refusal)) => return Err(refusal),
    };
    let network = body.pointer("/paymentRequirements/network");
    let settled = SettlementResponse {
        network: network.and_then(Value::as_str).map(str::to_owned),
        payer: payer(body).map(str::to_owned),
        transaction,
        failure,
    };
    Ok(settled.to_json().to_string().into_bytes())
}

/// How far a payment is.
enum SettleResult {
    InBlock {
        hash: String,
    },
    /// The hash, if a transaction was sent.
    Pending {
        sent: Option<String>,
    },
}

fn execute(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    body: &Value,
) -> Result<SettleResult, X402Error> {
    let asked = read(unit, organisation, body)?;
    let (state, is_first) = match transfer_state(unit, organisation, &asked)? {
        TransferState::New => (begin(unit, organisation, &asked)?, true),
        state => (state, false),
    };
    let may_answer = |unit: &Unit<'_>, known: &Authorized| {
        is_first || unit.awaited == Some(known.id) || is_open_to_all(unit, known)
    };
    match state {
        TransferState::UnderWay(known) | TransferState::Executed(known, _)
            if known.answered_at.is_none() && !may_answer(unit, &known) =>
        {
            let sent = sent_hash(unit, &known)?;
            Ok(SettleResult::Pending {
                sent: sent.map(|hash| hash.to_string()),
            })
        }
        TransferState::Executed(known, hash) => {
            // Two who ask at once get one answer.
            let locked = store::authorization::lock(unit.database, known.id)?;
            if locked.is_none_or(|locked| locked.answered_at.is_some()) {
                return Err(Failure::DuplicateSettlement.into());
            }
            store::authorization::set_answered(unit.database, known.id, unit.now)?;
            Ok(SettleResult::InBlock { hash })
        }
        TransferState::UnderWay(known) => {
            unit.awaits = Some(known.id);
            let sent = sent_hash(unit, &known)?;
            Ok(SettleResult::Pending {
                sent: sent.map(|hash| hash.to_string()),
            })
        }
        TransferState::Executable(_) => Ok(SettleResult::Pending { sent: None }),
        TransferState::Failed | TransferState::New => Err(Failure::TransactionFailed.into()),
    }
}

/// Whether the request that brought a transfer first had its time.
fn is_open_to_all(unit: &Unit<'_>, known: &Authorized) -> bool {
    unit.now >= known.created_at.plus(FIRST_FOR)
}

fn payer(body: &Value) -> Option<&str> {
    let payer = body.pointer("/paymentPayload/payload/authorization/from");
    payer.and_then(Value::as_str)
}

/// Reads a payment and the terms of its account.
fn read(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    body: &Value,
) -> Result<FacilitatorRequest, X402Error> {
    let version = Version::of(body)?;
    let given = body
        .get("paymentPayload")
        .ok_or(Failure::MalformedPayload)?;
    let payload = PaymentPayload::read(given)?;
    let required = body
        .get("paymentRequirements")
        .ok_or(Failure::RequirementsMismatch)?;
    let requirements = Requirements::read(version, required)?;
    if payload.version != version {
        return Err(Failure::UnsupportedVersion.into());
    }
    let is_other = |accepted: &Requirements| !accepted.is_same_transfer(&requirements);
    if payload.accepted.as_ref().is_some_and(is_other) {
        return Err(Failure::RequirementsMismatch.into());
    }
    let chain = requirements.chain;
    if payload.chain != chain {
        return Err(Failure::UnknownNetwork.into());
    }
    let connection = connection::of_chain(unit, chain)?.ok_or(Failure::UnknownNetwork)?;
    let assets = store::chain::assets(unit.database, chain)?;
    let asset = assets.into_iter().find(|asset| {
        let token = asset.token_address.as_deref();
        token.is_some_and(|token| token.eq_ignore_ascii_case(&requirements.asset))
    });
    let asset = asset.ok_or(Failure::UnsupportedToken)?;
    let units: Option<i128> = requirements.amount.parse().ok().filter(|units| *units > 0);
    let units = units.ok_or(Failure::RequirementsMismatch)?;
    let to = requirements.pay_to.parse();
    let to: alloy_primitives::Address = to.map_err(|_| Failure::RequirementsMismatch)?;
    let address = format!("{to:#x}");
    let mut targets = store::account::by_address(unit.database, chain, &asset.symbol, &address)?;
    // An address of a payment takes that payment's money only.
    targets.retain(|target| {
        let account = &target.account;
        account.org_id == organisation
            && target.payment.is_none()
            && account.enabled
            && account.may_receive()
            && account.currencies.contains(&asset.symbol)
    });
    let Some(target) = targets.into_iter().next() else {
        let message = "payTo must be a pay-in address or the own wallet of one of your accounts that takes the token";
        return Err(X402Error::Payment(
            Failure::RequirementsMismatch,
            message.to_owned(),
        ));
    };
    let of = (connection, chain, &asset);
    let terms = TransferTerms::find(unit, of, target.account, (to, units))?;
    let terms = terms.ok_or(Failure::UnsupportedToken)?;
    let signed = signed::read(unit, (chain, &asset), &payload.authorization)?;
    let resource = match version {
        Version::One => required.get("resource"),
        Version::Two => given.pointer("/resource/url"),
    };
    let resource = resource.and_then(Value::as_str).map(str::to_owned);
    Ok(FacilitatorRequest {
        terms,
        signed,
        resource: resource.filter(|url| url.chars().count() <= RESOURCE_CHARS),
    })
}

/// The state of a payment's transfer. A transfer with the same nonce that was accepted for another resource has used it.
fn transfer_state(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    asked: &FacilitatorRequest,
) -> Result<TransferState, X402Error> {
    signed::compare(&asked.terms, &asked.signed)?;
    let of = (asked.terms.chain, &asked.terms.asset);
    let state = signed::transfer_state(unit, of, &asked.signed)?;
    if let TransferState::UnderWay(known)
    | TransferState::Executable(known)
    | TransferState::Executed(known, _) = &state
        && !is_settled_here(unit, organisation, known)?
    {
        return Err(Failure::NonceUsed.into());
    }
    Ok(state)
}

/// Whether an authorization came by this organisation's facilitator: those of paylinks and checkouts pay for these.
fn is_settled_here(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    known: &Authorized,
) -> Result<bool, StoreError> {
    if known.organisation != organisation {
        return Ok(false);
    }
    let payment = store::payment::LISTING.find(unit.database, organisation, known.payment)?;
    Ok(payment.is_some_and(|payment| {
        payment.source == Some(Source::X402) && payment.payment_link.is_none()
    }))
}

/// Creates the payment of a transfer that is new, and accepts it.
fn begin(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    asked: &FacilitatorRequest,
) -> Result<TransferState, X402Error> {
    let FacilitatorRequest {
        terms,
        signed,
        resource,
    } = asked;
    signed::check_time(unit.now, terms, signed)?;
    let (authorization, _) = signed;
    let amount = Amount::from_units(terms.units, terms.asset.scale);
    let amount = amount.map_err(|_| Failure::RequirementsMismatch)?;
    let accepted = unit.attempt(|unit| {
        signed_transfer::check_with_nodes(unit, terms, signed)?;
        let payer = authorization.from.to_string();
        let customer = customer::with_wallet(unit, organisation, &payer)?;
        let mut metadata = Object::new();
        if let Some(url) = resource {
            metadata.insert("x402_resource".to_owned(), Value::from(url.as_str()));
        }
        let until = signed::payment_expiry(unit.now, terms, signed);
        let new = payment::PaymentTerms {
            amount,
            currency: terms.asset.symbol.clone(),
            chain: terms.chain,
            account: terms.account.clone(),
            customer: Some(customer),
            paylink: None,
            reference: None,
            metadata: (!metadata.is_empty()).then_some(metadata),
            source: Source::X402,
            paid_by: PaidBy::SignedTransfer(until),
        };
        let payment = payment::start(unit, organisation, new)?;
        signed_transfer::accept(unit, &payment, (terms, signed), None)
    })?;
    Ok(signed::accepted_state(unit, accepted?)?)
}

/// The networks on which the service executes payments for the merchant.
pub(crate) fn list_kinds(unit: &mut Unit<'_>, caller: &Caller, _: &Value) -> Outcome<Vec<u8>> {
    let mut kinds = Vec::new();
    let mut signers = Vec::new();
    for chain in connection::list_connected(unit)? {
        let Some(connection) = connection::of_chain(unit, chain.id)? else {
            continue;
        };
        let mut has_token = false;
        for asset in &chain.assets {
            let domain = store::token_domain::find(unit.database, chain.id, &asset.symbol)?;
            has_token |= domain.is_some();
        }
        let of = (chain.id, caller.organisation);
        if !has_token || fee(unit, connection, of)? == Fee::NotCovered {
            continue;
        }
        signers.push(connection.hot_wallet().to_string());
        for version in [Version::Two, Version::One] {
            if let Some(network) = Network(chain.id).name(version) {
                kinds.push(
                    json!({"x402Version": version.number(), "scheme": EXACT, "network": network}),
                );
            }
        }
    }
    signers.dedup();
    let answer = json!({"kinds": kinds, "extensions": [], "signers": {"eip155:*": signers}});
    Ok(answer.to_string().into_bytes())
}
