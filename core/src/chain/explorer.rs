//! Links to a block explorer, by the paths of EIP-3091.

use std::fmt;
use std::str::FromStr;

use crate::web_address::{self, Scheme};

/// The base URL of a block explorer, such as `https://basescan.org`.
///
/// Explorers show a transaction at `/tx/{hash}` and an address at `/address/{address}` below it (EIP-3091).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExplorerUrl(String);

/// Why a text is not the base URL of an explorer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExplorerUrlError {
    /// It is no absolute https URL, or has a user name or a fragment.
    Malformed,
    /// It has a query, which paths cannot be appended to.
    Query,
}

impl fmt::Display for ExplorerUrlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Malformed => "must be an https URL without user name or fragment",
            Self::Query => "must have no query: paths are appended to it",
        })
    }
}

impl std::error::Error for ExplorerUrlError {}

impl FromStr for ExplorerUrl {
    type Err = ExplorerUrlError;

    fn from_str(text: &str) -> Result<Self, ExplorerUrlError> {
        if web_address::error(text, Scheme::Https).is_some() {
            return Err(ExplorerUrlError::Malformed);
        }
        if text.contains('?') {
            return Err(ExplorerUrlError::Query);
        }
        Ok(Self(text.trim_end_matches('/').to_owned()))
    }
}

impl fmt::Display for ExplorerUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl ExplorerUrl {
    /// The page of a transaction; none if the hash could change the path.
    pub fn transaction(&self, hash: &str) -> Option<String> {
        self.page("tx", hash)
    }

    /// The page of an address; none if the address could change the path.
    pub fn address(&self, address: &str) -> Option<String> {
        self.page("address", address)
    }

    fn page(&self, kind: &str, id: &str) -> Option<String> {
        let is_plain = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric());
        is_plain.then(|| format!("{}/{kind}/{id}", self.0))
    }
}
