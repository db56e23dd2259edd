//! Sets of byte pairs, such as the last two letters of all known schemes.

/// A set of ordered pairs of letters, which ignores case. Only the low five bits of each byte are
/// compared, so the set may also seem to contain pairs of other bytes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pairs([u32; 32]);

impl Pairs {
    /// Adds the pair of `first` and `second` to the set.
    pub(crate) fn add(&mut self, first: u8, second: u8) {
        self.0[usize::from(first & 31)] |= 1 << (second & 31);
    }

    /// Adds all pairs whose second letter is `second`.
    pub(crate) fn add_all_with_second(&mut self, second: u8) {
        for row in &mut self.0 {
            *row |= 1 << (second & 31);
        }
    }

    /// True if the set contains the pair of `first` and `second`.
    pub(crate) const fn contains(&self, first: u8, second: u8) -> bool {
        self.0[(first & 31) as usize] >> (second & 31) & 1 != 0
    }
}
