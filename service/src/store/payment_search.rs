//! The search for payments.
//!
//! Each part is a query by an index: customers by their trigrams, links by their names, the rest by a whole or the beginning of a
//! text. The cost grows with the number of matches, and with the number of links. `CROSS JOIN` makes SQLite read the tables in the order
//! in which they stand.

use settlekit_core::value::address::WalletAddress;
use settlekit_core::value::{OrganisationId, PaymentId};

use super::customer;
use super::filter::{Filter, Pattern};
use super::folding::folded;
use super::sql::{Database, StoreError, Value};

/// A text that payments are searched by.
pub(super) struct Search {
    text: String,
    /// The end of the texts that begin with it.
    end: String,
    /// As hashes and deposit addresses are stored.
    lower_case: String,
    /// As the destinations of payouts are stored.
    destination: Option<WalletAddress>,
    id: Option<PaymentId>,
    pattern: Pattern,
    /// The `seq` of the matching customers; `None` if they are many.
    customers: Option<Vec<i64>>,
}

impl Search {
    pub(super) fn new(
        database: &mut dyn Database,
        organisation: OrganisationId,
        text: &str,
    ) -> Result<Self, StoreError> {
        let folded = folded(text);
        let pattern = Pattern::new(&folded);
        let customers = customer::few_matching(database, organisation, &folded, &pattern)?;
        Ok(Self {
            text: text.to_owned(),
            end: format!("{text}{}", char::MAX),
            lower_case: text.to_ascii_lowercase(),
            destination: text.parse().ok(),
            id: text.parse().ok(),
            pattern,
            customers,
        })
    }

    /// The filter with the search.
    pub(super) fn narrow<'a>(&'a self, mut filter: Filter<'a>) -> Filter<'a> {
        let pattern = filter.value(self.pattern.as_str().into());
        let mut parts = vec![format!(
            "SELECT p.seq FROM plans n CROSS JOIN paylinks k CROSS JOIN payments p WHERE n.org_id = ?1 AND n.seq > 0 \
             AND n.search LIKE {pattern} ESCAPE '!' AND k.org_id = n.org_id AND k.plan_id = n.id \
             AND p.org_id = k.org_id AND p.paylink_id = k.id"
        )];
        let customers = match self.customers.as_deref() {
            None => Some(format!("c.search LIKE {pattern} ESCAPE '!'")),
            Some([]) => None,
            Some(few @ [first, ..]) => {
                // A fixed count of placeholders keeps one prepared statement; the first `seq` fills the rest.
                let missing = customer::LOOKED_AT.saturating_sub(few.len());
                let rest = std::iter::repeat_n(first, missing);
                let numbers = few.iter().chain(rest).map(|seq| Value::Int(*seq));
                Some(format!("c.seq IN ({})", filter.places(numbers)))
            }
        };
        if let Some(customers) = customers {
            parts.push(format!(
                "SELECT p.seq FROM customers c CROSS JOIN payments p WHERE c.org_id = ?1 AND {customers} \
                 AND p.org_id = c.org_id AND p.customer_id = c.id"
            ));
        }
        let text = filter.value(self.text.as_str().into());
        let end = filter.value(self.end.as_str().into());
        parts.push(format!(
            "SELECT p.seq FROM search_index i CROSS JOIN payments p WHERE i.org_id = ?1 \
             AND i.text BETWEEN {text} AND {end} AND i.kind = 'Payment' AND p.org_id = i.org_id AND p.id = i.id"
        ));
        // The indexes of transactions and addresses begin with the chain; there are few chains.
        let lower_case = filter.value(self.lower_case.as_str().into());
        parts.push(format!(
            "SELECT p.seq FROM chain_transactions t CROSS JOIN payments p WHERE t.chain_id IN (SELECT id FROM chains) \
             AND t.hash IN ({text}, {lower_case}) AND t.org_id = ?1 AND p.org_id = t.org_id AND p.id = t.payment_id"
        ));
        parts.push(format!(
            "SELECT p.seq FROM payouts o CROSS JOIN payments p WHERE o.hash IN ({text}, {lower_case}) \
             AND p.org_id = ?1 AND p.id = o.payment_id"
        ));
        parts.push(format!(
            "SELECT p.seq FROM addresses a CROSS JOIN payments p WHERE a.chain_id IN (SELECT id FROM chains) \
             AND a.address = {lower_case} AND a.org_id = ?1 AND p.org_id = a.org_id AND p.id = a.payment_id"
        ));
        if let Some(destination) = &self.destination {
            let destination = filter.value(destination.as_str().into());
            parts.push(format!(
                "SELECT p.seq FROM payouts o CROSS JOIN payments p WHERE o.org_id = ?1 AND o.to_address = {destination} \
                 AND p.org_id = o.org_id AND p.id = o.payment_id"
            ));
        }
        if let Some(id) = self.id {
            let id = filter.value(id.into());
            parts.push(format!(
                "SELECT p.seq FROM payments p WHERE p.org_id = ?1 AND p.id = {id}"
            ));
        }
        filter.among(parts.join(" UNION "))
    }
}
