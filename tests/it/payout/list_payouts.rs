//! `GET /payouts`.

use serde_json::{Value, json};
use settlekit_tests::world::{World, text, texts};

use super::{payout, shop};

#[test]
fn payouts_are_listed_without_incoming_payments() {
    World::each(|kind, mut world| {
        let shop = shop(&mut world, "100");
        let other = world.shop("Other", None);
        let taken = json!({ "amount": "5", "currency": "USDC", "chain_id": 8453 });
        world.create(&shop, "/v1/payments", taken);
        let sent = ["1", "2"].map(|amount| payout(&mut world, &shop, amount).id());
        world.settle();
        let waiting = payout(&mut world, &shop, "3").id();
        let listed = world.list(&shop, "/v1/payouts");
        let ids = [&sent[..], &[waiting]].concat();
        assert_eq!(texts(&listed, "id"), ids, "{kind}");
        assert_eq!(texts(&listed, "amount"), ["1", "2", "3"], "{kind}");
        assert_eq!(
            texts(&listed, "status"),
            ["Confirmed", "Confirmed", "Pending"],
            "{kind}"
        );
        for payout in &listed {
            let path = format!("/v1/payments/{}", text(payout, "id"));
            let mut read = world.read(&shop, &path);
            let fields = read.as_object_mut().expect("a payout");
            // Lists are without them.
            fields.retain(|name, _| {
                !["gross_amount", "fee_amount", "net_amount"].contains(&name.as_str())
            });
            assert_eq!(read, *payout, "{kind}");
        }
        let has_transaction = |payout: &Value| payout["settlement_transaction"].is_object();
        let sent: Vec<bool> = listed.iter().map(has_transaction).collect();
        assert_eq!(sent, [true, true, false], "{kind}");
        assert!(world.list(&other, "/v1/payouts").is_empty(), "{kind}");
    });
}
