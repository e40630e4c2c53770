//! Customers.

use std::collections::BTreeSet;

use settlekit_core::customer::{Customer, CustomerItem, ListCustomersQuery, VisitType};
use settlekit_core::page::{ListQuery, Page};
use settlekit_core::value::{Amount, CustomerId, OrganisationId, Timestamp};

use super::columns::get;
use super::filter::{Filter, Pattern};
use super::filter_counts::{CUSTOMERS, FilterKey, FilterValues};
use super::folding::folded;
use super::list::Bounds;
use super::listing::{Listing, listing};
use super::sql::{Database, Row, StoreError, Value};
use super::statement::{delete, insert, update};
use super::trigram::{self, Text};
use super::{conflict_on_duplicate, first, one_record, read_record};

/// Customers per statement of [`look_at`].
pub(super) const LOOKED_AT: usize = 128;

/// With more candidates, [`few_matching`] gives up: a scan costs less than to look at them.
const CANDIDATES_MAX: usize = 4096;

/// Customers indexed at once: one block of the trigram index.
const INDEXED_AT_ONCE: i64 = 256;

/// Decimal places of what a customer has spent: millionths of a US dollar.
const SPENT_SCALE: u32 = 6;

pub(crate) const LISTING: Listing<CustomerItem, CustomerId> = listing!(
    "customers",
    "l.record, l.payments_count, l.last_payment_at, l.updated_at, l.spent_usd",
    item
);

/// The list of full records.
pub(crate) const RECORDS: Listing<Customer, CustomerId> = listing!("customers");

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
    let (seq, customer) = RECORDS.number(database, customer.org_id, customer)?;
    let search = search_of(&customer);
    let inserted = insert!(database, "customers" {
        seq: seq,
        ident: &customer.reference,
        payments_count: 0,
        search: &search,
        email: &email_of(&customer),
        ..customer
    });
    // Another transaction inserted the same customer.
    conflict_on_duplicate(inserted)?;
    CUSTOMERS.add(database, customer.org_id, visits(0), seq)?;
    let text = Text {
        seq,
        text: &search,
        before: None,
    };
    trigram::index_texts(database, customer.org_id.into(), &[text])?;
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
    one_record(database.query(FIND, &[organisation.into(), ident.into()])?)
}

/// The lower-case e-mail address for lookups.
fn email_of(customer: &Customer) -> Option<String> {
    customer.email.as_deref().map(str::to_lowercase)
}

pub(crate) fn update(database: &mut dyn Database, customer: &Customer) -> Result<(), StoreError> {
    const BEFORE: &str = "SELECT seq, search FROM customers WHERE org_id = ?1 AND id = ?2";
    let search = search_of(customer);
    if let Some(row) = first(database.query(BEFORE, &[customer.org_id.into(), customer.id.into()])?)
    {
        let text = Text {
            seq: row.int(0)?,
            text: &search,
            before: Some(row.text(1)?),
        };
        trigram::index_texts(database, customer.org_id.into(), &[text])?;
    }
    update!(database, "customers" {
        ident: &customer.reference,
        search: &search,
        email: &email_of(customer),
        ..customer
    })
}

pub(crate) fn count_payment(
    database: &mut dyn Database,
    organisation: OrganisationId,
    id: CustomerId,
    at: Timestamp,
) -> Result<(), StoreError> {
    const BEFORE: &str =
        "SELECT payments_count, seq FROM customers WHERE org_id = ?1 AND id = ?2 FOR UPDATE";
    let Some(row) = first(database.query(BEFORE, &[organisation.into(), id.into()])?) else {
        return Ok(());
    };
    let (before, seq) = (row.int(0)?, row.int(1)?);
    let after = before + 1;
    update!(database, "customers" [org_id: organisation, id: id] {
        payments_count: after,
        last_payment_at: at,
    })?;
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
    let filter = Filter::default()
        .contains("search", pattern.as_ref())
        .counted(&CUSTOMERS, FilterValues::status(visits));
    if let Some(text) = search.as_deref() {
        let bounds = LISTING.bounds(database, organisation.into(), &query.list)?;
        if let Some(having) = trigram::having(database, organisation.into(), text, bounds.last)? {
            let found = look_at(database, organisation, &having, bounds, &filter)?;
            return LISTING.found(database, organisation.into(), &query.list, &found);
        }
    }
    LISTING.matching(database, organisation, &query.list, &filter)
}

/// The `seq` of the customers that match a folded text; `None` if they are more than [`LOOKED_AT`], or a scan is cheaper.
pub(super) fn few_matching(
    database: &mut dyn Database,
    organisation: OrganisationId,
    text: &str,
    pattern: &Pattern,
) -> Result<Option<Vec<i64>>, StoreError> {
    let bounds = LISTING.bounds(database, organisation.into(), &ListQuery::default())?;
    let having = trigram::having(database, organisation.into(), text, bounds.last)?;
    let Some(having) = having.filter(|having| having.len() <= CANDIDATES_MAX) else {
        return Ok(None);
    };
    let filter = Filter::default().contains("search", Some(pattern));
    let found = look_at(database, organisation, &having, bounds, &filter)?;
    Ok((found.len() <= LOOKED_AT).then(|| found.into_iter().collect()))
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
    delete!(database, "customer_trigrams" [org_id: organisation])?;
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
        trigram::index_texts(database, organisation.into(), &texts)?;
    }
}

fn item(row: &Row) -> Result<(CustomerItem, Timestamp), StoreError> {
    let customer: Customer = read_record(row.text(0)?)?;
    let updated_at = get(row, 3)?;
    let item = CustomerItem {
        id: customer.id,
        guest: customer.name.is_none() && customer.email.is_none() && customer.reference.is_none(),
        customer_ident: customer.reference,
        name: customer.name,
        email: customer.email,
        phone: customer.phone,
        wallet_address: customer.wallet_address,
        is_deleted: customer.deleted_at.is_some(),
        last_payment_date: get(row, 2)?,
        payments_count: u64::try_from(row.int(1)?).unwrap_or(0),
        spent_usd: Amount::from_units(row.amount(4)?, SPENT_SCALE).ok(),
        organisation_id: customer.org_id,
        metadata: customer.metadata,
        properties: customer.properties,
        created_at: customer.created_at,
        updated_at,
    };
    Ok((item, updated_at))
}
