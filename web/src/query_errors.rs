//! The errors of the address: parameters that cannot be read, collected while a request is put together.

use std::cell::RefCell;

use settlekit_core::error::Reason;
use settlekit_core::validate::Report;

thread_local! {
    /// The errors of the request that is being put together.
    static ERRORS: RefCell<Report> = RefCell::default();
}

/// Puts a request together from the address. A parameter that cannot be read is an error: the request without it would be
/// a different one.
pub(crate) fn collect<T>(ask: impl FnOnce() -> Option<T>) -> Result<Option<T>, Report> {
    ERRORS.take();
    let request = ask();
    let errors = ERRORS.take();
    if errors.is_clean() {
        Ok(request)
    } else {
        Err(errors)
    }
}

/// Reports a parameter that cannot be read.
pub(crate) fn report(name: &str, reason: Reason, message: impl Into<String>) {
    ERRORS.with_borrow_mut(|errors| errors.complain(name, reason, message));
}
