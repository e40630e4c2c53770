//! Request handling: decode, authenticate, deduplicate, run in one transaction.

mod authenticate;
mod cross_site;
mod decode;
mod idempotency;
mod router;
mod run;
mod serve;
mod touch;

pub use decode::{DecodedRequest, Lane, MatchedOperation};
pub use router::routed;
pub use serve::{Admission, Answer, Awaited};
pub use touch::Touch;
