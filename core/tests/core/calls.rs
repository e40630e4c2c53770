//! Requests and responses as data.

use http::Response;
use settlekit_core::account::{
    GetAccount, ListMovements, ListMovementsPath, ListMovementsQuery, Movement,
};
use settlekit_core::base_url::{self, BaseUrlError};
use settlekit_core::call::{Arguments, Call, Failure, Outline, read, read_as};
use settlekit_core::catalogue::CATALOGUE;
use settlekit_core::error::Reason;
use settlekit_core::operation::Wire;
use settlekit_core::page::{Limit, ListQuery, Page, Sort};
use settlekit_core::paylink::{DeletePaylink, ListPaylinks};
use settlekit_core::payment::CreatePayment;
use settlekit_core::value::id::ID_TEXT_MAX;
use settlekit_core::value::{AccountKey, Param};

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
use crate::test;

#[test]
fn a_call_becomes_a_request_with_its_path_escaped() {
    let call = Call::<ListMovements> {
        path: ListMovementsPath {
            account: AccountKey::from_text("café & co").unwrap(),
        },
        query: ListMovementsQuery {
            list: ListQuery {
                limit: Limit::new(5),
                sort: Some(Sort::Ascending),
                since: Some("2026-11-21T00:00:00Z".parse().unwrap()),
                ..ListQuery::default()
            },
            ..ListMovementsQuery::default()
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

#[test]
fn a_path_argument_that_would_name_a_folder_is_refused_by_its_field() {
    let outline = Outline::of::<GetAccount>();
    let get = |account: &str, is_foreign| {
        let path = serde_json::Map::from_iter([("account".to_owned(), account.into())]);
        let arguments = Arguments {
            path,
            ..Arguments::default()
        };
        outline.request_to("https://pay.example", &arguments, is_foreign)
    };
    for is_foreign in [false, true] {
        for folder in [".", ".."] {
            let report = get(folder, is_foreign).unwrap_err();
            let [error] = report.errors() else {
                panic!("{folder}: {report:?}");
            };
            assert_eq!(error.field.as_deref(), Some("account"));
            assert_eq!(error.reason, Reason::ReferenceMalformed);
            assert_eq!(error.message, "must not be `.` or `..`");
        }
        let request = get("...", is_foreign).unwrap();
        assert_eq!(request.uri().path(), "/v1/accounts/...");
    }
}

#[test]
fn a_base_url_has_no_query_no_fragment_and_only_ascii() {
    for (given, expected) in [
        ("https://pay.example", Ok("https://pay.example")),
        ("https://pay.example/v1/", Ok("https://pay.example")),
        (
            "https://pay.example:8080/shop//",
            Ok("https://pay.example:8080/shop"),
        ),
        (
            "https://xn--mnchen-3ya.example",
            Ok("https://xn--mnchen-3ya.example"),
        ),
        ("", Ok("")),
        ("https://pay.example/v1?tenant=7", Err(BaseUrlError::Query)),
        ("https://pay.example?", Err(BaseUrlError::Query)),
        ("https://pay.example/#/v1?a", Err(BaseUrlError::Fragment)),
        ("https://münchen.example", Err(BaseUrlError::NotAscii)),
        ("https://pay.example/ä?b", Err(BaseUrlError::NotAscii)),
    ] {
        assert_eq!(base_url::parse(given), expected, "{given}");
        let request = Outline::of::<ListPaylinks>().request(given, &Arguments::default());
        match expected {
            Ok(base) => assert_eq!(
                request.unwrap().uri().to_string(),
                format!("{base}/v1/paylinks")
            ),
            Err(error) => {
                let report = request.unwrap_err();
                assert_eq!(report.errors()[0].reason, Reason::RequestMalformed);
                assert_eq!(report.errors()[0].message, error.to_string());
            }
        }
    }
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

#[test]
fn an_answer_about_the_operation_is_not_one_about_a_record() {
    const ENVELOPE: &str =
        r#"{"error":{"code":404,"message":"no","errors":[{"domain":"payment","reason":"GONE"}]}}"#;
    const OURS: &str = r#"{"error":{"code":404,"message":"no","errors":[{"domain":"request","reason":"PATH_UNKNOWN"}]}}"#;
    const BARE: &str = r#"{"error":{"code":404,"message":"no"}}"#;
    const FLAG: &str = r#"{"error":true,"message":"no"}"#;
    // Status, body, and whether the operation is missing if the path names a record, and if it names none.
    let answers = [
        (404, "", true, true),
        (404, "<html>Not found</html>", true, true),
        (404, r#"{"detail":"Not Found"}"#, true, true),
        (404, r#"{"error":"Not Found"}"#, true, true),
        (404, OURS, true, true),
        (404, ENVELOPE, false, false),
        (404, BARE, false, true),
        (404, FLAG, false, true),
        (405, "", true, true),
        (405, ENVELOPE, true, true),
        (501, BARE, true, true),
        (400, "", false, false),
        (403, ENVELOPE, false, false),
        (410, "", false, false),
        (500, "", false, false),
        (503, "", false, false),
    ];
    for (status, body, of_record, of_none) in answers {
        let answer = answer(status, body);
        let failure = read::<ListPaylinks>(&answer).unwrap_err();
        let lacks = |names_record| failure.lacks_operation(answer.status(), names_record);
        assert_eq!(
            [lacks(true), lacks(false)],
            [of_record, of_none],
            "{status} {body}"
        );
    }
}

#[test]
fn a_response_is_read_as_the_type_that_the_caller_chooses() {
    let page: Page<serde_json::Value> = read_as::<ListMovements, _>(&answer(200, PAGE)).unwrap();
    assert_eq!(page.items[0]["brand_new"]["deep"][0], 1);
}

#[test]
fn ids_of_another_service_are_accepted_in_requests_to_it_only() {
    let outline = Outline::of::<DeletePaylink>();
    let delete = |id: &str, is_foreign| {
        let path = serde_json::Map::from_iter([("paylink_id".to_owned(), id.into())]);
        let arguments = Arguments {
            path,
            ..Arguments::default()
        };
        let request = outline.request_to("https://pay.example", &arguments, is_foreign);
        request.map(|request| request.uri().path().to_owned())
    };
    let foreign = "5f0c2d4e-6a1b-4c3d-9e8f-7a6b5c4d3e2f";
    for id in [foreign, "42", "plink_1N", "a/b?c"] {
        assert!(delete(id, false).is_err(), "{id}");
        let path = delete(id, true).unwrap();
        let written = path.strip_prefix("/v1/paylinks/").unwrap();
        assert!(!written.contains(['/', '?']), "{path}");
    }
    let long = "x".repeat(ID_TEXT_MAX + 1);
    for id in ["", ".", "..", "a b", "a\u{0}", "ä", &long] {
        assert!(delete(id, true).is_err(), "{id}");
    }
    let ours = "pl_019aa0b5c3f07c0d9f2e3b6a7d8c9e01";
    assert_eq!(delete(ours, true).unwrap(), format!("/v1/paylinks/{ours}"));

    let outline = Outline::of::<CreatePayment>();
    let body = serde_json::json!({ "amount": "1", "currency": "USDC", "customer_id": "visitor:7", "account_ids": ["x"] });
    let create = |is_foreign| {
        let arguments = Arguments {
            body: Some(body.clone()),
            ..Arguments::default()
        };
        let report = outline.request_to("https://pay.example", &arguments, is_foreign);
        let report = report.unwrap_err();
        report
            .errors()
            .iter()
            .filter(|error| error.field.as_deref() == Some("customer_id"))
            .count()
    };
    assert_eq!([create(false), create(true)], [1, 0]);
}
