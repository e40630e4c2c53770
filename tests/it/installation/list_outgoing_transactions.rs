//! `GET /installation/transactions`.

use alloy_primitives::U256;
use serde_json::Value;
use settlekit_service::TransferIndex;
use settlekit_service::block::{Mined, Transfer};
use settlekit_tests::chain::{Connected, USDC};
use settlekit_tests::world::OTHER_WALLET;

use super::{broadcast, fund, operator, read, sign};

fn statuses(list: &Value) -> Vec<String> {
    let items = list["items"].as_array().expect("items").iter();
    items
        .map(|one| format!("{} {}", one["status"], one["nonce"]))
        .collect()
}

#[test]
fn a_transaction_is_listed_from_the_queue_to_its_last_confirmation() {
    Connected::each(|kind, mut connected| {
        let (shop, olga) = operator(&mut connected.world);
        fund(&mut connected, &shop);
        let payout = connected.pay_out(&shop, "2.5");
        let list = read(&mut connected, &olga, "transactions");
        assert_eq!(statuses(&list), ["\"Queued\" null"], "{kind}");
        let one = &list["items"][0];
        assert_eq!(one["purpose"], "payout", "{kind}");
        assert_eq!(one["payment_id"], payout.as_str(), "{kind}");
        assert_eq!(one["amount"], "2.5", "{kind}");
        assert_eq!(one["attempts"], 0, "{kind}");
        assert_eq!(one["can_raise_fee"], false, "{kind}");
        sign(&mut connected);
        let list = read(&mut connected, &olga, "transactions");
        assert_eq!(statuses(&list), ["\"Signed\" 0"], "{kind}");
        let hash = broadcast(&mut connected)[0];
        let list = read(&mut connected, &olga, "transactions");
        assert_eq!(statuses(&list), ["\"Sent\" 0"], "{kind}");
        let one = &list["items"][0];
        assert_eq!(one["transaction_hash"], hash.to_string(), "{kind}");
        assert_eq!(one["max_fee_gwei"], "2.002", "{kind}");
        assert_eq!(one["max_fee"], "0.000125125", "{kind}");
        assert_eq!(one["can_raise_fee"], true, "{kind}");
        connected.chain.mine(Mined {
            hash,
            from: connected.wallet,
            nonce: 0,
            succeeded: true,
            fee: U256::from(21_000_000_000_000_u64),
        });
        connected.chain.include(Transfer {
            hash,
            index: TransferIndex::Log(0),
            token: Some(USDC),
            from: connected.wallet,
            to: OTHER_WALLET.parse().expect("an address"),
            units: U256::from(2_500_000_u64),
        });
        connected.blocks(1);
        let list = read(&mut connected, &olga, "transactions");
        assert_eq!(statuses(&list), ["\"Mined\" 0"], "{kind}");
        assert_eq!(list["items"][0]["can_raise_fee"], false, "{kind}");
        connected.blocks(2);
        let list = read(&mut connected, &olga, "transactions");
        assert_eq!(statuses(&list), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn transactions_are_listed_in_parts_oldest_first_and_by_chain() {
    Connected::each(|kind, mut connected| {
        let (shop, olga) = operator(&mut connected.world);
        fund(&mut connected, &shop);
        let payouts = ["1", "2", "3"].map(|amount| connected.pay_out(&shop, amount));
        let mut found = Vec::new();
        let mut path = "transactions?limit=2&chain_id=8453".to_owned();
        loop {
            let list = read(&mut connected, &olga, &path);
            let items = list["items"].as_array().expect("items").clone();
            found.extend(items.iter().map(|one| one["payment_id"].clone()));
            let Some(next) = list["next"].as_i64() else {
                break;
            };
            assert_eq!(items.len(), 2, "{kind}");
            path = format!("transactions?limit=2&chain_id=8453&after={next}");
        }
        assert_eq!(found, payouts, "{kind}");
        let other = read(&mut connected, &olga, "transactions?chain_id=1");
        assert_eq!(statuses(&other), Vec::<String>::new(), "{kind}");
    });
}
