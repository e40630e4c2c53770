//! `POST /sessions/step-up`.

use std::time::Duration;

use serde_json::{Value, json};
use settlekit_core::header;
use settlekit_tests::world::{PASSWORD, SignedIn, WALLET, World, request, text};

#[test]
fn every_outflow_in_a_session_needs_step_up() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let till = world.account(&shop, "till", 8453, &["USDC", "ETH"]);
        world.deposit(&shop, till, 8453, "USDC", "100");
        let owner = world.sign_in(&shop, "owner@example.com");
        let trade = json!({ "amount": "20", "currency": "USDC", "to_currency": "ETH", "settlement_address": WALLET });
        let share = json!({ "reference": "shared", "chains": [{ "chain_id": 8453, "currencies": ["USDC"] }],
            "deposit_splits": [{ "address": WALLET, "pct": "5" }] });
        let wish = format!(
            "/v1/trade/quote?sell_currency=USDC&sell_amount=20&buy_currency=ETH&settlement_address={WALLET}"
        );
        let held = world.session(&owner, "GET", &wish, Value::Null);
        let held = held.id();
        let accept = format!("/v1/trade/quote/{held}/accept");
        let acts = [
            ("/v1/trade/quicktrade", trade),
            ("/v1/accounts/virtual", share),
            (accept.as_str(), json!({})),
        ];
        let headers = |of: &str| {
            let key = (header::IDEMPOTENCY_KEY.to_owned(), format!("once {of}"));
            [owner.headers(), vec![key]].concat()
        };
        for (path, body) in &acts {
            let refused = world.send(request("POST", path, body, headers(path)));
            assert_eq!(refused.refusal(), "401 STEP_UP_REQUIRED", "{kind} {path}");
        }
        // A trade that stays within the service needs no step-up.
        let own = json!({ "amount": "20", "currency": "USDC", "to_currency": "ETH" });
        let own = world.session(&owner, "POST", "/v1/trade/quicktrade", own);
        assert_eq!(own.status, 201, "{kind}: {}", own.body);
        let proof = json!({ "password": PASSWORD });
        let proof = world.session(&owner, "POST", "/v1/sessions/step-up", proof);
        let token = text(proof.data(), "token");
        for (path, body) in &acts {
            let mut headers = headers(path);
            headers.push((header::STEP_UP.to_owned(), token.clone()));
            let done = world.send(request("POST", path, body, headers));
            assert_eq!(done.status, 201, "{kind} {path}: {}", done.body);
        }
    });
}

#[test]
fn a_step_up_token_is_valid_for_one_session_and_five_minutes() {
    const SECRET: &str = "/v1/orgs/signing-secret";
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let owner = world.sign_in(&shop, "owner@example.com");
        let elsewhere = world.sign_in_again("owner@example.com");
        let prove = |world: &mut World, who: &SignedIn| {
            let password = json!({ "password": PASSWORD });
            let proof = world.session(who, "POST", "/v1/sessions/step-up", password);
            text(proof.data(), "token")
        };
        let read = |world: &mut World, who: &SignedIn, token: &str| {
            let mut headers = who.headers();
            headers.push((header::STEP_UP.to_owned(), token.to_owned()));
            let answer = world.send(request("GET", SECRET, &Value::Null, headers));
            if answer.status == 200 {
                "200".to_owned()
            } else {
                answer.refusal()
            }
        };
        let missing = "401 STEP_UP_REQUIRED";
        let token = prove(&mut world, &owner);
        assert_eq!(read(&mut world, &owner, &token), "200", "{kind}");
        assert_eq!(read(&mut world, &elsewhere, &token), missing, "{kind}");
        world.pass(Duration::from_secs(5 * 60 - 1));
        assert_eq!(read(&mut world, &owner, &token), "200", "{kind}");
        world.pass(Duration::from_secs(1));
        assert_eq!(read(&mut world, &owner, &token), missing, "{kind}");
        let next = prove(&mut world, &owner);
        assert_eq!(read(&mut world, &owner, &token), missing, "{kind}");
        assert_eq!(read(&mut world, &owner, &next), "200", "{kind}");
    });
}
