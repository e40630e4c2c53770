//! The result of an HTTP request to an outside party.

use std::fmt;
use std::time::Duration;

/// Why there is no whole answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WebError {
    /// There is no connection, or it broke off.
    Unreachable,
    /// There is no answer in time.
    TimedOut,
    /// The answer is larger than any real one.
    TooLarge,
}

impl fmt::Display for WebError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unreachable => "no connection",
            Self::TimedOut => "no answer in time",
            Self::TooLarge => "the answer is too large",
        })
    }
}

impl std::error::Error for WebError {}

/// The result of an HTTP request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WebAnswer {
    /// An answer, of any status.
    Answer {
        /// The status.
        status: u16,
        /// The body.
        body: Vec<u8>,
        /// The pause that the other side asked for.
        retry_after: Option<Duration>,
    },
    /// No answer.
    Failed(WebError),
}
