//! Invariants checked after each step.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use serde_json::Value;
use settlekit_core::value::Timestamp;
use settlekit_tests::world::{number, text};

use super::books::{Transaction, TransactionState, units};
use super::run::Run;

/// Events per page: a step creates few.
const PAGE: u64 = 10;

/// The id of a record, the key of its latest event.
fn id_of(data: &Value) -> String {
    for name in ["order_id", "id"] {
        match &data[name] {
            Value::String(id) => return id.clone(),
            Value::Number(id) => return id.to_string(),
            _ => {}
        }
    }
    String::new()
}

/// The kind of record of an event; one type may cover several.
fn kind_of(kind: &str, data: &Value) -> String {
    let part = [
        "direction",
        "order_id",
        "account_type",
        "action_type",
        "payment_rail",
        "mode",
    ]
    .into_iter()
    .find(|name| !data[*name].is_null())
    .unwrap_or_default();
    format!("{kind} {part}")
}

impl Run {
    /// Reads a merchant's events up to the latest, and keeps the latest state of each record.
    pub(super) fn catch_up(&mut self, who: usize) {
        loop {
            let known = self.merchants[who].events;
            let page = self.read(
                who,
                &format!("/v1/events?sort=asc&limit={PAGE}&page={}", known / PAGE + 1),
            );
            let total = page["total"].as_u64().expect("a total");
            let items = page["items"].as_array().expect("items");
            for item in items
                .iter()
                .skip(usize::try_from(known % PAGE).expect("small"))
            {
                self.merchants[who].events += 1;
                assert_eq!(
                    item["event_id"], self.merchants[who].events,
                    "events are numbered without a gap"
                );
                self.record_event(who, item["type"].as_str().expect("a type"), &item["data"]);
            }
            if self.merchants[who].events == total {
                return;
            }
        }
    }

    fn record_event(&mut self, who: usize, kind: &str, data: &Value) {
        let key = (kind_of(kind, data), id_of(data));
        let before = self.merchants[who].latest.insert(key, data.clone());
        if let Some(before) = &before {
            self.sum(who, before, -1);
        }
        self.sum(who, data, 1);
        let was = |name: &str| {
            before
                .as_ref()
                .map(|before| before[name].clone())
                .unwrap_or_default()
        };
        let status = data["status"].as_str().unwrap_or_default();
        let moved = was("status") != data["status"];
        let text = |name: &str| data[name].as_str().unwrap_or_default();
        if kind == "Payment" && data["payment_method"] == "Payout" && moved {
            match status {
                "Pending" => self.merchants[who].payouts.push(text("id").to_owned()),
                "Processing" => self.payout_sent(data),
                "Confirmed" => self.payout_booked(who, data),
                _ => {}
            }
            if let Some(refunded) = data["parent_id"].as_str() {
                let amount = units(text("amount"), "USDC");
                self.refund_moved(refunded, status, amount);
            }
        }
        if data["order_id"].is_string() && status == "Settled" && moved {
            let account = number(data, "account_id");
            let (sold, bought) = (text("from_currency"), text("to_currency"));
            self.books
                .add(account, sold, -units(text("from_amount"), sold));
            let target = data["settlement_instruction"]["account_id"]
                .as_i64()
                .unwrap_or(account);
            self.books
                .add(target, bought, units(text("to_amount"), bought));
        }
    }

    /// Adds a record to the sums of its merchant, or subtracts it.
    fn sum(&mut self, who: usize, latest: &Value, sign: i128) {
        let merchant = &mut self.merchants[who];
        let text = |name: &str| latest[name].as_str();
        if let (Some(link), Some(id)) = (latest["payment_link"]["id"].as_str(), text("id")) {
            let taken = merchant.taken.entry(link.to_owned()).or_default();
            let holds = matches!(
                text("status"),
                Some("Processing" | "Confirmed" | "Refunded" | "PartialRefunded")
            );
            if holds && sign > 0 {
                taken.insert(id.to_owned());
            } else {
                taken.remove(id);
            }
        }
        let Some(direction) = text("direction") else {
            return;
        };
        let (sums, sign) = match (direction, text("status").expect("a status")) {
            ("IN", "Confirmed" | "Refunded" | "PartialRefunded") => (&mut merchant.posted, sign),
            ("OUT", "Confirmed") => (&mut merchant.posted, -sign),
            ("OUT", "Pending" | "Processing") => (&mut merchant.reserved, sign),
            _ => return,
        };
        let account = number(latest, "account_id");
        let parts = [
            text("amount").zip(text("currency")),
            text("fee").zip(text("fee_currency")),
        ];
        for (amount, currency) in parts.into_iter().flatten() {
            *sums.entry((account, currency.to_owned())).or_default() +=
                sign * units(amount, currency);
        }
    }

    /// Moves the money of a refund's payout on its payment.
    fn refund_moved(&mut self, payment: &str, status: &str, amount: i128) {
        let mut payments = self.books.payments.iter();
        let place = payments.position(|one| one.id == payment);
        let place = place.expect("a payment of the model");
        let one = &mut self.books.payments[place];
        match status {
            "Pending" => one.refunding += amount,
            "Confirmed" => {
                one.refunding -= amount;
                one.refunded += amount;
                let (_, confirmed) = self.books.paid(&self.books.payments[place].clone());
                let one = &mut self.books.payments[place];
                one.status = match one.refunded >= confirmed {
                    true => "Refunded",
                    false => "PartialRefunded",
                }
                .into();
            }
            "Failed" => {
                one.refunding -= amount;
                self.books.update_payment(Some(payment));
            }
            _ => {}
        }
    }

    /// Records a sent payout, whose target may be in the model.
    fn payout_sent(&mut self, payout: &Value) {
        let to = payout["payout_splits"][0]["address"]
            .as_str()
            .expect("an address")
            .to_lowercase();
        let chain = number(payout, "chain_id");
        let found = self.merchants.iter().find_map(|merchant| {
            let place = merchant
                .places
                .iter()
                .find(|place| place.chain == chain && place.address.to_lowercase() == to)?;
            Some(place.clone())
        });
        let Some(place) = found else { return };
        let sent = &payout["settlement_transaction"];
        let currency = text(payout, "currency");
        self.books.transactions.push(Transaction {
            account: place.id,
            payment: None,
            chain,
            hash: text(sent, "transaction_hash"),
            to: place.address,
            units: units(payout["amount"].as_str().expect("an amount"), &currency),
            currency,
            sent_at: Some(
                sent["created_at"]
                    .as_str()
                    .expect("a timestamp")
                    .parse::<Timestamp>()
                    .expect("a timestamp"),
            ),
            is_from_test_wallet: false,
            seen: true,
            fate: TransactionState::Pending,
        });
        self.books.pass(self.worked_at);
    }

    fn payout_booked(&mut self, who: usize, payout: &Value) {
        let account = number(&payout["from_account"], "id");
        let currency = text(payout, "currency");
        let movement = self.merchants[who]
            .latest
            .values()
            .find(|latest| latest["entity_id"] == payout["id"] && latest["type"] == "Withdraw");
        let movement = movement.expect("a payout has its movement").clone();
        let fee_currency = text(&movement, "fee_currency");
        self.books.add(
            account,
            &currency,
            -units(payout["amount"].as_str().expect("an amount"), &currency),
        );
        self.books.add(
            account,
            &fee_currency,
            -units(movement["fee"].as_str().expect("a fee"), &fee_currency),
        );
    }

    /// Checks the invariants after a step.
    pub(super) fn check(&mut self, step: usize) {
        let before: Vec<u64> = self.merchants.iter().map(|one| one.events).collect();
        for who in 0..self.merchants.len() {
            self.catch_up(who);
        }
        // One merchant's events may have added transactions of another.
        for (who, before) in before.into_iter().enumerate() {
            if self.merchants[who].events != before || step.is_multiple_of(40) {
                self.check_balances(who);
            }
        }
        self.check_payments(step.is_multiple_of(25));
        for who in 0..self.merchants.len() {
            self.check_lists(who, step.is_multiple_of(40));
        }
        assert_eq!(self.world.differences(), Vec::<String>::new());
        self.world.recording.clear();
        let old = self.log.len().saturating_sub(60);
        self.log.drain(..old);
    }

    /// Balances equal the sum of the events' movements, and the model.
    fn check_balances(&mut self, who: usize) {
        let merchant = &self.merchants[who];
        let (mut posted, reserved) = (merchant.posted.clone(), merchant.reserved.clone());
        let accounts: Vec<(i64, i64)> = self.merchants[who]
            .places
            .iter()
            .map(|place| (place.id, place.chain))
            .collect();
        let expected: BTreeMap<_, _> = self
            .books
            .posted
            .iter()
            .filter(|((account, _), sum)| {
                **sum != 0 && accounts.iter().any(|(id, _)| id == account)
            })
            .map(|(key, sum)| (key.clone(), *sum))
            .collect();
        posted.retain(|_, sum| *sum != 0);
        assert_eq!(
            posted, expected,
            "merchant {who}: the events' sums, and the model"
        );
        let shown = self.read(who, "/v1/overview");
        for balance in shown["balances"].as_array().expect("balances") {
            let chain = number(&balance["chain"], "id");
            let currency = text(balance, "currency");
            let of = |sums: &BTreeMap<(i64, String), i128>| -> i128 {
                sums.iter()
                    .filter(|((account, name), _)| {
                        *name == currency && accounts.contains(&(*account, chain))
                    })
                    .map(|(_, sum)| *sum)
                    .sum()
            };
            let shown = |name: &str| units(balance[name].as_str().expect("an amount"), &currency);
            assert_eq!(
                (shown("posted"), shown("reserved")),
                (of(&posted), of(&reserved)),
                "merchant {who}: {currency} on {chain}"
            );
            assert!(shown("available") >= 0, "merchant {who}: {balance}");
        }
    }

    /// Payments have the model's status, and nothing is oversold.
    fn check_payments(&mut self, all: bool) {
        let count = self.books.payments.len();
        let first = if all { 0 } else { count.saturating_sub(12) };
        for place in first..count {
            let one = self.books.payments[place].clone();
            let latest = self.merchants[one.shop]
                .latest
                .get(&("Payment ".to_owned(), one.id.clone()));
            let latest = latest.expect("a payment has an event").clone();
            let status = text(&latest, "status");
            let (paid, confirmed) = self.books.paid(&one);
            if one.limited
                && status == "Confirmed"
                && matches!(one.status.as_str(), "Expired" | "Failed")
            {
                assert!(
                    confirmed + self.books.tolerance[one.shop] >= one.due,
                    "{} was sold unpaid",
                    one.id
                );
                self.books.payments[place].status = "Confirmed".into();
            } else {
                assert_eq!(
                    status, one.status,
                    "{}: {paid} paid, {confirmed} confirmed of {}",
                    one.id, one.due
                );
            }
            assert_eq!(
                units(latest["paid_amount"].as_str().expect("an amount"), "USDC"),
                paid,
                "{}",
                one.id
            );
        }
        for who in 0..self.merchants.len() {
            for link in self.merchants[who].links.clone() {
                let Some(quantity) = link.quantity else {
                    continue;
                };
                let taken = self.merchants[who].taken.get(&link.id);
                let taken = taken.map_or(0, BTreeSet::len);
                assert!(
                    taken as i64 <= quantity,
                    "{} of {quantity} of {} are sold",
                    taken,
                    link.id
                );
                let latest = self.merchants[who].latest.iter();
                let open = latest.filter(|((kind, _), data)| {
                    kind == "Payment "
                        && data["payment_link"]["id"] == link.id.as_str()
                        && data["status"] == "Processing"
                });
                let open = open.count();
                let shop = self.merchants[who].shop.clone();
                let plan = self.world.read(&shop, &format!("/v1/paylinks/{}", link.id));
                assert_eq!(
                    plan["plan"]["held_quantity"], open,
                    "what is held of {}",
                    link.id
                );
            }
        }
    }

    /// Every listed record equals its latest event: nothing changes without one. Checks the newest of each list, or all.
    fn check_lists(&mut self, who: usize, all: bool) {
        const LISTS: &[(&str, &str)] = &[
            ("Payment", "/v1/payments"),
            ("Payment", "/v1/payouts"),
            ("MerchantContract", "/v1/paylinks"),
            ("Plan", "/v1/plan"),
            ("Customer", "/v1/customers"),
            ("Subscription", "/v1/subscriptions"),
            ("Invoice", "/v1/invoices"),
            ("Account", "/v1/accounts"),
            ("Transaction", "/v1/trade/orders"),
            ("Transaction", "/v1/accounts/till/movement"),
            ("Transaction", "/v1/movements"),
        ];
        // Nested records have events of their own.
        const INNER: &[&str] = &["plan", "payment_link", "customer"];
        // Derived from other records or the time.
        const DERIVED: &[&str] = &[
            "state",
            "payments_count",
            "spent_usd",
            "balance_usd",
            "reserved_usd",
            "period_end",
            "trial_ends_at",
            "last_payment_date",
            "guest",
            "is_deleted",
        ];
        let limit = if all { 100 } else { 5 };
        for (kind, path) in LISTS {
            let mut page = 1;
            let mut seen = 0;
            loop {
                let found = self.read(who, &format!("{path}?limit={limit}&page={page}"));
                for item in found["items"].as_array().expect("items") {
                    seen += 1;
                    let key = (kind_of(kind, item), id_of(item));
                    let Some(latest) = self.merchants[who].latest.get(&key) else {
                        panic!("{path}: no event of {item}");
                    };
                    for (name, value) in item.as_object().expect("a record") {
                        if INNER.contains(&name.as_str()) || DERIVED.contains(&name.as_str()) {
                            continue;
                        }
                        let of_event = match name.as_str() {
                            "customer_ident" => "reference",
                            "organisation_id" => "org_id",
                            name => name,
                        };
                        assert_eq!(*value, latest[of_event], "{path} {key:?}: {name}");
                    }
                }
                if !all {
                    break;
                }
                let Some(next) = found["next"].as_u64() else {
                    assert_eq!(found["total"], seen, "{path}: total");
                    break;
                };
                page = next;
            }
        }
        let mut due: Vec<(String, String)> = Vec::new();
        for latest in self.merchants[who]
            .latest
            .values()
            .filter(|latest| latest["dunning_status"].is_string())
        {
            due.push((
                latest["properties"]["subscription_id"].to_string(),
                latest["due_at"].to_string(),
            ));
        }
        let all = due.len();
        due.sort();
        due.dedup();
        assert_eq!(due.len(), all, "merchant {who}: a period was billed twice");
    }

    /// Finally all endpoints succeed: everything is delivered, and the books balance.
    pub(super) fn finish(&mut self) {
        for who in 1..self.merchants.len() {
            let shop = self.merchants[who].shop.clone();
            let set = self.world.keyed(
                &shop,
                "PUT",
                "/v1/orgs",
                serde_json::json!({ "webhook_url": super::run::ENDPOINT }),
            );
            assert_eq!(set.status, 200, "{}", set.body);
        }
        for _ in 0..40 {
            self.world.pass(Duration::from_secs(27 * 60 * 60));
            loop {
                let calls = self.world.work();
                if calls.is_empty() {
                    break;
                }
                for call in calls {
                    self.world.report(&call, 204);
                    *self.delivered.entry(call.event.to_string()).or_default() += 1;
                }
            }
            self.world.recording.clear();
            let waiting = (0..self.merchants.len())
                .any(|who| self.read(who, "/v1/overview")["deliveries_pending"] != 0);
            if !waiting {
                break;
            }
        }
        for who in 1..self.merchants.len() {
            let overview = self.read(who, "/v1/overview");
            assert_eq!(overview["deliveries_pending"], 0, "merchant {who}");
            let page = self.read(who, "/v1/events?delivery_status=succeeded&limit=100");
            for item in page["items"].as_array().expect("items") {
                assert!(
                    self.delivered
                        .contains_key(item["id"].as_str().expect("an id")),
                    "{item} was not delivered"
                );
            }
        }
        assert_eq!(self.world.differences(), Vec::<String>::new());
    }
}
