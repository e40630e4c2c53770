//! Proves by a signature that a wallet is the merchant's.

use settlekit_core::account::{Account, ProveOwnership};
use settlekit_core::error::Reason;
use settlekit_core::event::EventAction;

use super::ownership::claim;
use super::record_event;
use crate::unit::{Outcome, Received, Refusal, Unit};
use crate::{eip191, store};

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
