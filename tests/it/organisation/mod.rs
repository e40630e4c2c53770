//! Organisations.

mod correction;
mod fees;
mod get_organisation;
mod get_signing_secret;
mod rotate_signing_secret;
mod rotate_webhook_key;
mod suspension;
mod update_organisation;

use serde_json::Value;
use settlekit_core::value::AccountId;
use settlekit_service::step::{Command, Reply};
use settlekit_tests::world::{Answer, Shop, World, text};

const SIGNING_SECRET: &str = "/v1/orgs/signing-secret";

pub(crate) fn set_fees(
    world: &mut World,
    shop: &Shop,
    account: i64,
    payin: &str,
    payout: &str,
) -> Reply {
    world.call(Command::SetFees {
        organisation: shop.id,
        account: AccountId::new(account).expect("an id"),
        payin: Some(payin.into()),
        payout: Some(payout.into()),
    })
}

/// Type, direction and amount of an account's movements, the oldest first.
pub(crate) fn ledger(world: &mut World, shop: &Shop, account: i64) -> Vec<String> {
    let path = format!("/v1/accounts/{account}/movement?sort=asc");
    let listed = world.keyed(shop, "GET", &path, Value::Null);
    let text = |item: &Value, name: &str| item[name].as_str().unwrap_or("-").to_owned();
    let items = listed.items().to_vec();
    items
        .iter()
        .map(|item| {
            format!(
                "{} {} {}",
                text(item, "type"),
                text(item, "direction"),
                text(item, "amount")
            )
        })
        .collect()
}

/// Reads the signing secret with a signed call, which proves that the secret verifies.
pub(crate) fn signed(world: &mut World, shop: &Shop) -> Answer {
    world.signed(
        shop,
        None,
        "GET",
        "/v1/partners/accounts/nobodys",
        Value::Null,
    )
}

pub(crate) fn rotate(world: &mut World, shop: &Shop, body: Value) -> Shop {
    let rotated = world.signed(shop, None, "PATCH", SIGNING_SECRET, body);
    assert_eq!(rotated.status, 200, "{}", rotated.body);
    Shop {
        secret: text(rotated.data(), "signing_secret"),
        ..shop.clone()
    }
}
