//! Bytes in, records out.
//!
//! This crate joins the archive, which knows what text a file holds, and the scanner, which knows
//! where URLs stand in text. It opens no file, starts no thread, reads no clock and prints nothing.

pub mod dispatch;
