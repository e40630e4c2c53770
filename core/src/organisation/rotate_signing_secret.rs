//! `PATCH /orgs/signing-secret`.

use super::SigningSecret;
use crate::field::body;
use crate::operation::{Auth, Scope, operation};
use crate::validate::{Report, Validate};

body! {
    /// How the old secrets end.
    RotateSigningSecretBody {
        /// Whether the secrets before the new one stop verifying at once, because one has leaked; otherwise they verify for 24 hours.
        revoke_old: Option<bool>,
    }
}

impl Validate for RotateSigningSecretBody {
    fn validate(&self, _: &mut Report) {}
}

operation! {
    /// Rotates the secret that signs requests and gives the new one; for 24 hours the old secret verifies too, unless it is revoked.
    RotateSigningSecret in "organisation": PATCH "/orgs/signing-secret",
    body: RotateSigningSecretBody,
    response: SigningSecret,
    AUTH: Auth::Signed,
    SCOPE: Scope::Manage,
    STEP_UP: true,
}
