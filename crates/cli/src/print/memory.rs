//! The limit on the memory for data that a run remembers until its end (`--max-memory`).

/// A counter of the approximate memory, in bytes, that a run uses to remember groups, URLs and
/// messages. `--max-memory` sets the limit.
#[derive(Debug)]
pub(super) struct Memory {
    used: u64,
    max: u64,
}

impl Memory {
    pub(super) fn new(max: u64) -> Self {
        Self { used: 0, max }
    }

    /// Tries to reserve `bytes`. Returns false, and reserves nothing, if that would exceed the
    /// limit.
    pub(super) fn try_reserve(&mut self, bytes: u64) -> bool {
        let has_room = self.used.saturating_add(bytes) <= self.max;
        if has_room {
            self.used += bytes;
        }
        has_room
    }

    /// Adds `bytes` that the run uses even if they exceed the limit.
    pub(super) fn add_unconditionally(&mut self, bytes: u64) {
        self.used = self.used.saturating_add(bytes);
    }

    /// Releases `bytes` that were reserved and are no longer used.
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
        assert!(memory.try_reserve(6) && !memory.try_reserve(5) && memory.try_reserve(4));
        memory.release(4);
        assert!(memory.try_reserve(3) && !memory.try_reserve(2));
        memory.add_unconditionally(u64::MAX);
        assert!(!memory.try_reserve(0));
    }
}
