//! How many requests a caller may make in a minute, told in the headers of draft-ietf-httpapi-ratelimit-headers-10, and how many
//! streams it may have open.
//!
//! The caller is not authenticated here; the service does that. Each process counts for itself. Refused keys are counted by
//! address, because every guess is another key.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant};

use axum::http::header::{COOKIE, RETRY_AFTER};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use governor::clock::{Clock, DefaultClock};
use governor::middleware::StateInformationMiddleware;
use governor::state::keyed::DashMapStateStore;
use governor::{Quota, RateLimiter};
use settlekit_core::header;
use settlekit_core::operation::Auth;
use settlekit_service::CallerNetwork;
use sha2::{Digest, Sha256};

const POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
const LIMIT: HeaderName = HeaderName::from_static("ratelimit");

/// After so many requests those who have not called for a while are forgotten.
const TIDY_EVERY: u32 = 65_536;

/// How many right keys and sessions are remembered.
const RIGHT_MAX: usize = 65_536;

/// How many requests a minute are answered; none for as many as come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Of one API key or one session.
    pub key: Option<NonZeroU32>,
    /// Of one address, for requests without either (sign-in, the payers' pages) and for those whose key was refused.
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

/// The state of a caller's rate limit, for the headers of the answer.
#[derive(Debug)]
pub(crate) struct RateLimitState {
    policy: String,
    limit: String,
    /// Seconds to wait, when the limit is exceeded.
    pub(crate) wait: Option<u64>,
}

impl RateLimitState {
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

/// A key or a session, without being one.
type Digested = [u8; 32];

/// What a request is counted under.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Caller {
    address: IpAddr,
    secret: Option<Digested>,
}

impl Caller {
    /// Where the caller comes from, for the service.
    pub(crate) fn network(&self) -> CallerNetwork {
        CallerNetwork(self.address.to_string())
    }
}

/// How many things of one kind are open, all together and of each caller.
pub(crate) struct Places {
    most: usize,
    most_of_one: usize,
    taken: Mutex<HashMap<Option<Digested>, usize>>,
}

/// One of them, until it is dropped.
pub(crate) struct Place {
    places: Arc<Places>,
    whose: Option<Digested>,
}

/// Why there is no place.
pub(crate) enum Full {
    /// All are taken.
    Whole,
    /// The caller has as many as one may have.
    One,
}

impl Places {
    pub(crate) fn new(most: usize, most_of_one: usize) -> Arc<Self> {
        Arc::new(Self {
            most,
            most_of_one,
            taken: Mutex::default(),
        })
    }

    /// Takes a place for a caller. Where callers are not told apart, one may have all.
    pub(crate) fn take(self: &Arc<Self>, caller: &Caller) -> Result<Place, Full> {
        let whose = caller.secret;
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        if taken.values().sum::<usize>() >= self.most {
            return Err(Full::Whole);
        }
        let of_one = taken.get(&whose).copied().unwrap_or(0);
        if whose.is_some() && of_one >= self.most_of_one {
            return Err(Full::One);
        }
        taken.insert(whose, of_one + 1);
        Ok(Place {
            places: Arc::clone(self),
            whose,
        })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let taken = self.places.taken.lock();
        let mut taken = taken.unwrap_or_else(PoisonError::into_inner);
        let left = taken.get(&self.whose).map_or(0, |count| count - 1);
        if left == 0 {
            taken.remove(&self.whose);
        } else {
            taken.insert(self.whose, left);
        }
    }
}

/// Counts the requests of everybody.
pub(crate) struct Limiter {
    key: Option<Counter<Digested>>,
    address: Option<Counter<IpAddr>>,
    guesses: Option<Guesses>,
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
            guesses: limits.address.map(Guesses::new),
            behind_proxy: limits.behind_proxy,
        }
    }

    /// Who makes a request. A key or a session counts only where it is asked for: elsewhere anybody could write another into
    /// each request.
    pub(crate) fn caller(&self, headers: &HeaderMap, peer: Option<Peer>, auth: Auth) -> Caller {
        // Where nothing is counted, nobody has to be known again.
        let counts = self.key.is_some() || self.guesses.is_some();
        let secret = secret(headers, auth, self.cookie).filter(|_| counts);
        Caller {
            address: self.address_of(headers, peer),
            secret: secret.map(|secret| Sha256::digest(secret).into()),
        }
    }

    /// Counts a request; none when it has no limit.
    pub(crate) fn count(&self, caller: &Caller) -> Option<RateLimitState> {
        let Some(secret) = &caller.secret else {
            return Some(self.address.as_ref()?.count(&caller.address));
        };
        let stopped = |guesses: &Guesses| guesses.stopped(secret, caller.address);
        match self.guesses.as_ref().and_then(stopped) {
            Some(told) => Some(told),
            None => Some(self.key.as_ref()?.count(secret)),
        }
    }

    /// Whether a caller need not be proven before its body is looked at: it has nothing to prove, or was right before. Where nothing is
    /// counted nobody is remembered, and everybody is taken as known.
    pub(crate) fn is_known(&self, caller: &Caller) -> bool {
        match (&self.guesses, &caller.secret) {
            (Some(guesses), Some(secret)) => guesses.is_right(secret),
            _ => true,
        }
    }

    /// Takes note of how a request was answered: whose key or session was wrong is counted by address.
    pub(crate) fn answered(&self, caller: &Caller, status: StatusCode) {
        if let (Some(guesses), Some(secret)) = (&self.guesses, &caller.secret) {
            guesses.answered(secret, caller.address, status);
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

/// The address under which a caller is counted. Whoever is given IPv6 has 2^64 addresses at least (RFC 6177), and is one caller with
/// all of them; an IPv4 address is itself, however it is written.
pub(crate) fn subscriber(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
        address => address,
    }
}

/// What tells one caller from another: the key, or the session's cookie, as the service looks for them.
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

/// Counts refused keys and sessions by the address they came from. An address of too many is not heard for a while, but for
/// those that were right before: nobody is shut out by a neighbour.
struct Guesses {
    refused: Counter<IpAddr>,
    /// Until when nothing new is heard from an address.
    stopped: RwLock<HashMap<IpAddr, Instant>>,
    right: RwLock<HashSet<Digested>>,
}

impl Guesses {
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
            // A request that was malformed before anybody looked at its key proves nothing.
            if !known && status.is_success() {
                let mut right = self.right.write().unwrap_or_else(PoisonError::into_inner);
                if right.len() >= RIGHT_MAX {
                    // Old sessions, most of them; who still calls is known again with the next answer.
                    right.clear();
                }
                right.insert(*secret);
            }
            return;
        }
        if known {
            // Revoked, or a session that is over; or right and only its signature was late: then it comes back by itself.
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

    /// The state of a caller who exceeded the limit.
    fn early(&self, wait: Duration) -> RateLimitState {
        let seconds = (wait.as_secs() + u64::from(wait.subsec_nanos() > 0)).max(1);
        RateLimitState {
            policy: self.policy(),
            limit: format!("\"{}\";r=0;t={seconds}", self.name),
            wait: Some(seconds),
        }
    }
}
