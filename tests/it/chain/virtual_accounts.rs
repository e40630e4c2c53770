//! Virtual accounts on connected chains.

use alloy_primitives::{Address, U256};
use serde_json::{Value, json};
use settlekit_service::opening::Balances;
use settlekit_service::outgoing::NodeRequest;
use settlekit_tests::chain::{Connected, USDC};
use settlekit_tests::world::{Answer, OTHER_WALLET, Shop, WALLET, World, text, texts};

use super::extended_keys::{XPUB, first_wallet};
use crate::account::{prove_wallet, wallet};

const PATH: &str = "/v1/accounts/virtual";

/// A virtual account `till` with one chain entry.
fn create(world: &mut World, shop: &Shop, chain: Value) -> Answer {
    let body = json!({ "reference": "till", "chains": [chain] });
    world.keyed(shop, "POST", PATH, body)
}

fn change(world: &mut World, shop: &Shop, chain: Value) -> Answer {
    let body = json!({ "reference": "till", "chains": [chain] });
    world.keyed(shop, "PATCH", PATH, body)
}

/// The account of a virtual account on its first chain.
fn first_chain(made: &Answer) -> i64 {
    made.data()["sub_accounts"][0]["id"]
        .as_i64()
        .expect("an id")
}

fn pay(world: &mut World, shop: &Shop) -> Answer {
    let body = json!({ "amount": "5", "currency": "USDC", "chain_id": 8453, "account": "till" });
    world.keyed(shop, "POST", "/v1/payments", body)
}

#[test]
fn a_virtual_account_has_one_address_on_all_evm_chains() {
    Connected::each(|kind, mut connected| {
        let base = connected.chain.id;
        connected.chain.id = "137".parse().expect("a chain");
        connected.connect();
        connected.chain.id = base;
        let shop = connected.world.shop("Shop", None);
        let on = |chain: i64| json!({ "chain_id": chain, "currencies": ["USDC"] });
        let body = json!({ "reference": "till", "chains": [on(8453)] });
        let made = connected.world.post(&shop, "/v1/accounts/virtual", body);
        let first = texts(
            made.data()["sub_accounts"].as_array().expect("chains"),
            "address",
        );
        let body = json!({ "reference": "till", "chains": [on(137)] });
        let path = "/v1/accounts/virtual";
        let added = connected.world.keyed(&shop, "PATCH", path, body.clone());
        assert_eq!(added.status, 200, "{kind}: {}", added.body);
        let both = added.data()["sub_accounts"].as_array().expect("chains");
        assert_eq!(
            texts(both, "address"),
            [first[0].clone(), first[0].clone()],
            "{kind}"
        );
        // A deleted account keeps its address, so its successor has another.
        let polygon = both[1]["id"].clone();
        let gone = connected.world.keyed(
            &shop,
            "DELETE",
            &format!("/v1/accounts/{polygon}"),
            Value::Null,
        );
        assert_eq!(gone.status, 200, "{kind}: {}", gone.body);
        let again = connected.world.keyed(&shop, "PATCH", path, body);
        assert_eq!(again.status, 200, "{kind}: {}", again.body);
        let both = again.data()["sub_accounts"].as_array().expect("chains");
        let addresses = texts(both, "address");
        assert_eq!(addresses[0], first[0], "{kind}");
        assert_ne!(addresses[1], first[0], "{kind}");
    });
}

#[test]
fn a_chain_of_a_virtual_account_may_be_the_merchants_own_wallet() {
    Connected::each(|kind, mut connected| {
        let shop = connected.world.shop("Shop", None);
        let own = wallet().address();
        let chain = json!({ "chain_id": 8453, "currencies": ["USDC"], "address": own });
        let made = create(&mut connected.world, &shop, chain);
        assert_eq!(made.status, 201, "{kind}: {}", made.body);
        let on_base = first_chain(&made);
        let account = connected
            .world
            .read(&shop, &format!("/v1/accounts/{on_base}"));
        assert_eq!(account["provider"], "External", "{kind}");
        assert_eq!(text(&account, "address").to_lowercase(), own.to_lowercase());
        let refused = pay(&mut connected.world, &shop);
        assert_eq!(
            refused.refusal(),
            "422 OWNERSHIP_UNPROVEN account",
            "{kind}"
        );
        prove_wallet(&mut connected.world, &shop, on_base, &wallet());
        // What lies in the wallet is asked for, as that of any wallet of the merchant's.
        connected.blocks(3);
        let requests = connected.requests();
        let [NodeRequest::Balances { wallet, block, .. }] = requests.as_slice() else {
            panic!("{kind}: not one request for balances: {requests:?}");
        };
        connected.report_balances(&Balances {
            wallet: *wallet,
            block: *block,
            units: vec![(None, U256::ZERO), (Some(USDC), U256::from(25_000_000_u64))],
        });
        let payment = pay(&mut connected.world, &shop);
        assert_eq!(payment.status, 201, "{kind}: {}", payment.body);
        let to: Address = text(payment.data(), "deposit_address")
            .parse()
            .expect("an address");
        connected.chain.transfer(Some(USDC), to, 5_000_000);
        connected.blocks(3);
        let held = connected.world.read(&shop, "/v1/accounts/till/balances");
        assert_eq!(held[0]["posted"], "30", "{kind}: {held}");
        assert_eq!(connected.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn a_chain_of_a_virtual_account_may_give_each_payment_the_next_address_of_a_key() {
    Connected::each(|kind, mut connected| {
        let shop = connected.world.shop("Shop", None);
        let chain = json!({ "chain_id": 8453, "currencies": ["USDC"], "xpub": XPUB });
        let made = create(&mut connected.world, &shop, chain);
        assert_eq!(made.status, 201, "{kind}: {}", made.body);
        let on_base = first_chain(&made);
        let account = connected
            .world
            .read(&shop, &format!("/v1/accounts/{on_base}"));
        assert_eq!(account["xpub"], XPUB, "{kind}");
        prove_wallet(&mut connected.world, &shop, on_base, &first_wallet());
        let [first, second] = [0, 1].map(|_| {
            let payment = pay(&mut connected.world, &shop);
            assert_eq!(payment.status, 201, "{kind}: {}", payment.body);
            text(payment.data(), "deposit_address")
        });
        assert_ne!(first, second, "{kind}");
        let to: Address = second.parse().expect("an address");
        connected.chain.transfer(Some(USDC), to, 5_000_000);
        connected.blocks(3);
        let held = connected.world.read(&shop, "/v1/accounts/till/balances");
        assert_eq!(held[0]["posted"], "5", "{kind}: {held}");
        assert_eq!(connected.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn a_virtual_account_may_have_an_own_wallet_beside_a_managed_one() {
    Connected::each(|kind, mut connected| {
        let base = connected.chain.id;
        connected.chain.id = "137".parse().expect("a chain");
        connected.connect();
        connected.chain.id = base;
        let world = &mut connected.world;
        let shop = world.shop("Shop", None);
        let own = json!({ "chain_id": 137, "currencies": ["USDC"], "address": wallet().address() });
        let made = create(world, &shop, own);
        assert_eq!(made.status, 201, "{kind}: {}", made.body);
        let managed = json!({ "chain_id": 8453, "currencies": ["USDC"] });
        let added = change(world, &shop, managed);
        assert_eq!(added.status, 200, "{kind}: {}", added.body);
        let both = added.data()["sub_accounts"].as_array().expect("chains");
        let addresses = texts(both, "address");
        assert_ne!(
            addresses[0].to_lowercase(),
            addresses[1].to_lowercase(),
            "{kind}: the merchant's address is no address of the service"
        );
        let id = both[1]["id"].clone();
        let account = world.read(&shop, &format!("/v1/accounts/{id}"));
        assert_eq!(account["provider"], "Managed", "{kind}");
    });
}

#[test]
fn a_wallet_that_cannot_be_the_merchants_is_no_chain_of_a_virtual_account() {
    Connected::each(|kind, mut connected| {
        let hot_wallet = connected.wallet.to_string();
        let world = &mut connected.world;
        let shop = world.shop("Shop", None);
        let both = json!({ "address": WALLET, "xpub": XPUB });
        let refusals = [
            (both, "422 EXCLUDED chains[0].xpub"),
            (
                json!({ "address": "0x12" }),
                "422 ADDRESS_MALFORMED chains[0].address",
            ),
            (
                json!({ "address": hot_wallet }),
                "422 NOT_SUPPORTED chains[0].address",
            ),
            (
                json!({ "address": USDC.to_string() }),
                "422 NOT_SUPPORTED chains[0].address",
            ),
            (
                json!({ "address": Address::ZERO.to_string() }),
                "422 ADDRESS_MALFORMED chains[0].address",
            ),
            (
                json!({ "xpub": "xpub1" }),
                "422 ADDRESS_MALFORMED chains[0].xpub",
            ),
        ];
        for (mut chain, expected) in refusals {
            chain["chain_id"] = 8453.into();
            chain["currencies"] = json!(["USDC"]);
            let refused = create(world, &shop, chain.clone());
            assert_eq!(refused.refusal(), expected, "{kind}: {chain}");
        }
        // One organisation has a wallet once on a chain, whatever kind of account watches it.
        for (field, value) in [("address", WALLET), ("xpub", XPUB)] {
            let mut chain = json!({ "chain_id": 8453, "currencies": ["USDC"] });
            chain[field] = value.into();
            world.post(&shop, "/v1/accounts", chain.clone());
            let refused = create(world, &shop, chain);
            let expected = format!("409 ALREADY_EXISTS chains[0].{field}");
            assert_eq!(refused.refusal(), expected, "{kind}");
        }
        let left = world.keyed(&shop, "GET", "/v1/accounts/till", Value::Null);
        assert_eq!(left.status, 404, "{kind}: a refusal stores nothing");
    });
}

#[test]
fn a_chain_of_a_virtual_account_keeps_its_wallet() {
    Connected::each(|kind, mut connected| {
        let world = &mut connected.world;
        let shop = world.shop("Shop", None);
        let own = json!({ "chain_id": 8453, "currencies": ["USDC"], "address": WALLET });
        let made = create(world, &shop, own.clone());
        assert_eq!(made.status, 201, "{kind}: {}", made.body);
        let mut same = own.clone();
        same["currencies"] = json!(["ETH"]);
        let changed = change(world, &shop, same);
        assert_eq!(changed.status, 200, "{kind}: {}", changed.body);
        assert_eq!(changed.data()["currencies"], json!(["ETH", "USDC"]));
        for (field, value) in [("address", OTHER_WALLET), ("xpub", XPUB)] {
            let mut other = json!({ "chain_id": 8453, "currencies": ["USDC"] });
            other[field] = value.into();
            let refused = change(world, &shop, other);
            let expected = format!("422 EXCLUDED chains[0].{field}");
            assert_eq!(refused.refusal(), expected, "{kind}");
        }
    });
}

#[test]
fn a_wallet_that_a_virtual_account_pays_out_to_is_not_one_of_its_chains() {
    Connected::each(|kind, mut connected| {
        let world = &mut connected.world;
        let shop = world.shop("Shop", None);
        let chain = json!({ "chain_id": 8453, "currencies": ["USDC"], "address": WALLET });
        let body = json!({
            "reference": "till", "chains": [chain],
            "deposit_splits": [{ "address": WALLET, "pct": "10" }],
        });
        let refused = world.signed(&shop, None, "POST", PATH, body);
        assert_eq!(
            refused.refusal(),
            "422 EXCLUDED chains[0].address",
            "{kind}"
        );
    });
}
