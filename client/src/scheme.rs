//! The parts of signed requests that the contract leaves open: message, nonce, and the answer to an expired nonce.

use std::error::Error;

use http::{HeaderMap, Request};
use settlekit_core::error::Reason;
use settlekit_core::header;
use settlekit_core::sign::{Nonce, SIGNATURE, signature_of};
use settlekit_core::value::Timestamp;

use crate::Refused;

/// How a service has its requests signed. Every method has a default: Settlekit's way.
///
/// A service with a message and a nonce of its own:
///
/// ```
/// use std::error::Error;
///
/// use http::{HeaderMap, Request};
/// use settlekit::api::value::Timestamp;
/// use settlekit::{Client, Scheme, Settings};
///
/// struct Theirs;
///
/// impl Scheme for Theirs {
///     fn nonce(&self, now: Timestamp, _random: [u8; 10]) -> String {
///         now.micros().to_string()
///     }
///
///     fn sign(
///         &self,
///         request: &Request<Vec<u8>>,
///         nonce: &str,
///         secret: &str,
///     ) -> Result<HeaderMap, Box<dyn Error + Send + Sync>> {
///         let path = request.uri().path();
///         let mut message = format!("{nonce}{}{path}", request.method()).into_bytes();
///         message.extend(request.body());
///         let mut headers = HeaderMap::new();
///         headers.insert("x-api-signature", hmac(secret, &message).parse()?);
///         Ok(headers)
///     }
/// }
/// # fn hmac(secret: &str, message: &[u8]) -> String { settlekit::api::sign::signature(secret, &String::from_utf8_lossy(message)) }
///
/// let client = Client::with(Settings {
///     base_url: "https://pay.example".to_owned(),
///     scheme: std::sync::Arc::new(Theirs),
///     ..Settings::default()
/// });
/// # assert!(client.is_ok());
/// ```
pub trait Scheme: Send + Sync {
    /// A nonce, different for every attempt. `now` is the service's estimated time. Default: a UUIDv7.
    fn nonce(&self, now: Timestamp, random: [u8; 10]) -> String {
        Nonce::new(now, random).to_string()
    }

    /// The headers that sign a request, which is complete and has its nonce in `X-API-Nonce`. The client hides their values.
    ///
    /// # Errors
    /// Any; the request is not sent, and the caller gets [`crate::Error::Settings`].
    fn sign(
        &self,
        request: &Request<Vec<u8>>,
        nonce: &str,
        secret: &str,
    ) -> Result<HeaderMap, Box<dyn Error + Send + Sync>> {
        let signature = signature_of(request, nonce, secret);
        Ok(HeaderMap::from_iter([(SIGNATURE, signature)]))
    }

    /// The service's time, if it refused the nonce because of the client's clock. The client corrects its clock once and tries again.
    fn server_time(&self, refused: &Refused, headers: &HeaderMap) -> Option<Timestamp> {
        // Only a nonce time error can be fixed by adjusting the clock.
        headers
            .get(header::SERVER_TIME)
            .filter(|_| refused.is(Reason::NonceOutOfWindow))
            .and_then(|time| time.to_str().ok()?.parse().ok())
    }
}

/// Settlekit's own scheme (`docs/decisions/0001-signed-message.md`, `0002-nonce.md`).
#[derive(Debug, Clone, Copy, Default)]
pub struct DefaultScheme;

impl Scheme for DefaultScheme {}
