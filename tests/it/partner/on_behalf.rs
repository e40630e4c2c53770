//! Requests of a partner on behalf of its sub-merchant.

use serde_json::Value;
use settlekit_core::header;
use settlekit_tests::world::World;

#[test]
fn a_partner_reads_the_movements_of_its_merchant_and_signs_for_it() {
    World::each(|kind, mut world| {
        let partner = world.shop("Partner", None);
        let shop = world.shop("Shop", Some(partner.id));
        let stranger = world.shop("Stranger", None);
        let account = world.account(&shop, "till", 8453, &["USDC"]);
        world.deposit(&shop, account, 8453, "USDC", "5");
        let path = "/v1/accounts/till/movement";
        let read = world.signed(&partner, Some(shop.id), "GET", path, Value::Null);
        assert_eq!(read.data()["items"][0]["amount"], "5", "{kind}");
        let other = world.signed(&stranger, Some(shop.id), "GET", path, Value::Null);
        assert_eq!(other.refusal(), "404 NOT_FOUND", "{kind}");
        let mut unsigned = world.sign(&partner, Some(shop.id), "GET", path, &Value::Null);
        unsigned
            .headers
            .retain(|(name, _)| name != header::SIGNATURE);
        let unsigned = world.send(unsigned);
        assert_eq!(unsigned.refusal(), "401 SIGNATURE_MISSING", "{kind}");
        let own = world.keyed(&partner, "GET", path, Value::Null);
        assert_eq!(own.refusal(), "404 NOT_FOUND", "{kind}: of another account");
    });
}
