//! Several transfers of one transaction: observed, reorganised and failed independently.

use serde_json::{Value, json};
use settlekit_service::TransferIndex;
use settlekit_service::step::{Command, Reply, WireObservation};
use settlekit_tests::world::{Shop, WALLET, World, text};

const HASH: &str = "0x5eed";

fn deposit(
    to: &str,
    currency: &str,
    transfer: TransferIndex,
    confirmations: u32,
) -> WireObservation {
    WireObservation::Deposit {
        chain: "8453".parse().expect("a chain"),
        hash: HASH.to_owned(),
        transfer,
        from: Some(WALLET.to_owned()),
        to: to.to_owned(),
        currency: currency.parse().expect("a currency"),
        units: "2000000".to_owned(),
        confirmations,
    }
}

fn observe(world: &mut World, observation: WireObservation) {
    assert_eq!(world.call(Command::Observe { observation }), Reply::Done);
}

/// An account on Base, and its address.
fn till(world: &mut World, shop: &Shop) -> String {
    let till = world.account(shop, "till", 8453, &["USDC", "ETH"]);
    let till = world.read(shop, &format!("/v1/accounts/{till}"));
    text(&till, "address")
}

/// The movements of the account, oldest first: currency, amount, status.
fn movements(world: &mut World, shop: &Shop) -> Vec<String> {
    let list = world.read(shop, "/v1/accounts/till/movement?sort=asc");
    let items = list["items"].as_array().expect("movements").iter();
    let text = |item: &Value, name: &str| item[name].as_str().unwrap_or("-").to_owned();
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

#[test]
fn equal_token_transfers_in_one_transaction_are_separate_movements() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let to = till(&mut world, &shop);
        for confirmations in [0, 1, 1, 3, 3] {
            for transfer in [TransferIndex::Log(4), TransferIndex::Log(9)] {
                observe(&mut world, deposit(&to, "USDC", transfer, confirmations));
            }
        }
        let both = ["2 USDC Confirmed", "2 USDC Confirmed"];
        assert_eq!(movements(&mut world, &shop), both, "{kind}");
        let held = world.read(&shop, "/v1/accounts/till/balances");
        let held = held.as_array().expect("balances").iter();
        let usdc = held.clone().find(|held| held["currency"] == "USDC");
        assert_eq!(usdc.expect("the currency")["posted"], "4", "{kind}");
        assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn internal_transfers_are_identified_by_trace_position() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let to = till(&mut world, &shop);
        for transfer in [
            TransferIndex::Value,
            TransferIndex::Trace(1),
            TransferIndex::Trace(2),
            TransferIndex::Trace(2),
        ] {
            observe(&mut world, deposit(&to, "ETH", transfer, 3));
        }
        assert_eq!(movements(&mut world, &shop).len(), 3, "{kind}");
        assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn a_reorganisation_affects_one_transfer_or_the_whole_transaction() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let to = till(&mut world, &shop);
        let transfers = [0, 1, 2].map(TransferIndex::Log);
        for transfer in transfers {
            observe(&mut world, deposit(&to, "USDC", transfer, 2));
        }
        let lost = |transfer| WireObservation::Failed {
            chain: "8453".parse().expect("a chain"),
            hash: HASH.to_owned(),
            transfer,
            to: to.to_uppercase().replace("0X", "0x"),
        };
        observe(&mut world, lost(Some(TransferIndex::Log(1))));
        let expected = ["2 USDC Processing", "2 USDC Failed", "2 USDC Processing"];
        assert_eq!(movements(&mut world, &shop), expected, "{kind}");
        let back = WireObservation::Reorganised {
            chain: "8453".parse().expect("a chain"),
            hash: HASH.to_owned(),
            transfer: Some(TransferIndex::Log(2)),
            to: to.clone(),
        };
        observe(&mut world, back);
        let events = world.read(&shop, "/v1/events?type=CryptoTransaction&limit=1");
        assert_eq!(events["items"][0]["data"]["confirmations"], 1, "{kind}");
        // A repeated observation says nothing about the other transfers.
        observe(&mut world, deposit(&to, "USDC", TransferIndex::Log(0), 3));
        let expected = ["2 USDC Confirmed", "2 USDC Failed", "2 USDC Processing"];
        assert_eq!(movements(&mut world, &shop), expected, "{kind}");
        observe(&mut world, lost(None));
        let expected = ["2 USDC Confirmed", "2 USDC Failed", "2 USDC Failed"];
        assert_eq!(
            movements(&mut world, &shop),
            expected,
            "{kind}: booked movements stay"
        );
        assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn a_different_transfer_at_the_same_index_does_not_confirm_the_old_one() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let to = till(&mut world, &shop);
        observe(&mut world, deposit(&to, "USDC", TransferIndex::Log(0), 1));
        observe(&mut world, deposit(&to, "ETH", TransferIndex::Log(0), 3));
        let mut less = deposit(&to, "USDC", TransferIndex::Log(0), 3);
        if let WireObservation::Deposit { units, .. } = &mut less {
            "1999999".clone_into(units);
        }
        observe(&mut world, less);
        let expected = ["2 USDC Processing"];
        assert_eq!(movements(&mut world, &shop), expected, "{kind}");
        assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn an_observation_without_an_index_is_the_transactions_own_value() {
    let text = json!({ "deposit": { "chain": 8453, "hash": "0x1", "to": "0x2", "currency": "ETH", "units": "1", "confirmations": 1 } });
    let read: WireObservation = serde_json::from_value(text).expect("an observation");
    let WireObservation::Deposit { transfer, .. } = read else {
        panic!("not a deposit");
    };
    assert_eq!(transfer, TransferIndex::Value);
}
