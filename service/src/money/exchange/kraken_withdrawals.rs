//! Kraken's requests for withdrawals: `WithdrawAddresses`, `WithdrawInfo`, `Withdraw` and `WithdrawStatus`.
//!
//! `Withdraw` takes no id of the client's. `amount` leaves the account, fee included; the lists show it without the fee.

use std::collections::BTreeSet;
use std::time::Duration;

use alloy_primitives::{Address, B256};
use serde::Deserialize;
use serde_json::Number;
use settlekit_core::value::{Amount, ChainId};

use super::ExchangeError;
use super::access::Access;
use super::kraken::{SignedRequest, asset_name, is_id, parse_result, symbol, without_zeros};
use crate::money::web_answer::WebAnswer;
use crate::store::exchange_withdrawal::StoredWithdrawal;

/// How much older than its request a listed withdrawal can be, by the clocks of two machines.
pub(super) const OLDER_MAX: Duration = Duration::from_secs(24 * 60 * 60);

/// The most withdrawals or addresses of an answer: Kraken lists some hundred.
const LISTED_MAX: usize = 10_000;

/// The longest address that the exchange may list.
const ADDRESS_MAX: usize = 128;

/// Asks for the address of the key, for fee and limit, and for the withdrawals that are listed already.
pub(super) fn check(access: Access<'_>, withdrawal: &StoredWithdrawal) -> Vec<SignedRequest> {
    let (asset, key) = (asset_name(withdrawal.currency.as_str()), &withdrawal.key);
    let amount = withdrawal.amount.to_string();
    let named = [("asset", asset), ("key", key.as_str())];
    let with_amount = [
        ("asset", asset),
        ("key", key.as_str()),
        ("amount", amount.as_str()),
    ];
    vec![
        access.sign(0, "/0/private/WithdrawAddresses", &named),
        access.sign(1, "/0/private/WithdrawInfo", &with_amount),
        list(access, 2, withdrawal),
    ]
}

/// Asks for the withdrawals of the currency since a day before it was sent. Before it is sent, for those of two days: it is sent within
/// an hour, so none of them is missing.
pub(super) fn list(access: Access<'_>, place: u64, withdrawal: &StoredWithdrawal) -> SignedRequest {
    let start = match withdrawal.sent_at {
        Some(sent_at) => sent_at.minus(OLDER_MAX),
        None => withdrawal.created_at.minus(2 * OLDER_MAX),
    };
    let start = start.seconds().to_string();
    let asset = asset_name(withdrawal.currency.as_str());
    let fields = [("asset", asset), ("start", start.as_str())];
    access.sign(place, "/0/private/WithdrawStatus", &fields)
}

/// Withdraws. The exchange refuses it if its key has another address, or if its fee has risen.
pub(super) fn withdraw(access: Access<'_>, withdrawal: &StoredWithdrawal) -> SignedRequest {
    let (amount, fee) = (
        withdrawal.amount.to_string(),
        withdrawal.fee.unwrap_or(Amount::ZERO).to_string(),
    );
    let fields = [
        ("asset", asset_name(withdrawal.currency.as_str())),
        ("key", withdrawal.key.as_str()),
        ("address", withdrawal.address.as_deref().unwrap_or_default()),
        ("amount", amount.as_str()),
        ("max_fee", fee.as_str()),
    ];
    access.sign(0, "/0/private/Withdraw", &fields)
}

#[derive(Deserialize)]
struct KrakenAddress {
    address: String,
    asset: String,
    key: String,
    method: String,
    #[serde(default)]
    verified: bool,
}

/// An address of the exchange's address book.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct KeyAddress {
    /// As the exchange writes it.
    pub(super) text: String,
    /// `None` if it is none of an EVM chain.
    pub(super) address: Option<Address>,
    /// The exchange's name of the network, often with the currency: `USDC - Base`.
    pub(super) method: String,
    pub(super) is_verified: bool,
}

/// The addresses of the withdrawal's key: one, unless the exchange does not know it.
pub(super) fn parse_addresses(
    answer: &WebAnswer,
    withdrawal: &StoredWithdrawal,
) -> Result<Vec<KeyAddress>, ExchangeError> {
    let listed: Vec<KrakenAddress> = parse_result(answer)?;
    if listed.len() > LISTED_MAX {
        return Err(ExchangeError::Malformed);
    }
    let is_meant = |one: &KrakenAddress| {
        one.key == withdrawal.key && symbol(&one.asset) == withdrawal.currency.as_str()
    };
    let meant = listed.into_iter().filter(is_meant);
    let read = meant.map(|one| KeyAddress {
        address: one.address.parse().ok(),
        text: one.address,
        method: one.method,
        is_verified: one.verified,
    });
    let found: Vec<KeyAddress> = read.collect();
    match found.iter().all(|one| one.text.len() <= ADDRESS_MAX) {
        true => Ok(found),
        false => Err(ExchangeError::Malformed),
    }
}

#[derive(Deserialize)]
struct Info {
    method: String,
    limit: String,
    amount: String,
    fee: String,
}

/// The fee of a withdrawal, and the most that can arrive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Terms {
    /// The exchange's name of the network.
    pub(super) method: String,
    /// The amount that leaves the account, with the fee: the exchange may round it.
    pub(super) whole: Amount,
    pub(super) fee: Amount,
    /// Without the fee.
    pub(super) limit: Amount,
}

/// The terms of a withdrawal. What arrives is the amount without the fee, or the answer is of something else.
pub(super) fn parse_info(
    answer: &WebAnswer,
    withdrawal: &StoredWithdrawal,
) -> Result<Terms, ExchangeError> {
    let info: Info = parse_result(answer)?;
    let (fee, limit) = (amount(&info.fee)?, amount(&info.limit)?);
    let arrives: Amount = info.amount.parse().map_err(|_| ExchangeError::Malformed)?;
    let whole = arrives.plus(fee).map_err(|_| ExchangeError::Malformed)?;
    match whole == withdrawal.amount || is_rounded(withdrawal.amount, whole) {
        true => Ok(Terms {
            method: info.method,
            whole,
            fee,
            limit,
        }),
        false => Err(ExchangeError::Malformed),
    }
}

/// Whether an amount is another one with fewer decimal places.
fn is_rounded(amount: Amount, rounded: Amount) -> bool {
    let units = amount.to_units(amount.scale()).unwrap_or_default();
    (0..amount.scale()).any(|scale| {
        let down = units / 10_i128.pow(amount.scale() - scale);
        let is_that = |units| Amount::from_units(units, scale) == Ok(rounded);
        is_that(down) || is_that(down + 1)
    })
}

fn amount(text: &str) -> Result<Amount, ExchangeError> {
    match text.parse::<Amount>() {
        Ok(amount) if !amount.is_negative() => without_zeros(amount),
        _ => Err(ExchangeError::Malformed),
    }
}

#[derive(Deserialize)]
struct Accepted {
    refid: String,
}

/// The exchange's id of a withdrawal that it accepted.
pub(super) fn parse_accepted(answer: &WebAnswer) -> Result<String, ExchangeError> {
    let accepted: Accepted = parse_result(answer)?;
    match is_id(&accepted.refid) {
        true => Ok(accepted.refid),
        false => Err(ExchangeError::Malformed),
    }
}

#[derive(Deserialize)]
struct KrakenWithdrawal {
    asset: String,
    refid: String,
    txid: Option<String>,
    /// The address.
    info: Option<String>,
    amount: String,
    fee: Option<String>,
    /// Seconds.
    time: Number,
    status: String,
    key: Option<String>,
}

/// The outcome of a withdrawal, as far as the exchange knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ListedStatus {
    /// Not sent yet, or not confirmed.
    UnderWay,
    /// The money has been sent.
    Success,
    /// The money stays in the account, or returns to it.
    Failure,
}

/// A withdrawal as the exchange lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ListedWithdrawal {
    pub(super) id: String,
    currency: String,
    /// The amount that leaves the account.
    whole: Amount,
    pub(super) fee: Amount,
    address: Option<String>,
    key: Option<String>,
    /// Seconds.
    pub(super) time: i64,
    /// The transaction on the chain, once it is known.
    pub(super) hash: Option<B256>,
    pub(super) status: ListedStatus,
}

impl ListedWithdrawal {
    /// Whether it has the terms of ours: currency, amount, and key or address; one of the last two may be missing.
    pub(super) fn has_terms_of(&self, ours: &StoredWithdrawal) -> bool {
        let is_key = self.key.as_ref().map(|key| *key == ours.key);
        let parsed = self.address.as_ref().map(|text| text.parse::<Address>());
        let is_address = parsed.map(|address| address == Ok(ours.wallet));
        let is_receiver = match (is_key, is_address) {
            (None, None) => false,
            (is_key, is_address) => is_key.unwrap_or(true) && is_address.unwrap_or(true),
        };
        is_receiver && self.whole == ours.amount && self.currency == ours.currency.as_str()
    }
}

/// The recent withdrawals, in no order that means anything. A list that names an id twice is no answer.
pub(super) fn parse_list(answer: &WebAnswer) -> Result<Vec<ListedWithdrawal>, ExchangeError> {
    let listed: Vec<KrakenWithdrawal> = parse_result(answer)?;
    if listed.len() > LISTED_MAX {
        return Err(ExchangeError::Malformed);
    }
    let mut ids = BTreeSet::new();
    let read = listed.into_iter().map(|one| {
        let one = read_listed(one)?;
        match ids.insert(one.id.clone()) {
            true => Ok(one),
            false => Err(ExchangeError::Malformed),
        }
    });
    read.collect()
}

fn read_listed(listed: KrakenWithdrawal) -> Result<ListedWithdrawal, ExchangeError> {
    if !is_id(&listed.refid) {
        return Err(ExchangeError::Malformed);
    }
    let fee = match &listed.fee {
        Some(fee) => amount(fee)?,
        None => Amount::ZERO,
    };
    let whole = amount(&listed.amount)?.plus(fee);
    let seconds = listed.time.to_string();
    let seconds = seconds.split('.').next().unwrap_or_default();
    let is_text = |text: &String| !text.is_empty();
    let txid = listed.txid.unwrap_or_default();
    Ok(ListedWithdrawal {
        id: listed.refid,
        currency: symbol(&listed.asset),
        whole: whole.map_err(|_| ExchangeError::Malformed)?,
        fee,
        address: listed.info.filter(is_text),
        key: listed.key.filter(is_text),
        time: seconds.parse().map_err(|_| ExchangeError::Malformed)?,
        hash: txid.parse().ok(),
        status: match listed.status.to_ascii_lowercase().as_str() {
            "success" => ListedStatus::Success,
            "failure" => ListedStatus::Failure,
            _ => ListedStatus::UnderWay,
        },
    })
}

/// The exchange's names of the networks, as its methods have them after the currency.
const NETWORKS: [(i64, &[&str]); 7] = [
    (1, &["ether", "ether (hex)", "ethereum"]),
    (10, &["optimism"]),
    (56, &["bnb smart chain", "bsc"]),
    (137, &["polygon"]),
    (8453, &["base"]),
    (42_161, &["arbitrum one"]),
    (43_114, &["avalanche c-chain"]),
];

/// Whether a method sends a currency on a chain, by its whole name: `USDC - Base`, `Arbitrum One`. Ethereum's methods may name the
/// currency alone, `USDC`, or end with its token standard, `Tether USD (ERC20)`. Every other name may be of another network.
pub(super) fn is_of_chain(method: &str, (currency, chain): (&str, ChainId)) -> bool {
    let method = method.to_ascii_lowercase();
    let (currency, chain) = (currency.to_ascii_lowercase(), chain.get());
    let network = method
        .strip_prefix(&currency)
        .and_then(|rest| rest.strip_prefix(" - "))
        .unwrap_or(&method);
    let own = NETWORKS.iter().find(|(id, _)| *id == chain);
    let is_ethereum = chain == 1 && (network == currency || network.ends_with(" (erc20)"));
    is_ethereum || own.is_some_and(|(_, names)| names.contains(&network))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_method_sends_on_the_chain_that_its_whole_name_is_known_for() {
        for (currency, method, id, expected) in [
            ("USDC", "USDC - Base", "8453", true),
            ("USDC", "Base", "8453", true),
            ("USDC", "USDC - Arbitrum One", "8453", false),
            ("USDC", "USDC - Base Sepolia", "8453", false),
            ("USDC", "USDC", "8453", false),
            ("USDC", "USDC", "1", true),
            ("USDC", "USDT", "1", false),
            ("USDC", "USDC - Ethereum", "1", true),
            ("USDC", "USDC - Ethereum Classic", "1", false),
            ("USDT", "Tether USD (ERC20)", "1", true),
            ("USDT", "Tether USD (TRC20)", "1", false),
            ("USDC", "USDC - Solana", "1", false),
            ("USDC", "USDC - Linea", "1", false),
            ("USDC", "zkSync Era", "1", false),
            ("USDC", "USDC.e - Optimism", "10", false),
            ("USDC", "USDC - Newnet", "4242", false),
            ("ETH", "Ether (Hex)", "1", true),
            ("ETH", "Arbitrum One", "42161", true),
            ("ETH", "Arbitrum Nova", "42161", false),
            ("ETH", "ETH - BNB Smart Chain", "56", true),
            ("ETH", "Avalanche X-Chain", "43114", false),
        ] {
            let chain = id.parse().expect("a chain");
            let found = is_of_chain(method, (currency, chain));
            assert_eq!(found, expected, "{method} {id}");
        }
    }

    #[test]
    fn an_amount_that_the_exchange_rounds_is_told_from_another_one() {
        for (amount, whole, expected) in [
            ("100.1234567", "100.123456", true),
            ("100.1234567", "100.123457", true),
            ("100.5", "100", true),
            ("100.5", "99", false),
            ("100", "990", false),
            ("100", "10", false),
        ] {
            let parsed = |text: &str| text.parse::<Amount>().expect("an amount");
            let found = is_rounded(parsed(amount), parsed(whole));
            assert_eq!(found, expected, "{amount} {whole}");
        }
    }
}
