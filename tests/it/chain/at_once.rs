//! What two servers do at one instant on one PostgreSQL: each act happens once.

use std::sync::Barrier;
use std::thread;

use alloy_primitives::{Address, U256};
use http::Request;
use serde_json::{Value, json};
use settlekit_service::opening::Balances;
use settlekit_service::operator::{LimitScope, PayoutLimit};
use settlekit_service::outgoing::NodeRequest;
use settlekit_service::store::postgres::Postgres;
use settlekit_service::{Database, Seed, Service};
use settlekit_tests::chain::{Connected, USDC};
use settlekit_tests::postgres;
use settlekit_tests::world::{Shop, SignedIn, amount, currency, text};

use super::sending::{balance, estimated, funded, status};

/// Servers.
const SERVERS: u8 = 4;

fn live(address: &str) -> Connected {
    Connected::live(Box::new(Postgres::open(address).expect("a connection")))
}

/// Runs an act on several servers at one instant, each with its own connection; returns what each got.
pub(crate) fn at_once<T: Send>(
    address: &str,
    acts: usize,
    act: impl Fn(usize, &mut dyn Database) -> T + Sync,
) -> Vec<T> {
    let barrier = Barrier::new(acts);
    thread::scope(|scope| {
        let servers: Vec<_> = (0..acts)
            .map(|server| {
                let (act, barrier) = (&act, &barrier);
                scope.spawn(move || {
                    let mut database = Postgres::open(address).expect("a connection");
                    barrier.wait();
                    act(server, &mut database)
                })
            })
            .collect();
        let servers = servers.into_iter();
        servers
            .map(|server| server.join().expect("no panic"))
            .collect()
    })
}

pub(crate) fn seed(server: usize) -> Seed {
    Seed([0x80 + u8::try_from(server).expect("few"); 32])
}

/// Sends a decision of a member to a server.
fn decide(
    connected: &mut Connected,
    (payout, decision): (&str, &str),
    who: &SignedIn,
) -> Request<Vec<u8>> {
    let path = format!("/v1/payouts/{payout}/{decision}");
    let mut request = Request::post(path);
    for (name, value) in connected.world.step_up(who) {
        request = request.header(name, value);
    }
    request.body(Vec::new()).expect("a request")
}

/// A shop whose payout of 4 USDC waits for another member.
fn waiting(connected: &mut Connected) -> (Shop, String) {
    let shop = funded(connected);
    let limit = PayoutLimit {
        scope: LimitScope::Installation,
        currency: currency("USDC"),
        per_payout: Some(amount("1")),
        per_day: None,
    };
    let now = connected.world.now;
    let (service, database) = connected.world.parts();
    let set = service.set_payout_limit(database, &limit, now);
    assert_eq!(set, Ok(()));
    let payout = connected.pay_out(&shop, "4");
    assert_eq!(connected.requests(), []);
    (shop, payout)
}

/// Two members decide on one payout at one instant; the status codes of the answers.
fn decided(
    connected: &mut Connected,
    address: &str,
    shop: &Shop,
    (payout, decisions): (&str, [&str; 2]),
) -> Vec<u16> {
    let members = ["ben@shop.example", "cleo@shop.example"];
    let members = members.map(|email| connected.world.sign_in(shop, email));
    let requests: Vec<Request<Vec<u8>>> = decisions
        .iter()
        .zip(&members)
        .map(|(decision, member)| decide(connected, (payout, decision), member))
        .collect();
    let (service, now): (Service, _) = (connected.world.parts().0.clone(), connected.world.now);
    at_once(address, 2, |server, database| {
        let answer = service.answer(database, &requests[server], now, seed(server));
        answer.status().as_u16()
    })
}

#[test]
fn two_approvals_of_one_payout_at_one_instant_send_it_once() {
    let address = postgres::database();
    let mut connected = live(&address);
    let (shop, payout) = waiting(&mut connected);
    let decisions = (payout.as_str(), ["approve", "approve"]);
    let statuses = decided(&mut connected, &address, &shop, decisions);
    assert_eq!(statuses, [200, 200], "twice is once");
    connected.world.work();
    connected.world.work();
    // One transaction, and no second one.
    estimated(&mut connected);
    assert_eq!(balance(&mut connected, &shop), "10 4");
    let events = connected
        .world
        .list(&shop, &format!("/v1/events?document_id={payout}"));
    let updated = events.iter().filter(|event| event["action"] == "Updated");
    assert_eq!(updated.count(), 1, "{events:?}");
    assert_eq!(connected.differences(), Vec::<String>::new());
}

#[test]
fn an_approval_and_a_refusal_at_one_instant_are_one_of_them() {
    let address = postgres::database();
    let mut connected = live(&address);
    let (shop, payout) = waiting(&mut connected);
    let decisions = (payout.as_str(), ["approve", "refuse"]);
    let statuses = decided(&mut connected, &address, &shop, decisions);
    connected.world.work();
    match statuses.as_slice() {
        [200, 409] => {
            estimated(&mut connected);
            assert_eq!(balance(&mut connected, &shop), "10 4");
        }
        [409, 200] => {
            assert_eq!(connected.requests(), []);
            assert_eq!(balance(&mut connected, &shop), "10 0");
            assert_eq!(status(&mut connected, &shop, &payout), "Failed");
        }
        other => panic!("not one of them: {other:?}"),
    }
    assert_eq!(connected.differences(), Vec::<String>::new());
}

#[test]
fn balances_that_several_servers_report_at_once_count_once() {
    let address = postgres::database();
    let mut connected = live(&address);
    let shop = connected.world.shop("Shop", None);
    let own = Address::repeat_byte(0xa1);
    let body = json!({
        "reference": "till", "chain_id": 8453, "currencies": ["USDC"], "address": own.to_string(),
    });
    connected.world.post(&shop, "/v1/accounts", body);
    connected.blocks(3);
    let requests = connected.requests();
    let [NodeRequest::Balances { wallet, block, .. }] = requests.as_slice() else {
        panic!("not one request for balances: {requests:?}");
    };
    let balances = Balances {
        wallet: *wallet,
        block: *block,
        units: vec![(None, U256::ZERO), (Some(USDC), U256::from(25_000_000_u64))],
    };
    let (service, now): (Service, _) = (connected.world.parts().0.clone(), connected.world.now);
    let chain = connected.chain.id;
    let reported = at_once(&address, usize::from(SERVERS), |server, database| {
        service.report_balances(database, chain, &balances, now, seed(server))
    });
    for report in reported {
        report.expect("a report");
    }
    let list: Value = connected.world.read(&shop, "/v1/accounts/till/movement");
    let items = list["items"].as_array().expect("movements").iter();
    let amounts: Vec<String> = items.map(|item| text(item, "amount")).collect();
    assert_eq!(amounts, ["25"]);
    assert_eq!(connected.differences(), Vec::<String>::new());
}
