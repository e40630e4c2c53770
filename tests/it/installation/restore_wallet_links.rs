//! `DELETE /installation/wallet-links`.

use serde_json::{Value, json};
use settlekit_tests::world::World;

use super::{WALLET_LINKS, operator, wallet_links};

#[test]
fn the_usual_wallets_are_offered_again() {
    World::each(|kind, mut world| {
        let (_, olga) = operator(&mut world);
        let usual = wallet_links(&mut world, &olga);
        let body = json!({ "name": "House", "template": "house://pay?uri={payment_uri}" });
        let added = world.session_with_step_up(&olga, "POST", WALLET_LINKS, body);
        assert_eq!(added.status, 200, "{kind}: {}", added.body);
        // Once more changes nothing.
        for _ in 0..2 {
            let answer = world.session_with_step_up(&olga, "DELETE", WALLET_LINKS, Value::Null);
            assert_eq!(*answer.data(), usual, "{kind}");
            assert_eq!(wallet_links(&mut world, &olga), usual, "{kind}");
        }
    });
}
