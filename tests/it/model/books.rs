//! The reference model: expected balances and payments, computed in the simplest way.

use std::collections::BTreeMap;

use settlekit_core::value::Timestamp;

/// Decimal places of the currencies that the model uses.
pub(super) fn scale(currency: &str) -> u32 {
    match currency {
        "ETH" | "POL" => 18,
        _ => 6,
    }
}

/// A decimal amount in the currency's smallest unit.
pub(super) fn units(text: &str, currency: &str) -> i128 {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let places = scale(currency) as usize;
    assert!(
        part.len() <= places,
        "{text} {currency} has too many decimal places"
    );
    format!("{whole}{part:0<places$}")
        .parse()
        .expect("an amount")
}

/// Required confirmations; a block takes one second on every chain.
pub(super) fn depth(chain: i64) -> u32 {
    match chain {
        137 => 4,
        _ => 3,
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TransactionState {
    Pending,
    Success,
    Failed,
}

/// A transaction to a shop's address.
#[derive(Debug, Clone)]
pub(super) struct Transaction {
    pub(super) account: i64,
    pub(super) payment: Option<String>,
    pub(super) chain: i64,
    pub(super) hash: String,
    pub(super) to: String,
    pub(super) currency: String,
    pub(super) units: i128,
    /// When the simulated chain sent it; `None` if the test reports it.
    pub(super) sent_at: Option<Timestamp>,
    pub(super) is_from_test_wallet: bool,
    /// Whether it was observed.
    pub(super) seen: bool,
    pub(super) fate: TransactionState,
}

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
    /// The paylink has limited stock: whether a late payment still gets a unit depends on the order.
    pub(super) limited: bool,
    pub(super) refunded: i128,
    /// On its way back.
    pub(super) refunding: i128,
}

/// A percentage of an account's deposits that goes to another account.
#[derive(Debug, Clone, Copy)]
pub(super) struct Split {
    pub(super) from: i64,
    pub(super) to: i64,
    pub(super) percent: i128,
}

/// The model's state of the money.
#[derive(Debug, Default)]
pub(super) struct Books {
    /// Balances by account and currency.
    pub(super) posted: BTreeMap<(i64, String), i128>,
    pub(super) transactions: Vec<Transaction>,
    pub(super) payments: Vec<Payment>,
    pub(super) splits: Vec<Split>,
    /// The tolerated shortfall by shop, in the smallest unit of the stablecoins.
    pub(super) tolerance: Vec<i128>,
}

impl Books {
    pub(super) fn add(&mut self, account: i64, currency: &str, units: i128) {
        *self
            .posted
            .entry((account, currency.to_owned()))
            .or_default() += units;
    }

    /// The sums of a payment's transactions in its currency: not failed, and confirmed.
    pub(super) fn paid(&self, payment: &Payment) -> (i128, i128) {
        let seen = self.transactions.iter().filter(|seen| {
            seen.seen
                && seen.payment.as_deref() == Some(&payment.id)
                && seen.currency == payment.currency
        });
        seen.fold((0, 0), |(all, confirmed), seen| match seen.fate {
            TransactionState::Pending => (all + seen.units, confirmed),
            TransactionState::Success => (all + seen.units, confirmed + seen.units),
            TransactionState::Failed => (all, confirmed),
        })
    }

    /// Confirms a transaction: books and shares it, and advances its payment.
    pub(super) fn confirm(&mut self, place: usize) {
        self.transactions[place].fate = TransactionState::Success;
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
        self.update_payment(seen.payment.as_deref());
    }

    /// Updates a payment from its transactions.
    pub(super) fn update_payment(&mut self, payment: Option<&str>) {
        let Some(place) = self
            .payments
            .iter()
            .position(|one| Some(one.id.as_str()) == payment)
        else {
            return;
        };
        let one = &self.payments[place];
        let (_, confirmed) = self.paid(one);
        let left = confirmed - one.refunding;
        let enough = left > 0 && left + self.tolerance[one.shop] >= one.due;
        let late = matches!(one.status.as_str(), "Expired" | "Failed");
        if enough && (one.status == "Processing" || (late && !one.limited)) {
            self.payments[place].status = "Confirmed".into();
        }
    }

    /// Advances the time, after the service's due work.
    pub(super) fn pass(&mut self, now: Timestamp) {
        for place in 0..self.transactions.len() {
            let seen = &self.transactions[place];
            // A block is mined at each full second.
            let deep = seen
                .sent_at
                .is_some_and(|at| now.seconds() >= at.seconds() + i64::from(depth(seen.chain)));
            if deep && seen.fate == TransactionState::Pending {
                self.confirm(place);
            }
        }
        for place in 0..self.payments.len() {
            let one = &self.payments[place];
            if one.status != "Processing" || one.expires_at > now {
                continue;
            }
            let (all, confirmed) = self.paid(one);
            // Unconfirmed money is awaited.
            if all == confirmed {
                let status = if confirmed > 0 { "Failed" } else { "Expired" };
                self.payments[place].status = status.into();
            }
        }
    }
}
