//! The tables and columns of an organisation's books for export and import, ordered so that no row refers to a later table.
//! `crate::books` has the format of a line.
//!
//! Not exported: secrets (keys, sessions, passwords, sealed values), expiring rows (nonces, idempotent answers), and transactions
//! of the simulated chain at their final depth.

use settlekit_core::value::OrganisationId;

use super::sql::{Database, Row, StoreError, Value};

/// The type of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Int,
    Text,
    /// JSON text.
    Json,
    Amount,
}

/// A column of an exported table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Column {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    pub(crate) needed: bool,
}

/// How a row is tied to the organisation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Owner {
    /// The row is the organisation.
    Itself,
    /// By the column `org_id`, which no line contains.
    Column,
    /// As [`Owner::Column`], only what all members share: members are not exported.
    Shared,
    /// By its account.
    Account,
    /// By an owner: the organisation or one of its accounts.
    Either,
    /// By its target address, until its last confirmation.
    Address,
}

/// An exported table.
#[derive(Debug)]
pub(crate) struct Table {
    /// The kind of a row, as a line names it.
    pub(crate) kind: &'static str,
    name: &'static str,
    owner: Owner,
    /// The sort key, unique per organisation.
    key: &'static [&'static str],
    pub(crate) columns: &'static [Column],
    /// The database assigns the ids.
    numbered: bool,
}

macro_rules! column {
    ($name:ident MaybeInt) => {
        column!($name, Int, false)
    };
    ($name:ident MaybeText) => {
        column!($name, Text, false)
    };
    ($name:ident MaybeAmount) => {
        column!($name, Amount, false)
    };
    ($name:ident $kind:ident) => {
        column!($name, $kind, true)
    };
    ($name:ident, $kind:ident, $needed:literal) => {
        Column {
            name: stringify!($name),
            kind: Kind::$kind,
            needed: $needed,
        }
    };
}

macro_rules! tables {
    ($($kind:literal $name:ident $owner:ident [$($key:ident),*] $($numbered:ident)? { $($column:ident: $of:ident),* $(,)? })*) => {
        &[$(Table {
            kind: $kind,
            name: stringify!($name),
            owner: Owner::$owner,
            key: &[$(stringify!($key)),*],
            columns: &[$(column!($column $of)),*],
            numbered: tables!(@numbered $($numbered)?),
        }),*]
    };
    (@numbered numbered) => { true };
    (@numbered) => { false };
}

/// All exported tables, referenced ones first.
pub(crate) const TABLES: &[Table] = tables! {
    "organisation" organisations Itself [id] {
        id: Text, otc: Int, webhook_url: MaybeText, reporting_currency: MaybeText, suspended: Int, record: Json, created_at: Int, updated_at: Int,
    }
    "account" accounts Column [id] numbered {
        id: Int, seq: Int, reference: MaybeText, parent_id: MaybeInt, chain_id: MaybeInt, search: Text, record: Json,
        deleted_at: MaybeInt, created_at: Int, updated_at: Int, bundle_id: MaybeInt,
    }
    "address" addresses Column [chain_id, address] {
        chain_id: Int, address: Text, account_id: Int, payment_id: MaybeText, watched: Int, derivation_index: MaybeInt,
    }
    "derivation" derivations Column [xpub] {
        xpub: Text, next: Int,
    }
    "pay_in_address" pay_in_addresses Column [account_id, seq] {
        account_id: Int, seq: Int, record: Json, created_at: Int, updated_at: Int,
    }
    "external_account" external_accounts Column [id] numbered {
        id: Int, seq: Int, reference: MaybeText, search: Text, record: Json, deleted_at: MaybeInt, created_at: Int,
        updated_at: Int,
    }
    "automation" automations Column [id] numbered {
        id: Int, account_id: Int, seq: Int, rule: Json, record: Json, enabled: Int, due_at: MaybeInt, ask_at: MaybeInt,
        deleted_at: MaybeInt, created_at: Int, updated_at: Int,
    }
    "ledger_account" ledger_accounts Column [id] numbered {
        id: Int, kind: Text, account_id: Int, chain_id: Int, currency: Text, posted: Amount, reserved: Amount, posted_on: Int,
    }
    "opening_balance" opening_balances Column [day, account_id, chain_id, currency] {
        day: Int, account_id: Int, chain_id: Int, currency: Text, posted: Amount,
    }
    "transfer" transfers Column [id] numbered {
        id: Int, cause: Text, entity_id: MaybeText, created_at: Int,
    }
    "posting" postings Column [id] numbered {
        id: Int, transfer_id: Int, ledger_account_id: Int, amount: Amount, balance_after: Amount,
    }
    "movement" movements Column [id] numbered {
        id: Int, account_id: Int, account_reference: MaybeText, transfer_id: MaybeInt, direction: Text, type: Text, status: Text,
        chain_id: MaybeInt, currency: Text, scale: Int, amount: Amount, amount_usd: MaybeAmount, reporting_amount: MaybeAmount,
        reporting_currency: MaybeText, fee: MaybeAmount, fee_currency: MaybeText, fee_scale: MaybeInt, entity_id: MaybeText, from_address: MaybeText, to_address: MaybeText, transaction_hash: MaybeText, created_at: Int,
        confirmed_at: MaybeInt, updated_at: Int, seq: Int, failure: MaybeText,
    }
    "movement_of_list" movement_lists Account [account_id, seq] {
        account_id: Int, seq: Int, movement_id: Int, created_at: Int,
    }
    "plan" plans Column [seq] {
        id: Text, seq: Int, available_quantity: MaybeInt, held_quantity: Int, search: Text, record: Json, created_at: Int,
        updated_at: Int,
    }
    "paylink" paylinks Column [seq] {
        id: Text, seq: Int, plan_id: Text, settlement: Json, state: MaybeText, expires_at: MaybeInt, record: Json,
        deleted_at: MaybeInt, created_at: Int, updated_at: Int,
    }
    "customer" customers Column [seq] {
        id: Text, seq: Int, ident: MaybeText, payments_count: Int, last_payment_at: MaybeInt, search: Text, record: Json,
        deleted_at: MaybeInt, created_at: Int, updated_at: Int, email: MaybeText, spent_usd: Amount,
    }
    "payment" payments Column [seq] {
        id: Text, seq: Int, status: Text, payment_method: Text, currency: Text, amount_rank: Text, paylink_id: MaybeText,
        customer_id: MaybeText, account_id: Int, expires_at: MaybeInt, record: Json, created_at: Int, updated_at: Int, spent_usd: Amount,
    }
    "payout" payouts Column [seq] {
        payment_id: Text, seq: Int, movement_id: MaybeInt, to_address: Text, amount: Amount, fee: Amount, fee_currency: Text,
        service_fee: Amount, hash: MaybeText, sent_at: MaybeInt, approval: MaybeText,
        created_at: Int,
    }
    "refund_part" refund_parts Column [payout_id, movement_id] {
        payout_id: Text, movement_id: Int, payment_id: Text, amount: Amount,
    }
    "chain_transaction" chain_transactions Column [id] numbered {
        id: Int, chain_id: Int, hash: Text, to_address: Text, from_address: MaybeText, currency: Text, amount: Amount,
        account_id: Int, payment_id: MaybeText, movement_id: Int, status: Text, confirmations: Int, source: Text,
        created_at: Int, updated_at: Int, transfer: Text, direction: Text, block: MaybeInt,
    }
    "simulated_transaction" simulated_transactions Address [id] numbered {
        id: Int, chain_id: Int, hash: Text, from_address: Text, to_address: Text, currency: Text, amount: Amount,
        block: MaybeInt, next_block_at: Int,
    }
    "subscription" subscriptions Column [seq] {
        id: Text, seq: Int, customer_id: Text, status: Text, billing: Json, due_at: MaybeInt, record: Json, created_at: Int,
        updated_at: Int, renewal_day: MaybeInt,
    }
    "invoice" invoices Column [seq] {
        id: Text, seq: Int, subscription_id: Text, customer_id: Text, payment_status: Text, dunning_status: Text, due_at: Int,
        looked_at: MaybeInt, record: Json, created_at: Int, updated_at: Int,
    }
    "quote" quotes Column [seq] {
        id: Text, seq: Int, status: Text, expires_at: MaybeInt, terms: Json, record: Json, created_at: Int, updated_at: Int,
    }
    "order" orders Column [seq] {
        id: Text, seq: Int, quote_id: Text, status: Text, due_at: MaybeInt, held: Json, outcomes: Json, record: Json,
        created_at: Int, updated_at: Int,
    }
    "event" events Column [seq] {
        id: Text, seq: Int, type: Text, action: Text, document_id: MaybeText, data: Json, delivery_status: Text, attempts: Int,
        next_attempt_at: MaybeInt, claimed_until: MaybeInt, webhook_sent_at: MaybeInt, created_at: Int, updated_at: Int,
        test: MaybeInt,
    }
    "attempt" attempts Column [event_id, number] {
        event_id: Text, number: Int, url: Text, request: Text, response: MaybeText, status: MaybeInt, error: MaybeText, sent_at: Int,
        duration_ms: Int,
    }
    "delivery_turn" delivery_turns Column [org_id] {
        due_at: MaybeInt, failures: Int, paused_at: MaybeInt,
    }
    "replay" replays Column [id] {
        id: Text, status: Text, filter: Json, after_seq: Int, last_seq: Int, record: Json, created_at: Int,
    }
    "note" notes Column [id] {
        id: Text, record_type: Text, record_id: Text, text: Text, author: Text, created_at: Int,
    }
    "saved_view" saved_views Shared [id] {
        id: Text, page: Text, name: Text, query: Text, shared: Int, created_at: Int, updated_at: Int,
    }
    "daily_volume" daily_volumes Column [day] {
        day: Int, in_usd: Amount, out_usd: Amount, movements: Int, unpriced: Int,
    }
    "own_transfer" own_transfers Column [id] numbered {
        id: Int, chain_id: Int, hash: Text, to_address: Text, currency: Text, amount: Amount, created_at: Int,
    }
    "paylink_day" paylink_days Column [paylink_id, day] {
        paylink_id: Text, day: Int, visits: Int, checkouts: Int, payments: Int,
    }
    "subscription_day" subscription_days Column [day] {
        day: Int, began: Int, ended: Int,
    }
    "currency_total" currency_totals Column [kind, bucket, currency] {
        kind: Text, bucket: Int, currency: Text, row_count: Int, amount: Amount,
    }
    "search_entry" search_index Column [text, kind, id] {
        text: Text, kind: Text, id: Text,
    }
    "counter" counters Column [name] {
        name: Text, value: Int,
    }
    "sequence" sequences Either [owner, kind] {
        owner: Text, kind: Text, last_seq: Int, last_at: Int,
    }
};

/// Rows per query.
const PAGE: usize = 500;

/// An owned [`Value`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Owned {
    Null,
    Int(i64),
    Text(String),
    Amount(i128),
}

impl Owned {
    fn value(&self) -> Value<'_> {
        match self {
            Self::Null => Value::Null,
            Self::Int(value) => Value::Int(*value),
            Self::Text(value) => Value::Text(value),
            Self::Amount(value) => Value::Amount(*value),
        }
    }
}

impl Table {
    fn whose(&self) -> &'static str {
        match self.owner {
            Owner::Itself => "id = ?1",
            Owner::Column => "org_id = ?1",
            Owner::Shared => "org_id = ?1 AND shared = 1",
            Owner::Account => "account_id IN (SELECT id FROM accounts WHERE org_id = ?1)",
            // Keys, members and sub-merchants are not exported, so neither is their count.
            Owner::Either => {
                "(owner = ?1 OR owner IN (SELECT CAST(id AS TEXT) FROM accounts WHERE org_id = ?1)) AND kind NOT IN ('api_keys', 'members', 'sub-merchants')"
            }
            Owner::Address => {
                "next_block_at IS NOT NULL AND (EXISTS (SELECT 1 FROM addresses a WHERE a.org_id = ?1 \
                 AND a.chain_id = simulated_transactions.chain_id AND a.address = LOWER(to_address)) \
                 OR EXISTS (SELECT 1 FROM payouts p WHERE p.org_id = ?1 AND p.hash = simulated_transactions.hash))"
            }
        }
    }

    /// Calls a function for each row of the organisation, in key order, until it returns false.
    pub(crate) fn each(
        &self,
        database: &mut dyn Database,
        organisation: OrganisationId,
        take: &mut dyn FnMut(Vec<Owned>) -> Result<bool, StoreError>,
    ) -> Result<bool, StoreError> {
        let columns: Vec<&str> = self.columns.iter().map(|column| column.name).collect();
        let key = self.key.join(", ");
        let select = format!(
            "SELECT {}, {key} FROM {} WHERE {}",
            columns.join(", "),
            self.name,
            self.whose()
        );
        let end = format!("ORDER BY {key} LIMIT {PAGE}");
        let mut last: Option<Vec<Owned>> = None;
        loop {
            let rows = match &last {
                None => database.query(&format!("{select} {end}"), &[organisation.into()])?,
                Some(last) => {
                    let places: Vec<String> = (2..2 + last.len())
                        .map(|place| format!("?{place}"))
                        .collect();
                    let next = format!("{select} AND ({key}) > ({}) {end}", places.join(", "));
                    let mut values = vec![organisation.into()];
                    values.extend(last.iter().map(Owned::value));
                    database.query(&next, &values)?
                }
            };
            for row in &rows {
                let values = self.columns.iter().enumerate();
                let values = values.map(|(place, column)| read(row, place, column.kind));
                if !take(values.collect::<Result<_, _>>()?)? {
                    return Ok(false);
                }
            }
            let Some(row) = rows.last().filter(|_| rows.len() == PAGE) else {
                return Ok(true);
            };
            let key = (self.columns.len()..self.columns.len() + self.key.len())
                .map(|place| any(row, place))
                .collect::<Result<_, _>>()?;
            last = Some(key);
        }
    }

    /// Inserts a row; the organisation with its sealed signing secret.
    pub(crate) fn insert(
        &self,
        database: &mut dyn Database,
        organisation: OrganisationId,
        values: &[Owned],
        signing_secret: &[u8],
    ) -> Result<(), StoreError> {
        let mut names: Vec<&str> = self.columns.iter().map(|column| column.name).collect();
        let mut given: Vec<Value<'_>> = values.iter().map(Owned::value).collect();
        match self.owner {
            Owner::Itself => {
                names.push("signing_secret");
                given.push(signing_secret.into());
            }
            Owner::Column | Owner::Shared => {
                names.push("org_id");
                given.push(organisation.into());
            }
            Owner::Account | Owner::Either | Owner::Address => {}
        }
        let places: Vec<String> = (1..=names.len()).map(|place| format!("?{place}")).collect();
        let insert = format!(
            "INSERT INTO {} ({}) VALUES ({})",
            self.name,
            names.join(", "),
            places.join(", ")
        );
        database.execute(&insert, &given)?;
        Ok(())
    }
}

fn read(row: &Row, place: usize, kind: Kind) -> Result<Owned, StoreError> {
    Ok(match kind {
        Kind::Int => row.maybe_int(place)?.map_or(Owned::Null, Owned::Int),
        Kind::Amount => row.maybe_amount(place)?.map_or(Owned::Null, Owned::Amount),
        Kind::Text | Kind::Json => row
            .maybe_text(place)?
            .map_or(Owned::Null, |text| Owned::Text(text.to_owned())),
    })
}

/// A key column, number or text.
fn any(row: &Row, place: usize) -> Result<Owned, StoreError> {
    match row.maybe_text(place) {
        Ok(Some(text)) => Ok(Owned::Text(text.to_owned())),
        _ => row.int(place).map(Owned::Int),
    }
}

/// Whether there is no organisation.
pub(crate) fn is_empty(database: &mut dyn Database) -> Result<bool, StoreError> {
    const ANY: &str = "SELECT id FROM organisations LIMIT 1";
    Ok(database.query(ANY, &[])?.is_empty())
}

/// After an import with ids, makes the database assign ids after the largest.
pub(crate) fn restart_ids(database: &mut dyn Database) -> Result<(), StoreError> {
    for table in TABLES.iter().filter(|table| table.numbered) {
        if let Some(statement) = database.dialect().restart_ids(table.name) {
            database.query(&statement, &[])?;
        }
    }
    Ok(())
}
