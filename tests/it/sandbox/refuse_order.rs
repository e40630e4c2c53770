//! `POST /sandbox/order-refusals`.

use serde_json::{Value, json};
use settlekit_tests::world::{Shop, World};

use crate::trade::{accept, balance, order, quote, settle, status, trader};

fn refuse(world: &mut World, shop: &Shop, order: &Value) -> settlekit_tests::world::Answer {
    let body = json!({ "order_id": order["order_id"] });
    world.keyed(shop, "POST", "/v1/sandbox/order-refusals", body)
}

const BALANCE: &str = "sell_currency=USDC&sell_amount=100&buy_currency=ETH&deposit_method=Balance";

#[test]
fn a_refused_order_sells_nothing_and_releases_its_money() {
    World::each(|kind, mut world| {
        let (shop, ..) = trader(&mut world);
        for is_at_the_venue in [false, true] {
            let wanted = quote(&mut world, &shop, BALANCE);
            let made = accept(&mut world, &shop, &wanted).expect("an order");
            let reserved = balance(&mut world, &shop, 8453, "USDC");
            assert_eq!(reserved, ("1000".into(), "900".into()), "{kind}");
            if is_at_the_venue {
                world.work();
                assert_eq!(status(&mut world, &shop, &made), "Processing", "{kind}");
            }
            let refused = refuse(&mut world, &shop, &made);
            assert_eq!(refused.status, 200, "{kind}: {}", refused.body);
            let refused = refused.data().clone();
            assert_eq!(
                (&refused["status"], &refused["reason"]),
                (&json!("Failed"), &json!("VenueRefused")),
                "{kind}"
            );
            let event = world.read(&shop, "/v1/events?type=Transaction&action=Updated&limit=1");
            assert_eq!(event["items"][0]["data"], refused, "{kind}");
            settle(&mut world);
            assert_eq!(order(&mut world, &shop, &made), refused, "{kind}");
            let released = balance(&mut world, &shop, 8453, "USDC");
            assert_eq!(released, ("1000".into(), "1000".into()), "{kind}");
            assert_eq!(balance(&mut world, &shop, 8453, "ETH").0, "0", "{kind}");
        }
        assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn only_an_own_order_with_reserved_money_is_refused() {
    World::each(|kind, mut world| {
        let (shop, ..) = trader(&mut world);
        let stranger = world.shop("Stranger", None);
        let query = "sell_currency=USDC&sell_amount=1500&buy_currency=ETH";
        let wanted = quote(&mut world, &shop, query);
        let unpaid = accept(&mut world, &shop, &wanted).expect("an order");
        world.work();
        let forbidden = refuse(&mut world, &shop, &unpaid).refusal();
        assert_eq!(
            forbidden, "409 STATE_FORBIDS",
            "{kind}: nothing is reserved"
        );
        let wanted = quote(&mut world, &shop, BALANCE);
        let made = accept(&mut world, &shop, &wanted).expect("an order");
        let foreign = refuse(&mut world, &stranger, &made).refusal();
        assert_eq!(foreign, "422 REFERENCE_UNKNOWN order_id", "{kind}");
        settle(&mut world);
        assert_eq!(status(&mut world, &shop, &made), "Settled", "{kind}");
        let late = refuse(&mut world, &shop, &made).refusal();
        assert_eq!(late, "409 STATE_FORBIDS", "{kind}: it is settled");
        assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");
    });
}
