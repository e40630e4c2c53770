//! Automations: balances that are kept between two thresholds or converted.

mod conversion_calls;
mod convert_balance;
mod delete_automation;
mod list_automations;
mod maintain_balance;
mod runs;
mod update_automation;

use serde_json::{Value, json};
use settlekit_tests::world::{Shop, WALLET, World, number, text};

/// A partner, its sub-merchant, and the sub-merchant's virtual account on two chains.
struct Pair {
    partner: Shop,
    shop: Shop,
    account: i64,
    below: Vec<i64>,
}

fn pair(world: &mut World) -> Pair {
    let partner = world.shop("Partner", None);
    let shop = world.shop("Shop", Some(partner.id));
    let body = json!({ "reference": "till", "chains": [{ "chain_id": 137, "currencies": ["USDC"] }, { "chain_id": 8453, "currencies": ["USDC"] }] });
    let made = world.post(&shop, "/v1/accounts/virtual", body);
    let below = made.data()["sub_accounts"].as_array().expect("accounts");
    Pair {
        account: made.id_number(),
        below: below.iter().map(|one| number(one, "id")).collect(),
        partner,
        shop,
    }
}

fn maintain(
    world: &mut World,
    pair: &Pair,
    minimum: u32,
    threshold: u32,
) -> settlekit_tests::world::Answer {
    let path = format!(
        "/v1/partners/accounts/id/{}/automations/maintain-balance",
        pair.account
    );
    let body = json!({ "currency": "USDC", "minimum_threshold_amount": minimum, "payout_address": WALLET, "payout_threshold_amount": threshold });
    world.signed(&pair.partner, Some(pair.shop.id), "POST", &path, body)
}

fn payouts(world: &mut World, pair: &Pair) -> Vec<String> {
    let listed = world.keyed(&pair.shop, "GET", "/v1/payouts?sort=asc", Value::Null);
    let items = listed.items();
    items
        .iter()
        .map(|item| format!("{} {}", text(item, "amount"), item["chain_id"]))
        .collect()
}

/// The automation of the till.
fn automation(world: &mut World, pair: &Pair) -> Value {
    let list = "/v1/partners/accounts/till/automations";
    let listed = world.signed(&pair.partner, Some(pair.shop.id), "GET", list, Value::Null);
    listed.data()["items"][0].clone()
}

fn path_of(automation: &Value) -> String {
    format!("/v1/partners/automations/{}", automation["id"])
}

fn low_balance_events(world: &mut World, pair: &Pair) -> Value {
    let log = "/v1/events?action=LowBalanceDetected";
    world.keyed(&pair.shop, "GET", log, Value::Null).data()["total"].clone()
}
