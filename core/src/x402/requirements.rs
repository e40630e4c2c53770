//! The payments that a resource accepts.

use serde_json::{Value, json};

use super::{EXACT, Failure, Network, Version, text};
use crate::value::ChainId;

/// A transfer that a resource accepts as its payment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Requirements {
    /// The chain.
    pub chain: ChainId,
    /// The token's contract.
    pub asset: String,
    /// The amount in the token's smallest unit.
    pub amount: String,
    /// The receiver.
    pub pay_to: String,
    /// The token's name in its signed messages (EIP-712).
    pub domain_name: String,
    /// Its version in them.
    pub domain_version: String,
}

/// A resource that can be paid for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resource {
    /// Its URL.
    pub url: String,
    /// A description for people.
    pub description: String,
}

/// The seconds that a client's transfer is to be valid for.
const TIMEOUT_SECONDS: u32 = 300;

impl Requirements {
    /// Reads the requirements that a facilitator is given. The domain of the token's messages is left empty.
    ///
    /// # Errors
    /// If they are not those of a transfer that this service can execute.
    pub fn read(version: Version, given: &Value) -> Result<Self, Failure> {
        let malformed = Failure::RequirementsMismatch;
        if text(given, "scheme").ok_or(malformed)? != EXACT {
            return Err(Failure::UnsupportedScheme);
        }
        let network = text(given, "network").ok_or(malformed)?;
        let amount = match version {
            Version::One => "maxAmountRequired",
            Version::Two => "amount",
        };
        let member = |name| text(given, name).map(str::to_owned).ok_or(malformed);
        Ok(Self {
            chain: Network::from_name(version, network)
                .ok_or(Failure::UnknownNetwork)?
                .0,
            asset: member("asset")?,
            amount: member(amount)?,
            pay_to: member("payTo")?,
            domain_name: String::new(),
            domain_version: String::new(),
        })
    }

    /// Whether both ask for the same transfer.
    pub fn is_same_transfer(&self, other: &Self) -> bool {
        self.chain == other.chain
            && self.amount == other.amount
            && self.asset.eq_ignore_ascii_case(&other.asset)
            && self.pay_to.eq_ignore_ascii_case(&other.pay_to)
    }

    /// The requirements as JSON; `None` if the version has no name for the chain.
    fn to_json(&self, version: Version, resource: &Resource) -> Option<Value> {
        let network = Network(self.chain).name(version)?;
        let mut json = json!({
            "scheme": EXACT,
            "network": network,
            "asset": self.asset,
            "payTo": self.pay_to,
            "maxTimeoutSeconds": TIMEOUT_SECONDS,
            "extra": {"name": self.domain_name, "version": self.domain_version},
        });
        let members = json.as_object_mut()?;
        let mut add = |name: &str, text: &str| members.insert(name.to_owned(), text.into());
        match version {
            Version::One => {
                add("maxAmountRequired", &self.amount);
                add("resource", &resource.url);
                add("description", &resource.description);
                add("mimeType", "application/json");
            }
            Version::Two => {
                add("amount", &self.amount);
            }
        }
        Some(json)
    }
}

/// A 402 answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaymentRequired {
    /// The resource.
    pub resource: Resource,
    /// The accepted payments: one of them.
    pub accepts: Vec<Requirements>,
    /// Why the request's payment was not accepted.
    pub error: Option<String>,
}

impl PaymentRequired {
    /// The answer as JSON.
    pub fn to_json(&self, version: Version) -> Value {
        let accepts = self.accepts.iter();
        let accepts: Vec<Value> = accepts
            .filter_map(|accepted| accepted.to_json(version, &self.resource))
            .collect();
        let mut json = json!({"x402Version": version.number(), "accepts": accepts});
        if version == Version::Two {
            json["resource"] = json!({
                "url": self.resource.url,
                "description": self.resource.description,
                "mimeType": "application/json",
            });
        }
        if let Some(error) = &self.error {
            json["error"] = Value::from(error.as_str());
        }
        json
    }
}
