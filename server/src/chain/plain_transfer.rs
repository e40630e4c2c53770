//! The call of a plain transfer of a token, whichever the token is.

use std::fmt;

use alloy_primitives::{Address, U256, hex};
use serde::de::{Deserialize, Deserializer, Error, Visitor};

/// The selector of `transfer(address,uint256)`.
const TRANSFER: [u8; 4] = [0xa9, 0x05, 0x9c, 0xbb];

/// The bytes of a call: selector, receiver, amount.
const LENGTH: usize = 4 + 32 + 32;

/// The receiver and amount of the call of a plain transfer.
pub(super) fn plain_transfer(input: &[u8]) -> Option<(Address, U256)> {
    let arguments = input.strip_prefix(&TRANSFER)?;
    if input.len() != LENGTH {
        return None;
    }
    let (receiver, units) = arguments.split_at(32);
    let is_address = receiver[..12].iter().all(|byte| *byte == 0);
    is_address.then(|| {
        (
            Address::from_slice(&receiver[12..]),
            U256::from_be_slice(units),
        )
    })
}

/// The receiver of a transaction that is a plain transfer of something; other input is passed over without a copy, since it may be
/// long.
#[derive(Debug, Default)]
pub(super) struct TransferReceiver(pub(super) Option<Address>);

impl<'de> Deserialize<'de> for TransferReceiver {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Input;

        impl Visitor<'_> for Input {
            type Value = TransferReceiver;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("bytes")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<TransferReceiver, E> {
                Ok(TransferReceiver(receiver(text)))
            }

            // It marks what is not booked anyway: a node that leaves it out is believed in the rest.
            fn visit_unit<E: Error>(self) -> Result<TransferReceiver, E> {
                Ok(TransferReceiver(None))
            }
        }

        deserializer.deserialize_any(Input)
    }
}

fn receiver(text: &str) -> Option<Address> {
    let digits = text.strip_prefix("0x")?;
    let mut input = [0; LENGTH];
    if digits.len() != 2 * LENGTH {
        return None;
    }
    hex::decode_to_slice(digits, &mut input).ok()?;
    let (receiver, units) = plain_transfer(&input)?;
    (!units.is_zero()).then_some(receiver)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<Address> {
        let read = serde_json::from_value::<TransferReceiver>(text.into());
        read.expect("any text is taken").0
    }

    #[test]
    fn the_receiver_of_a_plain_transfer_is_read_and_nothing_else() {
        let call = |selector: &str, padding: &str, units: &str| {
            format!("0x{selector}{padding}{}{units}", "5b".repeat(20))
        };
        let (none, one) = ("0".repeat(24), format!("{:064x}", 1));
        let plain = call("a9059cbb", &none, &one);
        assert_eq!(read(&plain), Some(Address::repeat_byte(0x5b)));
        for other in [
            String::new(),
            "0x".to_owned(),
            plain[2..].to_owned(),
            format!("{plain}00"),
            plain.replace("5b5b", "5bxy"),
            call("095ea7b3", &none, &one),
            call("a9059cbb", &format!("{:024x}", 1), &one),
            call("a9059cbb", &none, &"0".repeat(64)),
            format!("0x0x{}", &plain[4..]),
        ] {
            assert_eq!(read(&other), None, "{other}");
        }
        let null = serde_json::from_value::<TransferReceiver>(serde_json::Value::Null);
        assert_eq!(null.expect("it may be absent").0, None);
    }
}
