//! Records and errors.

use serde_json::Value;
use settlekit_calls::operation::find;

use crate::bindings::exports::settlekit::core::errors::ErrorKind;
use crate::{Host, OPERATIONS, TABLE, json, lines, list, text};

fn named(kind: &str) -> ErrorKind {
    match kind {
        "authentication" => ErrorKind::Authentication,
        "permission" => ErrorKind::Permission,
        "not-found" => ErrorKind::NotFound,
        "validation" => ErrorKind::Validation,
        "conflict" => ErrorKind::Conflict,
        "rate-limit" => ErrorKind::RateLimit,
        "unsupported" => ErrorKind::Unsupported,
        _ => ErrorKind::Api,
    }
}

fn status(case: &Value) -> u16 {
    case["status"].as_u64().unwrap().try_into().unwrap()
}

#[test]
fn every_recorded_response_is_read_as_by_the_native_core() {
    let mut host = Host::new();
    let mut pages = 0;
    for line in lines(OPERATIONS) {
        let operation = text(&line["operation"]);
        let answer = &line["answer"];
        let body = match &answer["body"] {
            Value::Null => String::new(),
            body => body.to_string(),
        };
        let record = host.read(operation, status(answer), &[], &body).unwrap();
        let mut native = String::new();
        find(operation)
            .unwrap()
            .read(status(answer), &|_| None, body.as_bytes(), &mut native)
            .unwrap();
        assert_eq!(record, native, "{operation}");
        pages += u32::from(json(&record)["items"].is_array());
    }
    assert!(pages > 10, "{pages}");
}

#[test]
fn an_error_has_its_kind_reason_and_headers() {
    let mut host = Host::new();
    let table = json(TABLE);
    for case in list(&table["errors"]) {
        let reason = text(&case["reason"]);
        let body = format!(
            r#"{{"error":{{"code":{},"message":"no","errors":[{{"domain":"x","reason":"{reason}","message":"no"}}]}}}}"#,
            case["status"]
        );
        let given = case["headers"].as_object().cloned().unwrap_or_default();
        let headers: Vec<(String, String)> = given
            .iter()
            .map(|(name, value)| (name.clone(), text(value).to_owned()))
            .collect();
        let read = host.read("ListPaylinks", status(case), &headers, &body);
        let calls = host.core.settlekit_core_calls();
        let alone = calls
            .call_read_error(&mut host.store, status(case), &headers, body.as_bytes())
            .unwrap();
        for error in [read.unwrap_err(), alone] {
            assert_eq!(error.kind, named(text(&case["kind"])), "{case}");
            assert_eq!(error.status, Some(status(case)));
            assert_eq!(error.details[0].reason, reason);
            assert_eq!(error.transient, case["transient"].as_bool().unwrap());
            assert_eq!(error.request_id.as_deref(), case["request_id"].as_str());
            let seconds = error.retry_after_seconds.map(u64::from);
            assert_eq!(seconds, case["retry_after_seconds"].as_u64());
            assert_eq!(error.server_time_ms, case["server_time_ms"].as_i64());
        }
    }
    for case in list(&table["unreadable"]) {
        let error = host.read("ListPaylinks", status(case), &[], text(&case["body"]));
        assert_eq!(
            error.unwrap_err().kind,
            named(text(&case["kind"])),
            "{case}"
        );
    }
}
