//! A decoded call with its authenticated caller.

use settlekit_core::operation::Operation;

use crate::unit::caller::Caller;

pub(crate) struct Received<O: Operation> {
    pub(crate) caller: Caller,
    pub(crate) path: O::Path,
    pub(crate) query: O::Query,
    pub(crate) body: O::Body,
}
