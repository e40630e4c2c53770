//! `GET /overview`.

use super::Overview;
use crate::operation::operation;

operation! {
    /// Reads balances, recent volume and open issues.
    GetOverview in "overview": GET "/overview",
    response: Overview,
}
