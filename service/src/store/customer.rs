//! Customers.

use std::collections::BTreeSet;
use std::marker::PhantomData;

use settlekit_core::customer::{Customer, CustomerItem, ListCustomersQuery, VisitType};
use settlekit_core::page::Page;
use settlekit_core::value::{CustomerId, OrganisationId, Timestamp};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::filter::{Filter, Pattern};
use super::filter_counts::{CUSTOMERS, FilterKey, FilterValues};
use super::list::{Bounds, Listing, record};
use super::sql::{Database, Row, StoreError, Value};
use super::trigram::{self, Text};
use super::{first, maybe_timestamp, read_record, sequence, timestamp, write_record};

/// Customers per statement of [`look_at`].
const LOOKED_AT: usize = 128;

/// Customers indexed at once: one block of the trigram index.
const INDEXED_AT_ONCE: i64 = 256;

pub(crate) const LISTING: Listing<CustomerItem, CustomerId> = Listing {
    table: "customers",
    owner: "org_id",
    kind: "customers",
    select: "SELECT l.record, l.payments_count, l.last_payment_at, l.updated_at FROM customers l",
    read: item,
    ids: PhantomData,
};

/// The list of full records.
pub(crate) const RECORDS: Listing<Customer, CustomerId> = Listing {
    table: "customers",
    owner: "org_id",
    kind: "customers",
    select: "SELECT l.record, l.updated_at FROM customers l",
    read: record,
    ids: PhantomData,
};

/// Folds case and accents, so that `Zoe` finds `Zoë`, and `Lukasz` finds `ŁUKASZ`. Idempotent.
fn folded(text: &str) -> String {
    let bare = text.nfkd().filter(|char| !is_combining_mark(*char));
    // Upper case first: some letters share one capital (σ and ς, ß and ss).
    let small = bare
        .flat_map(char::to_uppercase)
        .flat_map(char::to_lowercase);
    let mut folded = String::with_capacity(text.len());
    for letter in small {
        match letter {
            'æ' => folded.push_str("ae"),
            'đ' | 'ð' => folded.push('d'),
            'ħ' => folded.push('h'),
            'ł' => folded.push('l'),
            'ø' => folded.push('o'),
            'œ' => folded.push_str("oe"),
            'ß' => folded.push_str("ss"),
            'þ' => folded.push_str("th"),
            'ŧ' => folded.push('t'),
            _ => folded.push(letter),
        }
    }
    folded
}

/// The searchable text of a customer.
fn searched(texts: [Option<&str>; 3]) -> String {
    let texts: Vec<String> = texts.into_iter().flatten().map(folded).collect();
    texts.join("\n")
}

fn search_of(customer: &Customer) -> String {
    searched([
        customer.name.as_deref(),
        customer.email.as_deref(),
        customer.reference.as_deref(),
    ])
}

pub(crate) fn insert(
    database: &mut dyn Database,
    customer: Customer,
) -> Result<Customer, StoreError> {
    const INSERT: &str = "INSERT INTO customers (id, org_id, seq, ident, payments_count, search, record, created_at, updated_at, email) \
         VALUES (?1, ?2, ?3, ?4, 0, ?5, ?6, ?7, ?7, ?8)";
    let (seq, at) = sequence::next(
        database,
        customer.org_id.into(),
        LISTING.kind,
        customer.created_at,
    )?;
    let customer = Customer {
        created_at: at,
        updated_at: at,
        ..customer
    };
    let record = write_record(&customer)?;
    let (email, search) = (email_of(&customer), search_of(&customer));
    let values = [
        customer.id.into(),
        customer.org_id.into(),
        seq.into(),
        (&customer.reference).into(),
        (&search).into(),
        (&record).into(),
        at.into(),
        (&email).into(),
    ];
    match database.execute(INSERT, &values) {
        // Another transaction inserted the same customer.
        Err(StoreError::Constraint(_)) => return Err(StoreError::Conflict),
        outcome => outcome?,
    };
    CUSTOMERS.add(database, customer.org_id, visits(0), seq)?;
    let text = Text {
        seq,
        text: &search,
        before: None,
    };
    trigram::note(database, customer.org_id.into(), &[text])?;
    Ok(customer)
}

/// The customer with the merchant's own identifier.
pub(crate) fn by_ident(
    database: &mut dyn Database,
    organisation: OrganisationId,
    ident: &str,
) -> Result<Option<Customer>, StoreError> {
    const FIND: &str =
        "SELECT record FROM customers WHERE org_id = ?1 AND ident = ?2 AND deleted_at IS NULL";
    first(database.query(FIND, &[organisation.into(), ident.into()])?)
        .map(|row| read_record(row.text(0)?))
        .transpose()
}

/// The lower-case e-mail address for lookups.
fn email_of(customer: &Customer) -> Option<String> {
    customer.email.as_deref().map(str::to_lowercase)
}

pub(crate) fn update(database: &mut dyn Database, customer: &Customer) -> Result<(), StoreError> {
    const BEFORE: &str = "SELECT seq, search FROM customers WHERE org_id = ?1 AND id = ?2";
    const UPDATE: &str = "UPDATE customers SET ident = ?3, search = ?4, record = ?5, updated_at = ?6, email = ?7 \
         WHERE org_id = ?1 AND id = ?2";
    let (record, search) = (write_record(customer)?, search_of(customer));
    if let Some(row) = first(database.query(BEFORE, &[customer.org_id.into(), customer.id.into()])?)
    {
        let text = Text {
            seq: row.int(0)?,
            text: &search,
            before: Some(row.text(1)?),
        };
        trigram::note(database, customer.org_id.into(), &[text])?;
    }
    database.execute(
        UPDATE,
        &[
            customer.org_id.into(),
            customer.id.into(),
            (&customer.reference).into(),
            (&search).into(),
            (&record).into(),
            customer.updated_at.into(),
            (&email_of(customer)).into(),
        ],
    )?;
    Ok(())
}

pub(crate) fn count_payment(
    database: &mut dyn Database,
    organisation: OrganisationId,
    id: CustomerId,
    at: Timestamp,
) -> Result<(), StoreError> {
    const BEFORE: &str =
        "SELECT payments_count, seq FROM customers WHERE org_id = ?1 AND id = ?2 FOR UPDATE";
    const COUNT: &str = "UPDATE customers SET payments_count = ?3, last_payment_at = ?4 WHERE org_id = ?1 AND id = ?2";
    let Some(row) = first(database.query(BEFORE, &[organisation.into(), id.into()])?) else {
        return Ok(());
    };
    let (before, seq) = (row.int(0)?, row.int(1)?);
    let after = before + 1;
    let values = [organisation.into(), id.into(), after.into(), at.into()];
    database.execute(COUNT, &values)?;
    CUSTOMERS.shift(database, organisation, (visits(before), visits(after)), seq)
}

/// The filter value for a count of payments: first-time or repeat.
fn visits(payments: i64) -> FilterKey<'static> {
    FilterKey::status(if payments > 1 { "repeat" } else { "first-time" })
}

pub(crate) fn list(
    database: &mut dyn Database,
    organisation: OrganisationId,
    query: &ListCustomersQuery,
) -> Result<Page<CustomerItem>, StoreError> {
    let search = query.search.as_deref().map(folded);
    let pattern = search.as_deref().map(Pattern::new);
    let visits = query.visit_type.as_ref().map(|visits| match visits {
        VisitType::FirstTime => "first-time",
        _ => "repeat",
    });
    let kinds = FilterValues {
        status: visits,
        ..FilterValues::default()
    };
    let filter = Filter::default()
        .contains("search", pattern.as_ref())
        .counted(&CUSTOMERS, kinds);
    if let Some(text) = search.as_deref() {
        let bounds = LISTING.bounds(database, organisation.into(), &query.list)?;
        if let Some(having) = trigram::having(database, organisation.into(), text, bounds.last)? {
            let found = look_at(database, organisation, &having, bounds, &filter)?;
            return LISTING.found(database, organisation.into(), &query.list, &found);
        }
    }
    LISTING.matching(database, organisation, &query.list, &filter)
}

/// The `seq` of those customers that match a filter.
fn look_at(
    database: &mut dyn Database,
    organisation: OrganisationId,
    having: &[i64],
    bounds: Bounds,
    filter: &Filter<'_>,
) -> Result<BTreeSet<i64>, StoreError> {
    let mut given: Vec<Value<'_>> = vec![organisation.into(), bounds.from.into(), bounds.to.into()];
    given.extend_from_slice(filter.values());
    // `+` keeps the planner off the range: the candidates are few.
    let matches = format!(
        "SELECT l.seq FROM customers l WHERE l.org_id = ?1 AND +l.seq BETWEEN ?2 AND ?3{}",
        filter.condition()
    );
    let mut rows = Vec::new();
    let places: Vec<String> = (1..=LOOKED_AT)
        .map(|place| format!("?{}", given.len() + place))
        .collect();
    let among = format!("{matches} AND l.seq IN ({})", places.join(", "));
    for some in having.chunks(LOOKED_AT) {
        let mut given = given.clone();
        // A fixed count of placeholders keeps one prepared statement; the first `seq` fills the rest.
        given.extend(some.iter().map(|seq| Value::Int(*seq)));
        given.extend((some.len()..LOOKED_AT).map(|_| Value::Int(some[0])));
        rows.extend(database.query(&among, &given)?);
    }
    rows.iter().map(|row| row.int(0)).collect()
}

/// Builds the trigram index of an organisation's customers.
pub(crate) fn index_all(
    database: &mut dyn Database,
    organisation: OrganisationId,
) -> Result<(), StoreError> {
    const NEXT: &str =
        "SELECT seq, search FROM customers WHERE org_id = ?1 AND seq > ?2 ORDER BY seq LIMIT ?3";
    const CLEAR: &str = "DELETE FROM customer_trigrams WHERE org_id = ?1";
    database.execute(CLEAR, &[organisation.into()])?;
    let mut after = 0;
    loop {
        let given = [organisation.into(), after.into(), INDEXED_AT_ONCE.into()];
        let rows = database.query(NEXT, &given)?;
        let Some(last) = rows.last() else {
            return Ok(());
        };
        after = last.int(0)?;
        let texts = rows.iter().map(|row| {
            Ok(Text {
                seq: row.int(0)?,
                text: row.text(1)?,
                before: None,
            })
        });
        let texts: Vec<Text<'_>> = texts.collect::<Result<_, StoreError>>()?;
        trigram::note(database, organisation.into(), &texts)?;
    }
}

fn item(row: &Row) -> Result<(CustomerItem, Timestamp), StoreError> {
    let customer: Customer = read_record(row.text(0)?)?;
    let updated_at = timestamp(row, 3)?;
    let item = CustomerItem {
        id: customer.id,
        guest: customer.name.is_none() && customer.email.is_none() && customer.reference.is_none(),
        customer_ident: customer.reference,
        name: customer.name,
        email: customer.email,
        phone: customer.phone,
        wallet_address: customer.wallet_address,
        is_deleted: customer.deleted_at.is_some(),
        last_payment_date: maybe_timestamp(row, 2)?,
        payments_count: u64::try_from(row.int(1)?).unwrap_or(0),
        organisation_id: customer.org_id,
        metadata: customer.metadata,
        properties: customer.properties,
        created_at: customer.created_at,
        updated_at,
    };
    Ok((item, updated_at))
}
