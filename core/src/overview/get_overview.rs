//! `GET /overview`.

use super::Overview;
use crate::operation::operation;

operation! {
    /// Reads balances, recent volume and what waits for attention.
    GetOverview in "overview": GET "/overview",
    response: Overview,
}
