//! Proof of ownership: a merchant's own wallet is watched only, until its signature proves the ownership.

use std::time::Duration;

use settlekit_core::account::{
    Account, CreateOwnershipChallenge, OwnershipChallenge, ProveOwnership,
};
use settlekit_core::error::Reason;
use settlekit_core::event::EventAction;
use settlekit_core::value::address::Family;
use settlekit_core::value::{AccountKey, ChainId, OrganisationId, WalletAddress};

use super::named::lock_one;
use super::record_event;
use crate::store::ownership::Challenge;
use crate::store::sql::StoreError;
use crate::unit::{Outcome, Received, Refusal, Unit};
use crate::{eip191, store};

/// The validity of a challenge: time enough to fetch a hardware wallet.
const VALIDITY: Duration = Duration::from_secs(15 * 60);

/// A locked account whose wallet can be proven, with the wallet.
struct Claim {
    account: Account,
    address: WalletAddress,
    chain: ChainId,
}

/// Reads and locks an account's claim; refused if there is nothing to prove or no way to prove it.
fn claim(unit: &mut Unit<'_>, organisation: OrganisationId, key: &AccountKey) -> Outcome<Claim> {
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

pub(crate) fn create_ownership_challenge(
    unit: &mut Unit<'_>,
    call: Received<CreateOwnershipChallenge>,
) -> Outcome<OwnershipChallenge> {
    let organisation = call.caller.organisation;
    let claim = claim(unit, organisation, &call.path.account)?;
    let settings = store::organisation::find(unit.database, organisation)?
        .ok_or_else(|| Refusal::not_found("organisation"))?;
    // A name must not add lines to the message.
    let name: String = settings
        .name
        .chars()
        .map(|one| if one.is_control() { ' ' } else { one })
        .collect();
    let chain = claim.account.chain.as_ref().map_or("", |chain| &chain.name);
    let expires_at = unit.now.plus(VALIDITY);
    let message = format!(
        "Prove that this wallet belongs to {name}.\n\
         Signing moves no money and allows nobody to move any.\n\n\
         Service: {}\nOrganisation: {organisation}\nAccount: {}\nAddress: {}\nChain: {chain} ({})\n\
         Issued at: {}\nExpires at: {expires_at}\nNonce: {}",
        unit.options().public_url.trim_end_matches('/'),
        claim.account.id,
        claim.address,
        claim.chain,
        unit.now,
        hex::encode(unit.random.bytes::<16>()),
    );
    let challenge = Challenge {
        message,
        expires_at,
    };
    store::ownership::put(unit.database, (organisation, claim.account.id), &challenge)?;
    Ok(OwnershipChallenge {
        account_id: claim.account.id,
        address: claim.address.to_string(),
        chain_id: claim.chain,
        message: challenge.message,
        expires_at,
    })
}

pub(crate) fn prove_ownership(
    unit: &mut Unit<'_>,
    call: Received<ProveOwnership>,
) -> Outcome<Account> {
    let organisation = call.caller.organisation;
    // Payments then go to a wallet that the service does not hold, so this counts as money sent out.
    call.caller.need_to_send_out()?;
    let claim = claim(unit, organisation, &call.path.account)?;
    let owner = (organisation, claim.account.id);
    let challenge = store::ownership::find(unit.database, owner)?
        .filter(|challenge| challenge.expires_at > unit.now)
        .ok_or_else(|| {
            Refusal::because(
                Reason::ChallengeExpired,
                "there is no challenge to be signed, or it has expired: ask for one",
            )
        })?;
    let unproven =
        |message: String| Refusal::field("signature", Reason::OwnershipUnproven, message);
    let signer = eip191::signer(&challenge.message, &call.body.signature)
        .map_err(|error| unproven(error.describe().to_owned()))?;
    if !signer.eq_ignore_ascii_case(claim.address.as_str()) {
        return Err(unproven(format!(
            "is no signature of {} over the latest challenge: sign that message, as it is, with that wallet",
            claim.address
        )));
    }
    store::ownership::remove(unit.database, owner)?;
    let account = Account {
        ownership_proven_at: Some(unit.now),
        updated_at: unit.now,
        ..claim.account
    };
    store::account::update(unit.database, &account)?;
    Ok(record_event(unit, account, EventAction::Updated)?)
}
