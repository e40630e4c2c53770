//! A token that is added while a server runs: what the wallets hold of it already is counted, on a real EVM node.

use alloy_primitives::{Address, hex};
use serde_json::{Value, json};
use settlekit_tests::anvil::{Anvil, TOKEN, Transaction, abi, number, word};

use crate::place::{Place, Server, call, wait_for};
use crate::real_chain::{Town, text};

/// The address of EURC on Base, whose symbol and decimal places are known.
pub(crate) const EURC: &str = "0x60a3E35Cc302bFA44Cb288Bc5a4F316Fdb1adb42";

/// The code of the town's token with the symbol EURC.
pub(crate) fn euro_token(town: &Town) -> String {
    let code = hex::encode(town.node.code(town.token));
    // The only word that is not the same.
    let code = code.replace(&hex::encode("USDC"), &hex::encode("EURC"));
    format!("0x{code}")
}

/// What an account has in EURC.
fn booked(town: &Town, server: &Server, account: &str) -> Option<String> {
    let path = format!("/accounts/{account}/balances");
    let held = call(&server.address, &town.shop.key, "GET", &path, Value::Null);
    let mut held = held.as_array().expect("balances").iter();
    let eurc = held.find(|held| held["currency"] == "EURC")?;
    eurc["posted"].as_str().map(str::to_owned)
}

/// Whether the hot wallet holds an amount, by the books.
fn hot_wallet_holds(town: &Town, amount: &str) -> bool {
    let shown = town.place.run(&["wallet", "show"]);
    String::from_utf8_lossy(&shown.stdout).contains(amount)
}

fn what_the_wallets_hold_is_counted(place: Place) {
    let node = Anvil::start(8453);
    let usdc = node.deploy(TOKEN);
    let town = Town::over(place, node, usdc);
    let eurc: Address = EURC.parse().expect("an address");
    town.node.set_code(eurc, &euro_token(&town));
    town.connect();
    let server = town.serve();
    town.open_till(&server);
    let till = call(
        &server.address,
        &town.shop.key,
        "GET",
        "/accounts/till",
        Value::Null,
    );
    let till: Address = text(&till, "address").parse().expect("an address");
    let own = town.node.account(3);
    let body = json!({
        "reference": "own", "chain_id": 8453, "currencies": ["USDC"], "address": own.to_string(),
    });
    call(&server.address, &town.shop.key, "POST", "/accounts", body);
    let payer = town.node.account(1);
    for (to, units) in [
        (town.wallet, 7_000_000),
        (payer, 3_000_000),
        (own, 5_000_000),
    ] {
        town.node.mint(eurc, to, units);
    }
    town.node.mine(1);
    // As a payer does who takes the wrong token.
    let wrong = abi(
        "transfer(address,uint256)",
        &[word(till), number(3_000_000)],
    );
    town.node.send(&Transaction::call(payer, eurc, 0, wrong));
    town.node.mine(1);
    let seen_in = town.node.height();
    // The server has read the blocks when a later payment is confirmed.
    let payment = town.pay(&server, 1_000_000);
    town.mine_until(&server, &payment, "Confirmed");
    let seen = || town.place.json(&["chain", "list", "--json"])[0]["unconfigured_tokens"].take();
    let expected = json!([{ "contract": EURC, "transfers": 1, "last_block": seen_in }]);
    assert_eq!(seen(), expected);
    let listed = town.place.run(&["chain", "list"]);
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    let line = format!(
        "\n  not configured and not booked: {EURC}, 1 transfers seen, the last in block {seen_in}\n"
    );
    assert!(listed.contains(&line), "{listed}");
    let words = [
        "chain", "token", "add", "--chain", "8453", "--token", "EURC",
    ];
    let added = town.place.json(&[&words[..], &["--json"]].concat());
    assert_eq!(added["currency"], "EURC", "{added}");
    assert_eq!(seen(), json!([]));
    // Before the server has looked again at the list of tokens.
    town.node.mint(eurc, town.wallet, 1_000_000);
    town.node.mint(eurc, own, 1_000_000);
    wait_for("what lay in the merchant's wallet is booked", || {
        town.node.mine(1);
        booked(&town, &server, "own").as_deref() == Some("6")
    });
    wait_for("what lay in the hot wallet is counted", || {
        town.node.mine(1);
        hot_wallet_holds(&town, "8 EURC on Base")
    });
    town.until_compared();
    // What lay at the address of the till is swept, and is nobody's but the operator's.
    town.place.json(&["wallet", "sweep", "--json"]);
    wait_for("the rest is swept", || {
        town.node.mine(1);
        hot_wallet_holds(&town, "11 EURC on Base")
    });
    town.until_compared();
    assert_eq!(booked(&town, &server, "till"), None);
}

#[test]
fn what_the_wallets_hold_of_an_added_token_is_counted_with_sqlite() {
    what_the_wallets_hold_is_counted(Place::live());
}

#[test]
fn what_the_wallets_hold_of_an_added_token_is_counted_with_postgresql() {
    what_the_wallets_hold_is_counted(Place::live_postgres());
}
