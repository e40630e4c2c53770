//! A merchant's account by extended public key: payments at its addresses, and payouts that its wallet signs from one of them.

use std::collections::BTreeSet;

use alloy_primitives::Address;
use serde_json::json;
use settlekit_tests::chain::{PAYER, USDC};
use settlekit_tests::world::{items, text};

use super::node::{FEE, State, Transaction};
use super::run::{Run, units};
use crate::account::prove_wallet;
use crate::chain::extended_keys::{ADDRESSES, XPUB, first_wallet};

/// What comes to an address that cannot pay the network, in wei.
const COINS: u128 = 20 * FEE;

/// A payout, with the address that only it pays.
struct Payout {
    id: String,
    to: Address,
    units: u128,
    prepared_from: Address,
    /// The address that signs it, also again.
    signer: Option<Address>,
}

/// The account, whose reference is `keyed`.
pub(super) struct KeyedAccount {
    /// The first address, and those of payments.
    addresses: Vec<Address>,
    payouts: Vec<Payout>,
}

impl KeyedAccount {
    pub(super) fn has(&self, address: Address) -> bool {
        self.addresses.contains(&address)
    }
}

fn address(index: usize) -> Address {
    ADDRESSES[index].parse().expect("an address")
}

/// Puts money at two addresses of the key.
pub(super) fn fill(state: &mut State) {
    state.set(address(0), None, 1_000_000_000_000_000_000);
    state.set(address(0), Some(USDC), 20_000_000);
    state.set(address(3), Some(USDC), 7_000_000);
}

impl Run {
    pub(super) fn open_keyed_account(&mut self) {
        let body = json!({
            "reference": "keyed", "chain_id": 8453, "currencies": ["USDC", "ETH"], "xpub": XPUB,
        });
        let world = &mut self.connected.world;
        let account = world.post(&self.shop, "/v1/accounts", body);
        prove_wallet(world, &self.shop, account.id_number(), &first_wallet());
        self.addresses.push(address(0));
        self.keyed = Some(KeyedAccount {
            addresses: vec![address(0)],
            payouts: Vec::new(),
        });
    }

    pub(super) fn act_with_key(&mut self) {
        match self.dice.below(100) {
            0..25 => self.create_key_payment(),
            25..50 => self.prepare_from_key(),
            50..80 => self.sign_with_key(),
            _ => self.move_from_key(),
        }
    }

    fn keyed(&mut self) -> &mut KeyedAccount {
        self.keyed.as_mut().expect("an account")
    }

    /// An address of the key.
    fn key_address(&mut self) -> Address {
        let addresses = self.keyed().addresses.clone();
        *self.dice.pick(&addresses).expect("an address")
    }

    /// Creates a payment at the next address, which somebody may pay.
    fn create_key_payment(&mut self) {
        let body =
            json!({ "amount": "5", "currency": "USDC", "chain_id": 8453, "account": "keyed" });
        let made = (self.connected.world).post(&self.shop, "/v1/payments", body);
        let address = text(made.data(), "deposit_address");
        let address: Address = address.parse().expect("an address");
        self.say(format!("payment at {address} of the key"));
        self.addresses.push(address);
        self.keyed().addresses.push(address);
        if self.dice.chance(60) {
            let hash = self.hash();
            self.say(format!("{hash} pays it"));
            let paid = Transaction::pay(hash, PAYER, Some(USDC), address, 5_000_000);
            self.node.mempool.push(paid);
        }
    }

    fn prepare_from_key(&mut self) {
        let number = u8::try_from(self.keyed().payouts.len()).expect("few payouts");
        let to = Address::with_last_byte(number).create(8);
        let units = 1_000_000 + self.dice.below(6_000_000) as u128;
        let amount = format!("{}.{:06}", units / 1_000_000, units % 1_000_000);
        let body = json!({
            "account": "keyed", "amount": amount, "currency": "USDC", "chain_id": 8453, "address": to.to_string(),
        });
        let made = (self.connected.world).signed(&self.shop, None, "POST", "/v1/payouts", body);
        if made.status != 201 {
            assert_eq!(made.refusal(), "422 INSUFFICIENT_FUNDS amount");
            return;
        }
        let from = text(&made.data()["prepared_transaction"], "from");
        let payout = Payout {
            id: made.id(),
            to,
            units,
            prepared_from: from.parse().expect("an address"),
            signer: None,
        };
        self.say(format!(
            "payout {} of {units} from {from} to {to}",
            payout.id
        ));
        self.keyed().payouts.push(payout);
    }

    /// Signs a payout that no block and no mempool has. A wallet signs one again from the same address: the first transaction may
    /// still come.
    fn sign_with_key(&mut self) {
        let count = self.keyed().payouts.len();
        if count == 0 {
            return;
        }
        let place = self.dice.below(count);
        let other = self.key_address();
        let is_other = self.dice.chance(30);
        let payout = &mut self.keyed().payouts[place];
        let chosen = match is_other {
            true => other,
            false => payout.prepared_from,
        };
        let from = *payout.signer.get_or_insert(chosen);
        let (to, units) = (payout.to, payout.units);
        let path = format!("/v1/payments/{}", payout.id);
        let is_sent = (self.node.mempool.iter())
            .filter_map(Transaction::shown)
            .any(|(_, receiver, _)| receiver == to);
        if is_sent || self.node.head().balance(to, Some(USDC)) > 0 {
            return;
        }
        let shown = self.connected.world.read(&self.shop, &path);
        if !["Pending", "Processing"].contains(&text(&shown, "status").as_str()) {
            return;
        }
        if self.node.head().balance(from, None) < FEE {
            let hash = self.hash();
            let coins = Transaction::pay(hash, PAYER, None, from, COINS);
            self.node.mempool.push(coins);
        }
        let hash = self.hash();
        self.say(format!("{hash} pays {path} from {from}"));
        let signed = Transaction::pay(hash, from, Some(USDC), to, units);
        self.node.mempool.push(signed);
    }

    /// The merchant moves money without the service.
    fn move_from_key(&mut self) {
        let from = self.key_address();
        let to = *self.dice.pick(&self.addresses).expect("an address");
        let units = 1 + self.dice.below(2_000_000) as u128;
        let token = Some(USDC).filter(|_| self.dice.chance(80));
        let hash = self.hash();
        self.say(format!(
            "{hash} moves {units} of {token:?} from {from} to {to}"
        ));
        let sent = Transaction::pay(hash, from, token, to, units);
        self.node.mempool.push(sent);
    }

    /// Each payout is paid once or not at all, and the books have what lies at the addresses.
    pub(super) fn key_payouts_have_ended(&mut self) {
        let Some(keyed) = self.keyed.take() else {
            return;
        };
        for payout in &keyed.payouts {
            let path = format!("/v1/payments/{}", payout.id);
            let shown = self.connected.world.read(&self.shop, &path);
            let arrived = self.node.head().balance(payout.to, Some(USDC));
            let expected = match text(&shown, "status").as_str() {
                "Confirmed" => {
                    let is_other = payout.signer != Some(payout.prepared_from);
                    self.key_payouts[usize::from(is_other)] += 1;
                    payout.units
                }
                "Failed" | "Pending" => 0,
                status => panic!("payout {} is {status}", payout.id),
            };
            assert_eq!(arrived, expected, "{}", payout.id);
        }
        let path = "/v1/accounts/keyed/movement?limit=100";
        let moved = self.connected.world.read(&self.shop, path);
        for movement in items(&moved) {
            let status = text(movement, "status");
            assert!(
                ["Confirmed", "Failed"].contains(&status.as_str()),
                "{movement}"
            );
        }
        let path = "/v1/accounts/keyed/balances";
        let held = self.connected.world.read(&self.shop, path);
        for (currency, token, scale) in [("USDC", Some(USDC), 6), ("ETH", None, 18)] {
            let mut held = held.as_array().expect("balances").iter();
            let posted = held
                .find(|held| held["currency"] == currency)
                .map_or(0, |held| units(&text(held, "posted"), scale));
            // Nobody may have got the address with money.
            let addresses = keyed.addresses.iter().copied();
            let addresses: BTreeSet<Address> = addresses.chain([address(3)]).collect();
            let addresses = addresses.into_iter();
            let found = addresses.map(|address| self.node.head().balance(address, token));
            assert_eq!(posted, found.sum::<u128>(), "{currency}");
        }
    }
}
