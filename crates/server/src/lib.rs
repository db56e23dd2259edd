//! A language server for the URLs of documents: what `urlsift lint` says, in the editor and while typing.
//!
//! It speaks the Language Server Protocol 3.17 over two streams ([`serve`]): diagnostics, code actions for the fixes,
//! links (also where layout breaks a URL over lines), and hover text that takes a URL apart. The settings are those of
//! the command: the nearest `urlsift.toml` at or above a document holds for it.
//!
//! No input ends it but the end of the stream and `exit`: what cannot be read is answered with an error, or left
//! alone, and never a reason to panic.

mod actions;
mod document;
mod faults;
mod hover;
mod links;
mod project;
mod session;
mod transport;

pub use crate::session::serve;
