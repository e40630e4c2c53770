//! The URL of a public node.

use std::fmt;
use std::str::FromStr;

use crate::web_address::{self, Scheme};

/// The URL of a public node, for the wallets of payers (EIP-3085): never one with a key.
///
/// Wallets take https, and http of their own computer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicRpcUrl(String);

/// Why a text is not the URL of a node for wallets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PublicRpcUrlError;

impl fmt::Display for PublicRpcUrlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("must be an https URL without user name or fragment, or http://127.0.0.1")
    }
}

impl std::error::Error for PublicRpcUrlError {}

impl FromStr for PublicRpcUrl {
    type Err = PublicRpcUrlError;

    fn from_str(text: &str) -> Result<Self, PublicRpcUrlError> {
        let after_host = text.strip_prefix("http://127.0.0.1");
        let is_local =
            after_host.is_some_and(|rest| rest.is_empty() || rest.starts_with([':', '/']));
        let scheme = match is_local {
            true => Scheme::HttpOrHttps,
            false => Scheme::Https,
        };
        match web_address::error(text, scheme) {
            None => Ok(Self(text.to_owned())),
            Some(_) => Err(PublicRpcUrlError),
        }
    }
}

impl fmt::Display for PublicRpcUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::{PublicRpcUrl, PublicRpcUrlError};

    #[test]
    fn a_wallet_takes_https_and_its_own_computer() {
        for text in [
            "https://mainnet.base.org",
            "https://rpc.example/v1?chain=base",
            "http://127.0.0.1:8545",
            "http://127.0.0.1",
        ] {
            let parsed = text.parse::<PublicRpcUrl>();
            assert_eq!(parsed.map(|url| url.to_string()), Ok(text.to_owned()));
        }
        for text in [
            "http://rpc.example",
            "http://127.0.0.1.example",
            "http://127.0.0.1@rpc.example",
            "https://user@rpc.example",
            "wss://rpc.example",
            "javascript:alert(1)",
            "",
        ] {
            assert_eq!(
                text.parse::<PublicRpcUrl>(),
                Err(PublicRpcUrlError),
                "{text}"
            );
        }
    }
}
