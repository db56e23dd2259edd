//! A text that goes by: read piece by piece, at hand as one slice, and never moved.
#![allow(unsafe_code, reason = "memory is mapped twice")]

use rustix::io::retry_on_intr;
use std::fs::File;
use std::io;
use std::ops::Range;

/// What is at hand of a text: bytes are appended behind, and those in front are let go.
///
/// Where the system can do it, its memory is mapped twice, the second time right behind the first. What is
/// written over the end of the first stands at its start, and a slice may go over the end. To move what is
/// kept to the front instead took 6 % of the time on prose; with a longer buffer, in which less is moved, the
/// text is no longer in the processor's cache when it is scanned.
#[derive(Debug)]
pub(crate) struct SlidingBuffer {
    memory: Memory,
    /// The most bytes that can be at hand: half of the memory.
    size: usize,
    /// Where in the memory they start: in its first half, if it is mapped twice.
    start: usize,
    filled: usize,
}

#[derive(Debug)]
enum Memory {
    #[cfg(target_os = "linux")]
    Twice(mirror::Mirror),
    /// As many bytes, but each of them just once: what is kept is moved when it comes to the end.
    Once(Vec<u8>),
}

impl SlidingBuffer {
    /// A ring for at most `size` bytes, which should be a multiple of the size of a page.
    pub(crate) fn new(size: usize) -> Self {
        #[cfg(target_os = "linux")]
        if let Ok(mirror) = mirror::Mirror::new(size) {
            return Self { memory: Memory::Twice(mirror), size, start: 0, filled: 0 };
        }
        Self::moving(size)
    }

    /// A buffer in ordinary memory, which moves what it must keep.
    fn moving(size: usize) -> Self {
        Self { memory: Memory::Once(vec![0; 2 * size]), size, start: 0, filled: 0 }
    }

    /// The bytes at hand.
    pub(crate) fn bytes(&self) -> &[u8] {
        let range = self.start..self.start + self.filled;
        match &self.memory {
            #[cfg(target_os = "linux")]
            Memory::Twice(mirror) => mirror.part(range),
            Memory::Once(bytes) => &bytes[range],
        }
    }

    /// Forgets all.
    pub(crate) fn clear(&mut self) {
        (self.start, self.filled) = (0, 0);
    }

    /// Keeps only the bytes from `from` on.
    pub(crate) fn keep_from(&mut self, from: usize) {
        let from = from.min(self.filled);
        self.filled -= from;
        self.start += from;
        match &mut self.memory {
            #[cfg(target_os = "linux")]
            Memory::Twice(_) => self.start %= self.size,
            Memory::Once(bytes) if self.start > self.size => {
                bytes.copy_within(self.start..self.start + self.filled, 0);
                self.start = 0;
            }
            Memory::Once(_) => {}
        }
    }

    /// Appends the file's bytes from `at` on, until there are `len`, as many as there is room for, or the file
    /// ends.
    ///
    /// # Errors
    ///
    /// What the system says. What was read before is kept.
    pub(crate) fn append_at(&mut self, file: &File, at: u64, len: usize) -> io::Result<()> {
        let (first, len) = (self.filled, len.min(self.size));
        while self.filled < len {
            let offset = at + (self.filled - first) as u64;
            let read = retry_on_intr(|| rustix::io::pread(file, self.room(len), offset))?;
            if read == 0 {
                break;
            }
            self.filled += read;
        }
        Ok(())
    }

    /// Where the bytes behind those at hand go, up to `len` in all.
    fn room(&mut self, len: usize) -> &mut [u8] {
        let range = self.start + self.filled..self.start + len;
        match &mut self.memory {
            #[cfg(target_os = "linux")]
            Memory::Twice(mirror) => mirror.part_mut(range),
            Memory::Once(bytes) => &mut bytes[range],
        }
    }
}

#[cfg(target_os = "linux")]
mod mirror {
    use super::Range;
    use rustix::mm::{MapFlags, MremapFlags, ProtFlags, mmap_anonymous, mremap_fixed, munmap};
    use std::io;
    use std::ptr::{self, NonNull};
    use std::slice;

    /// Memory that is mapped at two places, one behind the other.
    #[derive(Debug)]
    pub(super) struct Mirror {
        first: NonNull<u8>,
        /// Bytes of each of both.
        size: usize,
    }

    impl Mirror {
        /// # Errors
        ///
        /// What the system says, or that it did not do what it should.
        pub(super) fn new(size: usize) -> io::Result<Self> {
            let access = ProtFlags::READ | ProtFlags::WRITE;
            // SAFETY: the system chooses an address where nothing is mapped.
            let first =
                unsafe { mmap_anonymous(ptr::null_mut(), 2 * size, access, MapFlags::SHARED) }?;
            let Some(first) = NonNull::new(first.cast::<u8>()) else {
                return Err(io::ErrorKind::Unsupported.into());
            };
            let mirror = Self { first, size };
            // SAFETY: it is within the memory that was just mapped, `2 * size` bytes long.
            let second = unsafe { first.add(size) };
            // That the old size is 0 asks for the same pages once more, which shared memory allows.
            //
            // SAFETY: the second half of what was just mapped is replaced. Nothing refers to it.
            unsafe {
                let (first, second) = (first.as_ptr().cast(), second.as_ptr().cast());
                mremap_fixed(first, 0, size, MremapFlags::MAYMOVE, second)?;
            }
            // SAFETY: both are mapped to be written and read, and nobody else knows of them.
            let same = unsafe {
                first.write_volatile(1);
                second.read_volatile() == 1
            };
            if same { Ok(mirror) } else { Err(io::ErrorKind::Unsupported.into()) }
        }

        /// The bytes of a range within both that is not longer than one.
        pub(super) fn part(&self, range: Range<usize>) -> &[u8] {
            self.check(&range);
            // SAFETY: all of the range is mapped, as zeros or what was read since, and it holds none of the
            // bytes twice. What is returned borrows `self`, and only `part_mut` writes.
            unsafe { slice::from_raw_parts(self.first.add(range.start).as_ptr(), range.len()) }
        }

        /// The bytes of a range within both that is not longer than one, to be written.
        pub(super) fn part_mut(&mut self, range: Range<usize>) -> &mut [u8] {
            self.check(&range);
            // SAFETY: as in `part`. What is returned borrows `self` for itself alone.
            unsafe { slice::from_raw_parts_mut(self.first.add(range.start).as_ptr(), range.len()) }
        }

        fn check(&self, range: &Range<usize>) {
            assert!(range.start <= range.end && range.end <= 2 * self.size, "it is mapped");
            assert!(range.len() <= self.size, "no byte is there twice");
        }
    }

    impl Drop for Mirror {
        fn drop(&mut self) {
            // SAFETY: this is all that `new` mapped, and what refers to it borrows `self`.
            // If it fails, the memory stays mapped, which does no harm.
            let _ = unsafe { munmap(self.first.as_ptr().cast(), 2 * self.size) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Memory, SlidingBuffer};
    use proptest::prelude::*;
    use std::io::Write;

    #[test]
    #[cfg(target_os = "linux")]
    fn memory_is_mapped_twice() {
        assert!(matches!(SlidingBuffer::new(1 << 16).memory, Memory::Twice(_)));
    }

    proptest! {
        /// Whatever is appended and let go, the bytes at hand are the file's, and one slice.
        #[test]
        fn the_bytes_at_hand_are_those_of_the_file(
            steps in proptest::collection::vec((0_usize..90_000, 0_usize..90_000), 1..40),
        ) {
            const SIZE: usize = 1 << 16;
            let text: Vec<u8> = (0_u32..200_000).flat_map(u32::to_be_bytes).collect();
            let mut file = tempfile::tempfile().unwrap();
            file.write_all(&text).unwrap();
            for mut ring in [SlidingBuffer::new(SIZE), SlidingBuffer::moving(SIZE)] {
                let (mut from, mut to) = (0, 0);
                for &(len, spent) in &steps {
                    ring.append_at(&file, to as u64, len).unwrap();
                    to = to.max(from + len.min(SIZE)).min(text.len());
                    prop_assert_eq!(ring.bytes(), &text[from..to]);
                    ring.keep_from(spent);
                    from = (from + spent).min(to);
                    prop_assert_eq!(ring.bytes(), &text[from..to]);
                }
                ring.clear();
                prop_assert_eq!(ring.bytes(), b"");
            }
        }
    }
}
