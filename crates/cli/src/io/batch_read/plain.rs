//! Batches by ordinary calls, one file after the other.

use super::read_files::{MOST, ReadFiles, SLOT};
use rustix::fs::{Mode, OFlags, openat};
use rustix::io::{read, retry_on_intr};
use std::io;
use std::os::fd::BorrowedFd;

/// The memory that is read into.
pub(crate) struct Plain {
    memory: Vec<u8>,
}

impl ReadFiles for Plain {
    fn new() -> io::Result<Self> {
        Ok(Self { memory: vec![0; MOST * SLOT] })
    }

    fn contents(&self, file: usize) -> &[u8] {
        &self.memory[file * SLOT..][..SLOT]
    }

    fn read(
        &mut self,
        directory: BorrowedFd<'_>,
        paths: &[u8],
        skip: usize,
        lens: &mut Vec<Option<usize>>,
    ) -> bool {
        lens.clear();
        let slots = self.memory.chunks_exact_mut(SLOT);
        for (path, slot) in paths.split_inclusive(|&byte| byte == 0).zip(slots) {
            let name = path.get(skip..path.len() - 1).unwrap_or_default();
            lens.push(read_whole(directory, name, slot));
        }
        true
    }
}

/// The length of a file, if all of it could be read into `slot`, which must be longer.
fn read_whole(directory: BorrowedFd<'_>, name: &[u8], slot: &mut [u8]) -> Option<usize> {
    let flags = OFlags::RDONLY | OFlags::CLOEXEC;
    let file = retry_on_intr(|| openat(directory, name, flags, Mode::empty())).ok()?;
    let mut len = 0;
    while len < slot.len() {
        match retry_on_intr(|| read(&file, &mut slot[len..])).ok()? {
            0 => return Some(len),
            more => len += more,
        }
    }
    None
}
