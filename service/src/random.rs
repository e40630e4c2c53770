//! The random bytes of one call, from the host's seed.
//!
//! The same seed gives the same bytes on every target, so calls can be replayed.

use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};

/// The host's random bytes for one call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seed(pub [u8; 32]);

/// A deterministic stream of random bytes (ChaCha20).
#[derive(Clone, Debug)]
pub struct Random(ChaCha20Rng);

impl Random {
    /// The stream of a seed, from its start.
    pub fn new(seed: Seed) -> Self {
        Self(ChaCha20Rng::from_seed(seed.0))
    }

    /// A second stream of the seed that shares no byte with the first, for values created outside the call's transaction.
    pub(crate) fn second_stream(seed: Seed) -> Self {
        let mut stream = ChaCha20Rng::from_seed(seed.0);
        stream.set_stream(1);
        Self(stream)
    }

    /// The next `N` bytes.
    pub fn bytes<const N: usize>(&mut self) -> [u8; N] {
        let mut bytes = [0; N];
        self.0.fill_bytes(&mut bytes);
        bytes
    }

    /// A number below `bound`, which must not be zero.
    pub fn below(&mut self, bound: u64) -> u64 {
        // The modulo bias is below 2^-32 for every bound in use.
        u64::from_le_bytes(self.bytes()) % bound.max(1)
    }
}
