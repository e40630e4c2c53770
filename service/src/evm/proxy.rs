//! Addresses of proxy wallets, `contracts/src/Factory.sol`.

use alloy_primitives::{Address, B256, keccak256};

/// The address of a proxy wallet, the same on every chain with this factory. The proxy can pay the destination only.
pub(crate) fn address(factory: Address, destination: Address, salt: B256) -> Address {
    factory.create2(salt, keccak256(destination))
}
