//! Errors of the host, in the API's error envelope.

use axum::body::Body;
use axum::http::Response;
use settlekit_core::error::{ApiError, ErrorDetail, Reason};
use settlekit_service::error_response;

pub(crate) fn failed(reason: Reason, message: &str) -> Response<Body> {
    let detail = ErrorDetail {
        domain: "service".to_owned(),
        reason: reason.as_str().to_owned(),
        field: None,
        message: message.to_owned(),
    };
    let error = ApiError {
        code: reason.status().as_u16(),
        message: message.to_owned(),
        errors: vec![detail],
    };
    error_response(&error).map(Body::from)
}
