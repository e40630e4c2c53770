//! Passwords in three steps: read the stored hash, compute the slow hash, use the result on the writer.
//!
//! The second step needs no database, so a host runs it outside its connections.

use std::time::Duration;

use crate::random::{Random, Seed};
use crate::secret::{check_password, hash_password};

/// A password hash to compute before the writer's turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PasswordTask {
    pub(crate) work: HashTask,
    /// The request comes from a device on which the account has signed in before.
    pub(crate) is_known_device: bool,
    /// The bucket that counts a failed attempt.
    pub(crate) bucket: Option<[u8; 32]>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum HashTask {
    /// The operation is refused with any password.
    None,
    /// Too many failed attempts.
    Blocked {
        /// No password is checked for this long.
        wait: Duration,
    },
    /// A password to compare with the stored hash; `None` for an unknown account, which takes as long.
    Check {
        password: String,
        hash: Option<String>,
    },
    /// A new password to store.
    Hash { password: String },
}

/// The result of a [`PasswordTask`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Prepared {
    /// Whether the request's password is right, if it was compared.
    pub(crate) password_fits: Option<bool>,
    /// The hash it was compared with.
    pub(crate) compared_with: Option<String>,
    /// The hash of the request's new password, to be stored.
    pub(crate) password_hash: Option<String>,
    /// No password of this account is checked for this long.
    pub(crate) blocked: Option<Duration>,
    /// The bucket that counts a failed attempt.
    pub(crate) bucket: Option<[u8; 32]>,
}

impl Prepared {
    /// Whether too many failed attempts refuse the operation, without a write.
    pub const fn is_blocked(&self) -> bool {
        self.blocked.is_some()
    }
}

impl PasswordTask {
    pub(crate) const fn none() -> Self {
        Self {
            work: HashTask::None,
            is_known_device: false,
            bucket: None,
        }
    }

    pub(crate) fn hash(password: &str) -> Self {
        Self {
            work: HashTask::Hash {
                password: password.to_owned(),
            },
            // Changing a password can wait behind sign-ins from known devices.
            is_known_device: false,
            bucket: None,
        }
    }

    /// Whether there is a hash to compute.
    pub const fn is_slow(&self) -> bool {
        matches!(self.work, HashTask::Check { .. } | HashTask::Hash { .. })
    }

    /// Whether the request comes from a device on which the account has signed in before; it has priority over unknown devices.
    pub const fn is_known_device(&self) -> bool {
        self.is_known_device
    }

    /// Computes the hash. Slow by design.
    pub fn run(self, seed: Seed) -> Prepared {
        match self.work {
            HashTask::None => Prepared::default(),
            HashTask::Blocked { wait } => Prepared {
                blocked: Some(wait),
                ..Prepared::default()
            },
            HashTask::Check { password, hash } => Prepared {
                password_fits: Some(check_password(&password, hash.as_deref())),
                compared_with: hash,
                bucket: self.bucket,
                ..Prepared::default()
            },
            HashTask::Hash { password } => Prepared {
                password_hash: Some(hash_password(&password, &mut Random::second_stream(seed))),
                ..Prepared::default()
            },
        }
    }
}
