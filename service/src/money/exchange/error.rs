//! Why an exchange did not do what it was asked.

use std::fmt;

use crate::money::web_answer::WebError;

/// Why an exchange did not do what it was asked: nothing of the answer's own text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExchangeError {
    /// There is no whole answer.
    Web(WebError),
    /// The answer has another status than 200.
    Status(u16),
    /// The answer is not of the exchange's format.
    Malformed,
    /// The exchange asks for fewer requests.
    RateLimited,
    /// The exchange does not know the API key.
    KeyUnknown,
    /// The private key does not belong to the API key.
    SignatureWrong,
    /// The nonce is not higher than all before.
    NonceUsed,
    /// The API key may not do this.
    PermissionMissing,
    /// The exchange does not serve now.
    Unavailable,
    /// The stored credentials cannot be unsealed.
    CredentialsDamaged,
    /// Another refusal.
    Refused,
}

impl fmt::Display for ExchangeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Web(error) => return error.fmt(f),
            Self::Status(status) => return write!(f, "HTTP status {status}"),
            Self::Malformed => "the answer is malformed",
            Self::RateLimited => "too many requests",
            Self::KeyUnknown => "the exchange does not know the API key",
            Self::SignatureWrong => "the private key does not belong to the API key",
            Self::NonceUsed => {
                "a request with this API key had a higher nonce: another program uses the key, or a clock was ahead. Create an API key for this service alone"
            }
            Self::PermissionMissing => "the API key lacks the permission Query Funds",
            Self::Unavailable => "the exchange is temporarily unavailable",
            Self::CredentialsDamaged => {
                "the stored credentials cannot be unsealed: connect the account again"
            }
            Self::Refused => "the exchange refused the request",
        })
    }
}

impl std::error::Error for ExchangeError {}
