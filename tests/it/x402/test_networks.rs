//! Paylinks whose accounts are on test networks.

use serde_json::{Value, json};
use settlekit_tests::chain::MemoryChain;

use crate::chain::payers::Payers;

#[test]
fn a_program_pays_with_money_of_a_test_network_only_where_the_paylink_names_its_account() {
    Payers::each(|kind, mut payers| {
        payers.connected.is_test = true;
        payers.connected.connect();
        payers.pay_fees(Some(1_000_000_000_000_000_000));
        let open = payers.paylink();
        let shop = payers.shop.clone();
        let paid = payers.payment_for(&open, 1);
        // An account on a chain whose money has value.
        let base = std::mem::replace(&mut payers.connected.chain, MemoryChain::optimism());
        payers.connected.is_test = false;
        payers.connected.connect();
        payers.connected.chain = base;
        let world = payers.world();
        let till = world.read(&shop, "/v1/accounts/till")["id"].clone();
        world.account(&shop, "shop", 10, &["USDC"]);
        let refused = payers.pay(&open, &paid);
        assert_eq!(refused.status, 422, "{kind}: {}", refused.body);
        assert_eq!(payers.payments(), Vec::<Value>::new(), "{kind}");
        let body =
            json!({ "name": "Tea", "amount": "10", "currency": "USDC", "account_ids": [till] });
        let named = payers.world().post(&shop, "/v1/paylinks", body).id();
        let paid = payers.payment_for(&named, 2);
        let given = payers.pay(&named, &paid);
        assert_eq!(given.status, 202, "{kind}: {}", given.body);
    });
}
