//! A run: a service, several merchants, the model, and faults of calls.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde_json::{Value, json};
use settlekit_core::header;
use settlekit_core::sign::Nonce;
use settlekit_core::value::{OrganisationId, Timestamp};
use settlekit_service::step::{Reply, WireOutbound, WireRequest};
use settlekit_service::store::sql::Access;
use settlekit_service::{Database, Seed};
use settlekit_tests::world::{Answer, Shop, World, request, sign_with, text};

use super::books::Books;
use super::random::Dice;

/// The webhook endpoint.
pub(super) const ENDPOINT: &str = "http://127.0.0.1:9099/hooks";

/// An account in the run.
#[derive(Debug, Clone)]
pub(super) struct Place {
    pub(super) id: i64,
    pub(super) chain: i64,
    pub(super) address: String,
    pub(super) currencies: &'static [&'static str],
}

/// A paylink with its stock.
#[derive(Debug, Clone)]
pub(super) struct Link {
    pub(super) id: String,
    pub(super) quantity: Option<i64>,
}

/// Amounts in the smallest unit, by account and currency.
pub(super) type Sums = BTreeMap<(i64, String), i128>;

/// A merchant of the run.
#[derive(Debug)]
pub(super) struct Merchant {
    pub(super) shop: Shop,
    pub(super) places: Vec<Place>,
    pub(super) links: Vec<Link>,
    pub(super) quotes: Vec<String>,
    pub(super) orders: Vec<String>,
    pub(super) payouts: Vec<String>,
    pub(super) customers: Vec<String>,
    pub(super) plan: String,
    pub(super) subscriptions: Vec<String>,
    pub(super) automation: Option<i64>,
    /// The latest event of each record, by type and id.
    pub(super) latest: BTreeMap<(String, String), Value>,
    /// Sums of the movements in events, by account and currency: posted and reserved.
    pub(super) posted: Sums,
    pub(super) reserved: Sums,
    /// The payments that hold a paylink's stock, according to events.
    pub(super) taken: BTreeMap<String, BTreeSet<String>>,
    /// The count of events read.
    pub(super) events: u64,
}

/// A webhook call under way, with the expiry of its claim.
#[derive(Debug, Clone)]
pub(super) struct OnItsWay {
    pub(super) call: WireOutbound,
    pub(super) until: Timestamp,
}

pub(super) struct Run {
    pub(super) world: World,
    pub(super) dice: Dice,
    pub(super) books: Books,
    pub(super) merchants: Vec<Merchant>,
    /// The lead of the service's clock, in seconds.
    pub(super) ahead: u64,
    /// When due work last ran.
    pub(super) worked_at: Timestamp,
    pub(super) on_their_way: Vec<OnItsWay>,
    pub(super) delivered: HashMap<String, u32>,
    /// The owner of each id seen.
    owners: HashMap<String, usize>,
    calls: u64,
    /// The last actions, for failure reports.
    pub(super) log: Vec<String>,
}

impl Run {
    pub(super) fn new(seed: u64, database: Box<dyn Database>) -> Self {
        let mut world = World::new(database);
        let partner = world.shop("Partner", None);
        let shops = [
            partner.clone(),
            world.shop("Sub-merchant", Some(partner.id)),
            world.otc_shop("Trader"),
        ];
        let worked_at = world.now;
        let mut run = Self {
            world,
            worked_at,
            dice: Dice::new(seed),
            books: Books::default(),
            merchants: Vec::new(),
            ahead: 0,
            on_their_way: Vec::new(),
            delivered: HashMap::new(),
            owners: HashMap::new(),
            calls: 0,
            log: Vec::new(),
        };
        for (number, shop) in shops.into_iter().enumerate() {
            run.open(number, shop);
        }
        run
    }

    /// Creates a merchant's accounts, a plan and a webhook endpoint.
    fn open(&mut self, number: usize, shop: Shop) {
        let chains = json!([{ "chain_id": 137, "currencies": ["USDC", "POL"] }, { "chain_id": 8453, "currencies": ["USDC", "ETH"] }]);
        let body = json!({ "reference": "till", "chains": chains });
        let till = self
            .world
            .keyed(&shop, "POST", "/v1/accounts/virtual", body);
        assert_eq!(till.status, 201, "{}", till.body);
        let body = json!({ "currencies": ["USDC", "ETH"], "reference": "taxes", "chain_id": 8453, "type": "CryptoPayIn", "name": "taxes" });
        let taxes = self.world.keyed(&shop, "POST", "/v1/accounts", body);
        assert_eq!(taxes.status, 201, "{}", taxes.body);
        let mut places: Vec<Place> = Vec::new();
        let below = till.data()["sub_accounts"].as_array().expect("accounts");
        for account in below.iter().chain([taxes.data()]) {
            let chain = account["chain_id"].as_i64().expect("a chain");
            places.push(Place {
                id: account["id"].as_i64().expect("an id"),
                chain,
                address: text(account, "address"),
                currencies: if chain == 137 {
                    &["USDC", "POL"]
                } else {
                    &["USDC", "ETH"]
                },
            });
        }
        let plan = json!({ "name": "Box", "price": "19.90", "currency": "USDC", "type": "Recurring", "recurring_interval": "Month", "trial_period": "P3D" });
        let plan = self.world.keyed(&shop, "POST", "/v1/plan", plan);
        assert_eq!(plan.status, 201, "{}", plan.body);
        let settings = if number == 0 {
            json!({ "underpay_thresholds": { "underpay_tolerance_amount": 0.5, "underpay_tolerance_currency": "USDC" } })
        } else {
            json!({ "webhook_url": ENDPOINT })
        };
        let set = self.world.keyed(&shop, "PUT", "/v1/orgs", settings);
        assert_eq!(set.status, 200, "{}", set.body);
        self.books
            .tolerance
            .push(if number == 0 { 500_000 } else { 0 });
        self.merchants.push(Merchant {
            shop,
            places,
            links: Vec::new(),
            quotes: Vec::new(),
            orders: Vec::new(),
            payouts: Vec::new(),
            customers: Vec::new(),
            plan: plan.id(),
            subscriptions: Vec::new(),
            automation: None,
            latest: BTreeMap::new(),
            posted: Sums::new(),
            reserved: Sums::new(),
            taken: BTreeMap::new(),
            events: 0,
        });
    }

    /// The service's time.
    pub(super) fn now(&self) -> Timestamp {
        self.world
            .now
            .plus(std::time::Duration::from_secs(self.ahead))
    }

    fn wire(
        &mut self,
        who: usize,
        for_whom: usize,
        method: &str,
        target: &str,
        body: &Value,
        key: Option<&str>,
    ) -> WireRequest {
        self.calls += 1;
        let mut random = [9; 10];
        random[..8].copy_from_slice(&self.calls.to_be_bytes());
        let on_behalf: Option<OrganisationId> =
            (who != for_whom).then(|| self.merchants[for_whom].shop.id);
        let nonce = Nonce::new(self.now(), random);
        let shop = &self.merchants[who].shop;
        // An optional signature is accepted too.
        let mut wire = sign_with(shop, on_behalf, nonce, method, target, body);
        if let Some(key) = key {
            wire.headers
                .push((header::IDEMPOTENCY_KEY.into(), key.to_owned()));
        }
        wire
    }

    /// Reads as a merchant; must succeed.
    pub(super) fn read(&mut self, who: usize, target: &str) -> Value {
        let shop = self.merchants[who].shop.clone();
        let answer = self.world.keyed(&shop, "GET", target, Value::Null);
        assert_eq!(answer.status, 200, "{target}: {}", answer.body);
        self.claim_ids(who, answer.data());
        answer.data().clone()
    }

    /// Writes as a merchant, with random faults of the call.
    pub(super) fn write(&mut self, who: usize, method: &str, target: &str, body: Value) -> Answer {
        self.write_for(who, who, method, target, body)
    }

    /// As [`Run::write`], on behalf of another merchant.
    pub(super) fn write_for(
        &mut self,
        who: usize,
        whom: usize,
        method: &str,
        target: &str,
        body: Value,
    ) -> Answer {
        self.log
            .push(format!("{who} for {whom}: {method} {target} {body}"));
        let key = format!("key-{}", self.calls);
        let before = self.event_total(whom);
        let misfortune = self.dice.below(20);
        match misfortune {
            // The host dies before the commit: no change.
            0 => {
                let wire = self.wire(who, whom, method, target, &body, Some(&key));
                self.interrupted(&wire);
                assert_eq!(self.event_total(whom), before, "a lost change left a trace");
            }
            // The host dies after the commit: the answer is lost.
            1 => {
                let fault = json!({ "reason": "UNAVAILABLE", "after_commit": true });
                let shop = self.merchants[whom].shop.clone();
                self.world.keyed(&shop, "POST", "/v1/sandbox/faults", fault);
                let wire = self.wire(who, whom, method, target, &body, Some(&key));
                let lost = self.world.send(wire);
                assert_eq!(lost.status, 503, "{}", lost.body);
            }
            _ => {}
        }
        let wire = self.wire(who, whom, method, target, &body, Some(&key));
        let answer = self.world.send(wire);
        assert!(answer.status < 500, "{target}: {}", answer.body);
        let after = self.event_total(whom);
        if answer.status < 300 {
            assert!(after > before, "{method} {target} changed without an event");
            self.claim_ids(whom, answer.data());
        } else {
            assert_eq!(after, before, "{method} {target} was refused with an event");
        }
        if misfortune < 3 && answer.status != 400 {
            let wire = self.wire(who, whom, method, target, &body, Some(&key));
            let again = self.world.send(wire);
            assert_eq!(
                (again.status, &again.body),
                (answer.status, &answer.body),
                "{method} {target}: another answer the second time"
            );
            assert_eq!(self.event_total(whom), after, "done twice");
        }
        answer
    }

    /// Answers a request and rolls it back.
    fn interrupted(&mut self, wire: &WireRequest) {
        let now = self.world.now;
        let mut builder = http::Request::builder()
            .method(wire.method.as_str())
            .uri(&wire.target);
        for (name, value) in &wire.headers {
            builder = builder.header(name, value);
        }
        let request = builder
            .body(wire.body.clone().into_bytes())
            .expect("a request");
        let (service, database) = self.world.parts();
        database.begin(Access::Write).expect("a transaction");
        let decoded = service
            .route(request.method(), request.uri().path())
            .decode(&request);
        let prepared = Default::default();
        let lost = service.answer_in(database, &request, &decoded, prepared, now, Seed([3; 32]));
        database.rollback().expect("a rollback");
        assert!(lost.is_ok(), "{lost:?}");
    }

    /// Writes as a payer.
    pub(super) fn public(&mut self, method: &str, target: &str, body: Value) -> Answer {
        self.log.push(format!("payer: {method} {target} {body}"));
        let wire = request(method, target, &body, Vec::new());
        let answer = self.world.send(wire);
        assert!(answer.status < 500, "{target}: {}", answer.body);
        answer
    }

    /// The count of a merchant's events.
    pub(super) fn event_total(&mut self, who: usize) -> u64 {
        let shop = self.merchants[who].shop.clone();
        let target = "/v1/events?limit=1";
        let latest = self.world.keyed(&shop, "GET", target, Value::Null);
        latest.data()["total"]
            .as_u64()
            .unwrap_or_else(|| panic!("{}", latest.body))
    }

    /// Checks that no merchant sees another one's id.
    fn claim_ids(&mut self, who: usize, value: &Value) {
        match value {
            Value::String(text) => {
                let id = text.split_once('_').is_some_and(|(prefix, rest)| {
                    prefix != "org"
                        && rest.len() == 32
                        && rest.bytes().all(|byte| byte.is_ascii_hexdigit())
                });
                if id {
                    let owner = *self.owners.entry(text.clone()).or_insert(who);
                    assert_eq!(owner, who, "{text} of {owner} is visible to {who}");
                }
            }
            Value::Array(list) => list.iter().for_each(|one| self.claim_ids(who, one)),
            Value::Object(map) => map.values().for_each(|one| self.claim_ids(who, one)),
            _ => {}
        }
    }

    /// An id of another merchant, with a prefix.
    pub(super) fn foreign_id(&mut self, who: usize, prefix: &str) -> Option<String> {
        let mut others: Vec<&String> = self
            .owners
            .iter()
            .filter(|(id, owner)| **owner != who && id.starts_with(prefix))
            .map(|(id, _)| id)
            .collect();
        others.sort();
        self.dice.pick(&others).map(|id| (*id).clone())
    }

    /// Reports a transfer: receiver, hash and units.
    pub(super) fn observe(
        &mut self,
        chain: i64,
        currency: &str,
        named: (&str, &str, &str),
        confirmations: u32,
    ) {
        let transfer = self.world.transfer(chain, currency, named);
        self.log
            .push(format!("{confirmations} confirmations: {transfer:?}"));
        let observed = self.world.observe(chain, transfer, confirmations);
        assert!(
            matches!(observed, Reply::Done | Reply::Observed { .. }),
            "{observed:?}"
        );
    }
}
