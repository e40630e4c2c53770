//! The installation: its chains, wallets and transactions, for the members who operate it.

mod create_wallet_link;
mod delete_wallet_link;
mod list_hot_wallets;
mod list_installation_chains;
mod list_outgoing_transactions;
mod list_unswept_proxies;
mod list_wallet_links;
mod operators;
mod raise_transaction_fee;
mod restore_wallet_links;
mod update_installation_chain;

use alloy_primitives::{Address, B256};
use serde_json::Value;
use settlekit_service::Seed;
use settlekit_service::outgoing::{Broadcast, Estimate, NodeRequest};
use settlekit_tests::chain::{Connected, USDC};
use settlekit_tests::world::{Shop, SignedIn, World, text};

const OPERATOR: &str = "olga@shop.example";

/// Lets a member operate the installation, or no longer.
pub(crate) fn set_operator(world: &mut World, email: &str, operates: bool) {
    let now = world.now;
    let (service, database) = world.parts();
    // Ids are made of the seed.
    let named = email.bytes().fold(u8::from(operates), u8::wrapping_add);
    let seed = Seed([named; 32]);
    let set = service.set_installation_operator(database, email, operates, now, seed);
    assert!(matches!(set, Ok(Some(_))), "{set:?}");
}

/// A shop with an owner who operates the installation.
fn operator(world: &mut World) -> (Shop, SignedIn) {
    let shop = world.shop("Shop", None);
    let owner = world.sign_in(&shop, OPERATOR);
    set_operator(world, OPERATOR, true);
    (shop, owner)
}

const WALLET_LINKS: &str = "/v1/installation/wallet-links";

/// The wallets that payers are offered.
fn wallet_links(world: &mut World, who: &SignedIn) -> Value {
    let answer = world.session(who, "GET", WALLET_LINKS, Value::Null);
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.data().clone()
}

/// What the operator reads at a path.
fn read(connected: &mut Connected, who: &SignedIn, path: &str) -> Value {
    let path = format!("/v1/installation/{path}");
    let answer = connected.world.session(who, "GET", &path, Value::Null);
    assert_eq!(answer.status, 200, "{path}: {}", answer.body);
    answer.data().clone()
}

/// The only connected chain.
fn chain(connected: &mut Connected, who: &SignedIn) -> Value {
    let chains = read(connected, who, "chains");
    assert_eq!(chains.as_array().map(Vec::len), Some(1), "{chains}");
    chains[0].clone()
}

/// The pay-in address of a new account of the shop, to which 10 USDC are sent and settled.
fn deposit(connected: &mut Connected, shop: &Shop, account: &str) -> Address {
    let id = connected.world.account(shop, account, 8453, &["USDC"]);
    let account = connected.world.read(shop, &format!("/v1/accounts/{id}"));
    let address: Address = text(&account, "address").parse().expect("an address");
    connected.chain.transfer(Some(USDC), address, 10_000_000);
    connected.blocks(3);
    address
}

/// Money of the account till that lies in the hot wallet already.
fn fund(connected: &mut Connected, shop: &Shop) {
    let from = deposit(connected, shop, "till");
    connected.sweep(from, 10_000_000);
    connected.blocks(3);
}

fn wait(connected: &mut Connected, seconds: u64) {
    let now = connected.world.now;
    connected.world.now = now.plus(std::time::Duration::from_secs(seconds));
}

/// Signs what is queued.
fn sign(connected: &mut Connected) {
    const GAS: Estimate = Estimate::Succeeds {
        gas: 50_000,
        priority_fee: 2_000_000,
    };
    for request in connected.requests() {
        if let NodeRequest::Estimate { id, .. } = request {
            connected.estimate(id, &GAS);
        }
    }
}

/// Broadcasts what is signed, and returns the hashes.
fn broadcast(connected: &mut Connected) -> Vec<B256> {
    let mut hashes = Vec::new();
    for request in connected.requests() {
        if let NodeRequest::Broadcast { id, hash, .. } = request {
            connected.broadcast((id, hash), Broadcast::Accepted);
            hashes.push(hash);
        }
    }
    hashes
}
