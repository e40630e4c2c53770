//! Properties of all operations.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use settlekit_core::PREFIX;
use settlekit_core::catalogue::{CATALOGUE, Description};
use settlekit_core::operation::{Auth, Wire};
use settlekit_core::value::reference::RESERVED;
use settlekit_service::routed;
use settlekit_tests::database;
use settlekit_tests::world::{WALLET, World, request, text};

/// A path with a plausible value for each parameter.
fn filled(description: &Description) -> String {
    let uuid = "019cade5a0007000800000000000dead";
    let mut path = format!("{PREFIX}{}", description.path);
    for name in description.path_params {
        let value = match *name {
            "account" | "automation_id" | "external_account_id" | "movement_id" => {
                "987654321".to_owned()
            }
            "account_ref" => "nobodys-reference".to_owned(),
            "chain_id" => "8453".to_owned(),
            "currency" => "ETH".to_owned(),
            "customer_id" => format!("cus_{uuid}"),
            "event_id" => format!("evt_{uuid}"),
            "invoice_id" => format!("inv_{uuid}"),
            "key_id" => format!("key_{uuid}"),
            "name" => "MetaMask".to_owned(),
            "note_id" => format!("note_{uuid}"),
            "order_id" => format!("ord_{uuid}"),
            "paylink_id" => format!("pl_{uuid}"),
            "payment_id" => format!("pay_{uuid}"),
            "plan_id" => format!("plan_{uuid}"),
            "quote_id" => format!("quo_{uuid}"),
            "replay_id" => format!("rpl_{uuid}"),
            "saved_view_id" => format!("sv_{uuid}"),
            "subscription_id" => format!("sub_{uuid}"),
            "transaction_id" => "987654321".to_owned(),
            "user_id" => format!("usr_{uuid}"),
            other => panic!("{}: the parameter {other} has no example", description.id),
        };
        path = path.replace(&format!("{{{name}}}"), &value);
    }
    path
}

#[test]
fn every_operation_of_the_catalogue_has_a_handler() {
    let missing: Vec<&str> = CATALOGUE
        .iter()
        .filter(|description| !routed(description))
        .map(|description| description.id)
        .collect();
    assert_eq!(missing, Vec::<&str>::new());
}

#[test]
fn every_operation_has_tests_in_the_file_of_its_name() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("it");
    let mut missing = Vec::new();
    for description in CATALOGUE {
        let name = description.id.char_indices().map(|(at, letter)| {
            let joint = if at > 0 && letter.is_uppercase() {
                "_"
            } else {
                ""
            };
            format!("{joint}{}", letter.to_ascii_lowercase())
        });
        let name: String = name.collect();
        let room = folder.join(description.room);
        let read = |file: &str| fs::read_to_string(room.join(file)).unwrap_or_default();
        let text = read(&format!("{name}.rs"));
        let head = format!("//! `{} {}`", description.method, description.path);
        let is_compiled = read("mod.rs").contains(&format!("\nmod {name};\n"));
        if !is_compiled || !text.starts_with(&head) || !text.contains("#[test]") {
            missing.push(format!("{}/{name}.rs with {head}", description.room));
        }
    }
    assert_eq!(missing, Vec::<String>::new());
}

#[test]
fn operations_have_unique_paths_and_ids() {
    let mut lines: Vec<String> = CATALOGUE
        .iter()
        .map(|description| format!("{} {}", description.method, description.path))
        .collect();
    let mut names: Vec<&str> = CATALOGUE.iter().map(|description| description.id).collect();
    for list in [lines.len(), names.len()] {
        assert_eq!(list, CATALOGUE.len());
    }
    lines.sort();
    lines.dedup();
    names.sort_unstable();
    names.dedup();
    assert_eq!(
        (lines.len(), names.len()),
        (CATALOGUE.len(), CATALOGUE.len())
    );
}

#[test]
fn every_non_public_operation_refuses_a_missing_key() {
    let mut world = World::new(database::sqlite());
    for description in CATALOGUE
        .iter()
        .filter(|description| description.auth != Auth::Public)
    {
        let answer = world.public(description.method.as_str(), &filled(description), json!({}));
        let expected = if description.auth == Auth::Session {
            "401 SESSION_INVALID"
        } else {
            "401 CREDENTIALS_MISSING"
        };
        assert_eq!(answer.refusal(), expected, "{}", description.id);
    }
}

#[test]
fn every_non_public_operation_refuses_a_wrong_key() {
    let mut world = World::new(database::sqlite());
    for description in CATALOGUE
        .iter()
        .filter(|description| matches!(description.auth, Auth::Key | Auth::Signed))
    {
        let headers = vec![("x-api-key".to_owned(), "sk_nobodys".to_owned())];
        let answer = world.send(request(
            description.method.as_str(),
            &filled(description),
            &json!({}),
            headers,
        ));
        assert_eq!(answer.refusal(), "401 KEY_INVALID", "{}", description.id);
    }
}

#[test]
fn every_signed_operation_refuses_an_unsigned_call() {
    let mut world = World::new(database::sqlite());
    let shop = world.shop("Shop", None);
    for description in CATALOGUE
        .iter()
        .filter(|description| description.auth == Auth::Signed)
    {
        let answer = world.keyed(
            &shop,
            description.method.as_str(),
            &filled(description),
            json!({}),
        );
        assert_eq!(
            answer.refusal(),
            "401 SIGNATURE_MISSING",
            "{}",
            description.id
        );
    }
}

#[test]
fn every_sensitive_operation_requires_step_up_of_a_session() {
    let mut world = World::new(database::sqlite());
    let shop = world.shop("Shop", None);
    let ada = world.sign_in(&shop, "ada@shop.example");
    let mut asked = 0;
    for description in CATALOGUE.iter().filter(|description| description.step_up) {
        let answer = world.session(
            &ada,
            description.method.as_str(),
            &filled(description),
            json!({}),
        );
        assert_eq!(
            answer.refusal(),
            "401 STEP_UP_REQUIRED",
            "{}",
            description.id
        );
        asked += 1;
    }
    assert!(asked >= 4);
}

#[test]
fn every_change_by_a_session_requires_the_csrf_token() {
    let mut world = World::new(database::sqlite());
    let shop = world.shop("Shop", None);
    let ada = world.sign_in(&shop, "ada@shop.example");
    for description in CATALOGUE
        .iter()
        .filter(|description| description.auth != Auth::Public && description.method != "GET")
    {
        let headers = vec![("cookie".to_owned(), ada.cookie.clone())];
        let answer = world.send(request(
            description.method.as_str(),
            &filled(description),
            &json!({}),
            headers,
        ));
        assert_eq!(answer.refusal(), "401 CSRF_INVALID", "{}", description.id);
    }
}

#[test]
fn every_operation_refuses_unknown_query_parameters() {
    let mut world = World::new(database::sqlite());
    let shop = world.shop("Shop", None);
    for description in CATALOGUE
        .iter()
        .filter(|description| description.auth == Auth::Key)
    {
        let target = format!("{}?no_such_parameter=1", filled(description));
        let answer = world.keyed(&shop, description.method.as_str(), &target, Value::Null);
        assert_eq!(answer.status, 400, "{}: {}", description.id, answer.body);
        assert!(
            answer.refusal().contains("UNKNOWN_FIELD no_such_parameter"),
            "{}: {}",
            description.id,
            answer.refusal()
        );
    }
}

#[test]
fn every_operation_refuses_unknown_body_fields() {
    let mut world = World::new(database::sqlite());
    let shop = world.shop("Shop", None);
    for description in CATALOGUE
        .iter()
        .filter(|description| description.auth == Auth::Key)
    {
        let answer = world.keyed(
            &shop,
            description.method.as_str(),
            &filled(description),
            json!({ "no_such_field": 1 }),
        );
        assert!(
            answer.refusal().contains("UNKNOWN_FIELD no_such_field"),
            "{}: {}",
            description.id,
            answer.refusal()
        );
    }
}

#[test]
fn every_list_refuses_limits_pages_and_dates_outside_their_range() {
    let rows = [
        ("limit=0", "400 OUT_OF_RANGE limit"),
        ("limit=101", "400 OUT_OF_RANGE limit"),
        ("limit=ten", "400 WRONG_TYPE limit"),
        ("limit=5&limit=6", "400 REPEATED limit"),
        ("page=0", "400 OUT_OF_RANGE page"),
        ("page=-1", "400 OUT_OF_RANGE page"),
        ("since=yesterday", "400 TIMESTAMP_MALFORMED since"),
        (
            "since=2026-03-02T00:00:00Z&until=2026-03-01T00:00:00Z",
            "400 RANGE_REVERSED since",
        ),
        ("sort=up", "400 UNKNOWN_VALUE sort"),
        (
            "limit=0&page=0&sort=up",
            "400 OUT_OF_RANGE limit, OUT_OF_RANGE page, UNKNOWN_VALUE sort",
        ),
    ];
    let mut world = World::new(database::sqlite());
    let shop = world.shop("Shop", None);
    let lists: Vec<&Description> = CATALOGUE
        .iter()
        .filter(|description| description.wire == Wire::List)
        .collect();
    assert!(lists.len() >= 8);
    let ada = world.sign_in(&shop, "ada@shop.example");
    for description in lists {
        for (query, refusal) in rows {
            let target = format!("{}?{query}", filled(description));
            let answer = if description.auth == Auth::Session {
                world.session(&ada, "GET", &target, Value::Null)
            } else {
                world.signed(&shop, None, "GET", &target, Value::Null)
            };
            assert_eq!(answer.refusal(), refusal, "{} {query}", description.id);
        }
    }
}

#[test]
fn records_of_other_organisations_are_not_found() {
    let mut world = World::new(database::sqlite());
    let shop = world.otc_shop("Shop");
    let stranger = world.otc_shop("Stranger");
    let account = world.account(&shop, "till", 8453, &["USDC", "ETH"]);
    let link = world
        .post(
            &shop,
            "/v1/paylinks",
            json!({ "amount": "5", "currency": "USDC", "name": "Tea" }),
        )
        .id();
    let payment = world
        .post(
            &shop,
            "/v1/payments",
            json!({ "amount": "5", "currency": "USDC", "chain_id": 8453 }),
        )
        .id();
    let event = text(&world.read(&shop, "/v1/events")["items"][0], "id");
    let key = text(&world.read(&shop, "/v1/api-keys")["items"][0], "id");
    let plan = text(&world.read(&shop, "/v1/plan")["items"][0], "id");
    let payer = json!({ "chain_id": 8453, "currency": "USDC", "email": "ada@tea.example" });
    world.public("POST", &format!("/v1/checkout/{link}/payments"), payer);
    let customers = world.read(&shop, "/v1/customers");
    let customer = text(&customers["items"][0], "id");
    let wallet = json!({ "type": "Digital", "address": WALLET,
        "chain_id": 8453, "currencies": ["USDC"] });
    let destination = world.signed(&shop, None, "POST", "/v1/accounts/external-account", wallet);
    let destination = destination.data()["id"].to_string();
    let club = json!({ "name": "Club", "price": "5", "currency": "USDC", "type": "Recurring", "recurring_interval": "Month" });
    let club = world.keyed(&shop, "POST", "/v1/plan", club).data()["id"].clone();
    let joined = json!({ "customer_id": customer, "plan_ids": [club] });
    let subscription = world.post(&shop, "/v1/subscriptions", joined).id();
    let invoices = world.read(&shop, "/v1/invoices");
    let invoice = text(&invoices["items"][0], "id");
    world.set_webhook_url(&shop, "http://127.0.0.1:9/hooks");
    let replay = world.post(&shop, "/v1/events/replays", json!({})).id();
    let keep = json!({ "currency": "USDC", "minimum_threshold_amount": 1, "payout_threshold_amount": 2,
        "payout_address": WALLET });
    let path = format!("/v1/partners/accounts/id/{account}/automations/maintain-balance");
    world.signed(&shop, None, "POST", &path, keep.clone());
    let automations = "/v1/partners/accounts/till/automations";
    let automations = world.signed(&shop, None, "GET", automations, Value::Null);
    let automation = automations.data()["items"][0]["id"].to_string();
    let target = "/v1/trade/quote?sell_currency=USDC&sell_amount=10&buy_currency=ETH";
    let quote = world.keyed(&shop, "GET", target, Value::Null).id();
    let accept = format!("/v1/trade/quote/{quote}/accept");
    let order = world.keyed(&shop, "POST", &accept, Value::Null);
    let order = text(order.data(), "order_id");
    world.deposit(&shop, account, 8453, "USDC", "3");
    let movements = world.keyed(&shop, "GET", "/v1/movements", Value::Null);
    let movement = movements.data()["items"][0]["id"]
        .as_i64()
        .unwrap_or_else(|| panic!("a movement: {}", movements.body))
        .to_string();
    let own = |name: &str| match name {
        "account" => account.to_string(),
        "account_ref" => "till".to_owned(),
        "automation_id" => automation.clone(),
        "customer_id" => customer.clone(),
        "event_id" => event.clone(),
        "external_account_id" => destination.clone(),
        "invoice_id" => invoice.clone(),
        "key_id" => key.clone(),
        "movement_id" => movement.clone(),
        "order_id" => order.clone(),
        "paylink_id" => link.clone(),
        "payment_id" => payment.clone(),
        "plan_id" => plan.clone(),
        "replay_id" => replay.clone(),
        "subscription_id" => subscription.clone(),
        "quote_id" => quote.clone(),
        other => panic!("the parameter {other} has no example"),
    };
    let mut tried = 0;
    // `member/` covers the operations for sessions only.
    for description in CATALOGUE.iter().filter(|description| {
        // Rates belong to no organisation.
        matches!(description.auth, Auth::Key | Auth::Signed)
            && !description.path_params.is_empty()
            && description.room != "rate"
    }) {
        let mut path = format!("{PREFIX}{}", description.path);
        for name in description.path_params {
            path = path.replace(&format!("{{{name}}}"), &own(name));
        }
        // The request is valid: only the owner is wrong.
        let body = match description.id {
            "CreatePayInAddress" => json!({ "chain_id": 8453 }),
            "ConvertBalance" => json!({
                "currency": "USDC", "to_currency": "ETH", "threshold_amount": 1, "max_cost_bps": 50,
            }),
            "MaintainBalance" => keep.clone(),
            "ProveOwnership" => json!({ "signature": format!("0x{}", "1b".repeat(65)) }),
            "UpdateAutomation" => json!({ "enabled": false }),
            _ => Value::Null,
        };
        let answer = world.signed(&stranger, None, description.method.as_str(), &path, body);
        assert_eq!(answer.refusal(), "404 NOT_FOUND", "{}", description.id);
        tried += 1;
    }
    assert!(tried >= 10, "only {tried} operations name something");
    // And no list of another organisation contains it.
    for description in CATALOGUE
        .iter()
        .filter(|description| description.wire == Wire::List && description.path_params.is_empty())
        .filter(|description| description.auth != Auth::Session)
    {
        let mine = world.read(&shop, &filled(description));
        let theirs = world.keyed(&stranger, "GET", &filled(description), Value::Null);
        for item in mine["items"].as_array().expect("items") {
            assert!(
                !theirs
                    .body
                    .to_string()
                    .contains(item["id"].to_string().trim_matches('"'))
                    || item["id"].is_i64(),
                "{}",
                description.id
            );
        }
    }
}

#[test]
fn reserved_references_are_the_literals_that_share_a_segment_with_a_parameter() {
    for description in CATALOGUE {
        let segments: Vec<&str> = description.path.split('/').collect();
        for other in CATALOGUE {
            let others: Vec<&str> = other.path.split('/').collect();
            for (own, literal) in segments.iter().zip(&others) {
                let reference = matches!(*own, "{account}" | "{account_ref}");
                let same_start = segments
                    .iter()
                    .zip(&others)
                    .take_while(|(left, right)| left == right)
                    .count();
                let meets = segments.get(same_start) == Some(own)
                    && others.get(same_start) == Some(literal);
                if reference && meets && !literal.starts_with('{') {
                    assert!(
                        RESERVED.contains(literal),
                        "{literal} can be confused with {own}"
                    );
                }
            }
        }
    }
}

#[test]
fn unknown_paths_and_methods_have_different_errors() {
    let mut world = World::new(database::sqlite());
    assert_eq!(
        world.public("GET", "/v1/nothing", Value::Null).refusal(),
        "404 PATH_UNKNOWN"
    );
    assert_eq!(
        world.public("GET", "/v1/accounts/", Value::Null).refusal(),
        "404 PATH_UNKNOWN"
    );
    assert_eq!(
        world.public("DELETE", "/v1/orgs", Value::Null).refusal(),
        "405 METHOD_NOT_ALLOWED"
    );
    assert_eq!(
        world.public("OPTIONS", "/v1/orgs", Value::Null).refusal(),
        "405 METHOD_NOT_ALLOWED"
    );
    // `Allow` lists the methods of the path.
    let refused = world.public("DELETE", "/v1/orgs", Value::Null);
    assert_eq!(refused.header("allow"), Some("GET, PUT"));
    let unknown = world.public("DELETE", "/v1/nothing", Value::Null);
    assert_eq!(unknown.header("allow"), None);
}

#[test]
fn sandbox_operations_are_refused_in_live_mode() {
    let mut world = World::with(database::sqlite(), settlekit_service::Mode::Live);
    let shop = world.shop("Shop", None);
    for description in CATALOGUE.iter().filter(|description| description.sandbox) {
        let answer = world.keyed(
            &shop,
            description.method.as_str(),
            &filled(description),
            json!({}),
        );
        assert_eq!(answer.refusal(), "403 SANDBOX_ONLY", "{}", description.id);
    }
}
