//! Passwords in three steps: what one is compared with is read, the slow hash is computed, the writer uses the result.
//!
//! The middle step needs no database, so a host computes it away from its connections.

use std::time::Duration;

use crate::random::{Random, Seed};
use crate::secret::{check_password, hash_password};

/// A hash to compute before the writer's turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PasswordTask {
    pub(crate) work: Work,
    /// Whether it comes from a device on which the account has signed in before.
    pub(crate) is_known_device: bool,
    /// Where a failed attempt counts.
    pub(crate) bucket: Option<[u8; 32]>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Work {
    /// The operation is refused whatever the password is.
    None,
    /// There were too many failed attempts.
    Blocked {
        /// How long no password is looked at.
        wait: Duration,
    },
    /// A password to compare with a stored hash; no hash for an unknown account, which takes as long.
    Check {
        password: String,
        hash: Option<String>,
    },
    /// A new password to store.
    Hash { password: String },
}

/// What was computed before the writer's turn.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Prepared {
    /// Whether the password in the request is the right one, once compared.
    pub(crate) password_fits: Option<bool>,
    /// The hash it was compared with.
    pub(crate) compared_with: Option<String>,
    /// What is to be stored of the new password in the request.
    pub(crate) password_hash: Option<String>,
    /// How long no password of this account is looked at.
    pub(crate) blocked: Option<Duration>,
    /// Where a failed attempt counts.
    pub(crate) bucket: Option<[u8; 32]>,
}

impl Prepared {
    /// Whether the operation is refused without a write: there were too many failed attempts.
    pub const fn is_blocked(&self) -> bool {
        self.blocked.is_some()
    }
}

impl PasswordTask {
    /// Nothing to compute.
    pub(crate) const fn none() -> Self {
        Self {
            work: Work::None,
            is_known_device: false,
            bucket: None,
        }
    }

    /// A new password to hash.
    pub(crate) fn hash(password: &str) -> Self {
        Self {
            work: Work::Hash {
                password: password.to_owned(),
            },
            // Choosing a password can wait; signing in on one's own device must not wait for it.
            is_known_device: false,
            bucket: None,
        }
    }

    /// Whether there is a hash to compute.
    pub const fn is_slow(&self) -> bool {
        matches!(self.work, Work::Check { .. } | Work::Hash { .. })
    }

    /// Whether it comes from a device on which the account has signed in before: it goes before the attempts of strangers.
    pub const fn is_known_device(&self) -> bool {
        self.is_known_device
    }

    /// Computes the hash. Slow on purpose.
    pub fn run(self, seed: Seed) -> Prepared {
        match self.work {
            Work::None => Prepared::default(),
            Work::Blocked { wait } => Prepared {
                blocked: Some(wait),
                ..Prepared::default()
            },
            Work::Check { password, hash } => Prepared {
                password_fits: Some(check_password(&password, hash.as_deref())),
                compared_with: hash,
                bucket: self.bucket,
                ..Prepared::default()
            },
            Work::Hash { password } => Prepared {
                password_hash: Some(hash_password(&password, &mut Random::beside(seed))),
                ..Prepared::default()
            },
        }
    }
}
