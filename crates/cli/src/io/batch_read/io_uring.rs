//! Batched reads where Linux takes them: by `io_uring`.
#![allow(unsafe_code, reason = "the system fills memory while the command goes on")]

use super::{MOST, SLOT};
use crate::io::open::End;
use io_uring::squeue::Flags;
use io_uring::types::{DestinationSlot, Fd, Fixed};
use io_uring::{IoUring, opcode};
use std::ffi::CStr;
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd};

/// What marks the answer to a wish to open: it says nothing that the one to read does not.
const OPEN: u64 = u64::MAX;

/// The system's list of wishes, and the memory in which it puts what it reads.
///
/// Between two calls no wish is open.
pub(super) struct Batch {
    queue: IoUring,
    memory: Vec<u8>,
}

impl Batch {
    /// # Errors
    ///
    /// What the system says: before Linux 6.1 that it does not know of all that is asked for here, or that
    /// it is forbidden.
    pub(super) fn new() -> io::Result<Self> {
        let most = u32::try_from(MOST).map_err(io::Error::other)?;
        let mut builder = IoUring::builder();
        let queue = builder.setup_single_issuer().setup_defer_taskrun().build(2 * most)?;
        queue.submitter().register_files_sparse(most)?;
        Ok(Self { queue, memory: vec![0; MOST * SLOT] })
    }

    /// What was read of a file, and behind it bytes that mean nothing.
    pub(super) fn contents(&self, file: usize) -> &[u8] {
        &self.memory[file * SLOT..][..SLOT]
    }

    /// Reads up to [`MOST`] files of a directory, of which `paths` has the paths with a zero behind each; the
    /// names there start `skip` bytes on. Puts in `lens` how long each is that was read whole. `None` if the
    /// system fails.
    pub(super) fn read(
        mut self: Box<Self>,
        directory: BorrowedFd<'_>,
        paths: &[u8],
        skip: usize,
        lens: &mut Vec<Option<usize>>,
    ) -> Option<Box<Self>> {
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
            // SAFETY: the name and the directory are borrowed until all answers are here, and the system
            // has its own copy of a name before that. No two wishes share a slot, and nobody else has it
            // until then either, or ever again if the answers do not come.
            unsafe { self.queue.submission().push_multiple(&[open, read]) }.ok()?;
            lens.push(None);
        }
        let mut due = 2 * lens.len();
        while due > 0 {
            match self.queue.submit_and_wait(due) {
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => {
                    // The system may still write into the memory.
                    std::mem::forget(self);
                    return None;
                }
            }
            for answer in self.queue.completion() {
                due -= 1;
                if answer.user_data() == OPEN {
                    continue;
                }
                let len = usize::try_from(answer.result()).ok();
                let whole = |len: usize| len == 0 || End::Short.is_told_by(len, SLOT);
                let file = usize::try_from(answer.user_data()).unwrap_or(usize::MAX);
                if let Some(to) = lens.get_mut(file) {
                    *to = len.filter(|&len| whole(len));
                }
            }
        }
        Some(self)
    }
}
