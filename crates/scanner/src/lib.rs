//! Where URLs stand in text.
//!
//! ```
//! use urlsift_scanner::Scanner;
//!
//! let scanner = Scanner::builder().build();
//! let text = b"It is at <URL:ftp://info.cern.ch/pub/www/doc;\n   type=d>, and http://h.dom/a.";
//! let found: Vec<_> = scanner.find_iter(text).collect();
//! assert_eq!(&*found[0].url(), b"ftp://info.cern.ch/pub/www/doc;type=d");
//! assert_eq!(&*found[1].url(), b"http://h.dom/a");
//! ```

mod anchor;
mod attribute;
mod bare;
mod blank;
mod builder;
mod candidate;
mod extent;
mod find;
mod host;
mod input;
mod letters;
mod line;
mod locator;
mod near;
mod page;
mod quote;
mod readings;
mod rejoin;
mod scheme;
mod shape;
mod stream;
mod trigger;
mod trim;
mod usual;
mod wrapper;

pub use crate::builder::{Builder, Rejoin, Scanner};
pub use crate::candidate::{Candidate, Form, Grade, JoinKind, NearMiss, Seam, verdict};
pub use crate::find::Candidates;
pub use crate::input::{Charset, Dialect, Input};
pub use crate::line::Lines;
pub use crate::stream::{AFTER, BEFORE, Sink, Stream, Within, safe_cut};
