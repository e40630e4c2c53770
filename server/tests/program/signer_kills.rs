//! A live server killed while an external signer is asked for a payout's signature, on a real node.

use std::collections::{BTreeMap, BTreeSet};

use alloy_primitives::U256;
use postgres::{Client, NoTls};
use serde_json::json;
use settlekit_tests::anvil::Anvil;
use settlekit_tests::liar::{Fault, Liar, Lie};

use crate::place::{Place, Server, wait_for};
use crate::real_chain::{SUPPLIER, Town, text};

const METHOD: &str = "eth_signTransaction";

/// One unit of USDC.
const UNIT: u64 = 1_000_000;

/// A town whose signer and node are behind proxies.
struct Signed {
    town: Town,
    signer: Liar,
    node: Liar,
}

impl Signed {
    /// A server whose till has 19 USDC, all of which lie in the hot wallet.
    fn start(place: Place) -> (Self, Server) {
        let anvil = Anvil::start(8453);
        let [signer, node] = [(); 2].map(|()| Liar::start(anvil.address()));
        let town = Town::signed_at(place, anvil, &signer.url());
        town.connect_with(&["--rpc", &node.url(), "--confirmations", "3"]);
        let server = town.serve();
        town.open_till(&server);
        let payment = town.pay(&server, 20 * UNIT);
        town.mine_until(&server, &payment, "Confirmed");
        let signed = Self { town, signer, node };
        // The sweep before it brings all of the payment.
        let payout = signed.pay_out(&server, 1);
        signed.town.mine_until(&server, &payout, "Confirmed");
        (signed, server)
    }

    /// Creates a payout of whole USDC.
    fn pay_out(&self, server: &Server, amount: u64) -> String {
        let body = json!({
            "account": "till", "amount": amount.to_string(), "currency": "USDC", "chain_id": 8453, "address": SUPPLIER,
        });
        self.town.signed(server, "/payouts", &body)
    }

    /// Creates a payout and waits until the signer is asked for its signature, which fails.
    fn ask(&self, server: &Server, amount: u64, fault: Fault) -> String {
        drop(self.signer.take_methods());
        self.signer
            .fail(move |called, _| (called == METHOD).then_some(fault));
        let payout = self.pay_out(server, amount);
        wait_for("the signer is asked", || {
            self.town.node.mine(1);
            let methods = self.signer.take_methods();
            methods.iter().any(|called| called == METHOD)
        });
        payout
    }

    /// The nonces that each call was to be signed with. Payouts of different amounts are different calls.
    fn nonces(&self) -> BTreeMap<String, BTreeSet<String>> {
        let mut nonces = BTreeMap::<String, BTreeSet<String>>::new();
        for request in self.signer.take_requests() {
            let calls = request
                .as_array()
                .map_or(std::slice::from_ref(&request), |all| all);
            for call in calls.iter().filter(|call| call["method"] == METHOD) {
                let transaction = &call["params"][0];
                let of_call = nonces.entry(text(transaction, "data")).or_default();
                of_call.insert(text(transaction, "nonce"));
            }
        }
        nonces
    }

    /// Asserts that payouts of 19 USDC at most left once each, with one nonce each.
    fn paid_once(&self, server: &Server, paid: u64) {
        let town = &self.town;
        assert_eq!(town.supplied(), U256::from(paid * UNIT), "once each");
        assert_eq!(town.till(server), format!("{} 0", 20 - paid));
        town.until_compared();
        let nonces = self.nonces();
        // The factory, the sweep and the payouts.
        assert!(nonces.len() >= 4, "{nonces:?}");
        assert!(nonces.values().all(|of| of.len() == 1), "{nonces:?}");
        let all: BTreeSet<&String> = nonces.values().flatten().collect();
        assert_eq!(all.len(), nonces.len(), "{nonces:?}");
    }
}

fn kill(server: &mut Server) {
    server.signal("KILL");
    let _ended = server.child.wait();
}

#[test]
fn a_kill_before_and_after_the_signer_signs_neither_loses_nor_repeats_a_payout() {
    let (signed, mut server) = Signed::start(Place::live());
    // The signer has never received the call, or has signed.
    for (amount, fault) in [(2, Fault::Hang), (3, Fault::Hold)] {
        let payout = signed.ask(&server, amount, fault);
        kill(&mut server);
        signed.signer.tell(Lie::None);
        server = signed.town.serve();
        signed.town.mine_until(&server, &payout, "Confirmed");
    }
    signed.paid_once(&server, 6);
}

#[test]
fn a_signature_is_not_broadcast_before_it_is_stored_and_a_kill_then_repeats_no_payout() {
    const WAITING: &str = "SELECT COUNT(*) FROM pg_locks WHERE NOT granted AND relation = 'outgoing_attempts'::regclass";
    let (signed, mut server) = Signed::start(Place::live_postgres());
    let payout = signed.ask(&server, 2, Fault::Delay);
    // The database does not store the answer.
    let address = &signed.town.place.database;
    let mut client = Client::connect(address, NoTls).expect("the database answers");
    let mut lock = client.transaction().expect("a transaction");
    lock.batch_execute("LOCK TABLE outgoing_attempts IN EXCLUSIVE MODE")
        .expect("the lock");
    drop(signed.node.take_methods());
    signed.signer.tell(Lie::None);
    wait_for("the server stores the signature", || {
        let row = lock.query_one(WAITING, &[]).expect("the locks");
        row.get::<_, i64>(0) > 0
    });
    let methods = signed.node.take_methods();
    let mut sent = methods.iter();
    assert!(
        !sent.any(|called| called == "eth_sendRawTransaction"),
        "{methods:?}"
    );
    kill(&mut server);
    lock.rollback().expect("the end of the lock");
    let server = signed.town.serve();
    signed.town.mine_until(&server, &payout, "Confirmed");
    signed.paid_once(&server, 3);
}
