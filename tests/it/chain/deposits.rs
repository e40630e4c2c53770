//! Deposits on a connected chain: seen in a block, settled by depth, taken back by reorganisations.

use alloy_primitives::{Address, U256};
use serde_json::{Value, json};
use settlekit_service::TransferIndex;
use settlekit_service::block::Observed;
use settlekit_tests::chain::{Connected, USDC};
use settlekit_tests::world::{Shop, text};

/// An account of a shop with its address.
pub(super) fn till(connected: &mut Connected) -> (Shop, Address) {
    let shop = connected.world.shop("Shop", None);
    let till = connected
        .world
        .account(&shop, "till", 8453, &["USDC", "ETH"]);
    let till = connected.world.read(&shop, &format!("/v1/accounts/{till}"));
    let address = text(&till, "address").parse().expect("an address");
    (shop, address)
}

/// A payment of 5 USDC, with its id and address.
pub(super) fn payment(connected: &mut Connected, shop: &Shop) -> (String, Address) {
    let body = json!({ "amount": "5", "currency": "USDC", "chain_id": 8453, "account": "till" });
    let payment = connected.world.keyed(shop, "POST", "/v1/payments", body);
    assert_eq!(payment.status, 201, "{}", payment.body);
    let address = text(payment.data(), "deposit_address");
    (payment.id(), address.parse().expect("an address"))
}

pub(super) fn show(connected: &mut Connected, shop: &Shop, payment: &str) -> Value {
    connected
        .world
        .read(shop, &format!("/v1/payments/{payment}"))
}

pub(super) fn posted(connected: &mut Connected, shop: &Shop, currency: &str) -> String {
    let held = connected.world.read(shop, "/v1/accounts/till/balances");
    let held = held.as_array().expect("balances").iter();
    let held = held.filter(|held| held["currency"] == currency);
    held.map(|held| text(held, "posted"))
        .next()
        .unwrap_or_else(|| "0".to_owned())
}

pub(super) fn movements(connected: &mut Connected, shop: &Shop) -> Vec<String> {
    let list = connected
        .world
        .read(shop, "/v1/accounts/till/movement?sort=asc");
    let items = list["items"].as_array().expect("movements").iter();
    items
        .map(|item| {
            format!(
                "{} {} {}",
                text(item, "amount"),
                text(item, "currency"),
                text(item, "status")
            )
        })
        .collect()
}

/// The latest event of a transaction: action, status, confirmations and block.
pub(super) fn latest_event(connected: &mut Connected, shop: &Shop) -> String {
    let log = "/v1/events?type=CryptoTransaction&limit=1";
    let event = connected.world.read(shop, log)["items"][0].take();
    let (action, data) = (text(&event, "action"), &event["data"]);
    let status = text(data, "status");
    format!(
        "{action} {status} {} {}",
        data["confirmations"], data["block_number"]
    )
}

#[test]
fn a_payment_confirms_when_its_block_has_the_confirmations() {
    Connected::each(|kind, mut connected| {
        let (shop, _) = till(&mut connected);
        let (payment, address) = payment(&mut connected, &shop);
        connected.chain.transfer(Some(USDC), address, 5_000_000);
        for confirmations in [1, 2] {
            connected.blocks(1);
            let shown = show(&mut connected, &shop, &payment);
            assert_eq!(shown["status"], "Processing", "{kind}");
            let transaction = &shown["crypto_transactions"][0];
            assert_eq!(transaction["confirmations"], confirmations, "{kind}");
            assert_eq!(posted(&mut connected, &shop, "USDC"), "0", "{kind}");
        }
        connected.blocks(1);
        let shown = show(&mut connected, &shop, &payment);
        assert_eq!(shown["status"], "Confirmed", "{kind}");
        assert_eq!(
            shown["crypto_transactions"][0]["confirmations"], 3,
            "{kind}"
        );
        assert_eq!(posted(&mut connected, &shop, "USDC"), "5", "{kind}");
        assert_eq!(connected.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn transfers_of_one_transaction_are_separate_and_unknown_tokens_are_not_booked() {
    Connected::each(|kind, mut connected| {
        let (shop, address) = till(&mut connected);
        let first = connected.chain.transfer(Some(USDC), address, 1_000_000);
        for index in [4, 9] {
            let mut more = first.clone();
            more.index = TransferIndex::Log(index);
            connected.chain.include(more);
        }
        let other = Address::repeat_byte(0xbd);
        connected.chain.transfer(Some(other), address, 7_000_000);
        connected.chain.transfer(None, address, 1_000_000_000);
        let mut absurd = connected.chain.transfer(Some(USDC), address, 1);
        absurd.index = TransferIndex::Log(1);
        absurd.units = U256::MAX;
        connected.chain.include(absurd);
        connected.blocks(3);
        let expected = [
            "1 USDC Confirmed",
            "1 USDC Confirmed",
            "1 USDC Confirmed",
            "0.000000001 ETH Confirmed",
            "0.000001 USDC Confirmed",
        ];
        assert_eq!(movements(&mut connected, &shop), expected, "{kind}");
        assert_eq!(posted(&mut connected, &shop, "USDC"), "3.000001", "{kind}");
        assert_eq!(connected.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn a_block_is_recorded_once_and_only_after_its_parent() {
    Connected::each(|kind, mut connected| {
        let (shop, address) = till(&mut connected);
        connected.chain.transfer(Some(USDC), address, 1_000_000);
        let first = connected.chain.block();
        let second = connected.chain.block();
        assert_eq!(connected.observe(&second), Observed::Unlinked, "{kind}");
        assert_eq!(connected.observe(&first), Observed::Recorded, "{kind}");
        assert_eq!(connected.observe(&first), Observed::Unlinked, "{kind}");
        assert_eq!(connected.observe(&second), Observed::Recorded, "{kind}");
        connected.blocks(5);
        let expected = ["1 USDC Confirmed"];
        assert_eq!(movements(&mut connected, &shop), expected, "{kind}");
        assert_eq!(posted(&mut connected, &shop, "USDC"), "1", "{kind}");
    });
}

#[test]
fn a_reorganised_transfer_counts_its_confirmations_from_its_new_block() {
    Connected::each(|kind, mut connected| {
        let (shop, _) = till(&mut connected);
        let (payment, address) = payment(&mut connected, &shop);
        let transfer = connected.chain.transfer(Some(USDC), address, 5_000_000);
        connected.blocks(2);
        connected.reorganise(2);
        let shown = show(&mut connected, &shop, &payment);
        assert_eq!(
            shown["crypto_transactions"][0]["confirmations"], 0,
            "{kind}"
        );
        // Two empty blocks, then the transaction again.
        connected.blocks(2);
        connected.chain.include(transfer);
        connected.blocks(2);
        assert_eq!(
            show(&mut connected, &shop, &payment)["status"],
            "Processing",
            "{kind}"
        );
        connected.blocks(1);
        assert_eq!(
            show(&mut connected, &shop, &payment)["status"],
            "Confirmed",
            "{kind}"
        );
        assert_eq!(
            movements(&mut connected, &shop),
            ["5 USDC Confirmed"],
            "{kind}"
        );
        assert_eq!(connected.failures, Vec::<String>::new(), "{kind}");
        assert_eq!(connected.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn a_transaction_with_another_outcome_in_its_new_block_replaces_the_first() {
    Connected::each(|kind, mut connected| {
        let (shop, address) = till(&mut connected);
        let transfer = connected.chain.transfer(Some(USDC), address, 5_000_000);
        connected.blocks(1);
        connected.reorganise(1);
        let mut other = transfer;
        other.units = U256::from(2_000_000);
        connected.chain.include(other);
        connected.blocks(3);
        let expected = ["5 USDC Failed", "2 USDC Confirmed"];
        assert_eq!(movements(&mut connected, &shop), expected, "{kind}");
        assert_eq!(posted(&mut connected, &shop, "USDC"), "2", "{kind}");
        assert_eq!(connected.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn a_transfer_that_no_block_brings_again_fails_and_is_booked_if_one_does_later() {
    Connected::each(|kind, mut connected| {
        let (shop, address) = till(&mut connected);
        let transfer = connected.chain.transfer(Some(USDC), address, 5_000_000);
        connected.blocks(1);
        connected.reorganise(1);
        connected
            .world
            .pass(std::time::Duration::from_secs(25 * 60 * 60));
        connected.blocks(1);
        assert_eq!(
            movements(&mut connected, &shop),
            ["5 USDC Failed"],
            "{kind}"
        );
        connected.chain.include(transfer);
        connected.blocks(3);
        let expected = ["5 USDC Failed", "5 USDC Confirmed"];
        assert_eq!(movements(&mut connected, &shop), expected, "{kind}");
        assert_eq!(posted(&mut connected, &shop, "USDC"), "5", "{kind}");
        assert_eq!(connected.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn a_reorganisation_of_a_confirmed_deposit_is_an_alarm_and_changes_no_balance() {
    Connected::each(|kind, mut connected| {
        let (shop, address) = till(&mut connected);
        let transfer = connected.chain.transfer(Some(USDC), address, 5_000_000);
        connected.blocks(4);
        connected.reorganise(4);
        assert_eq!(
            connected.failures.len(),
            1,
            "{kind}: {:?}",
            connected.failures
        );
        assert_eq!(posted(&mut connected, &shop, "USDC"), "5", "{kind}");
        let event = latest_event(&mut connected, &shop);
        assert_eq!(event, "Updated Success 0 null", "{kind}");
        let missing = ["5000000 USDC are missing"];
        assert_eq!(connected.differences(), missing, "{kind}");
        connected.blocks(1);
        connected.chain.include(transfer);
        connected.blocks(5);
        let event = latest_event(&mut connected, &shop);
        assert_eq!(event, "Updated Success 1 102", "{kind}");
        assert_eq!(posted(&mut connected, &shop, "USDC"), "5", "{kind}");
        assert_eq!(
            movements(&mut connected, &shop),
            ["5 USDC Confirmed"],
            "{kind}"
        );
        assert_eq!(connected.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn a_confirmed_payment_counts_from_the_new_block_of_its_transaction() {
    Connected::each(|kind, mut connected| {
        let (shop, _) = till(&mut connected);
        let (payment, address) = payment(&mut connected, &shop);
        let transfer = connected.chain.transfer(Some(USDC), address, 5_000_000);
        connected.blocks(4);
        let count = |connected: &mut Connected, expected: [Option<u64>; 2], what: &str| {
            let shown = show(connected, &shop, &payment);
            assert_eq!(shown["status"], "Confirmed", "{kind}: {what}");
            let transaction = &shown["crypto_transactions"][0];
            let counted =
                ["block_number", "confirmations"].map(|field| transaction[field].as_u64());
            assert_eq!(counted, expected, "{kind}: {what}");
            transaction.clone()
        };
        let check = |connected: &mut Connected, expected: [Option<u64>; 2], what: &str| {
            let transaction = count(connected, expected, what);
            let log = format!("/v1/events?type=Payment&document_id={payment}&limit=1");
            let event = connected.world.read(&shop, &log);
            let told = &event["items"][0]["data"]["crypto_transactions"][0];
            assert_eq!(*told, transaction, "{kind}: {what}");
        };
        check(&mut connected, [Some(101), Some(3)], "confirmed");
        connected.reorganise(4);
        check(&mut connected, [None, Some(0)], "lost");
        connected.blocks(4);
        connected.chain.include(transfer.clone());
        connected.blocks(1);
        check(&mut connected, [Some(105), Some(1)], "back");
        connected.blocks(1);
        count(&mut connected, [Some(105), Some(2)], "back");
        connected.reorganise(2);
        check(&mut connected, [None, Some(0)], "lost again");
        connected.blocks(1);
        connected.chain.include(transfer);
        connected.blocks(1);
        check(&mut connected, [Some(106), Some(1)], "back again");
        for confirmations in [2, 3, 3] {
            connected.blocks(1);
            count(&mut connected, [Some(106), Some(confirmations)], "deeper");
        }
        assert_eq!(connected.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn a_paused_chain_records_nothing_and_takes_no_payments() {
    Connected::each(|kind, mut connected| {
        let (shop, _) = till(&mut connected);
        let (now, chain) = (connected.world.now, connected.chain.id);
        let (service, database) = connected.world.parts();
        service
            .set_chain_paused(database, chain, true, now)
            .expect("a pause");
        let block = connected.chain.block();
        assert_eq!(connected.observe(&block), Observed::NotConnected, "{kind}");
        let body = json!({ "amount": "5", "currency": "USDC", "chain_id": 8453 });
        let refused = connected.world.keyed(&shop, "POST", "/v1/payments", body);
        assert_eq!(
            refused.refusal(),
            "409 CHAIN_NOT_CONNECTED chain_id",
            "{kind}"
        );
    });
}

#[test]
fn money_on_the_wrong_chain_of_an_address_is_the_operators_to_return() {
    Connected::each(|kind, mut connected| {
        let (_, address) = till(&mut connected);
        let (_, database) = connected.world.parts();
        let forget = "DELETE FROM addresses WHERE address = ?1";
        let text = format!("{address:#x}");
        database
            .execute(forget, &[(&text).into()])
            .expect("another chain's address");
        connected.chain.transfer(Some(USDC), address, 5_000_000);
        connected.blocks(3);
        assert_eq!(connected.differences(), Vec::<String>::new(), "{kind}");
    });
}
