//! Functions that differ between operating systems. The submodules `unix` and `windows` define the
//! same functions; the doc comments are in `unix.rs`. If a system lacks a feature, the comment of
//! its function says what happens instead.
#![expect(clippy::unnecessary_wraps, reason = "a function may fail on one system only")]

mod file_id;
mod temporary;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

pub(crate) use self::file_id::FileId;
pub(crate) use self::temporary::{is_temporary_name, parent_directory, temporary_name_affixes};
#[cfg(unix)]
pub(crate) use self::unix::*;
#[cfg(windows)]
pub(crate) use self::windows::*;
