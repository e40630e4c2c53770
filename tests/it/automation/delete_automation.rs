//! `DELETE /partners/automations/{automation_id}`.

use serde_json::{Value, json};
use settlekit_tests::world::{World, items};

use super::{automation, maintain, pair};

#[test]
fn deleting_an_account_deletes_its_automation_with_an_event() {
    World::each(|kind, mut world| {
        let pair = pair(&mut world);
        let made = maintain(&mut world, &pair, 10, 50);
        assert_eq!(made.status, 201, "{kind}: {}", made.body);
        let id = automation(&mut world, &pair)["id"].clone();
        let path = format!("/v1/accounts/{}", pair.account);
        let gone = world.keyed(&pair.shop, "DELETE", &path, Value::Null);
        assert_eq!(gone.status, 200, "{kind}: {}", gone.body);
        let events = world.read(&pair.shop, "/v1/events?type=Account&action=Disabled");
        let events = items(&events);
        let end = events
            .iter()
            .find(|event| event["data"]["action_type"].is_string());
        let end = end.unwrap_or_else(|| panic!("{kind}: no event of its end"));
        assert_eq!(end["data"]["id"], id, "{kind}");
        assert_eq!(end["data"]["enabled"], false, "{kind}");
        assert!(end["data"]["deleted_at"].is_string(), "{kind}");
        let path = format!("/v1/partners/automations/{id}");
        let on = json!({ "enabled": true });
        let again = world.signed(&pair.partner, Some(pair.shop.id), "PATCH", &path, on);
        assert_eq!(again.status, 404, "{kind}: {}", again.body);
    });
}
