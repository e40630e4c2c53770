//! What merchants and payers see of a transaction: its block, the confirmations still to come, its page at a block explorer.

use alloy_primitives::Address;
use serde_json::{Value, json};
use settlekit_tests::chain::{Connected, EXPLORER, PUBLIC_RPC, USDC};
use settlekit_tests::world::text;

#[test]
fn a_payment_shows_block_depth_and_explorer_to_merchant_and_payer() {
    Connected::each(|kind, mut connected| {
        let shop = connected.world.shop("Shop", None);
        connected.world.account(&shop, "till", 8453, &["USDC"]);
        let chains = connected.world.read(&shop, "/v1/chains");
        assert_eq!(chains[0]["explorer_url"], EXPLORER, "{kind}");
        let link = json!({ "amount": "5", "currency": "USDC", "name": "Tea" });
        let link = connected.world.post(&shop, "/v1/paylinks", link).id();
        let start = format!("/v1/checkout/{link}/payments");
        let chosen = json!({ "chain_id": 8453, "currency": "USDC" });
        let started = connected.world.public("POST", &start, chosen);
        let started = started.data();
        let address = text(started, "address");
        assert_eq!(
            text(started, "address_url"),
            format!("{EXPLORER}/address/{address}"),
            "{kind}"
        );
        assert_eq!(text(started, "explorer_url"), EXPLORER, "{kind}");
        assert_eq!(text(started, "public_rpc_url"), PUBLIC_RPC, "{kind}");
        for absent in ["transaction_url", "block_number", "test_network"] {
            assert!(started.get(absent).is_none(), "{kind}: {absent}");
        }
        let id = text(started, "payment_id");
        let to: Address = address.parse().expect("an address");
        let sent = connected.chain.transfer(Some(USDC), to, 5_000_000);
        for confirmations in [1, 2, 3] {
            connected.blocks(1);
            let path = format!("/v1/checkout/payments/{id}");
            let seen = connected.world.public("GET", &path, Value::Null);
            let seen = seen.data();
            assert_eq!(seen["confirmations"], confirmations, "{kind}");
            assert_eq!(seen["confirmations_required"], 3, "{kind}");
            assert_eq!(seen["block_number"], 101, "{kind}");
            let page = format!("{EXPLORER}/tx/{:#x}", sent.hash);
            assert_eq!(text(seen, "transaction_url"), page, "{kind}");
            let payment = connected.world.read(&shop, &format!("/v1/payments/{id}"));
            assert!(payment.get("test_network").is_none(), "{kind}: {payment}");
            let transaction = &payment["crypto_transactions"][0];
            assert_eq!(transaction["confirmations"], confirmations, "{kind}");
            assert_eq!(transaction["confirmations_required"], 3, "{kind}");
            assert_eq!(transaction["block_number"], 101, "{kind}");
            let summary = &payment["crypto_transaction"];
            assert_eq!(summary["block_number"], 101, "{kind}");
        }
        // A reorganisation takes the block away, and with it the number.
        connected.reorganise(3);
        let payment = connected.world.read(&shop, &format!("/v1/payments/{id}"));
        let transaction = &payment["crypto_transactions"][0];
        assert!(
            transaction.get("block_number").is_none(),
            "{kind}: {transaction}"
        );
    });
}
