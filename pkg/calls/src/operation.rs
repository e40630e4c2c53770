//! The operations, as far as a caller needs them.

use settlekit_core::call::{Given, Outline};
use settlekit_core::catalogue::CATALOGUE;
use settlekit_core::error::Reason;
use settlekit_core::for_each_operation;
use settlekit_core::json::{Fields, Json};
use settlekit_core::operation::{Auth, Operation, PathParams, Wire};
use settlekit_forms::form::Forms;
use settlekit_forms::numbers::numbers_from_text;

use crate::error::CallError;

/// The client's part of an operation's description. Using core's catalogue would link all of it.
#[derive(Debug)]
pub struct Description {
    id: &'static str,
    pub(crate) domain: &'static str,
    pub(crate) auth: Auth,
    pub(crate) outflow: bool,
    pub(crate) path_params: &'static [&'static str],
    pub(crate) outline: Outline,
    pub(crate) wire: Wire,
    pub(crate) forms: Forms,
    /// Whether its body contains exact numbers.
    has_numbers: bool,
}

const fn describe<O: Operation>() -> Description {
    Description {
        id: O::ID,
        domain: O::ROOM,
        auth: O::AUTH,
        outflow: O::OUTFLOW,
        path_params: O::Path::NAMES,
        outline: Outline::of::<O>(),
        wire: O::WIRE,
        forms: Forms::of(O::ID),
        has_numbers: Forms::of(O::ID).body.has_numbers(),
    }
}

static DESCRIPTIONS: [&Description; CATALOGUE.len()] = {
    let first = const { &describe::<settlekit_core::account::CreateAccount>() };
    let mut all = [first; CATALOGUE.len()];
    let mut index = 0;
    macro_rules! visit {
        ($operation:path) => {
            all[index] = const { &describe::<$operation>() };
            index += 1;
        };
    }
    for_each_operation!(visit);
    assert!(index == all.len(), "an operation is missing");
    all
};

/// Finds an operation by its name (`CreatePaylink`).
///
/// # Errors
/// There is none of this name.
pub fn find(operation: &str) -> Result<&'static Description, CallError> {
    index(operation).map(|index| DESCRIPTIONS[index])
}

/// Index of an operation, for [`at`]: valid for this build only.
///
/// # Errors
/// There is none of this name.
pub fn index(operation: &str) -> Result<usize, CallError> {
    let mut all = DESCRIPTIONS.iter();
    all.position(|description| description.id == operation)
        .ok_or_else(|| CallError::invalid_argument(format!("there is no operation `{operation}`")))
}

/// The operation with an index.
///
/// # Errors
/// The index is not of this build.
pub fn at(index: usize) -> Result<&'static Description, CallError> {
    let found = DESCRIPTIONS.get(index).copied();
    found.ok_or_else(|| {
        let message = format!("there is no operation {index}");
        CallError::local("request", Reason::RequestMalformed, &message)
    })
}

impl Description {
    /// Splits the arguments into path, query and body. Unknown names go where core reports them.
    pub(crate) fn split_arguments<'a>(&self, given: Fields<'a>) -> Given<'a> {
        let mut split = Given::default();
        let has_body = !self.outline.body_fields().is_empty();
        if has_body && self.path_params.is_empty() && self.outline.query_params().is_empty() {
            split.body = Some(self.to_body(Json::Object(given)));
            return split;
        }
        let mut body = Fields::with_capacity(16);
        for (name, value) in given {
            if self.path_params.contains(&&*name) {
                split.path.push(name, value);
            } else if !has_body || self.outline.query_params().contains(&&*name) {
                split.query.push(name, value);
            } else {
                body.push(name, value);
            }
        }
        if has_body {
            split.body = Some(self.to_body(Json::Object(body)));
        }
        split
    }

    /// A body for core: exact numbers may be given as text.
    pub(crate) fn to_body<'a>(&self, mut body: Json<'a>) -> Json<'a> {
        if self.has_numbers {
            numbers_from_text(&mut body, self.forms.body);
        }
        body
    }
}
