//! `GET /chains`.

use super::ChainDetail;
use crate::operation::operation;

operation! {
    /// Lists the supported chains and their assets.
    ListChains in "chain": GET "/chains",
    response: Vec<ChainDetail>,
}
