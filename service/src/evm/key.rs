//! Keys of hot wallets: BIP 39 words, BIP 32 derivation along the path of BIP 44.

use std::fmt;

use alloy_primitives::Address;
use bip32::{ChildNumber, DerivationPath, XPrv};
use bip39::{Language, Mnemonic};
use k256::ecdsa::{SigningKey, VerifyingKey};

/// The seed of BIP 32.
pub(crate) type Seed = [u8; 64];

/// The words of a seed (BIP 39, English, no passphrase).
pub struct Words(Mnemonic);

impl Words {
    /// 24 words from 32 random bytes.
    pub(crate) fn generate(entropy: &[u8; 32]) -> Self {
        let words = Mnemonic::from_entropy_in(Language::English, entropy);
        Self(words.expect("32 bytes are 24 words"))
    }

    /// Reads 12 to 24 words, in any case and with any white space between them.
    ///
    /// # Errors
    /// If a word is unknown, their number is wrong, or the checksum differs.
    pub fn parse(text: &str) -> Result<Self, String> {
        let words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
        Mnemonic::parse_in_normalized(Language::English, &words.join(" "))
            .map(Self)
            .map_err(|error| match error {
                bip39::Error::BadWordCount(count) => {
                    format!("a seed has 12, 15, 18, 21 or 24 words, not {count}")
                }
                // The word itself may be a secret with a typing error.
                bip39::Error::UnknownWord(at) => {
                    format!("word {} is not in the BIP 39 list", at + 1)
                }
                bip39::Error::InvalidChecksum => {
                    "the words do not belong together: the checksum differs".to_owned()
                }
                error => error.to_string(),
            })
    }

    pub(crate) fn seed(&self) -> Seed {
        self.0.to_seed_normalized("")
    }
}

impl fmt::Display for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Words(hidden)")
    }
}

/// The key of an address.
pub(crate) struct Key(pub(super) SigningKey);

impl Key {
    /// The key at `m/44'/60'/0'/0/index`; `None` for the few indexes in 2^127 that have no key.
    pub(crate) fn derive(seed: &Seed, index: u32) -> Option<Self> {
        Self::at("m/44'/60'/0'/0", seed, index)
    }

    /// The key of a pay-in address, at `m/44'/60'/1'/0/index`: of an account of its own, so that it is never that of a hot wallet.
    pub(crate) fn derive_pay_in(seed: &Seed, index: u32) -> Option<Self> {
        Self::at("m/44'/60'/1'/0", seed, index)
    }

    fn at(path: &str, seed: &Seed, index: u32) -> Option<Self> {
        let mut path: DerivationPath = path.parse().ok()?;
        path.push(ChildNumber::new(index, false).ok()?);
        let key = XPrv::derive_from_path(seed, &path).ok()?;
        Some(Self(key.private_key().clone()))
    }

    pub(crate) fn address(&self) -> Address {
        address_of(self.0.verifying_key())
    }
}

/// The address of a public key.
pub(super) fn address_of(key: &VerifyingKey) -> Address {
    let point = key.to_sec1_point(false);
    // The first byte names the form.
    Address::from_raw_public_key(&point.as_bytes()[1..])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words that development nodes use for their accounts.
    const KNOWN: &str = "test test test test test test test test test test test junk";

    #[test]
    fn the_addresses_of_known_words_are_those_of_other_wallets() {
        let seed = Words::parse(KNOWN).expect("the words are valid").seed();
        let address = |index| {
            let key = Key::derive(&seed, index).expect("the index has a key");
            key.address().to_string()
        };
        assert_eq!(address(0), "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266");
        assert_eq!(address(1), "0x70997970C51812dc3A010C7d01b50e0d17dc79C8");
    }

    #[test]
    fn the_keys_of_pay_in_addresses_are_those_of_the_second_account() {
        let seed = Words::parse(KNOWN).expect("the words are valid").seed();
        let address = |key: Option<Key>| key.expect("the index has a key").address().to_string();
        // As other wallets derive them from m/44'/60'/1'/0/0.
        let first = address(Key::derive_pay_in(&seed, 0));
        assert_eq!(first, "0x8C8d35429F74ec245F8Ef2f4Fd1e551cFF97d650");
        for index in 0..20 {
            let hot = address(Key::derive(&seed, index));
            let others = (0..20).map(|other| address(Key::derive_pay_in(&seed, other)));
            assert!(others.into_iter().all(|other| other != hot), "{index}");
        }
    }

    #[test]
    fn words_are_read_as_they_are_written() {
        let words = Words::generate(&[7; 32]).to_string();
        assert_eq!(words.split(' ').count(), 24);
        let spaced = format!("  {}\n", words.to_uppercase().replace(' ', " \n "));
        let read = Words::parse(&spaced).expect("the words are valid");
        assert_eq!(read.to_string(), words);
    }

    #[test]
    fn words_with_an_error_are_refused_and_never_repeated() {
        let refused = |text: &str| Words::parse(text).expect_err("the words are wrong");
        assert_eq!(
            refused("test junk"),
            "a seed has 12, 15, 18, 21 or 24 words, not 2"
        );
        let unknown = KNOWN.replacen("test", "tesst", 1);
        assert_eq!(refused(&unknown), "word 1 is not in the BIP 39 list");
        let swapped = "test test test test test test test test test test test test";
        assert_eq!(
            refused(swapped),
            "the words do not belong together: the checksum differs"
        );
        let words = Words::parse(KNOWN).expect("the words are valid");
        assert_eq!(format!("{words:?}"), "Words(hidden)");
    }
}
