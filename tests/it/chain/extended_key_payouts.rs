//! Payouts and refunds of accounts by extended public key: prepared from one of its addresses, and recognised by it.

use std::mem;
use std::time::Duration;

use alloy_primitives::{Address, B256, U256};
use serde_json::{Value, json};
use settlekit_service::TransferIndex;
use settlekit_service::block::{Mined, Transfer};
use settlekit_tests::chain::{Connected, MemoryChain, PAYER, USDC};
use settlekit_tests::world::{Answer, OTHER_WALLET, Shop, World, text};

use super::extended_keys::{ADDRESSES, XPUB, create, first_wallet, with_key};
use crate::account::prove_wallet;

/// What the network takes for a transaction: 0.001 ETH.
const FEE: u64 = 1_000_000_000_000_000;

fn address(index: usize) -> Address {
    ADDRESSES[index].parse().expect("an address")
}

fn stranger() -> Address {
    OTHER_WALLET.parse().expect("an address")
}

/// A shop with a proven account of the key, whose first address is empty.
fn opened(connected: &mut Connected) -> Shop {
    let shop = with_key(&mut connected.world);
    connected.blocks(3);
    connected.report_empty_wallets();
    shop
}

/// As [`opened`], with payments of these amounts of USDC at its next addresses.
fn earned(connected: &mut Connected, dollars: &[u64]) -> Shop {
    let shop = opened(connected);
    for dollars in dollars {
        earn(connected, &shop, *dollars);
    }
    connected.blocks(3);
    shop
}

/// A payment at the next address of the key, paid in the next block; its path.
fn earn(connected: &mut Connected, shop: &Shop, dollars: u64) -> String {
    let body = json!({ "amount": dollars.to_string(), "currency": "USDC", "chain_id": 8453, "account": "till" });
    let payment = connected.world.post(shop, "/v1/payments", body);
    let to = text(payment.data(), "deposit_address");
    let to = to.parse().expect("an address");
    (connected.chain).transfer(Some(USDC), to, dollars * 1_000_000);
    format!("/v1/payments/{}", payment.id())
}

/// Sends USDC from an address in the next block.
fn send(connected: &mut Connected, from: Address, to: Address, dollars: u64) -> B256 {
    let hash = connected.chain.hash();
    connected.move_usdc(hash, (from, to), dollars * 1_000_000);
    hash
}

/// A transfer of USDC from the key's address 1 to a stranger, at a position of a transaction in the next block.
fn include(connected: &mut Connected, hash: B256, position: u32, dollars: u64) {
    connected.chain.include(Transfer {
        hash,
        index: TransferIndex::Log(position),
        token: Some(USDC),
        from: address(1),
        to: stranger(),
        units: U256::from(dollars * 1_000_000),
    });
}

/// Asks for a payout to a stranger.
fn ask(
    connected: &mut Connected,
    shop: &Shop,
    account: &Value,
    (amount, currency): (&str, &str),
) -> Answer {
    let body = json!({
        "account": account, "amount": amount, "currency": currency, "chain_id": connected.chain.id, "address": OTHER_WALLET,
    });
    (connected.world).signed(shop, None, "POST", "/v1/payouts", body)
}

fn try_pay_out(connected: &mut Connected, shop: &Shop, amount: &str) -> Answer {
    ask(connected, shop, &json!("till"), (amount, "USDC"))
}

fn pay_out(connected: &mut Connected, shop: &Shop, amount: &str) -> Value {
    let made = try_pay_out(connected, shop, amount);
    assert_eq!(made.status, 201, "{}", made.body);
    connected.world.work();
    made.data().clone()
}

/// The index of the address that signs a payout, which is this address.
fn signer(payout: &Value) -> usize {
    let prepared = &payout["prepared_transaction"];
    let index = prepared["derivation_index"].as_u64();
    let index = index.and_then(|index| usize::try_from(index).ok());
    let index = index.unwrap_or_else(|| panic!("no index: {payout}"));
    assert_eq!(prepared["from"], ADDRESSES[index], "{payout}");
    assert_eq!(payout["sender_address"], ADDRESSES[index], "{payout}");
    index
}

fn show(connected: &mut Connected, shop: &Shop, payout: &Value) -> Value {
    let path = format!("/v1/payments/{}", text(payout, "id"));
    connected.world.read(shop, &path)
}

fn status(connected: &mut Connected, shop: &Shop, payout: &Value) -> String {
    text(&show(connected, shop, payout), "status")
}

fn cancel(connected: &mut Connected, shop: &Shop, payout: &Value) {
    let path = format!("/v1/payments/{}", text(payout, "id"));
    let canceled = connected.world.keyed(shop, "DELETE", &path, Value::Null);
    assert_eq!(canceled.status, 200, "{}", canceled.body);
}

/// Pays a payout of 5 USDC from another address than it was prepared from.
fn pay_from_another(connected: &mut Connected, shop: &Shop, payout: &Value, index: usize) {
    send(connected, address(index), stranger(), 5);
    connected.blocks(1);
    let shown = show(connected, shop, payout);
    assert_eq!(shown["status"], "Processing", "{shown}");
    assert_eq!(shown["sender_address"], ADDRESSES[index], "{shown}");
    // Nobody is asked to sign it again.
    assert_eq!(shown["prepared_transaction"], Value::Null, "{shown}");
    connected.blocks(2);
    assert_eq!(status(connected, shop, payout), "Confirmed", "{payout}");
}

/// A refusal for lack of funds that names the most that one address can pay.
fn refused_above(most: &str, refused: &Answer, kind: &str) {
    assert_eq!(
        refused.refusal(),
        "422 INSUFFICIENT_FUNDS amount",
        "{kind}: {}",
        refused.body
    );
    let said = refused.body.to_string();
    let sentence = format!(
        "exceeds {most}, the most that one address of the extended public key has available"
    );
    assert!(said.contains(&sentence), "{kind}: {said}");
}

fn balance(connected: &mut Connected, shop: &Shop) -> String {
    let held = connected.world.read(shop, "/v1/accounts/till/balances");
    let held = held.as_array().expect("balances").iter();
    let held = held.filter(|held| held["currency"] == "USDC");
    held.map(|held| text(held, "posted")).collect()
}

/// The latest movements of the account, oldest first.
fn movements(connected: &mut Connected, shop: &Shop, count: usize) -> Vec<Value> {
    let list = connected
        .world
        .read(shop, "/v1/accounts/till/movement?sort=asc");
    let items = list["items"].as_array().expect("movements");
    items[items.len() - count..].to_vec()
}

fn nothing_differs(connected: &mut Connected, kind: &str) {
    assert_eq!(connected.differences(), Vec::<String>::new(), "{kind}");
}

#[test]
fn a_payout_of_a_key_is_prepared_from_the_address_with_the_least_that_covers_it() {
    Connected::each(|kind, mut connected| {
        let shop = earned(&mut connected, &[5, 8, 5]);
        let payout = pay_out(&mut connected, &shop, "4");
        assert_eq!(signer(&payout), 1, "{kind}: the first of two equal ones");
        assert_eq!(payout["status"], "Pending", "{kind}");
        assert_eq!(payout["next_action"], "SignTransaction", "{kind}");
        let link = format!("ethereum:{USDC}@8453/transfer?address={OTHER_WALLET}&uint256=4000000");
        assert_eq!(payout["prepared_transaction"]["link"], link, "{kind}");
        // Nothing is sent by the service, and the books change with a block.
        assert_eq!(connected.requests(), [], "{kind}");
        assert_eq!(balance(&mut connected, &shop), "18", "{kind}");
        // Available after the first payout: 1, 8 and 5.
        assert_eq!(signer(&pay_out(&mut connected, &shop, "4")), 3, "{kind}");
        assert_eq!(signer(&pay_out(&mut connected, &shop, "1")), 1, "{kind}");
        assert_eq!(signer(&pay_out(&mut connected, &shop, "2")), 2, "{kind}");
        assert_eq!(signer(&pay_out(&mut connected, &shop, "6")), 2, "{kind}");
        refused_above("1 USDC", &try_pay_out(&mut connected, &shop, "2"), kind);
        nothing_differs(&mut connected, kind);
    });
}

#[test]
fn an_amount_that_lies_at_several_addresses_is_refused_with_the_most_that_one_can_pay() {
    Connected::each(|kind, mut connected| {
        let shop = earned(&mut connected, &[5, 8]);
        let estimate = |connected: &mut Connected, amount: &str| {
            let query = format!("account=till&amount={amount}&currency=USDC&chain_id=8453");
            let estimate = connected
                .world
                .read(&shop, &format!("/v1/payouts/estimate?{query}"));
            (text(&estimate, "available"), estimate["covered"].clone())
        };
        assert_eq!(
            estimate(&mut connected, "8"),
            ("8".to_owned(), json!(true)),
            "{kind}"
        );
        let spread = estimate(&mut connected, "8.000001");
        assert_eq!(spread, ("8".to_owned(), json!(false)), "{kind}");
        let refused = try_pay_out(&mut connected, &shop, "8.000001");
        refused_above("8 USDC", &refused, kind);
        refused_above("8 USDC", &try_pay_out(&mut connected, &shop, "14"), kind);
        let payouts = connected.world.read(&shop, "/v1/payouts");
        assert_eq!(payouts["total"], 0, "{kind}: {payouts}");
        // Put together by the merchant, the money can be paid out by one transaction.
        send(&mut connected, address(1), address(0), 5);
        send(&mut connected, address(2), address(0), 8);
        connected.blocks(3);
        assert_eq!(balance(&mut connected, &shop), "13", "{kind}");
        let moved = movements(&mut connected, &shop, 4);
        let mut moved: Vec<String> = (moved.iter())
            .map(|one| {
                ["direction", "amount", "type", "status"]
                    .map(|field| text(one, field))
                    .join(" ")
            })
            .collect();
        moved.sort();
        let both_sides = [
            "IN 5 Deposit Confirmed",
            "IN 8 Deposit Confirmed",
            "OUT 5 Withdraw Confirmed",
            "OUT 8 Withdraw Confirmed",
        ];
        assert_eq!(moved, both_sides, "{kind}");
        assert_eq!(signer(&pay_out(&mut connected, &shop, "13")), 0, "{kind}");
        nothing_differs(&mut connected, kind);
    });
}

#[test]
fn a_payout_that_is_signed_from_another_address_of_its_key_is_paid_by_that() {
    Connected::each(|kind, mut connected| {
        let shop = earned(&mut connected, &[5, 8]);
        let payout = pay_out(&mut connected, &shop, "5");
        assert_eq!(signer(&payout), 1, "{kind}");
        // The link names no sender, and a wallet may have chosen another one.
        pay_from_another(&mut connected, &shop, &payout, 2);
        assert_eq!(signer(&pay_out(&mut connected, &shop, "5")), 1, "{kind}");
        assert_eq!(balance(&mut connected, &shop), "8", "{kind}");
        nothing_differs(&mut connected, kind);
    });
}

#[test]
fn a_payout_comes_from_an_address_that_can_pay_the_network_and_never_from_its_recipient() {
    Connected::each(|kind, mut connected| {
        let shop = earned(&mut connected, &[5, 8, 9]);
        connected.chain.transfer(None, address(2), FEE);
        connected.blocks(3);
        let payout = pay_out(&mut connected, &shop, "4");
        assert_eq!(signer(&payout), 2, "{kind}");
        cancel(&mut connected, &shop, &payout);
        let to = ADDRESSES[2];
        let body = json!({
            "account": "till", "amount": "4", "currency": "USDC", "chain_id": 8453, "address": to,
        });
        let moved = (connected.world).signed(&shop, None, "POST", "/v1/payouts", body);
        assert_eq!(signer(moved.data()), 1, "{kind}");
        // Of two addresses with coins, one that keeps some for the network.
        connected.chain.transfer(None, address(3), 2 * FEE);
        connected.blocks(3);
        let coins = ask(&mut connected, &shop, &json!("till"), ("0.001", "ETH"));
        assert_eq!(signer(coins.data()), 3, "{kind}");
        nothing_differs(&mut connected, kind);
    });
}

#[test]
fn a_payout_is_paid_by_the_address_that_it_was_prepared_from() {
    Connected::each(|kind, mut connected| {
        let shop = earned(&mut connected, &[5, 8]);
        let payout = pay_out(&mut connected, &shop, "5");
        assert_eq!(signer(&payout), 1, "{kind}");
        let hash = send(&mut connected, address(1), stranger(), 5);
        connected.blocks(1);
        let shown = show(&mut connected, &shop, &payout);
        assert_eq!(shown["status"], "Processing", "{kind}");
        assert_eq!(shown["prepared_transaction"], Value::Null, "{kind}");
        let transaction = &shown["settlement_transaction"]["transaction_hash"];
        assert_eq!(*transaction, format!("{hash:#x}"), "{kind}");
        connected.blocks(2);
        let shown = show(&mut connected, &shop, &payout);
        assert_eq!(shown["status"], "Confirmed", "{kind}");
        assert_eq!(shown["paid_amount"], "5", "{kind}");
        assert_eq!(
            movements(&mut connected, &shop, 1)[0]["entity_id"],
            payout["id"],
            "{kind}"
        );
        assert_eq!(balance(&mut connected, &shop), "8", "{kind}");
        nothing_differs(&mut connected, kind);
    });
}

#[test]
fn equal_payouts_of_two_addresses_are_each_paid_by_their_own() {
    Connected::each(|kind, mut connected| {
        let shop = earned(&mut connected, &[5, 5]);
        let first = pay_out(&mut connected, &shop, "5");
        let second = pay_out(&mut connected, &shop, "5");
        assert_eq!((signer(&first), signer(&second)), (1, 2), "{kind}");
        // The younger one is signed first.
        send(&mut connected, address(2), stranger(), 5);
        connected.blocks(3);
        assert_eq!(status(&mut connected, &shop, &first), "Pending", "{kind}");
        assert_eq!(
            status(&mut connected, &shop, &second),
            "Confirmed",
            "{kind}"
        );
        send(&mut connected, address(1), stranger(), 5);
        connected.blocks(3);
        assert_eq!(status(&mut connected, &shop, &first), "Confirmed", "{kind}");
        nothing_differs(&mut connected, kind);
    });
}

#[test]
fn a_canceled_payout_frees_its_address_and_one_in_a_block_counts_once() {
    Connected::each(|kind, mut connected| {
        let shop = earned(&mut connected, &[5]);
        let payout = pay_out(&mut connected, &shop, "3");
        refused_above("2 USDC", &try_pay_out(&mut connected, &shop, "3"), kind);
        cancel(&mut connected, &shop, &payout);
        let payout = pay_out(&mut connected, &shop, "3");
        send(&mut connected, address(1), stranger(), 3);
        for confirmations in 1..=3 {
            connected.blocks(1);
            let refused = try_pay_out(&mut connected, &shop, "2.000001");
            refused_above("2 USDC", &refused, &format!("{kind}: {confirmations}"));
        }
        assert_eq!(
            status(&mut connected, &shop, &payout),
            "Confirmed",
            "{kind}"
        );
        assert_eq!(signer(&pay_out(&mut connected, &shop, "2")), 1, "{kind}");
        nothing_differs(&mut connected, kind);
    });
}

#[test]
fn a_payout_whose_block_is_taken_away_holds_its_address_until_it_is_lost() {
    Connected::each(|kind, mut connected| {
        let shop = earned(&mut connected, &[5, 5]);
        let payout = pay_out(&mut connected, &shop, "5");
        send(&mut connected, address(1), stranger(), 5);
        connected.blocks(1);
        connected.reorganise(1);
        assert_eq!(
            status(&mut connected, &shop, &payout),
            "Processing",
            "{kind}"
        );
        let other = pay_out(&mut connected, &shop, "5");
        assert_eq!(signer(&other), 2, "{kind}");
        cancel(&mut connected, &shop, &other);
        // The same transfer from another address does not replace its transaction, and one from its own does.
        send(&mut connected, address(2), stranger(), 5);
        connected.blocks(1);
        assert_eq!(
            status(&mut connected, &shop, &payout),
            "Processing",
            "{kind}"
        );
        connected.world.pass(Duration::from_secs(25 * 60 * 60));
        connected.blocks(2);
        assert_eq!(status(&mut connected, &shop, &payout), "Failed", "{kind}");
        let again = pay_out(&mut connected, &shop, "5");
        assert_eq!(signer(&again), 1, "{kind}");
        send(&mut connected, address(1), stranger(), 5);
        connected.blocks(1);
        connected.reorganise(1);
        send(&mut connected, address(1), stranger(), 5);
        connected.blocks(3);
        assert_eq!(status(&mut connected, &shop, &again), "Confirmed", "{kind}");
        nothing_differs(&mut connected, kind);
    });
}

#[test]
fn a_replaced_transaction_of_a_payout_neither_pays_another_one_nor_holds_money() {
    Connected::each(|kind, mut connected| {
        let shop = earned(&mut connected, &[15]);
        let payouts = [(); 2].map(|()| pay_out(&mut connected, &shop, "5"));
        send(&mut connected, address(1), stranger(), 5);
        connected.blocks(1);
        connected.reorganise(1);
        // The wallet has raised the fee of the first, and signed the second.
        send(&mut connected, address(1), stranger(), 5);
        send(&mut connected, address(1), stranger(), 5);
        connected.blocks(3);
        for payout in &payouts {
            let status = status(&mut connected, &shop, payout);
            assert_eq!(status, "Confirmed", "{kind}");
        }
        let rest = pay_out(&mut connected, &shop, "5");
        assert_eq!(signer(&rest), 1, "{kind}");
        nothing_differs(&mut connected, kind);
    });
}

#[test]
fn a_replaced_transaction_with_several_transfers_holds_nothing() {
    Connected::each(|kind, mut connected| {
        let shop = earned(&mut connected, &[15]);
        let payout = pay_out(&mut connected, &shop, "5");
        let both = connected.chain.hash();
        include(&mut connected, both, 0, 5);
        include(&mut connected, both, 1, 4);
        connected.blocks(1);
        connected.reorganise(1);
        send(&mut connected, address(1), stranger(), 5);
        connected.blocks(3);
        let status = status(&mut connected, &shop, &payout);
        assert_eq!(status, "Confirmed", "{kind}");
        let rest = pay_out(&mut connected, &shop, "10");
        assert_eq!(signer(&rest), 1, "{kind}");
        nothing_differs(&mut connected, kind);
    });
}

#[test]
fn a_payout_is_paid_by_its_transaction_at_other_positions() {
    Connected::each(|kind, mut connected| {
        let shop = earned(&mut connected, &[15]);
        let payouts = ["5", "4"].map(|amount| pay_out(&mut connected, &shop, amount));
        let all = connected.chain.hash();
        for (position, dollars) in [(0, 1), (1, 5), (2, 4)] {
            include(&mut connected, all, position, dollars);
        }
        connected.blocks(1);
        connected.reorganise(1);
        for (position, dollars) in [(0, 2), (1, 1), (2, 5), (3, 4)] {
            include(&mut connected, all, position, dollars);
        }
        connected.blocks(3);
        for payout in &payouts {
            let status = status(&mut connected, &shop, payout);
            assert_eq!(status, "Confirmed", "{kind}");
        }
        assert_eq!(balance(&mut connected, &shop), "3", "{kind}");
        nothing_differs(&mut connected, kind);
    });
}

#[test]
fn a_transaction_that_takes_its_transfer_from_another_address_after_a_reorganisation_holds_that() {
    Connected::each(|kind, mut connected| {
        let shop = earned(&mut connected, &[5, 8]);
        // A contract takes the money where it finds it.
        let hash = send(&mut connected, address(1), stranger(), 5);
        connected.blocks(1);
        connected.reorganise(1);
        connected.move_usdc(hash, (address(2), stranger()), 5_000_000);
        connected.blocks(1);
        assert_eq!(signer(&pay_out(&mut connected, &shop, "5")), 1, "{kind}");
        refused_above("3 USDC", &try_pay_out(&mut connected, &shop, "4"), kind);
        connected.blocks(2);
        assert_eq!(balance(&mut connected, &shop), "8", "{kind}");
        nothing_differs(&mut connected, kind);
    });
}

#[test]
fn a_replaced_transaction_that_a_block_brings_after_all_is_another_withdrawal() {
    Connected::each(|kind, mut connected| {
        let shop = earned(&mut connected, &[15]);
        let payout = pay_out(&mut connected, &shop, "5");
        let replaced = send(&mut connected, address(1), stranger(), 5);
        connected.blocks(1);
        connected.reorganise(1);
        send(&mut connected, address(1), stranger(), 5);
        connected.blocks(1);
        connected.move_usdc(replaced, (address(1), stranger()), 5_000_000);
        connected.blocks(3);
        let shown = status(&mut connected, &shop, &payout);
        assert_eq!(shown, "Confirmed", "{kind}");
        assert_eq!(balance(&mut connected, &shop), "5", "{kind}");
        nothing_differs(&mut connected, kind);
    });
}

#[test]
fn money_that_a_reorganisation_takes_from_an_address_is_paid_out_when_it_is_back() {
    Connected::each(|kind, mut connected| {
        let shop = opened(&mut connected);
        earn(&mut connected, &shop, 5);
        let paid = connected.chain.block();
        let deposit = paid.transfers[0].clone();
        connected.observe(&paid);
        // Money without its confirmations pays nothing out.
        connected.blocks(1);
        assert_eq!(
            try_pay_out(&mut connected, &shop, "1").refusal(),
            "422 INSUFFICIENT_FUNDS amount",
            "{kind}"
        );
        connected.blocks(1);
        let payout = pay_out(&mut connected, &shop, "4");
        connected.reorganise(3);
        let alarm = connected.failures.concat();
        assert!(alarm.contains("which was confirmed"), "{kind}: {alarm}");
        // The books have it, the address has not.
        assert_eq!(balance(&mut connected, &shop), "5", "{kind}");
        refused_above("0 USDC", &try_pay_out(&mut connected, &shop, "1"), kind);
        assert_eq!(status(&mut connected, &shop, &payout), "Pending", "{kind}");
        cancel(&mut connected, &shop, &payout);
        refused_above("0 USDC", &try_pay_out(&mut connected, &shop, "1"), kind);
        connected.chain.include(deposit);
        connected.blocks(3);
        assert_eq!(signer(&pay_out(&mut connected, &shop, "5")), 1, "{kind}");
        nothing_differs(&mut connected, kind);
    });
}

#[test]
fn an_address_that_the_merchant_spends_otherwise_is_not_promised_again() {
    Connected::each(|kind, mut connected| {
        let shop = earned(&mut connected, &[5, 9]);
        let payout = pay_out(&mut connected, &shop, "4");
        assert_eq!(signer(&payout), 1, "{kind}");
        // Not settled yet, it is gone all the same.
        send(&mut connected, address(1), stranger(), 3);
        connected.blocks(1);
        assert_eq!(status(&mut connected, &shop, &payout), "Pending", "{kind}");
        let other = pay_out(&mut connected, &shop, "1");
        assert_eq!(signer(&other), 2, "{kind}");
        connected.blocks(2);
        refused_above("8 USDC", &try_pay_out(&mut connected, &shop, "9"), kind);
        // More was promised than is there: once it is canceled, the rest can be paid.
        cancel(&mut connected, &shop, &payout);
        assert_eq!(signer(&pay_out(&mut connected, &shop, "2")), 1, "{kind}");
        assert_eq!(balance(&mut connected, &shop), "11", "{kind}");
        nothing_differs(&mut connected, kind);
    });
}

#[test]
fn native_coins_of_an_address_pay_the_network_too() {
    /// 0.599 ETH less the fee of the next transfer: 27000 gas at twice the base fee of a gwei and the tip of 0.001 gwei.
    const MOST: &str = "0.598945973 ETH";
    Connected::each(|kind, mut connected| {
        let shop = earned(&mut connected, &[5]);
        let ether = 1_000 * FEE;
        connected.chain.transfer(None, address(1), ether);
        connected.blocks(3);
        let till = json!("till");
        let payout = ask(&mut connected, &shop, &till, ("0.4", "ETH"));
        assert_eq!(payout.status, 201, "{kind}: {}", payout.body);
        let payout = payout.data().clone();
        assert_eq!(signer(&payout), 1, "{kind}");
        let prepared = &payout["prepared_transaction"];
        assert_eq!(prepared["value"], format!("{:#x}", 400 * FEE), "{kind}");
        assert_eq!(prepared["to"], OTHER_WALLET, "{kind}");
        // Another currency of the address is not reserved.
        let dollars = pay_out(&mut connected, &shop, "5");
        cancel(&mut connected, &shop, &dollars);
        let hash = connected.chain.hash();
        connected.chain.include(Transfer {
            hash,
            index: TransferIndex::Value,
            token: None,
            from: address(1),
            to: stranger(),
            units: U256::from(400 * FEE),
        });
        connected.chain.mine(Mined {
            hash,
            from: address(1),
            nonce: 0,
            succeeded: true,
            fee: U256::from(FEE),
        });
        for _ in 0..3 {
            connected.blocks(1);
            let refused = ask(&mut connected, &shop, &till, ("0.6", "ETH"));
            refused_above(MOST, &refused, kind);
        }
        assert_eq!(
            status(&mut connected, &shop, &payout),
            "Confirmed",
            "{kind}"
        );
        let whole = ask(&mut connected, &shop, &till, ("0.599", "ETH"));
        refused_above(MOST, &whole, kind);
        let rest = ask(&mut connected, &shop, &till, ("0.598945973", "ETH"));
        assert_eq!(rest.status, 201, "{kind}: {}", rest.body);
        nothing_differs(&mut connected, kind);
    });
}

#[test]
fn an_unsigned_payout_holds_the_network_fee_beside_its_amount() {
    Connected::each(|kind, mut connected| {
        let shop = earned(&mut connected, &[5]);
        connected.chain.transfer(None, address(1), 1_000 * FEE);
        connected.blocks(3);
        let till = json!("till");
        let payout = ask(&mut connected, &shop, &till, ("0.4", "ETH"));
        assert_eq!(payout.status, 201, "{kind}: {}", payout.body);
        // 0.6 ETH less the fees of both: 27000 gas each, at twice the base fee of a gwei and the tip of 0.001 gwei.
        let refused = ask(&mut connected, &shop, &till, ("0.6", "ETH"));
        refused_above("0.599891946 ETH", &refused, kind);
        // Of a token 65000 gas.
        pay_out(&mut connected, &shop, "5");
        let refused = ask(&mut connected, &shop, &till, ("0.6", "ETH"));
        refused_above("0.599761881 ETH", &refused, kind);
        let rest = ask(&mut connected, &shop, &till, ("0.599761881", "ETH"));
        assert_eq!(rest.status, 201, "{kind}: {}", rest.body);
        nothing_differs(&mut connected, kind);
    });
}

#[test]
fn a_refund_is_prepared_from_another_address_if_its_own_has_too_little() {
    Connected::each(|kind, mut connected| {
        let shop = opened(&mut connected);
        let first = earn(&mut connected, &shop, 5);
        let second = earn(&mut connected, &shop, 8);
        connected.blocks(3);
        let refund = |connected: &mut Connected, payment: &str, body: Value| {
            let path = format!("{payment}/refunds");
            let answer = connected.world.signed(&shop, None, "POST", &path, body);
            connected.world.work();
            answer
        };
        let latest = |connected: &mut Connected| {
            let payouts = connected.world.read(&shop, "/v1/payouts");
            let payout = payouts["items"][0].clone();
            show(connected, &shop, &payout)
        };
        let asked = refund(&mut connected, &first, json!({}));
        assert_eq!(asked.status, 201, "{kind}: {}", asked.body);
        let payout = latest(&mut connected);
        assert_eq!(signer(&payout), 1, "{kind}: its own address covers it");
        cancel(&mut connected, &shop, &payout);
        send(&mut connected, address(1), stranger(), 3);
        connected.blocks(3);
        let asked = refund(&mut connected, &first, json!({}));
        assert_eq!(asked.status, 201, "{kind}: {}", asked.body);
        let payout = latest(&mut connected);
        assert_eq!(signer(&payout), 2, "{kind}");
        let link = text(&payout["prepared_transaction"], "link");
        assert!(link.contains(&format!("address={PAYER}")), "{kind}: {link}");
        // No address can return all of the second payment. One can return a part, and nothing is recorded of the refused one.
        let refused = refund(&mut connected, &second, json!({}));
        refused_above("3 USDC", &refused, kind);
        let shown = connected.world.read(&shop, &second);
        assert_eq!(shown["refunding_amount"], Value::Null, "{kind}");
        let asked = refund(&mut connected, &second, json!({ "amount": "3" }));
        assert_eq!(asked.status, 201, "{kind}: {}", asked.body);
        assert_eq!(signer(&latest(&mut connected)), 2, "{kind}");
        send(&mut connected, address(2), PAYER, 5);
        send(&mut connected, address(2), PAYER, 3);
        connected.blocks(3);
        let status = |connected: &mut Connected, payment: &str| {
            text(&connected.world.read(&shop, payment), "status")
        };
        assert_eq!(status(&mut connected, &first), "Refunded", "{kind}");
        assert_eq!(status(&mut connected, &second), "PartialRefunded", "{kind}");
        assert_eq!(balance(&mut connected, &shop), "2", "{kind}");
        nothing_differs(&mut connected, kind);
    });
}

#[test]
fn a_refund_to_two_senders_is_prepared_whole_or_not_at_all() {
    Connected::each(|kind, mut connected| {
        let shop = opened(&mut connected);
        let body =
            json!({ "amount": "5", "currency": "USDC", "chain_id": 8453, "account": "till" });
        let payment = connected.world.post(&shop, "/v1/payments", body);
        let path = format!("/v1/payments/{}/refunds", payment.id());
        send(&mut connected, PAYER, address(1), 3);
        send(&mut connected, stranger(), address(1), 2);
        connected.blocks(3);
        // With 4 left there is enough for each sender, and too little for both.
        send(&mut connected, address(1), Address::repeat_byte(0x51), 1);
        connected.blocks(3);
        let refund = |connected: &mut Connected, body: Value| {
            let answer = connected.world.signed(&shop, None, "POST", &path, body);
            connected.world.work();
            answer
        };
        refused_above("1 USDC", &refund(&mut connected, json!({})), kind);
        let payouts = connected.world.read(&shop, "/v1/payouts");
        assert_eq!(payouts["total"], 0, "{kind}: {payouts}");
        let asked = refund(&mut connected, json!({ "amount": "4" }));
        assert_eq!(asked.status, 201, "{kind}: {}", asked.body);
        let payouts = connected.world.read(&shop, "/v1/payouts");
        assert_eq!(payouts["total"], 2, "{kind}: {payouts}");
        for payout in payouts["items"].as_array().expect("payouts") {
            let payout = show(&mut connected, &shop, payout);
            let from = address(signer(&payout));
            let (to, dollars) = match text(&payout, "amount").as_str() {
                "3" => (PAYER, 3),
                _ => (stranger(), 1),
            };
            send(&mut connected, from, to, dollars);
        }
        connected.blocks(3);
        let paid = format!("/v1/payments/{}", payment.id());
        let paid = connected.world.read(&shop, &paid);
        assert_eq!(paid["status"], "PartialRefunded", "{kind}");
        assert_eq!(paid["refunded_amount"], "4", "{kind}");
        nothing_differs(&mut connected, kind);
    });
}

#[test]
fn a_deleted_account_of_a_key_still_pays_out_what_lies_at_its_addresses() {
    Connected::each(|kind, mut connected| {
        let shop = earned(&mut connected, &[5]);
        let id = connected.world.read(&shop, "/v1/accounts/till")["id"].clone();
        let delete = |connected: &mut Connected| {
            let path = "/v1/accounts/till";
            connected.world.keyed(&shop, "DELETE", path, Value::Null)
        };
        let payout = pay_out(&mut connected, &shop, "5");
        assert_eq!(
            delete(&mut connected).refusal(),
            "409 WORK_UNDER_WAY",
            "{kind}"
        );
        cancel(&mut connected, &shop, &payout);
        let deleted = delete(&mut connected);
        assert_eq!(deleted.status, 200, "{kind}: {}", deleted.body);
        let payout = ask(&mut connected, &shop, &id, ("5", "USDC"));
        assert_eq!(payout.status, 201, "{kind}: {}", payout.body);
        let payout = payout.data().clone();
        assert_eq!(signer(&payout), 1, "{kind}");
        // A transfer from its first address would pay nothing if that led to another account.
        let create_again =
            |connected: &mut Connected| create(&mut connected.world, &shop, "till", 8453, XPUB);
        let refused = create_again(&mut connected);
        assert_eq!(refused.refusal(), "409 ALREADY_EXISTS xpub", "{kind}");
        send(&mut connected, address(1), stranger(), 5);
        connected.blocks(3);
        assert_eq!(
            status(&mut connected, &shop, &payout),
            "Confirmed",
            "{kind}"
        );
        // A new account of the key has its first address, and none of what the old one earned.
        let again = create_again(&mut connected);
        assert_eq!(again.status, 201, "{kind}: {}", again.body);
        refused_above("0 USDC", &try_pay_out(&mut connected, &shop, "1"), kind);
        connected.blocks(3);
        connected.report_empty_wallets();
        nothing_differs(&mut connected, kind);
    });
}

#[test]
fn a_payout_of_a_deleted_account_is_paid_by_the_first_address_of_its_key() {
    for field in ["xpub", "address"] {
        a_deleted_account_is_paid_out_from_its_first_address(field);
    }
}

/// `field` gives the wallet of the account that takes the first address over.
fn a_deleted_account_is_paid_out_from_its_first_address(field: &str) {
    Connected::each(|kind, mut connected| {
        let shop = earned(&mut connected, &[5]);
        let path = "/v1/accounts/till";
        let id = connected.world.read(&shop, path)["id"].clone();
        let deleted = connected.world.keyed(&shop, "DELETE", path, Value::Null);
        assert_eq!(deleted.status, 200, "{kind}: {}", deleted.body);
        let mut again = json!({ "reference": "till", "chain_id": 8453, "currencies": ["USDC"] });
        again[field] = match field {
            "xpub" => json!(XPUB),
            _ => json!(ADDRESSES[0]),
        };
        connected.world.post(&shop, "/v1/accounts", again);
        connected.blocks(3);
        connected.report_empty_wallets();
        (connected.chain).transfer(Some(USDC), address(0), 5_000_000);
        connected.blocks(3);
        let payout = ask(&mut connected, &shop, &id, ("5", "USDC"));
        assert_eq!(payout.status, 201, "{kind}: {}", payout.body);
        let payout = payout.data().clone();
        assert_eq!(signer(&payout), 1, "{kind}");
        // The first address belongs to the new account.
        pay_from_another(&mut connected, &shop, &payout, 0);
        assert_eq!(balance(&mut connected, &shop), "0", "{kind}");
        nothing_differs(&mut connected, kind);
    });
}

#[test]
fn a_wallet_that_pays_a_payout_of_an_earlier_account_is_not_taken_over_until_the_payout_ends() {
    Connected::each(|kind, mut connected| {
        let shop = earned(&mut connected, &[5]);
        let path = "/v1/accounts/till";
        let id = connected.world.read(&shop, path)["id"].clone();
        let delete = |connected: &mut Connected| {
            let deleted = connected.world.keyed(&shop, "DELETE", path, Value::Null);
            assert_eq!(deleted.status, 200, "{kind}: {}", deleted.body);
        };
        let create_again = |connected: &mut Connected| {
            let by_address = json!({
                "reference": "till", "chain_id": 8453, "currencies": ["USDC"], "address": ADDRESSES[0],
            });
            (connected.world).keyed(&shop, "POST", "/v1/accounts", by_address)
        };
        delete(&mut connected);
        assert_eq!(create_again(&mut connected).status, 201, "{kind}");
        connected.blocks(3);
        connected.report_empty_wallets();
        (connected.chain).transfer(Some(USDC), address(0), 5_000_000);
        connected.blocks(3);
        delete(&mut connected);
        let payout = ask(&mut connected, &shop, &id, ("5", "USDC"));
        assert_eq!(payout.status, 201, "{kind}: {}", payout.body);
        let payout = payout.data().clone();
        // The wallet belongs to the second account, and pays the payout of the first.
        let hash = send(&mut connected, address(0), stranger(), 5);
        connected.blocks(1);
        assert_eq!(
            status(&mut connected, &shop, &payout),
            "Processing",
            "{kind}"
        );
        connected.reorganise(1);
        let refused = create_again(&mut connected);
        assert_eq!(refused.refusal(), "409 ALREADY_EXISTS address", "{kind}");
        connected.move_usdc(hash, (address(0), stranger()), 5_000_000);
        connected.blocks(3);
        assert_eq!(
            status(&mut connected, &shop, &payout),
            "Confirmed",
            "{kind}"
        );
        assert_eq!(create_again(&mut connected).status, 201, "{kind}");
        nothing_differs(&mut connected, kind);
    });
}

#[test]
fn a_wallet_that_another_account_takes_over_is_in_the_books_once() {
    Connected::each(|kind, mut connected| {
        let shop = earned(&mut connected, &[7]);
        connected.chain.transfer(Some(USDC), address(0), 5_000_000);
        connected.blocks(3);
        let path = "/v1/accounts/till";
        let id = connected.world.read(&shop, path)["id"].clone();
        let by_address = json!({
            "reference": "again", "chain_id": 8453, "currencies": ["USDC"], "address": ADDRESSES[0],
        });
        let deleted = connected.world.keyed(&shop, "DELETE", path, Value::Null);
        assert_eq!(deleted.status, 200, "{kind}: {}", deleted.body);
        // A transfer that is not settled yet is booked on the deleted account, and is in the opening balance.
        connected.chain.transfer(Some(USDC), address(0), 1_000_000);
        connected.blocks(1);
        connected.world.post(&shop, "/v1/accounts", by_address);
        connected.blocks(3);
        connected.report_wallets(6_000_000);
        let balances = |connected: &mut Connected, account: &str| {
            let path = format!("/v1/accounts/{account}/balances");
            let held = connected.world.read(&shop, &path);
            let mut held = held.as_array().expect("balances").iter();
            let held = held.find(|held| held["currency"] == "USDC").cloned();
            text(&held.expect("USDC"), "posted")
        };
        assert_eq!(balances(&mut connected, "again"), "6", "{kind}");
        assert_eq!(balances(&mut connected, &id.to_string()), "7", "{kind}");
        refused_above(
            "7 USDC",
            &ask(&mut connected, &shop, &id, ("8", "USDC")),
            kind,
        );
        nothing_differs(&mut connected, kind);
    });
}

#[test]
fn a_pay_in_address_that_another_account_takes_over_is_in_the_books_once() {
    Connected::each(|kind, mut connected| {
        let shop = opened(&mut connected);
        let path = "/v1/accounts/till/pay-in-addresses";
        let body = json!({ "chain_id": 8453 });
        let made = (connected.world).signed(&shop, None, "POST", path, body);
        assert_eq!(made.data()["address"], ADDRESSES[1], "{kind}");
        let path = "/v1/accounts/till";
        let id = connected.world.read(&shop, path)["id"].clone();
        let deleted = connected.world.keyed(&shop, "DELETE", path, Value::Null);
        assert_eq!(deleted.status, 200, "{kind}: {}", deleted.body);
        // It is settled for the deleted account, and is in the opening balance of the other.
        (connected.chain).transfer(Some(USDC), address(1), 5_000_000);
        connected.blocks(1);
        let by_address = json!({
            "reference": "till", "chain_id": 8453, "currencies": ["USDC"], "address": ADDRESSES[1],
        });
        connected.world.post(&shop, "/v1/accounts", by_address);
        connected.blocks(3);
        connected.report_wallets(5_000_000);
        assert_eq!(balance(&mut connected, &shop), "5", "{kind}");
        let path = format!("/v1/accounts/{id}/balances");
        let left = connected.world.read(&shop, &path);
        let mut left = left.as_array().expect("balances").iter();
        let left = left.find(|held| held["currency"] == "USDC");
        assert_eq!(left.expect("USDC")["posted"], "0", "{kind}");
        nothing_differs(&mut connected, kind);
    });
}

#[test]
fn an_address_has_its_number_only_in_an_account_of_the_key() {
    Connected::each(|kind, mut connected| {
        let shop = opened(&mut connected);
        let index_of_payout = |connected: &mut Connected| {
            connected.chain.transfer(Some(USDC), address(0), 5_000_000);
            connected.blocks(3);
            let payout = pay_out(connected, &shop, "1");
            cancel(connected, &shop, &payout);
            let path = "/v1/accounts/till";
            let deleted = connected.world.keyed(&shop, "DELETE", path, Value::Null);
            assert_eq!(deleted.status, 200, "{kind}: {}", deleted.body);
            let prepared = &payout["prepared_transaction"];
            assert_eq!(prepared["from"], ADDRESSES[0], "{kind}");
            prepared["derivation_index"].clone()
        };
        assert_eq!(index_of_payout(&mut connected), 0, "{kind}");
        let by_address = json!({
            "reference": "till", "chain_id": 8453, "currencies": ["USDC"], "address": ADDRESSES[0],
        });
        connected.world.post(&shop, "/v1/accounts", by_address);
        assert_eq!(index_of_payout(&mut connected), Value::Null, "{kind}");
        create(&mut connected.world, &shop, "till", 8453, XPUB);
        assert_eq!(index_of_payout(&mut connected), 0, "{kind}");
    });
}

#[test]
fn an_address_on_two_chains_has_two_balances() {
    Connected::each(|kind, mut connected| {
        let shop = opened(&mut connected);
        connected.chain.transfer(Some(USDC), address(0), 5_000_000);
        connected.blocks(3);
        let mut base = mem::replace(&mut connected.chain, MemoryChain::optimism());
        connected.connect();
        let other = create(&mut connected.world, &shop, "other", 10, XPUB);
        prove_wallet(
            &mut connected.world,
            &shop,
            other.id_number(),
            &first_wallet(),
        );
        let other = json!("other");
        refused_above(
            "0 USDC",
            &ask(&mut connected, &shop, &other, ("1", "USDC")),
            kind,
        );
        connected.chain.transfer(Some(USDC), address(0), 7_000_000);
        connected.blocks(3);
        let there = ask(&mut connected, &shop, &other, ("5", "USDC"));
        assert_eq!(there.status, 201, "{kind}: {}", there.body);
        let there = there.data().clone();
        refused_above(
            "2 USDC",
            &ask(&mut connected, &shop, &other, ("5", "USDC")),
            kind,
        );
        mem::swap(&mut connected.chain, &mut base);
        let here = pay_out(&mut connected, &shop, "5");
        assert_eq!((signer(&here), signer(&there)), (0, 0), "{kind}");
        send(&mut connected, address(0), stranger(), 5);
        connected.blocks(3);
        assert_eq!(status(&mut connected, &shop, &here), "Confirmed", "{kind}");
        assert_eq!(status(&mut connected, &shop, &there), "Pending", "{kind}");
    });
}

#[test]
fn a_paused_chain_prepares_no_payout_and_one_from_before_is_recognised_afterwards() {
    Connected::each(|kind, mut connected| {
        let shop = earned(&mut connected, &[5, 5]);
        let payout = pay_out(&mut connected, &shop, "5");
        let pause = |connected: &mut Connected, paused: bool| {
            let (now, chain) = (connected.world.now, connected.chain.id);
            let (service, database) = connected.world.parts();
            let set = service.set_chain_paused(database, chain, paused, now);
            set.expect("a connected chain");
        };
        pause(&mut connected, true);
        let refused = try_pay_out(&mut connected, &shop, "5");
        assert_eq!(
            refused.refusal(),
            "409 CHAIN_NOT_CONNECTED chain_id",
            "{kind}"
        );
        assert_eq!(signer(&show(&mut connected, &shop, &payout)), 1, "{kind}");
        pause(&mut connected, false);
        send(&mut connected, address(1), stranger(), 5);
        connected.blocks(3);
        assert_eq!(
            status(&mut connected, &shop, &payout),
            "Confirmed",
            "{kind}"
        );
        nothing_differs(&mut connected, kind);
    });
}

#[test]
fn a_key_in_a_sandbox_signs_nothing() {
    World::each(|kind, mut world| {
        let shop = with_key(&mut world);
        let body = json!({
            "account": "till", "amount": "1", "currency": "USDC", "chain_id": 8453, "address": OTHER_WALLET,
        });
        let refused = world.signed(&shop, None, "POST", "/v1/payouts", body);
        assert_eq!(refused.refusal(), "409 WALLET_NOT_HELD account", "{kind}");
    });
}
