//! The operator's commands on tokens and hot wallets, while a server runs on a real EVM node.

use alloy_primitives::{Address, U256};
use serde_json::json;
use settlekit_tests::anvil::TOKEN;

use crate::place::{Place, refused, wait_for};
use crate::real_chain::{SUPPLIER, Town, text};

/// The words of a wallet that others use, too.
const KNOWN_WORDS: &str = "test test test test test test test test test test test junk";

fn the_hot_wallet_is_swept_into_replaced_and_limited(town: &Town) {
    town.connect();
    let server = town.serve();
    town.open_till(&server);
    let payment = town.pay(&server, 25_000_000);
    town.mine_until(&server, &payment, "Confirmed");
    // A symbol keeps its contract.
    let add = |token: Address| {
        let token = format!("USDC={token}");
        let words = [
            "chain", "token", "add", "--chain", "8453", "--token", &token,
        ];
        town.place.run(&words)
    };
    let said = refused(&add(town.node.deploy(TOKEN)));
    assert!(said.contains("a currency keeps its contract"), "{said}");
    assert!(add(town.token).status.success());
    let listed = town.place.json(&["chain", "list", "--json"]);
    assert_eq!(listed[0]["currencies"], json!(["ETH", "USDC"]));

    let swept = town.place.json(&["wallet", "sweep", "--json"]);
    assert_eq!(swept[0]["amount"], "25", "{swept}");
    assert_eq!(swept[0]["proxies"], 1, "{swept}");
    let held = |wallet: Address| {
        let height = town.node.height();
        town.node.token_balance(town.token, wallet, height)
    };
    wait_for("the proxy is swept", || {
        town.node.mine(1);
        held(town.wallet) == U256::from(25_000_000)
    });
    wait_for("the books agree with the chain", || {
        town.node.mine(1);
        town.differences().is_empty()
    });

    // A wallet that has been used is refused: its nonces and its money would be in no books.
    let import = ["wallet", "rotate", "--import"];
    let said = refused(&town.place.run_with_input(&import, KNOWN_WORDS));
    assert!(said.contains("has been used on Base"), "{said}");
    let made = town.place.json(&["wallet", "rotate", "--json"]);
    let new: Address = text(&made, "address").parse().expect("an address");
    assert_ne!(new, town.wallet);
    town.node.pay(new, 10_u64.pow(18));
    wait_for("the money is at the new wallet", || {
        town.node.mine(1);
        held(new) == U256::from(25_000_000)
    });
    let body = json!({
        "account": "till", "amount": "10", "currency": "USDC", "chain_id": 8453, "address": SUPPLIER,
    });
    let payout = town.signed(&server, "/payouts", &body);
    town.mine_until(&server, &payout, "Confirmed");
    assert_eq!(held(new), U256::from(15_000_000));
    wait_for("the books agree with the chain", || {
        town.node.mine(1);
        town.differences().is_empty()
    });
    let shown = town.place.json(&["wallet", "show", "--json"]);
    assert!(shown[0]["retired_at"].is_string(), "{shown}");
    assert_eq!(shown[1]["address"], new.to_string(), "{shown}");

    let limit = [
        "wallet",
        "limits",
        "--currency",
        "USDC",
        "--per-payout",
        "9.5",
        "--json",
    ];
    let limits = town.place.json(&limit);
    assert_eq!(limits[0]["per_payout"], "9.5", "{limits}");
    let payout = town.signed(&server, "/payouts", &body);
    town.node.mine(1);
    let payout = town.payment(&server, &payout);
    assert_eq!(payout["reason"], "ApprovalRequired", "{payout}");
    let shown = town.place.run(&["wallet", "limits"]);
    let shown = String::from_utf8_lossy(&shown.stdout).into_owned();
    assert_eq!(
        shown,
        "all organisations: 9.5 USDC per payout, any per day (0 paid out today)\n"
    );
}

#[test]
fn the_hot_wallet_is_swept_into_replaced_and_limited_while_a_server_runs() {
    the_hot_wallet_is_swept_into_replaced_and_limited(&Town::new(Place::live()));
}

#[test]
fn the_hot_wallet_is_swept_into_replaced_and_limited_on_postgresql() {
    the_hot_wallet_is_swept_into_replaced_and_limited(&Town::new(Place::live_postgres()));
}

#[test]
fn imported_words_give_the_address_of_other_wallets_and_wrong_words_store_nothing() {
    // 24 words of the test vectors of BIP 39 (its ninth), 12 that Anvil knows; the addresses at m/44'/60'/0'/0/0 are viem's.
    const VECTOR: &str = "letter advice cage absurd amount doctor acoustic avoid letter advice cage absurd amount doctor acoustic avoid \
        letter advice cage absurd amount doctor acoustic bless";
    for (place, words, expected) in [
        (
            Place::live(),
            VECTOR,
            "0xc6e4A4f5A9743fAB9bC8D648499e63E083d2519A",
        ),
        (
            Place::live_postgres(),
            KNOWN_WORDS,
            "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
        ),
    ] {
        place.organisation();
        let import = |words: &str| place.run_with_input(&["wallet", "import", "--json"], words);
        let (first, last) = words.rsplit_once(' ').expect("several words");
        for (wrong, why) in [
            (format!("{first} abandon"), "the checksum differs"),
            (format!("{first} {last}x"), "is not in the BIP 39 list"),
            (first.to_owned(), "12, 15, 18, 21 or 24 words"),
            (String::new(), "words, not 0"),
        ] {
            let said = refused(&import(&wrong));
            assert!(said.contains(why), "{said}");
            assert!(!said.contains("abandon") && !said.contains(last), "{said}");
            let none = refused(&place.run(&["wallet", "show"]));
            assert!(none.contains("there is no hot wallet"), "{none}");
        }
        // As people type them.
        let typed = format!(" {}\r\n", words.to_uppercase().replace(' ', "\n"));
        let made = import(&typed);
        let printed = String::from_utf8_lossy(&made.stdout).into_owned();
        assert_eq!(printed, format!("{{\"address\":\"{expected}\"}}\n"));
        let again = refused(&import(words));
        assert!(again.contains(expected), "{again}");
        let shown = place.json(&["wallet", "show", "--json"]);
        assert_eq!(shown.as_array().map(Vec::len), Some(1), "{shown}");
        assert_eq!(shown[0]["address"], expected, "{shown}");
    }
}

#[test]
fn a_payout_is_signed_by_an_external_signer() {
    let town = Town::with_signer(Place::live());
    town.connect();
    let server = town.serve();
    town.open_till(&server);
    let payment = town.pay(&server, 25_000_000);
    town.mine_until(&server, &payment, "Confirmed");
    let body = json!({
        "account": "till", "amount": "24.5", "currency": "USDC", "chain_id": 8453, "address": SUPPLIER,
    });
    let payout = town.signed(&server, "/payouts", &body);
    town.mine_until(&server, &payout, "Confirmed");
    wait_for("the books agree with the chain", || {
        town.node.mine(1);
        town.differences().is_empty()
    });
    let shown = town.place.json(&["wallet", "show", "--json"]);
    assert_eq!(shown[0]["key"], "external signer", "{shown}");
}

fn the_operators_own_money_is_withdrawn_and_nothing_more(town: &Town) {
    town.connect();
    let server = town.serve();
    town.open_till(&server);
    let payment = town.pay(&server, 25_000_000);
    town.mine_until(&server, &payment, "Confirmed");
    town.place.json(&["wallet", "sweep", "--json"]);
    town.node.mint(town.token, town.wallet, 5_000_000);
    let held = |wallet: Address| {
        let height = town.node.height();
        town.node.token_balance(town.token, wallet, height)
    };
    wait_for("all of it is in the hot wallet", || {
        town.node.mine(1);
        held(town.wallet) == U256::from(30_000_000) && town.differences().is_empty()
    });
    let owner = Address::repeat_byte(0x77);
    let withdraw = |amount: &str, to: Address| {
        let to = to.to_string();
        let words = [
            "wallet",
            "withdraw",
            "--chain",
            "8453",
            "--currency",
            "USDC",
            "--amount",
            amount,
            "--to",
            &to,
        ];
        town.place.run(&words)
    };
    wait_for("the 5 USDC are the operator's, and no more", || {
        town.node.mine(1);
        let said = refused(&withdraw("5.000001", owner));
        said.contains("only 5 USDC of your own money is available there")
    });
    let said = refused(&withdraw("1", town.wallet));
    assert!(said.contains("would not be yours"), "{said}");
    let said = refused(&withdraw("0", owner));
    assert!(said.contains("it must be positive"), "{said}");
    let queued = withdraw("4.5", owner);
    assert!(queued.status.success(), "{queued:?}");
    wait_for("the withdrawal is in a block", || {
        town.node.mine(1);
        held(owner) == U256::from(4_500_000)
    });
    wait_for("the withdrawal is final", || {
        town.node.mine(1);
        let shown = town.place.run(&["wallet", "show"]);
        let shown = String::from_utf8_lossy(&shown.stdout);
        shown.contains("25.5 USDC on Base: 0.5 of it yours, 0.5 available")
    });
    wait_for("the books agree with the chain", || {
        town.node.mine(1);
        town.differences().is_empty()
    });
    // All that merchants own is still there to be paid out.
    let body = json!({
        "account": "till", "amount": "25", "currency": "USDC", "chain_id": 8453, "address": SUPPLIER,
    });
    let payout = town.signed(&server, "/payouts", &body);
    town.mine_until(&server, &payout, "Confirmed");
    assert_eq!(held(town.wallet), U256::from(500_000));
}

#[test]
fn the_operators_own_money_is_withdrawn_and_nothing_more_by_an_external_signer() {
    the_operators_own_money_is_withdrawn_and_nothing_more(&Town::with_signer(Place::live()));
}

#[test]
fn the_operators_own_money_is_withdrawn_and_nothing_more_on_postgresql() {
    the_operators_own_money_is_withdrawn_and_nothing_more(&Town::new(Place::live_postgres()));
}
