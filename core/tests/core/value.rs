//! Timestamps, ids, references, open enumerations.

use settlekit_core::account::MovementStatus;
use settlekit_core::error::Reason;
use settlekit_core::validate::StandIn;
use settlekit_core::value::address::{AddressError, Family};
use settlekit_core::value::{
    AccountId, AccountKey, AccountReference, Amount, Currency, CustomerId, Param, PaymentId,
    QueryValue, Timestamp, WalletAddress, address,
};

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
use crate::test;

#[test]
fn timestamps_are_utc_with_microseconds() {
    for (given, written) in [
        ("2026-11-21T09:30:00Z", "2026-11-21T09:30:00.000000Z"),
        ("2026-11-21T10:30:00.5+01:00", "2026-11-21T09:30:00.500000Z"),
        (
            "2026-11-21T09:30:00.123456789Z",
            "2026-11-21T09:30:00.123456Z",
        ),
        ("1969-12-31T23:59:59.999999Z", "1969-12-31T23:59:59.999999Z"),
        ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000000Z"),
        ("9999-12-31T23:59:59Z", "9999-12-31T23:59:59.000000Z"),
    ] {
        assert_eq!(given.parse::<Timestamp>().unwrap().to_string(), written);
    }
    for odd in [
        "",
        "2026-11-21",
        "2026-11-21 09:30",
        "2026-13-01T00:00:00Z",
        "2026-02-30T00:00:00Z",
        "yesterday",
        "1763718000",
    ] {
        assert!(odd.parse::<Timestamp>().is_err(), "{odd:?}");
    }
}

#[test]
fn ids_have_a_prefix_that_only_customer_ids_may_omit() {
    let uuid = "019aa0b5-c3f0-7c0d-9f2e-3b6a7d8c9e01";
    let simple = uuid.replace('-', "");
    for text in [
        format!("cus_{simple}"),
        format!("cus_{uuid}"),
        uuid.to_owned(),
        simple.clone(),
    ] {
        assert_eq!(
            text.parse::<CustomerId>().unwrap().to_string(),
            format!("cus_{simple}")
        );
    }
    assert_eq!(
        format!("pay_{uuid}")
            .parse::<PaymentId>()
            .unwrap()
            .to_string(),
        format!("pay_{simple}")
    );
    for odd in [
        uuid.to_owned(),
        format!("cus_{simple}"),
        "pay_".to_owned(),
        "pay_123".to_owned(),
        format!("pay_{simple}0"),
        String::new(),
    ] {
        assert!(odd.parse::<PaymentId>().is_err(), "{odd:?}");
    }
}

#[test]
fn integer_ids_fit_into_a_double() {
    assert_eq!(
        "9007199254740991".parse::<AccountId>().unwrap().get(),
        9_007_199_254_740_991
    );
    for odd in [
        "0",
        "-1",
        "+1",
        "1.0",
        "9007199254740992",
        "99999999999999999999",
        "",
    ] {
        assert!(odd.parse::<AccountId>().is_err(), "{odd:?}");
    }
}

#[test]
fn references_differ_from_ids_and_reserved_words() {
    for good in [
        "shop-eu", "Café 7", "a", "7a", "VIRTUAL", "...", ".a", "a..",
    ] {
        assert!(good.parse::<AccountReference>().is_ok(), "{good:?}");
    }
    for odd in [
        "",
        "7",
        "0042",
        "virtual",
        "external-account",
        "id",
        "pay_x",
        "cus_1",
        " shop",
        "shop ",
        "a/b",
        "a\nb",
        ".",
        "..",
    ] {
        assert!(odd.parse::<AccountReference>().is_err(), "{odd:?}");
    }
    assert!("x".repeat(128).parse::<AccountReference>().is_ok());
    assert!("x".repeat(129).parse::<AccountReference>().is_err());
}

#[test]
fn an_account_key_of_digits_is_an_id() {
    assert!(matches!(AccountKey::from_text("42"), Ok(AccountKey::Id(_))));
    assert!(matches!(
        AccountKey::from_text("shop-42"),
        Ok(AccountKey::Reference(_))
    ));
    assert!(AccountKey::from_text("0").is_err());
}

#[test]
fn an_account_key_is_read_from_json_as_text_or_number() {
    let read = |json: &str| serde_json::from_str::<AccountKey>(json);
    for (json, written) in [("42", "42"), ("\"42\"", "42"), ("\"shop-42\"", "shop-42")] {
        let key = read(json).unwrap();
        assert_eq!(key, AccountKey::from_text(written).unwrap(), "{json}");
        assert_eq!(key.to_string(), written, "{json}");
    }
    for (json, reason) in [
        ("true", "WRONG_TYPE"),
        ("1.5", "ID_MALFORMED"),
        ("0", "ID_MALFORMED"),
        ("\"\"", "REFERENCE_MALFORMED"),
    ] {
        let error = read(json).unwrap_err().to_string();
        assert!(error.starts_with(reason), "{json}: {error}");
    }
}

#[test]
fn a_parameter_is_written_as_it_is_read() {
    for text in ["true", "false"] {
        assert_eq!(bool::from_text(text).unwrap().to_text(), text);
    }
    for text in ["0", "-1", "9223372036854775807"] {
        assert_eq!(i64::from_text(text).unwrap().to_text(), text);
    }
    // In a list an entry may be absent.
    assert_eq!(vec![1_i64, -2].write(), "1,-2");
    assert_eq!(vec![Some(1_i64), None, Some(3)].write(), "1,,3");
    for (odd, reason) in [
        (bool::from_text("yes").map(drop), Reason::WrongType),
        (bool::from_text("").map(drop), Reason::WrongType),
        (i64::from_text("1.5").map(drop), Reason::WrongType),
        (String::from_text("").map(drop), Reason::Empty),
    ] {
        assert_eq!(odd.unwrap_err().0, reason);
    }
}

#[test]
fn the_stand_ins_of_a_type_are_its_least_and_its_greatest_value() {
    fn pair<T: Param>() -> [T; 2] {
        [StandIn::Least, StandIn::Greatest].map(|which| T::stand_in("", which))
    }

    assert_eq!(pair::<bool>(), [false, true]);
    assert_eq!(pair::<i64>(), [i64::MIN, i64::MAX]);
    // No caller sends these texts.
    assert_eq!(pair::<String>(), ["\0".to_owned(), char::MAX.to_string()]);
    let [least, greatest] = pair::<Timestamp>().map(|at| at.to_string());
    assert_eq!(least, "0001-01-01T00:00:00.000000Z");
    assert_eq!(greatest, "9999-12-31T23:59:59.999999Z");
}

#[test]
fn a_value_of_another_type_is_told_what_is_expected() {
    for (error, expected) in [
        (
            serde_json::from_str::<Amount>("1").err(),
            "a decimal string",
        ),
        (
            serde_json::from_str::<Timestamp>("1").err(),
            "an RFC 3339 timestamp",
        ),
        (
            serde_json::from_str::<WalletAddress>("1").err(),
            "a wallet address",
        ),
    ] {
        let error = error.unwrap().to_string();
        assert!(
            error.contains(&format!("expected {expected}")),
            "{error}: {expected}"
        );
    }
}

#[test]
fn a_currency_is_two_to_twelve_letters_and_digits() {
    for good in ["USDC", "EUR", "x2", "ABCDEFGHIJKL"] {
        assert!(good.parse::<Currency>().is_ok(), "{good}");
    }
    for odd in ["", "U", "2X", "US DC", "USD-C", "ABCDEFGHIJKLM", "€UR"] {
        assert!(odd.parse::<Currency>().is_err(), "{odd}");
    }
}

#[test]
fn unknown_enumeration_values_are_read_but_not_accepted_as_filters() {
    let read: MovementStatus = serde_json::from_str("\"OnHold\"").unwrap();
    assert_eq!(read, MovementStatus::Other("OnHold".into()));
    assert_eq!(serde_json::to_string(&read).unwrap(), "\"OnHold\"");
    assert!(MovementStatus::from_text("OnHold").is_err());
    assert_eq!(
        MovementStatus::from_text("Confirmed"),
        Ok(MovementStatus::Confirmed)
    );
}

#[test]
fn the_zero_address_is_refused() {
    for nobodys in [
        "0x0000000000000000000000000000000000000000",
        "1111111111111111111114oLvT2",
        "T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb",
        "11111111111111111111111111111111",
        "bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq9e75rs",
    ] {
        let read = nobodys.parse::<WalletAddress>();
        assert_eq!(read, Err(AddressError::Nobodys), "{nobodys}");
    }
    let somebodys = "0x0000000000000000000000000000000000000001";
    assert!(somebodys.parse::<WalletAddress>().is_ok());
}

#[test]
fn an_evm_address_has_a_valid_checksum_or_none() {
    // The examples of EIP-55.
    for good in [
        "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
        "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
        "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
        "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
    ] {
        assert_eq!(address::parse(good).as_deref(), Some(good));
        assert_eq!(address::parse(&good.to_lowercase()).as_deref(), Some(good));
        let broken = good.replacen('a', "A", 1).replacen('b', "B", 1);
        assert!(
            broken == good || address::parse(&broken).is_none(),
            "{broken}"
        );
    }
    for odd in [
        "",
        "0x",
        "5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
        "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe",
        "0xzz",
    ] {
        assert!(address::parse(odd).is_none(), "{odd:?}");
    }
}

#[test]
fn the_checksum_decides_the_address_family() {
    for (text, family, canonical) in [
        // EIP-55.
        (
            "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed",
            Family::Evm,
            "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
        ),
        // BIP 173 and BIP 350.
        (
            "BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4",
            Family::Bitcoin,
            "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
        ),
        (
            "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0",
            Family::Bitcoin,
            "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0",
        ),
        // Well-known public addresses.
        (
            "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2",
            Family::Bitcoin,
            "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2",
        ),
        (
            "3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy",
            Family::Bitcoin,
            "3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy",
        ),
        (
            "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t",
            Family::Tron,
            "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t",
        ),
        (
            "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
            Family::Solana,
            "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
        ),
    ] {
        let address: WalletAddress = text.parse().unwrap();
        assert_eq!(
            (address.family(), address.as_str()),
            (family, canonical),
            "{text}"
        );
    }
    for odd in [
        "",
        "0x",
        "hello",
        // One letter changed, one family at a time.
        "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD",
        "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5",
        "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj1",
        "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN3",
        "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6u",
        // Of a test network, in mixed case, too short, with a character outside base58.
        "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx",
        "bc1Qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
        "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt",
        "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt10",
    ] {
        assert!(odd.parse::<WalletAddress>().is_err(), "{odd:?}");
    }
    // A long text is refused before it is decoded, which takes quadratic time.
    assert!("2".repeat(1 << 22).parse::<WalletAddress>().is_err());
}

#[test]
fn a_family_has_its_word() {
    for (word, family) in [
        ("evm", Some(Family::Evm)),
        ("bitcoin", Some(Family::Bitcoin)),
        ("tron", Some(Family::Tron)),
        ("solana", Some(Family::Solana)),
        ("EVM", None),
        ("", None),
    ] {
        assert_eq!(Family::from_wire(word), family, "{word:?}");
    }
}

#[test]
fn records_are_read_with_ids_of_any_service_and_write_them_unchanged() {
    let foreign = [
        "5f0c2d4e-6a1b-4c3d-9e8f-7a6b5c4d3e2f",
        "42",
        "org/7",
        "PAY_1",
        "pay_5F0C2D4E-6a1b-4c3d-9e8f-7a6b5c4d3e2f",
    ];
    for text in foreign {
        let json = format!("\"{text}\"");
        let id: PaymentId = serde_json::from_str(&json).unwrap();
        assert_eq!(id, PaymentId::of_any_service(text).unwrap());
        assert_eq!(
            (id.to_string().as_str(), id.to_text().as_str()),
            (text, text)
        );
        assert_eq!(serde_json::to_string(&id).unwrap(), json);
    }
    let ours = "pay_019aa0b5c3f07c0d9f2e3b6a7d8c9e01";
    assert_eq!(
        PaymentId::of_any_service(ours).unwrap(),
        ours.parse().unwrap()
    );
    for odd in ["\"\"", "\"..\"", "\"a b\"", "7"] {
        assert!(serde_json::from_str::<PaymentId>(odd).is_err(), "{odd}");
    }
    let [less, more] = ["a", "ab"].map(|text| PaymentId::of_any_service(text).unwrap());
    assert!(less < more);
}
