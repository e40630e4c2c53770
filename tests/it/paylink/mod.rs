//! Paylinks.

mod create_paylink;
mod delete_paylink;
mod get_paylink;
mod list_paylinks;
mod stock;
mod update_paylinks;

use serde_json::json;
use settlekit_tests::world::{Shop, World};

pub(crate) fn link(world: &mut World, shop: &Shop, name: &str) -> String {
    let body =
        json!({ "amount": "5", "currency": "USDC", "name": name, "metadata": { "table": "7" } });
    world.post(shop, "/v1/paylinks", body).id()
}
