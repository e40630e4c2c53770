//! Accounts on test networks at a paylink of a live service.

use serde_json::{Value, json};
use settlekit_service::operator::OperatorError;
use settlekit_tests::chain::{Connected, MemoryChain};
use settlekit_tests::world::{Answer, Shop, World, number};

/// The test network.
const TEST: i64 = 8453;

/// The chain whose money has value.
const REAL: i64 = 10;

/// A live service on a test network and on a real chain, with a shop that has no account.
fn each(test: impl Fn(&str, Connected, Shop)) {
    Connected::each(|kind, mut connected| {
        connected.is_test = true;
        connected.connect();
        let base = std::mem::replace(&mut connected.chain, MemoryChain::optimism());
        connected.is_test = false;
        connected.connect();
        connected.chain = base;
        let shop = connected.world.shop("Shop", None);
        test(kind, connected, shop);
    });
}

fn create_link(world: &mut World, shop: &Shop, accounts: &Value) -> Answer {
    let mut body = json!({ "amount": "5", "currency": "USDC", "name": "Tea" });
    for (name, value) in accounts.as_object().expect("fields") {
        body[name] = value.clone();
    }
    world.keyed(shop, "POST", "/v1/paylinks", body)
}

fn link(world: &mut World, shop: &Shop, accounts: &Value) -> String {
    let created = create_link(world, shop, accounts);
    assert_eq!(created.status, 201, "{}", created.body);
    created.id()
}

/// The chains that a paylink offers.
fn offered(world: &mut World, link: &str) -> Vec<i64> {
    let page = world.public("GET", &format!("/v1/checkout/{link}"), Value::Null);
    let options = page.data()["options"].as_array().expect("options").iter();
    let mut chains: Vec<i64> = options
        .map(|option| number(&option["chain"], "id"))
        .collect();
    chains.sort_unstable();
    chains
}

fn start(world: &mut World, link: &str, chain: i64) -> Answer {
    let chosen = json!({ "chain_id": chain, "currency": "USDC" });
    world.public("POST", &format!("/v1/checkout/{link}/payments"), chosen)
}

#[test]
fn a_paylink_takes_no_money_of_a_test_network_once_there_is_an_account_on_a_real_chain() {
    each(|kind, mut connected, shop| {
        let world = &mut connected.world;
        let till = world.account(&shop, "till", TEST, &["USDC"]);
        let open = link(world, &shop, &json!({}));
        // The operator tries the product.
        assert_eq!(offered(world, &open), [TEST], "{kind}");
        assert_eq!(start(world, &open, TEST).status, 201, "{kind}");
        world.account(&shop, "shop", REAL, &["USDC"]);
        assert_eq!(offered(world, &open), [REAL], "{kind}: the same link");
        let refused = start(world, &open, TEST);
        assert_eq!(refused.refusal(), "422 NOT_SUPPORTED currency", "{kind}");
        assert_eq!(start(world, &open, REAL).status, 201, "{kind}");
        let named = link(world, &shop, &json!({ "account_ids": [till] }));
        assert_eq!(offered(world, &named), [TEST], "{kind}");
        assert_eq!(start(world, &named, TEST).status, 201, "{kind}");
    });
}

#[test]
fn reconnecting_a_test_network_without_the_option_is_refused() {
    each(|kind, mut connected, shop| {
        for chain in [TEST, REAL] {
            connected.world.account(&shop, "till", chain, &["USDC"]);
        }
        let open = link(&mut connected.world, &shop, &json!({}));
        // Another node, and the option left out.
        connected.is_test = false;
        let refused = connected.try_connect();
        let stays = OperatorError::IsTestNetwork(connected.chain.id);
        assert_eq!(refused, Err(stays), "{kind}");
        assert_eq!(offered(&mut connected.world, &open), [REAL], "{kind}");
        connected.is_test = true;
        connected.connect();
        assert_eq!(offered(&mut connected.world, &open), [REAL], "{kind}");
        connected.is_test = false;
        connected.clears_test_network = true;
        connected.connect();
        assert_eq!(offered(&mut connected.world, &open), [REAL, TEST], "{kind}");
    });
}

#[test]
fn a_deleted_account_on_a_real_chain_opens_no_test_network() {
    each(|kind, mut connected, shop| {
        let world = &mut connected.world;
        world.account(&shop, "till", TEST, &["USDC"]);
        let real = world.account(&shop, "shop", REAL, &["USDC"]);
        let open = link(world, &shop, &json!({}));
        assert_eq!(offered(world, &open), [REAL], "{kind}");
        let path = format!("/v1/accounts/{real}");
        let deleted = world.keyed(&shop, "DELETE", &path, Value::Null);
        assert_eq!(deleted.status, 200, "{kind}: {}", deleted.body);
        assert_eq!(offered(world, &open), [0_i64; 0], "{kind}");
        assert_eq!(start(world, &open, TEST).status, 422, "{kind}");
        let refused = create_link(world, &shop, &json!({}));
        assert_eq!(refused.refusal(), "422 NOT_SUPPORTED currency", "{kind}");
    });
}

#[test]
fn a_reference_names_no_account_on_a_test_network() {
    each(|kind, mut connected, shop| {
        let world = &mut connected.world;
        for chain in [TEST, REAL] {
            world.account(&shop, "till", chain, &["USDC"]);
        }
        let by_reference = link(world, &shop, &json!({ "account_ref": "till" }));
        assert_eq!(offered(world, &by_reference), [REAL], "{kind}");
        world.account(&shop, "trial", TEST, &["USDC"]);
        let refused = create_link(world, &shop, &json!({ "account_ref": "trial" }));
        assert_eq!(refused.refusal(), "422 NOT_SUPPORTED currency", "{kind}");
    });
}

#[test]
fn a_real_account_that_takes_nothing_now_opens_no_test_network() {
    each(|kind, mut connected, shop| {
        let world = &mut connected.world;
        let on = |chain: i64| json!({ "chain_id": chain, "currencies": ["USDC"] });
        let body = json!({ "reference": "till", "chains": [on(TEST), on(REAL)] });
        let till = world.post(&shop, "/v1/accounts/virtual", body).id_number();
        let links = [
            link(world, &shop, &json!({})),
            link(world, &shop, &json!({ "account_ids": [till] })),
        ];
        for link in &links {
            assert_eq!(offered(world, link), [REAL], "{kind}");
        }
        let disable = json!({ "disable_chains": [REAL] });
        let disabled = world.keyed(&shop, "PATCH", "/v1/accounts/virtual", disable);
        assert_eq!(disabled.status, 200, "{kind}: {}", disabled.body);
        for link in &links {
            assert_eq!(offered(world, link), [0_i64; 0], "{kind}");
            assert_eq!(start(world, link, TEST).status, 422, "{kind}");
        }
    });
}

#[test]
fn an_invoice_is_not_paid_with_money_of_a_test_network() {
    each(|kind, mut connected, shop| {
        let world = &mut connected.world;
        world.account(&shop, "till", TEST, &["USDC"]);
        let plan = json!({ "name": "Tea club", "price": "5", "currency": "USDC", "type": "Recurring", "recurring_interval": "Month" });
        let plan = world.post(&shop, "/v1/plan", plan).id();
        let customer = world.customer(&shop, json!({ "email": "ada@tea.example" }));
        let subscribed = json!({ "customer_id": customer, "plan_ids": [plan] });
        world.post(&shop, "/v1/subscriptions", subscribed);
        let invoice = world.list(&shop, "/v1/invoices").remove(0);
        let link = invoice["properties"]["payment_link_id"].as_str();
        let link = link.expect("a link").to_owned();
        assert_eq!(offered(world, &link), [TEST], "{kind}");
        world.account(&shop, "shop", REAL, &["USDC"]);
        assert_eq!(offered(world, &link), [REAL], "{kind}");
    });
}
