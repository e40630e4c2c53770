//! Validation without sending.

use std::cell::RefCell;

use settlekit_calls::operation::{at, index};
use settlekit_calls::outcome::{of_details, of_error};
use settlekit_calls::validation::Part;
use settlekit_core::error::ErrorDetail;
use wasm_bindgen::prelude::wasm_bindgen;

/// Index of an operation, for [`validate`]: `{"ok": index}`, or `{"error": …}` if there is no such operation.
#[wasm_bindgen]
pub fn operation_index(operation: &str) -> String {
    match index(operation) {
        Ok(index) => format!("{{\"ok\":{index}}}"),
        Err(error) => of_error(&error),
    }
}

/// Size of the buffer for arguments, in bytes. Longer ones are validated by [`validate`] alone.
const BUFFER_BYTES: usize = 1 << 13;

thread_local! {
    static BUFFER: RefCell<[u8; BUFFER_BYTES]> = const { RefCell::new([0; BUFFER_BYTES]) };
}

/// Address and size of the buffer that JavaScript writes the arguments of [`validate_buffer`] into: an argument that wasm-bindgen
/// passes is allocated, copied and freed.
#[wasm_bindgen]
pub fn argument_buffer() -> Vec<usize> {
    BUFFER.with_borrow(|buffer| vec![buffer.as_ptr().addr(), buffer.len()])
}

/// Validates the arguments in the buffer: returns nothing if they are valid, their errors as a JSON array if they are not, and an empty
/// text if [`validate`] must judge them. That is so if one is null, which may stand for a value that JSON cannot hold.
///
/// `part` is as for [`validate`], `length` the length of the JSON in bytes.
#[wasm_bindgen]
pub fn validate_buffer(operation: usize, part: u8, length: usize) -> Option<String> {
    let errors = BUFFER.with_borrow(|buffer| {
        let given = std::str::from_utf8(buffer.get(..length)?).ok()?;
        at(operation).ok()?.try_errors(to_part(part), given)
    });
    match errors {
        None => Some(String::new()),
        Some(errors) => to_array(&errors),
    }
}

/// Validates the arguments of an operation, given by its index.
///
/// `part` is 0 for all, 1 for the query, 2 for the body; `given` is JSON, or empty for none: as bytes, which cross the boundary faster
/// than text. With a `field`, only its errors and those of everything within it count. Returns nothing for valid arguments, else their
/// errors as a JSON array.
#[wasm_bindgen]
pub fn validate(operation: usize, part: u8, field: Option<String>, given: &[u8]) -> Option<String> {
    let field = field.unwrap_or_default();
    let given = std::str::from_utf8(given).unwrap_or_default();
    to_array(&match at(operation) {
        Ok(description) => description.errors(to_part(part), &field, given),
        Err(error) => error.errors,
    })
}

fn to_array(errors: &[ErrorDetail]) -> Option<String> {
    (!errors.is_empty()).then(|| of_details(errors))
}

const fn to_part(part: u8) -> Part {
    match part {
        0 => Part::All,
        1 => Part::Query,
        _ => Part::Body,
    }
}
