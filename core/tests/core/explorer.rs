//! URLs of block explorers.

use settlekit_core::chain::{ExplorerUrl, ExplorerUrlError};

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
use crate::test;

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
