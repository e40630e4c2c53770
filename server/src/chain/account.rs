//! Calls about accounts and contracts, and the sending of transactions.

use alloy_primitives::{Address, B256, U256, hex};
use serde_json::{Value, json};

use super::encoding::Hex;
use super::rpc::{Rpc, RpcError};

/// A call of a contract, or a transfer of native coins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodeCall {
    /// The sender, if it matters.
    pub from: Option<Address>,
    /// The receiver or contract.
    pub to: Address,
    /// In wei.
    pub value: U256,
    /// The call's data.
    pub data: Vec<u8>,
}

impl NodeCall {
    fn params(&self) -> Value {
        let mut call = json!({
            "to": self.to,
            "value": format!("{:#x}", self.value),
            "data": hex::encode_prefixed(&self.data),
        });
        if let Some(from) = self.from {
            call["from"] = json!(from);
        }
        call
    }
}

/// The block whose state is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AtBlock {
    /// The latest one.
    Latest,
    /// The one at a height.
    Height(u64),
    /// The one of a hash (EIP-1898). A node that lacks it answers with an error.
    Hash(B256),
}

impl AtBlock {
    fn param(self) -> Value {
        match self {
            Self::Latest => json!("latest"),
            Self::Height(height) => json!(format!("{height:#x}")),
            Self::Hash(hash) => json!({ "blockHash": hash }),
        }
    }
}

impl Rpc {
    /// The gas that a transaction needs now.
    ///
    /// # Errors
    /// Any failure of the call; a node refuses a transaction that would be reverted.
    pub async fn estimate_gas(&self, call: &NodeCall) -> Result<u64, RpcError> {
        let gas: Hex<u64> = self.call("eth_estimateGas", json!([call.params()])).await?;
        Ok(gas.0)
    }

    /// The usual priority fee, in wei per gas.
    ///
    /// # Errors
    /// Any failure of the call.
    pub async fn priority_fee(&self) -> Result<u128, RpcError> {
        let fee: Hex<u128> = self.call("eth_maxPriorityFeePerGas", json!([])).await?;
        Ok(fee.0)
    }

    /// The number of an account's mined transactions.
    ///
    /// # Errors
    /// Any failure of the call.
    pub async fn transaction_count(&self, address: Address) -> Result<u64, RpcError> {
        let params = json!([address, "latest"]);
        let count: Hex<u64> = self.call("eth_getTransactionCount", params).await?;
        Ok(count.0)
    }

    /// Broadcasts a signed transaction.
    ///
    /// # Errors
    /// Any failure of the call.
    pub async fn send_raw_transaction(&self, signed: &[u8]) -> Result<B256, RpcError> {
        let params = json!([hex::encode_prefixed(signed)]);
        let hash: Hex<B256> = self.call("eth_sendRawTransaction", params).await?;
        Ok(hash.0)
    }

    /// The native coins of an account at a block, in wei.
    ///
    /// # Errors
    /// Any failure of the call.
    pub async fn native_balance(&self, address: Address, at: AtBlock) -> Result<U256, RpcError> {
        let params = json!([address, at.param()]);
        let balance: Hex<U256> = self.call("eth_getBalance", params).await?;
        Ok(balance.0)
    }

    /// The native coins of accounts at a block, in wei and in their order.
    ///
    /// # Errors
    /// Any failure of the calls.
    pub async fn native_balances(
        &self,
        addresses: &[Address],
        at: AtBlock,
    ) -> Result<Vec<U256>, RpcError> {
        let params = addresses.iter().map(|address| json!([address, at.param()]));
        let balances: Vec<Hex<U256>> = self.batch("eth_getBalance", params.collect()).await?;
        Ok(balances.into_iter().map(|balance| balance.0).collect())
    }

    /// The code of an account at a block; empty for one that is no contract.
    ///
    /// # Errors
    /// Any failure of the call.
    pub async fn code(&self, address: Address, at: AtBlock) -> Result<Vec<u8>, RpcError> {
        let params = json!([address, at.param()]);
        let code: Hex<Vec<u8>> = self.call("eth_getCode", params).await?;
        Ok(code.0)
    }

    /// The result of a contract call at a block.
    ///
    /// # Errors
    /// Any failure of the call; a node refuses one that is reverted.
    pub async fn call_contract(
        &self,
        to: Address,
        data: &[u8],
        at: AtBlock,
    ) -> Result<Vec<u8>, RpcError> {
        let params = call_params(to, data, at);
        let returned: Hex<Vec<u8>> = self.call("eth_call", params).await?;
        Ok(returned.0)
    }

    /// The results of several contract calls at a block, in their order.
    ///
    /// # Errors
    /// Any failure of the calls; a node refuses one that is reverted.
    pub async fn call_contract_often(
        &self,
        to: Address,
        calls: &[Vec<u8>],
        at: AtBlock,
    ) -> Result<Vec<Vec<u8>>, RpcError> {
        let params = calls.iter().map(|data| call_params(to, data, at));
        let returned: Vec<Hex<Vec<u8>>> = self.batch("eth_call", params.collect()).await?;
        Ok(returned.into_iter().map(|returned| returned.0).collect())
    }
}

fn call_params(to: Address, data: &[u8], at: AtBlock) -> Value {
    let call = NodeCall {
        from: None,
        to,
        value: U256::ZERO,
        data: data.to_vec(),
    };
    json!([call.params(), at.param()])
}
