//! Deposits that a node shows in its mempool, before a block has them: pending, and nothing is booked.
//!
//! One that no block brings fails when no node shows it any more, and after an hour at the latest. Mempool data is unverified, so
//! it changes nothing else.

use std::time::Duration;

use alloy_primitives::Address;
use settlekit_core::value::{ChainId, Currency};

use super::authorization;
use super::block::PendingTransfer;
use super::deposit::{self, Deposit};
use super::followed::Followed;
use super::holdings;
use crate::store;
use crate::store::authorization::Authorized;
use crate::store::sql::StoreError;
use crate::store::transaction::Seen;
use crate::store::transfer_index::TransferIndex;
use crate::unit::Unit;

/// A transfer that no node shows any more fails after this time.
pub(super) const UNSEEN_AFTER: Duration = Duration::from_secs(10 * 60);

/// The longest time that a transfer is pending without a block.
const PENDING_MAX: Duration = Duration::from_secs(60 * 60);

/// A transfer that is still shown is noted this often.
const NOTED_EVERY: Duration = Duration::from_secs(60);

/// Transfers per call.
const TRANSFERS_MAX: usize = 200;

/// Transfers without a block per chain. More are seen in their block: a node may invent any number.
const PENDING_COUNT_MAX: u32 = 1_000;

/// Records the transfers to watched addresses that a node shows now.
pub(crate) fn observe(
    unit: &mut Unit<'_>,
    chain: ChainId,
    transfers: &[PendingTransfer],
) -> Result<(), StoreError> {
    if !unit.options().mode.is_sandbox() {
        let connected = store::connection::lock(unit.database, chain)?;
        if connected.is_none_or(|connected| connected.paused) {
            return Ok(());
        }
    }
    let shown = &transfers[..transfers.len().min(TRANSFERS_MAX)];
    let senders: Vec<Address> = shown.iter().map(|transfer| transfer.from).collect();
    let followed = Followed::among(unit.database, chain, &senders)?;
    let assets = store::chain::assets(unit.database, chain)?;
    for transfer in shown {
        let token = transfer.token.map(|token| format!("{token:#x}"));
        let asset = assets.iter().find(|asset| {
            let address = asset.token_address.as_deref();
            address.map(str::to_ascii_lowercase) == token
        });
        let units = holdings::units(transfer.units).filter(|units| *units > 0);
        let (Some(asset), Some(units)) = (asset, units) else {
            continue;
        };
        // A transfer of the service itself may be gas money or a sweep: the block says which.
        if !followed.has(transfer.from) {
            record(unit, chain, transfer, (&asset.symbol, units), None)?;
        }
    }
    Ok(())
}

/// Records a transfer as pending for each organisation that has or watches the receiver, and for that of the authorization which it
/// executes.
pub(super) fn record(
    unit: &mut Unit<'_>,
    chain: ChainId,
    transfer: &PendingTransfer,
    (currency, units): (&Currency, i128),
    authorized: Option<&Authorized>,
) -> Result<(), StoreError> {
    let (from, to) = (transfer.from.to_string(), format!("{:#x}", transfer.to));
    let hash = format!("{:#x}", transfer.hash);
    let known = store::transaction::lock_transfers(unit.database, (chain, &hash), &to)?;
    let mut targets = store::account::by_address(unit.database, chain, currency, &to)?;
    if let Some(authorized) = authorized {
        authorization::assign(unit, &mut targets, authorized)?;
    }
    for target in targets {
        let organisation = target.account.org_id;
        let mut known = known.iter();
        if let Some(seen) = known.find(|seen| seen.organisation == organisation) {
            note(unit, seen)?;
            continue;
        }
        if store::transaction::count_shown(unit.database, chain, PENDING_COUNT_MAX)?
            >= PENDING_COUNT_MAX
        {
            return Ok(());
        }
        let deposit = Deposit {
            target,
            hash: &hash,
            // The block may say otherwise.
            transfer: TransferIndex::of_plain_transfer(transfer.token.is_some()),
            from: Some(&from),
            to: &to,
            currency,
            units,
            confirmations: 0,
            block: None,
        };
        deposit::record(unit, &deposit)?;
    }
    Ok(())
}

/// Notes that a transfer is still shown. One that failed, or is in a block, stays as it is.
fn note(unit: &mut Unit<'_>, seen: &Seen) -> Result<(), StoreError> {
    let is_due = deposit::is_shown_only(seen) && seen.updated_at <= unit.now.minus(NOTED_EVERY);
    if !is_due || seen.created_at <= unit.now.minus(PENDING_MAX) {
        return Ok(());
    }
    let noted = Seen {
        updated_at: unit.now,
        ..seen.clone()
    };
    store::transaction::update(unit.database, &noted)
}
