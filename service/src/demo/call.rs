//! Requests of the demo's actors, as their programs would send them.

use http::{HeaderValue, Request};
use serde_json::Value;
use settlekit_core::header;
use settlekit_core::sign::{self, Nonce};

use super::story::Story;
use crate::random::Seed;
use crate::secret::password::Prepared;
use crate::store::sql::StoreError;

fn broken(error: impl std::fmt::Display) -> StoreError {
    StoreError::Broken(error.to_string())
}

fn request(
    api_key: &str,
    method: &str,
    target: &str,
    body: &Value,
) -> Result<Request<Vec<u8>>, StoreError> {
    let bytes = if body.is_null() {
        Vec::new()
    } else {
        body.to_string().into_bytes()
    };
    Request::builder()
        .method(method)
        .uri(target)
        .header(header::API_KEY, api_key)
        .body(bytes)
        .map_err(broken)
}

impl Story<'_> {
    /// Sends a request of the merchant's program; returns the envelope's content.
    pub(super) fn call(
        &mut self,
        method: &str,
        target: &str,
        body: &Value,
    ) -> Result<Value, StoreError> {
        let request = request(&self.merchant.api_key, method, target, body)?;
        self.send(&request)
    }

    pub(super) fn get(&mut self, target: &str) -> Result<Value, StoreError> {
        self.call("GET", target, &Value::Null)
    }

    pub(super) fn delete(&mut self, target: &str) -> Result<Value, StoreError> {
        self.call("DELETE", target, &Value::Null)
    }

    pub(super) fn post(&mut self, target: &str, body: &Value) -> Result<Value, StoreError> {
        self.call("POST", target, body)
    }

    /// As [`Story::post`], signed.
    pub(super) fn sign(&mut self, target: &str, body: &Value) -> Result<Value, StoreError> {
        let mut request = request(&self.merchant.api_key, "POST", target, body)?;
        let nonce = self.nonce();
        sign::sign(&mut request, &self.merchant.signing_secret, nonce);
        self.send(&request)
    }

    /// As [`Story::sign`], by the partner on behalf of the merchant.
    pub(super) fn sign_for(&mut self, target: &str, body: &Value) -> Result<Value, StoreError> {
        let mut request = request(&self.partner.api_key, "POST", target, body)?;
        let on_behalf = self.merchant.id.to_string();
        let on_behalf = HeaderValue::try_from(on_behalf).map_err(broken)?;
        request
            .headers_mut()
            .insert(header::ORGANISATION, on_behalf);
        let nonce = self.nonce();
        sign::sign(&mut request, &self.partner.signing_secret, nonce);
        self.send(&request)
    }

    fn nonce(&mut self) -> Nonce {
        let mut bytes = [0; 10];
        bytes.copy_from_slice(&self.random.bytes::<32>()[..10]);
        Nonce::new(self.now, bytes)
    }

    fn send(&mut self, request: &Request<Vec<u8>>) -> Result<Value, StoreError> {
        let seed = Seed(self.random.bytes());
        let route = self.service.route(request.method(), request.uri().path());
        let answer = self.service.answer_in(
            &mut *self.database,
            request,
            &route.decode(request),
            Prepared::default(),
            self.now,
            seed,
        )?;
        let mut body: Value = serde_json::from_slice(answer.response.body()).map_err(broken)?;
        if answer.response.status().is_success() {
            Ok(body["data"].take())
        } else {
            Err(StoreError::Broken(format!(
                "the demo was refused: {} {}: {body}",
                request.method(),
                request.uri()
            )))
        }
    }
}
