//! Calls of contracts.

use alloy_primitives::{Address, B256, U256};
use alloy_sol_types::{SolCall, sol};

use super::transaction::Call;

sol! {
    /// ERC-20.
    function transfer(address to, uint256 value) external returns (bool);

    /// The factory of proxy wallets, `contracts/src/Factory.sol`.
    function sweep(address destination, bytes32[] salts, address token) external;
}

/// Sends units of a token, or of the native coin without one.
pub(crate) fn send(token: Option<Address>, to: Address, units: U256) -> Call {
    match token {
        None => Call {
            to,
            value: units,
            data: Default::default(),
        },
        Some(token) => Call {
            to: token,
            value: U256::ZERO,
            data: transferCall { to, value: units }.abi_encode().into(),
        },
    }
}

/// Empties proxy wallets of a token, or of the native coin without one, into their destination.
pub(crate) fn sweep_proxies(
    factory: Address,
    destination: Address,
    salts: Vec<B256>,
    token: Option<Address>,
) -> Call {
    let call = sweepCall {
        destination,
        salts,
        token: token.unwrap_or_default(),
    };
    Call {
        to: factory,
        value: U256::ZERO,
        data: call.abi_encode().into(),
    }
}
