//! Transfers that payers signed (EIP-3009): a hot wallet sends them, the operator pays the network.
//!
//! The money goes straight to the account's wallet, which many payments share: the nonce that the token logs tells which one a
//! transfer pays. Anybody can send what the payer signed. Then the transaction of the hot wallet is refused or reverts, and the
//! payment is paid by the other.

use std::time::Duration;

use alloy_primitives::{Address, B256, keccak256};
use settlekit_core::account::Account;
use settlekit_core::payment::Payment;
use settlekit_core::value::{AccountId, ChainId, Currency, OrganisationId, Timestamp};

use super::block::{Block, Transfer};
use super::{HAS_REAL_CHAINS, payer_fee, queue, sign};
use crate::evm::transaction::Call;
use crate::money::connection::Connection;
use crate::store;
use crate::store::account::Target;
use crate::store::authorization::{Authorized, Key, Status};
use crate::store::outgoing::{Outgoing, Purpose, Status as OutgoingStatus};
use crate::store::sql::StoreError;
use crate::store::transfer_index::TransferIndex;
use crate::unit::Unit;

/// Blocks may be read this long after an authorization expired.
const READ_LAG: Duration = Duration::from_secs(15 * 60);

/// Whether the operator pays the network for a payer's transfer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fee {
    /// Maximum fee in wei.
    Covered(i128),
    /// The limit of the day is reached, or the hot wallet has no money for gas.
    LimitReached,
    /// Never on this chain.
    NotCovered,
}

/// Whether the operator pays the network for another payer of an organisation.
pub(crate) fn fee(
    unit: &mut Unit<'_>,
    connection: Connection,
    (chain, organisation): (ChainId, OrganisationId),
) -> Result<Fee, StoreError> {
    let Connection::Evm(evm) = connection else {
        return Ok(Fee::Covered(0));
    };
    let Some(connected) = store::connection::find(unit.database, chain)? else {
        return Ok(Fee::NotCovered);
    };
    let Some(limit) = connected.payer_fees_per_day else {
        return Ok(Fee::NotCovered);
    };
    let fee = payer_fee::reserved(&connected);
    let day = payer_fee::fee_day(unit.now, (chain, organisation));
    let spent = store::payer_fees::spent(unit.database, day)?;
    let is_within = spent.saturating_add(fee) <= limit;
    let pays = is_within && sign::pays_gas(unit, &connected, evm.hot_wallet, fee)?;
    Ok(match pays {
        true => Fee::Covered(fee),
        false => Fee::LimitReached,
    })
}

/// Where an account takes authorized transfers of all its payments: its own wallet, which is the first address of an extended public
/// key, or the hot wallet for money that the service holds.
pub(crate) fn shared_receiver(
    connection: Connection,
    account: &Account,
) -> Result<Address, StoreError> {
    match account.own_wallet() {
        Some(wallet) => address(wallet),
        None => Ok(connection.hot_wallet()),
    }
}

/// Where an account takes authorized transfers for a payment with an address of its own. An account by extended public key takes them
/// at that address.
pub(crate) fn receiver(
    connection: Connection,
    account: &Account,
    payment: &Payment,
) -> Result<Address, StoreError> {
    match account.xpub {
        Some(_) => address(payment.deposit_address.as_deref().unwrap_or_default()),
        None => shared_receiver(connection, account),
    }
}

fn address(text: &str) -> Result<Address, StoreError> {
    let address = text.parse();
    address.map_err(|_| StoreError::Damaged("a receiver has no address of its chain".to_owned()))
}

/// The authorization for a payment that may still be executed: it is under way, or it failed and has not expired.
pub(crate) fn executable(
    unit: &mut Unit<'_>,
    payment: &Payment,
) -> Result<Option<Authorized>, StoreError> {
    let of = (payment.org_id, payment.id);
    let since = unit.now.minus(READ_LAG);
    store::authorization::executable(unit.database, of, since)
}

/// Whether a failed authorization may still be executed, or a block that did may still be read.
pub(crate) fn is_executable(now: Timestamp, failed: &Authorized) -> bool {
    failed.executable_until > now.minus(READ_LAG)
}

/// The nonce of the authorization for a payment's amount due. It changes only after an execution, so a payer who signs several
/// pays once.
pub(crate) fn nonce(unit: &mut Unit<'_>, payment: &Payment) -> Result<B256, StoreError> {
    let of = (payment.org_id, payment.id);
    let executed = store::authorization::count_executed(unit.database, of)?;
    Ok(keccak256(format!(
        "settlekit authorization {executed} of {}",
        payment.id
    )))
}

/// The sum that a payer's authorizations of a token may still take, and their count.
pub(crate) fn outstanding(
    unit: &mut Unit<'_>,
    of: (ChainId, &Currency),
    payer: Address,
) -> Result<(i128, usize), StoreError> {
    let open = store::authorization::open_of(unit.database, of, payer)?;
    let sum = open
        .iter()
        .fold(0_i128, |sum, open| sum.saturating_add(open.units));
    Ok((sum, open.len()))
}

/// Queues the transaction that executes an authorization, and returns its id.
pub(crate) fn queue(
    unit: &mut Unit<'_>,
    sender: (ChainId, Address),
    call: &Call,
    currency: &Currency,
) -> Result<i64, StoreError> {
    // The payer's money leaves the payer's wallet, not the hot wallet.
    queue::add(unit, sender, Purpose::Authorization, call, (currency, 0))
}

/// The hash of the latest signed form of what executes an authorization, if there is one.
pub(crate) fn sent_hash(
    unit: &mut Unit<'_>,
    authorized: &Authorized,
) -> Result<Option<B256>, StoreError> {
    let latest = match authorized.transaction {
        Some(id) => store::outgoing_attempt::latest_attempt(unit.database, id)?,
        None => None,
    };
    Ok(latest
        .filter(|latest| !latest.is_filler)
        .and_then(|latest| latest.hash))
}

/// Whether nothing is sent any more: the token refuses what has expired, or it was executed.
pub(super) fn is_late(unit: &mut Unit<'_>, outgoing: &Outgoing) -> Result<bool, StoreError> {
    if outgoing.purpose() != Purpose::Authorization {
        return Ok(false);
    }
    let authorized = store::authorization::of_transaction(unit.database, outgoing.id)?;
    let Some(authorized) = authorized else {
        return Ok(true);
    };
    Ok(unit.now >= authorized.valid_before || is_executed_already(unit, outgoing, &authorized)?)
}

/// Whether another transaction executed an authorization whose own transaction is not signed yet: sending it would be useless, or take
/// the money twice.
fn is_executed_already(
    unit: &mut Unit<'_>,
    outgoing: &Outgoing,
    authorized: &Authorized,
) -> Result<bool, StoreError> {
    let is_queued = outgoing.status == OutgoingStatus::Queued;
    Ok(is_queued && store::authorization::has_transfer(unit.database, authorized.id)?)
}

/// The authorization that a transfer in a block to a wallet executes; anybody may have sent it. It is recorded.
///
/// Its transaction has used the nonce, and the transfer is as it was signed. The order of the logs does not count: anybody can
/// put other transfers of the payer beside it.
pub(super) fn executed(
    unit: &mut Unit<'_>,
    block: &Block,
    transfer: &Transfer,
    (currency, units): (&Currency, i128),
) -> Result<Option<Authorized>, StoreError> {
    let used = block.authorized.iter().filter(|used| {
        used.hash == transfer.hash
            && Some(used.token) == transfer.token
            && used.authorizer == transfer.from
    });
    for used in used {
        let key = Key {
            chain: block.chain,
            currency: currency.clone(),
            payer: used.authorizer,
            nonce: used.nonce,
        };
        let Some(authorized) = store::authorization::by_nonce(unit.database, &key)? else {
            continue;
        };
        let is_as_signed = authorized.to == transfer.to && authorized.units == units;
        if !is_as_signed || store::authorization::has_transfer(unit.database, authorized.id)? {
            continue;
        }
        let (at, of) = ((block.chain, block.number), (transfer.hash, transfer.index));
        if HAS_REAL_CHAINS {
            store::authorization::forget_booked_transfer(unit.database, block.chain, of)?;
        }
        store::authorization::insert_transfer(unit.database, at, of, authorized.id)?;
        // It was abandoned, and somebody else has executed it.
        if authorized.status == Status::Failed {
            set_status(unit, &authorized, Status::Executed)?;
        }
        return Ok(Some(authorized));
    }
    Ok(None)
}

fn set_status(
    unit: &mut Unit<'_>,
    authorized: &Authorized,
    status: Status,
) -> Result<(), StoreError> {
    let changed = Authorized {
        status,
        ..authorized.clone()
    };
    store::authorization::update(unit.database, &changed, unit.now)
}

/// Takes executed authorizations out of blocks that a reorganisation took away, after the hot wallet's transactions. What another
/// transaction executed is queued again: it is refused if a block brings it again.
pub(super) fn rewind(unit: &mut Unit<'_>, chain: ChainId, above: u64) -> Result<(), StoreError> {
    let taken = store::authorization::executed_above(unit.database, chain, above)?;
    for authorized in &taken {
        keep_booked(unit, authorized)?;
    }
    store::authorization::delete_transfers_above(unit.database, chain, above)?;
    for authorized in taken {
        if authorized.status != Status::Executed {
            continue;
        }
        let outgoing = match authorized.transaction {
            Some(id) => store::outgoing::lock(unit.database, id)?,
            None => None,
        };
        let status = match outgoing {
            Some(outgoing) if outgoing.status == OutgoingStatus::Refused => {
                if outgoing.nonce.is_some() {
                    Status::Failed
                } else {
                    let queued = Outgoing {
                        status: OutgoingStatus::Queued,
                        refusals: 0,
                        ..outgoing
                    };
                    store::outgoing::update(unit.database, &queued, Some(unit.now), unit.now)?;
                    Status::Open
                }
            }
            Some(outgoing) if outgoing.status != OutgoingStatus::Settled => Status::Open,
            _ => Status::Failed,
        };
        set_status(unit, &authorized, status)?;
        if status == Status::Open
            && let Some(connected) = store::connection::find(unit.database, chain)?
        {
            let reserved = payer_fee::reserved(&connected);
            payer_fee::set_fee(
                unit,
                Authorized {
                    status,
                    ..authorized
                },
                reserved,
            )?;
        }
    }
    Ok(())
}

/// Remembers a booked transfer that executed an authorization, whose block was taken away before.
fn keep_booked(unit: &mut Unit<'_>, authorized: &Authorized) -> Result<(), StoreError> {
    let transfer = store::authorization::executing_transfer(unit.database, authorized.id)?;
    let Some((hash, index)) = transfer else {
        return Ok(());
    };
    let (of, to) = (
        (authorized.chain, hash.as_str()),
        format!("{:#x}", authorized.to),
    );
    let seen = store::transaction::lock_transfers(unit.database, of, &to)?;
    let is_booked = seen.iter().any(|seen| {
        seen.organisation == authorized.organisation && seen.transfer == index && seen.is_lost()
    });
    match is_booked {
        true => store::authorization::keep_booked_transfer(unit.database, authorized.id),
        false => Ok(()),
    }
}

/// Gives a transfer that executes an authorization to its payment, beside others that watch the same wallet.
pub(super) fn assign(
    unit: &mut Unit<'_>,
    targets: &mut Vec<Target>,
    authorized: &Authorized,
) -> Result<(), StoreError> {
    let payment = Some(authorized.payment);
    let organisation = authorized.organisation;
    let mut own = targets.iter_mut();
    // The organisation's wallet may belong to another of its accounts since.
    if let Some(target) = own.find(|target| target.account.org_id == organisation) {
        target.payment = payment;
        return Ok(());
    }
    let of = (organisation, authorized.account);
    targets.push(Target {
        payment,
        ..target(unit, of, (authorized.chain, &authorized.currency))?
    });
    Ok(())
}

fn target(
    unit: &mut Unit<'_>,
    (organisation, account): (OrganisationId, AccountId),
    (chain, currency): (ChainId, &Currency),
) -> Result<Target, StoreError> {
    let missing = |what: &str| StoreError::Damaged(format!("an authorization has no {what}"));
    let known = store::chain::find(unit.database, chain)?;
    let asset = store::chain::asset(unit.database, chain, currency)?;
    let account = store::account::LISTING.find(unit.database, organisation, account)?;
    Ok(Target {
        chain: known.ok_or_else(|| missing("chain"))?,
        asset: asset.ok_or_else(|| missing("currency"))?,
        account: account.ok_or_else(|| missing("account"))?,
        payment: None,
    })
}

/// A transfer that executed an authorization was dropped from the chain permanently.
pub(super) fn dropped(
    unit: &mut Unit<'_>,
    chain: ChainId,
    of: (B256, TransferIndex),
) -> Result<(), StoreError> {
    let Some(executed) = store::authorization::by_transfer(unit.database, chain, of)? else {
        return Ok(());
    };
    store::authorization::delete_transfers(unit.database, executed.id)?;
    set_status(unit, &executed, Status::Failed)
}

/// Records the end of the transaction of an authorization, with its network fee. A reorganisation can bring another end.
pub(super) fn ended(unit: &mut Unit<'_>, outgoing: &Outgoing) -> Result<(), StoreError> {
    // The payer has signed again since.
    let Some(before) = store::authorization::of_transaction(unit.database, outgoing.id)? else {
        return Ok(());
    };
    let status = match store::authorization::has_transfer(unit.database, before.id)? {
        true => Status::Executed,
        false => Status::Failed,
    };
    if outgoing.status == OutgoingStatus::Settled
        && outgoing.succeeded == Some(true)
        && status == Status::Failed
    {
        unit.failures.push(format!(
            "transaction {} on chain {} succeeded, and the transfer that it was to execute is not there",
            outgoing.hash.unwrap_or_default(),
            outgoing.chain
        ));
    }
    let fee = outgoing.fee.unwrap_or(0);
    payer_fee::set_fee(unit, Authorized { status, ..before }, fee)
}

/// Records an accepted authorization, a new one or one that is signed again, and reserves its network fee in the limit of the
/// day. Returns its id.
pub(crate) fn accept(unit: &mut Unit<'_>, authorized: &Authorized) -> Result<i64, StoreError> {
    let id = match authorized.id {
        0 => store::authorization::insert(unit.database, authorized, unit.now)?,
        id => {
            store::authorization::renew(unit.database, authorized, unit.now)?;
            id
        }
    };
    if let Some(transaction) = authorized.transaction {
        let of = (authorized.organisation, authorized.payment);
        store::payer_transaction::insert(unit.database, transaction, of)?;
    }
    if authorized.network_fee != 0 {
        let day = payer_fee::fee_day(unit.now, (authorized.chain, authorized.organisation));
        store::payer_fees::add(unit.database, day, authorized.network_fee)?;
    }
    Ok(id)
}
