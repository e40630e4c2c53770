//! Kraken's requests for withdrawals: `WithdrawAddresses`, `WithdrawInfo`, `Withdraw` and `WithdrawStatus`.
//!
//! `Withdraw` takes no id of the client's. `amount` is what leaves the account, fee included; the lists show it without the fee.

use std::collections::BTreeSet;

use alloy_primitives::{Address, B256};
use serde::Deserialize;
use serde_json::Number;
use settlekit_core::value::{Amount, ChainId};

use super::ExchangeError;
use super::access::Access;
use super::kraken::{SignedRequest, asset_name, is_id, parse_result, symbol, without_zeros};
use crate::money::web_answer::WebAnswer;
use crate::store::exchange_withdrawal::StoredWithdrawal;

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

/// Asks for the recent withdrawals of the currency.
pub(super) fn list(access: Access<'_>, place: u64, withdrawal: &StoredWithdrawal) -> SignedRequest {
    let fields = [("asset", asset_name(withdrawal.currency.as_str()))];
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
struct ListedAddress {
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
    let listed: Vec<ListedAddress> = parse_result(answer)?;
    if listed.len() > LISTED_MAX {
        return Err(ExchangeError::Malformed);
    }
    let is_meant = |one: &ListedAddress| {
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
    limit: String,
    amount: String,
    fee: String,
}

/// The fee of a withdrawal, and the most that can arrive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Terms {
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
    match whole == withdrawal.amount {
        true => Ok(Terms { fee, limit }),
        false => Err(ExchangeError::Malformed),
    }
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
struct Listed {
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
    /// Whether it has the terms of ours: currency, amount, key and address, of which one may be missing.
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
    let listed: Vec<Listed> = parse_result(answer)?;
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

fn read_listed(listed: Listed) -> Result<ListedWithdrawal, ExchangeError> {
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

/// The words by which the exchange's methods name the network of a chain.
const NETWORKS: [(i64, &[&str]); 7] = [
    (1, &["ethereum", "ether", "erc20", "erc"]),
    (10, &["optimism", "op"]),
    (56, &["bnb", "bsc", "bep20"]),
    (137, &["polygon"]),
    (8453, &["base"]),
    (42_161, &["arbitrum"]),
    (43_114, &["avalanche"]),
];

/// Networks of other families.
const OTHER_NETWORKS: [&str; 6] = ["solana", "spl", "tron", "trc20", "algorand", "stellar"];

/// Whether a method may send on a chain. Only Ethereum's methods, and those of chains without a known word, need not name their network.
pub(super) fn is_of_chain(method: &str, chain: ChainId) -> bool {
    let method = method.to_ascii_lowercase();
    let words: BTreeSet<&str> = method
        .split(|letter: char| !letter.is_ascii_alphanumeric())
        .collect();
    let is_named = |of: &[&str]| of.iter().any(|word| words.contains(word));
    let own = NETWORKS.iter().find(|(id, _)| *id == chain.get());
    if own.is_some_and(|(_, names)| is_named(names)) {
        return true;
    }
    let names_another = is_named(&OTHER_NETWORKS) || NETWORKS.iter().any(|(_, of)| is_named(of));
    !names_another && own.is_none_or(|(id, _)| *id == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_method_sends_on_the_chain_that_it_names() {
        let chain = |id: &str| id.parse::<ChainId>().expect("a chain");
        for (method, id, expected) in [
            ("USDC - Base", "8453", true),
            ("USDC - Arbitrum One", "8453", false),
            ("USDC", "8453", false),
            ("USDC", "1", true),
            ("Tether USD (ERC20)", "1", true),
            ("Tether USD (TRC20)", "1", false),
            ("USDC - Solana", "4242", false),
            ("USDC - Newnet", "4242", true),
            ("Ether (Hex)", "1", true),
            ("Arbitrum One", "42161", true),
        ] {
            assert_eq!(is_of_chain(method, chain(id)), expected, "{method} {id}");
        }
    }
}
