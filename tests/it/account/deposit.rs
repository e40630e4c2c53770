//! Deposits beyond the largest amount.

use serde_json::{Value, json};
use settlekit_tests::world::{World, text};

#[test]
fn a_deposit_above_the_largest_amount_fails() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let account = world.account(&shop, "till", 8453, &["USDC"]);
        let path = format!("/v1/accounts/{account}");
        let of_account = world.keyed(&shop, "GET", &path, Value::Null);
        let of_account = text(of_account.data(), "address");
        let body = json!({ "amount": "10", "currency": "USDC", "chain_id": 8453 });
        let payment = world.keyed(&shop, "POST", "/v1/payments", body);
        let of_payment = text(payment.data(), "deposit_address");
        let mut observe_deposit =
            |to: &str, hash: &str, units: &str| world.observe_deposit(to, hash, units, 3);
        // The account holds all that can be shown but for one unit, and then all.
        observe_deposit(&of_account, "0xfeed1", "79228162514264337593543950334");
        observe_deposit(&of_payment, "0xfeed2", "10000000");
        observe_deposit(&of_account, "0xfeed3", "1");
        observe_deposit(&of_account, "0xfeed4", "1");
        let id = payment.id();
        let paid = world.keyed(&shop, "GET", &format!("/v1/payments/{id}"), Value::Null);
        let paid = paid.data();
        assert_eq!(paid["crypto_transactions"][0]["status"], "Failed", "{kind}");
        assert_eq!(
            (&paid["status"], &paid["paid_amount"]),
            (&json!("Processing"), &json!("0")),
            "{kind}"
        );
        let movements = world.keyed(
            &shop,
            "GET",
            "/v1/accounts/till/movement?sort=asc",
            Value::Null,
        );
        let statuses: Vec<&Value> = movements
            .items()
            .iter()
            .map(|movement| &movement["status"])
            .collect();
        assert_eq!(
            statuses,
            ["Confirmed", "Failed", "Confirmed", "Failed"],
            "{kind}"
        );
        for movement in movements.items() {
            let expected = match movement["status"] == "Failed" {
                true => json!("AmountTooLarge"),
                false => Value::Null,
            };
            assert_eq!(movement["failure"], expected, "{kind}");
        }
        let overview = world.read(&shop, "/v1/overview");
        assert_eq!(overview["movements_failed"], 2, "{kind}");
        let failed = &overview["failed_account_id"];
        assert_eq!(
            *failed,
            movements.data()["items"][1]["account_id"],
            "{kind}"
        );
        assert!(world.differences().is_empty(), "{kind}");
    });
}
