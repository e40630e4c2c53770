//! Reads factory and wrapped coin from the contracts of an exchange (Uniswap v2 and v3).

use alloy_primitives::Address;
use alloy_sol_types::{SolCall, sol};
use settlekit_service::uniswap::V3Router;

use super::account::AtBlock;
use super::rpc::{Rpc, RpcError, RpcFailure};

sol! {
    function factory() external view returns (address);
    /// Of `SwapRouter02` only.
    function factoryV2() external view returns (address);
    /// Of version 2.
    function WETH() external view returns (address);
    /// Of version 3.
    function WETH9() external view returns (address);
}

impl Rpc {
    /// The factory that a router or a quoter is of.
    ///
    /// # Errors
    /// Any failure of the call, and an answer that is no address.
    pub(crate) async fn factory_of(&self, contract: Address) -> Result<Address, RpcError> {
        self.ask_exchange(contract, factoryCall {}).await
    }

    /// The token that a router of version 2 wraps the native coin into.
    ///
    /// # Errors
    /// As [`Rpc::factory_of`].
    pub(crate) async fn v2_wrapped_native(&self, router: Address) -> Result<Address, RpcError> {
        self.ask_exchange(router, WETHCall {}).await
    }

    /// The token that a router or the quoter of version 3 wraps the native coin into.
    ///
    /// # Errors
    /// As [`Rpc::factory_of`].
    pub(crate) async fn v3_wrapped_native(&self, contract: Address) -> Result<Address, RpcError> {
        self.ask_exchange(contract, WETH9Call {}).await
    }

    /// Which router of version 3 a contract is: the second one also swaps on version 2.
    ///
    /// # Errors
    /// As [`Rpc::factory_of`], but for a refusal.
    pub(crate) async fn v3_router(&self, router: Address) -> Result<V3Router, RpcError> {
        match self.ask_exchange(router, factoryV2Call {}).await {
            Ok(_) => Ok(V3Router::SwapRouter02(router)),
            Err(RpcError {
                failure: RpcFailure::Refused { .. },
                ..
            }) => Ok(V3Router::SwapRouter(router)),
            Err(error) => Err(error),
        }
    }

    async fn ask_exchange<C: SolCall<Return = Address>>(
        &self,
        contract: Address,
        call: C,
    ) -> Result<Address, RpcError> {
        let call = call.abi_encode();
        let returned = self.call_contract(contract, &call, AtBlock::Latest).await?;
        C::abi_decode_returns_validate(&returned).map_err(|_| {
            let reason = format!("{contract} does not answer as a contract of Uniswap");
            self.impossible("eth_call", reason)
        })
    }
}
