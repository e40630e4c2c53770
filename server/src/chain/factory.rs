//! The factory of proxy wallets, as `contracts/` builds it.

use std::sync::LazyLock;

use alloy_primitives::{Address, B256, Bytes, keccak256};
use serde::Deserialize;

/// `contracts/factory.json`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Factory {
    /// The deterministic deployment proxy.
    pub deployer: Address,
    /// The salt of the deployment.
    pub salt: B256,
    /// The address on every chain.
    pub address: Address,
    /// The hash of the deployed code.
    pub runtime_code_hash: B256,
    /// The code that deploys it.
    pub creation_code: Bytes,
}

/// The factory.
pub static THIS: LazyLock<Factory> = LazyLock::new(|| {
    let text = include_str!("../../../contracts/factory.json");
    serde_json::from_str(text).expect("the file is the project's own, and a test reads it")
});

impl Factory {
    /// The data of the call to the deployer.
    pub fn deployment(&self) -> Vec<u8> {
        [self.salt.as_slice(), &self.creation_code].concat()
    }

    /// Whether code is that of the factory.
    pub fn is_code(&self, code: &[u8]) -> bool {
        keccak256(code) == self.runtime_code_hash
    }
}

#[cfg(test)]
mod tests {
    use settlekit_service::FACTORY;

    use super::*;

    #[test]
    fn the_factory_has_the_address_that_the_service_computes_proxies_with() {
        assert_eq!(THIS.address, FACTORY);
        let code = keccak256(&THIS.creation_code);
        assert_eq!(THIS.deployer.create2(THIS.salt, code), FACTORY);
    }
}
