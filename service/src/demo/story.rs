//! The demo's year: purchases, settlements, failures, refunds, payouts.

use std::time::Duration;

use serde_json::{Value, json};
use settlekit_core::account::{Account, MovementFailure, MovementType};
use settlekit_core::paylink::Source;
use settlekit_core::value::{PaymentId, Timestamp};

use super::catalogue::{FIRST_NAMES, LAST_NAMES, PRODUCTS, Product};
use crate::admin::CreatedOrganisation;
use crate::due::delivery::{self, DeliveryOutcome};
use crate::random::{Random, Seed};
use crate::resources::account::book::{self, Money};
use crate::resources::payment::{self, NewRefund};
use crate::store::destination::Destination;
use crate::store::sql::{Access, Database, StoreError};
use crate::unit::{Refusal, Unit};
use crate::{Service, due, store};

const WEBHOOKS: &str = "https://hooks.northlight.example/settlekit";

/// Confirmation time of a payment on the slowest chain.
const SETTLED: Duration = Duration::from_secs(12);

/// The minimum time until a payer pays, and the maximum of additional seconds.
const PAY_DELAY: Duration = Duration::from_secs(20);
const PAY_DELAY_EXTRA_SECONDS: u64 = 200;

/// The longest checkout.
const CHECKOUT_MAX: Duration =
    Duration::from_secs(PAY_DELAY.as_secs() + PAY_DELAY_EXTRA_SECONDS + SETTLED.as_secs());

/// Payers just before the visitor, and when the first of them starts.
const LAST_PAYERS: u32 = 3;
pub(super) const LAST_MINUTES: Duration = CHECKOUT_MAX.saturating_mul(LAST_PAYERS);

pub(super) struct Story<'a> {
    pub(super) service: &'a Service,
    pub(super) database: &'a mut dyn Database,
    pub(super) merchant: CreatedOrganisation,
    pub(super) partner: CreatedOrganisation,
    pub(super) now: Timestamp,
    pub(super) random: Random,
    paylinks: Vec<(String, &'static Product)>,
    /// Confirmed payments that may be refunded.
    paid: Vec<PaymentId>,
    pub(super) club: Club,
    pub(super) office: Office,
}

/// The state of the coffee club.
#[derive(Clone, Default)]
pub(super) struct Club {
    pub(super) plans: Vec<String>,
    pub(super) members: Vec<String>,
    /// Paylinks of forgotten invoices, and when they will be paid.
    pub(super) forgotten: Vec<(Timestamp, String)>,
    /// Invoices up to this time are processed.
    pub(super) looked: Option<Timestamp>,
}

/// The state of the back office.
#[derive(Clone, Default)]
pub(super) struct Office {
    /// Payout destinations on Base.
    pub(super) destinations: Vec<i64>,
}

/// The script contains no refused request.
fn unexpected(refusal: Refusal) -> StoreError {
    match refusal {
        Refusal::Store(error) => error,
        Refusal::Because {
            reason, message, ..
        } => StoreError::Broken(format!("the demo was refused: {reason}: {message}")),
        Refusal::Invalid(report) => {
            StoreError::Broken(format!("the demo was refused: {:?}", report.errors()))
        }
    }
}

impl<'a> Story<'a> {
    pub(super) fn new(
        service: &'a Service,
        database: &'a mut dyn Database,
        merchant: &CreatedOrganisation,
        partner: &CreatedOrganisation,
        now: Timestamp,
        random: Random,
    ) -> Self {
        Self {
            service,
            database,
            merchant: merchant.clone(),
            partner: partner.clone(),
            now,
            random,
            paylinks: Vec::new(),
            paid: Vec::new(),
            club: Club::default(),
            office: Office::default(),
        }
    }

    /// Runs a part of the story in one transaction, which spares thousands of commits: first in an optimistic one.
    pub(super) fn within(
        &mut self,
        part: impl Fn(&mut Self) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let (now, random) = (self.now, self.random.clone());
        let (paylinks, paid) = (self.paylinks.clone(), self.paid.clone());
        let (club, office) = (self.club.clone(), self.office.clone());
        match self.run(Access::Optimistic, &part) {
            Err(StoreError::Conflict) if self.database.depth() == 0 => {}
            outcome => return outcome,
        }
        (self.now, self.random) = (now, random);
        (self.paylinks, self.paid) = (paylinks, paid);
        (self.club, self.office) = (club, office);
        self.run(Access::Write, &part)
    }

    fn run(
        &mut self,
        access: Access,
        part: &impl Fn(&mut Self) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        self.database.begin(access)?;
        match part(self) {
            Ok(()) => self.database.commit(),
            Err(error) => {
                self.database.rollback()?;
                Err(error)
            }
        }
    }

    pub(super) fn unit(&mut self) -> Unit<'_> {
        let random = Random::new(Seed(self.random.bytes()));
        Unit::new(self.service, &mut *self.database, self.now, random)
    }

    pub(super) fn chance(&mut self, in_a_thousand: u64) -> bool {
        self.random.below(1000) < in_a_thousand
    }

    pub(super) fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[usize::try_from(self.random.below(list.len() as u64)).unwrap_or(0)]
    }

    pub(super) fn text(value: &Value) -> String {
        value.as_str().unwrap_or_default().to_owned()
    }

    /// Accounts on three chains, products as paylinks, a webhook URL, and gas.
    pub(super) fn open_shop(&mut self) -> Result<(), StoreError> {
        let settings = json!({
            "webhook_url": WEBHOOKS,
            "underpay_thresholds": { "underpay_tolerance_usd": 0.05 },
        });
        // Through the API, which requires https.
        self.call("PUT", "/v1/orgs", &settings)?;
        let accounts = [
            json!({ "reference": "shop-eu", "name": "Shop Europe, Base", "chain_id": 8453, "currencies": ["USDC", "EURC", "ETH"] }),
            json!({ "reference": "shop-eu", "name": "Shop Europe, Polygon", "chain_id": 137, "currencies": ["USDC", "USDT", "POL"] }),
            json!({ "reference": "wholesale", "name": "Wholesale, Ethereum", "chain_id": 1, "currencies": ["USDC", "USDT", "ETH"] }),
            json!({ "reference": "treasury", "name": "Treasury, Base", "chain_id": 8453, "currencies": ["USDC", "EURC", "ETH"] }),
        ];
        for account in &accounts {
            self.post("/v1/accounts", account)?;
        }
        let base = self.account("shop-eu", 8453)?.id;
        let tills = json!({ "reference": "roastery-till", "name": "Roastery till", "chain_id": 8453, "currencies": ["USDC"], "parent_account_id": base });
        self.post("/v1/accounts", &tills)?;
        for (account, chain, currency, amount) in [
            ("shop-eu", 8453, "ETH", "0.4"),
            ("shop-eu", 137, "POL", "900"),
            ("wholesale", 1, "ETH", "1.25"),
        ] {
            let gas = json!({ "account": account, "chain_id": chain, "currency": currency, "amount": amount });
            self.post("/v1/sandbox/deposits", &gas)?;
        }
        for product in PRODUCTS {
            let body = json!({
                "amount": product.price, "currency": product.currency, "name": product.name, "description": product.description,
                "available_quantity": product.quantity,
                "after_completion": { "type": "redirect", "redirect_url": "https://northlight.example/thank-you" },
            });
            let paylink = self.post("/v1/paylinks", &body)?;
            self.paylinks.push((Self::text(&paylink["id"]), product));
        }
        let club = json!({
            "amount": "29.00", "currency": "USDC", "name": "Coffee club, monthly", "type": "Recurring", "interval": "Month",
            "trial_period": "P14D", "description": "Two bags a month, chosen by us.",
        });
        self.post("/v1/paylinks", &club)?;
        let sale = self.now.plus(Duration::from_secs(40 * 24 * 60 * 60));
        let spring = json!({ "amount": "11.00", "currency": "USDC", "name": "Spring sale bag", "expires_at": sale });
        self.post("/v1/paylinks", &spring)?;
        let mistake = json!({ "amount": "1650.00", "currency": "USDC", "name": "Kochere, washed, 250 g (wrong price)" });
        let mistake = self.post("/v1/paylinks", &mistake)?;
        self.delete(&format!("/v1/paylinks/{}", Self::text(&mistake["id"])))?;
        self.post(
            "/v1/api-keys",
            &json!({ "name": "web shop", "scopes": ["read", "write"] }),
        )?;
        let old = self.post(
            "/v1/api-keys",
            &json!({ "name": "old till", "scopes": ["read"] }),
        )?;
        self.delete(&format!("/v1/api-keys/{}", Self::text(&old["id"])))?;
        self.open_club()?;
        self.open_office()
    }

    /// One day: payments through the hours, then the operator's evening.
    pub(super) fn day(
        &mut self,
        number: u32,
        begins: Timestamp,
        ends: Timestamp,
    ) -> Result<(), StoreError> {
        let growth = u64::from(number) / 90;
        let weekend = number % 7 >= 5;
        let payments = 2 + growth + self.random.below(if weekend { 6 } else { 4 });
        let mut seconds: Vec<u64> = (0..payments)
            .map(|_| 7 * 3600 + self.random.below(14 * 3600))
            .collect();
        seconds.sort_unstable();
        for second in seconds {
            let at = begins.plus(Duration::from_secs(second));
            if at.plus(CHECKOUT_MAX) > ends || at < self.now {
                continue;
            }
            self.now = at;
            self.checkout()?;
        }
        let evening = begins.plus(Duration::from_secs(22 * 3600));
        if evening < ends && evening >= self.now {
            self.now = evening;
            self.evening(number)?;
            self.deliver()?;
        }
        Ok(())
    }

    fn payer(&mut self) -> Value {
        let first = self.pick(FIRST_NAMES);
        // Some customers return more often than by chance.
        let last = if self.chance(600) {
            LAST_NAMES[first.len() % LAST_NAMES.len()]
        } else {
            self.pick(LAST_NAMES)
        };
        let email = format!(
            "{}.{}@example.com",
            first.to_lowercase(),
            last.to_lowercase()
        );
        json!({ "name": format!("{first} {last}"), "email": email })
    }

    /// Starts a checkout of a new payer.
    pub(super) fn start_checkout(
        &mut self,
        paylink: &str,
        chain: i64,
        currency: &str,
    ) -> Result<Value, StoreError> {
        let mut body = self.payer();
        body["chain_id"] = chain.into();
        body["currency"] = currency.into();
        self.post(&format!("/v1/checkout/{paylink}/payments"), &body)
    }

    fn product(&mut self) -> (String, &'static Product) {
        let mut lot = self
            .random
            .below(PRODUCTS.iter().map(|product| product.share).sum());
        for (id, product) in &self.paylinks {
            if lot < product.share {
                return (id.clone(), product);
            }
            lot -= product.share;
        }
        self.paylinks[0].clone()
    }

    fn checkout(&mut self) -> Result<(), StoreError> {
        let (paylink, _) = self.product();
        let shown = self.get(&format!("/v1/checkout/{paylink}"))?;
        if shown["state"] != "Open" {
            return Ok(());
        }
        let (chain, currency) = self.pick(&[
            (8453, "USDC"),
            (8453, "USDC"),
            (8453, "EURC"),
            (137, "USDC"),
            (137, "USDT"),
            (1, "USDC"),
        ]);
        let started = self.start_checkout(&paylink, chain, currency)?;
        let id = Self::text(&started["payment_id"]);
        let pay = format!("/v1/sandbox/checkout/payments/{id}/pay");
        match self.random.below(1000) {
            // Abandoned.
            0..=89 => return Ok(()),
            90..=109 => {
                self.delete(&format!("/v1/payments/{id}"))?;
                return Ok(());
            }
            // Underpaid by half.
            110..=129 => {
                let half = half_of(&Self::text(&started["amount"]));
                self.post(&pay, &json!({ "amount": half }))?;
            }
            // Overpaid.
            130..=149 => {
                self.post(&pay, &json!({ "amount": "700" }))?;
            }
            _ => {
                self.now = self.now.plus(
                    PAY_DELAY + Duration::from_secs(self.random.below(PAY_DELAY_EXTRA_SECONDS)),
                );
                self.post(&pay, &json!({}))?;
            }
        }
        self.now = self.now.plus(SETTLED);
        due::run_due(&mut self.unit())?;
        if let Ok(id) = id.parse() {
            self.paid.push(id);
        }
        Ok(())
    }

    pub(super) fn account(&mut self, reference: &str, chain: i64) -> Result<Account, StoreError> {
        let missing =
            || StoreError::Broken(format!("the demo has no account {reference} on {chain}"));
        let organisation = self.merchant.id;
        let reference = reference.parse().map_err(|_| missing())?;
        let bundled = store::account::by_reference(&mut *self.database, organisation, &reference)?;
        bundled
            .into_iter()
            .find(|account| account.chain_id.is_some_and(|id| id.get() == chain))
            .ok_or_else(missing)
    }

    /// The available balance of a currency in an account.
    pub(super) fn available(
        &mut self,
        account: &Account,
        currency: &str,
    ) -> Result<i128, StoreError> {
        let balances =
            store::ledger::balances(&mut *self.database, account.org_id, Some(account.id))?;
        Ok(balances
            .iter()
            .find(|balance| balance.currency.as_str() == currency)
            .map_or(0, |balance| balance.posted - balance.reserved))
    }

    fn money(currency: &str, units: i128) -> Result<Money, StoreError> {
        let currency = currency
            .parse()
            .map_err(|_| StoreError::Broken(format!("{currency} is not a currency")))?;
        Ok(Money { currency, units })
    }

    /// Sweeps, swaps, fees, corrections, refunds and payouts on their days.
    fn evening(&mut self, number: u32) -> Result<(), StoreError> {
        due::run_due(&mut self.unit())?;
        let base = self.account("shop-eu", 8453)?;
        let usdc = self.available(&base, "USDC")?;
        if number % 7 == 4 && usdc > 400_000_000 {
            let treasury = self.account("treasury", 8453)?;
            let money = Self::money("USDC", usdc / 10_000_000 * 6_000_000)?;
            book::transfer(&mut self.unit(), &base, &treasury, &money).map_err(unexpected)?;
        }
        if number % 14 == 9 {
            let euros = self.available(&base, "EURC")?;
            if euros > 100_000_000 {
                let sold = Self::money("EURC", euros / 2)?;
                let bought = Self::money("USDC", 0)?.currency;
                book::swap(&mut self.unit(), &base, &sold, &bought).map_err(unexpected)?;
            }
        }
        if number % 30 == 27 && usdc > 60_000_000 {
            book::charge(
                &mut self.unit(),
                &base,
                MovementType::ServiceFee,
                &Self::money("USDC", 29_000_000)?,
                None,
            )
            .map_err(unexpected)?;
        }
        if number % 45 == 40 && self.available(&base, "ETH")? > 10_000_000_000_000_000 {
            let gas = Self::money("ETH", 310_000_000_000_000)?;
            book::charge(
                &mut self.unit(),
                &base,
                MovementType::NetworkFee,
                &gas,
                None,
            )
            .map_err(unexpected)?;
        }
        if number % 90 == 89 {
            book::adjust(&mut self.unit(), &base, &Self::money("USDC", 4_350_000)?)
                .map_err(unexpected)?;
        }
        self.club_evening(number)?;
        self.office_evening(number)?;
        if number % 11 == 6 {
            self.payout(number)?;
        }
        if number % 9 == 5 {
            self.refund(number)?;
        }
        if number % 13 == 2 {
            let till = json!({ "account": "roastery-till", "chain_id": 8453, "currency": "USDC", "amount": format!("{}.50", 40 + number % 60) });
            self.post("/v1/sandbox/deposits", &till)?;
        }
        Ok(())
    }

    fn payout(&mut self, number: u32) -> Result<(), StoreError> {
        let (reference, chain) = if number.is_multiple_of(2) {
            ("treasury", 8453)
        } else {
            ("wholesale", 1)
        };
        let account = self.account(reference, chain)?;
        let available = self.available(&account, "USDC")?;
        if available < 200_000_000 {
            return Ok(());
        }
        if chain == 8453 && number % 66 != 28 {
            return self.pay_out(number, available / 3);
        }
        let to = Destination::recorded(self.new_address()?);
        let money = Self::money("USDC", available / 3)?;
        if chain == 8453 {
            // The withdrawal fails on the chain.
            let sent = book::queue_withdrawal(&mut self.unit(), &account, &money, None, &to, None);
            let sent = sent.map_err(unexpected)?;
            let reverted = &MovementFailure::Reverted;
            book::fail_reserved(&mut self.unit(), &account, &sent, &money, reverted)
                .map_err(unexpected)?;
        } else {
            let cents = money.units / 10_000;
            let body = json!({
                "account": reference, "amount": format!("{}.{:02}", cents / 100, cents % 100), "currency": "USDC",
                "chain_id": chain, "address": to.as_str(),
            });
            self.sign("/v1/payouts", &body)?;
        }
        Ok(())
    }

    fn refund(&mut self, number: u32) -> Result<(), StoreError> {
        let Some(id) = self.paid.pop() else {
            return Ok(());
        };
        let Some(found) =
            store::payment::LISTING.find(&mut *self.database, self.merchant.id, id)?
        else {
            return Ok(());
        };
        let Ok(paid) = payment::scale_of(&mut self.unit(), &found)
            .map(|scale| found.paid_amount.to_units(scale).unwrap_or(0))
        else {
            return Ok(());
        };
        let units = if number.is_multiple_of(2) {
            paid
        } else {
            paid / 2
        };
        // Money already spent cannot be refunded: continue.
        let organisation = self.merchant.id;
        let new = NewRefund {
            units: Some(units),
            to: None,
            reason: Some("arrived damaged".to_owned()),
            source: Source::Dashboard,
            created_by: None,
        };
        let refund = |unit: &mut Unit<'_>| payment::refund(unit, organisation, id, new);
        match self.unit().attempt(refund)? {
            Err(Refusal::Store(error)) => Err(error),
            _ => Ok(()),
        }
    }

    /// The merchant's endpoint accepts most deliveries, fails some, and never accepts a few.
    fn deliver(&mut self) -> Result<(), StoreError> {
        loop {
            let due = delivery::claim(&mut self.unit())?;
            if due.is_empty() {
                return Ok(());
            }
            for call in due {
                let digit = call
                    .message
                    .event
                    .to_string()
                    .bytes()
                    .last()
                    .unwrap_or_default();
                let never = digit == b'7' && call.message.event.to_string().ends_with("77");
                let (status, body) = match (never, self.chance(15)) {
                    (true, _) => (422, "{\"error\":\"unknown order\"}"),
                    (false, true) => (503, "upstream timed out"),
                    (false, false) => (200, "{\"received\":true}"),
                };
                let duration_ms = 40 + u32::try_from(self.random.below(300)).unwrap_or(0);
                let outcome = DeliveryOutcome::Answered {
                    status,
                    headers: Vec::new(),
                    body: body.into(),
                    duration_ms,
                };
                delivery::report(&mut self.unit(), &call.message, &outcome)?;
            }
        }
    }

    /// Work still pending when the visitor arrives, none of it overdue.
    pub(super) fn last_minutes(&mut self, now: Timestamp) -> Result<(), StoreError> {
        self.now = self.now.max(now.minus(LAST_MINUTES));
        for _ in 0..LAST_PAYERS {
            self.checkout()?;
        }
        self.now = now;
        // A checkout in progress.
        let (paylink, _) = self.paylinks[0].clone();
        self.start_checkout(&paylink, 8453, "USDC")?;
        self.deliver()?;
        let treasury = self.account("treasury", 8453)?;
        let available = self.available(&treasury, "USDC")?;
        if available > 10_000_000 {
            let to = Destination::recorded(self.new_address()?);
            let money = Self::money("USDC", available / 5)?;
            book::queue_withdrawal(&mut self.unit(), &treasury, &money, None, &to, None)
                .map_err(unexpected)?;
        }
        // Observed, with too few confirmations.
        let till =
            json!({ "account": "shop-eu", "chain_id": 137, "currency": "USDT", "amount": "85.20" });
        self.post("/v1/sandbox/deposits", &till)?;
        Ok(())
    }
}

/// Half of an amount, rounded down to the cent.
fn half_of(amount: &str) -> String {
    let (whole, cents) = amount.split_once('.').unwrap_or((amount, "0"));
    let cents: i128 = format!("{whole}{:0<2.2}", cents).parse().unwrap_or(0) / 2;
    format!("{}.{:02}", cents / 100, cents % 100)
}
