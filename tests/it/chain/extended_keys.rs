//! Accounts of extended public keys: each payment has an address of the merchant's own.

use std::time::Duration;

use alloy_primitives::{Address, U256};
use serde_json::{Value, json};
use settlekit_service::TransferIndex;
use settlekit_service::block::Transfer;
use settlekit_service::opening::Balances;
use settlekit_service::outgoing::NodeRequest;
use settlekit_tests::chain::{Connected, USDC};
use settlekit_tests::wallet::Wallet;
use settlekit_tests::world::{Answer, OTHER_WALLET, Shop, World, text};

use crate::account::prove_wallet;

/// The key at m/44'/60'/0' of the words `legal winner thank … yellow` of BIP 39, and addresses below it, by another implementation
/// (ethers).
pub(crate) const XPUB: &str = "xpub6Bh6Cg7bvjFdW6VEAaZmsyhZh86WdJ9Kr5aqqY5LN7UFLpxTrxsiys213UCu8MAYjcq5JhF7jzZXvruGfWfPbxqsByNNhwWaNQRuhP3JcC3";
pub(crate) const ADDRESSES: [&str; 4] = [
    "0x58A57ed9d8d624cBD12e2C467D34787555bB1b25",
    "0x0D3eB21b6b21833A4939Cfff4810E9AE0758e12C",
    "0xe42f4612e154153B68e241e8FDe337e0c4dD6bBD",
    "0x2F07c220dC62CE9531bC44B695A6D93578806d8d",
];

/// The key m/0'/1/2' of the first test vector of BIP 32.
const OTHER_XPUB: &str = "xpub6D4BDPcP2GT577Vvch3R8wDkScZWzQzMMUm3PWbmWvVJrZwQY4VUNgqFJPMM3No2dFDFGTsxxpG5uJh7n7epu4trkrX7x7DogT5Uv6fcLW5";

/// The private key of the first address.
const FIRST_KEY: &str = "33fa40f84e854b941c2b0436dd4a256e1df1cb41b9c1c0ccc8446408c19b8bf9";

/// The wallet of the first address.
pub(crate) fn first_wallet() -> Wallet {
    let key = hex::decode(FIRST_KEY).expect("hex");
    Wallet::new(key.try_into().expect("32 bytes"))
}

pub(crate) fn create(
    world: &mut World,
    shop: &Shop,
    reference: &str,
    chain: i64,
    xpub: &str,
) -> Answer {
    let body =
        json!({ "reference": reference, "chain_id": chain, "currencies": ["USDC"], "xpub": xpub });
    world.keyed(shop, "POST", "/v1/accounts", body)
}

/// A shop with a proven account of the key.
pub(super) fn with_key(world: &mut World) -> Shop {
    let shop = world.shop("Shop", None);
    let account = create(world, &shop, "till", 8453, XPUB);
    assert_eq!(account.status, 201, "{}", account.body);
    prove_wallet(world, &shop, account.id_number(), &first_wallet());
    shop
}

fn pay(world: &mut World, shop: &Shop, account: &str, chain: i64) -> Value {
    let body = json!({ "amount": "5", "currency": "USDC", "chain_id": chain, "account": account });
    let payment = world.keyed(shop, "POST", "/v1/payments", body);
    assert_eq!(payment.status, 201, "{}", payment.body);
    payment.data().clone()
}

#[test]
fn each_payment_has_the_next_address_of_the_key() {
    World::each(|kind, mut world| {
        let shop = with_key(&mut world);
        let account = world.read(&shop, "/v1/accounts/till");
        assert_eq!(account["address"], ADDRESSES[0], "{kind}");
        assert_eq!(account["xpub"], XPUB, "{kind}");
        for address in &ADDRESSES[1..3] {
            let payment = pay(&mut world, &shop, "till", 8453);
            assert_eq!(payment["deposit_address"], *address, "{kind}");
        }
        // An address is of one payment, on whatever chain it is paid.
        let other = create(&mut world, &shop, "other", 137, XPUB);
        prove_wallet(&mut world, &shop, other.id_number(), &first_wallet());
        let payment = pay(&mut world, &shop, "other", 137);
        assert_eq!(payment["deposit_address"], ADDRESSES[3], "{kind}");
        // Permanent addresses count on, too.
        let path = "/v1/accounts/till/pay-in-addresses";
        let made = world.signed(&shop, None, "POST", path, json!({ "chain_id": 8453 }));
        let made = text(made.data(), "address");
        assert!(!ADDRESSES.contains(&made.as_str()), "{kind}");
        assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn a_key_that_nobody_has_proven_takes_no_payment() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let made = create(&mut world, &shop, "till", 8453, XPUB);
        assert_eq!(made.status, 201, "{kind}: {}", made.body);
        let body =
            json!({ "amount": "5", "currency": "USDC", "chain_id": 8453, "account": "till" });
        let refused = world.keyed(&shop, "POST", "/v1/payments", body);
        assert_eq!(
            refused.refusal(),
            "422 OWNERSHIP_UNPROVEN account",
            "{kind}"
        );
        // The same key twice on a chain would lead an address to two accounts.
        let again = create(&mut world, &shop, "again", 8453, XPUB);
        assert_eq!(again.refusal(), "409 ALREADY_EXISTS xpub", "{kind}");
    });
}

#[test]
fn only_the_public_key_of_an_evm_account_is_taken() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let private = "xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi";
        let refused = create(&mut world, &shop, "till", 8453, private);
        assert_eq!(refused.refusal(), "422 ADDRESS_MALFORMED xpub", "{kind}");
        let said = refused.body.to_string();
        assert!(said.contains("not the private one"), "{kind}: {said}");
        assert!(!said.contains("xprv9"), "{kind}: {said}");
        let both = json!({
            "chain_id": 8453, "currencies": ["USDC"], "xpub": XPUB, "address": OTHER_WALLET,
        });
        let refused = world.keyed(&shop, "POST", "/v1/accounts", both);
        assert_eq!(refused.refusal(), "422 EXCLUDED xpub", "{kind}");
    });
}

#[test]
fn an_address_of_a_key_is_compared_with_the_chain_once_money_has_come_to_it() {
    Connected::each(|kind, mut connected| {
        let shop = with_key(&mut connected.world);
        connected.blocks(3);
        connected.report_empty_wallets();
        pay(&mut connected.world, &shop, "till", 8453);
        let address: Address = ADDRESSES[1].parse().expect("an address");
        let is_compared = |connected: &mut Connected| {
            let expected = connected.expected();
            let mut holdings = expected.iter().flat_map(|chain| &chain.holdings);
            holdings.any(|held| held.address == address)
        };
        // What somebody sent there before it was handed out is not in the books.
        assert!(!is_compared(&mut connected), "{kind}");
        connected.chain.transfer(Some(USDC), address, 5_000_000);
        connected.blocks(3);
        assert!(is_compared(&mut connected), "{kind}");
    });
}

#[test]
fn money_at_the_addresses_of_a_key_is_booked_when_it_comes_and_when_it_leaves() {
    Connected::each(|kind, mut connected| {
        let shop = with_key(&mut connected.world);
        let payment = pay(&mut connected.world, &shop, "till", 8453);
        let address: Address = ADDRESSES[1].parse().expect("an address");
        connected.chain.transfer(Some(USDC), address, 5_000_000);
        connected.blocks(3);
        let path = format!("/v1/payments/{}", text(&payment, "id"));
        let paid = connected.world.read(&shop, &path);
        assert_eq!(paid["status"], "Confirmed", "{kind}");
        assert_eq!(connected.differences(), Vec::<String>::new(), "{kind}");
        let hash = connected.chain.hash();
        connected.chain.include(Transfer {
            hash,
            index: TransferIndex::Log(0),
            token: Some(USDC),
            from: address,
            to: OTHER_WALLET.parse().expect("an address"),
            units: U256::from(2_000_000_u64),
        });
        connected.blocks(3);
        let held = connected.world.read(&shop, "/v1/accounts/till/balances");
        assert_eq!(held[0]["posted"], "3", "{kind}: {held}");
        assert_eq!(connected.differences(), Vec::<String>::new(), "{kind}");
    });
}

/// Answers all requests for balances: addresses by number hold these units of USDC, and others nothing. Returns how many there were.
fn answer(connected: &mut Connected, held: &[(usize, u64)]) -> usize {
    // There are more addresses than a round has.
    let requests = [connected.requests(), connected.requests()].concat();
    let count = requests.len();
    for request in requests {
        let (wallet, block) = match request {
            NodeRequest::Balances { wallet, block, .. } => (wallet, block),
            other => panic!("not a request for balances: {other:?}"),
        };
        let mut held = held.iter();
        let held = held.find(|(index, _)| ADDRESSES[*index] == wallet.to_string());
        let units = held.map_or(0, |(_, units)| *units);
        connected.report_balances(&Balances {
            wallet,
            block,
            units: vec![(None, U256::ZERO), (Some(USDC), U256::from(units))],
        });
    }
    count
}

fn posted(connected: &mut Connected, shop: &Shop) -> String {
    let held = connected.world.read(shop, "/v1/accounts/till/balances");
    let mut held = held.as_array().expect("balances").iter();
    let held = held.find(|held| held["currency"] == "USDC");
    held.map_or_else(|| "0".to_owned(), |held| text(held, "posted"))
}

#[test]
fn what_lies_at_the_first_addresses_of_a_key_is_booked_and_paid_out() {
    Connected::each(|kind, mut connected| {
        let shop = with_key(&mut connected.world);
        connected.blocks(3);
        let asked = answer(&mut connected, &[(0, 5_000_000), (2, 7_000_000)]);
        assert_eq!(asked, 20, "{kind}");
        assert_eq!(posted(&mut connected, &shop), "5", "{kind}");
        // The second address is watched from now on, and asked for again.
        let second = ADDRESSES[2].parse().expect("an address");
        connected.chain.transfer(Some(USDC), second, 1_000_000);
        connected.blocks(3);
        assert_eq!(answer(&mut connected, &[(2, 8_000_000)]), 1, "{kind}");
        assert_eq!(posted(&mut connected, &shop), "13", "{kind}");
        connected.blocks(3);
        assert_eq!(connected.requests(), [], "{kind}");
        assert_eq!(connected.unread(), Vec::<String>::new(), "{kind}");
        // No payment gets it.
        for address in [ADDRESSES[1], ADDRESSES[3]] {
            let payment = pay(&mut connected.world, &shop, "till", 8453);
            assert_eq!(payment["deposit_address"], address, "{kind}");
        }
        let body = json!({
            "account": "till", "amount": "8", "currency": "USDC", "chain_id": 8453, "address": OTHER_WALLET,
        });
        let payout = (connected.world).signed(&shop, None, "POST", "/v1/payouts", body);
        assert_eq!(payout.status, 201, "{kind}: {}", payout.body);
        let prepared = &payout.data()["prepared_transaction"];
        assert_eq!(prepared["from"], ADDRESSES[2], "{kind}");
        assert_eq!(prepared["derivation_index"], 2, "{kind}");
        assert_eq!(connected.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn what_lay_at_an_address_that_a_payment_got_is_booked_beside_the_payment() {
    Connected::each(|kind, mut connected| {
        let shop = with_key(&mut connected.world);
        let payment = pay(&mut connected.world, &shop, "till", 8453);
        assert_eq!(payment["deposit_address"], ADDRESSES[1], "{kind}");
        let address = ADDRESSES[1].parse().expect("an address");
        connected.chain.transfer(Some(USDC), address, 5_000_000);
        connected.blocks(3);
        // The comparison with the chain leaves it out until then.
        let unread = format!("USDC of {}", ADDRESSES[1]);
        assert!(connected.unread().contains(&unread), "{kind}");
        assert_eq!(answer(&mut connected, &[(1, 9_000_000)]), 20, "{kind}");
        assert_eq!(posted(&mut connected, &shop), "5", "{kind}");
        assert!(connected.unread().contains(&unread), "{kind}");
        connected.blocks(3);
        assert_eq!(answer(&mut connected, &[(1, 9_000_000)]), 1, "{kind}");
        assert_eq!(posted(&mut connected, &shop), "9", "{kind}");
        assert_eq!(connected.unread(), Vec::<String>::new(), "{kind}");
        let path = format!("/v1/payments/{}", text(&payment, "id"));
        let paid = connected.world.read(&shop, &path);
        assert_eq!(paid["paid_amount"], "5", "{kind}: {paid}");
        assert_eq!(connected.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn what_a_deleted_account_of_a_key_has_at_an_address_stays_with_it() {
    Connected::each(|kind, mut connected| {
        let shop = with_key(&mut connected.world);
        connected.blocks(3);
        assert_eq!(answer(&mut connected, &[]), 20, "{kind}");
        pay(&mut connected.world, &shop, "till", 8453);
        let address = ADDRESSES[1].parse().expect("an address");
        connected.chain.transfer(Some(USDC), address, 5_000_000);
        connected.blocks(3);
        let path = "/v1/accounts/till";
        let deleted = connected.world.keyed(&shop, "DELETE", path, Value::Null);
        assert_eq!(deleted.status, 200, "{kind}: {}", deleted.body);
        let again = create(&mut connected.world, &shop, "till", 8453, XPUB);
        assert_eq!(again.status, 201, "{kind}: {}", again.body);
        connected.blocks(3);
        assert_eq!(answer(&mut connected, &[(1, 5_000_000)]), 20, "{kind}");
        connected.blocks(3);
        assert_eq!(connected.requests(), [], "{kind}");
        assert_eq!(posted(&mut connected, &shop), "0", "{kind}");
        assert_eq!(connected.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn the_addresses_of_a_key_wait_for_none_of_a_key_that_was_connected_later() {
    Connected::each(|kind, mut connected| {
        let shop = with_key(&mut connected.world);
        let addresses = (1..20).map(|_| {
            let payment = pay(&mut connected.world, &shop, "till", 8453);
            text(&payment, "deposit_address")
        });
        let addresses: Vec<String> = addresses.collect();
        connected.world.pass(Duration::from_secs(1));
        let later = create(&mut connected.world, &shop, "later", 8453, OTHER_XPUB);
        assert_eq!(later.status, 201, "{kind}: {}", later.body);
        connected.blocks(3);
        let requests = [connected.requests(), connected.requests()].concat();
        let asked = requests.iter().map(|request| match request {
            NodeRequest::Balances { wallet, .. } => wallet.to_string(),
            other => panic!("not a request for balances: {other:?}"),
        });
        let asked: Vec<String> = asked.collect();
        let is_asked = |address: &String| asked.contains(address);
        assert!(addresses.iter().all(is_asked), "{kind}: {asked:?}");
    });
}

#[test]
fn an_address_of_a_key_is_asked_for_again_if_a_token_was_added_since() {
    Connected::each(|kind, mut connected| {
        let shop = with_key(&mut connected.world);
        connected.blocks(3);
        for request in [connected.requests(), connected.requests()].concat() {
            let NodeRequest::Balances { wallet, block, .. } = request else {
                panic!("not a request for balances: {request:?}");
            };
            let mut units = vec![(None, U256::ZERO), (Some(USDC), U256::ZERO)];
            if wallet.to_string() == ADDRESSES[2] {
                // The nodes were asked before the token was added.
                units.truncate(1);
            }
            connected.report_balances(&Balances {
                wallet,
                block,
                units,
            });
        }
        for _ in 0..2 {
            assert_eq!(answer(&mut connected, &[(2, 7_000_000)]), 1, "{kind}");
            connected.blocks(3);
        }
        assert_eq!(posted(&mut connected, &shop), "7", "{kind}");
        assert_eq!(connected.differences(), Vec::<String>::new(), "{kind}");
    });
}
