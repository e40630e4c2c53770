//! How a payment was settled.

use serde_json::{Value, json};

use super::Failure;

/// How a payment was settled: the answer of the facilitator, and a header of the answer of a resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettlementResponse {
    /// The network, as the payment names it.
    pub network: Option<String>,
    /// The payer's address, if the payment has one.
    pub payer: Option<String>,
    /// Hash of the transaction, if one was sent.
    pub transaction: Option<String>,
    /// Why it was not settled, with a message for people.
    pub failure: Option<(Failure, String)>,
}

impl SettlementResponse {
    /// The answer as JSON.
    pub fn to_json(&self) -> Value {
        let mut json = json!({
            "success": self.failure.is_none(),
            "transaction": self.transaction.as_deref().unwrap_or_default(),
            "network": self.network.as_deref().unwrap_or_default(),
        });
        if let Some(payer) = &self.payer {
            json["payer"] = payer.as_str().into();
        }
        if let Some((failure, message)) = &self.failure {
            json["errorReason"] = failure.code().into();
            json["errorMessage"] = message.as_str().into();
        }
        json
    }
}
