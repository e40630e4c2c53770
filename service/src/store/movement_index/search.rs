//! The search for movements by whole texts.

use settlekit_core::value::address::WalletAddress;
use settlekit_core::value::{MovementId, PaymentId};

use crate::store::sql::Value;

/// A text that movements are searched by.
pub(in crate::store) struct Search {
    text: String,
    /// As hashes and addresses are stored.
    lower_case: String,
    /// As the destinations of payouts are stored.
    destination: Option<WalletAddress>,
    payment: Option<PaymentId>,
    movement: Option<MovementId>,
}

impl Search {
    pub(in crate::store) fn new(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            lower_case: text.to_ascii_lowercase(),
            destination: text.parse().ok(),
            payment: text.parse().ok(),
            movement: text.parse().ok(),
        }
    }

    /// A query for the ids of the movements as `movement_id`, each part by an index, with the organisation at `?1`. `CROSS JOIN` makes
    /// SQLite read the tables in the order in which they stand.
    pub(super) fn movements<'s>(&'s self, given: &mut Vec<Value<'s>>) -> String {
        let mut value = |value: Value<'s>| {
            given.push(value);
            format!("?{}", given.len())
        };
        let (text, lower_case) = (
            value(self.text.as_str().into()),
            value(self.lower_case.as_str().into()),
        );
        // The indexes of transactions and addresses begin with the chain; there are few chains. The organisation of a payout found by
        // its hash is that of its movement, which the reader compares.
        let mut parts = vec![
            format!(
                "SELECT t.movement_id FROM chain_transactions t WHERE t.chain_id IN (SELECT id FROM chains) \
                 AND t.hash IN ({text}, {lower_case}) AND t.org_id = ?1"
            ),
            format!("SELECT o.movement_id FROM payouts o WHERE o.hash IN ({text}, {lower_case})"),
            format!(
                "SELECT t.movement_id FROM addresses d CROSS JOIN chain_transactions t \
                 WHERE d.chain_id IN (SELECT id FROM chains) AND d.address = {lower_case} AND d.org_id = ?1 \
                 AND t.org_id = d.org_id AND t.payment_id = d.payment_id"
            ),
            format!(
                "SELECT t.movement_id FROM search_index i CROSS JOIN chain_transactions t \
                 WHERE i.org_id = ?1 AND i.text = {text} AND i.kind = 'Payment' AND t.org_id = i.org_id AND t.payment_id = i.id"
            ),
            format!(
                "SELECT o.movement_id FROM search_index i CROSS JOIN payouts o \
                 WHERE i.org_id = ?1 AND i.text = {text} AND i.kind = 'Payment' AND o.org_id = i.org_id AND o.payment_id = i.id"
            ),
        ];
        if let Some(destination) = &self.destination {
            let destination = value(destination.as_str().into());
            parts.push(format!(
                "SELECT o.movement_id FROM payouts o WHERE o.org_id = ?1 AND o.to_address = {destination}"
            ));
        }
        if let Some(payment) = self.payment {
            let payment = value(payment.into());
            parts.push(format!(
                "SELECT t.movement_id FROM chain_transactions t WHERE t.org_id = ?1 AND t.payment_id = {payment}"
            ));
            parts.push(format!(
                "SELECT o.movement_id FROM payouts o WHERE o.org_id = ?1 AND o.payment_id = {payment}"
            ));
        }
        if let Some(movement) = self.movement {
            let movement = value(movement.into());
            parts.push(format!(
                "SELECT f.id FROM movements f WHERE f.org_id = ?1 AND f.id = {movement}"
            ));
        }
        parts.join(" UNION ")
    }
}
