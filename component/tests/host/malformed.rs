//! Malformed input.

use crate::bindings::exports::settlekit::core::calls::{CallError, Credentials, NonceSeed, Part};
use crate::bindings::exports::settlekit::core::errors::ErrorKind;
use crate::{Host, NOW_MS, TABLE, credentials, json, list, seed, text};

#[test]
fn malformed_input_gives_an_error_and_no_trap() {
    let mut host = Host::new();
    let table = json(TABLE);
    let valid = r#"{"account":"till","amount":"1","currency":"USDC","external_account_id":7}"#;
    host.request("CreatePayout", valid, &seed()).unwrap();
    let is_validation = |error: CallError| error.kind == ErrorKind::Validation;
    for given in list(&table["malformed_arguments"]) {
        let given = text(given);
        let made = host.request("CreatePayout", given, &seed());
        assert!(is_validation(made.unwrap_err()), "{given:?}");
        // No arguments are an empty object, which lacks fields.
        let error = host.validate("CreatePayout", given);
        assert!(is_validation(error.unwrap_err()), "{given:?}");
        for part in [Part::Query, Part::Body] {
            // Some of these texts are a valid query: the operation has none.
            let _ = host.validate_part("CreatePayout", part, Some("amount"), given);
        }
        assert_eq!(
            host.read("CreatePayout", 200, &[], given).unwrap_err().kind,
            ErrorKind::Api
        );
    }
    let deep = "[".repeat(100_000);
    for given in [deep.clone(), format!("{{\"amount\":{deep}")] {
        let error = host.validate("CreatePayout", &given).unwrap_err();
        assert!(is_validation(error));
        let error = host.read("CreatePayout", 200, &[], &given).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Api);
    }
    let large = format!(r#"{{"metadata":[{}0]}}"#, "0,".repeat(9 << 20));
    let error = host.validate("CreatePaylink", &large).unwrap_err();
    assert!(is_validation(error));
    for operation in list(&table["unknown_operations"]) {
        let operation = text(operation);
        let error = host.validate(operation, "{}").unwrap_err();
        assert!(is_validation(error), "{operation:?}");
        let error = host.request(operation, "{}", &seed()).unwrap_err();
        assert!(is_validation(error), "{operation:?}");
        let error = host.read(operation, 200, &[], "{}").unwrap_err();
        assert!(is_validation(error), "{operation:?}");
    }
    for length in list(&table["wrong_random_lengths"]) {
        let random = vec![0; length.as_u64().unwrap().try_into().unwrap()];
        let seed = NonceSeed {
            now_ms: NOW_MS,
            random,
        };
        let error = host.request("CreatePayout", valid, &seed).unwrap_err();
        assert!(is_validation(error), "{length}");
    }
    // Times that no calendar has.
    for now_ms in [i64::MIN, -1, 0, i64::MAX] {
        let random = vec![0; 10];
        let made = host.request("CreatePayout", valid, &NonceSeed { now_ms, random });
        assert!(made.is_ok(), "{now_ms}");
    }
    for (method, url) in [
        ("", ""),
        ("GET", "not a url"),
        ("G T", "/v1/orgs"),
        ("GET", "\u{0}"),
    ] {
        let error = host.sign(method, url, "", &credentials(None), &seed());
        assert!(is_validation(error.unwrap_err()), "{method:?} {url:?}");
    }
    for base_url in ["http://", "ht tp://pay.example", "\u{0}"] {
        let credentials = Credentials {
            base_url: base_url.to_owned(),
            ..credentials(None)
        };
        let error = host.request_as("CreatePayout", valid, &credentials, &seed());
        assert!(is_validation(error.unwrap_err()), "{base_url:?}");
    }
    let unset = Credentials {
        signing_secret: Some(String::new()),
        ..credentials(None)
    };
    let error = host.request_as("CreatePayout", valid, &unset, &seed());
    let reason = error.unwrap_err().details.remove(0).reason;
    assert_eq!(reason, "SIGNATURE_MISSING");
    let foreign = credentials(Some("line\nfeed"));
    let error = host.sign("GET", "/v1/orgs", "", &foreign, &seed());
    assert!(is_validation(error.unwrap_err()));
}
