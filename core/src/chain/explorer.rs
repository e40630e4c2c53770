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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_explorer_has_a_page_for_each_transaction_and_address() {
        let explorer: ExplorerUrl = "https://basescan.org/".parse().expect("a URL");
        assert_eq!(
            explorer.transaction("0xab12").as_deref(),
            Some("https://basescan.org/tx/0xab12")
        );
        assert_eq!(
            explorer.address("0x5aAe").as_deref(),
            Some("https://basescan.org/address/0x5aAe")
        );
        for id in ["", "../login", "0x1?x", "a/b", "0x1#y", "0x 1"] {
            assert_eq!(explorer.transaction(id), None, "{id}");
        }
    }

    #[test]
    fn only_https_urls_without_user_name_query_and_fragment_are_explorers() {
        for text in [
            "",
            "basescan.org",
            "http://basescan.org",
            "javascript:alert(1)",
            "https://ada@basescan.org",
            "https://ada:pass@basescan.org",
            "https://basescan.org/#/tx",
            "https://",
        ] {
            let parsed = text.parse::<ExplorerUrl>();
            assert_eq!(parsed, Err(ExplorerUrlError::Malformed), "{text}");
        }
        let query = "https://basescan.org/?key=1".parse::<ExplorerUrl>();
        assert_eq!(query, Err(ExplorerUrlError::Query));
        assert!("https://scan.example/base".parse::<ExplorerUrl>().is_ok());
    }
}
