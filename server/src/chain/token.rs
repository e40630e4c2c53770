//! What ERC-20 contracts tell.

use alloy_primitives::{Address, B256, U256};
use alloy_sol_types::{SolCall, sol};

use super::rpc::{Rpc, RpcError};

sol! {
    function decimals() external view returns (uint8);
    function symbol() external view returns (string);
    function balanceOf(address account) external view returns (uint256);
}

impl Rpc {
    /// The decimal places of a token's smallest unit.
    ///
    /// # Errors
    /// Any failure of the call, and an answer that no ERC-20 token gives.
    pub async fn token_decimals(&self, token: Address) -> Result<u8, RpcError> {
        self.ask(token, decimalsCall {}, None).await
    }

    /// The symbol that a token names itself.
    ///
    /// # Errors
    /// Any failure of the call, and an answer that no ERC-20 token gives.
    pub async fn token_symbol(&self, token: Address) -> Result<String, RpcError> {
        self.ask(token, symbolCall {}, None).await
    }

    /// The balance of an account at a block, in the token's smallest unit.
    ///
    /// # Errors
    /// Any failure of the call, and an answer that no ERC-20 token gives.
    pub async fn token_balance(
        &self,
        token: Address,
        account: Address,
        block: u64,
    ) -> Result<U256, RpcError> {
        self.ask(token, balanceOfCall { account }, Some(block))
            .await
    }

    /// The balance of an account in a block named by its hash, in the token's smallest unit.
    ///
    /// # Errors
    /// Any failure of the call, and an answer that no ERC-20 token gives.
    pub async fn token_balance_in(
        &self,
        token: Address,
        account: Address,
        block: B256,
    ) -> Result<U256, RpcError> {
        let call = balanceOfCall { account };
        let returned = self
            .call_contract_in(token, call.abi_encode().into(), block)
            .await?;
        self.decoded::<balanceOfCall>(token, &returned)
    }

    /// The balances of accounts at a block, in the token's smallest unit and in their order.
    ///
    /// # Errors
    /// Any failure of the calls, and an answer that no ERC-20 token gives.
    pub async fn token_balances(
        &self,
        token: Address,
        accounts: &[Address],
        block: u64,
    ) -> Result<Vec<U256>, RpcError> {
        let calls: Vec<Vec<u8>> = (accounts.iter())
            .map(|account| balanceOfCall { account: *account }.abi_encode())
            .collect();
        let returned = self.call_contract_often(token, &calls, block).await?;
        let read = |returned: Vec<u8>| self.decoded::<balanceOfCall>(token, &returned);
        returned.into_iter().map(read).collect()
    }

    async fn ask<C: SolCall>(
        &self,
        token: Address,
        call: C,
        block: Option<u64>,
    ) -> Result<C::Return, RpcError> {
        let returned = self
            .call_contract(token, call.abi_encode().into(), block)
            .await?;
        self.decoded::<C>(token, &returned)
    }

    fn decoded<C: SolCall>(&self, token: Address, returned: &[u8]) -> Result<C::Return, RpcError> {
        C::abi_decode_returns(returned).map_err(|_| {
            let reason = format!("{token} does not answer as an ERC-20 token");
            self.impossible("eth_call", reason)
        })
    }
}
