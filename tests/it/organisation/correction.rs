//! The operator's adjustments of an account.

use settlekit_core::value::AccountId;
use settlekit_service::Seed;
use settlekit_tests::world::World;

use super::{ledger, set_fees};

#[test]
fn the_operator_corrects_a_balance_from_the_services_earnings() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let till = world.account(&shop, "till", 8453, &["USDC"]);
        set_fees(&mut world, &shop, till, "10", "0");
        world.deposit(&shop, till, 8453, "USDC", "50");
        let adjust = |world: &mut World, text: &str, currency: &str| {
            let (account, now) = (AccountId::new(till).expect("an id"), world.now);
            let (amount, currency) = (text.parse(), currency.parse());
            let (amount, currency) = (amount.expect("an amount"), currency.expect("a symbol"));
            let (service, database) = world.parts();
            let mut seed = [9; 32];
            seed[..text.len()].copy_from_slice(text.as_bytes());
            let named = (shop.id, account);
            let done = service.adjust(database, named, (amount, &currency), now, Seed(seed));
            done.expect("a database")
        };
        assert_eq!(adjust(&mut world, "1.5", "USDC"), Ok(()), "{kind}");
        assert_eq!(adjust(&mut world, "-0.5", "USDC"), Ok(()), "{kind}");
        assert_eq!(
            ledger(&mut world, &shop, till),
            [
                "Deposit IN 50",
                "ServiceFee OUT 5",
                "Adjustment IN 1.5",
                "Adjustment OUT 0.5",
            ],
            "{kind}"
        );
        for (amount, currency) in [
            ("4.000001", "USDC"),
            ("-46.000001", "USDC"),
            ("0", "USDC"),
            ("0.0000001", "USDC"),
            ("1", "DOGE"),
        ] {
            let refused = adjust(&mut world, amount, currency);
            assert!(refused.is_err(), "{kind} {amount} {currency}");
        }
        assert_eq!(ledger(&mut world, &shop, till).len(), 4, "{kind}");
        assert!(world.differences().is_empty(), "{kind}");
    });
}
