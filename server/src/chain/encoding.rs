//! The values of Ethereum's JSON-RPC: quantities and bytes as hexadecimal text.

use std::fmt;
use std::marker::PhantomData;

use alloy_primitives::{Address, FixedBytes, U256, hex};
use serde::de::{Deserialize, Deserializer, Error, Visitor};

/// A value that is `0x` and hexadecimal digits in JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Hex<T>(pub(super) T);

/// A value that is read from hexadecimal digits.
pub(super) trait FromHex: Sized {
    /// The expected form, for error messages.
    const EXPECTED: &'static str;

    /// The value of the digits after `0x`.
    fn from_hex(digits: &str) -> Option<Self>;
}

impl<'de, T: FromHex> Deserialize<'de> for Hex<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text<T>(PhantomData<T>);

        impl<T: FromHex> Visitor<'_> for Text<T> {
            type Value = Hex<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(T::EXPECTED)
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Hex<T>, E> {
                let value = text.strip_prefix("0x").and_then(T::from_hex);
                // The text itself may be of any length.
                value.map(Hex).ok_or_else(|| E::custom(T::EXPECTED))
            }
        }

        deserializer.deserialize_str(Text(PhantomData))
    }
}

/// The significant digits of a quantity. Some nodes pad with zeros.
fn significant(digits: &str) -> Option<&str> {
    // `from_str_radix` would take a sign.
    let is_hex = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    is_hex.then(|| match digits.trim_start_matches('0') {
        "" => "0",
        digits => digits,
    })
}

impl FromHex for u64 {
    const EXPECTED: &'static str = "a quantity of 64 bits";

    fn from_hex(digits: &str) -> Option<Self> {
        Self::from_str_radix(significant(digits)?, 16).ok()
    }
}

impl FromHex for u128 {
    const EXPECTED: &'static str = "a quantity of 128 bits";

    fn from_hex(digits: &str) -> Option<Self> {
        Self::from_str_radix(significant(digits)?, 16).ok()
    }
}

impl FromHex for U256 {
    const EXPECTED: &'static str = "a quantity of 256 bits";

    fn from_hex(digits: &str) -> Option<Self> {
        Self::from_str_radix(significant(digits)?, 16).ok()
    }
}

impl<const N: usize> FromHex for FixedBytes<N> {
    const EXPECTED: &'static str = "bytes of a fixed length";

    fn from_hex(digits: &str) -> Option<Self> {
        let mut bytes = [0; N];
        // A second prefix would be taken.
        let is_long = digits.len() == 2 * N && !digits.starts_with("0x");
        (is_long && hex::decode_to_slice(digits, &mut bytes).is_ok()).then_some(Self(bytes))
    }
}

impl FromHex for Address {
    const EXPECTED: &'static str = "an address of 20 bytes";

    fn from_hex(digits: &str) -> Option<Self> {
        FixedBytes::from_hex(digits).map(Self)
    }
}

impl FromHex for Vec<u8> {
    const EXPECTED: &'static str = "bytes";

    fn from_hex(digits: &str) -> Option<Self> {
        (!digits.starts_with("0x"))
            .then(|| hex::decode(digits).ok())
            .flatten()
    }
}

#[cfg(test)]
mod tests {
    use alloy_primitives::B256;

    use super::*;

    fn read<T: FromHex>(text: &str) -> Option<T> {
        serde_json::from_value::<Hex<T>>(text.into())
            .ok()
            .map(|hex| hex.0)
    }

    #[test]
    fn quantities_are_read_without_overflow() {
        assert_eq!(read::<u64>("0x0"), Some(0));
        assert_eq!(read::<u64>("0xfFffffffffffffff"), Some(u64::MAX));
        assert_eq!(read::<u64>("0x00000000000000000001"), Some(1));
        assert_eq!(read::<u64>("0x10000000000000000"), None);
        assert_eq!(
            read::<u128>(&format!("0x{}", "f".repeat(32))),
            Some(u128::MAX)
        );
        assert_eq!(
            read::<U256>(&format!("0x{}", "f".repeat(64))),
            Some(U256::MAX)
        );
        assert_eq!(read::<U256>(&format!("0x1{}", "0".repeat(64))), None);
        for text in ["", "0x", "1", "0X1", "0x+1", "0x-1", "0x 1", "0xg", "0x1_0"] {
            assert_eq!(read::<u64>(text), None, "{text}");
            assert_eq!(read::<U256>(text), None, "{text}");
        }
    }

    #[test]
    fn bytes_have_their_length() {
        assert_eq!(
            read::<B256>(&format!("0x{}", "0f".repeat(32))),
            Some(B256::repeat_byte(15))
        );
        assert_eq!(
            read::<Address>(&format!("0x{}", "0F".repeat(20))),
            Some(Address::repeat_byte(15))
        );
        assert_eq!(read::<Vec<u8>>("0x"), Some(Vec::new()));
        for text in [
            "0x".to_owned(),
            format!("0x{}", "0".repeat(63)),
            format!("0x{}", "0".repeat(65)),
            format!("0x0x{}", "0".repeat(62)),
            format!("0x{}é", "0".repeat(62)),
            "0".repeat(64),
        ] {
            assert_eq!(read::<B256>(&text), None, "{text}");
        }
        assert_eq!(read::<Vec<u8>>("0x1"), None);
        assert_eq!(read::<Address>(&format!("0x{}", "0".repeat(64))), None);
    }

    #[test]
    fn a_number_or_null_is_no_quantity() {
        for json in ["1", "null", "[]", "{}", "true", "1e400"] {
            assert!(serde_json::from_str::<Hex<u64>>(json).is_err(), "{json}");
        }
    }
}
