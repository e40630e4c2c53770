//! Checks a queued withdrawal with the exchange: the address of its key, fee and limit, and the withdrawals that are listed already.

use settlekit_core::value::Timestamp;

use super::ExchangeError;
use super::kraken::retry_delay;
use super::kraken_withdrawals::{self, KeyAddress, Terms, is_of_chain};
use super::withdrawal_error::{WithdrawalFault, joined};
use super::withdrawal_state::{lock_asked, reason, record_failure, refuse};
use crate::money::web_answer::WebAnswer;
use crate::store::exchange_withdrawal::{self, ExchangeWithdrawalStatus, StoredWithdrawal};
use crate::store::sql::StoreError;
use crate::unit::Unit;

/// Records the answers about address, fee and list, in the round of its id and this time. All faults refuse it at once.
pub(super) fn record(
    unit: &mut Unit<'_>,
    round: (&str, Timestamp),
    [addresses, info, listed]: [&WebAnswer; 3],
) -> Result<(), StoreError> {
    let statuses = [ExchangeWithdrawalStatus::Queued];
    let Some(withdrawal) = lock_asked(unit, round, &statuses)? else {
        return Ok(());
    };
    let mut faults: Vec<WithdrawalFault> = Vec::new();
    let mut retry = None;
    let mut fail = |faults: &mut Vec<WithdrawalFault>, answer, error: ExchangeError| {
        let fault = WithdrawalFault::Exchange(reason(answer, error));
        match error.is_final() {
            true if faults.contains(&fault) => {}
            true => faults.push(fault),
            false => retry = Some((error, retry_delay(answer, error))),
        }
    };
    let address = kraken_withdrawals::parse_addresses(addresses, &withdrawal)
        .map_err(|error| fail(&mut faults, addresses, error));
    let terms = kraken_withdrawals::parse_info(info, &withdrawal)
        .map_err(|error| fail(&mut faults, info, error));
    let list =
        kraken_withdrawals::parse_list(listed).map_err(|error| fail(&mut faults, listed, error));
    if let Ok(addresses) = &address {
        faults.extend(address_faults(addresses, &withdrawal));
    }
    if let Ok(terms) = &terms {
        faults.extend(terms_fault(terms, &withdrawal));
    }
    if let (Ok(addresses), Ok(terms)) = (&address, &terms) {
        faults.extend(method_fault(addresses, terms, &withdrawal));
    }
    if !faults.is_empty() {
        return refuse(unit, withdrawal, &joined(&faults));
    }
    if let Some(failure) = retry {
        return record_failure(unit, withdrawal, failure);
    }
    let (Ok(addresses), Ok(terms), Ok(list)) = (address, terms, list) else {
        return Ok(());
    };
    let ids: Vec<&str> = list.iter().map(|listed| listed.id.as_str()).collect();
    let ids = serde_json::to_string(&ids);
    let ids = ids.map_err(|error| StoreError::Broken(error.to_string()))?;
    let checked = StoredWithdrawal {
        address: addresses.into_iter().next().map(|address| address.text),
        fee: Some(terms.fee),
        known_ids: Some(ids),
        checked_at: Some(round.1),
        state: withdrawal.state.after_success(unit.now, unit.now, None),
        ..withdrawal
    };
    exchange_withdrawal::update(unit.database, &checked)
}

fn address_faults(addresses: &[KeyAddress], withdrawal: &StoredWithdrawal) -> Vec<WithdrawalFault> {
    let key = withdrawal.key.clone();
    let address = match addresses {
        [] => return vec![WithdrawalFault::KeyUnknown(key)],
        [address] => address,
        _ => return vec![WithdrawalFault::KeyAmbiguous(key)],
    };
    let mut faults = Vec::new();
    if address.address != Some(withdrawal.wallet) {
        let fault = WithdrawalFault::KeyAddress(key.clone(), withdrawal.wallet);
        faults.push(fault);
    }
    let sent = (withdrawal.currency.as_str(), withdrawal.chain);
    if !is_of_chain(&address.method, sent) {
        let method = shown(&address.method);
        let fault = WithdrawalFault::KeyNetwork(key.clone(), method, withdrawal.chain);
        faults.push(fault);
    }
    if !address.is_verified {
        faults.push(WithdrawalFault::KeyNotVerified(key));
    }
    faults
}

/// The longest name of a method in an error.
const METHOD_MAX: usize = 60;

/// A method, fit to be shown.
fn shown(method: &str) -> String {
    let is_shown = |letter: &char| letter.is_ascii_graphic() || *letter == ' ';
    method.chars().filter(is_shown).take(METHOD_MAX).collect()
}

/// The exchange sends by the method of its terms, whatever the address book says.
fn method_fault(
    addresses: &[KeyAddress],
    terms: &Terms,
    withdrawal: &StoredWithdrawal,
) -> Option<WithdrawalFault> {
    let other = addresses.iter().find(|one| one.method != terms.method)?;
    let methods = (shown(&other.method), shown(&terms.method));
    let key = withdrawal.key.clone();
    Some(WithdrawalFault::KeyMethod(key, methods.0, methods.1))
}

fn terms_fault(terms: &Terms, withdrawal: &StoredWithdrawal) -> Option<WithdrawalFault> {
    if terms.whole != withdrawal.amount {
        return Some(WithdrawalFault::Rounded(terms.whole));
    }
    let arrives = withdrawal.amount.minus(terms.fee).ok();
    match arrives.filter(|arrives| arrives.is_positive()) {
        None => Some(WithdrawalFault::Fee(terms.fee)),
        Some(arrives) => {
            let is_above = arrives > terms.limit;
            is_above.then_some(WithdrawalFault::Limit(terms.limit))
        }
    }
}
