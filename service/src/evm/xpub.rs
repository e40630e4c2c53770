//! Addresses of extended public keys.

use alloy_primitives::Address;
use bip32::{ChildNumber, XPub};
use settlekit_core::value::ExtendedPublicKey;

use super::key::address_of;

/// The address number `index` of a key; `None` for a key that is no point of the curve, and for the few indexes in 2^127 that have no
/// key.
pub(crate) fn address(xpub: &ExtendedPublicKey, index: u32) -> Option<Address> {
    let mut key: XPub = xpub.as_str().parse().ok()?;
    for step in xpub.path(index) {
        key = key.derive_child(ChildNumber::new(step, false).ok()?).ok()?;
    }
    Some(address_of(key.public_key()))
}

#[cfg(test)]
mod tests {
    use bip32::{DerivationPath, Prefix, XPrv};

    use super::address;
    use crate::evm::key::{Key, Words};

    /// The words that development nodes use for their accounts.
    const KNOWN: &str = "test test test test test test test test test test test junk";

    #[test]
    fn the_addresses_of_a_public_key_are_those_of_the_private_one() {
        let seed = Words::parse(KNOWN).expect("the words are valid").seed();
        for path in ["m/44'/60'/0'", "m/44'/60'/0'/0"] {
            let path: DerivationPath = path.parse().expect("a path");
            let private = XPrv::derive_from_path(&seed, &path).expect("a key");
            let public = private.public_key().to_string(Prefix::XPUB);
            let public = public.parse().expect("an extended public key");
            for index in [0, 1, 7, 1_000_000] {
                let key = Key::derive(&seed, index).expect("the index has a key");
                assert_eq!(address(&public, index), Some(key.address()), "{index}");
            }
        }
    }
}
