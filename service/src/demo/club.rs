//! The demo's coffee club: subscriptions, payments, late payments, pauses and cancellations.

use std::time::Duration;

use serde_json::{Value, json};
use settlekit_core::value::Timestamp;

use super::story::Story;
use crate::store::sql::StoreError;

const MEMBERS_MAX: usize = 45;

/// The delay after which a forgotten invoice is paid, if ever.
const REMEMBERS: Duration = Duration::from_secs(6 * 24 * 60 * 60);

impl Story<'_> {
    pub(super) fn open_club(&mut self) -> Result<(), StoreError> {
        for plan in [
            json!({ "name": "Roaster's choice", "price": "29.00", "currency": "USDC", "type": "Recurring", "recurring_interval": "Month",
                "trial_period": "P30D", "description": "Two bags a month, chosen by us. The first month is ours." }),
            json!({ "name": "Office kilo", "price": "76.00", "currency": "USDC", "type": "Recurring", "recurring_interval": "Week",
                "recurring_interval_count": 2, "description": "Two kilos of espresso every other week." }),
            json!({ "name": "Green sample, quarterly", "price": "54.50", "currency": "EURC", "type": "Recurring", "recurring_interval": "Month",
                "recurring_interval_count": 3, "description": "Unroasted lots, before anybody else." }),
        ] {
            let made = self.post("/v1/plan", &plan)?;
            self.club.plans.push(Self::text(&made["id"]));
        }
        Ok(())
    }

    pub(super) fn club_evening(&mut self, number: u32) -> Result<(), StoreError> {
        self.pay_invoices()?;
        if number % 8 == 5 && self.club.members.len() < MEMBERS_MAX {
            self.join(number)?;
        }
        if number % 31 == 30 && self.club.members.len() > 4 {
            self.leave(number)?;
        }
        Ok(())
    }

    /// An existing customer subscribes.
    fn join(&mut self, number: u32) -> Result<(), StoreError> {
        let page = 1 + number / 60;
        let customers = self.get(&format!("/v1/customers?limit=10&page={page}"))?;
        let Some(list) = customers["items"]
            .as_array()
            .filter(|list| !list.is_empty())
        else {
            return Ok(());
        };
        let at = usize::try_from(self.random.below(list.len() as u64)).unwrap_or(0);
        let plan = self.club.plans
            [usize::try_from(number / 8).unwrap_or(0) % self.club.plans.len()]
        .clone();
        let body = json!({ "customer_id": list[at]["id"], "plan_ids": [plan], "reference": format!("club-{number}") });
        let made = self.post("/v1/subscriptions", &body)?;
        self.club.members.push(Self::text(&made["id"]));
        Ok(())
    }

    /// One member cancels at once, one at the end of the period, one pauses.
    fn leave(&mut self, number: u32) -> Result<(), StoreError> {
        let (path, status) = loop {
            if self.club.members.len() < 2 {
                return Ok(());
            }
            let member = self.club.members.remove(1);
            let path = format!("/v1/subscriptions/{member}");
            let found = self.get(&path)?;
            let status = Self::text(&found["status"]);
            // Unpaid subscriptions do not count.
            if matches!(status.as_str(), "Active" | "InTrial") {
                break (path, status);
            }
        };
        match number / 31 % 3 {
            0 => self.post(&format!("{path}/cancel"), &json!({}))?,
            1 => self.post(&format!("{path}/cancel"), &json!({ "at_period_end": true }))?,
            _ if status == "Active" => self.post(&format!("{path}/pause"), &Value::Null)?,
            _ => Value::Null,
        };
        Ok(())
    }

    /// Most members pay on the day they are billed, some a few days later, a few never.
    fn pay_invoices(&mut self) -> Result<(), StoreError> {
        let since = self.club.looked.unwrap_or(self.now);
        self.club.looked = Some(self.now.plus(Duration::from_micros(1)));
        let target = format!(
            "/v1/invoices?limit=100&sort=asc&since={}",
            since.to_string().replace('+', "%2B")
        );
        let new = self.get(&target)?;
        for invoice in new["items"].as_array().into_iter().flatten() {
            let link = Self::text(&invoice["properties"]["payment_link_id"]);
            if self.chance(940) {
                self.pay_invoice(&link)?;
            } else if self.chance(600) {
                self.club.forgotten.push((self.now.plus(REMEMBERS), link));
            }
        }
        let now = self.now;
        let forgotten = std::mem::take(&mut self.club.forgotten);
        let (due, later) = forgotten.into_iter().partition(|(at, _)| *at <= now);
        self.club.forgotten = later;
        let due: Vec<(Timestamp, String)> = due;
        for (_, link) in due {
            self.pay_invoice(&link)?;
        }
        Ok(())
    }

    fn pay_invoice(&mut self, link: &str) -> Result<(), StoreError> {
        let shown = self.get(&format!("/v1/checkout/{link}"))?;
        if shown["state"] != "Open" {
            return Ok(());
        }
        let started = self.start_checkout(link, 8453, "USDC")?;
        let pay = format!(
            "/v1/sandbox/checkout/payments/{}/pay",
            Self::text(&started["payment_id"])
        );
        self.post(&pay, &json!({}))?;
        Ok(())
    }
}
