//! Decimal places and descriptions of price feeds on a chain (`AggregatorV3Interface`).

use alloy_primitives::Address;
use alloy_sol_types::{SolCall, sol};

use super::account::AtBlock;
use super::rpc::{Rpc, RpcError};

sol! {
    function decimals() external view returns (uint8);
    function description() external view returns (string);
}

impl Rpc {
    /// The decimal places of a price feed's answers.
    ///
    /// # Errors
    /// Any failure of the call, and an answer that no price feed gives.
    pub(crate) async fn feed_decimals(&self, feed: Address) -> Result<u8, RpcError> {
        self.ask_feed(feed, decimalsCall {}).await
    }

    /// The description of a price feed: `ETH / USD`.
    ///
    /// # Errors
    /// Any failure of the call, and an answer that no price feed gives.
    pub(crate) async fn feed_description(&self, feed: Address) -> Result<String, RpcError> {
        self.ask_feed(feed, descriptionCall {}).await
    }

    async fn ask_feed<C: SolCall>(&self, feed: Address, call: C) -> Result<C::Return, RpcError> {
        let call = call.abi_encode();
        let returned = self.call_contract(feed, &call, AtBlock::Latest).await?;
        C::abi_decode_returns(&returned).map_err(|_| {
            let reason = format!("{feed} does not answer as a price feed");
            self.impossible("eth_call", reason)
        })
    }
}
