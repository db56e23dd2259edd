//! Batched reads elsewhere: there are none.

use std::io;
use std::os::fd::BorrowedFd;

pub(super) enum Batch {}

impl Batch {
    pub(super) fn new() -> io::Result<Self> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(super) fn contents(&self, _: usize) -> &[u8] {
        match *self {}
    }

    pub(super) fn read(
        self: Box<Self>,
        _: BorrowedFd<'_>,
        _: &[u8],
        _: usize,
        _: &mut Vec<Option<usize>>,
    ) -> Option<Box<Self>> {
        match *self {}
    }
}
