//! `PATCH /orgs/webhook-secret`.

use std::time::Duration;

use super::Organisation;
use crate::field::body;
use crate::operation::{Scope, operation};
use crate::validate::Validate;

/// Overlap after a rotation: the previous webhook key still signs, the previous signing secret is still accepted.
pub const ROTATION_OVERLAP: Duration = Duration::from_secs(24 * 60 * 60);

body! {
    /// Options of a rotation.
    RotateWebhookKeyBody {
        /// Revokes the previous keys immediately, e.g. after a leak; otherwise they also sign for 24 hours.
        revoke_old: Option<bool>,
    }
}

impl Validate for RotateWebhookKeyBody {}

operation! {
    /// Rotates the webhook signing key.
    /// The previous key also signs for 24 hours unless revoked.
    RotateWebhookKey in "organisation": PATCH "/orgs/webhook-secret",
    body: RotateWebhookKeyBody,
    response: Organisation,
    SCOPE: Scope::Manage,
    STEP_UP: true,
}
