//! `GET /overview/business`.

use serde_json::{Value, json};
use settlekit_tests::chain::Connected;
use settlekit_tests::world::{DAY, Shop, World, items, text};

use crate::chain::sending::funded;
use crate::payout::payout;
use crate::subscription::{Club, club, pay, plan, subscribe};

fn business(world: &mut World, shop: &Shop) -> Value {
    world.read(shop, "/v1/overview/business")
}

/// A sum of a page of currencies.
fn total(currency: &str, count: u64, amount: &str, usd: &str) -> Value {
    json!({ "currency": currency, "count": count, "amount": amount, "amount_usd": usd })
}

fn begin(world: &mut World, club: &Club, plan: &str) -> String {
    let begun = subscribe(world, club, json!({ "plan_ids": [plan] }));
    assert_eq!(begun.status, 201, "{}", begun.body);
    begun.id()
}

fn act(world: &mut World, club: &Club, id: &str, act: &str, body: Value) {
    let path = format!("/v1/subscriptions/{id}/{act}");
    let done = world.keyed(&club.shop, "POST", &path, body);
    assert_eq!(done.status, 200, "{act}: {}", done.body);
}

#[test]
fn active_subscriptions_add_up_to_monthly_revenue_by_currency() {
    World::each(|kind, mut world| {
        let club = club(&mut world);
        world.account(&club.shop, "euros", 8453, &["EURC"]);
        let [monthly, yearly, weekly, trial] = [
            json!({}),
            json!({ "price": "120", "recurring_interval": "Year" }),
            json!({ "price": "7", "currency": "EURC", "recurring_interval": "Week" }),
            json!({ "trial_period": "P5D" }),
        ]
        .map(|change| plan(&mut world, &club, change));
        let shown = business(&mut world, &club.shop);
        assert_eq!(shown["monthly_revenue"], json!([]), "{kind}");
        assert_eq!(shown["monthly_revenue_usd"], "0.00", "{kind}");
        let ids = [&monthly, &yearly, &weekly, &trial].map(|plan| begin(&mut world, &club, plan));
        // 7 EURC a week are 365 EURC a year.
        let euros = total("EURC", 1, "30.416666666666666667", "32.85");
        let shown = business(&mut world, &club.shop);
        let revenue = json!([euros, total("USDC", 2, "29.9", "29.90")]);
        assert_eq!(
            shown["monthly_revenue"], revenue,
            "{kind}: a trial earns nothing"
        );
        assert_eq!(shown["monthly_revenue_usd"], "62.75", "{kind}");

        world.advance(&club.shop, DAY * 5);
        act(&mut world, &club, &ids[1], "pause", json!({}));
        let canceled = json!({ "at_period_end": true });
        act(&mut world, &club, &ids[0], "cancel", canceled);
        let shown = business(&mut world, &club.shop);
        let revenue = json!([euros, total("USDC", 2, "39.8", "39.80")]);
        assert_eq!(
            shown["monthly_revenue"], revenue,
            "{kind}: the trial has ended, and a paused one earns nothing"
        );
        act(&mut world, &club, &ids[0], "cancel", json!({}));
        act(&mut world, &club, &ids[2], "cancel", json!({}));
        act(&mut world, &club, &ids[1], "resume", json!({}));
        let shown = business(&mut world, &club.shop);
        let revenue = json!([total("USDC", 2, "29.9", "29.90")]);
        assert_eq!(shown["monthly_revenue"], revenue, "{kind}");
        assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn churn_is_what_ended_in_thirty_days_of_what_ran_before() {
    World::each(|kind, mut world| {
        let club = club(&mut world);
        let yearly = plan(&mut world, &club, json!({ "recurring_interval": "Year" }));
        let trial = plan(&mut world, &club, json!({ "trial_period": "P10W" }));
        let ids = [(); 4].map(|()| begin(&mut world, &club, &yearly));
        let counts = |world: &mut World| {
            let shown = business(world, &club.shop);
            let count = |name: &str| shown[name].as_u64().expect("a count");
            let churn = shown.get("churn_pct").cloned();
            let counts = ["running", "running_before", "ended"];
            let counts = counts.map(|name| count(&format!("subscriptions_{name}")));
            (counts, churn)
        };
        assert_eq!(counts(&mut world), ([4, 0, 0], None), "{kind}: all are new");
        let unpaid = world.read(&club.shop, "/v1/invoices");
        for invoice in items(&unpaid) {
            pay(&mut world, &club, invoice);
        }
        world.advance(&club.shop, DAY * 40);
        let none = Some(json!("0.00"));
        assert_eq!(counts(&mut world), ([4, 4, 0], none), "{kind}");
        act(&mut world, &club, &ids[0], "cancel", json!({}));
        act(&mut world, &club, &ids[1], "pause", json!({}));
        let free = begin(&mut world, &club, &trial);
        act(&mut world, &club, &free, "cancel", json!({}));
        let quarter = Some(json!("25.00"));
        let expected = ([3, 4, 1], quarter.clone());
        assert_eq!(
            counts(&mut world),
            expected,
            "{kind}: neither a pause nor the end of a trial is churn"
        );
        begin(&mut world, &club, &yearly);
        let expected = ([4, 4, 1], quarter.clone());
        assert_eq!(counts(&mut world), expected, "{kind}: a new one runs");
        world.advance(&club.shop, DAY * 31);
        let expected = ([3, 4, 1], quarter);
        assert_eq!(
            counts(&mut world),
            expected,
            "{kind}: an unpaid invoice ended the new one"
        );
        assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn renewals_are_the_invoices_of_the_next_seven_days() {
    World::each(|kind, mut world| {
        let club = club(&mut world);
        let weekly = plan(&mut world, &club, json!({ "recurring_interval": "Week" }));
        let trial = plan(&mut world, &club, json!({ "trial_period": "P5D" }));
        let later = json!({ "plan_ids": [weekly], "start_at": "2026-03-04T09:00:00Z" });
        let id = begin(&mut world, &club, &weekly);
        begin(&mut world, &club, &trial);
        assert_eq!(subscribe(&mut world, &club, later).status, 201, "{kind}");
        let renewals = |world: &mut World| business(world, &club.shop)["renewals"].clone();
        let of_trial = json!([total("USDC", 1, "19.9", "19.90")]);
        assert_eq!(
            renewals(&mut world),
            of_trial,
            "{kind}: the week ends on the eighth day, and the future one has not begun"
        );
        world.advance(&club.shop, DAY);
        let both = json!([total("USDC", 2, "39.8", "39.80")]);
        assert_eq!(renewals(&mut world), both, "{kind}");
        let canceled = json!({ "at_period_end": true });
        act(&mut world, &club, &id, "cancel", canceled);
        assert_eq!(renewals(&mut world), of_trial, "{kind}");
        let goes_on = json!({ "at_period_end": false });
        act(&mut world, &club, &id, "cancel", goes_on);
        act(&mut world, &club, &id, "pause", json!({}));
        assert_eq!(renewals(&mut world), of_trial, "{kind}: it is paused");
        world.advance(&club.shop, DAY * 3);
        let with_later = json!([total("USDC", 2, "39.8", "39.80")]);
        assert_eq!(renewals(&mut world), with_later, "{kind}");
        assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn payouts_are_due_until_they_are_confirmed() {
    World::each(|kind, mut world| {
        let shop = crate::payout::shop(&mut world, "100");
        let other = world.shop("Other", None);
        let due = |world: &mut World, shop| business(world, shop)["payouts"].clone();
        assert_eq!(due(&mut world, &shop), json!([]), "{kind}");
        for amount in ["40", "1.5"] {
            assert_eq!(payout(&mut world, &shop, amount).status, 201, "{kind}");
        }
        let both = json!([total("USDC", 2, "41.5", "41.50")]);
        assert_eq!(due(&mut world, &shop), both, "{kind}");
        assert_eq!(due(&mut world, &other), json!([]), "{kind}");
        world.work();
        assert_eq!(due(&mut world, &shop), both, "{kind}: sent");
        world.settle();
        assert_eq!(due(&mut world, &shop), json!([]), "{kind}");
        assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn payouts_of_a_test_network_are_not_added_up() {
    Connected::each(|kind, mut connected| {
        let shop = funded(&mut connected);
        connected.is_test = true;
        connected.connect();
        connected.pay_out(&shop, "4");
        let shown = business(&mut connected.world, &shop);
        assert_eq!(shown["payouts"], json!([]), "{kind}");
    });
}

#[test]
fn conversion_is_what_was_paid_of_the_checkouts_of_all_links() {
    World::each(|kind, mut world| {
        let shop = world.shop_with_till("Shop");
        let counts = |world: &mut World| {
            let shown = business(world, &shop);
            let names = ["link_visits", "checkouts_started", "checkouts_paid"];
            let counts = names.map(|name| shown[name].as_u64().expect("a count"));
            (counts, shown.get("conversion_pct").cloned())
        };
        assert_eq!(counts(&mut world), ([0; 3], None), "{kind}");
        let mut paid = Vec::new();
        for name in ["Tea", "Cake"] {
            let link = json!({ "amount": "5", "currency": "USDC", "name": name });
            let link = world.create(&shop, "/v1/paylinks", link).id();
            let page = format!("/v1/checkout/{link}");
            assert_eq!(world.public("GET", &page, Value::Null).status, 200);
            for _ in 0..2 {
                let chosen = json!({ "chain_id": 8453, "currency": "USDC" });
                let path = format!("{page}/payments");
                let started = world.public("POST", &path, chosen);
                assert_eq!(started.status, 201, "{kind}: {}", started.body);
                paid.push(text(started.data(), "payment_id"));
            }
        }
        for payment in &paid[..3] {
            world.pay(payment);
        }
        world.pass_and_work(std::time::Duration::from_secs(10));
        let expected = ([2, 4, 3], Some(json!("75.00")));
        assert_eq!(counts(&mut world), expected, "{kind}");
        assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");
        world.pass(DAY * 30);
        assert_eq!(counts(&mut world), ([0; 3], None), "{kind}");
    });
}

#[test]
fn without_prices_revenue_has_no_worth() {
    World::each(|kind, mut world| {
        let club = club(&mut world);
        let monthly = plan(&mut world, &club, json!({}));
        begin(&mut world, &club, &monthly);
        let mut world = world.disconnected();
        let shown = business(&mut world, &club.shop);
        let revenue = json!([{ "currency": "USDC", "count": 1, "amount": "19.9" }]);
        assert_eq!(shown["monthly_revenue"], revenue, "{kind}");
        assert_eq!(shown.get("monthly_revenue_usd"), None, "{kind}");
    });
}

#[test]
fn a_key_without_the_scope_read_is_refused() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let writer = world.scoped(&shop, &["write"]);
        let refused = world.keyed(&writer, "GET", "/v1/overview/business", Value::Null);
        assert_eq!(refused.refusal(), "403 SCOPE_MISSING", "{kind}");
    });
}
