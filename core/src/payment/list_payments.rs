//! `GET /payments`.

use super::{Payment, PaymentMethod, PaymentStatus};
use crate::operation::{Wire, operation};
use crate::page::{CountsBy, Page, list_query_fields};
use crate::validate::{Report, Validate};
use crate::value::{Amount, Currency, CustomerId, PaylinkId};

/// Maximum length of the search text, in characters.
const SEARCH_CHARS_MAX: usize = 128;

list_query_fields! {
    /// Filters of the payment list.
    ListPaymentsQuery {
        /// Filter by customer.
        customer_id: Option<CustomerId>,
        /// Filter by paylink.
        paylink_id: Option<PaylinkId>,
        /// Filter by status.
        status: Option<PaymentStatus>,
        /// Only payments with one of these methods, separated by commas. `ProxyWallet,Direct` leaves payouts out.
        payment_method: Option<Vec<PaymentMethod>>,
        /// Only payments in one of these currencies, separated by commas.
        currency: Option<Vec<Currency>>,
        /// Only payments of at least this amount; requires `currency`.
        amount_from: Option<Amount>,
        /// Only payments of at most this amount; requires `currency`.
        amount_to: Option<Amount>,
        /// Part of the customer's name, e-mail or reference or of the paylink's name, ignoring case and accents; the beginning of
        /// the payment's reference; or a complete payment id, transaction hash, deposit address or payout destination.
        search: Option<String>,
        /// `status` also counts the payments with each status. Absent with a customer, a paylink, an amount or a search.
        counts: Option<CountsBy>,
    }
}

impl Validate for ListPaymentsQuery {
    fn validate(&self, report: &mut Report) {
        report.time_range(self.list.since, self.list.until);
        report.amount_range(self.currency.as_deref(), (self.amount_from, self.amount_to));
        report.optional_text("search", self.search.as_ref(), SEARCH_CHARS_MAX);
    }
}

operation! {
    /// Lists payments.
    ListPayments in "payment": GET "/payments",
    query: ListPaymentsQuery,
    response: Page<Payment>,
    WIRE: Wire::List,
}
