//! `POST /accounts/{account}/pay-in-addresses`.

use serde_json::json;
use settlekit_tests::world::{World, text};

use super::{chains, virtual_account};

#[test]
fn a_permanent_address_accepts_any_number_of_payments() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let account = virtual_account(&mut world, &shop, "till").data().clone();
        let path = "/v1/accounts/till/pay-in-addresses";
        let wanted = json!({ "chain_id": 8453, "reference": "vip" });
        let unsigned = world.keyed(&shop, "POST", path, wanted.clone());
        assert_eq!(unsigned.refusal(), "401 SIGNATURE_MISSING", "{kind}");
        let made = world.create(&shop, path, wanted);
        assert_eq!(made.data()["account_id"], chains(&account)[1].1, "{kind}");
        let elsewhere = world.signed(&shop, None, "POST", path, json!({ "chain_id": 137 }));
        assert_eq!(elsewhere.refusal(), "422 NOT_SUPPORTED chain_id", "{kind}");
        let of_nobody =
            json!({ "chain_id": 1, "customer_id": "cus_019cade5a0007000800000000000dead" });
        let of_nobody = world.signed(&shop, None, "POST", path, of_nobody);
        assert_eq!(
            of_nobody.refusal(),
            "422 REFERENCE_UNKNOWN customer_id",
            "{kind}"
        );

        let address = text(made.data(), "address");
        for number in 1..=2 {
            world.observe_deposit(&address, &format!("0xdeed{number}"), "1500000", 3);
        }
        let movements = world.read(&shop, "/v1/accounts/till/movement");
        assert_eq!(movements["total"], 2, "{kind}");
        assert_eq!(movements["items"][0]["status"], "Confirmed", "{kind}");
        let listed = world.read(&shop, path);
        assert_eq!(listed["items"][0]["address"], *address, "{kind}");
    });
}
