//! Deposits through the service against the same writes alone.
//!
//! A deposit is in a block that is final, so it is booked immediately: movement, chain transaction, transfer, postings,
//! balances, volume, events. Its writes are recorded, and the same statements with the same values are then run alone,
//! prepared, on another database: the difference is the cost of the service's logic. A row that a deposit changes more than
//! once is written once in both.

use std::collections::BTreeMap;
use std::time::Instant;

use alloy_primitives::{Address, B256, U256, address};
use settlekit_core::value::{ChainId, Timestamp};
use settlekit_service::block::{Block, BlockId, Observed, Transfer};
use settlekit_service::store::dialect::Dialect;
use settlekit_service::store::sql::{CachedTable, Change};
use settlekit_service::store::sqlite::Sqlite;
use settlekit_service::{Access, Database, Row, Seed, Service, StoreError, TransferIndex, Value};

use crate::{median, open_shop, row, service};

const DEPOSITS: u32 = 2_000;
const ROUNDS: usize = 5;

/// USDC on Base.
const USDC: Address = address!("833589fCD6eDb6E08f4c7C32D4f71b54bdA02913");

/// An owned value.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Owned {
    Null,
    Int(i64),
    Text(String),
    Amount(i128),
    Blob(Vec<u8>),
}

impl Owned {
    fn of(value: &Value<'_>) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Int(value) => Self::Int(*value),
            Value::Text(value) => Self::Text((*value).to_owned()),
            Value::Id(id) => Self::Text(id.as_str().to_owned()),
            Value::Amount(value) => Self::Amount(*value),
            Value::Blob(value) => Self::Blob(value.to_vec()),
        }
    }

    fn value(&self) -> Value<'_> {
        match self {
            Self::Null => Value::Null,
            Self::Int(value) => Value::Int(*value),
            Self::Text(value) => Value::Text(value),
            Self::Amount(value) => Value::Amount(*value),
            Self::Blob(value) => Value::Blob(value),
        }
    }
}

/// A database that records every write.
struct Recorder {
    inner: Sqlite,
    written: Vec<(String, Vec<Owned>)>,
    /// Rows written at the end of the transaction: statement and key, with the values or the sum.
    cached: BTreeMap<(&'static str, Vec<Owned>), Vec<Owned>>,
}

impl Recorder {
    fn note(&mut self, sql: &str, values: &[Value<'_>]) {
        if !sql.starts_with("SELECT") {
            self.written
                .push((sql.to_owned(), values.iter().map(Owned::of).collect()));
        }
    }
}

impl Database for Recorder {
    fn execute(&mut self, sql: &str, values: &[Value<'_>]) -> Result<u64, StoreError> {
        self.note(sql, values);
        self.inner.execute(sql, values)
    }

    fn query(&mut self, sql: &str, values: &[Value<'_>]) -> Result<Vec<Row>, StoreError> {
        self.note(sql, values);
        self.inner.query(sql, values)
    }

    fn insert(&mut self, sql: &'static str, values: &[Value<'_>]) -> Result<i64, StoreError> {
        self.note(sql, values);
        self.inner.insert(sql, values)
    }

    fn read_cached(
        &mut self,
        cached: &'static CachedTable,
        keys: &[&[Value<'_>]],
    ) -> Result<Vec<Option<Row>>, StoreError> {
        self.inner.read_cached(cached, keys)
    }

    fn write_cached(
        &mut self,
        cached: &'static CachedTable,
        key: &[Value<'_>],
        change: Change<'_>,
    ) -> Result<(), StoreError> {
        let row = (cached.write(), key.iter().map(Owned::of).collect());
        match change {
            Change::Set(values) => {
                let values = values.iter().map(Owned::of).collect();
                self.cached.insert(row, values);
            }
            Change::Add(by) => {
                let sum = self
                    .cached
                    .entry(row)
                    .or_insert_with(|| vec![Owned::Int(0)]);
                if let [Owned::Int(sum)] = sum.as_mut_slice() {
                    *sum += by;
                }
            }
        }
        self.inner.write_cached(cached, key, change)
    }

    fn script(&mut self, sql: &str) -> Result<(), StoreError> {
        self.inner.script(sql)
    }

    fn dialect(&self) -> Dialect {
        self.inner.dialect()
    }

    fn begin(&mut self, access: Access) -> Result<(), StoreError> {
        self.inner.begin(access)
    }

    fn commit(&mut self) -> Result<(), StoreError> {
        if self.depth() == 1 {
            for ((sql, mut values), row) in std::mem::take(&mut self.cached) {
                values.extend(row);
                self.written.push((sql.to_owned(), values));
            }
        }
        self.inner.commit()
    }

    fn rollback(&mut self) -> Result<(), StoreError> {
        self.inner.rollback()
    }

    fn depth(&self) -> u32 {
        self.inner.depth()
    }
}

/// An image of a database with one account, and the account's address.
fn prepared(service: &Service, now: Timestamp) -> (Vec<u8>, String) {
    let mut database = Sqlite::in_memory().expect("memory");
    let key = open_shop(&mut database, now);
    let body = serde_json::json!({ "reference": "till", "chain_id": 8453, "currencies": ["USDC"] })
        .to_string();
    let request = http::Request::post("/v1/accounts").header(settlekit_core::header::API_KEY, key);
    let answer = service.answer(
        &mut database,
        &request.body(body.into_bytes()).expect("a request"),
        now,
        Seed([2; 32]),
    );
    let account: serde_json::Value = serde_json::from_slice(answer.body()).expect("JSON");
    let address = account["data"]["address"]
        .as_str()
        .expect("an address")
        .to_owned();
    (database.serialize().expect("an image"), address)
}

pub(crate) fn deposit(
    service: &Service,
    database: &mut dyn Database,
    address: &str,
    number: u32,
    now: Timestamp,
) -> Result<(), StoreError> {
    let chain = ChainId::new(8453).expect("a chain");
    let id = BlockId {
        number: u64::try_from(now.seconds()).expect("a height"),
        hash: B256::ZERO,
    };
    let block = Block {
        chain,
        number: id.number,
        hash: id.hash,
        parent: B256::ZERO,
        mined_at: now,
        base_fee: 0,
        transfers: vec![Transfer {
            hash: B256::from(U256::from(number)),
            index: TransferIndex::Log(0),
            token: Some(USDC),
            from: Address::repeat_byte(0xaa),
            to: address.parse().expect("an address"),
            units: U256::from(1_500_000),
        }],
        tokens: Vec::new(),
        sent: Vec::new(),
        authorized: Vec::new(),
        unconfigured: Vec::new(),
        untraced: Vec::new(),
        finalized: Some(id),
    };
    let mut seed = [0; 32];
    seed[..4].copy_from_slice(&number.to_be_bytes());
    let (observed, _) = service.observe_blocks(database, &[block], now, Seed(seed))?;
    assert_eq!(observed, Observed::Recorded);
    Ok(())
}

pub(crate) fn run() {
    let service = service();
    let now: Timestamp = "2026-03-02T09:00:00Z".parse().expect("a timestamp");
    let (image, address) = prepared(&service, now);
    let open = || Sqlite::deserialize(&image).expect("the image");
    let mut recorder = Recorder {
        inner: open(),
        written: Vec::new(),
        cached: BTreeMap::new(),
    };
    for number in 0..DEPOSITS {
        deposit(&service, &mut recorder, &address, number, now).expect("a deposit");
    }
    let (mut by_rules, mut alone) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let mut database = open();
        let since = Instant::now();
        for number in 0..DEPOSITS {
            deposit(&service, &mut database, &address, number, now).expect("a deposit");
        }
        by_rules.push(f64::from(DEPOSITS) / since.elapsed().as_secs_f64());

        let mut database = open();
        let each = recorder.written.len() / DEPOSITS as usize;
        let since = Instant::now();
        for statements in recorder.written.chunks(each) {
            database.begin(Access::Write).expect("begun");
            for (sql, values) in statements {
                let values: Vec<Value<'_>> = values.iter().map(Owned::value).collect();
                database.execute(sql, &values).expect("written");
            }
            database.commit().expect("committed");
        }
        alone.push(f64::from(DEPOSITS) / since.elapsed().as_secs_f64());
    }
    let (by_rules, alone) = (median(by_rules), median(alone));
    row(
        "deposits through the service, SQLite in memory",
        &format!("{by_rules:.0}/s"),
        &format!("the same writes by prepared statements, {alone:.0}/s"),
        by_rules / alone,
    );
}
