//! Where the key of a hot wallet comes from: words on standard input, or an external signer.

use std::io::Read;

use alloy_primitives::Address;
use settlekit_service::Words;

use super::failure::Failure;
use crate::chain::rpc::{self, Rpc, RpcLimits};

/// Bytes read of the words on standard input: 24 words of 8 letters, with room for line breaks.
const WORDS_MAX: u64 = 1024;

/// The address that a signer has, or the one of several that is named.
pub(super) async fn address_of_signer(
    url: &str,
    named: Option<Address>,
) -> Result<Address, Failure> {
    let signer = Rpc::new(rpc::http_client()?, url, RpcLimits::default())?;
    let accounts = signer.accounts().await?;
    match (named, accounts.as_slice()) {
        (Some(named), accounts) if accounts.contains(&named) => Ok(named),
        (Some(named), _) => Err(format!("{} does not have {named}", signer.host()).into()),
        (None, [one]) => Ok(*one),
        (None, accounts) => Err(format!(
            "{} has {} addresses: name one with --address",
            signer.host(),
            accounts.len()
        )
        .into()),
    }
}

/// The words on standard input.
pub(super) fn read_words() -> Result<Words, Failure> {
    let mut text = String::new();
    std::io::stdin()
        .take(WORDS_MAX)
        .read_to_string(&mut text)
        .map_err(|error| format!("standard input cannot be read: {error}"))?;
    Ok(Words::parse(&text)?)
}
