//! Outgoing money: who may name a destination, and which accounts may send.
//!
//! Money leaves the service only to a [`Destination`]: payouts, refunds, shares of deposits, the surplus of automations and
//! bought assets. A caller who names a destination needs the scope `payout`, and a signature (API key) or a step-up (session).
//! The account of the merchant's own wallet cannot be named as a destination by its id or reference, and nothing is sent from it.

use alloy_primitives::Address;
use settlekit_core::account::{Account, DepositSplit};
use settlekit_core::error::Reason;
use settlekit_core::value::{ChainId, WalletAddress};

use crate::evm::proxy::FACTORY;
use crate::store;
use crate::store::automation::Action;
use crate::store::destination::Destination;
use crate::unit::caller::Caller;
use crate::unit::{Outcome, Refusal, Unit};

impl Destination {
    /// A destination named by a caller.
    pub(crate) fn named_by(caller: &Caller, address: &WalletAddress) -> Outcome<Self> {
        caller.need_to_send_out()?;
        Ok(Self::recorded(address.to_string()))
    }
}

/// Refuses an address that cannot be a wallet of the merchant's: one of the service, or a token's contract.
pub(crate) fn check_own_wallet(
    unit: &mut Unit<'_>,
    chain: ChainId,
    field: &'static str,
    address: &str,
) -> Outcome<()> {
    let Ok(parsed) = address.parse::<Address>() else {
        return Ok(());
    };
    check_destination(unit, chain, Some(field), address)?;
    if store::proxy::proxies_among(unit.database, &[parsed])?.is_empty()
        && store::derived_address::find(unit.database, parsed)?.is_none()
    {
        return Ok(());
    }
    let message = "is an address of this service, not a wallet of yours";
    Err(Refusal::field(field, Reason::NotSupported, message))
}

/// Refuses a destination whose money nobody could use: the service's own wallets and contracts, and contracts of tokens.
pub(crate) fn check_destination(
    unit: &mut Unit<'_>,
    chain: ChainId,
    field: Option<&'static str>,
    address: &str,
) -> Outcome<()> {
    let Ok(address) = address.parse::<Address>() else {
        return Ok(());
    };
    if address == FACTORY || store::wallet::find(unit.database, address)?.is_some() {
        return Err(Refusal::of(
            field,
            Reason::NotSupported,
            "belongs to this service itself: money sent there would be lost",
        ));
    }
    if address == Address::ZERO {
        let message = "belongs to nobody: money sent there would be lost";
        return Err(Refusal::of(field, Reason::NotSupported, message));
    }
    for asset in store::chain::assets(unit.database, chain)? {
        let contract = asset.token_address.as_deref();
        if contract.and_then(|contract| contract.parse().ok()) == Some(address) {
            return Err(Refusal::of(
                field,
                Reason::NotSupported,
                format!(
                    "is the contract of {}: money sent there would be lost",
                    asset.symbol
                ),
            ));
        }
    }
    Ok(())
}

/// The deposit shares set by a caller. Existing shares of an external wallet may stay, up to their number; new ones are money
/// sent out, and so are shares of an account that pays out automatically.
pub(crate) fn splits_set_by(
    unit: &mut Unit<'_>,
    caller: &Caller,
    after: Option<Vec<DepositSplit>>,
    before: Option<&[DepositSplit]>,
) -> Outcome<Option<Vec<DepositSplit>>> {
    let (set, before) = (
        after.as_deref().unwrap_or_default(),
        before.unwrap_or_default(),
    );
    let times = |split, splits: &[DepositSplit]| splits.iter().filter(|one| *one == split).count();
    for split in set {
        if times(split, set) <= times(split, before) {
            continue;
        }
        if split.address.is_some() {
            caller.need_to_send_out()?;
        }
        for target in targets(unit, caller, split)? {
            check_receiver(unit, caller, &target)?;
        }
    }
    Ok(after)
}

/// The accounts named by a share, by id or reference.
fn targets(unit: &mut Unit<'_>, caller: &Caller, split: &DepositSplit) -> Outcome<Vec<Account>> {
    let organisation = caller.organisation;
    let mut found = Vec::new();
    if let Some(id) = split.account_id {
        found.extend(store::account::LISTING.find(unit.database, organisation, id)?);
    }
    if let Some(Ok(reference)) = split.account_ref.as_ref().map(|text| text.parse()) {
        found.extend(store::account::by_reference(
            unit.database,
            organisation,
            &reference,
        )?);
    }
    Ok(found)
}

/// Refuses to direct money to an account that pays out automatically, or to its sub-account, unless the caller may send money
/// out.
pub(crate) fn check_receiver(
    unit: &mut Unit<'_>,
    caller: &Caller,
    account: &Account,
) -> Outcome<()> {
    check_addition(unit, caller, account)?;
    let Some(parent) = account.parent_id else {
        return Ok(());
    };
    match store::account::LISTING.find(unit.database, account.org_id, parent)? {
        Some(parent) => check_addition(unit, caller, &parent),
        None => Ok(()),
    }
}

/// Refuses to add a sub-account to an account that pays out automatically, by deposit shares or an automation, unless the caller
/// may send money out: deposits to the sub-account are paid out too.
pub(crate) fn check_addition(
    unit: &mut Unit<'_>,
    caller: &Caller,
    parent: &Account,
) -> Outcome<()> {
    let mut splits = parent.deposit_splits.iter().flatten();
    let pays_out = splits.any(|split| split.address.is_some())
        || store::automation::rules(unit.database, parent.org_id, parent.id)?
            .iter()
            .any(|(_, rule)| matches!(rule.action, Action::PayOut { .. }));
    if pays_out {
        caller.need_to_send_out()?;
    }
    Ok(())
}

/// Refuses an account whose wallet the service does not hold, naming the field if given.
pub(crate) fn need_held(account: &Account, field: Option<&'static str>) -> Outcome<()> {
    if account.is_held() {
        return Ok(());
    }
    let message = format!(
        "account {} is a wallet of your own: the service does not hold its keys and can neither send from it nor book money on it",
        account.id
    );
    Err(Refusal::of(field, Reason::WalletNotHeld, message))
}

/// Refuses the account of an unproven wallet as the receiver of payments.
pub(crate) fn need_receiver(account: &Account, field: &'static str) -> Outcome<()> {
    if account.may_receive() {
        return Ok(());
    }
    Err(Refusal::field(
        field,
        Reason::OwnershipUnproven,
        format!(
            "account {} only watches its wallet: prove by a signature that it is yours before payments are sent there",
            account.id
        ),
    ))
}
