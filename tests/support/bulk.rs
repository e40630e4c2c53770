//! Long lists: one customer, payment, subscription and invoice created by the service, and bulk copies of them.

use std::time::Duration;

use serde_json::json;
use settlekit_service::{Access, Database};

use crate::world::{Shop, World};

/// Creates a customer with a payment, a subscription and its invoice; returns the customer's id.
pub fn one_of_each(world: &mut World, shop: &Shop) -> String {
    world.account(shop, "till", 8453, &["USDC"]);
    let customer = world.customer(shop, json!({ "email": "ada@tea.example" }));
    let plan = json!({ "name": "Box", "price": "5", "currency": "USDC", "type": "Recurring", "recurring_interval": "Month" });
    let plan = world.post(shop, "/v1/plan", plan).id();
    let begins = world.now.plus(Duration::from_secs(60)).to_string();
    let body = json!({ "customer_id": customer, "plan_ids": [plan], "start_at": begins });
    world.post(shop, "/v1/subscriptions", body);
    world.pass_and_work(Duration::from_secs(60));
    assert_eq!(world.read(shop, "/v1/invoices")["total"], 1);
    customer
}

/// Copies the first row of each table in bulk, `count` times; the filter counts have to be rebuilt. A copy's `seq` is one more
/// than the last twelve digits of its id; each tenth is a repeat customer, paused or failed. Every eighth payment is a payout, every
/// fourth is in EURC, and the amounts are below 9000.
pub fn copies(database: &mut dyn Database, count: i64) {
    const LAST: &str = "UPDATE sequences SET last_seq = ?1 + 1 WHERE kind IN ('customers', 'subscriptions', 'invoices', 'payments')";
    database.begin(Access::Write).expect("begun");
    for (table, select) in COPIES {
        // In batches, to stay below the statement timeout.
        for from in (1..=count).step_by(BATCH) {
            let to = count.min(from + BATCH as i64 - 1);
            let copied = database.execute(&copy(table, select), &[from.into(), to.into()]);
            copied.expect(table);
        }
    }
    database.execute(LAST, &[count.into()]).expect("numbers");
    database.commit().expect("committed");
}

/// Copies per statement.
const BATCH: usize = 50_000;

const COPIES: [(&str, &str); 4] = [
    (
        "customers (id, org_id, seq, payments_count, search, record, created_at, updated_at)",
        "SELECT {id}, o.org_id, {seq}, CASE WHEN n.n % 10 = 0 THEN 2 ELSE 1 END, '', {record}, o.created_at, o.updated_at \
         FROM n, customers o WHERE o.seq = 1",
    ),
    (
        "subscriptions (id, org_id, seq, customer_id, status, billing, record, created_at, updated_at)",
        "SELECT {id}, o.org_id, {seq}, o.customer_id, CASE WHEN n.n % 10 = 0 THEN 'Paused' ELSE 'Active' END, o.billing, {record}, \
         o.created_at, o.updated_at FROM n, subscriptions o WHERE o.seq = 1",
    ),
    (
        "invoices (id, org_id, seq, subscription_id, customer_id, payment_status, dunning_status, due_at, record, created_at, \
         updated_at)",
        "SELECT {id}, o.org_id, {seq}, o.subscription_id, o.customer_id, CASE WHEN n.n % 10 = 0 THEN 'Failed' ELSE 'Succeeded' END, \
         'None', o.due_at + n.n, {record}, o.created_at, o.updated_at FROM n, invoices o WHERE o.seq = 1",
    ),
    (
        "payments (id, org_id, seq, status, payment_method, currency, amount_rank, customer_id, account_id, record, created_at, \
         updated_at)",
        "SELECT {id}, o.org_id, {seq}, CASE WHEN n.n % 10 = 0 THEN 'Failed' ELSE 'Confirmed' END, \
         CASE WHEN n.n % 8 = 0 THEN 'Payout' ELSE 'ProxyWallet' END, CASE WHEN n.n % 4 = 0 THEN 'EURC' ELSE 'USDC' END, \
         '04' || substr(CAST(10000 + n.n % 9000 AS TEXT), 2), o.customer_id, o.account_id, {record}, o.created_at, o.updated_at \
         FROM n, payments o WHERE o.seq = 1",
    ),
];

fn copy(table: &str, select: &str) -> String {
    let id = "substr(o.id, 1, length(o.id) - 12) || substr(CAST(1000000000000 + n.n AS TEXT), 2)";
    let select = select
        .replace("{record}", &format!("replace(o.record, o.id, {id})"))
        .replace("{id}", id)
        .replace("{seq}", "n.n + 1");
    format!(
        "INSERT INTO {table} WITH RECURSIVE n (n) AS (SELECT CAST(?1 AS BIGINT) UNION ALL SELECT n + 1 FROM n WHERE n < ?2) {select}"
    )
}
