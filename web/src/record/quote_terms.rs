//! Venue terms of a quote or its trade: expected amount, slippage, price impact, network fee and offers.

use leptos::prelude::*;
use settlekit_core::value::{Amount, Number, Object};

use crate::text::money as words;
use crate::ui::{amount, amount_text};

pub(crate) struct QuoteTerms<'a> {
    pub(crate) properties: Option<&'a Object>,
    /// The number of sold currencies.
    pub(crate) sold: usize,
    /// The bought currency.
    pub(crate) bought: &'a str,
    /// Whether the sold amount is exact, not the bought one.
    pub(crate) sells_exact: bool,
}

impl QuoteTerms<'_> {
    pub(crate) fn expected_amount(&self) -> Option<AnyView> {
        let expected = self.number("expected_amount")?;
        Some(amount(&expected, self.bought).into_any())
    }

    pub(crate) fn slippage(&self) -> Option<AnyView> {
        let bps = self.number("slippage_bps")?;
        Some(words::at_most(&bps.to_string()).into_any())
    }

    pub(crate) fn price_impact(&self) -> Option<AnyView> {
        let bps = self.number("price_impact_bps")?;
        Some(bps.to_string().into_any())
    }

    pub(crate) fn network_fee(&self) -> Option<AnyView> {
        let fee = self.number("network_fee")?;
        let currency = self.properties?.get("network_fee_currency")?.as_str()?;
        Some(words::fee_of_service(&amount_text(&fee, currency)).into_any())
    }

    /// What several venues or routes offer, the best first, and how much less the others give or how much more they take.
    pub(crate) fn offers(&self) -> Option<AnyView> {
        let offers = self.properties?.get("offers")?.as_array()?;
        let mut best = None;
        let mut rows = Vec::new();
        for offer in offers {
            let (sold, venue) = (offer["sell_currency"].as_str()?, offer["venue"].as_str()?);
            let number = serde_json::from_value::<Number>(offer["amount"].clone()).ok()?;
            let offered = Amount::from(number);
            let currency = match self.sells_exact {
                true => self.bought,
                false => sold,
            };
            if offer["chosen"] == true {
                best = Some(offered);
            }
            let (higher, lower) = match self.sells_exact {
                true => (best?, offered),
                false => (offered, best?),
            };
            let apart = higher.minus(lower).ok()?;
            let apart = amount_text(&apart, currency);
            let difference = match (offer["chosen"] == true, self.sells_exact) {
                (true, _) => None,
                (false, true) => Some(words::offer_less(&apart)),
                (false, false) => Some(words::offer_more(&apart)),
            };
            let difference =
                difference.map(|text| view! { " " <span class="quiet">"\u{b7} " {text}</span> });
            let venue = venue.to_owned();
            rows.push(view! { <li>{venue} ": " {amount(&offered, currency)} {difference}</li> });
        }
        // A basket has an offer for each currency.
        (rows.len() > self.sold).then(|| view! { <ol class="quote-offers">{rows}</ol> }.into_any())
    }

    /// A number that only quotes of on-chain exchanges have.
    fn number(&self, name: &str) -> Option<Amount> {
        let value = self.properties?.get(name)?;
        let number = serde_json::from_value::<Number>(value.clone()).ok()?;
        Some(Amount::from(number))
    }
}
