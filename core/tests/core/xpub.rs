//! Extended public keys.

use settlekit_core::value::xpub::{ExtendedPublicKey, ExtendedPublicKeyError};

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
use crate::test;

/// The vectors of BIP 32, and a key of each depth from the words that development nodes use.
fn refused(text: &str) -> ExtendedPublicKeyError {
    text.parse::<ExtendedPublicKey>()
        .expect_err("the key is refused")
}

#[test]
fn private_keys_master_keys_and_mistyped_keys_are_told_apart() {
    let master = "xpub661MyMwAqRbcFtXgS5sYJABqqG9YLmC4Q1Rdap9gSE8NqtwybGhePY2gZ29ESFjqJoCu1Rupje8YtGqsefD265TMg7usUDFdp6W1EGMcet8";
    assert_eq!(refused(master), ExtendedPublicKeyError::Depth);
    let private = "xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi";
    assert_eq!(refused(private), ExtendedPublicKeyError::Private);
    let mistyped = master.replacen("MyMw", "MyMx", 1);
    assert_eq!(refused(&mistyped), ExtendedPublicKeyError::Malformed);
    for text in [
        "",
        "xpub",
        "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
        &"1".repeat(111),
    ] {
        assert_eq!(refused(text), ExtendedPublicKeyError::Malformed, "{text}");
    }
}
