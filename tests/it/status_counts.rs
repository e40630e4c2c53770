//! `counts=status` of the lists with tabs.

use serde_json::{Value, json};
use settlekit_tests::world::{Shop, WALLET, World, text};

use crate::payout::{payout, shop};

/// The counts beside a list, without zeros. Each equals the total of the list filtered by that status.
pub(crate) fn counts(
    world: &mut World,
    shop: &Shop,
    (list, filter): (&str, &str),
    query: &str,
) -> Vec<(String, u64)> {
    let query = match query {
        "" => String::new(),
        query => format!("&{query}"),
    };
    let page = world.read(shop, &format!("{list}?limit=1&counts=status{query}"));
    let counts = page["counts"].as_array();
    let counts = counts.unwrap_or_else(|| panic!("{list}?{query} has no counts: {page}"));
    let mut found = Vec::new();
    for one in counts {
        let status = text(one, "status");
        let alone = world.read(shop, &format!("{list}?limit=1{query}&{filter}={status}"));
        assert_eq!(one["count"], alone["total"], "{list}?{query}: {status}");
        // The status that is filtered by does not change the counts.
        let path = format!("{list}?limit=1&counts=status{query}&{filter}={status}");
        let of_status = world.read(shop, &path);
        assert_eq!(of_status["counts"], page["counts"], "{path}");
        let count = one["count"].as_u64().expect("a count");
        if count > 0 {
            found.push((status, count));
        }
    }
    found
}

fn named(counts: &[(String, u64)]) -> Vec<(&str, u64)> {
    let counts = counts.iter();
    counts
        .map(|(status, count)| (status.as_str(), *count))
        .collect()
}

#[test]
fn payments_and_payouts_are_counted_by_status() {
    World::each(|kind, mut world| {
        let shop = shop(&mut world, "100");
        let other = world.shop("Other", None);
        let body = json!({ "amount": "5", "currency": "USDC", "chain_id": 8453 });
        let [first, _, _] = [(); 3].map(|()| world.post(&shop, "/v1/payments", body.clone()).id());
        let canceled = world.keyed(
            &shop,
            "DELETE",
            &format!("/v1/payments/{first}"),
            Value::Null,
        );
        assert!(canceled.status < 300, "{kind}: {}", canceled.body);
        for amount in ["1", "2"] {
            payout(&mut world, &shop, amount);
        }
        world.settle();
        payout(&mut world, &shop, "3");

        let payments = ("/v1/payments", "status");
        let received = "payment_method=ProxyWallet,Direct";
        assert_eq!(
            named(&counts(&mut world, &shop, payments, received)),
            [("Processing", 2), ("Canceled", 1)],
            "{kind}"
        );
        assert_eq!(
            named(&counts(&mut world, &shop, payments, "currency=USDC")),
            [
                ("Pending", 1),
                ("Processing", 2),
                ("Confirmed", 2),
                ("Canceled", 1)
            ],
            "{kind}"
        );
        assert_eq!(
            counts(&mut world, &shop, payments, "currency=ETH"),
            Vec::new(),
            "{kind}"
        );
        let payouts = ("/v1/payouts", "status");
        assert_eq!(
            named(&counts(&mut world, &shop, payouts, "")),
            [("Pending", 1), ("Confirmed", 2)],
            "{kind}"
        );
        let page = world.read(&shop, "/v1/payouts?limit=1&page=2");
        let since = text(&page["items"][0], "created_at");
        let since = format!("since={since}");
        let later = counts(&mut world, &shop, payouts, &since);
        let total = world.read(&shop, &format!("/v1/payouts?limit=1&{since}"));
        let sum: u64 = later.iter().map(|(_, count)| count).sum();
        assert_eq!(total["total"], sum, "{kind}");
        assert_eq!(
            counts(&mut world, &other, payouts, ""),
            Vec::new(),
            "{kind}"
        );
    });
}

#[test]
fn payouts_are_listed_by_status_as_without() {
    World::each(|kind, mut world| {
        let shop = shop(&mut world, "100");
        for amount in ["1", "2"] {
            payout(&mut world, &shop, amount);
        }
        world.settle();
        payout(&mut world, &shop, "3");
        let all = world.list(&shop, "/v1/payouts");
        let of = |status: &str| -> Vec<Value> {
            let items = all.iter().filter(|payout| payout["status"] == status);
            items.cloned().collect()
        };
        assert_eq!(of("Confirmed").len(), 2, "{kind}");
        for status in ["Confirmed", "Pending", "Failed"] {
            let path = format!("/v1/payouts?status={status}");
            assert_eq!(world.list(&shop, &path), of(status), "{kind}: {status}");
        }
        let both = "/v1/payouts?status=Pending&reason=ApprovalRequired";
        let both = world.keyed(&shop, "GET", both, Value::Null);
        assert_eq!(both.refusal(), "422 EXCLUDED reason", "{kind}");
        let with_reason = "/v1/payouts?reason=ApprovalRequired&counts=status";
        assert_eq!(world.read(&shop, with_reason).get("counts"), None, "{kind}");
    });
}

#[test]
fn links_subscriptions_invoices_and_movements_are_counted_by_status() {
    World::each(|kind, mut world| {
        let shop = world.shop_with_till("Shop");
        let link = json!({ "amount": "5", "currency": "USDC", "name": "Tea" });
        let [first, open] = [(); 2].map(|()| world.post(&shop, "/v1/paylinks", link.clone()).id());
        let deleted = world.keyed(&shop, "DELETE", &format!("/v1/paylinks/{first}"), json!({}));
        assert!(deleted.status < 300, "{kind}: {}", deleted.body);
        let plan = json!({ "name": "Tea", "price": "5", "currency": "USDC", "type": "Recurring", "recurring_interval": "Month" });
        let plan = world.keyed(&shop, "POST", "/v1/plan", plan).id();
        let start = json!({ "chain_id": 8453, "currency": "USDC", "email": "ada@tea.example" });
        let started = world.public("POST", &format!("/v1/checkout/{open}/payments"), start);
        assert!(started.status < 300, "{kind}: {}", started.body);
        let customers = world.read(&shop, "/v1/customers?limit=1");
        let customer = text(&customers["items"][0], "id");
        let subscription = json!({ "customer_id": customer, "plan_ids": [plan] });
        let subscribed = world.keyed(&shop, "POST", "/v1/subscriptions", subscription);
        assert!(subscribed.status < 300, "{kind}: {}", subscribed.body);

        for (list, filter) in [
            ("/v1/paylinks", "status"),
            ("/v1/subscriptions", "status"),
            ("/v1/invoices", "payment_status"),
            ("/v1/events", "delivery_status"),
            ("/v1/movements", "status"),
        ] {
            let all = world.read(&shop, &format!("{list}?limit=1"));
            assert_eq!(all.get("counts"), None, "{kind}: {list}");
            let counted = counts(&mut world, &shop, (list, filter), "");
            let sum: u64 = counted.iter().map(|(_, count)| count).sum();
            assert_eq!(all["total"], sum, "{kind}: {list}");
            let none = counts(
                &mut world,
                &shop,
                (list, filter),
                "until=2020-01-01T00:00:00Z",
            );
            assert_eq!(none, Vec::new(), "{kind}: {list}");
            let odd = format!("{list}?counts=type");
            let odd = world.keyed(&shop, "GET", &odd, Value::Null);
            assert_eq!(odd.refusal(), "400 UNKNOWN_VALUE counts", "{kind}: {list}");
        }
        let links = counts(&mut world, &shop, ("/v1/paylinks", "status"), "");
        assert_eq!(named(&links), [("Open", 1), ("Deleted", 1)], "{kind}");

        for uncounted in [
            "/v1/payments?search=Ada".to_owned(),
            format!("/v1/payments?customer_id={customer}"),
            "/v1/payments?currency=USDC&amount_from=1".to_owned(),
            "/v1/paylinks?search=Tea".to_owned(),
            format!("/v1/subscriptions?customer_id={customer}"),
            format!("/v1/invoices?customer_id={customer}"),
            format!("/v1/events?document_id={customer}"),
            "/v1/movements?type=Deposit".to_owned(),
            format!("/v1/movements?search={WALLET}"),
            "/v1/accounts/till/movement?sort=asc".to_owned(),
        ] {
            let page = world.read(&shop, &format!("{uncounted}&counts=status"));
            assert_eq!(page.get("counts"), None, "{kind}: {uncounted}");
        }
    });
}
