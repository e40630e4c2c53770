//! `GET /accounts/{account}/movement`.

use super::{Direction, Movement, MovementStatus, MovementType};
use crate::operation::{Wire, operation};
use crate::page::{CountsBy, Page, list_query_fields};
use crate::validate::{Report, Validate};
use crate::value::{AccountKey, Amount, ChainId, Currency};

/// Maximum length of the search text, in characters.
const SEARCH_CHARS_MAX: usize = 128;

list_query_fields! {
    /// Filters of both movement lists. A list of values is separated by commas.
    ListMovementsQuery {
        /// Only movements of one of these types.
        r#type: Option<Vec<MovementType>>,
        /// Only movements with one of these statuses.
        status: Option<Vec<MovementStatus>>,
        /// Only incoming or only outgoing movements.
        direction: Option<Direction>,
        /// Only movements in one of these currencies.
        currency: Option<Vec<Currency>>,
        /// Only movements on accounts on one of these chains.
        chain_id: Option<Vec<ChainId>>,
        /// Only movements of at least this amount; requires `currency`.
        amount_from: Option<Amount>,
        /// Only movements of at most this amount; requires `currency`.
        amount_to: Option<Amount>,
        /// A complete transaction hash, deposit address, payout destination, movement id, or payment's id or reference.
        search: Option<String>,
        /// `status` also counts the movements with each status. Only in the list of all accounts, and absent with a filter other than
        /// `status`, `since` and `until`.
        counts: Option<CountsBy>,
    }
}

impl Validate for ListMovementsQuery {
    fn validate(&self, report: &mut Report) {
        report.time_range(self.list.since, self.list.until);
        report.amount_range(self.currency.as_deref(), (self.amount_from, self.amount_to));
        report.optional_text("search", self.search.as_ref(), SEARCH_CHARS_MAX);
    }
}

operation! {
    /// Lists the movements of an account (or of all accounts of a reference) and its sub-accounts, newest first.
    ListMovements in "account": GET "/accounts/{account}/movement",
    path: ListMovementsPath {
        /// The account's id or reference.
        account: AccountKey,
    },
    query: ListMovementsQuery,
    response: Page<Movement>,
    WIRE: Wire::List,
    DELEGATED: true,
}
