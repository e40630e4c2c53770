//! Recurring paylinks: the payer subscribes and pays each period.

use serde_json::{Value, json};
use settlekit_tests::world::{DAY, World, text};

use super::{club, list, next_invoice, pay, start};

#[test]
fn a_payer_of_a_recurring_link_subscribes_and_is_billed_for_the_next_period() {
    World::each(|kind, mut world| {
        let (shop, link) = club(&mut world, &json!({ "available_quantity": 2 }));
        let shown = world.public("GET", &format!("/v1/checkout/{link}"), Value::Null);
        assert_eq!(shown.data()["recurring_interval"], "Month", "{kind}");
        assert_eq!(shown.data()["recurring_interval_count"], 1, "{kind}");
        assert_eq!(shown.data()["trial_period"], Value::Null, "{kind}");

        let started = start(&mut world, &link);
        let id = text(&started, "payment_id");
        let path = format!("/v1/payments/{id}");
        let refused = world.keyed(&shop, "DELETE", &path, Value::Null);
        assert_eq!(
            refused.refusal(),
            "409 NOT_CANCELLABLE",
            "{kind}: not one-time"
        );
        let none = list(&mut world, &shop, "/v1/subscriptions");
        assert!(none.is_empty(), "{kind}: nothing is paid yet");

        pay(&mut world, &started);
        let payment = world.keyed(&shop, "GET", &path, Value::Null).data().clone();
        assert_eq!(payment["status"], "Confirmed", "{kind}");
        let subscriptions = list(&mut world, &shop, "/v1/subscriptions");
        let [subscription] = subscriptions.as_slice() else {
            panic!("{kind}: {subscriptions:?}");
        };
        assert_eq!(subscription["status"], "Active", "{kind}");
        assert_eq!(subscription["source"], "Checkout", "{kind}");
        assert_eq!(
            subscription["customer_id"], payment["customer_id"],
            "{kind}"
        );
        assert_eq!(subscription["items"][0]["plan"]["name"], "Tea club");
        let named = &payment["properties"]["subscription_id"];
        assert_eq!(*named, subscription["id"], "{kind}");
        let invoices = list(&mut world, &shop, "/v1/invoices");
        let [invoice] = invoices.as_slice() else {
            panic!("{kind}: {invoices:?}");
        };
        assert_eq!(invoice["payment_status"], "Succeeded", "{kind}");
        assert_eq!(invoice["amount"], "5", "{kind}");
        assert_eq!(payment["invoice_id"], invoice["id"], "{kind}");

        // The second period has its own invoice; its payer is the subscriber, no matter who opens its link.
        world.advance(&shop, DAY * 31);
        let second = list(&mut world, &shop, "/v1/invoices").remove(0);
        assert_eq!(second["payment_status"], "Pending", "{kind}");
        let link = text(&second["properties"], "payment_link_id");
        let chosen = json!({ "chain_id": 8453, "currency": "USDC" });
        let started = world.public("POST", &format!("/v1/checkout/{link}/payments"), chosen);
        pay(&mut world, started.data());
        let second = list(&mut world, &shop, "/v1/invoices").remove(0);
        assert_eq!(second["payment_status"], "Succeeded", "{kind}");
        let customers = list(&mut world, &shop, "/v1/customers");
        let [customer] = customers.as_slice() else {
            panic!("{kind}: {customers:?}");
        };
        assert_eq!(customer["payments_count"], 2, "{kind}");
        assert!(world.differences().is_empty(), "{kind}");
    });
}

#[test]
fn a_trial_started_by_a_link_costs_nothing_until_it_ends() {
    World::each(|kind, mut world| {
        let fields = json!({ "trial_period": "P14D", "available_quantity": 1 });
        let (shop, link) = club(&mut world, &fields);
        let shown = world.public("GET", &format!("/v1/checkout/{link}"), Value::Null);
        assert_eq!(shown.data()["trial_period"], "P14D", "{kind}");
        let started = start(&mut world, &link);
        assert_eq!(started["status"], "Confirmed", "{kind}");
        assert_eq!(started["amount"], "0", "{kind}");
        let shown = world.public("GET", &format!("/v1/checkout/{link}"), Value::Null);
        assert_eq!(shown.data()["state"], "SoldOut", "{kind}: accepted");

        let subscription = list(&mut world, &shop, "/v1/subscriptions").remove(0);
        assert_eq!(subscription["status"], "InTrial", "{kind}");
        let customer = list(&mut world, &shop, "/v1/customers").remove(0);
        assert_eq!(customer["payments_count"], 0, "{kind}");
        assert!(list(&mut world, &shop, "/v1/invoices").is_empty());
        world.advance(&shop, DAY * 14);
        let subscription = list(&mut world, &shop, "/v1/subscriptions").remove(0);
        assert_eq!(subscription["status"], "Active", "{kind}");
        let invoice = list(&mut world, &shop, "/v1/invoices").remove(0);
        assert_eq!(invoice["payment_status"], "Pending", "{kind}");
        assert_eq!(invoice["amount"], "5", "{kind}");
    });
}

#[test]
fn every_period_is_paid_to_the_accounts_of_the_link() {
    World::each(|kind, mut world| {
        let shop = world.shop("Club", None);
        let till = world.account(&shop, "till", 8453, &["USDC"]);
        let brand = json!({ "reference": "brand", "chains": [{ "chain_id": 8453, "currencies": ["USDC"] }] });
        let brand = world.keyed(&shop, "POST", "/v1/accounts/virtual", brand);
        let brand = brand.data()["sub_accounts"][0]["id"].clone();
        let body = json!({ "amount": "5", "currency": "USDC", "name": "Tea club", "type": "Recurring", "interval": "Month",
            "account_ref": "brand" });
        let link = world.post(&shop, "/v1/paylinks", body).id();
        let paid_to = |world: &mut World, link: &str| {
            let started = start(world, link);
            pay(world, &started);
            list(world, &shop, "/v1/payments?limit=1")[0]["to_account"]["id"].clone()
        };
        assert_eq!(paid_to(&mut world, &link), brand, "{kind}");
        let next = |world: &mut World| next_invoice(world, &shop);
        let second = next(&mut world);
        assert_eq!(paid_to(&mut world, &second), brand, "{kind}");
        let third = next(&mut world);
        let shut = json!({ "reference": "brand", "disable_chains": [8453] });
        let shut = world.keyed(&shop, "PATCH", "/v1/accounts/virtual", shut);
        assert_eq!(shut.status, 200, "{kind}: {}", shut.body);
        assert_eq!(paid_to(&mut world, &third), till, "{kind}");
    });
}
