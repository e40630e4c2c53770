//! The stored totals of subscriptions, payouts and customers, and the opening balances, compared with the records that they count.

use std::collections::BTreeMap;

use alloy_primitives::U256;
use serde_json::Value;
use settlekit_core::value::Amount;
use settlekit_service::{Database, Row};

/// Decimal places of the stored sums.
const SCALE: u32 = 18;

/// A UTC day in microseconds.
const DAY: i64 = 24 * 60 * 60 * 1_000_000;

/// Number and sum of records, by organisation, kind, bucket and currency.
type Sums = BTreeMap<String, (i64, i128)>;

/// Totals that differ from their records.
pub fn wrong_totals(database: &mut dyn Database) -> Vec<String> {
    let mut expected = Sums::new();
    let mut running: BTreeMap<String, i64> = BTreeMap::new();
    add_subscriptions(database, &mut expected, &mut running);
    add_payouts(database, &mut expected);
    let stored = stored(database);
    let mut wrong = differ("total", &stored, &expected);
    let counters = counts(
        database,
        "SELECT org_id, value FROM counters WHERE name = 'subscription running' AND value <> 0",
    );
    wrong.extend(differ("running subscriptions", &counters, &running));
    let days = counts(
        database,
        "SELECT org_id, SUM(began) - SUM(ended) FROM subscription_days GROUP BY org_id HAVING SUM(began) <> SUM(ended)",
    );
    wrong.extend(differ("days of subscriptions", &days, &running));
    wrong.extend(wrong_spent(database));
    wrong.extend(wrong_openings(database));
    wrong.extend(wrong_link_days(database));
    wrong
}

fn differ<T: PartialEq + std::fmt::Debug>(
    what: &str,
    stored: &BTreeMap<String, T>,
    expected: &BTreeMap<String, T>,
) -> Vec<String> {
    let keys = stored.keys().chain(expected.keys());
    let mut wrong: Vec<String> = keys
        .filter(|key| stored.get(*key) != expected.get(*key))
        .map(|key| {
            let (stored, expected) = (stored.get(key), expected.get(key));
            format!("{what} {key}: {stored:?} instead of {expected:?}")
        })
        .collect();
    wrong.sort();
    wrong.dedup();
    wrong
}

fn query(database: &mut dyn Database, sql: &str) -> Vec<Row> {
    database.query(sql, &[]).expect(sql)
}

fn text(row: &Row, column: usize) -> &str {
    row.text(column).expect("a text")
}

fn record(row: &Row, column: usize) -> Value {
    serde_json::from_str(text(row, column)).expect("a record")
}

fn counts(database: &mut dyn Database, sql: &str) -> BTreeMap<String, i64> {
    let rows = query(database, sql);
    let read = |row: &Row| (text(row, 0).to_owned(), row.int(1).expect("a count"));
    rows.iter().map(read).collect()
}

fn stored(database: &mut dyn Database) -> Sums {
    const STORED: &str = "SELECT org_id, kind, bucket, currency, row_count, amount FROM currency_totals WHERE row_count <> 0 OR CAST(amount AS TEXT) <> '0'";
    let rows = query(database, STORED);
    let read = |row: &Row| {
        let bucket = row.int(2).expect("a bucket");
        let key = key(text(row, 0), text(row, 1), bucket, text(row, 3));
        let amount = row.amount(5).expect("an amount");
        (key, (row.int(4).expect("a count"), amount))
    };
    rows.iter().map(read).collect()
}

fn key(organisation: &str, kind: &str, bucket: i64, currency: &str) -> String {
    format!("{organisation} {kind} {bucket} {currency}")
}

fn add(sums: &mut Sums, key: String, amount: &Value) {
    let amount: Amount = amount.as_str().expect("an amount").parse().expect("one");
    let units = amount.to_units(SCALE).unwrap_or(0);
    let sum = sums.entry(key).or_default();
    *sum = (sum.0 + 1, sum.1 + units);
}

fn add_subscriptions(
    database: &mut dyn Database,
    sums: &mut Sums,
    running: &mut BTreeMap<String, i64>,
) {
    const SUBSCRIPTIONS: &str = "SELECT org_id, record, billing, renewal_day FROM subscriptions";
    for row in &query(database, SUBSCRIPTIONS) {
        let (organisation, subscription, billing) = (text(row, 0), record(row, 1), record(row, 2));
        let currency = subscription["currency"].as_str().expect("a currency");
        let has_begun = billing["begun"].as_i64().expect("a count") > 0;
        let status = subscription["status"].as_str().expect("a status");
        if has_begun && matches!(status, "Active" | "Paused") {
            *running.entry(organisation.to_owned()).or_default() += 1;
        }
        if has_begun && status == "Active" {
            let count = billing["count"].as_i64().expect("a count");
            let period = match billing["interval"].as_str().expect("an interval") {
                "Day" => -count,
                "Week" => -7 * count,
                "Month" => count,
                "Year" => 12 * count,
                other => panic!("a period of {other}"),
            };
            let key = key(organisation, "subscriptions", period, currency);
            add(sums, key, &billing["price"]);
        }
        let bills = matches!(status, "Active" | "InTrial");
        let goes_on = bills && subscription["cancel_at_period_end"] == false;
        let day = row.maybe_int(3).expect("a day");
        assert_eq!(day.is_some(), goes_on, "{subscription}");
        if let Some(day) = day {
            let key = key(organisation, "renewals", day, currency);
            add(sums, key, &billing["price"]);
        }
    }
}

fn add_payouts(database: &mut dyn Database, sums: &mut Sums) {
    const PAYOUTS: &str = "SELECT org_id, record FROM payments WHERE payment_method = 'Payout' AND status IN ('Pending', 'Processing')";
    for row in &query(database, PAYOUTS) {
        let payment = record(row, 1);
        if payment["test_network"] == true {
            continue;
        }
        let currency = payment["currency"].as_str().expect("a currency");
        let key = key(text(row, 0), "payouts", 0, currency);
        add(sums, key, &payment["amount"]);
    }
}

/// Payments and customers whose stored spent amount differs from their deposits and refunds.
fn wrong_spent(database: &mut dyn Database) -> Vec<String> {
    const PAYMENTS: &str = "SELECT id, record, spent_usd FROM payments";
    const CUSTOMERS: &str = "SELECT id, spent_usd FROM customers";
    let returned = returned(database);
    let deposits = deposits(database, &returned);
    let (mut stored, mut expected) = (BTreeMap::new(), BTreeMap::new());
    for row in &query(database, PAYMENTS) {
        let (id, payment) = (text(row, 0), record(row, 1));
        let timeline = payment["timeline"].as_array().into_iter().flatten();
        let mut statuses = timeline.map(|entry| entry["status"].as_str());
        let was_confirmed = statuses.any(|status| status == Some("Confirmed"));
        let customer = payment["customer_id"].as_str().filter(|_| was_confirmed);
        let currency = payment["currency"].as_str().expect("a currency");
        let spent = deposits.get(&format!("{id} {currency}"));
        let spent = customer.and(spent).copied().unwrap_or(0);
        let sum: &mut i128 = expected.entry(id.to_owned()).or_default();
        *sum += spent;
        stored.insert(id.to_owned(), row.amount(2).expect("an amount"));
        if let Some(customer) = customer {
            *expected.entry(customer.to_owned()).or_default() += spent;
        }
    }
    for row in &query(database, CUSTOMERS) {
        let id = text(row, 0).to_owned();
        expected.entry(id.clone()).or_default();
        stored.insert(id, row.amount(1).expect("an amount"));
    }
    differ("spent", &stored, &expected)
}

/// What confirmed refunds returned of each deposit, by its movement.
fn returned(database: &mut dyn Database) -> BTreeMap<i64, i128> {
    const RETURNED: &str = "SELECT r.movement_id, r.amount FROM refund_parts r JOIN payments p ON p.id = r.payout_id WHERE p.status = 'Confirmed'";
    let mut returned = BTreeMap::new();
    for row in &query(database, RETURNED) {
        let movement = row.int(0).expect("a movement");
        *returned.entry(movement).or_default() += row.amount(1).expect("an amount");
    }
    returned
}

/// The worth of the deposits of each payment and currency, without what was returned; to the nearest, ties to even.
fn deposits(database: &mut dyn Database, returned: &BTreeMap<i64, i128>) -> BTreeMap<String, i128> {
    const DEPOSITS: &str = "SELECT c.payment_id, c.currency, m.id, m.amount, m.amount_usd FROM chain_transactions c \
         JOIN movements m ON m.id = c.movement_id \
         WHERE c.payment_id IS NOT NULL AND c.direction = 'IN' AND c.status = 'Success' AND m.amount_usd IS NOT NULL";
    let mut deposits = BTreeMap::new();
    for row in &query(database, DEPOSITS) {
        let movement = row.int(2).expect("a movement");
        let (units, usd) = (
            row.amount(3).expect("units"),
            row.amount(4).expect("a worth"),
        );
        let kept = units - returned.get(&movement).copied().unwrap_or(0);
        let [usd, kept, units] = [usd, kept, units].map(|units| {
            // The largest amounts squared.
            U256::try_from(units).expect("no negative amount")
        });
        let two = U256::from(2);
        let (whole, rest) = (usd * kept / units, usd * kept % units);
        let is_up = rest * two > units || (rest * two == units && whole % two == U256::from(1));
        let key = format!("{} {}", text(row, 0), text(row, 1));
        let whole = i128::try_from(whole).expect("a worth");
        *deposits.entry(key).or_default() += whole + i128::from(is_up);
    }
    deposits
}

/// Opening balances that differ from the postings before their day, and days with postings without one.
fn wrong_openings(database: &mut dyn Database) -> Vec<String> {
    const POSTINGS: &str = "SELECT p.org_id, l.account_id, l.chain_id, l.currency, t.created_at, p.amount FROM postings p \
         JOIN transfers t ON t.id = p.transfer_id JOIN ledger_accounts l ON l.id = p.ledger_account_id \
         WHERE l.kind = 'merchant' ORDER BY p.id";
    const STORED: &str =
        "SELECT org_id, account_id, chain_id, currency, day, posted FROM opening_balances";
    let account = |row: &Row| {
        let [account, chain] = [1, 2].map(|column| row.int(column).expect("an id"));
        format!("{} {account} {chain} {}", text(row, 0), text(row, 3))
    };
    // What an account held, and the latest day with a posting: a clock may be set back.
    let mut held: BTreeMap<String, (i128, i64)> = BTreeMap::new();
    let mut expected = BTreeMap::new();
    for row in &query(database, POSTINGS) {
        let account = account(row);
        let day = row.int(4).expect("a time").div_euclid(DAY);
        let (held, latest) = held.entry(account.clone()).or_default();
        if day > *latest {
            expected.insert(format!("{account} {day}"), *held);
            *latest = day;
        }
        *held += row.amount(5).expect("an amount");
    }
    let stored = query(database, STORED);
    let stored = stored.iter().map(|row| {
        let day = row.int(4).expect("a day");
        let posted = row.amount(5).expect("an amount");
        (format!("{} {day}", account(row)), posted)
    });
    differ("opening balance", &stored.collect(), &expected)
}

/// Days whose row for all links differs from the sum of the links.
fn wrong_link_days(database: &mut dyn Database) -> Vec<String> {
    const OF_ALL: &str =
        "SELECT org_id, day, visits, checkouts, payments FROM paylink_days WHERE paylink_id = ''";
    const OF_LINKS: &str = "SELECT org_id, day, SUM(visits), SUM(checkouts), SUM(payments) FROM paylink_days \
         WHERE paylink_id <> '' GROUP BY org_id, day";
    let [stored, expected] = [OF_ALL, OF_LINKS].map(|sql| {
        let rows = query(database, sql);
        let days = rows.iter().map(|row| {
            let key = format!("{} {}", text(row, 0), row.int(1).expect("a day"));
            let counts = [2, 3, 4].map(|column| row.int(column).expect("a count"));
            (key, counts)
        });
        days.collect::<BTreeMap<_, _>>()
    });
    differ("links of a day", &stored, &expected)
}
