//! Derived addresses, on a chain without the factory of proxy wallets: paid, swept by their own keys with the operator's gas money,
//! and the same to the last unit in the books.

use std::collections::BTreeMap;
use std::time::Duration;

use alloy_consensus::TxEip1559;
use alloy_consensus::transaction::RlpEcdsaDecodableTx;
use alloy_primitives::{Address, B256, U256, address};
use serde_json::json;
use settlekit_service::block::{Mined, Transfer};
use settlekit_service::operator::{NewKey, OperatorError};
use settlekit_service::outgoing::{Broadcast, Estimate, NodeRequest};
use settlekit_service::{Database, TransferIndex};
use settlekit_tests::chain::{Connected, GAS_MONEY, PAYER, USDC};
use settlekit_tests::database;
use settlekit_tests::hot_wallet::FEE;
use settlekit_tests::world::OTHER_WALLET;

use crate::account;

use super::deposits::{movements, payment, posted, show, till};
use super::sending::status;

/// The first derived address of the words, as other wallets derive it from m/44'/60'/1'/0/0.
const FIRST: Address = address!("8C8d35429F74ec245F8Ef2f4Fd1e551cFF97d650");

const ETHER: u64 = 1_000_000_000_000_000_000;

/// What lies where, by the transactions that a node executed.
#[derive(Default)]
struct Ledger(BTreeMap<(Address, Option<Address>), i128>);

/// What a node did with the transactions of the service: sender and receiver of each transfer, with its units.
type Sent = Vec<(Address, Address, u128)>;

/// A transaction that a node has executed.
#[derive(Clone)]
struct Done {
    transfer: Transfer,
    mined: Mined,
}

/// A chain without the factory, and the node that executes what the service sends.
struct Derived {
    connected: Connected,
    ledger: Ledger,
    senders: BTreeMap<i64, Address>,
    done: Vec<Done>,
}

impl Derived {
    fn each(test: impl Fn(&str, Self)) {
        Connected::each(|kind, connected| test(kind, Self::over(connected)));
    }

    fn live(database: Box<dyn Database>) -> Self {
        Self::over(Connected::live(database))
    }

    fn over(mut connected: Connected) -> Self {
        connected.has_factory = false;
        connected.connect();
        let mut ledger = Ledger::default();
        ledger.add(connected.wallet, None, i128::from(GAS_MONEY));
        Self {
            connected,
            ledger,
            senders: BTreeMap::new(),
            done: Vec::new(),
        }
    }

    /// Somebody pays an address, in the next block.
    fn pay(&mut self, token: Option<Address>, to: Address, units: u64) {
        self.connected.chain.transfer(token, to, units);
        self.ledger.add(to, token, i128::from(units));
    }

    /// An hour passes, after which money is swept.
    fn let_an_hour_pass(&mut self) {
        self.connected.world.pass(Duration::from_secs(3601));
    }

    /// Answers what is due as an honest node does; what it takes is in the next block.
    fn answer(&mut self) -> Sent {
        let mut sent = Vec::new();
        for request in self.connected.requests() {
            match request {
                NodeRequest::Estimate { id, from, data, .. } => {
                    self.senders.insert(id, from);
                    let gas = if data.is_empty() { 21_000 } else { 50_000 };
                    let estimate = Estimate::Succeeds {
                        gas,
                        priority_fee: 2_000_000,
                    };
                    self.connected.estimate(id, &estimate);
                }
                NodeRequest::Broadcast { id, hash, signed } => {
                    self.connected.broadcast((id, hash), Broadcast::Accepted);
                    let from = self.senders[&id];
                    let done = execution(from, hash, &signed);
                    let Transfer { to, units, .. } = done.transfer;
                    sent.push((from, to, units.to()));
                    self.include(&done);
                    self.ledger.execute(&done);
                    self.done.push(done);
                }
                other => panic!("not asked for: {other:?}"),
            }
        }
        sent
    }

    /// Puts a transaction into the next block.
    fn include(&mut self, done: &Done) {
        self.connected.chain.mine(done.mined.clone());
        if !done.transfer.units.is_zero() {
            self.connected.chain.include(done.transfer.clone());
        }
    }

    /// Answers until nothing is due, with blocks and time between; returns what was sent.
    fn settle(&mut self) -> Sent {
        let mut sent = Vec::new();
        for _ in 0..12 {
            sent.extend(self.answer());
            self.connected.blocks(1);
            self.connected.world.pass(Duration::from_secs(16));
        }
        self.connected.blocks(3);
        sent
    }

    /// The books balance, and each address holds what the node says.
    fn check(&mut self, kind: &str) {
        let found = self.connected.differences();
        assert_eq!(found, Vec::<String>::new(), "{kind}");
        let expected = self.connected.expected();
        let mut at = BTreeMap::new();
        for held in &expected[0].holdings {
            let token = held.asset.token_address.as_deref();
            let token = token.map(|token| token.parse::<Address>().expect("an address"));
            at.insert((held.address, token), held.units);
        }
        at.retain(|_, units| *units != 0);
        let mut ledger = self.ledger.0.clone();
        ledger.retain(|(address, _), units| *units != 0 && *address != PAYER);
        // Of others only what the service follows.
        ledger.retain(|place, _| at.contains_key(place) || place.0 == self.connected.wallet);
        assert_eq!(at, ledger, "{kind}");
    }

    fn held(&self, address: Address, token: Option<Address>) -> i128 {
        self.ledger.0.get(&(address, token)).copied().unwrap_or(0)
    }

    /// The money that is not swept: addresses and units.
    fn unswept(&mut self) -> Vec<(String, usize, i128)> {
        let now = self.connected.world.now;
        let (service, database) = self.connected.world.parts();
        let found = service.sweep_proxies(database, None, now).expect("sums");
        let sums = found[0].sums.iter();
        sums.map(|(asset, count, units)| (asset.symbol.to_string(), *count, *units))
            .collect()
    }
}

impl Ledger {
    fn add(&mut self, address: Address, token: Option<Address>, units: i128) {
        *self.0.entry((address, token)).or_default() += units;
    }

    fn execute(&mut self, done: &Done) {
        let Transfer {
            from,
            to,
            token,
            units,
            ..
        } = done.transfer;
        self.add(from, token, -units.to::<i128>());
        self.add(to, token, units.to::<i128>());
        self.add(from, None, -i128::from(FEE));
        assert!(self.0[&(from, None)] >= 0, "{from} cannot pay");
        assert!(self.0[&(from, token)] >= 0, "{from} has less");
    }
}

fn execution(from: Address, hash: B256, mut signed: &[u8]) -> Done {
    let decoded = TxEip1559::eip2718_decode(&mut signed).expect("a transaction");
    let transaction = decoded.tx();
    let called = transaction.to.to().copied().expect("a receiver");
    let (index, token, to, units) = match transaction.input.as_ref() {
        [] => (TransferIndex::Value, None, called, transaction.value),
        data => (
            TransferIndex::Log(0),
            Some(called),
            Address::from_slice(&data[16..36]),
            U256::from_be_slice(&data[36..]),
        ),
    };
    Done {
        transfer: Transfer {
            hash,
            index,
            token,
            from,
            to,
            units,
        },
        mined: Mined {
            hash,
            from,
            nonce: transaction.nonce,
            succeeded: true,
            fee: U256::from(FEE),
        },
    }
}

#[test]
fn a_token_is_swept_by_the_key_of_its_address_with_gas_money_of_the_operators() {
    Derived::each(|kind, mut derived| {
        let (shop, address) = till(&mut derived.connected);
        assert_eq!(address, FIRST, "{kind}");
        derived.pay(Some(USDC), address, 10_000_000);
        derived.connected.blocks(3);
        derived.check(kind);
        assert_eq!(derived.answer(), [], "{kind}: it waits for an hour");
        derived.let_an_hour_pass();
        let wallet = derived.connected.wallet;
        let sent = derived.settle();
        let [(hot, to, gas), sweep] = sent.as_slice() else {
            panic!("{kind}: {sent:?}");
        };
        assert_eq!((*hot, *to), (wallet, address), "{kind}");
        assert!(*gas > u128::from(FEE) && *gas < u128::from(10 * FEE));
        assert_eq!(*sweep, (address, wallet, 10_000_000), "{kind}");
        // The gas money is no deposit.
        let expected = ["10 USDC Confirmed"];
        assert_eq!(movements(&mut derived.connected, &shop), expected, "{kind}");
        derived.check(kind);
        // What is left of it is the operator's, and pays for the next sweep.
        let left = derived.held(address, None);
        assert!(left > 0, "{kind}");
        assert_eq!(derived.unswept(), [("ETH".to_owned(), 1, left)], "{kind}");
        derived.let_an_hour_pass();
        assert_eq!(derived.settle(), [], "{kind}");
        assert_eq!(derived.connected.failures, Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn coins_are_swept_less_the_gas_which_the_operator_bears() {
    Derived::each(|kind, mut derived| {
        let (shop, address) = till(&mut derived.connected);
        derived.pay(None, address, ETHER);
        derived.connected.blocks(3);
        derived.let_an_hour_pass();
        let wallet = derived.connected.wallet;
        let sent = derived.settle();
        let [(from, to, units)] = sent.as_slice() else {
            panic!("{kind}: {sent:?}");
        };
        assert_eq!((*from, *to), (address, wallet), "{kind}");
        let kept = u128::from(ETHER) - units;
        assert!(kept > u128::from(FEE) && kept < u128::from(10 * FEE));
        derived.check(kind);
        assert_eq!(posted(&mut derived.connected, &shop, "ETH"), "1", "{kind}");
        // The whole deposit can be paid out.
        let body = json!({
            "account": "till", "amount": "1", "currency": "ETH", "chain_id": 8453, "address": OTHER_WALLET,
        });
        let world = &mut derived.connected.world;
        let made = world.signed(&shop, None, "POST", "/v1/payouts", body);
        assert_eq!(made.status, 201, "{kind}: {}", made.body);
        world.work();
        let sent = derived.settle();
        assert_eq!(sent[0].2, u128::from(ETHER), "{kind}");
        let payout = made.id();
        let shown = status(&mut derived.connected, &shop, &payout);
        assert_eq!(shown, "Confirmed", "{kind}");
        derived.check(kind);
    });
}

#[test]
fn two_deposits_to_one_address_are_swept_together_and_a_third_with_what_is_left_of_the_gas_money() {
    Derived::each(|kind, mut derived| {
        let (_, address) = till(&mut derived.connected);
        let wallet = derived.connected.wallet;
        derived.pay(Some(USDC), address, 2_000_000);
        derived.connected.blocks(1);
        derived.pay(Some(USDC), address, 3_000_000);
        derived.connected.blocks(3);
        derived.let_an_hour_pass();
        let sent = derived.settle();
        assert_eq!(sent.len(), 2, "{kind}: {sent:?}");
        assert_eq!(sent[1], (address, wallet, 5_000_000), "{kind}");
        derived.pay(Some(USDC), address, 4_000_000);
        derived.connected.blocks(3);
        derived.let_an_hour_pass();
        let sent = derived.settle();
        let last = sent.last();
        assert_eq!(last, Some(&(address, wallet, 4_000_000)), "{kind}");
        // Only what is missing is sent.
        assert!(sent.len() == 1 || sent[0].2 < u128::from(5 * FEE), "{kind}");
        derived.check(kind);
    });
}

#[test]
fn coins_and_tokens_at_one_address_are_both_swept() {
    Derived::each(|kind, mut derived| {
        let (shop, address) = till(&mut derived.connected);
        derived.pay(None, address, ETHER);
        derived.pay(Some(USDC), address, 7_000_000);
        derived.connected.blocks(3);
        derived.let_an_hour_pass();
        let sent = derived.settle();
        let from: Vec<Address> = sent.iter().map(|one| one.0).collect();
        let wallet = derived.connected.wallet;
        // The coins go first; what they leave is too little for the token.
        assert_eq!(from, [address, wallet, address], "{kind}: {sent:?}");
        derived.check(kind);
        assert_eq!(posted(&mut derived.connected, &shop, "ETH"), "1", "{kind}");
        assert_eq!(posted(&mut derived.connected, &shop, "USDC"), "7", "{kind}");
    });
}

#[test]
fn a_payout_that_waits_for_money_has_it_swept_at_once() {
    Derived::each(|kind, mut derived| {
        let (shop, address) = till(&mut derived.connected);
        derived.pay(Some(USDC), address, 10_000_000);
        derived.connected.blocks(3);
        let payout = derived.connected.pay_out(&shop, "4");
        // Gas money, sweep and payout.
        let sent = [derived.settle(), derived.settle()].concat();
        assert_eq!(sent.len(), 3, "{kind}: {sent:?}");
        assert_eq!(sent[2].2, 4_000_000, "{kind}: {sent:?}");
        let shown = status(&mut derived.connected, &shop, &payout);
        assert_eq!(shown, "Confirmed", "{kind}");
        derived.check(kind);
    });
}

#[test]
fn after_a_crash_between_gas_money_and_sweep_the_same_bytes_are_sent_again() {
    Derived::each(|kind, mut derived| {
        let (_, address) = till(&mut derived.connected);
        derived.pay(Some(USDC), address, 10_000_000);
        derived.connected.blocks(3);
        derived.let_an_hour_pass();
        derived.answer();
        derived.answer();
        // Nobody hears of the broadcast of the gas money, twice.
        let again = Duration::from_secs(16);
        let first = derived.connected.requests();
        derived.connected.world.pass(again);
        let second = derived.connected.requests();
        let bytes = |requests: &[NodeRequest]| {
            let broadcasts = requests.iter().filter_map(|request| match request {
                NodeRequest::Broadcast { signed, .. } => Some(signed.clone()),
                _ => None,
            });
            broadcasts.collect::<Vec<_>>()
        };
        assert_eq!(bytes(&first).len(), 1, "{kind}: {first:?}");
        assert_eq!(bytes(&first), bytes(&second), "{kind}");
        derived.connected.world.pass(again);
        derived.answer();
        derived.connected.blocks(3);
        derived.check(kind);
        // The sweep is signed, and its broadcast never answered.
        derived.connected.world.pass(Duration::from_secs(61));
        derived.answer();
        let first = derived.connected.requests();
        derived.connected.world.pass(again);
        let second = derived.connected.requests();
        assert_eq!(bytes(&first).len(), 1, "{kind}: {first:?}");
        assert_eq!(bytes(&first), bytes(&second), "{kind}");
        derived.connected.world.pass(again);
        let wallet = derived.connected.wallet;
        let sent = derived.settle();
        assert_eq!(sent, [(address, wallet, 10_000_000)], "{kind}");
        derived.check(kind);
    });
}

#[test]
fn a_reorganisation_of_gas_money_and_sweep_changes_nothing_in_the_end() {
    Derived::each(|kind, mut derived| {
        let (shop, address) = till(&mut derived.connected);
        derived.pay(Some(USDC), address, 10_000_000);
        derived.connected.blocks(3);
        derived.let_an_hour_pass();
        while derived.done.is_empty() {
            derived.answer();
        }
        // The gas money is in a block, which goes, and in another one.
        derived.connected.blocks(2);
        derived.connected.reorganise(2);
        derived.check_books(kind);
        let gas = derived.done[0].clone();
        derived.connected.blocks(1);
        derived.include(&gas);
        derived.connected.blocks(3);
        derived.check(kind);
        derived.connected.world.pass(Duration::from_secs(61));
        while derived.done.len() < 2 {
            derived.answer();
        }
        // The sweep is settled in one block, and taken away after that.
        derived.connected.blocks(3);
        derived.check(kind);
        derived.connected.reorganise(3);
        let alarms = derived.connected.failures.len();
        assert_eq!(alarms, 1, "{kind}: {:?}", derived.connected.failures);
        derived.check_books(kind);
        let sweep = derived.done[1].clone();
        derived.connected.blocks(1);
        derived.include(&sweep);
        derived.connected.blocks(3);
        derived.check(kind);
        assert_eq!(
            posted(&mut derived.connected, &shop, "USDC"),
            "10",
            "{kind}"
        );
        let expected = ["10 USDC Confirmed"];
        assert_eq!(movements(&mut derived.connected, &shop), expected, "{kind}");
    });
}

impl Derived {
    /// The books balance, whatever is in no block for now.
    fn check_books(&mut self, kind: &str) {
        let found = self.connected.differences();
        assert_eq!(found, Vec::<String>::new(), "{kind}");
    }
}

#[test]
fn a_gas_price_that_jumps_after_the_gas_money_is_met_by_more_of_it() {
    Derived::each(|kind, mut derived| {
        let (_, address) = till(&mut derived.connected);
        derived.pay(Some(USDC), address, 10_000_000);
        derived.connected.blocks(3);
        derived.let_an_hour_pass();
        while derived.done.is_empty() {
            derived.answer();
        }
        derived.connected.chain.base_fee *= 5;
        derived.connected.blocks(3);
        derived.connected.world.pass(Duration::from_secs(61));
        let wallet = derived.connected.wallet;
        let sent = derived.settle();
        let [(_, to, more), sweep] = sent.as_slice() else {
            panic!("{kind}: {sent:?}");
        };
        assert_eq!(*to, address, "{kind}");
        assert!(*more > derived.done[0].transfer.units.to(), "{kind}");
        assert_eq!(*sweep, (address, wallet, 10_000_000), "{kind}");
        derived.check(kind);
    });
}

#[test]
fn a_sweep_that_no_block_takes_is_replaced_once_gas_money_for_the_higher_fee_is_there() {
    Derived::each(|kind, mut derived| {
        let (_, address) = till(&mut derived.connected);
        derived.pay(None, address, ETHER / 100);
        derived.connected.blocks(3);
        derived.let_an_hour_pass();
        derived.answer();
        // Taken by a node, and in no block.
        let requests = derived.connected.requests();
        let [NodeRequest::Broadcast { id, hash, .. }] = requests.as_slice() else {
            panic!("{kind}: {requests:?}");
        };
        derived
            .connected
            .broadcast((*id, *hash), Broadcast::Accepted);
        derived.connected.chain.base_fee *= 8;
        derived.connected.blocks(3);
        derived.connected.world.pass(Duration::from_secs(21));
        // The old bytes again, beside the gas money.
        let requests = derived.connected.requests();
        let [NodeRequest::Broadcast { id, hash, .. }] = requests.as_slice() else {
            panic!("{kind}: {requests:?}");
        };
        derived
            .connected
            .broadcast((*id, *hash), Broadcast::Underpriced);
        let wallet = derived.connected.wallet;
        let sent = derived.settle();
        let from: Vec<Address> = sent.iter().map(|one| one.0).collect();
        assert_eq!(from, [wallet, address], "{kind}: {sent:?}");
        derived.check(kind);
    });
}

#[test]
fn dust_stays_where_it_is_until_an_operator_sweeps_all() {
    Derived::each(|kind, mut derived| {
        let (shop, address) = till(&mut derived.connected);
        derived.pay(Some(USDC), address, 999_999);
        derived.pay(None, address, 5 * FEE);
        derived.connected.blocks(3);
        for _ in 0..3 {
            derived.let_an_hour_pass();
            assert_eq!(derived.settle(), [], "{kind}");
            derived.connected.world.pass(Duration::from_secs(24 * 3600));
        }
        derived.check(kind);
        assert_eq!(posted(&mut derived.connected, &shop, "USDC"), "0.999999");
        let dust = [
            ("ETH".to_owned(), 1, i128::from(5 * FEE)),
            ("USDC".to_owned(), 1, 999_999),
        ];
        assert_eq!(derived.unswept(), dust, "{kind}");
        // Asked for by `unswept`.
        let wallet = derived.connected.wallet;
        let sent = derived.settle();
        assert!(
            sent.contains(&(address, wallet, 999_999)),
            "{kind}: {sent:?}"
        );
        derived.check(kind);
    });
}

#[test]
fn each_payment_has_an_address_of_its_own_and_a_rotated_wallet_never_gives_one_again() {
    Derived::each(|kind, mut derived| {
        let (shop, address) = till(&mut derived.connected);
        let (first, paid) = payment(&mut derived.connected, &shop);
        let (now, seed) = (
            derived.connected.world.now,
            settlekit_service::Seed([9; 32]),
        );
        let (service, database) = derived.connected.world.parts();
        // The next key of the same words.
        let next = service.rotate_wallet(database, NewKey::Index(1), now, seed);
        let next = next.expect("a wallet");
        let (_, other) = payment(&mut derived.connected, &shop);
        let all = [address, paid, other];
        assert!(all[0] != all[1] && all[1] != all[2] && all[0] != all[2]);
        // The old address is swept into the wallet in use, which pays for it.
        derived.ledger.add(next, None, i128::from(ETHER));
        derived.connected.chain.transfer(None, next, ETHER);
        derived.pay(Some(USDC), paid, 5_000_000);
        derived.connected.blocks(3);
        let shown = show(&mut derived.connected, &shop, &first);
        assert_eq!(shown["status"], "Confirmed", "{kind}");
        derived.let_an_hour_pass();
        let sent = derived.settle();
        let ends: Vec<_> = sent.iter().map(|(from, to, _)| (*from, *to)).collect();
        assert_eq!(ends, [(next, paid), (paid, next)], "{kind}");
        derived.check_books(kind);
    });
}

#[test]
fn when_the_factory_is_there_new_addresses_are_proxies_and_the_old_ones_are_still_swept() {
    Derived::each(|kind, mut derived| {
        let (shop, address) = till(&mut derived.connected);
        derived.connected.has_factory = true;
        derived.connected.connect();
        let (_, proxy) = payment(&mut derived.connected, &shop);
        let (service, database) = derived.connected.world.parts();
        let among = service.proxy_destinations(database, &[address, proxy]);
        let wallet = derived.connected.wallet;
        assert_eq!(among.expect("proxies"), [(proxy, wallet)], "{kind}");
        derived.pay(Some(USDC), address, 5_000_000);
        derived.connected.blocks(3);
        derived.let_an_hour_pass();
        let sent = derived.settle();
        assert_eq!(sent[1], (address, wallet, 5_000_000), "{kind}");
        derived.check(kind);
    });
}

#[test]
fn an_unknown_transfer_from_a_derived_address_is_an_alarm_and_the_operators_loss() {
    Derived::each(|kind, mut derived| {
        let (shop, address) = till(&mut derived.connected);
        derived.pay(Some(USDC), address, 5_000_000);
        derived.connected.blocks(3);
        let hash = derived.connected.chain.hash();
        let stolen = Done {
            transfer: Transfer {
                hash,
                index: TransferIndex::Log(0),
                token: Some(USDC),
                from: address,
                to: PAYER,
                units: U256::from(5_000_000),
            },
            mined: Mined {
                hash,
                from: address,
                nonce: 0,
                succeeded: true,
                fee: U256::ZERO,
            },
        };
        derived.include(&stolen);
        derived.ledger.add(address, Some(USDC), -5_000_000);
        derived.connected.blocks(3);
        let said = &derived.connected.failures;
        assert!(
            said.len() == 1 && said[0].contains("did not sign"),
            "{said:?}"
        );
        derived.check(kind);
        assert_eq!(posted(&mut derived.connected, &shop, "USDC"), "5", "{kind}");
        // The nonce is not used again.
        derived.pay(Some(USDC), address, 3_000_000);
        derived.connected.blocks(3);
        derived.let_an_hour_pass();
        derived.settle();
        assert_eq!(
            derived.done.last().expect("a sweep").mined.nonce,
            1,
            "{kind}"
        );
        derived.check(kind);
    });
}

#[test]
fn a_token_on_the_wrong_chain_of_an_address_is_swept_as_the_operators() {
    Derived::each(|kind, mut derived| {
        let (_, address) = till(&mut derived.connected);
        let (_, database) = derived.connected.world.parts();
        let forget = "DELETE FROM addresses WHERE address = ?1";
        let named = format!("{address:#x}");
        database
            .execute(forget, &[(&named).into()])
            .expect("another chain's address");
        derived.pay(Some(USDC), address, 5_000_000);
        derived.connected.blocks(3);
        derived.check(kind);
        derived.let_an_hour_pass();
        derived.settle();
        let wallet = derived.connected.wallet;
        assert_eq!(derived.held(wallet, Some(USDC)), 5_000_000, "{kind}");
        derived.check(kind);
    });
}

#[test]
fn with_an_external_signer_a_chain_without_the_factory_is_refused() {
    let signer = Address::repeat_byte(0x51);
    Connected::each_with_signer(signer, |kind, mut connected| {
        connected.has_factory = false;
        let refused = connected.try_connect();
        let chain = connected.chain.id;
        assert_eq!(refused, Err(OperatorError::NoFactory(chain)), "{kind}");
    });
}

#[test]
fn with_an_external_signer_of_later_new_addresses_are_refused_and_old_ones_are_swept() {
    Derived::each(|kind, mut derived| {
        let (shop, _) = till(&mut derived.connected);
        let (now, seed) = (
            derived.connected.world.now,
            settlekit_service::Seed([9; 32]),
        );
        let (service, database) = derived.connected.world.parts();
        let key = NewKey::Signer {
            address: Address::repeat_byte(0x51),
            url: settlekit_tests::chain::SIGNER,
        };
        service
            .rotate_wallet(database, key, now, seed)
            .expect("a wallet");
        let body =
            json!({ "amount": "5", "currency": "USDC", "chain_id": 8453, "account": "till" });
        let world = &mut derived.connected.world;
        let refused = world.keyed(&shop, "POST", "/v1/payments", body);
        assert!(refused.refusal().contains("NOT_SUPPORTED"), "{kind}");
        assert!(
            refused.body.to_string().contains("external signer"),
            "{kind}"
        );
        derived.check_books(kind);
    });
}

#[test]
fn a_merchants_own_wallet_takes_no_payments_without_the_factory() {
    Derived::each(|kind, mut derived| {
        let world = &mut derived.connected.world;
        let shop = world.shop("Shop", None);
        let wallet = account::wallet();
        let own = account::claim(world, &shop, &wallet.address());
        account::prove_wallet(world, &shop, own, &wallet);
        let body = json!({ "amount": "5", "currency": "USDC", "chain_id": 8453, "account": own.to_string() });
        let refused = world.keyed(&shop, "POST", "/v1/payments", body.clone());
        assert_eq!(refused.refusal(), "422 NOT_SUPPORTED", "{kind}");
        derived.connected.has_factory = true;
        derived.connected.connect();
        let world = &mut derived.connected.world;
        let made = world.keyed(&shop, "POST", "/v1/payments", body);
        assert_eq!(made.status, 201, "{kind}: {}", made.body);
    });
}

#[test]
fn the_same_words_give_the_same_addresses_elsewhere() {
    for _ in 0..2 {
        let mut derived = Derived::live(database::sqlite());
        let (_, address) = till(&mut derived.connected);
        assert_eq!(address, FIRST);
    }
}
