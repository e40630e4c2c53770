//! Random actions of merchants, payers, chains, endpoints and the clock, and the model's expectations.

use std::time::Duration;

use serde_json::{Value, json};
use settlekit_core::value::Timestamp;
use settlekit_service::step::{Command, Reply, WireOutcome};
use settlekit_tests::world::{WALLET, number, text};

use super::books::{Payment, Transaction, TransactionState, depth, units};
use super::run::{ENDPOINT, Link, OnItsWay, Run};

impl Run {
    /// One random action.
    pub(super) fn act(&mut self) {
        let who = self.dice.below(self.merchants.len());
        match self.dice.below(100) {
            0..6 => self.deposit(who),
            6..14 => self.observe_deposit(who),
            14..26 => self.observe_known_transaction(),
            26..28 => self.reorganise(who),
            28..32 => self.create_link(who),
            32..42 => self.check_out(who),
            42..46 => self.create_payment(who),
            46..54 => self.pay(),
            54..57 => self.cancel(),
            57..60 => self.refund(),
            60..65 => self.pay_out(who),
            65..69 => self.ask_for_a_quote(who),
            69..72 => self.answer_a_quote(who),
            72..74 => self.trade(who),
            74..77 => self.subscription(who),
            77..79 => self.automation(),
            79..81 => self.split(who),
            81..84 => self.webhooks(who),
            84..87 => self.snoop(who),
            87..89 => self.update(who),
            _ => self.let_time_pass(),
        }
        if self.dice.chance(40) {
            self.work();
        }
        if self.dice.chance(50) {
            self.report_some();
        }
    }

    fn deposit(&mut self, who: usize) {
        let place = self.random_place(who);
        let currency = *self.dice.pick(place.currencies).expect("a currency");
        let amount = format!(
            "{}.{:06}",
            self.dice.below(500),
            1 + self.dice.below(999_999)
        );
        let body = json!({ "account": place.id, "chain_id": place.chain, "currency": currency, "amount": amount });
        self.log.push(format!("{who}: test wallet {body}"));
        let shop = self.merchants[who].shop.clone();
        let sent = self
            .world
            .keyed(&shop, "POST", "/v1/sandbox/deposits", body);
        assert_eq!(sent.status, 201, "{}", sent.body);
        let sent_at = Some(self.now());
        self.books.transactions.push(Transaction {
            account: place.id,
            payment: None,
            chain: place.chain,
            hash: text(sent.data(), "transaction_hash"),
            to: place.address,
            currency: currency.to_owned(),
            units: units(&amount, currency),
            sent_at,
            is_from_test_wallet: true,
            seen: true,
            fate: TransactionState::Pending,
        });
    }

    /// Reorganises the block of a deposit from the test wallet, which returns or is lost.
    fn reorganise(&mut self, who: usize) {
        let mine = |seen: &Transaction| {
            let mut places = self.merchants[who].places.iter();
            places.any(|place| place.id == seen.account)
        };
        let pending: Vec<usize> = (0..self.books.transactions.len())
            .filter(|place| {
                let seen = &self.books.transactions[*place];
                seen.is_from_test_wallet && seen.fate == TransactionState::Pending && mine(seen)
            })
            .collect();
        let Some(place) = self.dice.pick(&pending).copied() else {
            return;
        };
        let returns = self.dice.chance(50);
        let hash = self.books.transactions[place].hash.clone();
        let body = json!({ "transaction_hash": hash, "returns": returns });
        self.log.push(format!("{who}: reorganisation {body}"));
        let shop = self.merchants[who].shop.clone();
        let path = "/v1/sandbox/reorganisations";
        let answer = self.world.keyed(&shop, "POST", path, body);
        let now = self.now();
        let seen = &mut self.books.transactions[place];
        match (answer.status, returns) {
            (200, false) => seen.fate = TransactionState::Failed,
            // Its new block is the latest one.
            (200, true) => seen.sent_at = Some(now.minus(Duration::from_secs(1))),
            _ => assert!(
                answer.refusal().starts_with("409 STATE_FORBIDS"),
                "{}",
                answer.body
            ),
        }
    }

    fn random_place(&mut self, who: usize) -> super::run::Place {
        let places = self.merchants[who].places.clone();
        self.dice.pick(&places).expect("a place").clone()
    }

    fn observe_deposit(&mut self, who: usize) {
        let place = self.random_place(who);
        let currency = *self.dice.pick(place.currencies).expect("a currency");
        let hash = self.dice.hash();
        let amount = 1 + self.dice.below(400_000_000) as i128;
        self.books.transactions.push(Transaction {
            account: place.id,
            payment: None,
            chain: place.chain,
            hash,
            to: place.address,
            currency: currency.to_owned(),
            units: amount,
            sent_at: None,
            is_from_test_wallet: false,
            seen: false,
            fate: TransactionState::Pending,
        });
        let place = self.books.transactions.len() - 1;
        self.observe_again(place);
    }

    /// Observes a known transaction again: deeper, equal or shallower.
    fn observe_known_transaction(&mut self) {
        let known: Vec<usize> = (0..self.books.transactions.len())
            .filter(|place| self.books.transactions[*place].sent_at.is_none())
            .collect();
        if let Some(place) = self.dice.pick(&known).copied() {
            self.observe_again(place);
        }
    }

    fn observe_again(&mut self, place: usize) {
        let seen = self.books.transactions[place].clone();
        // Observations use either spelling of an address.
        let to = if self.dice.chance(50) {
            seen.to.to_lowercase()
        } else {
            seen.to.clone()
        };
        let confirmations = u32::try_from(self.dice.below(7)).expect("small");
        let units = seen.units.to_string();
        let named = (to.as_str(), seen.hash.as_str(), units.as_str());
        self.observe(seen.chain, &seen.currency, named, confirmations);
        self.books.transactions[place].seen = true;
        if seen.fate == TransactionState::Pending && confirmations >= depth(seen.chain) {
            self.books.confirm(place);
        }
    }

    fn create_link(&mut self, who: usize) {
        let quantity = self
            .dice
            .chance(60)
            .then(|| 1 + i64::try_from(self.dice.below(3)).expect("small"));
        let mut body = json!({ "amount": "12.5", "currency": "USDC", "name": "Tea" });
        if let Some(quantity) = quantity {
            body["available_quantity"] = quantity.into();
        }
        let made = self.write(who, "POST", "/v1/paylinks", body);
        assert_eq!(made.status, 201, "{}", made.body);
        let id = text(made.data(), "id");
        self.merchants[who].links.push(Link { id, quantity });
    }

    fn check_out(&mut self, who: usize) {
        let links = self.merchants[who].links.clone();
        let Some(link) = self.dice.pick(&links).cloned() else {
            return self.create_link(who);
        };
        let chain = if self.dice.chance(50) { 137 } else { 8453 };
        let email = format!("payer{}@tea.example", self.dice.below(20));
        let body = json!({ "chain_id": chain, "currency": "USDC", "email": email });
        let path = format!("/v1/checkout/{}/payments", link.id);
        let started = self.public("POST", &path, body);
        if started.status != 201 {
            assert!(
                started.refusal().starts_with("409 PAYLINK_CLOSED"),
                "{}",
                started.body
            );
            return;
        }
        self.take_payment(
            who,
            &text(started.data(), "payment_id"),
            link.quantity.is_some(),
        );
    }

    fn create_payment(&mut self, who: usize) {
        let amount = format!("{}.{:02}", 1 + self.dice.below(90), self.dice.below(100));
        let body =
            json!({ "amount": amount, "currency": "USDC", "chain_id": 8453, "account": "till" });
        let made = self.write(who, "POST", "/v1/payments", body);
        assert_eq!(made.status, 201, "{}", made.body);
        self.take_payment(who, &text(made.data(), "id"), false);
    }

    /// Records a started payment in the model.
    fn take_payment(&mut self, who: usize, id: &str, limited: bool) {
        let found = self.read(who, &format!("/v1/payments/{id}"));
        if let Some(customer) = found["customer_id"].as_str()
            && !self.merchants[who]
                .customers
                .iter()
                .any(|one| one == customer)
        {
            self.merchants[who].customers.push(customer.to_owned());
        }
        assert_eq!(found["status"], "Processing");
        self.books.payments.push(Payment {
            shop: who,
            id: id.to_owned(),
            chain: number(&found, "chain_id"),
            account: number(&found["to_account"], "id"),
            address: text(&found, "deposit_address"),
            currency: text(&found, "currency"),
            due: units(&text(&found, "amount"), "USDC"),
            expires_at: text(&found, "expires_at")
                .parse::<Timestamp>()
                .expect("a timestamp"),
            status: "Processing".into(),
            limited,
            refunded: 0,
            refunding: 0,
        });
    }

    /// A payer pays in full, too little, too much, or in the wrong currency, whatever the payment's status.
    fn pay(&mut self) {
        let payments = self.books.payments.clone();
        let Some(one) = self.dice.pick(&payments).cloned() else {
            return;
        };
        let (currency, amount) = match self.dice.below(12) {
            0..6 => ("USDC", one.due),
            6 => ("USDC", one.due - 400_000),
            7 | 8 => ("USDC", one.due / 2),
            9 => ("USDC", one.due + 1),
            10 => ("USDC", one.due * 2),
            _ => (if one.chain == 137 { "POL" } else { "ETH" }, 77),
        };
        let hash = self.dice.hash();
        self.books.transactions.push(Transaction {
            account: one.account,
            payment: Some(one.id),
            chain: one.chain,
            hash,
            to: one.address,
            currency: currency.to_owned(),
            units: amount.max(1),
            sent_at: None,
            is_from_test_wallet: false,
            seen: false,
            fate: TransactionState::Pending,
        });
        let place = self.books.transactions.len() - 1;
        self.observe_again(place);
    }

    fn cancel(&mut self) {
        let payments = self.books.payments.clone();
        let Some(one) = self.dice.pick(&payments) else {
            return;
        };
        let path = format!("/v1/payments/{}", one.id);
        let answer = self.write(one.shop, "DELETE", &path, Value::Null);
        if answer.status == 200 {
            assert_eq!(one.status, "Processing", "{} was canceled", one.id);
            assert_eq!(self.books.paid(one).0, 0, "{} was canceled", one.id);
            self.payment(&one.id).status = "Canceled".into();
        } else {
            assert_eq!(answer.refusal(), "409 NOT_CANCELLABLE");
        }
    }

    fn payment(&mut self, id: &str) -> &mut Payment {
        let mut all = self.books.payments.iter_mut();
        all.find(|one| one.id == id)
            .expect("a payment of the model")
    }

    fn refund(&mut self) {
        let settled: Vec<Payment> = self
            .books
            .payments
            .iter()
            .filter(|one| matches!(one.status.as_str(), "Confirmed" | "PartialRefunded"))
            .cloned()
            .collect();
        let Some(one) = self.dice.pick(&settled).cloned() else {
            return;
        };
        let (_, confirmed) = self.books.paid(&one);
        let mut body = json!({ "address": WALLET });
        let part = self.dice.chance(60).then(|| 1 + confirmed / 3);
        if let Some(part) = part {
            body["amount"] = format!("{}.{:06}", part / 1_000_000, part % 1_000_000).into();
        }
        let path = format!("/v1/payments/{}/refunds", one.id);
        let answer = self.write(one.shop, "POST", &path, body);
        if answer.status != 201 {
            let expected = [
                "400 OUT_OF_RANGE amount",
                "409 STATE_FORBIDS",
                "422 INSUFFICIENT_FUNDS amount",
            ];
            assert!(
                expected.contains(&answer.refusal().as_str()),
                "{}",
                answer.body
            );
            return;
        }
        let refunding = units(&text(answer.data(), "refunding_amount"), "USDC");
        assert!(
            one.refunded + refunding <= confirmed,
            "{}: {refunding} and {} of {confirmed} go back",
            one.id,
            one.refunded
        );
        if let Some(part) = part {
            assert_eq!(refunding - one.refunding, part, "{}", one.id);
        }
    }

    fn pay_out(&mut self, who: usize) {
        let place = self.random_place(who);
        let currency = *self.dice.pick(place.currencies).expect("a currency");
        // To an external address, or to another merchant's account.
        let other = self.dice.below(self.merchants.len());
        let target = self.random_place(other);
        let to = if self.dice.chance(40)
            && target.chain == place.chain
            && target.currencies == place.currencies
        {
            target.address
        } else {
            WALLET.to_owned()
        };
        let amount = format!("0.{:06}", 1 + self.dice.below(999_999));
        let body = json!({ "account": place.id, "amount": amount, "currency": currency, "chain_id": place.chain, "address": to });
        let answer = self.write(who, "POST", "/v1/payouts", body);
        if answer.status != 201 {
            assert_eq!(answer.refusal(), "422 INSUFFICIENT_FUNDS amount");
        }
    }

    fn ask_for_a_quote(&mut self, who: usize) {
        let amount = 5 + self.dice.below(200);
        let (sold, bought) = if self.dice.chance(70) {
            ("USDC", "ETH")
        } else {
            ("ETH", "USDC")
        };
        let amount = if sold == "USDC" {
            amount.to_string()
        } else {
            format!("0.00{amount:03}")
        };
        let method = if self.dice.chance(70) {
            "Balance"
        } else {
            "Deposit"
        };
        let query = format!(
            "/v1/trade/quote?sell_currency={sold}&sell_amount={amount}&sell_chain_ids=8453&buy_currency={bought}&buy_chain_id=8453&deposit_method={method}"
        );
        self.log.push(format!("{who}: {query}"));
        let shop = self.merchants[who].shop.clone();
        let before = self.event_total(who);
        let answer = self.world.keyed(&shop, "GET", &query, Value::Null);
        let after = self.event_total(who);
        if answer.status == 200 {
            assert!(after > before, "a quote without its event");
            let id = text(answer.data(), "id");
            self.merchants[who].quotes.push(id);
        } else {
            assert!(answer.status < 500, "{}", answer.body);
            assert_eq!(after, before);
        }
    }

    fn answer_a_quote(&mut self, who: usize) {
        let quotes = self.merchants[who].quotes.clone();
        let Some(id) = self.dice.pick(&quotes).cloned() else {
            return;
        };
        let known = self.read(who, &format!("/v1/trade/quote/{id}"));
        let word = if self.dice.chance(80) {
            "accept"
        } else {
            "reject"
        };
        let path = format!("/v1/trade/quote/{id}/{word}");
        let answer = self.write(who, "POST", &path, json!({}));
        if answer.status < 300 {
            assert_eq!(known["status"], "Created", "{id} was answered twice");
            let expires = text(&known, "expires_at")
                .parse::<Timestamp>()
                .expect("a timestamp");
            assert!(expires > self.now(), "{id} was answered late");
            if word == "accept" {
                let order = text(answer.data(), "order_id");
                self.merchants[who].orders.push(order);
            }
        }
    }

    fn trade(&mut self, who: usize) {
        let amount = (1 + self.dice.below(50)).to_string();
        let mut body = json!({ "amount": amount, "currency": "USDC", "to_currency": "ETH", "chain_id": 8453, "to_chain_id": 8453, "dry_run": true });
        let shop = self.merchants[who].shop.clone();
        let dry = self
            .world
            .keyed(&shop, "POST", "/v1/trade/quicktrade", body.clone());
        body["dry_run"] = false.into();
        let real = self.write(who, "POST", "/v1/trade/quicktrade", body);
        assert_eq!(dry.status, real.status, "{} {}", dry.body, real.body);
        if real.status < 300 {
            assert_eq!(dry.data()["to_amount"], real.data()["to_amount"]);
            let order = text(real.data(), "order_id");
            self.merchants[who].orders.push(order);
        } else {
            assert_eq!(dry.refusal(), real.refusal());
        }
    }

    fn subscription(&mut self, who: usize) {
        let (customers, known) = (
            self.merchants[who].customers.clone(),
            self.merchants[who].subscriptions.clone(),
        );
        let path = |id: &str, word: &str| format!("/v1/subscriptions/{id}/{word}");
        match (
            self.dice.below(5),
            self.dice.pick(&known).cloned(),
            self.dice.pick(&customers).cloned(),
        ) {
            (1, Some(id), _) => drop(self.write(who, "POST", &path(&id, "pause"), Value::Null)),
            (2, Some(id), _) => drop(self.write(who, "POST", &path(&id, "resume"), Value::Null)),
            (3, Some(id), _) => {
                let body = json!({ "at_period_end": self.dice.chance(50) });
                drop(self.write(who, "POST", &path(&id, "cancel"), body));
            }
            (_, _, Some(customer)) if known.len() < 6 => {
                let body =
                    json!({ "customer_id": customer, "plan_ids": [self.merchants[who].plan] });
                let made = self.write(who, "POST", "/v1/subscriptions", body);
                assert_eq!(made.status, 201, "{}", made.body);
                self.merchants[who]
                    .subscriptions
                    .push(text(made.data(), "id"));
            }
            _ => {}
        }
    }

    /// The partner maintains the balance of its sub-merchant.
    fn automation(&mut self) {
        if let Some(id) = self.merchants[1].automation {
            let body = json!({ "enabled": self.dice.chance(70) });
            let path = format!("/v1/partners/automations/{id}");
            drop(self.write_for(0, 1, "PATCH", &path, body));
            return;
        }
        let till = self.read(1, "/v1/accounts?limit=100");
        let till = till["items"]
            .as_array()
            .expect("accounts")
            .iter()
            .find(|one| one["account_type"] == "Virtual");
        let path = format!(
            "/v1/partners/accounts/id/{}/automations/maintain-balance",
            till.expect("a till")["id"]
        );
        let body = json!({ "currency": "USDC", "minimum_threshold_amount": 50, "payout_address": WALLET, "payout_threshold_amount": 300 });
        let made = self.write_for(0, 1, "POST", &path, body);
        // It may exist: the list below can hit an injected fault.
        if made.status != 201 {
            assert_eq!(made.refusal(), "409 ALREADY_EXISTS currency");
        }
        let list = self.world.signed(
            &self.merchants[0].shop.clone(),
            Some(self.merchants[1].shop.id),
            "GET",
            "/v1/partners/accounts/till/automations",
            Value::Null,
        );
        self.merchants[1].automation = list.data()["items"][0]["id"].as_i64();
    }

    fn split(&mut self, who: usize) {
        let percent = 1 + self.dice.below(40);
        let address = self.dice.chance(50);
        let mut splits = vec![json!({ "account_ref": "taxes", "pct": percent.to_string() })];
        if address {
            splits.push(json!({ "address": WALLET, "pct": "7.5" }));
        }
        let body = json!({ "reference": "till", "deposit_splits": splits });
        let set = self.write(who, "PATCH", "/v1/accounts/virtual", body);
        assert_eq!(set.status, 200, "{}", set.body);
        let (from, to) = (
            self.merchants[who].places[1].id,
            self.merchants[who].places[2].id,
        );
        self.books.splits.retain(|split| split.from != from);
        self.books.splits.push(super::books::Split {
            from,
            to,
            percent: percent as i128,
        });
    }

    fn webhooks(&mut self, who: usize) {
        if who == 0 {
            return;
        }
        match self.dice.below(3) {
            0 => {
                let body = json!({ "delivery_status": "failed" });
                let shop = self.merchants[who].shop.clone();
                drop(self.world.keyed(&shop, "POST", "/v1/events/replays", body));
            }
            1 => drop(self.write(who, "PUT", "/v1/orgs", json!({ "webhook_url": ENDPOINT }))),
            _ => drop(self.write(who, "PATCH", "/v1/orgs/webhook-secret", Value::Null)),
        }
    }

    /// Tries to read another merchant's records.
    fn snoop(&mut self, who: usize) {
        for (prefix, path) in [
            ("pay_", "/v1/payments/"),
            ("cus_", "/v1/customers/"),
            ("sub_", "/v1/subscriptions/"),
            ("ev_", "/v1/events/"),
        ] {
            if let Some(id) = self.foreign_id(who, prefix) {
                let shop = self.merchants[who].shop.clone();
                let found = self
                    .world
                    .keyed(&shop, "GET", &format!("{path}{id}"), Value::Null);
                assert_eq!(found.refusal(), "404 NOT_FOUND", "{who} reads {id}");
            }
        }
        let other = (who + 1) % self.merchants.len();
        let account = self.random_place(other).id;
        let shop = self.merchants[who].shop.clone();
        let ledger = format!("/v1/accounts/{account}/movement");
        let found = self.world.keyed(&shop, "GET", &ledger, Value::Null);
        assert_eq!(
            found.refusal(),
            "404 NOT_FOUND",
            "{who} reads account {account}"
        );
    }

    fn update(&mut self, who: usize) {
        let customers = self.merchants[who].customers.clone();
        if let Some(id) = self.dice.pick(&customers).cloned() {
            let body = json!({ "name": format!("Payer {}", self.dice.below(1000)) });
            let path = format!("/v1/customers/{id}");
            let answer = self.write(who, "PATCH", &path, body);
            assert_eq!(answer.status, 200, "{}", answer.body);
        }
        let links = self.merchants[who].links.clone();
        if let Some(link) = self.dice.pick(&links).cloned() {
            let body = json!({ "items": [{ "id": link.id, "plan": { "name": format!("Tea {}", self.dice.below(1000)) } }] });
            let answer = self.write(who, "PATCH", "/v1/paylinks/batch", body);
            assert_eq!(answer.status, 200, "{}", answer.body);
        }
    }

    fn let_time_pass(&mut self) {
        let seconds = match self.dice.below(20) {
            0..12 => self.dice.below(8),
            12..17 => self.dice.below(400),
            17 | 18 => 31 * 60,
            _ => self.dice.below(9) * 24 * 60 * 60,
        } as u64;
        self.log.push(format!("{seconds} s pass"));
        if self.dice.chance(75) {
            self.world.pass(Duration::from_secs(seconds));
            return;
        }
        let shop = self.merchants[0].shop.clone();
        let moved = self.world.keyed(
            &shop,
            "POST",
            "/v1/sandbox/clock",
            json!({ "advance_seconds": seconds }),
        );
        assert_eq!(moved.status, 200, "{}", moved.body);
        self.ahead += seconds;
        self.settle();
    }

    /// Runs due work and collects the calls; no call is claimed twice.
    pub(super) fn work(&mut self) {
        let calls = self.world.work();
        let now = self.now();
        self.log.push(format!("work: {} calls", calls.len()));
        for call in calls {
            let event = call.event.to_string();
            let twice = self
                .on_their_way
                .iter()
                .any(|other| other.call.event == call.event && other.until > now);
            assert!(!twice, "{event} is claimed twice");
            self.on_their_way.push(OnItsWay {
                call,
                until: now.plus(Duration::from_secs(60)),
            });
        }
        self.settle();
    }

    /// Updates the model.
    fn settle(&mut self) {
        self.worked_at = self.now();
        self.books.pass(self.worked_at);
    }

    /// Endpoints succeed, fail or do not respond; reports come in any order, some twice.
    fn report_some(&mut self) {
        for _ in 0..self.dice.below(12) {
            if self.on_their_way.is_empty() {
                return;
            }
            let place = self.dice.below(self.on_their_way.len());
            let OnItsWay { call, .. } = self.on_their_way.swap_remove(place);
            // A report of an event ends its other calls.
            self.on_their_way
                .retain(|other| other.call.event != call.event);
            let outcome = match self.dice.below(10) {
                // The host died: no report.
                0 => continue,
                1 => WireOutcome::Failed {
                    error: "connection refused".into(),
                    duration_ms: 3,
                },
                2 => WireOutcome::Answered {
                    status: 500,
                    headers: Vec::new(),
                    body: "no".into(),
                    duration_ms: 3,
                },
                _ => WireOutcome::Answered {
                    status: 204,
                    headers: Vec::new(),
                    body: String::new(),
                    duration_ms: 3,
                },
            };
            if matches!(outcome, WireOutcome::Answered { status: 204, .. }) {
                *self.delivered.entry(call.event.to_string()).or_default() += 1;
            }
            let report = Command::Report {
                organisation: call.organisation,
                event: call.event,
                url: call.url,
                body: call.body,
                outcome,
            };
            if self.dice.chance(5) {
                assert_eq!(self.world.call(report.clone()), Reply::Done);
            }
            assert_eq!(self.world.call(report), Reply::Done);
        }
    }
}
