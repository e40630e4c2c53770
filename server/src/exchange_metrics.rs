//! Metrics of exchange accounts, read from the database as those of price sources.

use settlekit_core::value::Timestamp;
use settlekit_service::exchange::{
    ExchangeAccount, ExchangeMarket, ExchangeOrderStatus, ExchangeWithdrawalStatus,
};

use crate::chain_metrics::{Family, age};
use crate::{Host, edge};

/// The Prometheus text format, version 0.0.4; nothing without an exchange account.
pub(crate) async fn text(host: &Host) -> String {
    let read = host.read(|service, database| {
        let accounts = service.connected_exchanges(database)?;
        let orders = service.exchange_orders_in_doubt(database)?;
        let withdrawals = service.exchange_withdrawals_under_way(database)?;
        let markets = service.exchange_markets(database)?;
        Ok((accounts, orders, withdrawals, markets))
    });
    match read.await {
        Ok((accounts, orders, ..)) if accounts.is_empty() && orders.is_empty() => String::new(),
        Ok((accounts, orders, withdrawals, markets)) => {
            let now = edge::now();
            account_text(&accounts, &orders, now)
                + &withdrawal_text(&withdrawals)
                + &market_text(&markets, now)
        }
        Err(error) => {
            tracing::warn!(%error, "exchange metrics query failed");
            String::new()
        }
    }
}

fn account_text(
    accounts: &[ExchangeAccount],
    in_doubt: &[(String, ExchangeOrderStatus, u64)],
    now: Timestamp,
) -> String {
    let gauge = |name, help| Family::new(name, help, "gauge");
    let mut success_age = gauge(
        "settlekit_exchange_success_age_seconds",
        "Time since the balances of an exchange account were last read; missing before the first time.",
    );
    let mut failures = gauge(
        "settlekit_exchange_failures",
        "Failures to read the balances of an exchange account since the last success.",
    );
    let mut balances = gauge(
        "settlekit_exchange_balance",
        "Balance of an exchange account that no open order holds.",
    );
    for account in accounts {
        let of = format!("account=\"{}\"", account.name);
        if let Some(at) = account.succeeded_at {
            success_age.add(&of, age(now, at));
        }
        failures.add(&of, account.failures);
        for balance in &account.balances {
            let of = format!("{of},currency=\"{}\"", balance.currency);
            if let Ok(available) = balance.total.minus(balance.reserved) {
                balances.add(&of, available);
            }
        }
    }
    let mut orders = gauge(
        "settlekit_exchange_orders",
        "Orders at an exchange account whose outcome is asked for (Sent) or was not found within a day (Unknown).",
    );
    for (account, status, count) in in_doubt {
        let of = format!("account=\"{account}\",status=\"{}\"", status.as_str());
        orders.add(&of, *count);
    }
    let all = [success_age, failures, balances, orders];
    all.into_iter().map(Family::into_text).collect()
}

fn withdrawal_text(under_way: &[(String, ExchangeWithdrawalStatus, u64)]) -> String {
    let mut withdrawals = Family::new(
        "settlekit_exchange_withdrawals",
        "Withdrawals in progress from an exchange account: Queued, Sending, Accepted, or Unknown, whose answer was lost.",
        "gauge",
    );
    for (account, status, count) in under_way {
        let of = format!("account=\"{account}\",status=\"{}\"", status.as_str());
        withdrawals.add(&of, *count);
    }
    withdrawals.into_text()
}

fn market_text(markets: &[ExchangeMarket], now: Timestamp) -> String {
    let mut book_age = Family::new(
        "settlekit_exchange_book_age_seconds",
        "Time since the order book of a market was last read; missing before the first time.",
        "gauge",
    );
    let mut failures = Family::new(
        "settlekit_exchange_book_failures",
        "Failures to read the order book of a market since the last success.",
        "gauge",
    );
    for market in markets {
        let named = &market.market;
        let of = format!("account=\"{}\",market=\"{}\"", named.account, named.market);
        if let Some(at) = market.succeeded_at {
            book_age.add(&of, age(now, at));
        }
        failures.add(&of, market.failures);
    }
    book_age.into_text() + &failures.into_text()
}
