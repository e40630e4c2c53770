//! Chains by their names in x402.

use super::Version;
use crate::value::ChainId;

/// Prefix of the CAIP-2 ids of EVM chains.
const EIP155: &str = "eip155:";

/// The names of version 1.
const NAMES: &[(i64, &str)] = &[
    (1, "ethereum"),
    (137, "polygon"),
    (8453, "base"),
    (43_113, "avalanche-fuji"),
    (43_114, "avalanche"),
    (80_002, "polygon-amoy"),
    (84_532, "base-sepolia"),
    (11_155_111, "sepolia"),
];

/// A chain, as a message names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Network(pub ChainId);

impl Network {
    /// The chain of a name; `None` if the name is not known.
    pub fn from_name(version: Version, name: &str) -> Option<Self> {
        let id = match version {
            Version::One => NAMES.iter().find(|(_, known)| *known == name)?.0,
            Version::Two => {
                let digits = name.strip_prefix(EIP155)?;
                // Another spelling of a number would be another network.
                let is_plain = digits.bytes().all(|byte| byte.is_ascii_digit());
                digits
                    .parse()
                    .ok()
                    .filter(|_| is_plain && !digits.starts_with('0'))?
            }
        };
        ChainId::new(id).map(Self)
    }

    /// The chain's name; version 1 has names for few chains only.
    pub fn name(self, version: Version) -> Option<String> {
        let id = self.0.get();
        match version {
            Version::One => {
                let known = NAMES.iter().find(|(known, _)| *known == id)?;
                Some(known.1.to_owned())
            }
            Version::Two => Some(format!("{EIP155}{id}")),
        }
    }
}
