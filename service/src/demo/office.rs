//! The demo's back office: bundle, destinations, payouts, trades, automations of the partner.

use serde_json::{Value, json};

use super::story::Story;
use crate::chains::simulated;
use crate::store::sql::StoreError;

impl Story<'_> {
    pub(super) fn open_office(&mut self) -> Result<(), StoreError> {
        let bundle = json!({
            "reference": "northlight", "name": "Northlight, all chains",
            "chains": [
                { "chain_id": 8453, "currencies": ["USDC", "EURC", "ETH"] },
                { "chain_id": 137, "currencies": ["USDC", "USDT"] },
                { "chain_id": 1, "currencies": ["USDC"] },
            ],
            "deposit_splits": [{ "account_ref": "treasury", "pct": "20" }],
        });
        let bundle = self.post("/v1/accounts/virtual", &bundle)?;
        for (name, reference, chain) in [
            ("Cold wallet", "cold-wallet", 8453),
            ("Cooperativa El Puente", "el-puente", 8453),
            ("Green coffee importer", "importer", 1),
        ] {
            let address = self.new_address()?;
            let body = json!({ "type": "Digital", "name": name, "reference": reference, "address": address, "chain_id": chain, "currencies": ["USDC"] });
            let made = self.sign("/v1/accounts/external-account", &body)?;
            if let (8453, Some(id)) = (chain, made["id"].as_i64()) {
                self.office.destinations.push(id);
            }
        }
        let bank = json!({ "type": "Fiat", "name": "House bank", "reference": "house-bank", "currencies": ["EUR"], "payment_rail": "SEPA",
            "country": "DE", "beneficiary_type": "business", "bank_name": "Bank am Hafen",
            "account_holder_name": "Northlight Coffee Roasters", "account_number": "DE89370400440532013000" });
        self.sign("/v1/accounts/external-account", &bank)?;
        let wallet = self.new_address()?;
        let keep = json!({ "currency": "USDC", "minimum_threshold_amount": 150, "payout_threshold_amount": 900, "payout_address": wallet });
        let path = format!(
            "/v1/partners/accounts/id/{}/automations/maintain-balance",
            bundle["id"]
        );
        self.sign_for(&path, &keep)?;
        Ok(())
    }

    /// An external address on the simulated chain.
    pub(super) fn new_address(&mut self) -> Result<String, StoreError> {
        let simulation = self.service.options().mode.simulation();
        let simulation = simulation
            .ok_or_else(|| StoreError::NotConnected("the demo needs a sandbox".to_owned()))?;
        Ok(simulated::new_address(simulation, &mut self.unit()))
    }

    pub(super) fn office_evening(&mut self, number: u32) -> Result<(), StoreError> {
        if number % 10 == 7 {
            // A café pays its month by transfer.
            let chain = self.pick(&[8453, 8453, 137]);
            let amount = format!("{}.00", 180 + self.random.below(240));
            let deposit = json!({ "account": "northlight", "chain_id": chain, "currency": "USDC", "amount": amount });
            self.post("/v1/sandbox/deposits", &deposit)?;
        }
        if number % 6 == 1 {
            self.trade(number)?;
        }
        Ok(())
    }

    /// Pays out USDC on Base to a stored destination.
    pub(super) fn pay_out(&mut self, number: u32, units: i128) -> Result<(), StoreError> {
        let to = self.pick(&self.office.destinations.clone());
        let treasury = self.account("treasury", 8453)?;
        let body = json!({
            "account": treasury.id.to_string(), "amount": format!("{}.{:02}", units / 1_000_000, units / 10_000 % 100),
            "currency": "USDC", "external_account_id": to, "reference": format!("harvest-{number}"),
        });
        self.sign("/v1/payouts", &body)?;
        Ok(())
    }

    /// Sells some revenue for ether: quoted, then accepted, rejected or expired.
    fn trade(&mut self, number: u32) -> Result<(), StoreError> {
        let treasury = self.account("treasury", 8453)?;
        let amount = 40 + self.random.below(160);
        if self.available(&treasury, "USDC")? < i128::from(amount) * 1_000_000 {
            return Ok(());
        }
        if number % 18 == 13 {
            let body = json!({ "account_id": treasury.id, "amount": amount.to_string(), "currency": "USDC",
                "to_currency": "EURC", "reference": format!("euros-{number}") });
            self.post("/v1/trade/quicktrade", &body)?;
            return Ok(());
        }
        let asked = format!(
            "/v1/trade/quote?sell_currency=USDC&sell_chain_ids=8453&sell_amount={amount}&buy_currency=ETH&account_id={}&deposit_method=Balance",
            treasury.id
        );
        let quote = self.get(&asked)?;
        let path = format!("/v1/trade/quote/{}", Self::text(&quote["id"]));
        match self.random.below(10) {
            0..=5 => {
                let body = json!({ "reference": format!("hedge-{number}") });
                self.post(&format!("{path}/accept"), &body)?;
            }
            6 | 7 => {
                self.post(&format!("{path}/reject"), &Value::Null)?;
            }
            // The quote expires.
            _ => {}
        }
        Ok(())
    }
}
