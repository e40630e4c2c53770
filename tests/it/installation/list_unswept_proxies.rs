//! `GET /installation/chains/{chain_id}/unswept-proxies`.

use serde_json::Value;
use settlekit_tests::chain::Connected;

use super::{deposit, operator, read, wait};

#[test]
fn unswept_proxies_are_listed_in_parts_the_next_to_be_swept_first() {
    Connected::each(|kind, mut connected| {
        let (shop, olga) = operator(&mut connected.world);
        let mut expected = Vec::new();
        for account in ["shelf", "stall", "till"] {
            expected.push(deposit(&mut connected, &shop, account).to_string());
            wait(&mut connected, 60);
        }
        let mut found = Vec::new();
        let all = "chains/8453/unswept-proxies?limit=2";
        let mut path = all.to_owned();
        loop {
            let list = read(&mut connected, &olga, &path);
            for one in list["items"].as_array().expect("items") {
                assert_eq!(one["amount"], "10", "{kind}");
                assert_eq!(one["currency"], "USDC", "{kind}");
                assert_eq!(one["destination"], connected.wallet.to_string(), "{kind}");
                found.push(one["address"].as_str().expect("an address").to_owned());
            }
            let Some(next) = list["next"].as_str() else {
                break;
            };
            path = format!("{all}&after={next}");
        }
        assert_eq!(found, expected, "{kind}");
    });
}

#[test]
fn an_unknown_chain_and_a_cursor_that_is_none_are_refused() {
    Connected::each(|kind, mut connected| {
        let (_, olga) = operator(&mut connected.world);
        for (path, refusal) in [
            ("10/unswept-proxies", "404 NOT_FOUND"),
            ("8453/unswept-proxies?after=x", "400 UNKNOWN_VALUE after"),
            (
                "8453/unswept-proxies?after=x.y.z",
                "400 UNKNOWN_VALUE after",
            ),
            ("8453/unswept-proxies?limit=0", "400 OUT_OF_RANGE limit"),
        ] {
            let path = format!("/v1/installation/chains/{path}");
            let answer = connected.world.session(&olga, "GET", &path, Value::Null);
            assert_eq!(answer.refusal(), refusal, "{kind}: {path}");
        }
    });
}
