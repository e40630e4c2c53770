//! `GET /trade/quote/{quote_id}`.

use std::time::Duration;

use serde_json::Value;
use settlekit_tests::world::{World, text};

use super::QUERY;
use crate::trade::{accept, quote, trader};

#[test]
fn a_quote_is_read_as_created_until_it_is_accepted_or_expires() {
    World::each(|kind, mut world| {
        let (shop, _, _) = trader(&mut world);
        let [taken, expired] = [(); 2].map(|()| quote(&mut world, &shop, QUERY));
        let read = |world: &mut World, quote: &Value| {
            let path = format!("/v1/trade/quote/{}", text(quote, "id"));
            world.read(&shop, &path)
        };
        for quote in [&taken, &expired] {
            assert_eq!(read(&mut world, quote), *quote, "{kind}");
        }
        world.pass(Duration::from_secs(5));
        accept(&mut world, &shop, &taken).expect("an order");
        let accepted = read(&mut world, &taken);
        assert_eq!(accepted["status"], "Accepted", "{kind}");
        assert_eq!(accepted["accepted_at"], world.now.to_string(), "{kind}");
        world.pass_and_work(Duration::from_secs(60));
        assert_eq!(read(&mut world, &expired)["status"], "Expired", "{kind}");
        assert_eq!(read(&mut world, &taken), accepted, "{kind}");
    });
}

#[test]
fn a_quote_of_another_organisation_or_an_unknown_one_is_not_found() {
    World::each(|kind, mut world| {
        let (shop, _, _) = trader(&mut world);
        let other = world.otc_shop("Other");
        let id = text(&quote(&mut world, &shop, QUERY), "id");
        let unknown = "quo_019cade5a0007000800000000000dead".to_owned();
        for (who, id) in [(&other, id), (&shop, unknown)] {
            let path = format!("/v1/trade/quote/{id}");
            let refused = world.keyed(who, "GET", &path, Value::Null);
            assert_eq!(refused.refusal(), "404 NOT_FOUND", "{kind}: {id}");
        }
    });
}
