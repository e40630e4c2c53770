//! Merchants' own wallets: what lies in them, what leaves them, and the payouts that they sign.

use std::time::Duration;

use alloy_primitives::{Address, B256, U256, hex};
use serde_json::{Value, json};
use settlekit_core::value::Timestamp;
use settlekit_service::TransferIndex;
use settlekit_service::block::{BlockId, Mined, Observed, Transfer};
use settlekit_service::opening::Balances;
use settlekit_service::outgoing::NodeRequest;
use settlekit_tests::chain::{Connected, PAYER, USDC};
use settlekit_tests::database;
use settlekit_tests::world::{DAY, OTHER_WALLET, Shop, text};

use super::deposits::latest_event;
use crate::account::{prove_wallet, wallet};

/// The merchant's own wallet.
const WALLET: Address = Address::repeat_byte(0xa1);

const ETHER: u64 = 1_000_000_000_000_000_000;

fn watch(connected: &mut Connected, name: &str) -> Shop {
    let shop = connected.world.shop(name, None);
    let body = json!({
        "reference": "till", "chain_id": 8453, "currencies": ["USDC"], "address": WALLET.to_string(),
    });
    let made = connected.world.keyed(&shop, "POST", "/v1/accounts", body);
    assert_eq!(made.status, 201, "{}", made.body);
    shop
}

/// A shop whose own wallet holds 25 USDC and 1 ETH.
fn opened(connected: &mut Connected) -> Shop {
    let shop = watch(connected, "Shop");
    connected.blocks(3);
    let block = asked(connected);
    answer(connected, block, 25_000_000);
    shop
}

/// The block at which a node is asked for what lies in the wallet.
fn asked(connected: &mut Connected) -> BlockId {
    match connected.requests().as_slice() {
        [
            NodeRequest::Balances {
                wallet,
                block,
                tokens,
            },
        ] => {
            assert_eq!(*wallet, WALLET);
            assert_eq!(tokens.len(), 2);
            *block
        }
        other => panic!("not one request for balances: {other:?}"),
    }
}

/// Answers that a wallet holds an amount of USDC, and 1 ETH.
fn answer(connected: &mut Connected, block: BlockId, usdc: u64) {
    connected.report_balances(&Balances {
        wallet: WALLET,
        block,
        units: vec![(None, U256::from(ETHER)), (Some(USDC), U256::from(usdc))],
    });
}

/// Puts a transfer of USDC from the wallet into the next block, with what the network takes for its transaction.
fn leave(connected: &mut Connected, to: &str, units: u64) -> B256 {
    let hash = connected.chain.hash();
    include(connected, hash, to, units);
    hash
}

fn include(connected: &mut Connected, hash: B256, to: &str, units: u64) {
    include_from(connected, WALLET, hash, (to, units));
}

fn include_from(connected: &mut Connected, from: Address, hash: B256, (to, units): (&str, u64)) {
    connected.chain.include(Transfer {
        hash,
        index: TransferIndex::Log(0),
        token: Some(USDC),
        from,
        to: to.parse().expect("an address"),
        units: U256::from(units),
    });
    connected.chain.mine(Mined {
        hash,
        from,
        nonce: 0,
        succeeded: true,
        fee: U256::from(1_000_000_000_000_000_u64),
    });
}

fn balances(connected: &mut Connected, shop: &Shop) -> Vec<String> {
    let held = connected.world.read(shop, "/v1/accounts/till/balances");
    let held = held.as_array().expect("balances").iter();
    held.map(|held| format!("{} {}", text(held, "posted"), text(held, "currency")))
        .collect()
}

fn movements(connected: &mut Connected, shop: &Shop) -> Vec<String> {
    let list = connected
        .world
        .read(shop, "/v1/accounts/till/movement?sort=asc");
    let items = list["items"].as_array().expect("movements").iter();
    items
        .map(|item| {
            let said = ["direction", "amount", "currency", "type", "status"];
            said.map(|field| text(item, field)).join(" ")
        })
        .collect()
}

fn nothing_differs(connected: &mut Connected, kind: &str) {
    assert_eq!(connected.differences(), Vec::<String>::new(), "{kind}");
}

/// The balances of the wallet that are compared with the chain.
fn compared(connected: &mut Connected) -> Vec<String> {
    let expected = connected.expected();
    let holdings = expected.iter().flat_map(|chain| &chain.holdings);
    let of_wallet = holdings.filter(|held| held.address == WALLET);
    let named = of_wallet.map(|held| format!("{} {}", held.units, held.asset.symbol));
    named.collect()
}

#[test]
fn a_wallet_is_asked_for_after_a_clock_was_a_year_ahead() {
    const YEAR: Duration = Duration::from_secs(365 * 24 * 60 * 60);
    Connected::each(|kind, mut connected| {
        let right = connected.world.now;
        let shop = watch(&mut connected, "Shop");
        connected.world.now = right.plus(YEAR);
        connected.blocks(3);
        asked(&mut connected);
        connected.world.now = right.plus(Duration::from_secs(16));
        let block = asked(&mut connected);
        assert_eq!(connected.requests(), [], "{kind}");
        answer(&mut connected, block, 25_000_000);
        let lies = ["1 ETH", "25 USDC"];
        assert_eq!(balances(&mut connected, &shop), lies, "{kind}");
        nothing_differs(&mut connected, kind);
    });
}

#[test]
fn an_empty_wallet_is_compared_with_the_chain_too() {
    Connected::each(|kind, mut connected| {
        watch(&mut connected, "Shop");
        connected.blocks(3);
        let block = asked(&mut connected);
        assert_eq!(compared(&mut connected), [""; 0], "{kind}: not read yet");
        connected.report_balances(&Balances {
            wallet: WALLET,
            block,
            units: vec![(None, U256::ZERO), (Some(USDC), U256::ZERO)],
        });
        let empty = ["0 ETH", "0 USDC"];
        assert_eq!(compared(&mut connected), empty, "{kind}");
        connected.chain.transfer(Some(USDC), WALLET, 5_000_000);
        connected.blocks(3);
        let paid = ["0 ETH", "5000000 USDC"];
        assert_eq!(compared(&mut connected), paid, "{kind}");
        let hash = connected.chain.hash();
        connected.chain.include(Transfer {
            hash,
            index: TransferIndex::Log(0),
            token: Some(USDC),
            from: WALLET,
            to: OTHER_WALLET.parse().expect("an address"),
            units: U256::from(5_000_000),
        });
        connected.blocks(3);
        assert_eq!(compared(&mut connected), empty, "{kind}: empty again");
        nothing_differs(&mut connected, kind);
    });
}

#[test]
fn a_wallet_begins_with_what_lies_in_it() {
    Connected::each(|kind, mut connected| {
        connected.blocks(2);
        let shop = watch(&mut connected, "Shop");
        // The next block may have been read before the wallet was watched: what it brought is in the balance after it.
        for _ in 0..3 {
            assert_eq!(connected.requests(), [], "{kind}");
            connected.blocks(1);
        }
        let block = asked(&mut connected);
        assert_eq!(block, connected.chain.below(2), "{kind}");
        assert_eq!(connected.requests(), [], "{kind}");
        answer(&mut connected, block, 25_000_000);
        let begun = [
            "IN 1 ETH Adjustment Confirmed",
            "IN 25 USDC Adjustment Confirmed",
        ];
        assert_eq!(movements(&mut connected, &shop), begun, "{kind}");
        assert_eq!(
            balances(&mut connected, &shop),
            ["1 ETH", "25 USDC"],
            "{kind}"
        );
        // A late answer changes nothing.
        answer(&mut connected, block, 26_000_000);
        connected.world.pass(Duration::from_secs(60));
        assert_eq!(connected.requests(), [], "{kind}");
        assert_eq!(movements(&mut connected, &shop), begun, "{kind}");
        nothing_differs(&mut connected, kind);
    });
}

#[test]
fn a_comparison_names_the_wallets_that_it_leaves_out() {
    Connected::each(|kind, mut connected| {
        let shop = watch(&mut connected, "Shop");
        let till = connected.world.read(&shop, "/v1/accounts/till")["id"].clone();
        let named = [
            format!("ETH of {WALLET}"),
            format!("USDC of {WALLET}"),
            format!("ETH of account {till}"),
            format!("USDC of account {till}"),
        ];
        assert_eq!(connected.unread(), named, "{kind}");
        connected.blocks(3);
        let block = asked(&mut connected);
        answer(&mut connected, block, 25_000_000);
        assert_eq!(connected.unread(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn a_known_wallet_is_compared_whoever_connects_it_again() {
    Connected::each(|kind, mut connected| {
        opened(&mut connected);
        let known = compared(&mut connected);
        assert!(known.contains(&"25000000 USDC".to_owned()), "{kind}");
        // Anybody can connect it, and delete and create the account again and again.
        watch(&mut connected, "Other");
        assert_eq!(compared(&mut connected), known, "{kind}");
        let unread = connected.unread();
        assert_eq!(unread.len(), 2, "{kind}: {unread:?}");
        let of_account = |unread: &String| unread.contains(" of account ");
        assert!(unread.iter().all(of_account), "{kind}: {unread:?}");
    });
}

#[test]
fn a_wallet_connected_within_the_hour_is_not_overdue() {
    Connected::each(|kind, mut connected| {
        let overdue = |connected: &mut Connected| {
            let now = connected.world.now;
            let expected = connected.expected();
            (
                expected[0].overdue(now).len(),
                expected[0].recent(now).len(),
            )
        };
        watch(&mut connected, "Shop");
        // ETH and USDC of the wallet and of the account.
        assert_eq!(overdue(&mut connected), (0, 4), "{kind}");
        connected.world.pass(Duration::from_secs(3_599));
        assert_eq!(overdue(&mut connected), (0, 4), "{kind}");
        // Another merchant with the same wallet makes it no newer.
        watch(&mut connected, "Other");
        connected.world.pass(Duration::from_secs(1));
        assert_eq!(overdue(&mut connected), (4, 2), "{kind}");
        // A token of the operator's counts at once: of the wallet, of both accounts and of the hot wallet.
        connected.eurc = Some(Address::repeat_byte(0xee));
        connected.connect();
        assert_eq!(overdue(&mut connected), (8, 2), "{kind}");
    });
}

#[test]
fn what_moves_while_a_node_is_asked_counts_once() {
    Connected::each(|kind, mut connected| {
        let shop = watch(&mut connected, "Shop");
        connected.blocks(1);
        connected.chain.transfer(Some(USDC), WALLET, 5_000_000);
        connected.blocks(2);
        let before = asked(&mut connected);
        // The deposit settles before the answer arrives, which does not have it.
        connected.blocks(1);
        assert_eq!(balances(&mut connected, &shop), ["5 USDC"], "{kind}");
        answer(&mut connected, before, 20_000_000);
        assert_eq!(
            balances(&mut connected, &shop),
            ["1 ETH", "25 USDC"],
            "{kind}"
        );
        nothing_differs(&mut connected, kind);
    });
}

#[test]
fn what_leaves_a_wallet_is_booked_with_the_gas_it_paid() {
    Connected::each(|kind, mut connected| {
        let shop = opened(&mut connected);
        let hash = leave(&mut connected, OTHER_WALLET, 10_000_000);
        connected.blocks(1);
        let left = [
            "OUT 10 USDC Withdraw Processing",
            "OUT 0.001 ETH NetworkFee Processing",
        ];
        assert_eq!(movements(&mut connected, &shop)[2..], left, "{kind}");
        assert_eq!(
            balances(&mut connected, &shop),
            ["1 ETH", "25 USDC"],
            "{kind}"
        );
        nothing_differs(&mut connected, kind);
        connected.blocks(2);
        let left = [
            "OUT 10 USDC Withdraw Confirmed",
            "OUT 0.001 ETH NetworkFee Confirmed",
        ];
        assert_eq!(movements(&mut connected, &shop)[2..], left, "{kind}");
        assert_eq!(
            balances(&mut connected, &shop),
            ["0.999 ETH", "15 USDC"],
            "{kind}"
        );
        let list = connected
            .world
            .read(&shop, "/v1/accounts/till/movement?sort=asc");
        let withdrawal = &list["items"][2];
        assert_eq!(withdrawal["to_address"], OTHER_WALLET, "{kind}");
        assert_eq!(
            withdrawal["transaction_hash"],
            format!("{hash:#x}"),
            "{kind}"
        );
        nothing_differs(&mut connected, kind);
    });
}

#[test]
fn a_withdrawal_that_a_reorganisation_moves_is_booked_once_and_a_lost_one_not_at_all() {
    Connected::each(|kind, mut connected| {
        let shop = opened(&mut connected);
        let hash = leave(&mut connected, OTHER_WALLET, 10_000_000);
        connected.blocks(2);
        connected.reorganise(2);
        nothing_differs(&mut connected, kind);
        connected.blocks(1);
        include(&mut connected, hash, OTHER_WALLET, 10_000_000);
        connected.blocks(3);
        let left = [
            "OUT 10 USDC Withdraw Confirmed",
            "OUT 0.001 ETH NetworkFee Confirmed",
        ];
        assert_eq!(movements(&mut connected, &shop)[2..], left, "{kind}");
        leave(&mut connected, OTHER_WALLET, 3_000_000);
        connected.blocks(1);
        connected.reorganise(1);
        connected.world.pass(Duration::from_secs(25 * 60 * 60));
        connected.blocks(1);
        let lost = [
            "OUT 3 USDC Withdraw Failed",
            "OUT 0.001 ETH NetworkFee Failed",
        ];
        assert_eq!(movements(&mut connected, &shop)[4..], lost, "{kind}");
        assert_eq!(
            balances(&mut connected, &shop),
            ["0.999 ETH", "15 USDC"],
            "{kind}"
        );
        nothing_differs(&mut connected, kind);
    });
}

#[test]
fn a_withdrawal_executed_again_with_another_amount_replaces_the_first() {
    Connected::each(|kind, mut connected| {
        let shop = opened(&mut connected);
        let hash = leave(&mut connected, OTHER_WALLET, 10_000_000);
        connected.blocks(1);
        connected.reorganise(1);
        include(&mut connected, hash, OTHER_WALLET, 4_000_000);
        connected.blocks(3);
        let expected = [
            "OUT 10 USDC Withdraw Failed",
            "OUT 0.001 ETH NetworkFee Confirmed",
            "OUT 4 USDC Withdraw Confirmed",
        ];
        assert_eq!(movements(&mut connected, &shop)[2..], expected, "{kind}");
        assert_eq!(
            balances(&mut connected, &shop),
            ["0.999 ETH", "21 USDC"],
            "{kind}"
        );
        nothing_differs(&mut connected, kind);
    });
}

#[test]
fn a_reorganisation_of_a_settled_withdrawal_is_an_alarm_and_a_difference() {
    Connected::each(|kind, mut connected| {
        let shop = opened(&mut connected);
        let hash = leave(&mut connected, OTHER_WALLET, 10_000_000);
        connected.blocks(3);
        nothing_differs(&mut connected, kind);
        connected.reorganise(3);
        assert_eq!(
            connected.failures.len(),
            2,
            "{kind}: {:?}",
            connected.failures
        );
        assert!(
            connected.failures[0].contains("which was confirmed"),
            "{kind}"
        );
        let event = latest_event(&mut connected, &shop);
        assert_eq!(event, "Updated Success 0 null", "{kind}");
        assert_eq!(
            balances(&mut connected, &shop),
            ["0.999 ETH", "15 USDC"],
            "{kind}"
        );
        assert_eq!(connected.differences().len(), 2, "{kind}");
        connected.blocks(1);
        include(&mut connected, hash, OTHER_WALLET, 10_000_000);
        connected.blocks(1);
        let event = latest_event(&mut connected, &shop);
        assert_eq!(event, "Updated Success 1 105", "{kind}");
        connected.blocks(2);
        nothing_differs(&mut connected, kind);
    });
}

#[test]
fn more_than_the_books_know_of_can_leave() {
    Connected::each(|kind, mut connected| {
        let shop = watch(&mut connected, "Shop");
        leave(&mut connected, OTHER_WALLET, 10_000_000);
        connected.blocks(3);
        let expected = [
            "OUT 10 USDC Withdraw Confirmed",
            "OUT 0.001 ETH NetworkFee Confirmed",
            "IN 10 USDC Adjustment Confirmed",
            "IN 0.001 ETH Adjustment Confirmed",
        ];
        assert_eq!(movements(&mut connected, &shop), expected, "{kind}");
        let block = asked(&mut connected);
        answer(&mut connected, block, 2_000_000);
        assert_eq!(
            balances(&mut connected, &shop),
            ["1 ETH", "2 USDC"],
            "{kind}"
        );
        nothing_differs(&mut connected, kind);
    });
}

#[test]
fn each_organisation_that_watches_a_wallet_has_books_of_its_own() {
    Connected::each(|kind, mut connected| {
        let first = opened(&mut connected);
        connected.chain.transfer(Some(USDC), WALLET, 5_000_000);
        connected.blocks(3);
        let second = watch(&mut connected, "Other");
        leave(&mut connected, OTHER_WALLET, 10_000_000);
        connected.blocks(3);
        let block = asked(&mut connected);
        connected.report_balances(&Balances {
            wallet: WALLET,
            block,
            units: vec![
                (None, U256::from(ETHER - 1_000_000_000_000_000)),
                (Some(USDC), U256::from(20_000_000_u64)),
            ],
        });
        for shop in [&first, &second] {
            assert_eq!(
                balances(&mut connected, shop),
                ["0.999 ETH", "20 USDC"],
                "{kind}"
            );
        }
        nothing_differs(&mut connected, kind);
    });
}

/// A payment of 5 USDC to a proxy of `shop`, which passes the money on to the wallet that `other` watches, too.
struct PassedOn {
    shop: Shop,
    other: Shop,
    transfer: Transfer,
}

impl PassedOn {
    /// The payment is confirmed, and nothing is passed on so far.
    fn paid(connected: &mut Connected) -> Self {
        let signer = wallet();
        let own: Address = signer.address().parse().expect("an address");
        let watch = |connected: &mut Connected, name: &str| {
            let shop = connected.world.shop(name, None);
            let body = json!({
                "reference": "till", "chain_id": 8453, "currencies": ["USDC"], "address": own.to_string(),
            });
            let account = connected.world.post(&shop, "/v1/accounts", body);
            (shop, account.id_number())
        };
        let (shop, account) = watch(connected, "Shop");
        let (other, _) = watch(connected, "Other");
        prove_wallet(&mut connected.world, &shop, account, &signer);
        let body =
            json!({ "amount": "5", "currency": "USDC", "chain_id": 8453, "account": account });
        let payment = connected.world.post(&shop, "/v1/payments", body);
        let proxy = text(payment.data(), "deposit_address");
        let proxy: Address = proxy.parse().expect("an address");
        connected.blocks(3);
        connected.report_empty_wallets();
        connected.chain.transfer(Some(USDC), proxy, 5_000_000);
        connected.blocks(3);
        let transfer = Transfer {
            hash: connected.chain.hash(),
            index: TransferIndex::Log(0),
            token: Some(USDC),
            from: proxy,
            to: own,
            units: U256::from(5_000_000_u64),
        };
        Self {
            shop,
            other,
            transfer,
        }
    }

    fn shops(&self) -> [&Shop; 2] {
        [&self.shop, &self.other]
    }
}

const PAID: [&str; 1] = ["IN 5 USDC Deposit Confirmed"];

#[test]
fn what_a_proxy_passes_on_is_a_deposit_for_others_who_watch_the_wallet() {
    Connected::each(|kind, mut connected| {
        let passed_on = PassedOn::paid(&mut connected);
        assert_eq!(movements(&mut connected, &passed_on.shop), PAID, "{kind}");
        let other = movements(&mut connected, &passed_on.other);
        assert!(other.is_empty(), "{kind}");
        connected.chain.include(passed_on.transfer.clone());
        connected.blocks(3);
        for shop in passed_on.shops() {
            assert_eq!(movements(&mut connected, shop), PAID, "{kind}");
            assert_eq!(balances(&mut connected, shop), ["5 USDC"], "{kind}");
        }
        nothing_differs(&mut connected, kind);
    });
}

#[test]
fn what_leaves_a_proven_wallet_is_in_the_daily_volume_unless_an_own_account_receives_it() {
    Connected::each(|kind, mut connected| {
        let PassedOn {
            shop,
            other,
            transfer,
        } = PassedOn::paid(&mut connected);
        let held = connected.world.account(&shop, "held", 8453, &["USDC"]);
        let held = connected.world.read(&shop, &format!("/v1/accounts/{held}"));
        let held = text(&held, "address");
        let own = transfer.to;
        connected.chain.include(transfer);
        connected.blocks(3);
        let counts = |connected: &mut Connected| {
            [&shop, &other].map(|shop| {
                let overview = connected.world.read(shop, "/v1/overview");
                overview["volume"][29]["count"].as_u64().expect("a count")
            })
        };
        let leave = |connected: &mut Connected, to: &str, units: u64| {
            let hash = connected.chain.hash();
            include_from(connected, own, hash, (to, units));
            connected.blocks(3);
        };
        // The payment; the other shop has not proven the wallet.
        assert_eq!(counts(&mut connected), [1, 0], "{kind}");
        leave(&mut connected, OTHER_WALLET, 2_000_000);
        assert_eq!(counts(&mut connected), [2, 0], "{kind}");
        leave(&mut connected, &held, 1_000_000);
        let balance = connected.world.read(&shop, "/v1/accounts/held/balances");
        assert_eq!(balance[0]["posted"], "1", "{kind}");
        assert_eq!(counts(&mut connected), [2, 0], "{kind}");
    });
}

#[test]
fn a_deposit_is_not_in_the_daily_volume_if_the_withdrawal_that_sent_it_was_booked_before() {
    const REMEMBERED: &str = "SELECT hash FROM own_transfers ORDER BY hash";
    Connected::each(|kind, mut connected| {
        let PassedOn {
            shop,
            other,
            transfer,
        } = PassedOn::paid(&mut connected);
        let held = connected.world.account(&shop, "held", 8453, &["USDC"]);
        let held = connected.world.read(&shop, &format!("/v1/accounts/{held}"));
        let held = text(&held, "address");
        let own = transfer.to;
        connected.chain.include(transfer);
        connected.blocks(3);
        let remember = |connected: &mut Connected, shop: &Shop, hash: &str, at: Timestamp| {
            let insert = "INSERT INTO own_transfers (org_id, chain_id, hash, to_address, currency, amount, created_at) \
                 VALUES (?1, 8453, ?2, ?3, 'USDC', ?4, ?5)";
            let to = held.to_lowercase();
            let given = [
                shop.id.into(),
                hash.into(),
                (&to).into(),
                1_000_000_i128.into(),
                at.into(),
            ];
            let inserted = connected.world.parts().1.execute(insert, &given);
            assert_eq!(inserted, Ok(1), "{kind}");
        };
        let count = |connected: &mut Connected| {
            let overview = connected.world.read(&shop, "/v1/overview");
            overview["volume"][29]["count"].as_u64().expect("a count")
        };
        let deposit = |connected: &mut Connected, hash: B256| {
            connected.chain.include(Transfer {
                hash,
                index: TransferIndex::Log(0),
                token: Some(USDC),
                from: PAYER,
                to: held.parse().expect("an address"),
                units: U256::from(1_000_000_u64),
            });
            connected.blocks(3);
        };
        assert_eq!(count(&mut connected), 1, "{kind}: the payment");
        let now = connected.world.now;
        let [first, second] = [(); 2].map(|()| connected.chain.hash());
        remember(&mut connected, &shop, &format!("{first:#x}"), now);
        // That of another organisation hides nothing.
        remember(&mut connected, &other, &format!("{second:#x}"), now);
        deposit(&mut connected, first);
        assert_eq!(count(&mut connected), 1, "{kind}");
        deposit(&mut connected, second);
        assert_eq!(count(&mut connected), 2, "{kind}");
        let left = database::rows(connected.world.parts().1, REMEMBERED);
        assert_eq!(left, [format!("{second:#x}")], "{kind}");
        // A withdrawal without a deposit is forgotten at the next own transfer.
        remember(&mut connected, &shop, "0x1", now.minus(DAY * 31));
        remember(&mut connected, &shop, "0x2", now.minus(DAY * 29));
        let hash = connected.chain.hash();
        include_from(&mut connected, own, hash, (&held, 2_000_000));
        connected.blocks(3);
        let left = database::rows(connected.world.parts().1, REMEMBERED);
        assert_eq!(left.len(), 2, "{kind}: {left:?}");
        assert!(!left.contains(&"0x1".to_owned()), "{kind}: {left:?}");
        assert_eq!(count(&mut connected), 2, "{kind}");
    });
}

#[test]
fn what_a_proxy_passes_on_is_in_the_books_once_after_another_account_took_the_wallet_over() {
    for is_in_a_block in [false, true] {
        Connected::each(|kind, mut connected| {
            let PassedOn { shop, transfer, .. } = PassedOn::paid(&mut connected);
            if is_in_a_block {
                connected.chain.include(transfer.clone());
                connected.blocks(1);
            }
            let path = "/v1/accounts/till";
            let first = connected.world.read(&shop, path)["id"].clone();
            let deleted = connected.world.keyed(&shop, "DELETE", path, Value::Null);
            assert_eq!(deleted.status, 200, "{kind}: {}", deleted.body);
            let again = json!({
                "reference": "till", "chain_id": 8453, "currencies": ["USDC"], "address": transfer.to.to_string(),
            });
            connected.world.post(&shop, "/v1/accounts", again);
            if !is_in_a_block {
                connected.chain.include(transfer.clone());
            }
            connected.blocks(3);
            connected.report_wallets(5_000_000);
            assert_eq!(balances(&mut connected, &shop), ["5 USDC"], "{kind}");
            let path = format!("/v1/accounts/{first}/balances");
            let left = connected.world.read(&shop, &path);
            assert_eq!(left[0]["posted"], "0", "{kind}: {left}");
            nothing_differs(&mut connected, kind);
        });
    }
}

#[test]
fn what_a_reorganisation_moves_after_a_wallet_was_taken_over_is_in_the_books_of_its_account() {
    Connected::each(|kind, mut connected| {
        let shop = opened(&mut connected);
        let first = delete(&mut connected, &shop);
        let deposit = connected.chain.transfer(Some(USDC), WALLET, 5_000_000);
        let withdrawal = leave(&mut connected, OTHER_WALLET, 10_000_000);
        connected.blocks(1);
        take_over(&mut connected, &shop);
        // The opening balance has neither.
        connected.reorganise(1);
        connected.blocks(3);
        let block = asked(&mut connected);
        answer(&mut connected, block, 25_000_000);
        connected.chain.include(deposit);
        include(&mut connected, withdrawal, OTHER_WALLET, 10_000_000);
        connected.blocks(3);
        let left = ["0.999 ETH", "20 USDC"];
        assert_eq!(balances(&mut connected, &shop), left, "{kind}");
        let path = format!("/v1/accounts/{first}/balances");
        let of_deleted = connected.world.read(&shop, &path);
        let of_deleted = of_deleted.as_array().expect("balances").iter();
        let of_deleted: Vec<String> = of_deleted.map(|held| text(held, "posted")).collect();
        assert_eq!(of_deleted, ["0", "0"], "{kind}");
        assert_eq!(connected.failures, Vec::<String>::new(), "{kind}");
        nothing_differs(&mut connected, kind);
    });
}

/// Deletes the account of a wallet, and returns its id.
fn delete(connected: &mut Connected, shop: &Shop) -> Value {
    let path = "/v1/accounts/till";
    let id = connected.world.read(shop, path)["id"].clone();
    let deleted = connected.world.keyed(shop, "DELETE", path, Value::Null);
    assert_eq!(deleted.status, 200, "{}", deleted.body);
    id
}

/// Creates another account of the wallet.
fn take_over(connected: &mut Connected, shop: &Shop) {
    let body = json!({
        "reference": "till", "chain_id": 8453, "currencies": ["USDC"], "address": WALLET.to_string(),
    });
    connected.world.post(shop, "/v1/accounts", body);
}

/// When a reorganisation takes away booked transfers of a deleted account whose wallet another account has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reorganised {
    BeforeTakeOver,
    BeforeOpening,
    AfterOpening,
}

#[test]
fn booked_transfers_that_come_back_after_their_wallet_was_taken_over_are_in_its_books_once() {
    for reorganised in [
        Reorganised::BeforeTakeOver,
        Reorganised::BeforeOpening,
        Reorganised::AfterOpening,
    ] {
        Connected::each(|kind, mut connected| {
            let of = format!("{kind}, {reorganised:?}");
            let shop = opened(&mut connected);
            let deposit = connected.chain.transfer(Some(USDC), WALLET, 5_000_000);
            let withdrawal = leave(&mut connected, OTHER_WALLET, 10_000_000);
            connected.blocks(3);
            assert_eq!(
                balances(&mut connected, &shop),
                ["0.999 ETH", "20 USDC"],
                "{of}"
            );
            let first = delete(&mut connected, &shop);
            let reorganise = |connected: &mut Connected| {
                connected.reorganise(3);
                assert_eq!(
                    connected.failures.len(),
                    3,
                    "{of}: {:?}",
                    connected.failures
                );
            };
            if reorganised == Reorganised::BeforeTakeOver {
                reorganise(&mut connected);
            }
            take_over(&mut connected, &shop);
            if reorganised == Reorganised::BeforeOpening {
                reorganise(&mut connected);
            }
            connected.blocks(4);
            let block = asked(&mut connected);
            if reorganised == Reorganised::AfterOpening {
                connected.report_balances(&Balances {
                    wallet: WALLET,
                    block,
                    units: vec![
                        (None, U256::from(ETHER - 1_000_000_000_000_000)),
                        (Some(USDC), U256::from(20_000_000)),
                    ],
                });
                connected.reorganise(7);
                assert_eq!(connected.differences().len(), 2, "{of}");
            } else {
                answer(&mut connected, block, 25_000_000);
                assert_eq!(
                    balances(&mut connected, &shop),
                    ["1 ETH", "25 USDC"],
                    "{of}"
                );
                nothing_differs(&mut connected, &of);
            }
            connected.chain.include(deposit);
            include(&mut connected, withdrawal, OTHER_WALLET, 10_000_000);
            connected.blocks(3);
            assert_eq!(
                balances(&mut connected, &shop),
                ["0.999 ETH", "20 USDC"],
                "{of}"
            );
            let path = format!("/v1/accounts/{first}/balances");
            let left = connected.world.read(&shop, &path);
            let left = left.as_array().expect("balances").iter();
            let left: Vec<String> = left.map(|held| text(held, "posted")).collect();
            assert_eq!(left, ["0", "0"], "{of}");
            nothing_differs(&mut connected, &of);
        });
    }
}

#[test]
fn a_reorganisation_takes_what_a_proxy_passed_on_from_others_until_it_is_back() {
    Connected::each(|kind, mut connected| {
        let passed_on = PassedOn::paid(&mut connected);
        connected.chain.include(passed_on.transfer.clone());
        connected.blocks(2);
        let seen = ["IN 5 USDC Deposit Processing"];
        assert_eq!(movements(&mut connected, &passed_on.other), seen, "{kind}");
        connected.reorganise(2);
        connected.blocks(3);
        // Without its block it gets no confirmations.
        assert_eq!(movements(&mut connected, &passed_on.shop), PAID, "{kind}");
        assert_eq!(movements(&mut connected, &passed_on.other), seen, "{kind}");
        let other = balances(&mut connected, &passed_on.other);
        assert_eq!(other, ["0 USDC"], "{kind}");
        nothing_differs(&mut connected, kind);
        connected.chain.include(passed_on.transfer.clone());
        connected.blocks(3);
        for shop in passed_on.shops() {
            assert_eq!(movements(&mut connected, shop), PAID, "{kind}");
            assert_eq!(balances(&mut connected, shop), ["5 USDC"], "{kind}");
        }
        nothing_differs(&mut connected, kind);
        // Confirmed, it is an alarm and no silent change.
        connected.reorganise(3);
        assert_eq!(
            connected.failures.len(),
            1,
            "{kind}: {:?}",
            connected.failures
        );
        let failure = &connected.failures[0];
        assert!(failure.contains("which was confirmed"), "{kind}: {failure}");
        for shop in passed_on.shops() {
            assert_eq!(balances(&mut connected, shop), ["5 USDC"], "{kind}");
        }
    });
}

#[test]
fn an_address_of_the_service_is_no_wallet_of_a_merchant() {
    Connected::each(|kind, mut connected| {
        let shop = connected.world.shop("Shop", None);
        let till = connected.world.account(&shop, "held", 8453, &["USDC"]);
        let till = connected.world.read(&shop, &format!("/v1/accounts/{till}"));
        for address in [
            connected.wallet.to_string(),
            USDC.to_string(),
            text(&till, "address"),
        ] {
            let body = json!({
                "chain_id": 8453, "currencies": ["USDC"], "address": address,
            });
            let rival = connected.world.shop("Rival", None);
            let refused = connected.world.keyed(&rival, "POST", "/v1/accounts", body);
            assert_eq!(
                refused.refusal(),
                "422 NOT_SUPPORTED address",
                "{kind}: {address}"
            );
        }
    });
}

fn pay_out(connected: &mut Connected, shop: &Shop, amount: &str) -> Value {
    let body = json!({
        "account": "till", "amount": amount, "currency": "USDC", "chain_id": 8453, "address": OTHER_WALLET,
    });
    let made = connected
        .world
        .signed(shop, None, "POST", "/v1/payouts", body);
    assert_eq!(made.status, 201, "{}", made.body);
    connected.world.work();
    made.data().clone()
}

fn show(connected: &mut Connected, shop: &Shop, payout: &Value) -> Value {
    let path = format!("/v1/payments/{}", text(payout, "id"));
    connected.world.read(shop, &path)
}

#[test]
fn a_payout_from_an_own_wallet_is_prepared_and_recognised_when_it_is_mined() {
    Connected::each(|kind, mut connected| {
        let shop = opened(&mut connected);
        let payout = pay_out(&mut connected, &shop, "10");
        assert_eq!(payout["status"], "Pending", "{kind}");
        assert_eq!(payout["next_action"], "SignTransaction", "{kind}");
        let to = OTHER_WALLET.parse::<Address>().expect("an address");
        let call = format!(
            "0xa9059cbb{}{:064x}",
            hex::encode(to.into_word()),
            10_000_000
        );
        let prepared = json!({
            "chain_id": 8453,
            "from": WALLET.to_string(),
            "to": USDC.to_string(),
            "value": "0x0",
            "data": call,
            "link": format!("ethereum:{USDC}@8453/transfer?address={OTHER_WALLET}&uint256=10000000"),
        });
        assert_eq!(payout["prepared_transaction"], prepared, "{kind}");
        // Nothing is queued, reserved or booked.
        assert_eq!(connected.requests(), [], "{kind}");
        assert_eq!(movements(&mut connected, &shop).len(), 2, "{kind}");
        // Another amount is another transfer.
        leave(&mut connected, OTHER_WALLET, 9_999_999);
        connected.blocks(1);
        assert_eq!(
            show(&mut connected, &shop, &payout)["status"],
            "Pending",
            "{kind}"
        );
        let hash = leave(&mut connected, OTHER_WALLET, 10_000_000);
        connected.blocks(1);
        let shown = show(&mut connected, &shop, &payout);
        assert_eq!(shown["status"], "Processing", "{kind}");
        assert_eq!(shown["prepared_transaction"], Value::Null, "{kind}");
        let transaction = &shown["settlement_transaction"];
        assert_eq!(
            transaction["transaction_hash"],
            format!("{hash:#x}"),
            "{kind}"
        );
        connected.blocks(2);
        let shown = show(&mut connected, &shop, &payout);
        assert_eq!(shown["status"], "Confirmed", "{kind}");
        assert_eq!(shown["paid_amount"], "10", "{kind}");
        let list = connected
            .world
            .read(&shop, "/v1/accounts/till/movement?sort=asc");
        assert_eq!(list["items"][4]["entity_id"], payout["id"], "{kind}");
        nothing_differs(&mut connected, kind);
    });
}

#[test]
fn two_equal_prepared_payouts_are_two_transfers() {
    Connected::each(|kind, mut connected| {
        let shop = opened(&mut connected);
        let first = pay_out(&mut connected, &shop, "10");
        let second = pay_out(&mut connected, &shop, "10");
        leave(&mut connected, OTHER_WALLET, 10_000_000);
        connected.blocks(1);
        assert_eq!(
            show(&mut connected, &shop, &first)["status"],
            "Processing",
            "{kind}"
        );
        assert_eq!(
            show(&mut connected, &shop, &second)["status"],
            "Pending",
            "{kind}"
        );
        leave(&mut connected, OTHER_WALLET, 10_000_000);
        connected.blocks(3);
        for payout in [&first, &second] {
            assert_eq!(
                show(&mut connected, &shop, payout)["status"],
                "Confirmed",
                "{kind}"
            );
        }
        nothing_differs(&mut connected, kind);
    });
}

#[test]
fn a_transfer_older_than_a_payout_does_not_pay_it_however_late_its_block_is_read() {
    Connected::each(|kind, mut connected| {
        let shop = opened(&mut connected);
        leave(&mut connected, OTHER_WALLET, 10_000_000);
        let unread = connected.mined_now();
        connected.world.pass(Duration::from_secs(60 * 60));
        let payout = pay_out(&mut connected, &shop, "10");
        assert_eq!(connected.observe(&unread), Observed::Recorded, "{kind}");
        connected.blocks(2);
        let shown = show(&mut connected, &shop, &payout);
        assert_eq!(shown["status"], "Pending", "{kind}");
        let withdrawn = [
            "OUT 10 USDC Withdraw Confirmed",
            "OUT 0.001 ETH NetworkFee Confirmed",
        ];
        assert_eq!(movements(&mut connected, &shop)[2..], withdrawn, "{kind}");
        let hash = leave(&mut connected, OTHER_WALLET, 10_000_000);
        connected.blocks(3);
        let shown = show(&mut connected, &shop, &payout);
        assert_eq!(shown["status"], "Confirmed", "{kind}");
        let transaction = &shown["settlement_transaction"]["transaction_hash"];
        assert_eq!(*transaction, format!("{hash:#x}"), "{kind}");
        assert_eq!(
            balances(&mut connected, &shop),
            ["0.998 ETH", "5 USDC"],
            "{kind}"
        );
        nothing_differs(&mut connected, kind);
    });
}

#[test]
fn a_payout_that_is_signed_at_once_is_recognised_on_a_chain_whose_clock_is_behind() {
    Connected::each(|kind, mut connected| {
        let shop = opened(&mut connected);
        let payout = pay_out(&mut connected, &shop, "10");
        leave(&mut connected, OTHER_WALLET, 10_000_000);
        connected.chain.now = connected.world.now.minus(Duration::from_secs(4 * 60));
        let block = connected.chain.block();
        assert_eq!(connected.observe(&block), Observed::Recorded, "{kind}");
        connected.blocks(2);
        let shown = show(&mut connected, &shop, &payout);
        assert_eq!(shown["status"], "Confirmed", "{kind}");
        nothing_differs(&mut connected, kind);
    });
}

#[test]
fn a_payout_is_recognised_on_a_chain_whose_clock_was_never_right() {
    const BEHIND: Duration = Duration::from_secs(24 * 60 * 60);
    Connected::each(|kind, mut connected| {
        let next = |connected: &mut Connected| {
            connected.chain.now = connected.world.now.minus(BEHIND);
            connected.chain.block()
        };
        let mine = |connected: &mut Connected| {
            let block = next(connected);
            assert_eq!(connected.observe(&block), Observed::Recorded, "{kind}");
        };
        let shop = watch(&mut connected, "Shop");
        for _ in 0..3 {
            mine(&mut connected);
        }
        // A time in the future is no correction.
        connected.chain.now = connected.world.now.plus(BEHIND);
        let future = connected.chain.block();
        assert_eq!(connected.observe(&future), Observed::Recorded, "{kind}");
        let block = asked(&mut connected);
        answer(&mut connected, block, 25_000_000);
        leave(&mut connected, OTHER_WALLET, 10_000_000);
        let unread = next(&mut connected);
        connected.world.pass(Duration::from_secs(60 * 60));
        let payout = pay_out(&mut connected, &shop, "10");
        assert_eq!(connected.observe(&unread), Observed::Recorded, "{kind}");
        let shown = show(&mut connected, &shop, &payout);
        assert_eq!(shown["status"], "Pending", "{kind}");
        leave(&mut connected, OTHER_WALLET, 10_000_000);
        for _ in 0..3 {
            mine(&mut connected);
        }
        let shown = show(&mut connected, &shop, &payout);
        assert_eq!(shown["status"], "Confirmed", "{kind}");
        nothing_differs(&mut connected, kind);
    });
}

#[test]
fn a_payout_is_recognised_after_the_clock_of_the_service_was_ahead() {
    Connected::each(|kind, mut connected| {
        let shop = opened(&mut connected);
        let now = connected.world.now;
        connected.world.pass(Duration::from_secs(60 * 60));
        pay_out(&mut connected, &shop, "3");
        connected.world.now = now;
        // No payout is older than one before it.
        let payout = pay_out(&mut connected, &shop, "10");
        leave(&mut connected, OTHER_WALLET, 10_000_000);
        connected.blocks(3);
        let shown = show(&mut connected, &shop, &payout);
        assert_eq!(shown["status"], "Confirmed", "{kind}");
        nothing_differs(&mut connected, kind);
    });
}

#[test]
fn a_prepared_payout_can_be_canceled_until_it_is_mined() {
    Connected::each(|kind, mut connected| {
        let shop = opened(&mut connected);
        let cancel = |connected: &mut Connected, payout: &Value| {
            let path = format!("/v1/payments/{}", text(payout, "id"));
            connected.world.keyed(&shop, "DELETE", &path, Value::Null)
        };
        let payout = pay_out(&mut connected, &shop, "10");
        assert_eq!(cancel(&mut connected, &payout).status, 200, "{kind}");
        let shown = show(&mut connected, &shop, &payout);
        assert_eq!(shown["status"], "Canceled", "{kind}");
        assert_eq!(shown["prepared_transaction"], Value::Null, "{kind}");
        assert_eq!(
            cancel(&mut connected, &payout).refusal(),
            "409 NOT_CANCELLABLE",
            "{kind}"
        );
        let mined = pay_out(&mut connected, &shop, "10");
        leave(&mut connected, OTHER_WALLET, 10_000_000);
        connected.blocks(1);
        assert_eq!(
            cancel(&mut connected, &mined).refusal(),
            "409 NOT_CANCELLABLE",
            "{kind}"
        );
        connected.blocks(2);
        let left = movements(&mut connected, &shop);
        assert_eq!(left.len(), 4, "{kind}: {left:?}");
        nothing_differs(&mut connected, kind);
    });
}

#[test]
fn a_prepared_payout_whose_transaction_is_lost_has_failed() {
    Connected::each(|kind, mut connected| {
        let shop = opened(&mut connected);
        let payout = pay_out(&mut connected, &shop, "10");
        leave(&mut connected, OTHER_WALLET, 10_000_000);
        connected.blocks(1);
        connected.reorganise(1);
        assert_eq!(
            show(&mut connected, &shop, &payout)["status"],
            "Processing",
            "{kind}"
        );
        connected.world.pass(Duration::from_secs(25 * 60 * 60));
        connected.blocks(1);
        assert_eq!(
            show(&mut connected, &shop, &payout)["status"],
            "Failed",
            "{kind}"
        );
        assert_eq!(
            balances(&mut connected, &shop),
            ["1 ETH", "25 USDC"],
            "{kind}"
        );
        nothing_differs(&mut connected, kind);
    });
}

#[test]
fn a_prepared_payout_goes_on_with_the_transaction_that_replaces_a_lost_one() {
    Connected::each(|kind, mut connected| {
        let shop = opened(&mut connected);
        let payout = pay_out(&mut connected, &shop, "10");
        leave(&mut connected, OTHER_WALLET, 10_000_000);
        connected.blocks(1);
        connected.reorganise(1);
        let replacement = leave(&mut connected, OTHER_WALLET, 10_000_000);
        connected.blocks(3);
        let shown = show(&mut connected, &shop, &payout);
        assert_eq!(shown["status"], "Confirmed", "{kind}");
        let transaction = &shown["settlement_transaction"]["transaction_hash"];
        assert_eq!(*transaction, format!("{replacement:#x}"), "{kind}");
        // The end of the lost one changes nothing.
        connected.world.pass(Duration::from_secs(25 * 60 * 60));
        connected.blocks(1);
        let shown = show(&mut connected, &shop, &payout);
        assert_eq!(shown["status"], "Confirmed", "{kind}");
        nothing_differs(&mut connected, kind);
    });
}

#[test]
fn more_than_lies_in_an_own_wallet_is_not_prepared() {
    Connected::each(|kind, mut connected| {
        let shop = opened(&mut connected);
        let body = json!({
            "account": "till", "amount": "25.000001", "currency": "USDC", "chain_id": 8453, "address": OTHER_WALLET,
        });
        let refused = connected
            .world
            .signed(&shop, None, "POST", "/v1/payouts", body);
        assert_eq!(refused.refusal(), "422 INSUFFICIENT_FUNDS amount", "{kind}");
    });
}

#[test]
fn a_transfer_from_a_stranger_leaves_no_wallet() {
    Connected::each(|kind, mut connected| {
        let shop = opened(&mut connected);
        let hash = connected.chain.hash();
        connected.chain.mine(Mined {
            hash,
            from: PAYER,
            nonce: 7,
            succeeded: false,
            fee: U256::from(ETHER),
        });
        connected.blocks(3);
        assert_eq!(movements(&mut connected, &shop).len(), 2, "{kind}");
        // What the network took for a transaction that failed is gone all the same.
        connected.chain.mine(Mined {
            hash,
            from: WALLET,
            nonce: 8,
            succeeded: false,
            fee: U256::from(ETHER),
        });
        connected.blocks(3);
        assert_eq!(
            movements(&mut connected, &shop)[2..],
            ["OUT 1 ETH NetworkFee Confirmed"],
            "{kind}"
        );
        nothing_differs(&mut connected, kind);
    });
}

#[test]
fn a_crash_between_the_nodes_answer_and_its_report_asks_again_and_counts_once() {
    Connected::each(|kind, mut connected| {
        let shop = watch(&mut connected, "Shop");
        connected.blocks(3);
        let before = asked(&mut connected);
        // The server died with the answer. Another one asks again after a while, at a later block.
        connected.blocks(1);
        assert_eq!(connected.requests(), [], "{kind}");
        connected.world.pass(Duration::from_secs(16));
        let after = asked(&mut connected);
        assert_eq!(after.number, before.number + 1, "{kind}");
        answer(&mut connected, after, 25_000_000);
        // The first one was only slow.
        answer(&mut connected, before, 25_000_000);
        assert_eq!(
            balances(&mut connected, &shop),
            ["1 ETH", "25 USDC"],
            "{kind}"
        );
        assert_eq!(movements(&mut connected, &shop).len(), 2, "{kind}");
        nothing_differs(&mut connected, kind);
    });
}
