//! `GET /chains`.

use super::ChainDetail;
use crate::operation::operation;

operation! {
    /// Lists the chains and assets that can be taken.
    ListChains in "chain": GET "/chains",
    response: Vec<ChainDetail>,
}
