//! `GET /trade/quote/history`.

use serde_json::Value;
use settlekit_tests::world::World;

use crate::trade::{quote, trader};

const HISTORY: &str = "/v1/trade/quote/history";

#[test]
fn own_firm_quotes_are_listed() {
    World::each(|kind, mut world| {
        let (shop, _, _) = trader(&mut world);
        let other = world.otc_shop("Other");
        let query = |amount: u32| {
            format!(
                "sell_currency=USDC&sell_amount={amount}&buy_currency=ETH&deposit_method=Balance"
            )
        };
        let given = [10, 20, 30].map(|amount| quote(&mut world, &shop, &query(amount)));
        let estimate = format!("{}&estimate=true", query(40));
        quote(&mut world, &shop, &estimate);
        assert_eq!(world.list(&shop, HISTORY), given, "{kind}");
        assert!(world.list(&other, HISTORY).is_empty(), "{kind}");
    });
}

#[test]
fn an_organisation_without_the_otc_feature_lists_no_quotes() {
    World::each(|kind, mut world| {
        let plain = world.shop("Plain", None);
        let refused = world.keyed(&plain, "GET", HISTORY, Value::Null);
        assert_eq!(refused.refusal(), "403 FEATURE_MISSING", "{kind}");
    });
}
