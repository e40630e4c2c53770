//! Errors of URL parameters, collected while a request is built.

use std::cell::RefCell;

use settlekit_core::error::Reason;
use settlekit_core::validate::Report;

thread_local! {
    static ERRORS: RefCell<Report> = RefCell::default();
}

/// Builds a request from the URL. An invalid parameter is an error, because the request without it would be a different one.
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

pub(crate) fn report(name: &str, reason: Reason, message: impl Into<String>) {
    ERRORS.with_borrow_mut(|errors| errors.add_error(name, reason, message));
}
