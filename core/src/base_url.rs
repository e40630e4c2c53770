//! The base URL of a service, as clients are configured with it.

use std::fmt;

use crate::PREFIX;

/// Why a text is not a base URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BaseUrlError {
    /// It has a character outside ASCII.
    NotAscii,
    /// It has a query.
    Query,
    /// It has a fragment.
    Fragment,
}

impl fmt::Display for BaseUrlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotAscii => {
                "the base URL must be ASCII: write a host name in Punycode (xn--…), and percent-encode a path"
            }
            Self::Query => "the base URL must not have a query",
            Self::Fragment => "the base URL must not have a fragment",
        })
    }
}

impl std::error::Error for BaseUrlError {}

/// The base URL without the version prefix: `https://pay.example/v1/` is `https://pay.example`.
///
/// Paths of operations are appended to it, so a query or a fragment would contain them.
///
/// # Errors
/// It has a query, a fragment or a character outside ASCII. Nothing else is validated.
pub fn parse(text: &str) -> Result<&str, BaseUrlError> {
    if !text.is_ascii() {
        return Err(BaseUrlError::NotAscii);
    }
    // A question mark after a number sign belongs to the fragment.
    match text.find(['?', '#']) {
        Some(at) if text[at..].starts_with('?') => Err(BaseUrlError::Query),
        Some(_) => Err(BaseUrlError::Fragment),
        None => {
            let base = text.trim_end_matches('/');
            Ok(base.strip_suffix(PREFIX).unwrap_or(base))
        }
    }
}
