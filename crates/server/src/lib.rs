//! A language server that shows the results of `urlsift lint` in the editor, while you type.
//!
//! It implements the Language Server Protocol 3.17 over two streams ([`serve`]): diagnostics, code
//! actions for the fixes, document links (also for URLs broken over lines), and hover text with the
//! parts of a URL. It uses the same settings as the command: the nearest `urlsift.toml` at or above
//! a document.
//!
//! Only the end of the stream and `exit` end it. Invalid messages are answered with an error or
//! ignored, and never cause a panic.

mod actions;
mod document;
mod faults;
mod hover;
mod links;
mod project;
mod session;
mod transport;

pub use crate::session::serve;
