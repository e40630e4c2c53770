//! `PATCH /partners/automations/{automation_id}`.

use serde_json::{Value, json};
use settlekit_core::header;
use settlekit_tests::world::{PASSWORD, WALLET, World, request, text};

use super::{automation, maintain, pair, path_of, payouts};

#[test]
fn an_automation_is_listed_changed_disabled_and_deleted() {
    World::each(|kind, mut world| {
        let pair = pair(&mut world);
        maintain(&mut world, &pair, 10, 20);
        world.work();
        let org = Some(pair.shop.id);
        let item = automation(&mut world, &pair);
        assert_eq!(item["action_type"], "MaintainBalance", "{kind}: {item}");
        assert_eq!(item["condition"]["amount"], "10", "{kind}");
        assert!(item["last_run_at"].is_string(), "{kind}");
        let path = path_of(&item);
        let too_high = json!({ "amount": "20" });
        let too_high = world.signed(&pair.partner, org, "PATCH", &path, too_high);
        assert_eq!(too_high.refusal(), "400 OUT_OF_RANGE amount", "{kind}");
        let off = world.signed(
            &pair.partner,
            org,
            "PATCH",
            &path,
            json!({ "enabled": false }),
        );
        assert_eq!(off.data()["enabled"], false, "{kind}");
        world.deposit(&pair.shop, pair.below[0], 137, "USDC", "50");
        world.work();
        assert!(payouts(&mut world, &pair).is_empty(), "{kind}: disabled");
        world.signed(
            &pair.partner,
            org,
            "PATCH",
            &path,
            json!({ "enabled": true }),
        );
        world.work();
        assert_eq!(payouts(&mut world, &pair), ["39.98 137"], "{kind}");
        let ended = world.signed(&pair.partner, org, "DELETE", &path, Value::Null);
        assert_eq!(ended.status, 200, "{kind}");
        assert!(ended.data()["deleted_at"].is_string(), "{kind}");
        let again = world.signed(&pair.partner, org, "DELETE", &path, Value::Null);
        assert_eq!(again.refusal(), "404 NOT_FOUND", "{kind}");
    });
}

#[test]
fn enabling_an_automation_or_lowering_its_threshold_needs_step_up() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let till = world.account(&shop, "till", 8453, &["USDC"]);
        let path = format!("/v1/partners/accounts/id/{till}/automations/maintain-balance");
        let body = json!({ "currency": "USDC", "minimum_threshold_amount": 100, "payout_address": WALLET, "payout_threshold_amount": 200 });
        world.create(&shop, &path, body);
        let list = |world: &mut World| {
            let path = "/v1/partners/accounts/till/automations";
            world.signed(&shop, None, "GET", path, Value::Null)
        };
        let listed = list(&mut world);
        let path = path_of(&listed.data()["items"][0]);
        let owner = world.sign_in(&shop, "owner@example.com");
        let off = world.session(&owner, "PATCH", &path, json!({ "enabled": false }));
        assert_eq!(off.status, 200, "{kind}: {}", off.body);
        let sends = [json!({ "enabled": true }), json!({ "amount": "0" })];
        for change in &sends {
            let refused = world.session(&owner, "PATCH", &path, change.clone());
            assert_eq!(refused.refusal(), "401 STEP_UP_REQUIRED", "{kind}");
        }
        let listed = list(&mut world);
        assert_eq!(listed.data()["items"][0]["enabled"], false, "{kind}");
        assert_eq!(
            listed.data()["items"][0]["condition"]["amount"],
            "100",
            "{kind}"
        );
        let proof = json!({ "password": PASSWORD });
        let proof = world.session(&owner, "POST", "/v1/sessions/step-up", proof);
        let token = text(proof.data(), "token");
        for change in &sends {
            let proved = [
                owner.headers(),
                vec![(header::STEP_UP.to_owned(), token.clone())],
            ];
            let done = world.send(request("PATCH", &path, change, proved.concat()));
            assert_eq!(done.status, 200, "{kind}: {}", done.body);
        }
    });
}
