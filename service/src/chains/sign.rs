//! The signing of transactions, by the service itself or by an external signer, and the fees that they offer.

use alloy_primitives::{Address, U256};
use settlekit_core::value::{ChainId, Currency};

use super::node_request::{NodeRequest, UnsignedTransaction};
use super::{gas_money, operator_withdrawal, queue};
use crate::evm::key::{Key, Seed};
use crate::evm::transaction::{self, Call, Gas};
use crate::secret::context;
use crate::store;
use crate::store::connection::Connected;
use crate::store::outgoing::{Outgoing, Purpose, Status};
use crate::store::outgoing_attempt::Attempt;
use crate::store::sql::StoreError;
use crate::store::wallet::Wallet;
use crate::unit::Unit;

/// A replacement offers at most this multiple of the current fee: offers do not grow without end on a chain that takes nothing.
const REPLACEMENT_MAX: i128 = 10;

/// Whether the wallet can pay now: the operator's money for the gas, and the merchants' for the amount.
pub(super) fn is_affordable(
    unit: &mut Unit<'_>,
    connected: &Connected,
    outgoing: &Outgoing,
    limit: u64,
) -> Result<bool, StoreError> {
    let mut gas = connected.max_fee().saturating_mul(i128::from(limit));
    // These send the operator's coins.
    if matches!(
        outgoing.purpose(),
        Purpose::GasMoney | Purpose::OperatorWithdrawal
    ) {
        gas = gas.saturating_add(outgoing.value);
    }
    Ok(pays_gas(unit, connected, outgoing.sender, gas)? && is_covered(unit, outgoing)?)
}

/// Whether the available balance of the merchants in the wallet covers the amount.
pub(super) fn is_covered(unit: &mut Unit<'_>, outgoing: &Outgoing) -> Result<bool, StoreError> {
    if outgoing.purpose() == Purpose::OperatorWithdrawal {
        return operator_withdrawal::is_covered(unit, outgoing);
    }
    if outgoing.units == 0 {
        return Ok(true);
    }
    let sender = (outgoing.chain, outgoing.sender);
    Ok(available(unit, sender, &outgoing.currency)? >= outgoing.units)
}

/// The available balance of the merchants in a wallet: without the operator's own money, and what pending transactions send.
pub(super) fn available(
    unit: &mut Unit<'_>,
    (chain, wallet): (ChainId, Address),
    currency: &Currency,
) -> Result<i128, StoreError> {
    let held = store::holding::held_units(unit.database, chain, (wallet, currency))?;
    let own = store::operator_money::operator_units(unit.database, chain, (wallet, currency))?;
    let reserved = store::outgoing_open::reserved(unit.database, (wallet, chain), currency)?;
    // A signed withdrawal leaves, also if the operator's money has become less since.
    let not_merchants = own.max(reserved.own).max(0);
    Ok(held
        .saturating_sub(not_merchants)
        .saturating_sub(reserved.units))
}

/// Whether the operator's own money pays for gas, beside the gas of pending transactions. The rest of a hot wallet belongs to the
/// merchants.
pub(super) fn pays_gas(
    unit: &mut Unit<'_>,
    connected: &Connected,
    wallet: Address,
    gas: i128,
) -> Result<bool, StoreError> {
    if let Some(pays) = gas_money::pays_gas(unit, (connected.chain, wallet), gas)? {
        return Ok(pays);
    }
    let native = queue::native_of(unit, connected.chain)?;
    let at = (wallet, &native);
    let available =
        store::operator_money::available_operator_units(unit.database, connected.chain, at)?;
    let reserved =
        store::outgoing_open::reserved(unit.database, (wallet, connected.chain), &native)?;
    Ok(reserved.gas.saturating_add(gas) <= available)
}

/// Signs a transaction with the current fees. It is [`Status::Signed`] then.
pub(super) fn sign(
    unit: &mut Unit<'_>,
    connected: &Connected,
    outgoing: &mut Outgoing,
) -> Result<(), StoreError> {
    let limit = outgoing.gas_limit;
    let form = Form {
        number: 1,
        max_fee: connected.max_fee(),
        priority_fee: connected.priority_fee(),
        limit: limit.ok_or_else(|| StoreError::Broken("a transaction lacks its gas".to_owned()))?,
        is_filler: false,
    };
    sign_form(unit, outgoing, &form)
}

/// Signs a replacement of a stuck transaction, with higher fees, unless they would be absurd or the operator cannot pay them: the
/// old bytes stay then. A filler is replaced by a filler. Returns whether it was signed.
pub(super) fn replace(
    unit: &mut Unit<'_>,
    connected: &Connected,
    outgoing: &mut Outgoing,
) -> Result<bool, StoreError> {
    outgoing.status = Status::Signed;
    let Some(before) = store::outgoing_attempt::latest_attempt(unit.database, outgoing.id)? else {
        return Err(StoreError::Damaged(
            "a sent transaction has no bytes".to_owned(),
        ));
    };
    let form = Form::after(&before, connected);
    if form.is_absurd(connected) || !pays_more(unit, connected, outgoing, &form)? {
        return Ok(false);
    }
    sign_form(unit, outgoing, &form)?;
    if raised(form.max_fee) > highest_fee(connected) {
        unit.failures.push(format!(
            "transaction {} of hot wallet {} on chain {} offers the highest fee of a replacement, and is in no block: it waits, and \
             so do all later ones, or `settlekit wallet cancel --chain {} --nonce {}` gives it up",
            outgoing.id,
            outgoing.sender,
            outgoing.chain,
            outgoing.chain,
            outgoing.nonce.unwrap_or_default()
        ));
    }
    Ok(true)
}

/// The most that a replacement offers, in wei per gas.
fn highest_fee(connected: &Connected) -> i128 {
    connected.max_fee().saturating_mul(REPLACEMENT_MAX)
}

/// Signs a filler for the nonce of an abandoned transaction, if the operator can pay it. It has higher fees than any form that a
/// node may have after all.
pub(super) fn fill(
    unit: &mut Unit<'_>,
    connected: &Connected,
    outgoing: &mut Outgoing,
    limit: u64,
) -> Result<(), StoreError> {
    let before = store::outgoing_attempt::latest_attempt(unit.database, outgoing.id)?;
    let mut form = match before {
        Some(before) => Form::after(&before, connected),
        // Somebody else's transaction, which a reorganisation took away.
        None => Form {
            number: 1,
            max_fee: connected.max_fee(),
            priority_fee: connected.priority_fee(),
            limit,
            is_filler: true,
        },
    };
    (form.limit, form.is_filler) = (limit, true);
    match pays_more(unit, connected, outgoing, &form)? {
        true => sign_form(unit, outgoing, &form),
        false => Ok(()),
    }
}

/// Whether the operator's own money pays for another form, beside the reserve for earlier ones.
fn pays_more(
    unit: &mut Unit<'_>,
    connected: &Connected,
    outgoing: &Outgoing,
    form: &Form,
) -> Result<bool, StoreError> {
    let before = store::outgoing_attempt::attempts_of(unit.database, outgoing.id)?;
    let highest = before.iter().map(Attempt::gas_cost).max().unwrap_or(0);
    let more = form.max_fee.saturating_mul(i128::from(form.limit)) - highest;
    Ok(more <= 0 || pays_gas(unit, connected, outgoing.sender, more)?)
}

/// The fee per gas that the form after another offers, in wei.
pub(super) fn replacement_fee(before: &Attempt, connected: &Connected) -> i128 {
    Form::after(before, connected).max_fee
}

/// The fees that a form of a transaction offers.
struct Form {
    /// Its number, from 1.
    number: u32,
    max_fee: i128,
    priority_fee: i128,
    limit: u64,
    is_filler: bool,
}

impl Form {
    fn is_absurd(&self, connected: &Connected) -> bool {
        self.max_fee > highest_fee(connected)
    }

    /// The next form, with fees that nodes take for a replacement.
    fn after(before: &Attempt, connected: &Connected) -> Self {
        Self {
            number: before.number.saturating_add(1),
            max_fee: raised(before.max_fee).max(connected.max_fee()),
            priority_fee: raised(before.priority_fee).max(connected.priority_fee()),
            limit: before.gas_limit,
            is_filler: before.is_filler,
        }
    }
}

/// Stores a form: signed with the wallet's seed, or to be signed by its external signer. It is [`Status::Signed`] or
/// [`Status::Unsigned`] then.
fn sign_form(unit: &mut Unit<'_>, outgoing: &mut Outgoing, form: &Form) -> Result<(), StoreError> {
    let mut attempt = Attempt {
        transaction: outgoing.id,
        number: form.number,
        hash: None,
        signed: None,
        max_fee: form.max_fee,
        priority_fee: form.priority_fee,
        gas_limit: form.limit,
        is_filler: form.is_filler,
    };
    outgoing.status = Status::Unsigned;
    if let Some(key) = held_key(unit, outgoing.sender)? {
        let of = (outgoing.chain, nonce(outgoing)?);
        let call = call(outgoing, &attempt);
        let signed = transaction::sign(&key, of, gas(&attempt), &call);
        (attempt.hash, attempt.signed) = (Some(signed.hash), Some(signed.bytes.into()));
        outgoing.status = Status::Signed;
    }
    store::outgoing_attempt::insert(unit.database, &attempt, unit.now)
}

fn nonce(outgoing: &Outgoing) -> Result<u64, StoreError> {
    let nonce = outgoing.nonce;
    nonce.ok_or_else(|| StoreError::Broken("an outgoing transaction has no nonce".to_owned()))
}

fn gas(attempt: &Attempt) -> Gas {
    Gas {
        limit: attempt.gas_limit,
        max_fee: attempt.max_fee.unsigned_abs(),
        priority_fee: attempt.priority_fee.unsigned_abs(),
    }
}

/// The call of a form of a transaction.
fn call(outgoing: &Outgoing, attempt: &Attempt) -> Call {
    match attempt.is_filler {
        true => Call {
            to: outgoing.sender,
            value: U256::ZERO,
            data: Default::default(),
        },
        false => Call {
            to: outgoing.to,
            value: U256::from(outgoing.value.unsigned_abs()),
            data: outgoing.data.clone(),
        },
    }
}

/// The request that asks the external signer for the signature of a form.
pub(super) fn signature_request(
    unit: &mut Unit<'_>,
    outgoing: &Outgoing,
    attempt: &Attempt,
) -> Result<NodeRequest, StoreError> {
    let wallet = wallet(unit, outgoing.sender)?;
    let call = call(outgoing, attempt);
    let gas = gas(attempt);
    Ok(NodeRequest::Sign {
        id: outgoing.id,
        number: attempt.number,
        signer: signer_of(unit, &wallet)?,
        transaction: UnsignedTransaction {
            chain: outgoing.chain,
            from: outgoing.sender,
            nonce: nonce(outgoing)?,
            gas_limit: gas.limit,
            max_fee: gas.max_fee,
            priority_fee: gas.priority_fee,
            to: call.to,
            value: call.value,
            data: call.data.to_vec(),
        },
    })
}

/// Stores an external signer's signature; false if the answer is not this form, signed by the wallet.
pub(super) fn add_signature(
    unit: &mut Unit<'_>,
    outgoing: &mut Outgoing,
    attempt: &Attempt,
    answer: &[u8],
) -> Result<bool, StoreError> {
    let of = (outgoing.chain, nonce(outgoing)?);
    let call = call(outgoing, attempt);
    let signed = transaction::signed_by(outgoing.sender, of, gas(attempt), &call, answer);
    let Some(signed) = signed else {
        return Ok(false);
    };
    let bytes = signed.bytes.into();
    store::outgoing_attempt::set_signed(unit.database, attempt, (signed.hash, &bytes))?;
    outgoing.status = Status::Signed;
    Ok(true)
}

/// Nodes ask for a tenth more; an eighth leaves room for rounding.
fn raised(fee: i128) -> i128 {
    fee.saturating_add(fee / 8).saturating_add(1)
}

fn wallet(unit: &mut Unit<'_>, address: Address) -> Result<Wallet, StoreError> {
    store::wallet::find(unit.database, address)?
        .ok_or_else(|| StoreError::Damaged("a hot wallet is missing".to_owned()))
}

/// The key of a hot wallet or derived address; `None` if an external signer has it.
fn held_key(unit: &mut Unit<'_>, address: Address) -> Result<Option<Key>, StoreError> {
    if let Some(derived) = store::derived_address::find(unit.database, address)? {
        let wallet = wallet(unit, derived.wallet)?;
        let key = Key::derive_pay_in(&seed_of(unit, &wallet)?, derived.index);
        return checked(key, address).map(Some);
    }
    let wallet = wallet(unit, address)?;
    match wallet.is_external {
        true => Ok(None),
        false => key(unit, &wallet).map(Some),
    }
}

/// The key of a hot wallet.
fn key(unit: &Unit<'_>, wallet: &Wallet) -> Result<Key, StoreError> {
    let seed = seed_of(unit, wallet)?;
    checked(Key::derive(&seed, wallet.derivation_index), wallet.address)
}

/// The key, if it is that of an address.
fn checked(key: Option<Key>, address: Address) -> Result<Key, StoreError> {
    let key = key.filter(|key| key.address() == address);
    key.ok_or_else(|| {
        StoreError::Damaged("a hot wallet's seed does not give its address".to_owned())
    })
}

/// The seed of a hot wallet.
pub(super) fn seed_of(unit: &Unit<'_>, wallet: &Wallet) -> Result<Seed, StoreError> {
    opened(unit, wallet).and_then(|seed| {
        Seed::try_from(seed)
            .map_err(|_| StoreError::Damaged("a hot wallet's seed has another length".to_owned()))
    })
}

/// The URL of a hot wallet's external signer.
fn signer_of(unit: &Unit<'_>, wallet: &Wallet) -> Result<String, StoreError> {
    opened(unit, wallet).and_then(|url| {
        String::from_utf8(url)
            .map_err(|_| StoreError::Damaged("the URL of a signer is no text".to_owned()))
    })
}

fn opened(unit: &Unit<'_>, wallet: &Wallet) -> Result<Vec<u8>, StoreError> {
    let context = context::wallet(&format!("{:#x}", wallet.address));
    unit.open(&context, &wallet.secret)
        .ok_or_else(|| StoreError::Damaged("a hot wallet cannot be unsealed".to_owned()))
}
