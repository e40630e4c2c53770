//! Values one by one: amounts, timestamps, ids, references, currencies and addresses in their canonical form.

use serde::Serialize;
use settlekit_core::error::Reason;
use settlekit_core::value::address::Family;
use settlekit_core::value::{
    AccountId, AccountKey, AccountReference, Amount, ApiKeyId, AutomationId, ChainId, Currency,
    CustomerId, EventId, ExternalAccountId, InstrumentId, InvoiceId, MovementId, OrderId,
    OrganisationId, Param, PaylinkId, PaymentId, PlanId, QuoteId, ReplayId, RuleId, SubscriptionId,
    SubscriptionItemId, Timestamp, UserId, VenueId, WalletAddress,
};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::client::{local, unusable, wrap};

/// Error domain of a value.
const DOMAIN: &str = "value";

/// Parses a value: `kind` is its type (`Amount`, `PaymentId`), `text` its text. Returns `{"ok": value}` in canonical form, or
/// `{"error": …}`.
#[wasm_bindgen]
pub fn parse_value(kind: &str, text: &str) -> String {
    macro_rules! parse {
        ($($type:ident),+ $(,)?) => {
            match kind {
                $(stringify!($type) => outcome($type::from_text(text)),)+
                "WalletAddress" => outcome(address(text, None)),
                "EvmAddress" => outcome(address(text, Some(Family::Evm))),
                "BitcoinAddress" => outcome(address(text, Some(Family::Bitcoin))),
                "TronAddress" => outcome(address(text, Some(Family::Tron))),
                "SolanaAddress" => outcome(address(text, Some(Family::Solana))),
                _ => wrap("error", &unusable(format!("there is no value of type `{kind}`"))),
            }
        };
    }
    parse!(
        AccountId,
        AccountKey,
        AccountReference,
        Amount,
        ApiKeyId,
        AutomationId,
        ChainId,
        Currency,
        CustomerId,
        EventId,
        ExternalAccountId,
        InstrumentId,
        InvoiceId,
        MovementId,
        OrderId,
        OrganisationId,
        PaylinkId,
        PaymentId,
        PlanId,
        QuoteId,
        ReplayId,
        RuleId,
        SubscriptionId,
        SubscriptionItemId,
        Timestamp,
        UserId,
        VenueId,
    )
}

fn address(text: &str, family: Option<Family>) -> Result<WalletAddress, (Reason, String)> {
    let address: WalletAddress =
        text.parse()
            .map_err(|error: settlekit_core::value::address::AddressError| {
                (error.reason(), error.to_string())
            })?;
    if family.is_some_and(|family| family != address.family()) {
        let message = "must be an address of the chain's family".to_owned();
        return Err((Reason::AddressMalformed, message));
    }
    Ok(address)
}

fn outcome<T: Serialize>(parsed: Result<T, (Reason, String)>) -> String {
    match parsed {
        Ok(value) => wrap("ok", &value),
        Err((reason, message)) => wrap("error", &local(DOMAIN, reason, &message)),
    }
}
