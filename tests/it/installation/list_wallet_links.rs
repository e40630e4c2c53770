//! `GET /installation/wallet-links`.

use settlekit_core::installation::usual_wallet_links;
use settlekit_tests::world::World;

use super::{operator, wallet_links};

#[test]
fn payers_are_offered_the_usual_wallets_until_the_operator_changes_the_list() {
    World::each(|kind, mut world| {
        let (_, olga) = operator(&mut world);
        let listed = wallet_links(&mut world, &olga);
        let usual = serde_json::to_value(usual_wallet_links()).expect("JSON");
        assert_eq!(listed, usual, "{kind}");
        let names: Vec<_> = usual_wallet_links()
            .into_iter()
            .map(|link| link.name)
            .collect();
        let expected = ["MetaMask", "Coinbase Wallet", "Trust Wallet", "OKX Wallet"];
        assert_eq!(names, expected, "{kind}");
    });
}
