//! Where URLs stand in text.
//!
//! ```
//! use urlsift_scanner::Scanner;
//!
//! let scanner = Scanner::builder().build();
//! for candidate in scanner.find_iter(b"nothing here") {
//!     println!("{}", String::from_utf8_lossy(&candidate.url()));
//! }
//! ```

mod builder;
mod candidate;
mod input;

pub use crate::builder::{Builder, Candidates, Rejoin, Scanner};
pub use crate::candidate::{Candidate, Form, Grade, JoinKind, NearMiss, Seam};
pub use crate::input::{Charset, Dialect, Input};
