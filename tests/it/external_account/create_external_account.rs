//! `POST /accounts/external-account`.

use std::time::Duration;

use serde_json::{Value, json};
use settlekit_tests::world::{WALLET, World};

use crate::payout::shop;

#[test]
fn a_destination_shows_hints_only_and_cannot_be_used_once_removed() {
    World::each(|kind, mut world| {
        let shop = shop(&mut world, "10");
        let path = "/v1/accounts/external-account";
        let wallet = json!({ "type": "Digital", "reference": "cold", "address": WALLET, "chain_id": 8453, "currencies": ["USDC"] });
        let made = world.create(&shop, path, wallet.clone());
        let again = world.signed(&shop, None, "POST", path, wallet);
        assert_eq!(again.refusal(), "409 ALREADY_EXISTS reference", "{kind}");
        let bank = json!({ "type": "Fiat", "currencies": ["EUR"], "payment_rail": "SEPA", "country": "DE",
            "beneficiary_type": "individual", "account_holder_name": "Ada Lovelace", "account_number": "DE89370400440532013000" });
        let bank = world.signed(&shop, None, "POST", path, bank);
        assert_eq!(bank.data()["account_holder_name_hint"], "A…", "{kind}");
        assert_eq!(bank.data()["account_number_hint"], "…3000", "{kind}");
        let listed = world.keyed(&shop, "GET", path, Value::Null);
        let events = world.keyed(&shop, "GET", "/v1/events", Value::Null);
        for shown in [&bank, &listed, &events] {
            let text = shown.body.to_string();
            assert!(
                !text.contains("Lovelace") && !text.contains("0532013"),
                "{kind}: {text}"
            );
        }

        let body = |id: &Value| json!({ "account": "till", "amount": "1", "currency": "USDC", "external_account_id": id });
        let id = made.data()["id"].clone();
        let paid = world.create(&shop, "/v1/payouts", body(&id));
        let sent_to = &paid.data()["payout_splits"][0];
        assert_eq!(sent_to["reference"], "cold", "{kind}: its account");
        assert_eq!(sent_to["address"], made.data()["address"], "{kind}");
        let to_bank = world.signed(&shop, None, "POST", "/v1/payouts", body(&bank.data()["id"]));
        assert_eq!(
            to_bank.refusal(),
            "422 NOT_SUPPORTED external_account_id",
            "{kind}"
        );
        let one = format!("{path}/{id}");
        let removed = world.keyed(&shop, "DELETE", &one, Value::Null);
        assert_eq!(removed.data()["enabled"], false, "{kind}");
        assert_eq!(
            world.keyed(&shop, "DELETE", &one, Value::Null).refusal(),
            "404 NOT_FOUND",
            "{kind}"
        );
        let refused = world.signed(&shop, None, "POST", "/v1/payouts", body(&id));
        assert_eq!(
            refused.refusal(),
            "422 REFERENCE_UNKNOWN external_account_id",
            "{kind}"
        );
        // Pending payouts continue.
        world.work();
        world.pass_and_work(Duration::from_secs(10));
        let path = format!("/v1/payments/{}", paid.id());
        assert_eq!(
            world.keyed(&shop, "GET", &path, Value::Null).data()["status"],
            "Confirmed",
            "{kind}"
        );
    });
}
