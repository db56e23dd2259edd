//! Functions that differ between operating systems. Each submodule has the same functions; where a
//! system lacks a feature, its function says what happens instead. The doc comments are in
//! `unix.rs`.
#![expect(clippy::unnecessary_wraps, reason = "a function may fail on one system only")]

mod file_id;
mod temporary;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

pub(crate) use self::file_id::FileId;
#[cfg(feature = "parquet")]
pub(crate) use self::temporary::temporary_name;
pub(crate) use self::temporary::{is_temporary, parent};
#[cfg(unix)]
pub(crate) use self::unix::*;
#[cfg(windows)]
pub(crate) use self::windows::*;
