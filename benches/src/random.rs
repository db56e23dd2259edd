//! Generates the random numbers for the data.

/// A small pseudo-random number generator (`SplitMix64`).
///
/// A seed gives the same numbers on every machine and in every version of this crate, which
/// generators of other crates don't guarantee.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// Creates a generator. Seeds that differ by one give unrelated numbers.
    pub const fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// Returns the next 64 random bits.
    pub const fn next_bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Returns a random number less than `bound`, or 0 if `bound` is 0.
    pub const fn number_below(&mut self, bound: u32) -> u32 {
        // The high half of a 32-by-32-bit product: no division, and uniform enough for test data.
        let product = (self.next_bits() >> 32) * bound as u64;
        (product >> 32) as u32
    }

    /// Returns a random number in `low..high`.
    pub const fn number_between(&mut self, low: u32, high: u32) -> u32 {
        low + self.number_below(high - low)
    }

    /// Returns true with a probability of `per_mille` / 1000.
    pub const fn is_hit(&mut self, per_mille: u32) -> bool {
        self.number_below(1000) < per_mille
    }

    /// Returns a random element.
    ///
    /// # Panics
    ///
    /// Panics if the slice is empty.
    pub fn pick<'t, T: ?Sized>(&mut self, things: &[&'t T]) -> &'t T {
        things[self.number_below(u32::try_from(things.len()).unwrap_or(u32::MAX)) as usize]
    }
}
