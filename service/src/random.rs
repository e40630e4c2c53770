//! The random bytes of one call, all from the seed that the host gave.
//!
//! The same seed gives the same bytes on every target: that is what makes the service replayable.

use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};

/// The random bytes of one call, from the host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seed(pub [u8; 32]);

/// The stream of random bytes that a seed stands for.
#[derive(Debug)]
pub struct Random(ChaCha20Rng);

impl Random {
    /// The stream of a seed, from its start.
    pub fn new(seed: Seed) -> Self {
        Self(ChaCha20Rng::from_seed(seed.0))
    }

    /// Another stream of the same seed: for what is made apart from the rest of a call, and must share no byte with it.
    pub(crate) fn beside(seed: Seed) -> Self {
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

    /// A number below `bound`, which is not zero.
    pub fn below(&mut self, bound: u64) -> u64 {
        // The bias of the remainder is below 2^-32 for every bound in use.
        u64::from_le_bytes(self.bytes()) % bound.max(1)
    }
}
