//! What systems do differently. The rest of the command says what it needs; the files here say how it is had, and have
//! the same functions. What a system has not is left out in its file, with what that means.
#![expect(clippy::unnecessary_wraps, reason = "what one system always tells, another may not")]

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
