//! Amounts against vectors of JavaScript's BigInt, and rejected texts.

use serde_json::Value;
use settlekit_core::value::{Amount, AmountError, Number};

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
use crate::test;

fn vectors() -> Value {
    serde_json::from_str(include_str!("../../../tests/vectors/amount.json")).unwrap()
}

#[test]
fn amounts_convert_to_units_as_big_integers_do() {
    for row in vectors()["read"].as_array().unwrap() {
        let (text, scale) = (
            row["text"].as_str().unwrap(),
            u32::try_from(row["scale"].as_u64().unwrap()).unwrap(),
        );
        let units = text
            .parse::<Amount>()
            .and_then(|amount| amount.to_units(scale));
        let expected = row["units"]
            .as_str()
            .map(|units| units.parse::<i128>().unwrap());
        assert_eq!(units.ok(), expected, "{text} at {scale}");
        if let Some(expected) = expected {
            assert_eq!(
                Amount::from_units(expected, scale).unwrap().to_units(scale),
                Ok(expected),
                "{text} at {scale}"
            );
        }
    }
}

#[test]
fn sums_equal_those_of_big_integers() {
    for row in vectors()["sums"].as_array().unwrap() {
        let amount = |name: &str| row[name].as_str().unwrap().parse::<Amount>().unwrap();
        let sum = amount("left").plus(amount("right")).ok();
        assert_eq!(
            sum.map(|sum| sum.to_string()).as_deref(),
            row["sum"].as_str(),
            "{row}"
        );
    }
}

#[test]
fn only_plain_decimals_are_read_and_nothing_is_rounded() {
    for text in vectors()["refused"].as_array().unwrap() {
        let text = text.as_str().unwrap();
        assert!(text.parse::<Amount>().is_err(), "{text:?}");
        assert!(
            serde_json::from_value::<Amount>(text.into()).is_err(),
            "{text:?}"
        );
    }
}

#[test]
fn an_amount_is_written_as_read() {
    for text in ["1.50", "0", "12.500000", "-3.25", "0.000000000000000001"] {
        assert_eq!(text.parse::<Amount>().unwrap().to_string(), text);
        let json = format!("\"{text}\"");
        assert_eq!(
            serde_json::to_string(&serde_json::from_str::<Amount>(&json).unwrap()).unwrap(),
            json
        );
    }
}

#[test]
fn amounts_are_json_strings_and_numbers_json_numbers() {
    assert!(serde_json::from_str::<Amount>("1.5").is_err());
    assert!(serde_json::from_str::<Number>("\"1.5\"").is_err());
    assert!(serde_json::from_str::<Number>("1e5").is_err());
}

#[test]
fn a_number_keeps_digits_that_a_binary_float_would_lose() {
    for text in [
        "0.1",
        "1234567890123456789.12345678",
        "0.30000000000000004",
        "1.10",
    ] {
        let number: Number = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_string(&number).unwrap(), text);
    }
}

#[test]
fn too_many_decimal_places_are_refused_with_the_allowed_count() {
    let amount: Amount = "0.0000001".parse().unwrap();
    assert_eq!(
        amount.to_units(6),
        Err(AmountError::TooManyDecimals { scale: 6 })
    );
}

#[cfg(not(target_family = "wasm"))]
mod properties {
    use proptest::prelude::*;
    use settlekit_core::value::Amount;

    proptest! {
        #[test]
        fn units_survive_a_round_trip_through_text(units in -(1_i128 << 95)..(1_i128 << 95), scale in 0_u32..=18) {
            let amount = Amount::from_units(units, scale).unwrap();
            let read: Amount = amount.to_string().parse().unwrap();
            prop_assert_eq!(read.to_units(scale), Ok(units));
        }

        #[test]
        fn a_sum_is_exact_with_the_larger_scale(
            left in -(1_i128 << 90)..(1_i128 << 90), right in -(1_i128 << 60)..(1_i128 << 60), scale in 0_u32..=6, finer in 0_u32..=3,
        ) {
            let (coarse, fine) = (Amount::from_units(left, scale).unwrap(), Amount::from_units_unshortened(right, scale + finer).unwrap());
            let factor = 10_i128.pow(finer);
            match coarse.plus(fine) {
                Ok(sum) => {
                    prop_assert_eq!(sum.to_units(scale + finer), Ok(left * factor + right));
                    prop_assert!(sum.is_zero() || sum.scale() >= fine.scale());
                }
                Err(_) => prop_assert!((left * factor + right).abs() >= 1 << 96 || (left * factor).abs() >= 1 << 96),
            }
        }

        #[test]
        fn any_text_is_read_or_refused(text in "\\PC{0,60}") {
            if let Ok(amount) = text.parse::<Amount>() {
                prop_assert_eq!(amount.to_string().parse::<Amount>(), Ok(amount));
            }
        }
    }
}
