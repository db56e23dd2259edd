//! Limits on the stored data, so that memory is bounded for any input.
//!
//! When a table of names is full, it keeps the half with the most uses (among equals, the oldest)
//! and goes on, much like the "lossy counting" of Manku and Motwani. So frequent names are in it
//! even if they come late. But their numbers may be too low, and the report says "at least".

/// Distinct hosts.
pub const HOSTS: usize = 1_000_000;
/// Distinct registered domains.
pub const DOMAINS: usize = 250_000;
/// Distinct hosts in footers and header fields.
pub const ADDED: usize = 50_000;
/// Distinct URLs, which are stored to count the different URLs of a host. New ones above this limit
/// are not counted.
pub const DIFFERENT: usize = 3_600_000;
/// Distinct URLs whose uses are counted.
pub const URLS: usize = 150_000;
/// The longest URL whose uses are counted, in bytes.
pub const URL_BYTES: usize = 2048;
/// The length in bytes to which names of hosts, lists and files are truncated.
pub const NAME_BYTES: usize = 512;
/// Distinct newsgroups, lists, and files that replace them.
pub const LISTS: usize = 10_000;
/// Distinct top-level domains.
pub const TLDS: usize = 5_000;
/// Distinct schemes.
pub const SCHEMES: usize = 1_000;

/// Rows of a table in the report.
pub const ROWS: usize = 100;
/// First-seen hosts that are quoted with their lines.
pub const QUOTES: usize = 100;
/// URLs broken after a hyphen that are listed.
pub const READINGS: usize = 200;
/// Examples of a fault.
pub const EXAMPLES: usize = 3;
/// Unreadable files, and unreadable dates, that are listed.
pub const LISTED: usize = 50;
/// The maximum length in bytes of a quoted text before or after a URL. The URL itself may be four
/// times as long.
pub const QUOTED_BYTES: usize = 160;
