//! The proven caller of a request, and what it may do.

use settlekit_core::error::Reason;
use settlekit_core::operation::Scope;
use settlekit_core::value::{ApiKeyId, OrganisationId, UserId};

use super::refusal::{Outcome, Refusal};

/// A proven caller.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Caller {
    /// The organisation acted for: the caller's own, or a sub-merchant of it.
    pub(crate) organisation: OrganisationId,
    /// The caller's own.
    pub(crate) own: OrganisationId,
    /// What the key or the member may do.
    pub(crate) scopes: Vec<Scope>,
    /// Whether this request is proven: signed (API key) or with a valid step-up (session).
    pub(crate) proven: bool,
    /// How it was proven.
    pub(crate) via: Via,
}

/// How a caller was proven.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Via {
    /// By API key.
    Key {
        id: ApiKeyId,
        /// Whether its use is worth noting again.
        stale: bool,
    },
    /// By the dashboard's session.
    Session { user: UserId, token_hash: [u8; 32] },
}

impl Caller {
    /// Whose idempotency keys and nonces these are, and who is named as the author of a change.
    pub(crate) fn name(&self) -> String {
        match &self.via {
            Via::Key { id, .. } => id.to_string(),
            Via::Session { user, .. } => user.to_string(),
        }
    }

    /// Refuses what needs a scope besides that of the operation.
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

    /// Refuses to send money out where a payout would be refused: without its scope, or without a proof of the request, which is a
    /// signature of a key and a fresh proof of a session.
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

    /// Refuses a session without a fresh proof what takes effect outside the service. A key has no password to ask for.
    pub(crate) fn need_fresh_session(&self) -> Outcome<()> {
        match self.via {
            Via::Session { .. } if !self.proven => Err(not_fresh()),
            _ => Ok(()),
        }
    }

    /// The session's token, hashed.
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

pub(crate) fn not_fresh() -> Refusal {
    Refusal::because(
        Reason::StepUpRequired,
        "this needs a fresh proof of who you are",
    )
}

pub(crate) fn not_signed() -> Refusal {
    Refusal::because(
        Reason::SignatureMissing,
        "the request must be signed: X-API-Nonce and X-API-Signature are missing",
    )
}
