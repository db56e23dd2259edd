//! The memory for what is remembered until the end of a run (`--max-memory`).

/// The approximate number of bytes that groups, URLs and messages take, and its limit.
#[derive(Debug)]
pub(super) struct Memory {
    used: u64,
    max: u64,
}

impl Memory {
    pub(super) fn new(max: u64) -> Self {
        Self { used: 0, max }
    }

    /// Adds `bytes` to the used memory. Returns false, and adds nothing, if that would exceed the
    /// limit.
    pub(super) fn reserve(&mut self, bytes: u64) -> bool {
        let has_room = self.used.saturating_add(bytes) <= self.max;
        if has_room {
            self.used += bytes;
        }
        has_room
    }

    /// Adds `bytes` that are used in any case.
    pub(super) fn add(&mut self, bytes: u64) {
        self.used = self.used.saturating_add(bytes);
    }

    /// Subtracts `bytes` that were reserved and are no longer used.
    pub(super) fn release(&mut self, bytes: u64) {
        self.used = self.used.saturating_sub(bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::Memory;

    #[test]
    fn nothing_is_reserved_beyond_the_limit() {
        let mut memory = Memory::new(10);
        assert!(memory.reserve(6) && !memory.reserve(5) && memory.reserve(4));
        memory.release(4);
        assert!(memory.reserve(3) && !memory.reserve(2));
        memory.add(u64::MAX);
        assert!(!memory.reserve(0));
    }
}
