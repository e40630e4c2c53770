//! A run: what happens at random, and what must hold afterwards.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use alloy_consensus::TxEip1559;
use alloy_consensus::transaction::RlpEcdsaDecodableTx;
use alloy_primitives::{Address, B256, U256};
use serde_json::json;
use settlekit_service::Database;
use settlekit_service::block::{Observed, PendingTransfer};
use settlekit_service::opening::Balances;
use settlekit_service::outgoing::{Broadcast, Estimate, NodeRequest};
use settlekit_tests::chain::{CONFIRMATIONS, Connected, GAS_MONEY, PAYER, USDC};
use settlekit_tests::world::{Shop, text};

use super::exchange::{self, EURC};
use super::key::{self, KeyedAccount};
use super::node::{Execution, Node, State, Transaction};
use super::trader::Trader;
use crate::model::random::Dice;

/// The merchant's own wallet.
const WALLET: Address = Address::repeat_byte(0xa1);

/// A payout, with the address that only it pays.
struct Payout {
    id: String,
    to: Address,
    units: u128,
    /// Signed by the merchant's own wallet.
    is_prepared: bool,
}

pub(crate) struct Run {
    pub(super) dice: Dice,
    pub(crate) connected: Connected,
    pub(crate) node: Node,
    pub(crate) shop: Shop,
    /// The account that the service holds.
    pub(crate) till: i64,
    /// Addresses to pay at.
    pub(super) addresses: Vec<Address>,
    payouts: Vec<Payout>,
    /// The payments, which refunds return.
    payments: Vec<String>,
    /// The transactions that no node takes.
    untaken: BTreeSet<i64>,
    /// The senders of the transactions that were estimated, by their id.
    senders: BTreeMap<i64, Address>,
    is_watching: bool,
    /// An alarm said that a failed order left its allowance.
    pub(super) has_kept_allowance: bool,
    /// The settled and the failed orders, at the end.
    pub(super) orders: [usize; 2],
    /// Set on a chain with an exchange.
    pub(super) trader: Option<Trader>,
    /// The merchant's account by extended public key.
    pub(super) keyed: Option<KeyedAccount>,
    /// Its payouts that were paid, at the end: from the address that each was prepared from, and from another one.
    pub(super) key_payouts: [usize; 2],
    /// The latest settled block: forks are not deeper.
    settled: u64,
    pub(super) log: Vec<String>,
}

impl Run {
    /// A run on a chain.
    pub(crate) fn new(seed: u64, kind: Kind, database: Box<dyn Database>) -> Self {
        let mut connected = Connected::live(database);
        connected.has_factory = kind != Kind::Derived;
        let has_exchange = matches!(kind, Kind::Exchange | Kind::Baskets);
        connected.eurc = has_exchange.then_some(EURC);
        connected.connect();
        let mut state = State::default();
        state.set(connected.wallet, None, u128::from(GAS_MONEY));
        state.set(WALLET, None, 1_000_000_000_000_000_000);
        state.set(WALLET, Some(USDC), 50_000_000);
        if kind == Kind::Key {
            key::fill(&mut state);
        }
        exchange::fill(&mut state);
        let mut node = Node::default();
        node.states.insert(connected.chain.head().number, state);
        let (shop, currencies): (Shop, &[&str]) = match kind {
            Kind::Exchange | Kind::Baskets => {
                (connected.world.otc_shop("Shop"), &["USDC", "ETH", "EURC"])
            }
            Kind::Factory | Kind::Derived | Kind::Key => {
                (connected.world.shop("Shop", None), &["USDC", "ETH"])
            }
        };
        let till = connected.world.account(&shop, "till", 8453, currencies);
        let shown = connected.world.read(&shop, &format!("/v1/accounts/{till}"));
        let address: Address = text(&shown, "address").parse().expect("an address");
        let mut run = Self {
            dice: Dice::new(seed),
            addresses: vec![address, connected.wallet, WALLET],
            till,
            node,
            shop,
            payouts: Vec::new(),
            payments: Vec::new(),
            untaken: BTreeSet::new(),
            senders: BTreeMap::new(),
            is_watching: false,
            has_kept_allowance: false,
            orders: [0, 0],
            trader: None,
            keyed: None,
            key_payouts: [0, 0],
            settled: connected.chain.head().number,
            log: Vec::new(),
            connected,
        };
        if has_exchange {
            run.connect_exchange();
        }
        if kind == Kind::Baskets {
            run.sell_baskets();
        }
        if kind == Kind::Key {
            run.open_keyed_account();
        }
        run
    }

    pub(super) fn act(&mut self) {
        let often = match &self.trader {
            Some(trader) if trader.sells_baskets => 40,
            Some(_) => 20,
            None => 0,
        };
        if often > 0 && self.dice.chance(often) {
            return self.trade();
        }
        if self.keyed.is_some() && self.dice.chance(30) {
            return self.act_with_key();
        }
        match self.dice.below(100) {
            0..15 => self.somebody_pays(),
            15..22 => self.own_wallet_pays(),
            22..28 => self.create_payment(),
            28..34 => self.pay_out(),
            34..36 => self.refund(),
            36..40 => self.watch(),
            40..44 => self.show_mempool(),
            44..60 => self.answer(false),
            60..85 => self.mine(),
            85..92 => self.fork(),
            _ => self.let_time_pass(),
        }
    }

    pub(super) fn say(&mut self, what: String) {
        self.log.push(what);
    }

    pub(crate) fn hash(&mut self) -> B256 {
        self.connected.chain.hash()
    }

    fn somebody_pays(&mut self) {
        let to = *self.dice.pick(&self.addresses).expect("an address");
        let (token, units) = match self.dice.chance(75) {
            true => (Some(USDC), 1_000_000 * (1 + self.dice.below(9)) as u128),
            false => (
                None,
                1_000_000_000_000_000 * (1 + self.dice.below(9)) as u128,
            ),
        };
        let hash = self.hash();
        self.say(format!("{hash} pays {units} of {token:?} to {to}"));
        let paid = Transaction::pay(hash, PAYER, token, to, units);
        self.node.mempool.push(paid);
    }

    fn own_wallet_pays(&mut self) {
        let prepared: Vec<(Address, u128)> = (self.payouts.iter())
            .filter(|payout| payout.is_prepared)
            .map(|payout| (payout.to, payout.units))
            .collect();
        let known = prepared.last().copied().filter(|_| self.dice.chance(60));
        let (token, to, units) = match known {
            // Only once: its address is of this payout alone.
            Some((to, units)) if self.node.head().balance(to, Some(USDC)) == 0 => {
                let is_sent = (self.node.mempool.iter())
                    .any(|sent| sent.from == WALLET && sent.data.ends_with(&word(units)));
                if is_sent {
                    return;
                }
                (Some(USDC), to, units)
            }
            _ => {
                let to = *self.dice.pick(&self.addresses).expect("an address");
                let units = 1 + self.dice.below(3_000_000) as u128;
                (Some(USDC).filter(|_| self.dice.chance(80)), to, units)
            }
        };
        let hash = self.hash();
        self.say(format!(
            "{hash} leaves the wallet with {units} of {token:?} to {to}"
        ));
        let sent = Transaction::pay(hash, WALLET, token, to, units);
        self.node.mempool.push(sent);
    }

    fn create_payment(&mut self) {
        let account = match self.is_watching && self.dice.chance(30) {
            true => "own",
            false => "till",
        };
        let body =
            json!({ "amount": "5", "currency": "USDC", "chain_id": 8453, "account": account });
        let made = self
            .connected
            .world
            .keyed(&self.shop, "POST", "/v1/payments", body);
        if account == "own" {
            // Nobody has proven the wallet.
            assert_eq!(made.refusal(), "422 OWNERSHIP_UNPROVEN account");
            return;
        }
        let address = text(made.data(), "deposit_address")
            .parse()
            .expect("an address");
        self.say(format!("payment at {address}"));
        self.addresses.push(address);
        self.payments.push(made.id());
    }

    /// An address that nobody else pays.
    fn new_receiver(&self) -> Address {
        let number = u8::try_from(self.payouts.len()).expect("few payouts");
        Address::with_last_byte(number).create(7)
    }

    /// Refunds a payment or a part of it, to an address of its own.
    fn refund(&mut self) {
        let Some(payment) = self.dice.pick(&self.payments).cloned() else {
            return;
        };
        let to = self.new_receiver();
        let mut body = json!({ "address": to.to_string() });
        if self.dice.chance(60) {
            body["amount"] = json!(format!("{}.5", self.dice.below(4)));
        }
        let path = format!("/v1/payments/{payment}/refunds");
        let world = &mut self.connected.world;
        let made = world.signed(&self.shop, None, "POST", &path, body);
        if made.status != 201 {
            let expected = [
                "400 OUT_OF_RANGE amount",
                "409 STATE_FORBIDS",
                "422 INSUFFICIENT_FUNDS amount",
            ];
            assert!(expected.contains(&made.refusal().as_str()), "{}", made.body);
            return;
        }
        let payout = world.read(&self.shop, "/v1/payouts?limit=1")["items"][0].clone();
        assert_eq!(text(&payout, "parent_id"), payment);
        let id = text(&payout, "id");
        self.say(format!("refund {id} of {payment} to {to}"));
        self.payouts.push(Payout {
            id,
            to,
            units: units(&text(&payout, "amount"), 6),
            is_prepared: false,
        });
        self.connected.world.work();
    }

    fn pay_out(&mut self) {
        let is_prepared = self.is_watching && self.dice.chance(40);
        let account = if is_prepared { "own" } else { "till" };
        let to = self.new_receiver();
        let units = 1_000_000 + self.dice.below(4_000_000) as u128;
        let amount = format!("{}.{:06}", units / 1_000_000, units % 1_000_000);
        let body = json!({
            "account": account, "amount": amount, "currency": "USDC", "chain_id": 8453, "address": to.to_string(),
        });
        let world = &mut self.connected.world;
        let made = world.signed(&self.shop, None, "POST", "/v1/payouts", body);
        if made.status != 201 {
            assert_eq!(made.refusal(), "422 INSUFFICIENT_FUNDS amount");
            return;
        }
        let id = made.id();
        self.say(format!("payout {id} of {units} from {account} to {to}"));
        self.payouts.push(Payout {
            id,
            to,
            units,
            is_prepared,
        });
        self.connected.world.work();
    }

    fn watch(&mut self) {
        if self.is_watching {
            return;
        }
        let body = json!({
            "reference": "own", "chain_id": 8453, "currencies": ["USDC", "ETH"], "address": WALLET.to_string(),
        });
        let made = self
            .connected
            .world
            .keyed(&self.shop, "POST", "/v1/accounts", body);
        assert_eq!(made.status, 201, "{}", made.body);
        self.is_watching = true;
        self.say("the wallet is watched".to_owned());
    }

    /// Answers what the service asks the node for; one that is not honest loses, delays and refuses.
    pub(crate) fn answer(&mut self, is_honest: bool) {
        for request in self.connected.requests() {
            let is_lost = !is_honest && self.dice.chance(15);
            match request {
                NodeRequest::Estimate {
                    id,
                    from,
                    to,
                    value,
                    data,
                } => {
                    let value = value.to::<u128>();
                    let is_new = self.senders.insert(id, from).is_none();
                    // A sweep would be tried again.
                    let is_payout = from == self.connected.wallet && to == USDC;
                    if is_new && is_payout && self.untaken.len() < 2 && self.dice.chance(10) {
                        self.say(format!("no node takes {id}"));
                        self.untaken.insert(id);
                    }
                    let mut trial = self.node.head().clone();
                    trial.seconds = self.seconds();
                    let call = Transaction {
                        hash: B256::ZERO,
                        from,
                        nonce: None,
                        to,
                        value,
                        data,
                    };
                    let estimate = match trial.execute(&call) {
                        None => Estimate::Unaffordable,
                        Some(done) if !done.mined.succeeded => Estimate::Reverts,
                        Some(_) => Estimate::Succeeds {
                            gas: 60_000,
                            priority_fee: 1_000_000,
                        },
                    };
                    if is_lost {
                        continue;
                    }
                    self.say(format!("estimate of {id}: {estimate:?}"));
                    self.connected.estimate(id, &estimate);
                }
                NodeRequest::Broadcast { id, hash, signed } => {
                    let signed = TxEip1559::eip2718_decode(&mut signed.as_slice());
                    let signed = signed.expect("a transaction");
                    let nonce = signed.tx().nonce;
                    let known = self.node.mempool.iter().any(|known| known.hash == hash);
                    // Its filler sends nothing.
                    let is_untaken = self.untaken.contains(&id) && !signed.tx().input.is_empty();
                    // A node can take a transaction and die before it answers.
                    let takes = !is_untaken && (is_honest || self.dice.chance(70));
                    if takes && !known {
                        self.node.mempool.push(Transaction {
                            hash,
                            from: self.senders[&id],
                            nonce: Some(nonce),
                            to: signed.tx().to.to().copied().expect("a receiver"),
                            value: signed.tx().value.to(),
                            data: signed.tx().input.to_vec(),
                        });
                    }
                    let answer = match takes {
                        true => Broadcast::Accepted,
                        false if is_untaken => Broadcast::Refused,
                        false => Broadcast::Failed,
                    };
                    self.say(format!(
                        "broadcast of {id}, nonce {nonce}, {hash}: {answer:?}, lost {is_lost}"
                    ));
                    if !is_lost {
                        self.connected.broadcast((id, hash), answer);
                    }
                }
                sign @ NodeRequest::Sign { .. } => panic!("the wallet has its seed: {sign:?}"),
                NodeRequest::Balances {
                    wallet,
                    block,
                    tokens,
                } => {
                    let state = &self.node.states[&block.number];
                    let units = tokens.into_iter();
                    let units =
                        units.map(|token| (token, U256::from(state.balance(wallet, token))));
                    let balances = Balances {
                        wallet,
                        block,
                        units: units.collect(),
                    };
                    if !is_lost {
                        self.say(format!("{balances:?}"));
                        self.connected.report_balances(&balances);
                    }
                }
            }
        }
    }

    /// A node shows a part of its mempool, and at times transfers that it has invented.
    fn show_mempool(&mut self) {
        let mut shown = Vec::new();
        for transaction in &self.node.mempool {
            if let Some((token, to, units)) = transaction.shown()
                && self.dice.chance(70)
            {
                shown.push(PendingTransfer {
                    hash: transaction.hash,
                    token,
                    from: transaction.from,
                    to,
                    units: U256::from(units),
                });
            }
        }
        if self.dice.chance(30) {
            let hash = self.hash();
            let to = *self.dice.pick(&self.addresses).expect("an address");
            shown.push(PendingTransfer {
                hash,
                token: Some(USDC),
                from: PAYER,
                to,
                units: U256::from(1_000_000_u64),
            });
        }
        self.say(format!("shown in the mempool: {shown:?}"));
        self.connected.show_pending(&shown);
    }

    fn mine(&mut self) {
        let (seconds, dice) = (self.seconds(), &mut self.dice);
        let executions = self.node.mine(seconds, || dice.chance(60));
        self.record(executions);
        self.connected.world.pass(Duration::from_secs(2));
    }

    pub(crate) fn record(&mut self, executions: Vec<Execution>) {
        for execution in executions {
            let mined = execution.mined;
            self.log
                .push(format!("  mined {}: {}", mined.hash, mined.succeeded));
            for transfer in execution.transfers {
                self.connected.chain.include(transfer);
            }
            if mined.from != PAYER {
                self.connected.chain.mine(mined);
            }
        }
        let mut block = self.connected.mined_now();
        // A host reports the transactions of watched wallets only.
        let senders: Vec<Address> = block.sent.iter().map(|mined| mined.from).collect();
        let chain = self.connected.chain.id;
        let (service, database) = self.connected.world.parts();
        let watched = service.watched_among(database, chain, &senders);
        let watched = watched.expect("addresses");
        block.sent.retain(|mined| watched.contains(&mined.from));
        self.log.push(format!("block {}", block.number));
        let settled = block.number + 1 - u64::from(CONFIRMATIONS);
        self.settled = self.settled.max(settled);
        assert_eq!(self.connected.observe(&block), Observed::Recorded);
    }

    /// A reorganisation of blocks that are not settled.
    fn fork(&mut self) {
        let head = self.connected.chain.head().number;
        let most = head.saturating_sub(self.settled) as usize;
        if most == 0 {
            return;
        }
        let depth = 1 + self.dice.below(most);
        self.say(format!("fork of {depth}"));
        for mut dropped in self.node.fork(depth) {
            if dropped.nonce.is_none() {
                if self.dice.chance(15) {
                    continue;
                }
                // A contract may do something else in another block.
                if dropped.from == PAYER && dropped.value > 0 && self.dice.chance(15) {
                    dropped.value += 1;
                }
            }
            self.node.mempool.push(dropped);
        }
        self.connected.reorganise(depth);
    }

    fn let_time_pass(&mut self) {
        // Quotes and orders of baskets end in time more often.
        let sells_baskets = (self.trader.as_ref()).is_some_and(|trader| trader.sells_baskets);
        let seconds = match self.dice.below(5) {
            0 if sells_baskets && self.dice.chance(80) => 20,
            0 => 60 * 60,
            1 => 120,
            _ => 20,
        };
        self.say(format!("{seconds} s pass"));
        self.connected.world.pass(Duration::from_secs(seconds));
        self.connected.world.work();
    }

    /// The time, in Unix seconds.
    pub(crate) fn seconds(&self) -> u64 {
        self.connected.world.now.seconds().unsigned_abs()
    }

    /// The books balance, and what they say of each address is what the chain has at the latest settled block.
    pub(crate) fn check(&mut self) {
        assert_eq!(self.connected.differences(), Vec::<String>::new());
        // Of transactions that no node takes.
        let abandoned = "a transaction of nothing is to use its nonce";
        let not_revoked = "the router may still take what a failed order sold";
        let failures = &mut self.connected.failures;
        failures.retain(|failure| {
            self.has_kept_allowance |= failure.ends_with(not_revoked);
            !failure.ends_with(abandoned) && !failure.ends_with(not_revoked)
        });
        assert_eq!(*failures, Vec::<String>::new());
        for chain in self.connected.expected() {
            let Some(state) = chain.block.and_then(|block| self.node.states.get(&block)) else {
                continue;
            };
            let mut at = BTreeMap::new();
            for held in chain.holdings {
                let token = held.asset.token_address;
                let token: Option<Address> = token.map(|token| token.parse().expect("an address"));
                let found = i128::try_from(state.balance(held.address, token)).expect("small");
                assert_eq!(
                    held.units, found,
                    "{} of {}",
                    held.asset.symbol, held.address
                );
                at.insert((held.address, token), held.units);
            }
            // What the books do not name is empty.
            for address in &self.addresses {
                // What lay in the merchant's own wallets is not known at first.
                let keyed = self.keyed.as_ref();
                if *address == WALLET || keyed.is_some_and(|keyed| keyed.has(*address)) {
                    continue;
                }
                for token in [None, Some(USDC), Some(EURC)] {
                    let units = state.balance(*address, token);
                    let is_known = at.contains_key(&(*address, token));
                    assert!(is_known || units == 0, "{units} of {token:?} at {address}");
                }
            }
        }
    }

    /// Everything ends: each payout is paid once or not at all, and nothing is under way.
    pub(super) fn finish(&mut self) {
        self.say("the end".to_owned());
        self.watch();
        for round in 0..140 {
            self.answer(true);
            let executions = self.node.mine(self.seconds(), || true);
            self.record(executions);
            let seconds = if round % 10 == 9 { 60 * 60 } else { 30 };
            self.connected.world.pass(Duration::from_secs(seconds));
            self.connected.world.work();
            self.check();
        }
        // What a fork lost for good has failed a day later.
        self.node.mempool.clear();
        self.connected.world.pass(Duration::from_secs(25 * 60 * 60));
        for _ in 0..=CONFIRMATIONS {
            let executions = self.node.mine(self.seconds(), || true);
            self.record(executions);
        }
        self.check();
        for payout in &self.payouts {
            let shown = self
                .connected
                .world
                .read(&self.shop, &format!("/v1/payments/{}", payout.id));
            let arrived = self.node.head().balance(payout.to, Some(USDC));
            let expected = match text(&shown, "status").as_str() {
                "Confirmed" => payout.units,
                "Failed" => 0,
                "Pending" if payout.is_prepared => 0,
                status => panic!("payout {} is {status}", payout.id),
            };
            assert_eq!(arrived, expected, "{}", payout.id);
        }
        self.trades_have_ended();
        self.key_payouts_have_ended();
        for payment in &self.payments {
            let path = format!("/v1/payments/{payment}");
            let payment = self.connected.world.read(&self.shop, &path);
            assert_eq!(payment["refunding_amount"], json!(null), "{payment}");
        }
        for account in ["till", "own"] {
            let path = format!("/v1/accounts/{account}/movement?limit=100");
            let list = self.connected.world.read(&self.shop, &path);
            for movement in list["items"].as_array().expect("movements") {
                let status = movement["status"].as_str();
                let is_final =
                    status.is_some_and(|status| status != "Pending" && status != "Processing");
                assert!(is_final, "{movement}");
            }
        }
        let held = self
            .connected
            .world
            .read(&self.shop, "/v1/accounts/own/balances");
        for (currency, token, scale) in [("USDC", Some(USDC), 6), ("ETH", None, 18)] {
            let held = held.as_array().expect("balances").iter();
            let posted = held
                .filter(|held| held["currency"] == currency)
                .map(|held| units(&text(held, "posted"), scale))
                .sum::<u128>();
            assert_eq!(
                posted,
                self.node.head().balance(WALLET, token),
                "{currency}"
            );
        }
    }
}

/// What a chain has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The factory of proxy wallets.
    Factory,
    /// No factory: addresses are derived.
    Derived,
    /// The factory, and an exchange.
    Exchange,
    /// As `Exchange`, with prices: the merchant sells baskets, too.
    Baskets,
    /// The factory; the merchant has an account by extended public key, too.
    Key,
}

fn word(units: u128) -> [u8; 32] {
    U256::from(units).to_be_bytes()
}

/// The smallest units of a decimal.
pub(super) fn units(text: &str, scale: usize) -> u128 {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    format!("{whole}{part:0<scale$}")
        .parse()
        .expect("a decimal")
}
