//! The pools of a connected exchange: when they are read, and what is kept of them.

use std::time::Duration;

use alloy_primitives::{Address, U256, hex};
use serde_json::{Value, json};
use settlekit_core::value::ChainId;
use settlekit_service::Seed;
use settlekit_service::contract_calls::{CallBatch, CallError, ContractCall};
use settlekit_service::node_calls::NodeAnswers;
use settlekit_service::operator::OperatorError;
use settlekit_service::pool_reader::PoolRound;
use settlekit_service::uniswap::{
    PoolAddress, PoolKey, PoolKind, Slippage, Uniswap, UniswapV2, UniswapV3, V3Router, discovery,
};
use settlekit_service::venue_operator::{ConnectedVenue, NewVenue, VenueError};
use settlekit_tests::anvil::{number, word};
use settlekit_tests::chain::{Connected, USDC};
use settlekit_tests::world::World;

const SEED: Seed = Seed([7; 32]);

const COIN: Address = Address::repeat_byte(0xee);

/// A square root of a price that a pool may have: 1.
const SQRT_ONE: u128 = 1 << 96;

fn uniswap() -> Uniswap {
    Uniswap {
        wrapped_native: COIN,
        v2: Some(UniswapV2 {
            factory: Address::repeat_byte(0x21),
            router: Address::repeat_byte(0x22),
            fee: 3_000,
        }),
        v3: Some(UniswapV3 {
            factory: Address::repeat_byte(0x31),
            quoter: Address::repeat_byte(0x32),
            router: V3Router::SwapRouter02(Address::repeat_byte(0x33)),
        }),
    }
}

fn venue() -> NewVenue {
    NewVenue {
        name: "Uniswap".to_owned(),
        contracts: uniswap(),
        slippage: Slippage::new(5_000).expect("below a million"),
    }
}

/// A live service with an exchange on its chain, whose nodes a test answers for.
struct Market {
    connected: Connected,
    /// What calls return; all others return zero.
    returned: Vec<(ContractCall, String)>,
    told: Vec<String>,
}

impl Market {
    fn each(test: impl Fn(&str, Self)) {
        Connected::each(|kind, mut connected| {
            let (chain, now) = (connected.chain.id, connected.world.now);
            let (service, database) = connected.world.parts();
            let done = service.connect_venue(database, chain, &venue(), now);
            assert_eq!(done, Ok(()), "{kind}");
            let market = Self {
                connected,
                returned: Vec::new(),
                told: Vec::new(),
            };
            test(kind, market);
        });
    }

    fn chain(&self) -> ChainId {
        self.connected.chain.id
    }

    /// A pool of USDC and the native coin with as many units of both.
    fn set(&mut self, kind: PoolKind, address: Address, units: u64) {
        let (usdc, coin) = (USDC, COIN);
        let key = PoolKey {
            kind,
            token0: usdc.min(coin),
            token1: usdc.max(coin),
        };
        let of = |words: &[[u8; 32]]| hex::encode_prefixed(words.concat());
        let uniswap = uniswap();
        let found = discovery::address_calls(&uniswap, &[key]);
        let states = discovery::state_calls(&[PoolAddress { key, address }]);
        let answers = match kind {
            PoolKind::V2 => vec![
                of(&[word(key.token0)]),
                of(&[number(units), number(units), number(0)]),
            ],
            PoolKind::V3 { .. } => {
                let price = U256::from(SQRT_ONE).to_be_bytes();
                let slot0 = [
                    price,
                    number(0),
                    number(0),
                    number(1),
                    number(1),
                    number(0),
                    number(1),
                ];
                vec![
                    of(&[number(units)]),
                    of(&slot0),
                    of(&[number(units)]),
                    of(&[number(units)]),
                ]
            }
        };
        let new = found.into_iter().zip([of(&[word(address)])]);
        let new: Vec<_> = new.chain(states.into_iter().zip(answers)).collect();
        self.returned
            .retain(|(call, _)| new.iter().all(|(other, _)| other != call));
        self.returned.extend(new);
    }

    /// What an honest node answers to a batch.
    fn honest(&self, batch: &CallBatch) -> Vec<u8> {
        let at = self.connected.world.now.seconds();
        let header = json!({ "hash": batch.block.to_string(), "timestamp": format!("{at:#x}") });
        let mut results = vec![json!(format!("{:#x}", batch.chain.get())), header];
        results.extend(batch.calls.iter().map(|call| {
            let known = self.returned.iter().find(|(other, _)| other == call);
            let zero = hex::encode_prefixed(number(0));
            json!(known.map_or(zero, |(_, returned)| returned.clone()))
        }));
        let results = results.into_iter().enumerate();
        let replies: Value = results
            .map(|(id, result)| json!({ "jsonrpc": "2.0", "id": id, "result": result }))
            .collect();
        replies.to_string().into_bytes()
    }

    fn rounds(&mut self) -> Vec<PoolRound> {
        let now = self.connected.world.now;
        let (service, database) = self.connected.world.parts();
        let due = service.due_pools(database, now).expect("venues");
        let rounds = service.pool_rounds(database, now, SEED).expect("rounds");
        let asked: Vec<ChainId> = rounds.iter().map(|round| round.calls.chain).collect();
        assert_eq!(asked, due);
        rounds
    }

    fn report(&mut self, round: &PoolRound, answers: &[NodeAnswers]) {
        let now = self.connected.world.now;
        let (service, database) = self.connected.world.parts();
        let told = service.report_pools(database, round, answers, now, SEED);
        self.told.extend(told.expect("a report"));
    }

    /// What all nodes answer as honest ones.
    fn answers(&self, round: &PoolRound) -> Vec<NodeAnswers> {
        let batches = round.calls.batches.iter();
        let answers: NodeAnswers = batches.map(|batch| Ok(self.honest(batch))).collect();
        vec![answers; round.calls.nodes.len()]
    }

    /// Answers all that is due; returns how many rounds there were.
    fn answer(&mut self) -> usize {
        let mut count = 0;
        loop {
            let rounds = self.rounds();
            if rounds.is_empty() {
                return count;
            }
            for round in &rounds {
                let answers = self.answers(round);
                self.report(round, &answers);
                count += 1;
            }
        }
    }

    fn pass(&mut self, seconds: u64) {
        self.connected.world.pass(Duration::from_secs(seconds));
    }

    fn shown(&mut self) -> ConnectedVenue {
        let (service, database) = self.connected.world.parts();
        let mut all = service.connected_venues(database).expect("venues");
        all.pop().expect("one")
    }

    /// The addresses of the pools that can be used.
    fn pools(&mut self) -> Vec<Address> {
        let pools = self.shown().pools.into_iter();
        pools.map(|pool| pool.at.address).collect()
    }
}

const V2: Address = Address::repeat_byte(0xa2);
const V3: Address = Address::repeat_byte(0xa3);
const FEE: PoolKind = PoolKind::V3 { fee: 500 };

#[test]
fn pools_are_found_and_read_at_once_and_then_every_five_minutes() {
    Market::each(|kind, mut market| {
        market.set(PoolKind::V2, V2, 1_000);
        assert_eq!(market.answer(), 2, "{kind}");
        assert_eq!(market.pools(), [V2], "{kind}");
        assert_eq!(market.shown().venue, venue(), "{kind}");
        market.set(FEE, V3, 1_000);
        market.pass(299);
        assert_eq!(market.answer(), 0, "{kind}");
        market.pass(1);
        assert_eq!(market.answer(), 2, "{kind}");
        assert_eq!(market.pools(), [V2, V3], "{kind}");
        market.pass(300);
        assert_eq!(market.answer(), 1, "{kind}");
        assert!(market.told.is_empty(), "{kind}");
    });
}

#[test]
fn a_drained_pool_is_left_out_until_it_is_filled_again() {
    Market::each(|kind, mut market| {
        market.set(FEE, V3, 1_000);
        market.answer();
        for (units, expected) in [(0, vec![]), (5, vec![V3])] {
            market.set(FEE, V3, units);
            market.pass(300);
            market.answer();
            assert_eq!(market.pools(), expected, "{kind}");
        }
    });
}

#[test]
fn without_an_answer_pools_stay_as_they_were_and_the_operator_is_told_once() {
    Market::each(|kind, mut market| {
        market.set(PoolKind::V2, V2, 1_000);
        market.answer();
        let mut waits = Vec::new();
        market.pass(300);
        for _ in 0..3 {
            let mut waited = 0;
            let round = loop {
                if let Some(round) = market.rounds().pop() {
                    break round;
                }
                market.pass(1);
                waited += 1;
            };
            waits.push(waited);
            let away = vec![Err(CallError::Unreachable); round.calls.batches.len()];
            market.report(&round, &vec![away; round.calls.nodes.len()]);
        }
        assert_eq!(waits, [0, 15, 30], "{kind}");
        assert_eq!(market.pools(), [V2], "{kind}");
        let shown = market.shown();
        assert_eq!(shown.failures, 3, "{kind}");
        assert_eq!(shown.last_error.as_deref(), Some("a node does not answer"));
        assert_eq!(market.told.len(), 1, "{kind}");
        market.pass(60);
        assert_eq!(market.answer(), 1, "{kind}");
        assert_eq!(market.shown().failures, 0, "{kind}");
    });
}

#[test]
fn a_pool_that_only_one_of_two_nodes_names_is_not_taken() {
    Market::each(|kind, mut market| {
        let mut round = market.rounds().pop().expect("a round");
        let honest = market.answers(&round).pop().expect("a node");
        market.set(PoolKind::V2, V2, 1_000);
        let liar = market.answers(&round).pop().expect("a node");
        round.calls.nodes = vec!["a".to_owned(), "b".to_owned()];
        market.report(&round, &[honest, liar]);
        assert_eq!(market.pools(), Vec::<Address>::new(), "{kind}");
        let error = market.shown().last_error;
        assert_eq!(error.as_deref(), Some("the nodes disagree"), "{kind}");
    });
}

#[test]
fn the_answers_of_a_round_before_the_venue_was_replaced_are_ignored() {
    Market::each(|kind, mut market| {
        let round = market.rounds().pop().expect("a round");
        market.set(PoolKind::V2, V2, 1_000);
        let answers = market.answers(&round);
        let (chain, now) = (market.chain(), market.connected.world.now);
        let (service, database) = market.connected.world.parts();
        let replaced = service.connect_venue(database, chain, &venue(), now);
        assert_eq!(replaced, Ok(()), "{kind}");
        market.report(&round, &answers);
        assert_eq!(market.pools(), Vec::<Address>::new(), "{kind}");
        assert_eq!(market.answer(), 2, "{kind}");
        assert_eq!(market.pools(), [V2], "{kind}");
    });
}

#[test]
fn a_chain_is_not_disconnected_while_its_exchange_is_connected() {
    Market::each(|kind, mut market| {
        let chain = market.chain();
        let (service, database) = market.connected.world.parts();
        let refused = service.disconnect_chain(database, chain);
        assert_eq!(refused, Err(OperatorError::HasVenue(chain)), "{kind}");
        assert_eq!(service.disconnect_venue(database, chain), Ok(()), "{kind}");
        let again = service.disconnect_venue(database, chain);
        assert_eq!(again, Err(VenueError::NotConnected(chain)), "{kind}");
        assert_eq!(service.disconnect_chain(database, chain), Ok(()), "{kind}");
        let now = market.connected.world.now;
        let (service, database) = market.connected.world.parts();
        let refused = service.connect_venue(database, chain, &venue(), now);
        assert_eq!(refused, Err(VenueError::NoChain(chain)), "{kind}");
    });
}

#[test]
fn an_exchange_without_contracts_is_refused() {
    Connected::each(|kind, mut connected| {
        let mut new = venue();
        (new.contracts.v2, new.contracts.v3) = (None, None);
        let (chain, now) = (connected.chain.id, connected.world.now);
        let (service, database) = connected.world.parts();
        let refused = service.connect_venue(database, chain, &new, now);
        assert_eq!(refused, Err(VenueError::NoContracts), "{kind}");
    });
}

#[test]
fn a_sandbox_connects_no_exchange() {
    World::each(|kind, mut world| {
        let chain = ChainId::new(8453).expect("a chain");
        let now = world.now;
        let (service, database) = world.parts();
        let refused = service.connect_venue(database, chain, &venue(), now);
        assert_eq!(refused, Err(VenueError::Sandbox), "{kind}");
        let rounds = service.pool_rounds(database, now, SEED).expect("none");
        assert!(rounds.is_empty(), "{kind}");
    });
}
