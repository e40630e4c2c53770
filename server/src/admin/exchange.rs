//! Commands for exchange accounts.

use std::io::Read;
use std::process::ExitCode;

use serde_json::{Value, json};
use settlekit_core::value::Timestamp;
use settlekit_service::exchange::{
    Credentials, ExchangeAccount, ExchangeAccountError, ExchangeBalance, Execution, NewAccount,
    NewExchangeOrder, NewExchangeWithdrawal, Side, WithdrawalOutcome, balances_request,
    parse_balances,
};

use super::failure::Failure;
use super::opening::open;
use super::output::say;
use super::price::check_url;
use super::{exchange_market, exchange_order, exchange_withdrawal};
use crate::config::{Exchange, OrderSide, Store, Switch};
use crate::exchange_rounds::{BODY_MAX, request};
use crate::{edge, web_client};

/// Bytes read of the credentials on standard input.
const CREDENTIALS_MAX: u64 = 1024;

pub(super) fn run(command: Exchange) -> Result<ExitCode, Failure> {
    match command {
        Exchange::Connect {
            store,
            name,
            url,
            replace,
            same_account,
        } => connect(&store, (name, replace, same_account), url)?,
        Exchange::List { store, json } => list(&store, json)?,
        Exchange::Disconnect { store, name } => {
            let mut opened = open(&store)?;
            let database = opened.database.as_mut();
            let done = opened.service.disconnect_exchange(database, &name);
            done.map_err(|error| failure(&store, error))?;
        }
        Exchange::Trading { store, state, name } => {
            let mut opened = open(&store)?;
            let database = opened.database.as_mut();
            let is_on = state == Switch::On;
            let done = opened.service.set_exchange_trading(database, &name, is_on);
            done.map_err(|error| failure(&store, error))?;
        }
        Exchange::Order {
            store,
            name,
            side,
            volume,
            market,
            price,
        } => exchange_order::place(
            &store,
            &NewExchangeOrder {
                account: name,
                market,
                side: match side {
                    OrderSide::Buy => Side::Buy,
                    OrderSide::Sell => Side::Sell,
                },
                volume,
                price,
            },
        )?,
        Exchange::Orders { store, json } => exchange_order::list(&store, json)?,
        Exchange::Resolve {
            store,
            id,
            executed,
            cost,
            fee,
        } => {
            let execution = Execution {
                volume: executed,
                cost,
                fee,
            };
            exchange_order::resolve(&store, &id, execution)?;
        }
        Exchange::Withdraw {
            store,
            name,
            chain,
            currency,
            amount,
            key,
            json,
        } => {
            let new = NewExchangeWithdrawal {
                account: name,
                currency,
                chain,
                amount,
                key,
            };
            exchange_withdrawal::withdraw(&store, &new, json)?;
        }
        Exchange::Withdrawals { store, json } => exchange_withdrawal::list(&store, json)?,
        Exchange::ResolveWithdrawal {
            store,
            id,
            outcome: found,
        } => {
            let outcome = match found.exchange_id {
                Some(exchange_id) => WithdrawalOutcome::Accepted(exchange_id),
                None if found.completed => WithdrawalOutcome::Completed,
                None if found.failed => WithdrawalOutcome::Failed,
                None => WithdrawalOutcome::NotSent,
            };
            exchange_withdrawal::resolve(&store, &id, &outcome)?;
        }
        Exchange::Market(command) => exchange_market::run(command)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn failure(store: &Store, error: ExchangeAccountError) -> Failure {
    match error {
        ExchangeAccountError::Store(error) => Failure::of(&store.database)(error),
        error => error.to_string().into(),
    }
}

/// Stores credentials that the exchange accepts.
fn connect(
    store: &Store,
    (name, replaces, is_same_account): (String, bool, bool),
    url: String,
) -> Result<(), Failure> {
    let url = url.trim_end_matches('/').to_owned();
    check_url(&url, "an exchange")?;
    let mut opened = open(store)?;
    let database = opened.database.as_mut();
    let nonce = opened
        .service
        .exchange_nonce(database, (&name, replaces), edge::now());
    let nonce = nonce.map_err(|error| failure(store, error))?;
    let credentials = read_credentials()?;
    let found = ask(&url, &credentials, nonce)?;
    let new = NewAccount {
        name,
        url,
        credentials,
        nonce,
        replaces,
        is_same_account,
    };
    let seed = edge::seed().map_err(Failure::of(&store.database))?;
    let database = opened.database.as_mut();
    let done = opened
        .service
        .connect_exchange(database, &new, edge::now(), seed);
    done.map_err(|error| failure(store, error))?;
    say(&format!("{} has {}", new.name, listed(&found)))?;
    Ok(())
}

fn read_credentials() -> Result<Credentials, Failure> {
    let mut text = String::new();
    std::io::stdin()
        .take(CREDENTIALS_MAX)
        .read_to_string(&mut text)
        .map_err(|error| format!("standard input cannot be read: {error}"))?;
    let credentials = Credentials::parse(&text);
    credentials.map_err(|error| error.to_string().into())
}

/// Asks for the balances, which proves the credentials.
fn ask(url: &str, credentials: &Credentials, nonce: u64) -> Result<Vec<ExchangeBalance>, Failure> {
    let client = web_client::build()?;
    let signed = balances_request(url, credentials, nonce);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let answer = runtime.block_on(web_client::send(request(&client, &signed), BODY_MAX));
    let read = parse_balances(&answer);
    read.map_err(|error| format!("{url}: {error}").into())
}

fn list(store: &Store, json: bool) -> Result<(), Failure> {
    let mut opened = open(store)?;
    let accounts = opened.call(|service, database, _, _| service.connected_exchanges(database))?;
    if json {
        let accounts: Vec<Value> = accounts.iter().map(account_json).collect();
        say(&Value::from(accounts).to_string())?;
        return Ok(());
    }
    if accounts.is_empty() {
        say("no exchange account is connected")?;
        return Ok(());
    }
    let now = edge::now();
    for account in &accounts {
        say(&account_line(account, now))?;
    }
    Ok(())
}

fn account_json(account: &ExchangeAccount) -> Value {
    let balances = account.balances.iter().map(|balance| {
        json!({
            "currency": balance.currency,
            "total": balance.total.to_string(),
            "reserved": balance.reserved.to_string(),
        })
    });
    json!({
        "name": account.name,
        "url": account.url,
        "trading": account.trading,
        "balances": balances.collect::<Vec<_>>(),
        "succeeded_at": account.succeeded_at,
        "failures": account.failures,
        "failing_since": account.failing_since,
        "last_error": account.last_error,
    })
}

fn account_line(account: &ExchangeAccount, now: Timestamp) -> String {
    let name = &account.name;
    let known = match account.succeeded_at {
        Some(at) => {
            let age = now.since(at).as_secs();
            format!("{}, read {age} s ago", listed(&account.balances))
        }
        None => "its balances were not read yet".to_owned(),
    };
    let known = match account.trading {
        true => format!("{known}, trading is on"),
        false => known,
    };
    match account.failing_since {
        Some(since) => {
            let error = account.last_error.as_deref().unwrap_or_default();
            let age = now.since(since).as_secs();
            format!("{name} fails for {age} s: {error}; {known}")
        }
        None => format!("{name}: {known}"),
    }
}

fn listed(balances: &[ExchangeBalance]) -> String {
    if balances.is_empty() {
        return "no balances".to_owned();
    }
    let listed = balances.iter().map(|balance| {
        let held = match balance.reserved.is_zero() {
            true => String::new(),
            false => format!(" ({} reserved)", balance.reserved),
        };
        format!("{} {}{held}", balance.total, balance.currency)
    });
    listed.collect::<Vec<_>>().join(", ")
}
