//! A call as an operation receives it: decoded, from a known caller.

use settlekit_core::operation::Operation;

use crate::unit::caller::Caller;

/// A call whose caller is known.
pub(crate) struct Received<O: Operation> {
    pub(crate) caller: Caller,
    pub(crate) path: O::Path,
    pub(crate) query: O::Query,
    pub(crate) body: O::Body,
}
