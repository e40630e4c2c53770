//! Filtered lists and a search, with few and many rows: events, customers, movements.
//!
//! Rows are inserted in bulk, as the service writes them: only reading is measured.

use std::time::Instant;

use settlekit_core::value::Timestamp;
use settlekit_service::store::derived;
use settlekit_service::store::sqlite::Sqlite;
use settlekit_service::{Access, Database, Seed};
use settlekit_tests::world::{Shop, World};

use crate::{median, row};

pub(crate) const FEW: i64 = 10_000;
const READS: usize = 50;

/// A shop with rows, and the pages to read: their names and targets.
pub(crate) struct Pages {
    pub(crate) world: World,
    pub(crate) shop: Shop,
    pub(crate) targets: Vec<(&'static str, String)>,
}

pub(crate) fn run(many: i64) {
    let folder = tempfile::tempdir().expect("a folder");
    let worlds = [FEW, many].map(|rows| {
        let file = folder.path().join(format!("filters-{rows}.db"));
        pages(Box::new(Sqlite::open(&file).expect("a file")), rows)
    });
    compare(worlds, |what| format!("{what}, of {many} rows"));
}

/// A row for each page: with many rows, compared with few. Their reads alternate, as a machine is not equally fast all the time.
pub(crate) fn compare([mut few, mut many]: [Pages; 2], name: impl Fn(&str) -> String) {
    let targets = few.targets.clone().into_iter().zip(many.targets.clone());
    for ((what, few_target), (_, many_target)) in targets {
        let (mut compared, mut measured) = (Vec::new(), Vec::new());
        let all = Instant::now();
        while compared.len() < READS && (compared.len() < 5 || all.elapsed().as_secs() < 10) {
            compared.push(few.time(&few_target));
            measured.push(many.time(&many_target));
        }
        let (compared, measured) = (median(compared), median(measured));
        row(
            &name(what),
            &format!("{measured:.0} µs"),
            &format!("of {FEW} rows, {compared:.0} µs"),
            measured / compared,
        );
    }
}

impl Pages {
    /// The time of one read, in microseconds.
    fn time(&mut self, target: &str) -> f64 {
        let request = http::Request::get(target)
            .header(settlekit_core::header::API_KEY, &self.shop.key)
            .body(Vec::new())
            .expect("a request");
        let now = self.world.now;
        let (service, database) = self.world.parts();
        let since = Instant::now();
        let answer = service.answer(database, &request, now, Seed([1; 32]));
        let micros = since.elapsed().as_secs_f64() * 1e6;
        assert_eq!(answer.status(), 200, "{target}");
        micros
    }
}

fn pages(database: Box<dyn Database>, rows: i64) -> Pages {
    let mut world = World::new(database);
    let shop = world.shop("Shop", None);
    let customers = rows / 10;
    let till = world.account(&shop, "till", 8453, &["USDC"]);
    world.deposit(&shop, till, 8453, "USDC", "1");
    fill(world.parts().1, &shop.id.to_string(), rows, customers);
    fill_movements(world.parts().1, rows);
    derived::rebuild(world.parts().1, shop.id).expect("counts");
    // Nine of ten events are about payments; one in a hundred failed.
    let last = rows * 9 / 10 / 100;
    let last_page = format!("/v1/events?type=Payment&limit=100&page={last}");
    let both = "/v1/events?type=Payment&delivery_status=failed&limit=100".to_owned();
    let targets = vec![
        ("events, page 1", "/v1/events?limit=100".to_owned()),
        (
            "events of a type, page 1",
            "/v1/events?type=Payment&limit=100".to_owned(),
        ),
        ("events of a type, last page", last_page),
        (
            "failed events, page 1",
            "/v1/events?delivery_status=failed&limit=100".to_owned(),
        ),
        ("failed events of a type", both),
        (
            "events of a type and their counts by status, page 1",
            "/v1/events?type=Payment&counts=status&limit=100".to_owned(),
        ),
        (
            "movements of all accounts and their counts by status, page 1",
            "/v1/movements?counts=status&limit=100".to_owned(),
        ),
        (
            "events of a type and an action, page 1",
            "/v1/events?type=Payment&action=Updated&limit=100".to_owned(),
        ),
        (
            "events by their latest delivery, page 1",
            "/v1/events?order_by=delivered_at&limit=100".to_owned(),
        ),
        (
            "events of a document",
            "/v1/events?document_id=pay_17&limit=100".to_owned(),
        ),
        (
            "customers by a piece of their name",
            "/v1/customers?search=name%2077&limit=100".to_owned(),
        ),
        (
            "customers by a name that one has",
            format!("/v1/customers?search=name%20{customers}&limit=100"),
        ),
        (
            "customers by two letters",
            "/v1/customers?search=77&limit=100".to_owned(),
        ),
        (
            "deposits of all accounts, page 1",
            "/v1/movements?type=Deposit&limit=100".to_owned(),
        ),
        (
            "deposits of all accounts, last page",
            format!(
                "/v1/movements?type=Deposit&limit=100&page={}",
                rows * 4 / 5 / 100
            ),
        ),
        (
            "confirmed deposits in a currency, page 1",
            "/v1/movements?type=Deposit&currency=USDC&status=Confirmed&limit=100".to_owned(),
        ),
        (
            "a rare type of movement, page 1",
            "/v1/movements?type=Adjustment&limit=100".to_owned(),
        ),
        (
            "failed withdrawals of all accounts",
            "/v1/movements?type=Withdraw&status=Failed&limit=100".to_owned(),
        ),
        (
            "outgoing movements of an account in a currency, last page",
            format!(
                "/v1/accounts/{till}/movement?direction=OUT&currency=EURC&limit=100&page={}",
                rows / 15 / 100
            ),
        ),
        (
            "movements of all accounts by amount, page 1",
            "/v1/movements?currency=USDC&amount_from=9.5&limit=100".to_owned(),
        ),
        (
            "a movement of all accounts by its id",
            "/v1/movements?search=1&limit=100".to_owned(),
        ),
        (
            "a movement of an account by its id",
            format!("/v1/accounts/{till}/movement?search=1&limit=100"),
        ),
        (
            "failed withdrawals of an account",
            format!("/v1/accounts/{till}/movement?type=Withdraw&status=Failed&limit=100"),
        ),
    ];
    Pages {
        world,
        shop,
        targets,
    }
}

pub(crate) fn fill(database: &mut dyn Database, organisation: &str, rows: i64, customers: i64) {
    const EVENT: &str = "INSERT INTO events (id, org_id, seq, type, action, document_id, data, delivery_status, attempts, webhook_sent_at, \
         created_at, updated_at) VALUES (?1, ?2, ?3, ?4, 'Updated', ?5, '{}', ?6, 0, ?7, ?7, ?7)";
    const CUSTOMER: &str = "INSERT INTO customers (id, org_id, seq, payments_count, search, record, created_at, updated_at) \
         VALUES (?1, ?2, ?3, 1, ?4, ?5, ?6, ?6)";
    const LAST: &str = "INSERT INTO sequences (owner, kind, last_seq, last_at) VALUES (?1, ?2, ?3, ?4) \
         ON CONFLICT (owner, kind) DO UPDATE SET last_seq = excluded.last_seq, last_at = excluded.last_at";
    database.begin(Access::Write).expect("begun");
    for table in ["attempts", "events"] {
        let sql = format!("DELETE FROM {table}");
        database.execute(&sql, &[]).expect("emptied");
    }
    for number in 1..=rows {
        let id = format!("evt_019cade5000070008000{number:012x}");
        let document = format!("pay_{}", number / 5);
        let kind = if number % 10 == 0 {
            "Transaction"
        } else {
            "Payment"
        };
        let status = if number % 100 == 7 {
            "failed"
        } else {
            "succeeded"
        };
        let values = [
            (&id).into(),
            organisation.into(),
            number.into(),
            kind.into(),
            (&document).into(),
            status.into(),
            at(number).into(),
        ];
        database.execute(EVENT, &values).expect("an event");
        if number % 100_000 == 0 {
            database.commit().expect("committed");
            database.begin(Access::Write).expect("begun");
        }
    }
    for number in 1..=customers {
        let id = format!("cus_{:08x}-0000-7000-8000-{number:012x}", 0x019c_ade5_u32);
        let id = id.replace('-', "");
        let (moment, search) = (Timestamp::from_micros(at(number)), format!("name {number}"));
        let record = serde_json::json!({ "id": id, "org_id": organisation, "name": search, "created_at": moment, "updated_at": moment }).to_string();
        let values = [
            (&id).into(),
            organisation.into(),
            number.into(),
            (&search).into(),
            (&record).into(),
            at(number).into(),
        ];
        database.execute(CUSTOMER, &values).expect("a customer");
    }
    for (kind, last) in [("events", rows), ("customers", customers)] {
        let values = [
            organisation.into(),
            kind.into(),
            last.into(),
            at(last).into(),
        ];
        database.execute(LAST, &values).expect("a number");
    }
    database.commit().expect("committed");
}

/// Copies the only movement: one in five goes out, one in three is in EURC, one in nine thousand is an adjustment. As many have
/// failed, however many there are.
fn fill_movements(database: &mut dyn Database, rows: i64) {
    const BATCH: usize = 100_000;
    const MOVEMENTS: &str = "INSERT INTO movements (id, org_id, account_id, direction, type, status, chain_id, currency, scale, amount, \
         created_at, updated_at, seq) WITH RECURSIVE n (n) AS (SELECT ?1 UNION ALL SELECT n + 1 FROM n WHERE n < ?2) \
         SELECT o.id + n.n, o.org_id, o.account_id, CASE WHEN n.n % 5 = 0 THEN 'OUT' ELSE 'IN' END, \
         CASE WHEN n.n % 9000 = 1 THEN 'Adjustment' WHEN n.n % 5 = 0 THEN 'Withdraw' ELSE 'Deposit' END, \
         CASE WHEN n.n % (?3 / 100) = 5 THEN 'Failed' ELSE 'Confirmed' END, o.chain_id, \
         CASE WHEN n.n % 3 = 0 THEN 'EURC' ELSE 'USDC' END, 6, n.n % 1000 * 10000, ?4 + n.n * 40000, ?4 + n.n * 40000, n.n + 1 \
         FROM n, movements o WHERE o.seq = 1";
    const LISTS: &str = "INSERT INTO movement_lists (account_id, seq, movement_id, created_at) \
         SELECT account_id, seq, id, created_at FROM movements WHERE seq BETWEEN ?1 + 1 AND ?2 + 1";
    const LAST: &str =
        "UPDATE sequences SET last_seq = ?1 + 1, last_at = ?2 WHERE kind = 'movements'";
    for from in (1..=rows).step_by(BATCH) {
        let to = rows.min(from + BATCH as i64 - 1);
        database.begin(Access::Write).expect("begun");
        let values = [from.into(), to.into(), rows.into(), at(0).into()];
        database.execute(MOVEMENTS, &values).expect("movements");
        let lists = database.execute(LISTS, &[from.into(), to.into()]);
        lists.expect("their lists");
        database.commit().expect("committed");
    }
    database.begin(Access::Write).expect("begun");
    let last = [rows.into(), at(rows).into()];
    database.execute(LAST, &last).expect("a number");
    database.commit().expect("committed");
}

/// Creation time of a row in Unix microseconds: one every forty milliseconds.
fn at(number: i64) -> i64 {
    1_772_442_000_000_000 + number * 40_000
}
