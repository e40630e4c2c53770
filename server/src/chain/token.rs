//! Symbols, decimals and balances of ERC-20 contracts.

use alloy_primitives::{Address, U256};
use alloy_sol_types::{SolCall, sol};

use super::account::AtBlock;
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
        self.ask(token, decimalsCall {}).await
    }

    /// The symbol that a token names itself.
    ///
    /// # Errors
    /// Any failure of the call, and an answer that no ERC-20 token gives.
    pub async fn token_symbol(&self, token: Address) -> Result<String, RpcError> {
        self.ask(token, symbolCall {}).await
    }

    /// The balance of an account at a block, in the token's smallest unit; nothing before the token was deployed.
    ///
    /// # Errors
    /// Any failure of the call, and an answer that no ERC-20 token gives.
    pub async fn token_balance(
        &self,
        token: Address,
        account: Address,
        at: AtBlock,
    ) -> Result<U256, RpcError> {
        let call = balanceOfCall { account }.abi_encode();
        let returned = self.call_contract(token, &call, at).await?;
        if returned.is_empty() {
            self.check_not_deployed(token, at).await?;
            return Ok(U256::ZERO);
        }
        self.decoded::<balanceOfCall>(token, &returned)
    }

    /// The balances of accounts at a block, in the token's smallest unit and in their order; nothing before the token was deployed.
    ///
    /// # Errors
    /// Any failure of the calls, and an answer that no ERC-20 token gives.
    pub async fn token_balances(
        &self,
        token: Address,
        accounts: &[Address],
        at: AtBlock,
    ) -> Result<Vec<U256>, RpcError> {
        let calls: Vec<Vec<u8>> = (accounts.iter())
            .map(|account| balanceOfCall { account: *account }.abi_encode())
            .collect();
        let returned = self.call_contract_often(token, &calls, at).await?;
        if !returned.is_empty() && returned.iter().all(Vec::is_empty) {
            self.check_not_deployed(token, at).await?;
            return Ok(vec![U256::ZERO; returned.len()]);
        }
        let read = |returned: Vec<u8>| self.decoded::<balanceOfCall>(token, &returned);
        returned.into_iter().map(read).collect()
    }

    /// Checks that a contract that answers nothing is not there.
    async fn check_not_deployed(&self, token: Address, at: AtBlock) -> Result<(), RpcError> {
        match self.code(token, at).await?.is_empty() {
            true => Ok(()),
            false => Err(self.no_token(token)),
        }
    }

    async fn ask<C: SolCall>(&self, token: Address, call: C) -> Result<C::Return, RpcError> {
        let call = call.abi_encode();
        let returned = self.call_contract(token, &call, AtBlock::Latest).await?;
        self.decoded::<C>(token, &returned)
    }

    fn decoded<C: SolCall>(&self, token: Address, returned: &[u8]) -> Result<C::Return, RpcError> {
        C::abi_decode_returns(returned).map_err(|_| self.no_token(token))
    }

    fn no_token(&self, token: Address) -> RpcError {
        let reason = format!("{token} does not answer as an ERC-20 token");
        self.impossible("eth_call", reason)
    }
}
