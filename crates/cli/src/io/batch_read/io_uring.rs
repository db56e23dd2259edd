//! Batches as one submission to Linux.
#![allow(unsafe_code, reason = "the system fills memory while the command goes on")]

use super::read_files::{MOST, ReadFiles, SLOT};
use crate::io::open::End;
use ::io_uring::squeue::Flags;
use ::io_uring::types::{DestinationSlot, Fd, Fixed};
use ::io_uring::{IoUring, opcode};
use std::ffi::CStr;
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd};

/// What marks the completion of an open: it says nothing that the one of the read does not.
const OPEN: u64 = u64::MAX;

/// The submission and completion queues, and the memory that is read into.
///
/// Between two calls no submission is without its completion.
pub(crate) struct Uring {
    queue: IoUring,
    memory: Vec<u8>,
}

impl ReadFiles for Uring {
    /// Before Linux 6.1 the system does not know of all that is asked for here.
    fn new() -> io::Result<Self> {
        let most = u32::try_from(MOST).map_err(io::Error::other)?;
        let mut builder = IoUring::builder();
        let queue = builder.setup_single_issuer().setup_defer_taskrun().build(2 * most)?;
        queue.submitter().register_files_sparse(most)?;
        Ok(Self { queue, memory: vec![0; MOST * SLOT] })
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
        self.submit(directory, paths, skip, lens).is_some() && self.complete(lens)
    }
}

impl Uring {
    /// Queues an open and a read of each file, and makes room for their lengths.
    fn submit(
        &mut self,
        directory: BorrowedFd<'_>,
        paths: &[u8],
        skip: usize,
        lens: &mut Vec<Option<usize>>,
    ) -> Option<()> {
        lens.clear();
        let slots = self.memory.chunks_exact_mut(SLOT).zip(0_u32..);
        for (path, (slot, file)) in paths.split_inclusive(|&byte| byte == 0).zip(slots) {
            let name = CStr::from_bytes_with_nul(path.get(skip..)?).ok()?;
            let len = u32::try_from(slot.len()).ok()?;
            let to = DestinationSlot::try_from_slot_target(file).ok()?;
            // The file that was opened there before is closed.
            let open = opcode::OpenAt::new(Fd(directory.as_raw_fd()), name.as_ptr())
                .file_index(Some(to))
                .build()
                .flags(Flags::IO_LINK)
                .user_data(OPEN);
            let read = opcode::Read::new(Fixed(file), slot.as_mut_ptr(), len)
                .build()
                .user_data(file.into());
            // SAFETY: the name and the directory are borrowed until `complete` has handed over all submissions,
            // when the system has its own copies. No two reads share a slot, and nobody else uses it before
            // all completions are here, or ever again if they do not come.
            unsafe { self.queue.submission().push_multiple(&[open, read]) }.ok()?;
            lens.push(None);
        }
        Some(())
    }

    /// Submits what is queued, waits for all of it, and takes the lengths. Returns whether all came.
    fn complete(&mut self, lens: &mut [Option<usize>]) -> bool {
        let mut due = 2 * lens.len();
        while due > 0 {
            match self.queue.submit_and_wait(due) {
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => {
                    // The system may still write into the memory.
                    std::mem::forget(std::mem::take(&mut self.memory));
                    return false;
                }
            }
            for completion in self.queue.completion() {
                due -= 1;
                if completion.user_data() == OPEN {
                    continue;
                }
                let len = usize::try_from(completion.result()).ok();
                let whole = |len: usize| len == 0 || End::Short.is_told_by(len, SLOT);
                let file = usize::try_from(completion.user_data()).unwrap_or(usize::MAX);
                if let Some(to) = lens.get_mut(file) {
                    *to = len.filter(|&len| whole(len));
                }
            }
        }
        true
    }
}
