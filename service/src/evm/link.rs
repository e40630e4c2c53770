//! Links that open a wallet (ERC-681).

use settlekit_core::value::ChainId;

/// A link that opens a wallet with the transfer of a token, or of the native coin without one.
pub(crate) fn link(chain: ChainId, token: Option<&str>, to: &str, units: i128) -> String {
    match token {
        Some(token) => format!("ethereum:{token}@{chain}/transfer?address={to}&uint256={units}"),
        None => format!("ethereum:{to}@{chain}?value={units}"),
    }
}
