//! `GET /trade/orders`.

use serde_json::json;
use settlekit_tests::world::{World, texts};

use super::{order, settle, trader};

#[test]
fn own_orders_are_listed_without_dry_runs() {
    World::each(|kind, mut world| {
        let (shop, _, _) = trader(&mut world);
        let other = world.otc_shop("Other");
        let trade = |world: &mut World, amount: &str, dry_run: bool| {
            let body = json!({ "amount": amount, "currency": "USDC", "to_currency": "ETH", "dry_run": dry_run });
            world
                .create(&shop, "/v1/trade/quicktrade", body)
                .data()
                .clone()
        };
        let settled = ["10", "20"].map(|amount| trade(&mut world, amount, false));
        settle(&mut world);
        trade(&mut world, "40", true);
        let open = trade(&mut world, "30", false);
        let placed = [settled[0].clone(), settled[1].clone(), open];
        let each = placed.map(|placed| order(&mut world, &shop, &placed));
        let listed = world.list(&shop, "/v1/trade/orders");
        assert_eq!(listed, each, "{kind}");
        assert_eq!(
            texts(&listed, "status"),
            ["Settled", "Settled", "Open"],
            "{kind}"
        );
        assert!(world.list(&other, "/v1/trade/orders").is_empty(), "{kind}");
    });
}
