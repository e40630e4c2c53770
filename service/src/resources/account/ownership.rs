//! Proof of ownership: a merchant's own wallet is watched only, until its signature proves the ownership.

use settlekit_core::account::Account;
use settlekit_core::error::Reason;
use settlekit_core::value::address::Family;
use settlekit_core::value::{AccountKey, ChainId, OrganisationId, WalletAddress};

use super::named::lock_one;
use crate::store::sql::StoreError;
use crate::unit::{Outcome, Refusal, Unit};

/// A locked account whose wallet can be proven, with the wallet.
pub(super) struct Claim {
    pub(super) account: Account,
    pub(super) address: WalletAddress,
    pub(super) chain: ChainId,
}

/// Reads and locks an account's claim; refused if there is nothing to prove or no way to prove it.
pub(super) fn claim(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    key: &AccountKey,
) -> Outcome<Claim> {
    let account = lock_one(unit, organisation, key)?;
    let forbids = |message: &str| Err(Refusal::state_forbids(message));
    if account.is_held() {
        return forbids("the service holds the keys of this account: no proof is needed");
    }
    if account.ownership_proven_at.is_some() {
        return forbids("the wallet is already proven");
    }
    let address = account
        .address
        .as_deref()
        .and_then(|text| text.parse().ok());
    let (Some(address), Some(chain)) = (address, account.chain_id) else {
        return Err(StoreError::Damaged("an own wallet has no address".into()).into());
    };
    let address: WalletAddress = address;
    if address.family() != Family::Evm {
        return Err(Refusal::because(
            Reason::NotSupported,
            "only wallets on EVM chains can be proven, with personal_sign",
        ));
    }
    Ok(Claim {
        account,
        address,
        chain,
    })
}
