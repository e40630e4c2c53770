//! `PATCH /orgs/signing-secret`.

use super::SigningSecret;
use crate::field::body;
use crate::operation::{Auth, Scope, operation};
use crate::validate::Validate;

body! {
    /// Options of a rotation.
    RotateSigningSecretBody {
        /// Revokes the previous secrets immediately, e.g. after a leak; otherwise they stay valid for 24 hours.
        revoke_old: Option<bool>,
    }
}

impl Validate for RotateSigningSecretBody {}

operation! {
    /// Rotates the signing secret and returns the new one.
    /// The previous secret stays valid for 24 hours unless revoked.
    RotateSigningSecret in "organisation": PATCH "/orgs/signing-secret",
    body: RotateSigningSecretBody,
    response: SigningSecret,
    AUTH: Auth::Signed,
    SCOPE: Scope::Manage,
    STEP_UP: true,
}
