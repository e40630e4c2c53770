//! The merchant's own wallet of a new account, by address or extended public key. It is watched only, until a signature proves it.

use std::collections::BTreeSet;

use settlekit_core::account::Account;
use settlekit_core::error::Reason;
use settlekit_core::value::address::Family;
use settlekit_core::value::{ChainId, Currency, ExtendedPublicKey, WalletAddress};

use super::circle::would_return;
use crate::chains::{HAS_REAL_CHAINS, opening, superseded};
use crate::evm::xpub;
use crate::money::connection::Connection;
use crate::money::outflow::check_own_wallet;
use crate::resources::chain;
use crate::store;
use crate::store::account::Address;
use crate::store::chain::StoredChain;
use crate::store::sql::StoreError;
use crate::unit::{Outcome, Refusal, Unit};

/// The merchant's own wallet, and the field that gives it.
pub(super) struct OwnWallet {
    pub(super) field: &'static str,
    pub(super) address: WalletAddress,
}

impl OwnWallet {
    /// The wallet that a request gives for a chain; `None` if the service is to hold the account's money.
    pub(super) fn given(
        unit: &mut Unit<'_>,
        known: &StoredChain,
        address: Option<&WalletAddress>,
        xpub: Option<&ExtendedPublicKey>,
    ) -> Outcome<Option<Self>> {
        let own = match (address, xpub) {
            (Some(address), _) => by_address(known, address)?,
            (None, Some(xpub)) => by_xpub(known, xpub)?,
            (None, None) => return Ok(None),
        };
        // Money on the merchant's own wallet stays there, and nothing pays it out.
        check_own_wallet(unit, known.chain.id, own.field, own.address.as_str())?;
        Ok(Some(own))
    }

    /// Refuses a wallet that the parent pays out to automatically, directly or through others: as a sub-account it would return
    /// the money.
    pub(super) fn refuse_destination(
        &self,
        unit: &mut Unit<'_>,
        parent: &Account,
        (chain, currencies): (ChainId, &[Currency]),
    ) -> Outcome<()> {
        let rules = store::automation::rules(unit.database, parent.org_id, parent.id)?;
        let of_rules = rules.iter().map(|(_, rule)| &rule.currency);
        let currencies: BTreeSet<Currency> = of_rules.chain(currencies).cloned().collect();
        let currencies = Vec::from_iter(currencies);
        if would_return(unit, parent, (chain, self.address.as_str()), &currencies)? {
            return Err(Refusal::field(
                self.field,
                Reason::Excluded,
                "must not be an account that its parent pays out to, directly or indirectly: the money would come back",
            ));
        }
        Ok(())
    }
}

fn by_address(known: &StoredChain, address: &WalletAddress) -> Outcome<OwnWallet> {
    const FIELD: &str = "address";
    chain::check_address(known, FIELD, address)?;
    Ok(OwnWallet {
        field: FIELD,
        address: address.clone(),
    })
}

fn by_xpub(known: &StoredChain, xpub: &ExtendedPublicKey) -> Outcome<OwnWallet> {
    const FIELD: &str = "xpub";
    if known.family != Family::Evm {
        let message = "can only be given for EVM chains";
        return Err(Refusal::not_supported(FIELD, message));
    }
    let address = xpub::address(xpub, 0).map(|address| address.to_string().parse());
    let Some(Ok(address)) = address else {
        let message = "is not a key of a wallet";
        return Err(Refusal::address_malformed(FIELD, message));
    };
    Ok(OwnWallet {
        field: FIELD,
        address,
    })
}

/// Assigns the address of a new account to it, and requests the balances of the merchant's own wallet.
pub(super) fn assign_address(
    unit: &mut Unit<'_>,
    connection: Connection,
    account: &Account,
    (chain, wallet): (ChainId, &str),
) -> Outcome<()> {
    let owner = Address {
        organisation: account.org_id,
        account: account.id,
        payment: None,
        // The account's own address is the first one of its key.
        index: account.xpub.as_ref().map(|_| 0),
    };
    let is_free = if account.is_held() {
        store::account::hold_address(unit.database, chain, wallet, &owner)?
    } else {
        store::account::watch_address(unit.database, chain, wallet, &owner)?
            || take_over(unit, connection, &owner, (chain, wallet))?
    };
    if !is_free {
        return Err(Refusal::already_exists(
            match account.xpub {
                Some(_) => "xpub",
                None => "address",
            },
            "already belongs to one of your accounts or payments, or to a deleted account with an open payout",
        ));
    }
    Ok(opening::request(unit, connection, account)?)
}

/// Moves the wallet of a deleted account to a new one; false if it cannot be moved. On a real chain its balance leaves the books of the
/// deleted account, because the opening balance books it on the new one.
fn take_over(
    unit: &mut Unit<'_>,
    connection: Connection,
    owner: &Address,
    (chain, wallet): (ChainId, &str),
) -> Result<bool, StoreError> {
    let organisation = owner.organisation;
    if !HAS_REAL_CHAINS || !matches!(connection, Connection::Evm(_)) {
        return store::account::take_over_address(unit.database, chain, wallet, owner);
    }
    let at = (chain, wallet);
    let Some(before) = store::account::account_of_address(unit.database, organisation, at)? else {
        return Ok(false);
    };
    if !store::account::take_over_address(unit.database, chain, wallet, owner)? {
        return Ok(false);
    }
    let before = store::account::LISTING.find(unit.database, organisation, before)?;
    let before =
        before.ok_or_else(|| StoreError::Damaged("an address has no account".to_owned()))?;
    superseded::release(unit, &before, at)?;
    Ok(true)
}
