//! Limits the stock of a paylink that one network may hold unpaid.
//!
//! A checkout is anonymous and holds one unit while its price is valid. Without a limit, a few requests every half hour keep a
//! paylink sold out.

use std::time::Duration;

use hmac::{Hmac, KeyInit, Mac};
use http::header::RETRY_AFTER;
use settlekit_core::error::Reason;
use settlekit_core::value::{OrganisationId, PaylinkId};
use sha2::Sha256;

use crate::store;
use crate::store::sql::StoreError;
use crate::unit::{Outcome, Refusal, Unit};

/// How long an unpaid checkout counts against its network.
const WINDOW: Duration = Duration::from_secs(24 * 60 * 60);

/// Minimum of unpaid checkouts per network and paylink within the window.
const UNPAID_MAX: i64 = 3;

/// For a large stock the limit is one in this many: an office shares one address.
const SHARE_OF_STOCK: i64 = 20;

/// A network, as an HMAC under the master key, which hides the address.
pub(super) struct Network(pub(super) [u8; 16]);

impl Network {
    /// `None` if the host gives no network, as in-process hosts do.
    pub(super) fn of(unit: &Unit<'_>) -> Option<Self> {
        let network = unit.network.as_ref()?;
        let key = unit.options().master_key;
        let mut mac = Hmac::<Sha256>::new_from_slice(&key).ok()?;
        mac.update(b"checkout network\n");
        mac.update(network.0.as_bytes());
        let digest: [u8; 32] = mac.finalize().into_bytes().into();
        digest.first_chunk().copied().map(Self)
    }
}

/// Refuses a checkout if its network has too many unpaid ones of the paylink. `stock` is the available plus the held quantity.
pub(super) fn limit_unpaid_checkouts(
    unit: &mut Unit<'_>,
    link: (OrganisationId, PaylinkId),
    network: &Network,
    stock: i64,
) -> Outcome<()> {
    let since = unit.now.minus(WINDOW);
    let unpaid = store::checkout_hold::unpaid(unit.database, link, &network.0, since)?;
    let most = (stock / SHARE_OF_STOCK).max(UNPAID_MAX);
    if unpaid.count < most {
        return Ok(());
    }
    let free_at = unpaid.oldest.unwrap_or(unit.now).plus(WINDOW);
    let wait = free_at.since(unit.now).as_secs().max(1);
    unit.headers.push((RETRY_AFTER, wait.to_string()));
    Err(Refusal::because(
        Reason::TooManyCheckouts,
        format!(
            "{most} checkouts of this link were begun from your network in the last 24 hours and not paid: pay one of them, \
             or try again later"
        ),
    ))
}

/// Deletes expired holds.
pub(crate) fn forget_holds(unit: &mut Unit<'_>) -> Result<(), StoreError> {
    let since = unit.now.minus(WINDOW);
    store::checkout_hold::forget(unit.database, since)
}
