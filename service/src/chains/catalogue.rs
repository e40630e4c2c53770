//! The usual EVM chains. Sources: the chains' own documentation, and the issuers' lists of contracts (Circle, Tether).

/// A chain that needs no description.
#[derive(Debug, Clone, Copy)]
pub struct KnownChain {
    /// The EIP-155 id.
    pub id: i64,
    /// The name.
    pub name: &'static str,
    /// The symbol of the native coin, of 18 decimal places on every chain here.
    pub native: &'static str,
    /// Seconds between two blocks, at least 1.
    pub block_seconds: u32,
    /// Confirmations after which a reorganisation is not expected.
    pub confirmations: u32,
    /// Money without value.
    pub is_test: bool,
    /// The base URL of its block explorer, with the paths of EIP-3091.
    pub explorer: &'static str,
    /// A public node that the chain's documentation names. Every wallet knows Ethereum and Sepolia.
    pub public_rpc: Option<&'static str>,
    /// The tokens.
    pub tokens: &'static [KnownToken],
}

/// A token of a known chain.
#[derive(Debug, Clone, Copy)]
pub struct KnownToken {
    /// The symbol.
    pub symbol: &'static str,
    /// The contract.
    pub address: &'static str,
    /// Decimal places of the smallest unit.
    pub scale: u32,
}

const fn token(symbol: &'static str, scale: u32, address: &'static str) -> KnownToken {
    KnownToken {
        symbol,
        address,
        scale,
    }
}

const fn chain(
    (id, name, native): (i64, &'static str, &'static str),
    (explorer, public_rpc): (&'static str, Option<&'static str>),
    (block_seconds, confirmations): (u32, u32),
    tokens: &'static [KnownToken],
) -> KnownChain {
    KnownChain {
        id,
        name,
        native,
        block_seconds,
        confirmations,
        is_test: false,
        explorer,
        public_rpc,
        tokens,
    }
}

const fn test_chain(
    (id, name, native): (i64, &'static str, &'static str),
    (explorer, public_rpc): (&'static str, Option<&'static str>),
    (block_seconds, confirmations): (u32, u32),
    tokens: &'static [KnownToken],
) -> KnownChain {
    KnownChain {
        is_test: true,
        ..chain(
            (id, name, native),
            (explorer, public_rpc),
            (block_seconds, confirmations),
            tokens,
        )
    }
}

/// All known chains, by id.
pub const CHAINS: [KnownChain; 12] = [
    // 12 blocks: no reorganisation of Ethereum since its move to proof of stake was deeper than 7.
    chain(
        (1, "Ethereum", "ETH"),
        ("https://etherscan.io", None),
        (12, 12),
        &[
            token("EURC", 6, "0x1aBaEA1f7C830bD89Acc67eC4af516284b1bC33c"),
            token("USDC", 6, "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"),
            token("USDT", 6, "0xdAC17F958D2ee523a2206206994597C13D831ec7"),
        ],
    ),
    chain(
        (10, "Optimism", "ETH"),
        (
            "https://optimistic.etherscan.io",
            Some("https://mainnet.optimism.io"),
        ),
        (2, 30),
        &[
            token("USDC", 6, "0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85"),
            token("USDT", 6, "0x01bFF41798a0BcF287b996046Ca68b395DbC1071"),
        ],
    ),
    chain(
        (56, "BNB Smart Chain", "BNB"),
        (
            "https://bscscan.com",
            Some("https://bsc-dataseed.bnbchain.org"),
        ),
        (1, 20),
        &[
            token("USDC", 18, "0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d"),
            token("USDT", 18, "0x55d398326f99059fF775485246999027B3197955"),
        ],
    ),
    test_chain(
        (97, "BNB Smart Chain Testnet", "BNB"),
        (
            "https://testnet.bscscan.com",
            Some("https://bsc-testnet-dataseed.bnbchain.org"),
        ),
        (1, 20),
        &[],
    ),
    chain(
        (137, "Polygon", "POL"),
        ("https://polygonscan.com", Some("https://polygon-rpc.com")),
        (2, 64),
        &[
            token("USDC", 6, "0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359"),
            token("USDT", 6, "0xc2132D05D31c914a87C6611C10748AEb04B58e8F"),
        ],
    ),
    chain(
        (8453, "Base", "ETH"),
        ("https://basescan.org", Some("https://mainnet.base.org")),
        (2, 30),
        &[
            token("EURC", 6, "0x60a3E35Cc302bFA44Cb288Bc5a4F316Fdb1adb42"),
            token("USDC", 6, "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"),
        ],
    ),
    chain(
        (42161, "Arbitrum", "ETH"),
        ("https://arbiscan.io", Some("https://arb1.arbitrum.io/rpc")),
        (1, 60),
        &[
            token("USDC", 6, "0xaf88d065e77c8cC2239327C5EDb3A432268e5831"),
            token("USDT", 6, "0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9"),
        ],
    ),
    test_chain(
        (80002, "Polygon Amoy", "POL"),
        (
            "https://amoy.polygonscan.com",
            Some("https://rpc-amoy.polygon.technology"),
        ),
        (2, 64),
        &[token(
            "USDC",
            6,
            "0x41E94Eb019C0762f9Bfcf9Fb1E58725BfB0e7582",
        )],
    ),
    test_chain(
        (84532, "Base Sepolia", "ETH"),
        (
            "https://sepolia.basescan.org",
            Some("https://sepolia.base.org"),
        ),
        (2, 30),
        &[
            token("EURC", 6, "0x808456652fdb597867f38412077A9182bf77359F"),
            token("USDC", 6, "0x036CbD53842c5426634e7929541eC2318f3dCF7e"),
        ],
    ),
    test_chain(
        (421_614, "Arbitrum Sepolia", "ETH"),
        (
            "https://sepolia.arbiscan.io",
            Some("https://sepolia-rollup.arbitrum.io/rpc"),
        ),
        (1, 60),
        &[token(
            "USDC",
            6,
            "0x75faf114eafb1BDbe2F0316DF893fd58CE46AA4d",
        )],
    ),
    test_chain(
        (11_155_111, "Sepolia", "ETH"),
        ("https://sepolia.etherscan.io", None),
        (12, 12),
        &[
            token("EURC", 6, "0x08210F9170F89Ab7658F0B5E3fF39b0E03C594D4"),
            token("USDC", 6, "0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238"),
        ],
    ),
    test_chain(
        (11_155_420, "Optimism Sepolia", "ETH"),
        (
            "https://sepolia-optimism.etherscan.io",
            Some("https://sepolia.optimism.io"),
        ),
        (2, 30),
        &[token(
            "USDC",
            6,
            "0x5fd84259d66Cd46123540766Be93DFE6D43130D7",
        )],
    ),
];

/// A known chain by its id.
pub fn known(id: i64) -> Option<&'static KnownChain> {
    CHAINS.iter().find(|chain| chain.id == id)
}

/// Symbols, and what contracts call themselves instead: the Tether of several chains.
const ALIASES: [(&str, &str); 3] = [("USDT", "USDT0"), ("USDT", "USD₮0"), ("USDT", "USD₮")];

/// Whether a contract that calls itself so is a token of this symbol.
pub fn is_symbol(own: &str, symbol: &str) -> bool {
    let is_same = own.eq_ignore_ascii_case(symbol);
    is_same || ALIASES.contains(&(symbol, own))
}

#[cfg(test)]
mod tests {
    use settlekit_core::chain::{ExplorerUrl, PublicRpcUrl};

    use super::{CHAINS, is_symbol};

    #[test]
    fn a_contract_may_call_itself_by_an_alias_of_its_symbol_only() {
        for own in ["USDT", "usdt", "USDT0", "USD₮0", "USD₮"] {
            assert!(is_symbol(own, "USDT"), "{own}");
        }
        for (own, symbol) in [
            ("USDC", "USDT"),
            ("USDT0", "USDC"),
            ("", "USDT"),
            ("USDT1", "USDT"),
        ] {
            assert!(!is_symbol(own, symbol), "{own} {symbol}");
        }
    }

    #[test]
    fn the_urls_of_every_known_chain_are_usable() {
        for chain in CHAINS {
            let explorer = chain.explorer.parse::<ExplorerUrl>();
            assert!(explorer.is_ok(), "{}: {explorer:?}", chain.name);
            let public_rpc = chain.public_rpc.map(str::parse::<PublicRpcUrl>);
            assert!(
                !matches!(public_rpc, Some(Err(_))),
                "{}: {public_rpc:?}",
                chain.name
            );
        }
    }
}
