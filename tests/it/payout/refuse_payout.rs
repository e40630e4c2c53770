//! `POST /payouts/{payment_id}/refuse`.

use std::time::Duration;

use serde_json::json;
use settlekit_service::operator::LimitScope;
use settlekit_tests::world::World;

use super::approve_payout::{decide, set_limit, shown};
use super::{available, payout, shop};

#[test]
fn a_refused_payout_returns_all_of_its_money() {
    World::each(|kind, mut world| {
        let shop = shop(&mut world, "100");
        let scope = LimitScope::Organisation(shop.id);
        set_limit(&mut world, scope, (Some("40"), None));
        let ben = world.sign_in(&shop, "ben@shop.example");
        let made = payout(&mut world, &shop, "41");
        assert_eq!(made.data()["reason"], "ApprovalRequired", "{kind}");
        let payout = made.id();
        for _ in 0..2 {
            let refused = decide(&mut world, &ben, &payout, "refuse");
            assert_eq!(refused.status, 200, "{kind}: {}", refused.body);
        }
        let failed = ("Failed".to_owned(), json!("ApprovalRefused"));
        assert_eq!(shown(&mut world, &shop, &payout), failed, "{kind}");
        assert_eq!(available(&mut world, &shop, "USDC"), "100", "{kind}");
        let movement = world.read(&shop, "/v1/movements?status=Failed")["items"][0].clone();
        assert_eq!(movement["failure"], "ApprovalRefused", "{kind}");
        let late = decide(&mut world, &ben, &payout, "approve");
        assert_eq!(late.refusal(), "409 STATE_FORBIDS", "{kind}");
        world.pass_and_work(Duration::from_secs(3600));
        assert_eq!(shown(&mut world, &shop, &payout), failed, "{kind}");
        assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");
    });
}
