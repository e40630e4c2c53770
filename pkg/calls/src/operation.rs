//! The operations, as far as a caller needs them.

use serde_json::{Map, Value};
use settlekit_core::call::{Arguments, Outline};
use settlekit_core::for_each_operation;
use settlekit_core::operation::{Auth, Operation, PathParams, Wire};
use settlekit_forms::forms;
use settlekit_forms::numbers::numbers_from_text;

use crate::error::CallError;

/// The client's part of an operation's description. Using core's catalogue would link all of it.
#[derive(Debug)]
pub struct Description {
    pub(crate) id: &'static str,
    pub(crate) room: &'static str,
    pub(crate) auth: Auth,
    pub(crate) outflow: bool,
    pub(crate) path_params: &'static [&'static str],
    pub(crate) outline: Outline,
    pub(crate) wire: Wire,
}

const fn describe<O: Operation>() -> Description {
    Description {
        id: O::ID,
        room: O::ROOM,
        auth: O::AUTH,
        outflow: O::OUTFLOW,
        path_params: O::Path::NAMES,
        outline: Outline::of::<O>(),
        wire: O::WIRE,
    }
}

/// Finds an operation by its name (`CreatePaylink`).
///
/// # Errors
/// There is none of this name.
pub fn find(operation: &str) -> Result<&'static Description, CallError> {
    macro_rules! visit {
        ($operation:path) => {
            if operation == <$operation as Operation>::ID {
                return Ok(const { &describe::<$operation>() });
            }
        };
    }
    for_each_operation!(visit);
    Err(CallError::unusable(format!(
        "there is no operation `{operation}`"
    )))
}

impl Description {
    /// Splits the arguments into path, query and body. Unknown names go where core reports them.
    pub(crate) fn sort_out(&self, given: Map<String, Value>) -> Arguments {
        let mut arguments = Arguments::default();
        let mut body = Map::new();
        for (name, value) in given {
            if self.path_params.contains(&name.as_str()) {
                arguments.path.insert(name, value);
            } else if self.outline.body_fields().is_empty()
                || self.outline.query_params().contains(&name.as_str())
            {
                arguments.query.insert(name, value);
            } else {
                body.insert(name, value);
            }
        }
        if !self.outline.body_fields().is_empty() {
            arguments.body = Some(self.to_body(Value::Object(body)));
        }
        arguments
    }

    /// A body for core: exact numbers may be given as text.
    pub(crate) fn to_body(&self, mut body: Value) -> Value {
        numbers_from_text(&mut body, forms::body(self.id));
        body
    }
}
