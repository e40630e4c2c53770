//! The interface `values`.

use settlekit_calls::value;

use crate::bindings::exports::settlekit::core::values::{CallError, Guest};
use crate::{Core, convert};

impl Guest for Core {
    fn parse_value(kind: String, text: String) -> Result<String, CallError> {
        value::parse(&kind, &text).map_err(convert::error)
    }
}
