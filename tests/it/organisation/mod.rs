//! Organisations.

mod correction;
mod fees;
mod get_organisation;
mod rotate_webhook_key;
mod suspension;
mod update_organisation;

use std::time::Duration;

use serde_json::Value;
use settlekit_core::value::AccountId;
use settlekit_service::step::{Command, Reply};
use settlekit_tests::world::{Shop, World};

pub(crate) const WALLET: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

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

pub(crate) fn settle(world: &mut World) {
    for _ in 0..4 {
        world.work();
        world.pass(Duration::from_secs(10));
    }
    world.work();
}

/// Type, direction and amount of an account's movements, oldest first.
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
