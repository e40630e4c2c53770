//! `GET /invoices/{invoice_id}`.

use serde_json::{Value, json};
use settlekit_tests::world::{World, text};

use crate::subscription::{club, pay, plan, subscribe};

#[test]
fn an_invoice_shows_the_amount_due_and_then_the_payment() {
    World::each(|kind, mut world| {
        let club = club(&mut world);
        let monthly = plan(&mut world, &club, json!({}));
        let made = subscribe(&mut world, &club, json!({ "plan_ids": [monthly] }));
        assert_eq!(made.status, 201, "{kind}: {}", made.body);
        let issued = world.read(&club.shop, "/v1/invoices")["items"][0].clone();
        let path = format!("/v1/invoices/{}", text(&issued, "id"));
        let read = world.read(&club.shop, &path);
        assert_eq!(read, issued, "{kind}");
        let price = world.read(&club.shop, &format!("/v1/plan/{monthly}"))["price"].clone();
        assert_eq!(read["amount"], price, "{kind}");
        assert_eq!(read["customer_id"], club.customer.as_str(), "{kind}");
        assert_eq!(read["payment_status"], "Pending", "{kind}");
        pay(&mut world, &club, &issued);
        let paid = world.read(&club.shop, &path);
        assert_eq!(paid["payment_status"], "Succeeded", "{kind}");
        assert_eq!(paid["amount"], price, "{kind}");
    });
}

#[test]
fn an_invoice_of_another_organisation_or_an_unknown_one_is_not_found() {
    World::each(|kind, mut world| {
        let club = club(&mut world);
        let other = world.shop("Other", None);
        let monthly = plan(&mut world, &club, json!({}));
        subscribe(&mut world, &club, json!({ "plan_ids": [monthly] }));
        let id = text(&world.read(&club.shop, "/v1/invoices")["items"][0], "id");
        let unknown = "inv_019cade5a0007000800000000000dead".to_owned();
        for (who, id) in [(&other, id), (&club.shop, unknown)] {
            let path = format!("/v1/invoices/{id}");
            let refused = world.keyed(who, "GET", &path, Value::Null);
            assert_eq!(refused.refusal(), "404 NOT_FOUND", "{kind}: {id}");
        }
    });
}
