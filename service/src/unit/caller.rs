//! The authenticated caller of a request, and its permissions.

use settlekit_core::error::Reason;
use settlekit_core::operation::Scope;
use settlekit_core::value::{ApiKeyId, OrganisationId, UserId};

use super::refusal::{Outcome, Refusal};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Caller {
    /// The organisation acted for: the caller's own or a sub-merchant.
    pub(crate) organisation: OrganisationId,
    /// The caller's own organisation.
    pub(crate) own: OrganisationId,
    /// The scopes of the key or the member.
    pub(crate) scopes: Vec<Scope>,
    /// Whether the request is signed (API key) or has a valid step-up (session).
    pub(crate) proven: bool,
    /// Whether the member operates the installation; never by an API key.
    pub(crate) operates_installation: bool,
    pub(crate) via: Via,
}

/// The means of authentication.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Via {
    Key {
        id: ApiKeyId,
        /// `last_used_at` needs an update.
        stale: bool,
    },
    /// A dashboard session.
    Session { user: UserId, token_hash: [u8; 32] },
}

impl Caller {
    /// The owner of idempotency keys and nonces, and the author named in changes.
    pub(crate) fn name(&self) -> String {
        match &self.via {
            Via::Key { id, .. } => id.to_string(),
            Via::Session { user, .. } => user.to_string(),
        }
    }

    /// Refuses a caller without a scope that the operation needs in addition to its own.
    pub(crate) fn need(&self, scope: Scope) -> Outcome<()> {
        if self.scopes.contains(&scope) {
            return Ok(());
        }
        let who = match self.via {
            Via::Key { .. } => "the API key",
            Via::Session { .. } => "the member's role",
        };
        Err(Refusal::because(
            Reason::ScopeMissing,
            format!("{who} lacks the scope {}", scope.as_str()),
        ))
    }

    /// Refuses a caller who does not operate the installation.
    pub(crate) fn need_installation_operator(&self) -> Outcome<()> {
        if self.operates_installation {
            return Ok(());
        }
        Err(Refusal::because(
            Reason::ScopeMissing,
            "the member does not operate the installation (`settlekit member operator`)",
        ))
    }

    /// Refuses a caller that could not create a payout: without its scope, or without a signature (key) or step-up (session).
    pub(crate) fn need_to_send_out(&self) -> Outcome<()> {
        self.need(Scope::Payout)?;
        if self.proven {
            return Ok(());
        }
        Err(match self.via {
            Via::Key { .. } => not_signed(),
            Via::Session { .. } => not_fresh(),
        })
    }

    /// Refuses a session without step-up an act with effects outside the service. Keys have no step-up.
    pub(crate) fn need_fresh_session(&self) -> Outcome<()> {
        match self.via {
            Via::Session { .. } if !self.proven => Err(not_fresh()),
            _ => Ok(()),
        }
    }

    /// The session's token hash.
    pub(crate) fn session(&self) -> Outcome<[u8; 32]> {
        match &self.via {
            Via::Session { token_hash, .. } => Ok(*token_hash),
            Via::Key { .. } => Err(Refusal::because(
                Reason::SessionInvalid,
                "this needs a session of the dashboard",
            )),
        }
    }
}

pub(crate) fn session_over() -> Refusal {
    Refusal::because(
        Reason::SessionInvalid,
        "the session has ended: sign in again",
    )
}

pub(crate) fn not_fresh() -> Refusal {
    Refusal::because(
        Reason::StepUpRequired,
        "the operation needs a fresh step-up token",
    )
}

pub(crate) fn not_signed() -> Refusal {
    Refusal::because(
        Reason::SignatureMissing,
        "the request must be signed: X-API-Nonce and X-API-Signature are missing",
    )
}
