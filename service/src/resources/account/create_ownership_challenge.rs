//! Creates the text that the owner of a wallet signs.

use std::time::Duration;

use settlekit_core::account::{CreateOwnershipChallenge, OwnershipChallenge};

use super::ownership::claim;
use crate::store;
use crate::store::ownership::Challenge;
use crate::unit::{Outcome, Received, Refusal, Unit};

/// The validity of a challenge: time enough to fetch a hardware wallet.
const VALIDITY: Duration = Duration::from_secs(15 * 60);

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
