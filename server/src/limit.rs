//! How many requests a caller may make in a minute. Told in the headers of draft-ietf-httpapi-ratelimit-headers-10.
//!
//! Who calls is taken as said here: proving it is the service's. Each process counts for itself.

use std::hash::Hash;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU32, Ordering};

use axum::http::header::{COOKIE, RETRY_AFTER};
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use governor::clock::{Clock, DefaultClock};
use governor::middleware::StateInformationMiddleware;
use governor::state::keyed::DashMapStateStore;
use governor::{Quota, RateLimiter};
use settlekit_core::header;
use sha2::{Digest, Sha256};

const POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
const LIMIT: HeaderName = HeaderName::from_static("ratelimit");

/// After so many requests those who have not called for a while are forgotten.
const TIDY_EVERY: u32 = 65_536;

/// How many requests a minute are answered; none for as many as come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Of one API key or one session.
    pub key: Option<NonZeroU32>,
    /// Of one address, for requests without either: sign-in and the payers' pages.
    pub address: Option<NonZeroU32>,
    /// Whether the last address in `X-Forwarded-For` is the caller's: true only behind a proxy that writes it.
    pub behind_proxy: bool,
}

impl Limits {
    /// Everybody may ask as often as they like.
    pub const NONE: Self = Self {
        key: None,
        address: None,
        behind_proxy: false,
    };
}

/// The other end of a connection.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer(pub(crate) SocketAddr);

/// What a request is told about its limit.
#[derive(Debug)]
pub(crate) struct Told {
    policy: String,
    limit: String,
    /// Seconds to wait, when it came too soon.
    pub(crate) wait: Option<u64>,
}

impl Told {
    /// Writes it into the headers of an answer.
    pub(crate) fn write(&self, headers: &mut HeaderMap) {
        let mut set = |name, text: &str| {
            if let Ok(value) = HeaderValue::from_str(text) {
                headers.insert(name, value);
            }
        };
        set(POLICY, &self.policy);
        set(LIMIT, &self.limit);
        if let Some(wait) = self.wait {
            set(RETRY_AFTER, &wait.to_string());
        }
    }
}

/// Counts the requests of everybody.
pub(crate) struct Limiter {
    key: Option<Counter<[u8; 32]>>,
    address: Option<Counter<IpAddr>>,
    behind_proxy: bool,
}

impl Limiter {
    pub(crate) fn new(limits: Limits) -> Self {
        Self {
            key: limits.key.map(|a_minute| Counter::new("key", a_minute)),
            address: limits
                .address
                .map(|a_minute| Counter::new("address", a_minute)),
            behind_proxy: limits.behind_proxy,
        }
    }

    /// Counts a request; none when it has no limit.
    pub(crate) fn count(&self, headers: &HeaderMap, peer: Option<Peer>) -> Option<Told> {
        match secret(headers) {
            Some(secret) => Some(self.key.as_ref()?.count(&Sha256::digest(secret).into())),
            None => Some(self.address.as_ref()?.count(&self.caller(headers, peer))),
        }
    }

    fn caller(&self, headers: &HeaderMap, peer: Option<Peer>) -> IpAddr {
        let forwarded = || {
            let last = headers.get_all("x-forwarded-for").iter().next_back()?;
            last.to_str().ok()?.rsplit(',').next()?.trim().parse().ok()
        };
        self.behind_proxy
            .then(forwarded)
            .flatten()
            .or(peer.map(|peer| peer.0.ip()))
            // Callers in the same process have no address.
            .unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED))
    }
}

/// What tells one caller from another: the key, or the session's cookie.
fn secret(headers: &HeaderMap) -> Option<&[u8]> {
    if let Some(key) = headers.get(header::API_KEY) {
        return Some(key.as_bytes());
    }
    headers
        .get_all(COOKIE)
        .iter()
        .filter_map(|cookies| cookies.to_str().ok())
        .flat_map(|cookies| cookies.split(';'))
        .find_map(|cookie| {
            cookie
                .trim()
                .strip_prefix(header::SESSION_COOKIE)?
                .strip_prefix('=')
        })
        .map(str::as_bytes)
}

/// Counts by one kind of name.
struct Counter<K: Hash + Eq + Clone> {
    name: &'static str,
    a_minute: NonZeroU32,
    limiter: RateLimiter<K, DashMapStateStore<K>, DefaultClock, StateInformationMiddleware>,
    counted: AtomicU32,
}

impl<K: Hash + Eq + Clone> Counter<K> {
    fn new(name: &'static str, a_minute: NonZeroU32) -> Self {
        Self {
            name,
            a_minute,
            limiter: RateLimiter::dashmap(Quota::per_minute(a_minute)).with_middleware(),
            counted: AtomicU32::new(0),
        }
    }

    fn count(&self, name: &K) -> Told {
        if self.counted.fetch_add(1, Ordering::Relaxed) % TIDY_EVERY == TIDY_EVERY - 1 {
            self.limiter.retain_recent();
        }
        let policy = format!("\"{}\";q={};w=60", self.name, self.a_minute);
        match self.limiter.check_key(name) {
            Ok(left) => Told {
                policy,
                limit: format!("\"{}\";r={}", self.name, left.remaining_burst_capacity()),
                wait: None,
            },
            Err(early) => {
                let wait = early.wait_time_from(DefaultClock::default().now());
                let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
                Told {
                    policy,
                    limit: format!("\"{}\";r=0;t={}", self.name, seconds.max(1)),
                    wait: Some(seconds.max(1)),
                }
            }
        }
    }
}
