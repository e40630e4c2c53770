//! `GET /subscriptions`.

use serde_json::{Value, json};
use settlekit_tests::database;
use settlekit_tests::world::{DAY, World, texts};

use super::{club, plan, subscribe};
use crate::customer::customer;

#[test]
fn subscriptions_are_listed_by_customer_and_by_status() {
    World::each(|kind, mut world| {
        let club = club(&mut world);
        let other = world.shop("Other", None);
        let monthly = plan(&mut world, &club, json!({}));
        let trial = plan(&mut world, &club, json!({ "trial_period": "P14D" }));
        let bo = customer(&mut world, &club.shop, "Bo", "bo@tea.example");
        let ada = &club.customer;
        let later = "2090-01-01T00:00:00Z";
        let ids = [
            json!({ "plan_ids": [monthly] }),
            json!({ "plan_ids": [monthly], "customer_id": bo }),
            json!({ "plan_ids": [trial] }),
            json!({ "plan_ids": [monthly], "start_at": later }),
        ]
        .map(|body| subscribe(&mut world, &club, body).id());
        let pause = format!("/v1/subscriptions/{}/pause", ids[1]);
        let paused = world.keyed(&club.shop, "POST", &pause, json!({}));
        assert_eq!(paused.status, 200, "{kind}: {}", paused.body);
        let all = world.list(&club.shop, "/v1/subscriptions");
        let each = ids.each_ref();
        let each = each.map(|id| world.read(&club.shop, &format!("/v1/subscriptions/{id}")));
        assert_eq!(all, each, "{kind}");
        for (filter, expected) in [
            (format!("customer_id={ada}"), vec![0, 2, 3]),
            (format!("customer_id={bo}"), vec![1]),
            ("status=Active".to_owned(), vec![0]),
            ("status=Paused".to_owned(), vec![1]),
            ("status=InTrial".to_owned(), vec![2]),
            ("status=Future".to_owned(), vec![3]),
            ("status=Canceled".to_owned(), vec![]),
            (format!("status=Paused&customer_id={ada}"), vec![]),
        ] {
            let listed = world.list(&club.shop, &format!("/v1/subscriptions?{filter}"));
            let expected: Vec<String> =
                expected.iter().map(|at: &usize| ids[*at].clone()).collect();
            assert_eq!(texts(&listed, "id"), expected, "{kind}: {filter}");
        }
        assert!(world.list(&other, "/v1/subscriptions").is_empty(), "{kind}");
        let foreign = format!("/v1/subscriptions?customer_id={ada}");
        assert!(world.list(&other, &foreign).is_empty(), "{kind}");
    });
}

#[test]
fn subscriptions_are_listed_with_the_end_of_their_period_and_trial() {
    World::each(|kind, mut world| {
        let club = club(&mut world);
        let monthly = plan(&mut world, &club, json!({}));
        let trial = plan(&mut world, &club, json!({ "trial_period": "P14D" }));
        let later = "2026-03-10T09:00:00Z";
        let ids = [
            json!({ "plan_ids": [monthly] }),
            json!({ "plan_ids": [trial] }),
            json!({ "plan_ids": [monthly], "start_at": later }),
            json!({ "plan_ids": [trial], "start_at": later }),
        ]
        .map(|body| subscribe(&mut world, &club, body).id());
        let times = |world: &mut World| {
            let listed = world.list(&club.shop, "/v1/subscriptions");
            let day = |one: &Value, field: &str| {
                let at = one[field].as_str().map_or("-", |at| &at[5..10]);
                at.to_owned()
            };
            let line = |one: &Value| {
                let [period, trial] = ["period_end", "trial_ends_at"].map(|field| day(one, field));
                format!("{period} {trial}")
            };
            listed.iter().map(line).collect::<Vec<_>>()
        };
        let act = |world: &mut World, place: usize, act: &str, body: Value| {
            let path = format!("/v1/subscriptions/{}/{act}", ids[place]);
            let done = world.keyed(&club.shop, "POST", &path, body);
            assert_eq!(done.status, 200, "{kind}: {}", done.body);
        };
        let before = ["04-02 -", "03-16 03-16", "03-10 -", "03-24 03-24"];
        assert_eq!(times(&mut world), before, "{kind}");
        world.advance(&club.shop, DAY * 9);
        let begun = ["04-02 -", "03-16 03-16", "04-10 -", "03-24 03-24"];
        assert_eq!(times(&mut world), begun, "{kind}");
        let at_end = json!({ "at_period_end": true });
        act(&mut world, 0, "pause", json!({}));
        act(&mut world, 1, "pause", json!({}));
        act(&mut world, 2, "cancel", at_end.clone());
        act(&mut world, 3, "cancel", json!({}));
        let stopped = ["- -", "- 03-16", "04-10 -", "- -"];
        assert_eq!(times(&mut world), stopped, "{kind}");
        act(&mut world, 2, "pause", json!({}));
        assert_eq!(times(&mut world), stopped, "{kind}: it ends all the same");
        world.advance(&club.shop, DAY * 6);
        let stopped = ["- -", "- -", "04-10 -", "- -"];
        assert_eq!(times(&mut world), stopped, "{kind}");
        act(&mut world, 0, "resume", json!({}));
        let resumed = ["04-17 -", "- -", "04-10 -", "- -"];
        assert_eq!(times(&mut world), resumed, "{kind}: a new period");
    });
}

#[test]
fn a_list_of_subscriptions_with_a_wrong_filter_is_refused() {
    let mut world = World::new(database::sqlite());
    let shop = world.shop("Shop", None);
    let path = "/v1/subscriptions?customer_id=ada&status=Lost";
    let refused = world.keyed(&shop, "GET", path, Value::Null);
    let refusal = "400 ID_MALFORMED customer_id, UNKNOWN_VALUE status";
    assert_eq!(refused.refusal(), refusal);
}
