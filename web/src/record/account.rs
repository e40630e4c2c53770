//! Names and status of accounts.

use leptos::prelude::*;
use settlekit_core::account::{Account, AccountState, AccountSummary, AccountType};
use settlekit_core::chain::Chain;
use settlekit_core::value::{AccountId, AccountReference, ChainId, Currency};

use crate::text;

/// Name of an account, else its reference, else its id.
pub(crate) fn display_name(account: &Account) -> String {
    text::account_display_name(&account.name, &account.reference, account.id)
}

/// Name of an account mentioned by another record.
pub(crate) fn summary_name(account: &AccountSummary) -> String {
    text::account_display_name(&account.name, &account.reference, account.id)
}

pub(crate) fn summary_link(account: AccountSummary) -> AnyView {
    let name = summary_name(&account);
    view! { <a href=format!("/accounts/{}", account.id)>{name}</a> }.into_any()
}

/// A balance, and the name of its account if two balances have the same currency on the same chain.
#[derive(Clone, PartialEq)]
pub(crate) struct BalanceRow<T> {
    pub(crate) balance: T,
    account: Option<String>,
}

impl<T> BalanceRow<T> {
    /// Currency and chain, with the account if it is named.
    pub(crate) fn title(&self, currency: &Currency, chain: &Chain) -> AnyView {
        let account = self.account.as_ref();
        let account = account.map(|account| format!("{account} · "));
        view! { {currency.to_string()}<small>{account}{chain.name.clone()}</small> }.into_any()
    }
}

/// Rows of the balances of an account and its sub-accounts. `key` returns account, currency and chain.
pub(crate) fn balance_rows<T: Clone>(
    balances: &[T],
    account: Option<&Account>,
    key: fn(&T) -> (AccountId, &Currency, ChainId),
) -> Vec<BalanceRow<T>> {
    let is_repeated = balances.iter().enumerate().any(|(at, one)| {
        let (_, currency, chain) = key(one);
        let mut others = balances.iter().skip(at + 1).map(key);
        others.any(|(_, other, on)| other == currency && on == chain)
    });
    balances
        .iter()
        .map(|balance| BalanceRow {
            balance: balance.clone(),
            account: is_repeated.then(|| name_within(account, key(balance).0)),
        })
        .collect()
}

/// Name of an account or of one of its sub-accounts.
fn name_within(account: Option<&Account>, id: AccountId) -> String {
    let own = account.filter(|account| account.id == id).map(display_name);
    let below = || {
        let mut below = account?.sub_accounts.iter().flatten();
        below.find(|below| below.id == id).map(summary_name)
    };
    own.or_else(below)
        .unwrap_or_else(|| text::account_of(id.get()))
}

/// Status of an account. A wallet with unproven ownership is only watched.
pub(crate) fn status(account: &Account) -> &str {
    if account.state == AccountState::Active && !account.may_receive() {
        "WatchOnly"
    } else {
        account.state.as_str()
    }
}

/// Name of an account and its chain.
pub(crate) fn account_label(account: &Account) -> String {
    let name = display_name(account);
    match &account.chain {
        Some(chain) => format!("{name} · {}", chain.name),
        None => name,
    }
}

/// References shared by several top-level accounts.
pub(crate) fn shared_references(accounts: &[Account]) -> Vec<AccountReference> {
    let apart = accounts
        .iter()
        .filter(|account| account.parent_id.is_none() && account.deleted_at.is_none());
    let mut references: Vec<&AccountReference> = apart
        .filter_map(|account| account.reference.as_ref())
        .collect();
    references.sort_unstable_by_key(|reference| reference.as_str());
    let shared = references.chunk_by(|one, other| one == other);
    shared
        .filter_map(|same| same.get(1).map(|reference| (*reference).clone()))
        .collect()
}

/// Whether the account bundles others and has no balance itself.
pub(crate) fn is_virtual(account: &Account) -> bool {
    account.account_type == AccountType::Virtual
}

/// Whether a payout from the account can be sent by the service, or prepared for its owner to sign. Simulated chains have no wallets
/// that sign.
pub(crate) fn may_pay_out(account: &Account, sandbox: bool) -> bool {
    let signs = !sandbox && account.own_wallet().is_some();
    !is_virtual(account) && account.deleted_at.is_none() && (account.is_held() || signs)
}
