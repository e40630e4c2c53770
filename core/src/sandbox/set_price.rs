//! `POST /sandbox/prices`.

use crate::error::Reason;
use crate::field::body;
use crate::operation::{Scope, operation};
use crate::validate::{Report, Validate};
use crate::value::record::record;
use crate::value::{Amount, Currency};

/// Decimal places of a simulated price.
const SCALE: u32 = 6;

/// The highest simulated price: a billion US dollars.
const UNITS_MAX: i128 = 10_i128.pow(9 + SCALE);

body! {
    /// The price of a currency from now on.
    SetPriceBody {
        /// Currency symbol.
        currency: Currency,
        /// US dollars per whole unit: above 0, at most a billion, with up to 6 decimal places.
        usd: Amount,
    }
}

impl Validate for SetPriceBody {
    fn validate(&self, report: &mut Report) {
        report.positive("usd", self.usd);
        match self.usd.to_units(SCALE) {
            Ok(..=UNITS_MAX) => {}
            Ok(_) => report.add_error("usd", Reason::AmountTooLarge, "must be at most 1000000000"),
            Err(error) => report.add_error("usd", error.reason(), error.to_string()),
        }
    }
}

record! {
    /// A simulated price.
    SimulatedPrice {
        /// Currency symbol.
        currency: Currency,
        /// US dollars per whole unit.
        usd: Amount,
    }
}

operation! {
    /// Sets the simulated price of a currency for all organisations: values, conversions and quotes use it from now on.
    /// Accepted quotes keep their price.
    SetPrice in "sandbox": POST "/sandbox/prices",
    body: SetPriceBody,
    response: SimulatedPrice,
    SCOPE: Scope::Manage,
    SANDBOX: true,
}
