//! `GET /installation/transactions`.

use super::OutgoingTransaction;
use crate::field::query;
use crate::operation::{Auth, operation};
use crate::page::Limit;
use crate::value::ChainId;
use crate::value::record::record;

query! {
    /// Filters of the transactions under way.
    ListOutgoingTransactionsQuery {
        /// Filter by chain.
        chain_id: Option<ChainId>,
        /// The `next` of the part before.
        after: Option<i64>,
        /// Most transactions of this part, 1 to 100; default 100.
        limit: Option<Limit>,
    }
    names &["chain_id", "after", "limit"]
}

record! {
    /// A part of the transactions under way, oldest first.
    OutgoingTransactionList {
        /// The transactions.
        items: Vec<OutgoingTransaction>,
        /// For `after`, if there are more.
        next?: i64,
    }
}

operation! {
    /// Lists the transactions under way, oldest first; for operators of the installation.
    ListOutgoingTransactions in "installation": GET "/installation/transactions",
    query: ListOutgoingTransactionsQuery,
    response: OutgoingTransactionList,
    AUTH: Auth::Session,
}
