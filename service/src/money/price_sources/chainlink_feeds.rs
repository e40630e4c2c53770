//! The Chainlink feeds of the usual chains, in US dollars.
//!
//! Every address is in Aave's address book, which is made from Chainlink's feed directory, and in a second public list: Chainlink's
//! own tables for Ethereum, BNB Smart Chain, Polygon and the sequencers. The heartbeats are those of the directory as public programs
//! recorded them, latest in 2026, for BNB Smart Chain in 2022. Test networks have no feeds here: nobody keeps their prices right.
//!
//! Polygon's feed for its coin is missing: it describes itself as `MATIC / USD`.

use settlekit_core::value::ChainId;

/// The feeds of a chain.
#[derive(Debug, Clone, Copy)]
pub struct ChainFeeds {
    /// The EIP-155 id.
    pub id: i64,
    /// The uptime feed of a rollup's sequencer.
    pub sequencer: Option<&'static str>,
    /// The feeds.
    pub feeds: &'static [KnownFeed],
}

/// A feed of a chain.
#[derive(Debug, Clone, Copy)]
pub struct KnownFeed {
    /// The symbol.
    pub symbol: &'static str,
    /// The contract.
    pub address: &'static str,
    /// The longest time between two rounds, in seconds.
    pub heartbeat: u32,
}

const DAY: u32 = 24 * 60 * 60;

const fn feed(symbol: &'static str, heartbeat: u32, address: &'static str) -> KnownFeed {
    KnownFeed {
        symbol,
        address,
        heartbeat,
    }
}

/// All chains with feeds, by id.
pub const CHAINS: [ChainFeeds; 6] = [
    ChainFeeds {
        id: 1,
        sequencer: None,
        feeds: &[
            feed("BNB", DAY, "0x14e613AC84a31f709eadbdF89C6CC390fDc9540A"),
            feed("CAD", DAY, "0xa34317DB73e77d453b1B8d04550c44D10e981C8e"),
            feed("CHF", DAY, "0x449d117117838fFA61263B61dA6301AA2a88B13A"),
            feed("ETH", 3_600, "0x5f4eC3Df9cbd43714FE2740f5E3616155c5b8419"),
            feed("EUR", DAY, "0xb49f677943BC038e9857d61E7d053CaA2C1734C1"),
            feed("EURC", DAY, "0x04F84020Fdf10d9ee64D1dcC2986EDF2F556DA11"),
            feed("GBP", DAY, "0x5c0Ab2d9b5a7ed9f470386e82BB36A3613cDd4b5"),
            feed("USDC", 82_800, "0x8fFfFfd4AfB6115b954Bd326cbe7B4BA576818f6"),
            feed("USDT", DAY, "0x3E7d1eAB13ad0104d2750B8863b489D65364e32D"),
        ],
    },
    ChainFeeds {
        id: 10,
        sequencer: Some("0x371EAD81c9102C9BF4874A9075FFFf170F2Ee389"),
        feeds: &[
            feed("BNB", 1_200, "0xD38579f7cBD14c22cF1997575eA8eF7bfe62ca2c"),
            feed("ETH", 1_200, "0x13e3Ee699D1909E989722E753853AE30b17e08c5"),
            feed("EUR", 3_600, "0x3626369857A10CcC6cc3A6e4f5C2f5984a519F20"),
            feed("POL", 1_200, "0x22Ba046769b584c3B05530F7c50d0E8638bd71F1"),
            feed("USDC", DAY, "0x16a9FA2FDa030272Ce99B29CF780dFA30361E0f3"),
            feed("USDT", DAY, "0xECef79E109e997bCA29c1c0897ec9d7b03647F5E"),
        ],
    },
    ChainFeeds {
        id: 56,
        sequencer: None,
        feeds: &[
            feed("BNB", 60, "0x0567F2323251f0Aab15c8dFb1967E4e8A7D42aeE"),
            feed("CHF", DAY, "0x964261740356cB4aaD0C3D2003Ce808A4176a46d"),
            feed("ETH", 60, "0x9ef1B8c0E4F7dc8bF5719Ea496883DC6401d5b2e"),
            feed("EUR", 600, "0x0bf79F617988C472DcA68ff41eFe1338955b9A80"),
            feed("GBP", DAY, "0x8FAf16F710003E538189334541F5D4a391Da46a0"),
            feed("USDC", DAY, "0x51597f405303C4377E36123cBc172b13269EA163"),
            feed("USDT", DAY, "0xB97Ad0E74fa7d920791E90258A6E2085088b4320"),
        ],
    },
    ChainFeeds {
        id: 137,
        sequencer: None,
        feeds: &[
            feed("BNB", 27, "0x82a6c4AF830caa6c97bb504425f6A66165C2c26e"),
            feed("CAD", 27, "0xACA44ABb8B04D07D883202F99FA5E3c53ed57Fb5"),
            feed("CHF", DAY, "0xc76f762CedF0F78a439727861628E0fdfE1e70c2"),
            feed("ETH", 27, "0xF9680D99D6C9589e2a93a78A04A279e509205945"),
            feed("EUR", 27, "0x73366Fe0AA0Ded304479862808e02506FE556a98"),
            feed("GBP", 27, "0x099a2540848573e94fb1Ca0Fa420b00acbBc845a"),
            feed("USDC", 27, "0xfE4A8cc5b5B2366C1B58Bea3858e81843581b2F7"),
            feed("USDT", 27, "0x0A6513e40db6EB1b165753AD52E80663aeA50545"),
        ],
    },
    ChainFeeds {
        id: 8453,
        sequencer: Some("0xBCF85224fc0756B9Fa45aA7892530B47e10b6433"),
        feeds: &[
            feed("BNB", DAY, "0x4b7836916781CAAfbb7Bd1E5FDd20ED544B453b1"),
            feed("CAD", 3_600, "0xA840145F87572E82519d578b1F36340368a25D5d"),
            feed("CHF", DAY, "0x3A1d6444fb6a402470098E23DaD0B7E86E14252F"),
            feed("ETH", 1_200, "0x71041dddad3595F9CEd3DcCFBe3D1F4b0a16Bb70"),
            feed("EUR", 3_600, "0xc91D87E81faB8f93699ECf7Ee9B44D11e1D53F0F"),
            feed("EURC", DAY, "0xDAe398520e2B67cd3f27aeF9Cf14D93D927f8250"),
            feed("GBP", DAY, "0xCceA6576904C118037695eB71195a5425E69Fa15"),
            feed("POL", DAY, "0x5E988c11a4f92155C30D9fb69Ed75597f712B113"),
            feed("USDC", DAY, "0x7e860098F58bBFC8648a4311b374B1D669a2bc6B"),
            feed("USDT", DAY, "0xf19d560eB8d2ADf07BD6D13ed03e1D11215721F9"),
        ],
    },
    ChainFeeds {
        id: 42161,
        sequencer: Some("0xFdB631F5EE196F0ed6FAa767959853A9F217697D"),
        feeds: &[
            feed("BNB", DAY, "0x6970460aabF80C5BE983C6b74e5D06dEDCA95D4A"),
            feed("CAD", DAY, "0xf6DA27749484843c4F02f5Ad1378ceE723dD61d4"),
            feed("CHF", DAY, "0xe32AccC8c4eC03F6E75bd3621BfC9Fbb234E1FC3"),
            feed("ETH", 1_755, "0x639Fe6ab55C921f74e7fac1ee960C0B6293ba612"),
            feed("EUR", 3_600, "0xA14d53bC1F1c0F31B4aA3BD109344E5009051a84"),
            feed("GBP", DAY, "0x9C4424Fd84C6661F97D8d6b3fc3C1aAc2BeDd137"),
            feed("POL", DAY, "0x82BA56a2fADF9C14f17D08bc51bDA0bDB83A8934"),
            feed("USDC", 255, "0x50834F3163758fcC1Df9973b6e91f0F0F0434aD3"),
            feed("USDT", DAY, "0x3f3f5dF88dC9F13eac63DF89EC16ef6e7E25DdE7"),
        ],
    },
];

/// The feeds of a chain by its id.
pub fn known(chain: ChainId) -> Option<&'static ChainFeeds> {
    CHAINS.iter().find(|known| known.id == chain.get())
}
