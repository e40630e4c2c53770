//! `GET /partners/accounts/{account_ref}/balances`.

use serde_json::{Value, json};
use settlekit_tests::world::{WALLET, World};

const PATH: &str = "/v1/partners/accounts/till/balances";

#[test]
fn partner_balances_list_available_amounts_and_values() {
    World::each(|kind, mut world| {
        let partner = world.shop("Partner", None);
        let shop = world.shop("Shop", Some(partner.id));
        let till = world.account(&shop, "till", 8453, &["USDC", "ETH"]);
        world.deposit(&shop, till, 8453, "USDC", "100");
        let payout = json!({ "account": "till", "amount": "40", "currency": "USDC", "chain_id": 8453, "address": WALLET });
        world.create(&shop, "/v1/payouts", payout);
        let chains = world.read(&shop, "/v1/chains");
        let base = chains.as_array().into_iter().flatten();
        let base = base.clone().find(|chain| chain["id"] == 8453);
        let assets = base.expect("Base")["assets"].as_array().expect("assets");
        let usdc = assets.iter().find(|asset| asset["symbol"] == "USDC");
        let token = &usdc.expect("USDC")["token_address"];
        let chain = json!({ "id": 8453, "name": "Base", "native_currency_symbol": "ETH" });
        let expected = json!({ "balances": [
            { "account_id": till, "currency": "ETH", "chain": chain, "amount": "0", "amount_usd": "0.00" },
            { "account_id": till, "currency": "USDC", "token_address": token, "chain": chain,
                "amount": "59.98", "amount_usd": "59.98" },
        ] });
        for (who, on_behalf) in [(&shop, None), (&partner, Some(shop.id))] {
            let read = world.signed(who, on_behalf, "GET", PATH, Value::Null);
            assert_eq!(*read.data(), expected, "{kind}: {}", read.body);
        }
    });
}

#[test]
fn partner_balances_need_a_partner_and_a_signature() {
    World::each(|kind, mut world| {
        let partner = world.shop("Partner", None);
        let shop = world.shop("Shop", Some(partner.id));
        let stranger = world.shop("Stranger", None);
        world.account(&shop, "till", 8453, &["USDC"]);
        for (who, on_behalf) in [
            (&stranger, Some(shop.id)),
            (&stranger, None),
            (&partner, None),
        ] {
            let refused = world.signed(who, on_behalf, "GET", PATH, Value::Null);
            assert_eq!(refused.refusal(), "404 NOT_FOUND", "{kind}");
        }
        let unsigned = world.keyed(&shop, "GET", PATH, Value::Null);
        assert_eq!(unsigned.refusal(), "401 SIGNATURE_MISSING", "{kind}");
    });
}
