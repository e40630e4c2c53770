//! Rate limits per caller and minute, with the headers of draft-ietf-httpapi-ratelimit-headers-10.
//!
//! The caller is not authenticated here; the service does that. Each process counts on its own. Refused keys count per address,
//! because each guess is another key.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{PoisonError, RwLock};
use std::time::{Duration, Instant};

use axum::http::header::{COOKIE, RETRY_AFTER};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use governor::clock::{Clock, DefaultClock};
use governor::middleware::StateInformationMiddleware;
use governor::state::keyed::DashMapStateStore;
use governor::{Quota, RateLimiter};
use settlekit_core::header;
use settlekit_core::operation::Auth;
use settlekit_core::value::OrganisationId;
use settlekit_service::CallerNetwork;
use sha2::{Digest, Sha256};

const POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
const LIMIT: HeaderName = HeaderName::from_static("ratelimit");

/// Requests between two clean-ups of inactive callers.
const TIDY_EVERY: u32 = 65_536;

/// Accepted keys and sessions in the cache.
const ACCEPTED_MAX: usize = 65_536;

/// Requests per minute; `None` for no limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Per API key or session.
    pub key: Option<NonZeroU32>,
    /// Per address, for requests without key and session (sign-in, checkout) and for those with a refused key.
    pub address: Option<NonZeroU32>,
    /// The last address in `X-Forwarded-For` is the caller's: only behind a proxy that sets it.
    pub behind_proxy: bool,
}

impl Limits {
    /// No limits.
    pub const NONE: Self = Self {
        key: None,
        address: None,
        behind_proxy: false,
    };
}

/// The peer address of a connection.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer(pub(crate) SocketAddr);

/// The state of a caller's rate limit, for the headers of the answer.
#[derive(Debug)]
pub(crate) struct RateLimitState {
    policy: String,
    limit: String,
    /// Seconds to wait, if the limit is exceeded.
    pub(crate) wait: Option<u64>,
}

impl RateLimitState {
    /// Sets the headers of an answer.
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

/// The hash of a key or a session token.
pub(crate) type Digested = [u8; 32];

/// Who holds slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Holder {
    /// An organisation, whatever its key.
    Organisation(OrganisationId),
    /// A key or session, whatever its address.
    Secret(Digested),
    /// Everybody else at an address.
    Address(IpAddr),
    /// Everybody, where nobody is limited.
    Everybody,
}

impl Holder {
    /// How many of all slots it may have; `of_one` unless it is everybody.
    pub(crate) fn share(self, all: usize, of_one: usize) -> usize {
        match self {
            Self::Everybody => all,
            Self::Organisation(_) | Self::Secret(_) | Self::Address(_) => of_one,
        }
    }
}

/// The identity under which a request counts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Caller {
    address: IpAddr,
    pub(crate) secret: Option<Digested>,
}

impl Caller {
    /// The caller's network, for the service.
    pub(crate) fn network(&self) -> CallerNetwork {
        CallerNetwork(self.address.to_string())
    }
}

/// Counts the requests of all callers.
pub(crate) struct Limiter {
    key: Option<Counter<Digested>>,
    address: Option<Counter<IpAddr>>,
    refused: Option<RefusedCredentials>,
    behind_proxy: bool,
    /// The name of the session cookie.
    cookie: &'static str,
}

impl Limiter {
    pub(crate) fn new(limits: Limits, public_url: &str) -> Self {
        Self {
            cookie: header::session_cookie(public_url),
            key: limits.key.map(|a_minute| Counter::new("key", a_minute)),
            address: limits
                .address
                .map(|a_minute| Counter::new("address", a_minute)),
            refused: limits.address.map(RefusedCredentials::new),
            behind_proxy: limits.behind_proxy,
        }
    }

    /// The caller of a request. A key or session counts only for an operation that asks for it: otherwise a caller could send a
    /// different one with each request.
    pub(crate) fn caller(&self, headers: &HeaderMap, peer: Option<Peer>, auth: Auth) -> Caller {
        // Without limits callers need no identity.
        let counts = self.key.is_some() || self.refused.is_some();
        let secret = secret(headers, auth, self.cookie).filter(|_| counts);
        Caller {
            address: self.address_of(headers, peer),
            secret: secret.map(|secret| Sha256::digest(secret).into()),
        }
    }

    /// Who holds the slots of a caller.
    pub(crate) fn holder(&self, caller: &Caller) -> Holder {
        match caller.secret {
            Some(secret) => Holder::Secret(secret),
            None if self.address.is_some() => Holder::Address(caller.address),
            None => Holder::Everybody,
        }
    }

    /// Counts a request; `None` if it has no limit.
    pub(crate) fn count(&self, caller: &Caller) -> Option<RateLimitState> {
        let Some(secret) = &caller.secret else {
            return Some(self.address.as_ref()?.count(&caller.address));
        };
        let stopped =
            |credentials: &RefusedCredentials| credentials.stopped(secret, caller.address);
        match self.refused.as_ref().and_then(stopped) {
            Some(told) => Some(told),
            None => Some(self.key.as_ref()?.count(secret)),
        }
    }

    /// Whether a caller needs no authentication before its body is read: it has no credentials, or they were accepted before.
    /// Without limits nothing is cached, and every caller counts as known.
    pub(crate) fn is_known(&self, caller: &Caller) -> bool {
        match (&self.refused, &caller.secret) {
            (Some(credentials), Some(secret)) => credentials.is_right(secret),
            _ => true,
        }
    }

    /// Records the answer of a request: a refused key or session counts per address.
    pub(crate) fn answered(&self, caller: &Caller, status: StatusCode) {
        if let (Some(credentials), Some(secret)) = (&self.refused, &caller.secret) {
            credentials.answered(secret, caller.address, status);
        }
    }

    fn address_of(&self, headers: &HeaderMap, peer: Option<Peer>) -> IpAddr {
        let forwarded = || {
            let last = headers.get_all("x-forwarded-for").iter().next_back()?;
            last.to_str().ok()?.rsplit(',').next()?.trim().parse().ok()
        };
        self.behind_proxy
            .then(forwarded)
            .flatten()
            .or(peer.map(|peer| peer.0.ip()))
            // Callers in the same process have no address.
            .map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), subscriber)
    }
}

/// The address a caller counts under. An IPv6 subscriber has at least a /64 (RFC 6177), which counts as one; an IPv4 address
/// counts as itself, also in IPv6 notation.
pub(crate) fn subscriber(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
        address => address,
    }
}

/// The API key or session cookie of a request, as the service reads them.
fn secret<'a>(headers: &'a HeaderMap, auth: Auth, cookie: &str) -> Option<&'a [u8]> {
    match auth {
        Auth::Public => None,
        Auth::Session => session(headers, cookie),
        Auth::Key | Auth::Signed => match headers.get(header::API_KEY) {
            Some(key) => Some(key.as_bytes()),
            None => session(headers, cookie),
        },
    }
}

fn session<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a [u8]> {
    headers
        .get_all(COOKIE)
        .iter()
        .filter_map(|cookies| cookies.to_str().ok())
        .flat_map(|cookies| cookies.split(';'))
        .find_map(|cookie| cookie.trim().strip_prefix(name)?.strip_prefix('='))
        .map(str::as_bytes)
}

/// Counts refused keys and sessions per address. An address with too many is blocked for a while, except for keys that were
/// accepted before, so that no one is locked out by a neighbour.
struct RefusedCredentials {
    refused: Counter<IpAddr>,
    /// The end of each address's block for new keys.
    stopped: RwLock<HashMap<IpAddr, Instant>>,
    right: RwLock<HashSet<Digested>>,
}

impl RefusedCredentials {
    fn new(a_minute: NonZeroU32) -> Self {
        Self {
            refused: Counter::new("address", a_minute),
            stopped: RwLock::default(),
            right: RwLock::default(),
        }
    }

    fn is_right(&self, secret: &Digested) -> bool {
        let right = self.right.read().unwrap_or_else(PoisonError::into_inner);
        right.contains(secret)
    }

    fn stopped(&self, secret: &Digested, address: IpAddr) -> Option<RateLimitState> {
        let until = {
            let stopped = self.stopped.read().unwrap_or_else(PoisonError::into_inner);
            *stopped.get(&address)?
        };
        let wait = until.saturating_duration_since(Instant::now());
        (!wait.is_zero() && !self.is_right(secret)).then(|| self.refused.early(wait))
    }

    fn answered(&self, secret: &Digested, address: IpAddr, status: StatusCode) {
        let known = self.is_right(secret);
        if status != StatusCode::UNAUTHORIZED {
            // A malformed request was refused before its key was checked.
            if !known && status.is_success() {
                let mut right = self.right.write().unwrap_or_else(PoisonError::into_inner);
                if right.len() >= ACCEPTED_MAX {
                    // Mostly old sessions; active ones return with their next answer.
                    right.clear();
                }
                right.insert(*secret);
            }
            return;
        }
        if known {
            // The key is revoked or the session over; a valid one with a bad signature returns with its next success.
            let mut right = self.right.write().unwrap_or_else(PoisonError::into_inner);
            right.remove(secret);
        }
        if let Some(wait) = self.refused.count(&address).wait {
            let now = Instant::now();
            let mut stopped = self.stopped.write().unwrap_or_else(PoisonError::into_inner);
            stopped.retain(|_, until| *until > now);
            stopped.insert(address, now + Duration::from_secs(wait));
        }
    }
}

/// A rate limiter with keys of one type.
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

    fn count(&self, name: &K) -> RateLimitState {
        if self.counted.fetch_add(1, Ordering::Relaxed) % TIDY_EVERY == TIDY_EVERY - 1 {
            self.limiter.retain_recent();
        }
        match self.limiter.check_key(name) {
            Ok(left) => RateLimitState {
                policy: self.policy(),
                limit: format!("\"{}\";r={}", self.name, left.remaining_burst_capacity()),
                wait: None,
            },
            Err(early) => self.early(early.wait_time_from(DefaultClock::default().now())),
        }
    }

    fn policy(&self) -> String {
        format!("\"{}\";q={};w=60", self.name, self.a_minute)
    }

    /// The state of a caller over the limit.
    fn early(&self, wait: Duration) -> RateLimitState {
        let seconds = (wait.as_secs() + u64::from(wait.subsec_nanos() > 0)).max(1);
        RateLimitState {
            policy: self.policy(),
            limit: format!("\"{}\";r=0;t={seconds}", self.name),
            wait: Some(seconds),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn a_minute(requests: u32) -> NonZeroU32 {
        NonZeroU32::new(requests).expect("not zero")
    }

    #[test]
    fn the_time_to_wait_is_rounded_up_to_a_second() {
        let counter = Counter::<u32>::new("key", a_minute(1));
        for (wait, seconds) in [
            (Duration::ZERO, 1),
            (Duration::from_nanos(1), 1),
            (Duration::from_secs(1), 1),
            (Duration::from_nanos(1_000_000_001), 2),
            (Duration::from_secs(60), 60),
        ] {
            let state = counter.early(wait);
            assert_eq!(state.wait, Some(seconds), "{wait:?}");
            assert_eq!(state.limit, format!("\"key\";r=0;t={seconds}"), "{wait:?}");
        }
    }

    #[test]
    fn inactive_callers_are_forgotten_from_time_to_time() {
        // A caller is inactive after 60 microseconds.
        let counter = Counter::<u32>::new("key", a_minute(1_000_000));
        for caller in 1..TIDY_EVERY {
            counter.count(&caller);
        }
        assert_eq!(counter.limiter.len(), TIDY_EVERY as usize - 1);
        counter.count(&0);
        let left = counter.limiter.len();
        assert!(left < 1_000, "{left} callers are left");
    }

    #[test]
    fn an_address_stays_blocked_when_another_is() {
        let refused = RefusedCredentials::new(a_minute(1));
        let addresses = ["192.0.2.1", "192.0.2.2"].map(|text| text.parse().expect("an address"));
        for address in addresses {
            for guess in [1, 2] {
                refused.answered(&[guess; 32], address, StatusCode::UNAUTHORIZED);
            }
        }
        for address in addresses {
            let state = refused.stopped(&[3; 32], address).expect("a block");
            assert!(state.wait.is_some_and(|wait| wait > 1), "{address}");
        }
    }

    #[test]
    fn only_a_successful_answer_shows_that_a_key_is_right() {
        let refused = RefusedCredentials::new(a_minute(1));
        let address = IpAddr::V4(Ipv4Addr::LOCALHOST);
        let [malformed, right, also_right] = [[1; 32], [2; 32], [3; 32]];
        refused.answered(&malformed, address, StatusCode::BAD_REQUEST);
        refused.answered(&right, address, StatusCode::OK);
        refused.answered(&also_right, address, StatusCode::CREATED);
        for (secret, expected) in [(malformed, false), (right, true), (also_right, true)] {
            assert_eq!(refused.is_right(&secret), expected, "{}", secret[0]);
        }
        refused.answered(&right, address, StatusCode::UNAUTHORIZED);
        assert!(!refused.is_right(&right), "it was revoked");
        assert!(refused.is_right(&also_right));
    }

    #[test]
    fn a_caller_is_known_without_credentials_or_once_they_were_accepted() {
        let limits = Limits {
            address: Some(a_minute(1)),
            ..Limits::NONE
        };
        let limiter = Limiter::new(limits, "https://pay.example");
        let mut headers = HeaderMap::new();
        let anonymous = limiter.caller(&headers, None, Auth::Key);
        assert!(limiter.is_known(&anonymous));
        headers.insert(header::API_KEY, HeaderValue::from_static("sk_one"));
        let keyed = limiter.caller(&headers, None, Auth::Key);
        assert!(!limiter.is_known(&keyed));
        limiter.answered(&keyed, StatusCode::OK);
        assert!(limiter.is_known(&keyed));
        let unlimited = Limiter::new(Limits::NONE, "https://pay.example");
        let keyed = unlimited.caller(&headers, None, Auth::Key);
        assert!(unlimited.is_known(&keyed));
    }

    #[test]
    fn the_session_is_the_cookie_of_its_name() {
        let mut headers = HeaderMap::new();
        headers.append(COOKIE, HeaderValue::from_static("a=1; session=one"));
        headers.append(COOKIE, HeaderValue::from_static("session=two; b=2"));
        assert_eq!(session(&headers, "session"), Some("one".as_bytes()));
        assert_eq!(session(&headers, "b"), Some("2".as_bytes()));
        for absent in ["sess", "c", "ession"] {
            assert_eq!(session(&headers, absent), None, "{absent}");
        }
    }
}
