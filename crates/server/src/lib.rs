//! A language server that shows the results of `urlsift lint` in an editor, while the user types.
//!
//! [`serve`] implements the Language Server Protocol 3.17 over an input and an output stream:
//! diagnostics, code actions for the fixes, document links (also for URLs that are broken over
//! lines), and hover text with the parts of a URL and the corrected link. The settings of a document
//! are those of the nearest `urlsift.toml` in its directory or above.
//!
//! A session ends only at the end of the input and after `exit`. Invalid messages are answered with
//! an error or ignored, and never cause a panic.

mod actions;
mod document;
mod faults;
mod format;
mod host;
mod hover;
mod initialize;
mod links;
mod project;
mod session;
mod transport;
mod workspace;

pub use crate::host::Host;
pub use crate::session::serve;
