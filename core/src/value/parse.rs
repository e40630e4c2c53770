//! Values of a type that is known by its name only.

use crate::error::Reason;
use crate::value::address::{AddressError, Family};
use crate::value::id::{INTEGER, IdError, PREFIXED, parse_integer};
use crate::value::{
    AccountKey, AccountReference, Amount, Currency, Param, Timestamp, WalletAddress,
};

/// Canonical text of a value, or why it is malformed.
pub type Parsed = Result<String, (Reason, String)>;

/// Parses a value of a type; none if there is no such type.
pub fn parse(kind: &str, text: &str) -> Option<Parsed> {
    if let Some(id) = PREFIXED.iter().find(|id| id.name == kind) {
        let id = id.canonical(text).map(|id| id.as_str().to_owned());
        return Some(id.map_err(of_id));
    }
    if INTEGER.contains(&kind) {
        return Some(parse_integer(text).map(|id| id.to_string()).map_err(of_id));
    }
    Some(match kind {
        "AccountKey" => canonical::<AccountKey>(text),
        "AccountReference" => canonical::<AccountReference>(text),
        "Amount" => canonical::<Amount>(text),
        "Currency" => canonical::<Currency>(text),
        "Timestamp" => canonical::<Timestamp>(text),
        "WalletAddress" => address(text, None),
        "EvmAddress" => address(text, Some(Family::Evm)),
        "BitcoinAddress" => address(text, Some(Family::Bitcoin)),
        "TronAddress" => address(text, Some(Family::Tron)),
        "SolanaAddress" => address(text, Some(Family::Solana)),
        _ => return None,
    })
}

fn of_id(error: IdError) -> (Reason, String) {
    (error.reason(), error.to_string())
}

fn canonical<T: Param>(text: &str) -> Parsed {
    T::from_text(text).map(|value| value.to_text())
}

fn address(text: &str, family: Option<Family>) -> Parsed {
    let address: WalletAddress = text
        .parse()
        .map_err(|error: AddressError| (error.reason(), error.to_string()))?;
    if family.is_some_and(|family| family != address.family()) {
        let message = "must be an address of the chain's family".to_owned();
        return Err((Reason::AddressMalformed, message));
    }
    Ok(address.to_string())
}
