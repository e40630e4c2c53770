//! Pays by a transfer that the payer has signed.

use std::time::Duration;

use alloy_primitives::{Address, B256, U256};
use settlekit_core::call::Call;
use settlekit_core::chain::Asset;
use settlekit_core::checkout::{AuthorizePayment, AuthorizePaymentBody, CheckoutPayment};
use settlekit_core::error::Reason;
use settlekit_core::payment::Payment;
use settlekit_core::validate::Report;
use settlekit_core::value::{ChainId, Timestamp};

use super::authorization::{self, Terms};
use super::{due_units, payment_of, view};
use crate::chains;
use crate::chains::authorization::Fee;
use crate::chains::simulated;
use crate::evm::authorization::{Authorization, TokenSignature, balance, was_used};
use crate::evm::contract_calls::{CallError, ContractCall};
use crate::evm::node_calls::NodeCalls;
use crate::money::connection::{self, Connection, node_urls};
use crate::store;
use crate::store::authorization::{Authorized, Key, Status};
use crate::unit::{Outcome, Refusal, Unit};

/// The time that is left at least, and at most, to execute an authorization.
const VALID_FOR_MIN: Duration = Duration::from_secs(2 * 60);
const VALID_FOR_MAX: Duration = Duration::from_secs(60 * 60);

/// The most authorizations of a payer and token that are under way. Their sum is read each time.
const OPEN_MAX: usize = 100;

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
            "another authorization for this payment is under way, or can still be executed",
        ));
    }
    let (asset, rest) = due_units(unit, &payment)?;
    let terms = authorization::terms(unit, &payment, &asset, rest)?;
    let terms = terms.ok_or_else(|| not_offered(&payment))?;
    let (signed, signature) = check(unit, &call.body, (chain, &terms), (from, nonce))?;
    let is_other = |before: &Authorized| before.to != terms.to || before.units != terms.units;
    if executable.as_ref().is_some_and(is_other) {
        return Err(Refusal::state_forbids(
            "an authorization for another amount or receiver can still be executed",
        ));
    }
    let Fee::Paid(network_fee) = terms.fee else {
        return Err(Refusal::because(
            Reason::FeeLimitReached,
            "the service pays no more network fees for payers of this merchant today: send the amount from your wallet",
        ));
    };
    let of = Executed {
        payment: &payment,
        chain,
        asset: &asset,
        terms,
        network_fee,
        before,
    };
    execute(unit, of, (signed, signature))?;
    let payment = payment_of(unit, payment.id)?;
    view(unit, payment)
}

fn payer(body: &AuthorizePaymentBody) -> Outcome<Address> {
    let address = body.from.as_str().parse();
    address.map_err(|_| Refusal::address_malformed("from", "is not an address of an EVM chain"))
}

fn used(why: &str) -> Refusal {
    Refusal::because(
        Reason::AuthorizationUsed,
        format!("the authorization {why}"),
    )
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

/// The authorization of a body, with its signature. All that differs from the terms is refused at once.
fn check(
    unit: &Unit<'_>,
    body: &AuthorizePaymentBody,
    (chain, terms): (ChainId, &Terms),
    (from, nonce): (Address, B256),
) -> Outcome<(Authorization, TokenSignature)> {
    let mut report = Report::default();
    let value: Option<U256> = body.value.parse().ok();
    let due = U256::from(terms.units.unsigned_abs());
    if value != Some(due) {
        let message = format!("must be {due}, the amount due in the token's smallest unit");
        report.add_error("value", Reason::AuthorizationAmount, message);
    }
    let reason = Reason::AuthorizationNotValidNow;
    let (after, before) = (seconds(body.valid_after), seconds(body.valid_before));
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
    // An amount that differs is said as such: the signature may be right.
    let authorization = unsigned(value.unwrap_or(due));
    let of = (chain, terms.token);
    let signature = authorization.signed(&terms.domain, of, &body.signature);
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

/// Seconds since 1970 as a time; `None` beyond the times that are kept.
fn seconds(seconds: i64) -> Option<Timestamp> {
    // 2^40 seconds are 35 000 years.
    let is_kept = (0..1 << 40).contains(&seconds);
    is_kept.then(|| Timestamp::from_millis(seconds * 1_000))
}

/// What an authorization pays, and what it may cost the operator.
struct Executed<'a> {
    payment: &'a Payment,
    chain: ChainId,
    asset: &'a Asset,
    terms: Terms,
    /// In wei.
    network_fee: i128,
    /// The one with the same nonce that failed.
    before: Option<Authorized>,
}

/// Takes the authorization and queues what executes it. On a simulated chain it is executed at once.
fn execute(
    unit: &mut Unit<'_>,
    of: Executed<'_>,
    (signed, signature): (Authorization, TokenSignature),
) -> Outcome<()> {
    let Executed {
        payment,
        chain,
        asset,
        terms,
        network_fee,
        before,
    } = of;
    let call = signed.call(terms.token, signature);
    let transaction = match terms.connection {
        Connection::Evm(evm) => {
            check_with_nodes(
                unit,
                (chain, asset),
                &signed,
                &signed.checks(terms.token, &call),
            )?;
            let sender = (chain, evm.hot_wallet);
            Some(chains::authorization::queue(
                unit,
                sender,
                &call,
                &asset.symbol,
            )?)
        }
        Connection::Simulated(simulation) => {
            let (from, to) = (signed.from.to_string(), signed.to.to_string());
            let ends = (Some(from.as_str()), to.as_str());
            simulated::send(simulation, unit, chain, ends, &asset.symbol, terms.units)?;
            None
        }
    };
    let valid_before = i64::try_from(signed.valid_before).ok().and_then(seconds);
    let valid_before = valid_before.unwrap_or(unit.now);
    let authorized = Authorized {
        id: before.as_ref().map_or(0, |before| before.id),
        chain,
        currency: asset.symbol.clone(),
        payer: signed.from,
        nonce: signed.nonce,
        organisation: payment.org_id,
        payment: payment.id,
        account: terms.account.id,
        to: signed.to,
        units: terms.units,
        valid_before,
        executable_until: before.map_or(valid_before, |before| {
            valid_before.max(before.executable_until)
        }),
        transaction,
        network_fee,
        status: match transaction {
            Some(_) => Status::Open,
            None => Status::Executed,
        },
        created_at: unit.now,
    };
    Ok(chains::authorization::accept(unit, &authorized)?)
}

/// Refuses what the token would refuse now, by the word of its nodes. Without their answers the request is refused, and the host asks
/// them.
fn check_with_nodes(
    unit: &mut Unit<'_>,
    (chain, asset): (ChainId, &Asset),
    signed: &Authorization,
    calls: &[ContractCall; 3],
) -> Outcome<()> {
    let unavailable = || Refusal::because(Reason::Unavailable, "the chain cannot be asked now");
    let Some(returned) = unit.contract_answers.find(chain, calls, unit.now) else {
        let connected = store::connection::find(unit.database, chain)?.ok_or_else(unavailable)?;
        let nodes = node_urls(unit, &connected)?;
        let block = connected.head().hash;
        unit.asked
            .push(NodeCalls::new((chain, block), nodes, calls));
        return Err(unavailable());
    };
    let [state, held, executed] = returned.as_slice() else {
        return Err(unavailable());
    };
    let state = state.as_ref().ok().and_then(|state| was_used(state));
    let held = held.as_ref().ok().and_then(|held| balance(held));
    let (state, held) = (
        state.ok_or_else(unavailable)?,
        held.ok_or_else(unavailable)?,
    );
    if state {
        return Err(used("was used or canceled"));
    }
    let of = (chain, &asset.symbol);
    let (promised, open) = chains::authorization::promised(unit, of, signed.from)?;
    if open >= OPEN_MAX {
        return Err(Refusal::state_forbids(
            "too many authorizations of this payer are under way",
        ));
    }
    let promised = U256::from(promised.unsigned_abs());
    if held < promised.saturating_add(signed.value) {
        return Err(Refusal::field(
            "from",
            Reason::InsufficientFunds,
            format!("holds too little {}", asset.symbol),
        ));
    }
    match executed {
        Ok(_) => Ok(()),
        Err(CallError::Reverted) => Err(Refusal::because(
            Reason::NotSupported,
            "the token refuses this transfer",
        )),
        Err(_) => Err(unavailable()),
    }
}
