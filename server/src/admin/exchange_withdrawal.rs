//! Commands for withdrawals from exchange accounts.

use serde_json::{Value, json};
use settlekit_service::exchange::{
    ExchangeWithdrawal, ExchangeWithdrawalError, ExchangeWithdrawalStatus, NewExchangeWithdrawal,
    WITHDRAWALS_LISTED, WithdrawalOutcome,
};

use super::failure::Failure;
use super::opening::open;
use super::output::{print, say, test_mark};
use crate::config::Store;
use crate::edge;

/// Queues a withdrawal for the running servers.
pub(super) fn withdraw(
    store: &Store,
    new: &NewExchangeWithdrawal,
    json: bool,
) -> Result<(), Failure> {
    let mut opened = open(store)?;
    let seed = edge::seed().map_err(Failure::of(&store.database))?;
    let database = opened.database.as_mut();
    let queued = opened
        .service
        .withdraw_from_exchange(database, new, edge::now(), seed);
    let id = queued.map_err(|error| failure(store, error))?;
    let is_test = opened.test_chains()?.contains(&new.chain);
    let fields = [
        ("id", id),
        ("account", new.account.clone()),
        ("amount", new.amount.to_string()),
        ("currency", new.currency.to_string()),
        ("chain_id", new.chain.to_string()),
        ("test_network", is_test.to_string()),
        (
            "status",
            "queued: a running server checks it with the exchange and sends it; `settlekit exchange withdrawals` shows the outcome"
                .to_owned(),
        ),
    ];
    print(json, &fields)?;
    Ok(())
}

/// Enters the outcome that the operator has found at the exchange.
pub(super) fn resolve(store: &Store, id: &str, outcome: &WithdrawalOutcome) -> Result<(), Failure> {
    let mut opened = open(store)?;
    let database = opened.database.as_mut();
    let done = opened
        .service
        .resolve_exchange_withdrawal(database, id, outcome, edge::now());
    done.map_err(|error| failure(store, error))
}

fn failure(store: &Store, error: ExchangeWithdrawalError) -> Failure {
    match error {
        ExchangeWithdrawalError::Store(error) => Failure::of(&store.database)(error),
        error => error.to_string().into(),
    }
}

pub(super) fn list(store: &Store, json: bool) -> Result<(), Failure> {
    let mut opened = open(store)?;
    let withdrawals =
        opened.call(|service, database, _, _| service.exchange_withdrawals(database))?;
    let tests = opened.test_chains()?;
    let is_test = |withdrawal: &ExchangeWithdrawal| tests.contains(&withdrawal.withdrawal.chain);
    if json {
        let withdrawals = withdrawals.iter();
        let withdrawals: Vec<Value> = withdrawals
            .map(|withdrawal| withdrawal_json(withdrawal, is_test(withdrawal)))
            .collect();
        say(&Value::from(withdrawals).to_string())?;
        return Ok(());
    }
    if withdrawals.is_empty() {
        say("no withdrawal from an exchange account was requested")?;
    }
    for withdrawal in &withdrawals {
        say(&withdrawal_line(withdrawal, is_test(withdrawal)))?;
    }
    if i64::try_from(withdrawals.len()) == Ok(WITHDRAWALS_LISTED) {
        say("earlier withdrawals are not shown")?;
    }
    Ok(())
}

fn withdrawal_json(withdrawal: &ExchangeWithdrawal, is_test: bool) -> Value {
    let requested = &withdrawal.withdrawal;
    json!({
        "id": withdrawal.id,
        "account": requested.account,
        "currency": requested.currency,
        "chain_id": requested.chain,
        "test_network": is_test,
        "amount": requested.amount.to_string(),
        "key": requested.key,
        "wallet": withdrawal.wallet.to_string(),
        "status": withdrawal.status.as_str(),
        "exchange_id": withdrawal.exchange_id,
        "transaction_hash": withdrawal.hash.map(|hash| hash.to_string()),
        "fee": withdrawal.fee.map(|fee| fee.to_string()),
        "last_error": withdrawal.last_error,
        "next_step": next_step(withdrawal),
        "created_at": withdrawal.created_at,
    })
}

fn withdrawal_line(withdrawal: &ExchangeWithdrawal, is_test: bool) -> String {
    let requested = &withdrawal.withdrawal;
    let mut line = format!(
        "{} {}: {} {} to {} on chain {}{}: {}",
        withdrawal.id,
        requested.account,
        requested.amount,
        requested.currency,
        withdrawal.wallet,
        requested.chain,
        test_mark(is_test),
        state_text(withdrawal)
    );
    if let Some(id) = &withdrawal.exchange_id {
        line += &format!(", exchange id {id}");
    }
    if let Some(fee) = withdrawal.fee {
        line += &format!(", fee {fee} {}", requested.currency);
    }
    if let Some(hash) = withdrawal.hash {
        line += &format!(", transaction {hash}");
    }
    match next_step(withdrawal) {
        Some(step) => format!("{line}. {step}"),
        None => line,
    }
}

fn state_text(withdrawal: &ExchangeWithdrawal) -> String {
    let text = match withdrawal.status {
        ExchangeWithdrawalStatus::Queued => "waits for a server",
        ExchangeWithdrawalStatus::Sending => "sent, not answered yet",
        ExchangeWithdrawalStatus::Unknown => "sent, outcome unknown",
        ExchangeWithdrawalStatus::Accepted => "accepted by the exchange",
        ExchangeWithdrawalStatus::Completed => "sent by the exchange",
        ExchangeWithdrawalStatus::Failed => "failed",
        ExchangeWithdrawalStatus::Refused => "refused",
        ExchangeWithdrawalStatus::NotSent => "entered as not sent",
    };
    match &withdrawal.last_error {
        Some(error) => format!("{text}: {error}"),
        None => text.to_owned(),
    }
}

/// The operator's next step, if any.
fn next_step(withdrawal: &ExchangeWithdrawal) -> Option<&'static str> {
    match (withdrawal.status, &withdrawal.last_error) {
        (ExchangeWithdrawalStatus::Unknown, _) => Some(
            "Look for it at the exchange. If it is not found by itself, enter it with `settlekit exchange resolve-withdrawal`",
        ),
        (ExchangeWithdrawalStatus::Accepted, Some(_)) => Some(
            "Look for it at the exchange. If it stays so, enter --completed or --failed with `settlekit exchange resolve-withdrawal`",
        ),
        (ExchangeWithdrawalStatus::Failed | ExchangeWithdrawalStatus::Refused, _) => {
            Some("No money has left the account. Withdraw again when the reason is gone")
        }
        _ => None,
    }
}
