//! `GET /invoices`.

use serde_json::{Value, json};
use settlekit_tests::database;
use settlekit_tests::world::{World, texts};

use crate::customer::customer;
use crate::subscription::{club, pay, plan, subscribe};

#[test]
fn invoices_are_listed_by_customer_subscription_and_payment_status() {
    World::each(|kind, mut world| {
        let club = club(&mut world);
        let other = world.shop("Other", None);
        let monthly = plan(&mut world, &club, json!({}));
        let bo = customer(&mut world, &club.shop, "Bo", "bo@tea.example");
        let ada = &club.customer;
        let made = [ada, &bo, ada].map(|customer| {
            let body = json!({ "plan_ids": [monthly], "customer_id": customer });
            let made = subscribe(&mut world, &club, body);
            assert_eq!(made.status, 201, "{kind}: {}", made.body);
            made.id()
        });
        let issued = world.list(&club.shop, "/v1/invoices");
        assert_eq!(issued.len(), 3, "{kind}");
        pay(&mut world, &club, &issued[0]);
        let ids = texts(&issued, "id");
        for (filter, expected) in [
            (format!("customer_id={ada}"), vec![0, 2]),
            (format!("customer_id={bo}"), vec![1]),
            ("payment_status=Succeeded".to_owned(), vec![0]),
            ("payment_status=Pending".to_owned(), vec![1, 2]),
            ("payment_status=Failed".to_owned(), vec![]),
            (format!("payment_status=Pending&customer_id={ada}"), vec![2]),
            (format!("subscription_id={}", made[0]), vec![0]),
            (format!("subscription_id={}", made[2]), vec![2]),
            (
                format!("subscription_id={}&customer_id={bo}", made[0]),
                vec![],
            ),
            (
                format!("subscription_id={}&payment_status=Pending", made[0]),
                vec![],
            ),
        ] {
            let listed = world.list(&club.shop, &format!("/v1/invoices?{filter}"));
            let expected: Vec<String> =
                expected.iter().map(|at: &usize| ids[*at].clone()).collect();
            assert_eq!(texts(&listed, "id"), expected, "{kind}: {filter}");
        }
        assert!(world.list(&other, "/v1/invoices").is_empty(), "{kind}");
        for filter in [
            format!("customer_id={ada}"),
            format!("subscription_id={}", made[0]),
        ] {
            let foreign = format!("/v1/invoices?{filter}");
            assert!(world.list(&other, &foreign).is_empty(), "{kind}");
        }
    });
}

#[test]
fn a_list_of_invoices_with_a_wrong_filter_is_refused() {
    let mut world = World::new(database::sqlite());
    let shop = world.shop("Shop", None);
    let path = "/v1/invoices?customer_id=ada&subscription_id=7&payment_status=Lost";
    let refused = world.keyed(&shop, "GET", path, Value::Null);
    let refusal =
        "400 ID_MALFORMED customer_id, ID_MALFORMED subscription_id, UNKNOWN_VALUE payment_status";
    assert_eq!(refused.refusal(), refusal);
}
