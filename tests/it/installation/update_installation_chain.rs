//! `PATCH /installation/chains/{chain_id}`.

use serde_json::json;
use settlekit_service::block::Observed;
use settlekit_tests::chain::Connected;

use super::{chain, operator};

#[test]
fn a_paused_chain_is_not_read_until_it_goes_on_from_its_latest_block() {
    Connected::each(|kind, mut connected| {
        let (shop, olga) = operator(&mut connected.world);
        let path = "/v1/installation/chains/8453";
        let pause = |connected: &mut Connected, paused: bool| {
            let body = json!({ "paused": paused });
            let world = &mut connected.world;
            let answer = world.session_with_step_up(&olga, "PATCH", path, body);
            assert_eq!(answer.status, 200, "{kind}: {}", answer.body);
            assert_eq!(answer.data()["paused"], paused, "{kind}");
            assert_eq!(answer.data()["head"], 100, "{kind}");
        };
        pause(&mut connected, true);
        // Once more changes nothing.
        pause(&mut connected, true);
        assert_eq!(chain(&mut connected, &olga)["paused"], true, "{kind}");
        let chains = connected.world.read(&shop, "/v1/chains");
        assert_eq!(chains, json!([]), "{kind}");
        let block = connected.chain.block();
        assert_eq!(connected.observe(&block), Observed::NotConnected, "{kind}");
        pause(&mut connected, false);
        assert_eq!(connected.observe(&block), Observed::Recorded, "{kind}");
    });
}

#[test]
fn a_chain_that_is_not_connected_is_not_found() {
    Connected::each(|kind, mut connected| {
        let (_, olga) = operator(&mut connected.world);
        let path = "/v1/installation/chains/10";
        let body = json!({ "paused": true });
        let answer = connected
            .world
            .session_with_step_up(&olga, "PATCH", path, body);
        assert_eq!(answer.refusal(), "404 NOT_FOUND", "{kind}");
    });
}
