//! Requests and responses as data.

use http::Response;
use settlekit_core::account::{ListMovements, ListMovementsPath, Movement};
use settlekit_core::call::{Call, Failure, read};
use settlekit_core::catalogue::CATALOGUE;
use settlekit_core::operation::Wire;
use settlekit_core::page::{Limit, ListQuery, Page, Sort};
use settlekit_core::paylink::ListPaylinks;
use settlekit_core::value::{AccountKey, Param};

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
use crate::test;

#[test]
fn a_call_becomes_a_request_with_its_path_escaped() {
    let call = Call::<ListMovements> {
        path: ListMovementsPath {
            account: AccountKey::from_text("café & co").unwrap(),
        },
        query: ListQuery {
            limit: Limit::new(5),
            sort: Some(Sort::Ascending),
            since: Some("2026-11-21T00:00:00Z".parse().unwrap()),
            ..ListQuery::default()
        },
        body: Default::default(),
    };
    let request = call.to_http("https://pay.example/").unwrap();
    assert_eq!(
        request.uri().to_string(),
        "https://pay.example/v1/accounts/caf%C3%A9%20%26%20co/movement?limit=5&since=2026-11-21T00%3A00%3A00.000000Z&sort=asc"
    );
    let read =
        Call::<ListMovements>::from_http(&request, &|_| Some("café & co".to_owned())).unwrap();
    assert_eq!(read, call);
}

const PAGE: &str = r#"{"data":{"items":[{"id":7,"account_id":3,"amount":"1.50","currency":"USDC","direction":"IN","type":"Deposit",
 "status":"OnHold","created_at":"2026-11-21T09:00:00Z","brand_new":{"deep":[1]}}],"total":12,"next":2},"error":false}"#;

fn answer(status: u16, body: &str) -> Response<Vec<u8>> {
    Response::builder()
        .status(status)
        .body(body.as_bytes().to_vec())
        .unwrap()
}

#[test]
fn unknown_fields_and_values_never_fail_a_read() {
    let page: Page<Movement> = read::<ListMovements>(&answer(200, PAGE)).unwrap();
    assert_eq!((page.total, page.next, page.items.len()), (12, Some(2), 1));
    assert_eq!(page.items[0].amount.to_string(), "1.50");
    assert_eq!(page.items[0].status.as_str(), "OnHold");
}

#[test]
fn error_envelopes_are_read_completely() {
    let refused = r#"{"error":{"code":422,"message":"no","errors":[{"domain":"paylink","reason":"NOT_POSITIVE","field":"amount"}]}}"#;
    match read::<ListPaylinks>(&answer(422, refused)) {
        Err(Failure::Refused(error)) => assert_eq!(
            (error.code, error.errors[0].field.as_deref()),
            (422, Some("amount"))
        ),
        other => panic!("{other:?}"),
    }
    match read::<ListPaylinks>(&answer(200, r#"{"error":true,"message":"half done"}"#)) {
        Err(Failure::Refused(error)) => assert_eq!(error.message, "half done"),
        other => panic!("{other:?}"),
    }
    for (status, body) in [
        (502, "<html>"),
        (200, "<html>"),
        (200, r#"{"data":5}"#),
        (500, ""),
    ] {
        assert!(
            matches!(
                read::<ListPaylinks>(&answer(status, body)),
                Err(Failure::Unreadable { .. })
            ),
            "{status} {body}"
        );
    }
}

#[test]
fn every_list_has_the_shared_parameters() {
    for description in CATALOGUE
        .iter()
        .filter(|description| description.wire == Wire::List)
    {
        let shared = ListQuery::NAMES
            .iter()
            .all(|name| description.query_params.contains(name));
        assert!(shared, "{} lacks a shared parameter", description.id);
    }
}
