//! External signers, which hold the key of a hot wallet: `eth_accounts` and `eth_signTransaction` over JSON-RPC.
//!
//! The service checks a signer's answer, and accepts only a signature of the requested transaction.

use alloy_primitives::{Address, hex};
use reqwest::Client;
use serde::Deserialize;
use serde_json::{Value, json};
use settlekit_service::outgoing::{Signature, UnsignedTransaction};

use super::encoding::Hex;
use super::rpc::{Rpc, RpcError, RpcFailure, RpcLimits};

/// The signed bytes, alone or in an object beside the transaction.
#[derive(Deserialize)]
#[serde(untagged)]
enum Answer {
    Bytes(Hex<Vec<u8>>),
    Object { raw: Hex<Vec<u8>> },
}

impl Rpc {
    /// The addresses whose keys a signer holds.
    ///
    /// # Errors
    /// Any failure of the call.
    pub async fn accounts(&self) -> Result<Vec<Address>, RpcError> {
        let accounts: Vec<Hex<Address>> = self.call("eth_accounts", json!([])).await?;
        Ok(accounts.into_iter().map(|account| account.0).collect())
    }

    /// The bytes of a transaction that a signer signed.
    ///
    /// # Errors
    /// Any failure of the call.
    pub async fn sign_transaction(
        &self,
        transaction: &UnsignedTransaction,
    ) -> Result<Vec<u8>, RpcError> {
        let params = json!([params(transaction)]);
        match self.call("eth_signTransaction", params).await? {
            Answer::Bytes(bytes) | Answer::Object { raw: bytes } => Ok(bytes.0),
        }
    }
}

fn params(transaction: &UnsignedTransaction) -> Value {
    json!({
        "type": "0x2",
        "chainId": format!("{:#x}", transaction.chain.get()),
        "from": transaction.from,
        "nonce": format!("{:#x}", transaction.nonce),
        "gas": format!("{:#x}", transaction.gas_limit),
        "maxFeePerGas": format!("{:#x}", transaction.max_fee),
        "maxPriorityFeePerGas": format!("{:#x}", transaction.priority_fee),
        "to": transaction.to,
        "value": format!("{:#x}", transaction.value),
        "data": hex::encode_prefixed(&transaction.data),
    })
}

/// What a signer answers; `None` if it does not, so that it is asked again.
pub(super) async fn signature(
    client: &Client,
    limits: RpcLimits,
    url: &str,
    transaction: &UnsignedTransaction,
) -> Option<Signature> {
    let signer = match Rpc::new(client.clone(), url, limits) {
        Ok(signer) => signer,
        Err(error) => {
            tracing::error!(error, "external signer has a wrong URL");
            return None;
        }
    };
    match signer.sign_transaction(transaction).await {
        Ok(bytes) => Some(Signature::Signed(bytes)),
        Err(error) => {
            tracing::warn!(%error, nonce = transaction.nonce, "external signer failed");
            matches!(error.failure, RpcFailure::Refused { .. }).then_some(Signature::Refused)
        }
    }
}
