//! The reference model: what balances and payments must come to, computed in the plainest way.

use std::collections::BTreeMap;
use std::time::Duration;

use settlekit_core::value::Timestamp;

/// Decimal places of a currency on a chain, as far as the model trades in them.
pub(super) fn scale(currency: &str) -> u32 {
    match currency {
        "ETH" | "POL" => 18,
        _ => 6,
    }
}

/// An amount as written, in the currency's smallest unit.
pub(super) fn units(text: &str, currency: &str) -> i128 {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let places = scale(currency) as usize;
    assert!(part.len() <= places, "{text} {currency} is too fine");
    format!("{whole}{part:0<places$}")
        .parse()
        .expect("an amount")
}

/// Blocks until a transaction counts; a block takes a second on every chain.
pub(super) fn depth(chain: i64) -> u32 {
    match chain {
        137 => 4,
        _ => 3,
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    Pending,
    Success,
    Failed,
}

/// A transaction on a chain to an address of a shop.
#[derive(Debug, Clone)]
pub(super) struct Transaction {
    pub(super) account: i64,
    pub(super) payment: Option<String>,
    pub(super) chain: i64,
    pub(super) hash: String,
    pub(super) to: String,
    pub(super) currency: String,
    pub(super) units: i128,
    /// When the simulated chain took it; none when it is the driver that observes it.
    pub(super) sent_at: Option<Timestamp>,
    /// Whether anybody has seen it yet.
    pub(super) seen: bool,
    pub(super) fate: Fate,
}

/// A payment.
#[derive(Debug, Clone)]
pub(super) struct Payment {
    pub(super) shop: usize,
    pub(super) id: String,
    pub(super) chain: i64,
    pub(super) account: i64,
    pub(super) address: String,
    pub(super) currency: String,
    pub(super) due: i128,
    pub(super) expires_at: Timestamp,
    pub(super) status: String,
    /// Of a link with a limited quantity: whether a late one still buys something is decided by who came first.
    pub(super) limited: bool,
    pub(super) refunded: i128,
}

/// Part of every deposit on an account that goes to another one, in percent.
#[derive(Debug, Clone, Copy)]
pub(super) struct Split {
    pub(super) from: i64,
    pub(super) to: i64,
    pub(super) percent: i128,
}

/// Everything the model knows about money.
#[derive(Debug, Default)]
pub(super) struct Books {
    /// What is booked, by account and currency.
    pub(super) posted: BTreeMap<(i64, String), i128>,
    pub(super) transactions: Vec<Transaction>,
    pub(super) payments: Vec<Payment>,
    pub(super) splits: Vec<Split>,
    /// What may be missing, in the smallest unit of the stable currencies, by shop.
    pub(super) tolerance: Vec<i128>,
}

impl Books {
    pub(super) fn add(&mut self, account: i64, currency: &str, units: i128) {
        *self
            .posted
            .entry((account, currency.to_owned()))
            .or_default() += units;
    }

    /// What was paid in a payment's currency and did not fail, and how much of it is confirmed.
    pub(super) fn paid(&self, payment: &Payment) -> (i128, i128) {
        let seen = self.transactions.iter().filter(|seen| {
            seen.seen
                && seen.payment.as_deref() == Some(&payment.id)
                && seen.currency == payment.currency
        });
        seen.fold((0, 0), |(all, confirmed), seen| match seen.fate {
            Fate::Pending => (all + seen.units, confirmed),
            Fate::Success => (all + seen.units, confirmed + seen.units),
            Fate::Failed => (all, confirmed),
        })
    }

    /// A transaction lies deep enough: it is booked and shared out, and its payment goes on.
    pub(super) fn confirm(&mut self, place: usize) {
        self.transactions[place].fate = Fate::Success;
        let seen = self.transactions[place].clone();
        self.add(seen.account, &seen.currency, seen.units);
        let splits: Vec<Split> = self
            .splits
            .iter()
            .filter(|split| split.from == seen.account)
            .copied()
            .collect();
        for split in splits {
            let share = seen.units * split.percent / 100;
            self.add(split.from, &seen.currency, -share);
            self.add(split.to, &seen.currency, share);
        }
        self.go_on(seen.payment.as_deref());
    }

    /// A payment looks at what has arrived.
    pub(super) fn go_on(&mut self, payment: Option<&str>) {
        let Some(place) = self
            .payments
            .iter()
            .position(|one| Some(one.id.as_str()) == payment)
        else {
            return;
        };
        let one = &self.payments[place];
        let (_, confirmed) = self.paid(one);
        let enough = confirmed > 0 && confirmed + self.tolerance[one.shop] >= one.due;
        let late = matches!(one.status.as_str(), "Expired" | "Failed");
        if enough && (one.status == "Processing" || (late && !one.limited)) {
            self.payments[place].status = "Confirmed".into();
        }
    }

    /// Time has come to a moment, and the service has done its work.
    pub(super) fn pass(&mut self, now: Timestamp) {
        for place in 0..self.transactions.len() {
            let seen = &self.transactions[place];
            let deep = seen.sent_at.is_some_and(|at| {
                now >= at.plus(Duration::from_secs(u64::from(depth(seen.chain))))
            });
            if deep && seen.fate == Fate::Pending {
                self.confirm(place);
            }
        }
        for place in 0..self.payments.len() {
            let one = &self.payments[place];
            if one.status != "Processing" || one.expires_at > now {
                continue;
            }
            let (all, confirmed) = self.paid(one);
            // Money on its way is waited for.
            if all == confirmed {
                let status = if confirmed > 0 { "Failed" } else { "Expired" };
                self.payments[place].status = status.into();
            }
        }
    }
}
