//! A token that is added to a connected chain: what the followed addresses hold of it already, and what moves meanwhile.

use std::collections::BTreeMap;

use alloy_primitives::{Address, U256};
use serde_json::{Value, json};
use settlekit_core::chain::Asset;
use settlekit_service::block::{BlockId, Observed, Transfer};
use settlekit_service::opening::Balances;
use settlekit_service::operator::NewKey;
use settlekit_service::outgoing::NodeRequest;
use settlekit_service::{Seed, TransferIndex};
use settlekit_tests::chain::{Connected, MemoryChain, PAYER, USDC};
use settlekit_tests::world::{Shop, currency, text};

use crate::account::{prove_wallet, wallet};

/// The token that is added.
const EURC: Address = Address::repeat_byte(0xe0);

/// What lies in the merchant's own wallet, and what a node says of it.
type Node = BTreeMap<Address, u64>;

fn add(connected: &mut Connected) {
    let asset = Asset {
        symbol: currency("EURC"),
        scale: 6,
        token_address: Some(EURC.to_string()),
    };
    let (now, chain) = (connected.world.now, connected.chain.id);
    let (service, database) = connected.world.parts();
    let added = service.add_token(database, chain, (&asset, None), now, Seed([5; 32]));
    assert_eq!(added, Ok(()));
}

/// Somebody pays an address in the token, in the next block.
fn pay(connected: &mut Connected, node: &mut Node, to: Address, units: u64) {
    connected.chain.transfer(Some(EURC), to, units);
    *node.entry(to).or_default() += units;
}

/// The requests for balances that are due: addresses, and the block.
fn asked(connected: &mut Connected) -> (Vec<Address>, Option<BlockId>) {
    let (mut addresses, mut at) = (Vec::new(), None);
    for request in connected.requests() {
        if let NodeRequest::Balances {
            wallet,
            block,
            tokens,
        } = request
        {
            assert_eq!(tokens, [Some(EURC)]);
            addresses.push(wallet);
            at = Some(block);
        }
    }
    (addresses, at)
}

/// Answers what a node said of each address at a block.
fn answer(connected: &mut Connected, block: BlockId, node: &Node, addresses: &[Address]) {
    for address in addresses {
        let units = node.get(address).copied().unwrap_or(0);
        connected.report_balances(&Balances {
            wallet: *address,
            block,
            units: vec![(Some(EURC), U256::from(units))],
        });
    }
}

/// What lies where in the token, by the books, without what is not known yet.
fn held(connected: &mut Connected) -> Node {
    let expected = connected.expected();
    let held = expected[0].holdings.iter();
    let held = held.filter(|held| held.asset.symbol.as_str() == "EURC" && held.units != 0);
    held.map(|held| (held.address, u64::try_from(held.units).expect("no debt")))
        .collect()
}

fn till(connected: &mut Connected, shop: &Shop) -> Address {
    let till = connected.world.account(shop, "till", 8453, &["USDC"]);
    let till = connected.world.read(shop, &format!("/v1/accounts/{till}"));
    text(&till, "address").parse().expect("an address")
}

fn nothing_differs(connected: &mut Connected, kind: &str) {
    assert_eq!(connected.differences(), Vec::<String>::new(), "{kind}");
}

#[test]
fn what_the_services_addresses_hold_of_an_added_token_is_the_operators() {
    for has_factory in [true, false] {
        Connected::each(|kind, mut connected| {
            connected.has_factory = has_factory;
            connected.connect();
            let shop = connected.world.shop("Shop", None);
            let till = till(&mut connected, &shop);
            let old = connected.wallet;
            let now = connected.world.now;
            let (service, database) = connected.world.parts();
            let new = service
                .rotate_wallet(database, NewKey::Index(1), now, Seed([3; 32]))
                .expect("a new wallet");
            let node = Node::from([(old, 5_000_000), (new, 7_000_000), (till, 3_000_000)]);
            connected.blocks(1);
            add(&mut connected);
            connected.look_for_tokens();
            let mut unread = [old, new, till].map(|address| format!("EURC of {address}"));
            let mut named = connected.unread();
            unread.sort();
            named.sort();
            assert_eq!(named, unread, "{kind}");
            // The latest block has to be settled.
            connected.blocks(1);
            assert_eq!(asked(&mut connected), (Vec::new(), None), "{kind}");
            nothing_differs(&mut connected, kind);
            connected.blocks(1);
            let (addresses, block) = asked(&mut connected);
            let block = block.expect("a request");
            assert_eq!(block, connected.chain.below(2), "{kind}");
            assert_eq!(addresses.len(), 3, "{kind}: {addresses:?}");
            answer(&mut connected, block, &node, &addresses);
            assert_eq!(held(&mut connected), node, "{kind}");
            assert_eq!(connected.unread(), Vec::<String>::new(), "{kind}");
            nothing_differs(&mut connected, kind);
            // A late answer changes nothing.
            answer(&mut connected, block, &Node::new(), &addresses);
            assert_eq!(held(&mut connected), node, "{kind}");
            assert!(asked(&mut connected).0.is_empty(), "{kind}");
            // The old wallet has nothing of merchants to send on.
            nothing_differs(&mut connected, kind);
        });
    }
}

#[test]
fn a_block_that_was_read_before_a_token_was_added_is_read_again() {
    Connected::each(|kind, mut connected| {
        let hot_wallet = connected.wallet;
        let mut node = Node::new();
        // The transfer is in the block, but nobody looked for it.
        node.insert(hot_wallet, 4_000_000);
        let read = connected.chain.clone();
        let block = connected.chain.block();
        add(&mut connected);
        assert_eq!(connected.observe(&block), Observed::Outdated, "{kind}");
        connected.chain = read;
        connected.look_for_tokens();
        connected.chain.transfer(Some(EURC), hot_wallet, 4_000_000);
        connected.blocks(1);
        connected.blocks(2);
        let (addresses, block) = asked(&mut connected);
        answer(&mut connected, block.expect("a request"), &node, &addresses);
        assert_eq!(held(&mut connected), node, "{kind}");
        nothing_differs(&mut connected, kind);
    });
}

#[test]
fn what_moves_between_the_question_and_the_answer_counts_once() {
    Connected::each(|kind, mut connected| {
        let shop = connected.world.shop("Shop", None);
        let till = till(&mut connected, &shop);
        let hot_wallet = connected.wallet;
        let mut node = Node::from([(hot_wallet, 7_000_000), (till, 3_000_000)]);
        add(&mut connected);
        connected.look_for_tokens();
        // Mined before the question, settled after it.
        pay(&mut connected, &mut node, hot_wallet, 1_000_000);
        connected.blocks(2);
        let (addresses, block) = asked(&mut connected);
        let block = block.expect("a request");
        let before = Node::from([(hot_wallet, 7_000_000), (till, 3_000_000)]);
        // A sweep takes what lay at the address before the token was followed, too.
        let swept = connected.chain.hash();
        connected.chain.include(Transfer {
            hash: swept,
            index: TransferIndex::Log(0),
            token: Some(EURC),
            from: till,
            to: hot_wallet,
            units: U256::from(3_000_000_u64),
        });
        node.insert(till, 0);
        *node.entry(hot_wallet).or_default() += 3_000_000;
        pay(&mut connected, &mut node, till, 2_000_000);
        connected.blocks(4);
        answer(&mut connected, block, &before, &addresses);
        assert_eq!(held(&mut connected), node, "{kind}");
        nothing_differs(&mut connected, kind);
    });
}

#[test]
fn a_reorganisation_of_the_block_at_which_a_token_was_added_counts_once() {
    Connected::each(|kind, mut connected| {
        let hot_wallet = connected.wallet;
        // In the block at which the token is added; nobody looks for it.
        connected.blocks(1);
        add(&mut connected);
        connected.look_for_tokens();
        connected.reorganise(1);
        // It moves to a block that is read with the token.
        let mut node = Node::new();
        pay(&mut connected, &mut node, hot_wallet, 6_000_000);
        connected.blocks(3);
        let (addresses, block) = asked(&mut connected);
        answer(&mut connected, block.expect("a request"), &node, &addresses);
        assert_eq!(held(&mut connected), node, "{kind}");
        nothing_differs(&mut connected, kind);
        connected.blocks(3);
        nothing_differs(&mut connected, kind);
    });
}

#[test]
fn an_answer_for_a_block_that_a_reorganisation_took_away_is_asked_for_again() {
    Connected::each(|kind, mut connected| {
        let hot_wallet = connected.wallet;
        let node = Node::from([(hot_wallet, 6_000_000)]);
        add(&mut connected);
        connected.look_for_tokens();
        connected.blocks(2);
        let (addresses, block) = asked(&mut connected);
        let mut block = block.expect("a request");
        block.hash = Default::default();
        answer(&mut connected, block, &Node::new(), &addresses);
        let (addresses, block) = asked(&mut connected);
        answer(&mut connected, block.expect("a request"), &node, &addresses);
        assert_eq!(held(&mut connected), node, "{kind}");
        nothing_differs(&mut connected, kind);
    });
}

#[test]
fn what_a_merchants_own_wallet_holds_of_an_added_token_is_an_adjustment() {
    Connected::each(|kind, mut connected| {
        let shop = connected.world.shop("Shop", None);
        let own = wallet().address();
        let body = json!({
            "reference": "own", "chain_id": 8453, "currencies": ["USDC"], "address": own,
        });
        let account = connected
            .world
            .post(&shop, "/v1/accounts", body)
            .id_number();
        prove_wallet(&mut connected.world, &shop, account, &wallet());
        let body =
            json!({ "amount": "5", "currency": "USDC", "chain_id": 8453, "account": account });
        let payment = connected.world.post(&shop, "/v1/payments", body);
        let proxy = text(payment.data(), "deposit_address");
        let [own, proxy]: [Address; 2] =
            [own, proxy].map(|address| address.parse().expect("an address"));
        connected.blocks(3);
        connected.report_empty_wallets();
        let mut node = Node::from([(own, 5_000_000), (proxy, 2_000_000)]);
        add(&mut connected);
        connected.look_for_tokens();
        pay(&mut connected, &mut node, own, 1_000_000);
        connected.blocks(3);
        let (addresses, block) = asked(&mut connected);
        assert_eq!(addresses.len(), 3, "{kind}: {addresses:?}");
        answer(&mut connected, block.expect("a request"), &node, &addresses);
        assert_eq!(held(&mut connected), node, "{kind}");
        nothing_differs(&mut connected, kind);
        let path = format!("/v1/accounts/{account}/movement?sort=asc");
        let list: Value = connected.world.read(&shop, &path);
        let items = list["items"].as_array().expect("movements").iter();
        let shown: Vec<String> = items
            .map(|item| {
                ["type", "amount", "currency"]
                    .map(|field| text(item, field))
                    .join(" ")
            })
            .collect();
        let mut expected = vec!["Deposit 1 EURC", "Adjustment 5 EURC", "Adjustment 2 EURC"];
        if shown[1] == "Adjustment 2 EURC" {
            // In the order of the addresses, which are random.
            expected.swap(1, 2);
        }
        assert_eq!(shown, expected, "{kind}");
    });
}

#[test]
fn a_token_that_is_added_by_connecting_again_is_counted_too() {
    Connected::each(|kind, mut connected| {
        let hot_wallet = connected.wallet;
        let node = Node::from([(hot_wallet, 6_000_000)]);
        connected.blocks(3);
        connected.eurc = Some(EURC);
        connected.connect();
        connected.blocks(3);
        let (addresses, block) = asked(&mut connected);
        answer(&mut connected, block.expect("a request"), &node, &addresses);
        assert_eq!(held(&mut connected), node, "{kind}");
        nothing_differs(&mut connected, kind);
        // Nor is it counted twice.
        connected.connect();
        connected.blocks(3);
        assert!(asked(&mut connected).0.is_empty(), "{kind}");
        let sent = Transfer {
            hash: connected.chain.hash(),
            index: TransferIndex::Log(0),
            token: Some(EURC),
            from: PAYER,
            to: hot_wallet,
            units: U256::from(1_u64),
        };
        connected.chain.include(sent);
        connected.blocks(3);
        nothing_differs(&mut connected, kind);
    });
}

#[test]
fn money_at_service_addresses_on_a_later_chain_is_the_operators() {
    for has_factory in [true, false] {
        Connected::each(|kind, mut connected| {
            connected.has_factory = has_factory;
            connected.connect();
            let shop = connected.world.shop("Shop", None);
            let till = till(&mut connected, &shop);
            connected.chain = MemoryChain::optimism();
            connected.connect();
            connected.blocks(3);
            let mut asked = Vec::new();
            for request in connected.requests() {
                if let NodeRequest::Balances {
                    wallet,
                    block,
                    tokens,
                } = request
                {
                    assert_eq!(tokens, [None, Some(USDC)], "{kind}");
                    asked.push(wallet);
                    connected.report_balances(&Balances {
                        wallet,
                        block,
                        units: vec![(None, U256::from(7)), (Some(USDC), U256::from(3_000_000))],
                    });
                }
            }
            assert_eq!(asked, [till], "{kind}");
            let expected = connected.expected();
            let of_chain = expected.iter().find(|of| of.chain.to_string() == "10");
            let held = of_chain.expect("the chain").holdings.iter();
            let held = held.filter(|held| held.address == till);
            let mut held: Vec<i128> = held.map(|held| held.units).collect();
            held.sort_unstable();
            assert_eq!(held, [7, 3_000_000], "{kind}");
            nothing_differs(&mut connected, kind);
        });
    }
}
