//! Bodies and queries: every error at once, in the order of the fields.

use settlekit_core::account::CreateVirtualAccountBody;
use settlekit_core::api_key::CreateApiKeyBody;
use settlekit_core::customer::ListCustomersQuery;
use settlekit_core::field::{Body, Query, read_body, read_query};
use settlekit_core::organisation::UpdateOrganisationBody;
use settlekit_core::page::ListQuery;
use settlekit_core::paylink::CreatePaylinkBody;
use settlekit_core::payment::CreatePaymentBody;
use settlekit_core::quote::RequestQuoteQuery;
use settlekit_core::validate::Report;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
use crate::test;

fn errors(report: &Report) -> String {
    let words: Vec<String> = report
        .errors()
        .iter()
        .map(|error| format!("{} {}", error.field.as_deref().unwrap_or("-"), error.reason))
        .collect();
    words.join(", ")
}

pub(crate) fn check<B: Body>(body: &str, expected: &str) {
    let mut report = Report::default();
    let read = read_body::<B>(body.as_bytes(), &mut report);
    assert_eq!(errors(&report), expected, "{body}");
    assert!(read.is_some() || !report.is_clean());
}

pub(crate) fn check_query<Q: Query>(query: &str, expected: &str) {
    let mut report = Report::default();
    let read = read_query::<Q>(query, &mut report);
    assert_eq!(errors(&report), expected, "{query}");
    assert!(read.is_some() || !report.is_clean());
}

#[test]
fn a_paylink_is_refused_for_each_broken_rule() {
    type B = CreatePaylinkBody;
    let cases = [
        (r#"{"amount":"12.50","currency":"USDC","name":"Tea"}"#, ""),
        ("{}", "amount REQUIRED, currency REQUIRED, name REQUIRED"),
        (
            r#"{"amount":12.5,"currency":"USDC","name":"Tea"}"#,
            "amount WRONG_TYPE",
        ),
        (
            r#"{"amount":"1e5","currency":"$","name":7}"#,
            "amount AMOUNT_MALFORMED, currency CURRENCY_MALFORMED, name WRONG_TYPE",
        ),
        (
            r#"{"amount":"0","currency":"USDC","name":" "}"#,
            "amount NOT_POSITIVE, name EMPTY",
        ),
        (
            r#"{"amount":"-1","currency":"USDC","name":"Tea"}"#,
            "amount NOT_POSITIVE",
        ),
        (
            r#"{"amount":"1","currency":"USDC","name":"Tea","price":"1"}"#,
            "price UNKNOWN_FIELD",
        ),
        (
            r#"{"amount":"1","currency":"USDC","name":"Tea","account_ids":[1],"account_ref":"eu"}"#,
            "account_ref EXCLUDED",
        ),
        (
            r#"{"amount":"1","currency":"USDC","name":"Tea","available_quantity":0}"#,
            "available_quantity OUT_OF_RANGE",
        ),
        (
            r#"{"amount":"1","currency":"USDC","name":"Tea","image_url":"http://x.example/a.png"}"#,
            "image_url URL_NOT_HTTPS",
        ),
        (
            r#"{"amount":"1","currency":"USDC","name":"Tea","after_completion":{"type":"redirect"}}"#,
            "after_completion.redirect_url REQUIRED",
        ),
        (
            r#"{"amount":"1","currency":"USDC","name":"Tea","type":"Recurring","interval":"Month","trial_period":"two weeks"}"#,
            "trial_period UNKNOWN_VALUE",
        ),
        (
            r#"{"amount":"1","currency":"USDC","name":"Tea","type":"Recurring"}"#,
            "interval REQUIRED",
        ),
        ("[]", "- BODY_NOT_AN_OBJECT"),
        ("{", "- BODY_MALFORMED"),
    ];
    for (body, expected) in cases {
        check::<B>(body, expected);
    }
    let forty_digits = format!(
        r#"{{"amount":"{}","currency":"USDC","name":"Tea"}}"#,
        "9".repeat(40)
    );
    check::<B>(&forty_digits, "amount AMOUNT_TOO_PRECISE");
    let name = |chars: usize| {
        format!(
            r#"{{"amount":"1","currency":"USDC","name":"{}"}}"#,
            "é".repeat(chars)
        )
    };
    check::<B>(&name(200), "");
    check::<B>(&name(201), "name TOO_LONG");
}

#[test]
fn unreadable_fields_neither_hide_nor_cause_rule_violations() {
    for (body, expected) in [
        (
            r#"{"amount":"-1","currency":"usdc?","image_url":"ftp://x"}"#,
            "amount NOT_POSITIVE, currency CURRENCY_MALFORMED, name REQUIRED, image_url URL_MALFORMED",
        ),
        // One of two exclusive fields is set, even if unreadable.
        (
            r#"{"amount":"1","currency":"USDC","name":"Tea","account_ids":"all","account_ref":"eu"}"#,
            "account_ids WRONG_TYPE, account_ref EXCLUDED",
        ),
        // Whether an interval is allowed depends on the unreadable field.
        (
            r#"{"amount":"1","currency":"USDC","name":"Tea","type":1,"interval":"Week"}"#,
            "type WRONG_TYPE",
        ),
        (
            r#"{"amount":"x","currency":"USDC","name":"","price":1,"type":"Recurring","interval":"Week","intervalCount":0}"#,
            "amount AMOUNT_MALFORMED, name EMPTY, intervalCount OUT_OF_RANGE, price UNKNOWN_FIELD",
        ),
    ] {
        check::<CreatePaylinkBody>(body, expected);
    }
    // The length of a list does not depend on its entries; the sum of shares does.
    let share = r#"{"address":"0x52908400098527886E0F7030069857D2E4169EE7","pct":"60"}"#;
    let account = |splits: &str| {
        format!(
            r#"{{"reference":"eu","name":"Till","chains":[{{"chain_id":1,"currencies":["USDC"]}}],"deposit_splits":[{splits}]}}"#
        )
    };
    check::<CreateVirtualAccountBody>(
        &account(&format!(r#"{share},{{"pct":"much"}},{share}"#)),
        "deposit_splits[1].pct AMOUNT_MALFORMED, deposit_splits[1].account_id REQUIRED",
    );
    check::<CreateApiKeyBody>(
        r#"{"name":"","scopes":["everything",7,"read"]}"#,
        "name EMPTY, scopes UNKNOWN_VALUE, scopes[1] WRONG_TYPE",
    );
    check_query::<ListQuery>(
        "since=soon&until=2026-01-01T00:00:00Z",
        "since TIMESTAMP_MALFORMED",
    );
    check_query::<RequestQuoteQuery>(
        "buy_amount=0&sell_currency=USDC,?&sell_chain_ids=1,2,3",
        "buy_amount NOT_POSITIVE, buy_amount EXCLUDED, buy_currency REQUIRED, sell_currency[1] CURRENCY_MALFORMED, sell_chain_ids LENGTH_DIFFERS",
    );
    check_query::<RequestQuoteQuery>("buy_currency=ETH&sell_amount=1,2", "sell_currency REQUIRED");
    // Each entry of a list is reported with its index, and the list itself too.
    check_query::<RequestQuoteQuery>(
        "buy_currency=ETH&sell_amount=x,-1,y&sell_currency=USDC,?",
        "sell_amount LENGTH_DIFFERS, sell_amount[0] AMOUNT_MALFORMED, sell_amount[1] NOT_POSITIVE, \
         sell_amount[2] AMOUNT_MALFORMED, sell_currency[1] CURRENCY_MALFORMED",
    );
    check::<UpdateOrganisationBody>(
        r#"{"forwarded_email_recipients":["a@b.example",7,"nobody",null]}"#,
        "forwarded_email_recipients[1] WRONG_TYPE, forwarded_email_recipients[2] EMAIL_MALFORMED, \
         forwarded_email_recipients[3] REQUIRED",
    );
}

#[test]
fn a_body_that_is_not_utf8_is_refused() {
    let mut report = Report::default();
    assert!(read_body::<CreatePaymentBody>(b"{\"reference\":\"\xff\"}", &mut report).is_none());
    assert_eq!(errors(&report), "- BODY_MALFORMED");
}

#[test]
fn a_list_is_refused_for_each_parameter_outside_its_range() {
    for (query, expected) in [
        ("", ""),
        ("limit=1&page=1&sort=asc", ""),
        ("limit=100", ""),
        ("limit=0", "limit OUT_OF_RANGE"),
        ("limit=101", "limit OUT_OF_RANGE"),
        ("limit=99999999999", "limit OUT_OF_RANGE"),
        ("page=0&limit=0", "limit OUT_OF_RANGE, page OUT_OF_RANGE"),
        (
            "since=2026-01-01T00:00:00Z&until=2025-01-01T00:00:00Z",
            "since RANGE_REVERSED",
        ),
        ("since=2026-01-01T00%3A00%3A00%2B01%3A00", ""),
        ("offset=3", "offset UNKNOWN_FIELD"),
        ("page=1&page=2", "page REPEATED"),
    ] {
        check_query::<ListQuery>(query, expected);
    }
}

#[test]
fn nul_characters_are_reported_per_field() {
    type B = CreatePaylinkBody;
    let cases = [
        (
            r#"{"amount":"1","currency":"USDC","name":"Te\u0000a"}"#,
            "name TEXT_MALFORMED",
        ),
        (
            r#"{"amount":"1","currency":"US\u0000C","name":"Tea","metadata":{"a":[1,{"b":"\u0000"}],"c\u0000":true}}"#,
            "currency CURRENCY_MALFORMED, metadata.a[1].b TEXT_MALFORMED, metadata TEXT_MALFORMED",
        ),
        (
            r#"{"amount":"1","currency":"USDC","name":"Tea","after\u0000":"\u0000"}"#,
            "after\0 UNKNOWN_FIELD",
        ),
    ];
    for (body, expected) in cases {
        check::<B>(body, expected);
    }
    check_query::<ListCustomersQuery>(
        "search=a%00b&limit=0",
        "limit OUT_OF_RANGE, search TEXT_MALFORMED",
    );
    check_query::<ListCustomersQuery>("visit_type=%00", "visit_type UNKNOWN_VALUE");
}

#[cfg(not(target_family = "wasm"))]
mod properties {
    use proptest::prelude::*;
    use settlekit_core::call::Arguments;
    use settlekit_core::catalogue::CATALOGUE;
    use settlekit_core::field::{read_body, read_query};
    use settlekit_core::page::ListQuery;
    use settlekit_core::paylink::CreatePaylinkBody;
    use settlekit_core::validate::Report;
    use settlekit_core::webhook::PublicKey;

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let mut report = Report::default();
            let read = read_body::<CreatePaylinkBody>(&bytes, &mut report);
            prop_assert!(read.is_some() || !report.is_clean());
        }

        #[test]
        fn any_query_is_read_or_refused(text in "\\PC{0,80}") {
            let mut report = Report::default();
            let read = read_query::<ListQuery>(&text, &mut report);
            prop_assert!(read.is_some() || !report.is_clean());
        }

        #[test]
        fn any_text_is_a_key_or_refused(text in "\\PC{0,200}") {
            prop_assert!(PublicKey::from_pem(&text).is_err());
        }

        #[test]
        fn any_arguments_make_a_request_or_errors(name in "[a-z_]{1,12}", value in "\\PC{0,20}") {
            let text = serde_json::json!({ "path": { &name: &value }, "query": { &name: &value }, "body": { &name: &value } });
            let arguments: Arguments = serde_json::from_value(text).unwrap();
            for description in CATALOGUE {
                let outcome = description.outline.request("https://pay.example", &arguments);
                prop_assert!(outcome.is_ok() || outcome.is_err_and(|report| !report.is_clean()));
            }
        }
    }
}
