//! Addresses of proxy wallets, `contracts/src/Factory.sol`.

use alloy_primitives::{Address, B256, address, b256, keccak256};

/// The factory, which has the same address on every chain: the deterministic deployment proxy puts it there.
pub const FACTORY: Address = address!("0x117b8d48e1d8c05c373753ac16dfa25764d3cca2");

/// The hash of the code that deploys a proxy of the factory.
const PROXY_INIT_CODE_HASH: B256 =
    b256!("0x578444d9da1108b4cadebeb817cf609647fb543d4af67c7e9682b4072702582e");

/// The address of a proxy wallet, the same on every chain. The proxy can pay the destination only.
pub(crate) fn address(destination: Address, salt: B256) -> Address {
    let salt = keccak256([destination.into_word(), salt].concat());
    FACTORY.create2(salt, PROXY_INIT_CODE_HASH)
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::{Address, B256, FACTORY, PROXY_INIT_CODE_HASH, address};

    #[test]
    fn factory_and_addresses_are_those_of_the_compiled_contracts() {
        let compiled = include_str!("../../../contracts/factory.json");
        let compiled: Value = serde_json::from_str(compiled).expect("JSON");
        assert_eq!(compiled["address"], format!("{FACTORY:#x}"));
        assert_eq!(
            compiled["proxyInitCodeHash"],
            format!("{PROXY_INIT_CODE_HASH:#x}")
        );
        let example = |name: &str| compiled["example"][name].as_str().expect("a text");
        let destination: Address = example("destination").parse().expect("an address");
        let salt: B256 = example("salt").parse().expect("32 bytes");
        let wallet = address(destination, salt);
        assert_eq!(example("wallet"), format!("{wallet:#x}"));
    }
}
