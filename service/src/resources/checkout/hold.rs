//! Limits on what one network may hold of a limited link without paying.
//!
//! A checkout is anonymous and holds a piece for as long as its price holds. Without a limit, a handful of requests every
//! half hour keeps a link sold out for ever.

use std::time::Duration;

use hmac::{Hmac, KeyInit, Mac};
use http::header::RETRY_AFTER;
use settlekit_core::error::Reason;
use settlekit_core::value::{OrganisationId, PaylinkId, PaymentId};
use sha2::Sha256;

use crate::store;
use crate::store::sql::StoreError;
use crate::unit::Unit;
use crate::unit::refusal::{Outcome, Refusal};

/// How long an unpaid checkout counts against its network.
const WINDOW: Duration = Duration::from_secs(24 * 60 * 60);

/// How many unpaid checkouts a network may begin of a link within the window, at least.
const UNPAID_MAX: i64 = 3;

/// Of a large stock, one in so many: an office of buyers shares one address.
const SHARE_OF_STOCK: i64 = 20;

/// The network of a checkout, as it is stored: nothing tells the address without the master key.
pub(super) struct Network([u8; 16]);

impl Network {
    /// None where the host does not say where requests come from: within one process.
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

/// Refuses a checkout where its network has begun too many of the link without paying. `stock` is what is available or held.
pub(super) fn refuse_hoarding(
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

/// Forgets the networks of checkouts that count no more.
pub(crate) fn forget_holds(unit: &mut Unit<'_>) -> Result<(), StoreError> {
    let since = unit.now.minus(WINDOW);
    store::checkout_hold::forget(unit.database, since)
}

/// Notes that a network holds one of the link.
pub(super) fn note(
    unit: &mut Unit<'_>,
    link: (OrganisationId, PaylinkId),
    payment: PaymentId,
    network: &Network,
) -> Result<(), StoreError> {
    store::checkout_hold::insert(unit.database, link, payment, &network.0, unit.now)
}
