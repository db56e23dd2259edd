//! How much is kept, so that memory is bounded whatever the input.
//!
//! A table of names that is full keeps the half with the most uses, of those with as many the ones that came first, and goes on
//! (much as "lossy counting" of Manku and Motwani does). So what is used often stands in it, also if it comes late, but
//! its numbers may be too low: they say "at least".

/// Hosts that are told apart.
pub const HOSTS: usize = 1_000_000;
/// Registered domains that are told apart.
pub const DOMAINS: usize = 250_000;
/// Hosts in footers and header fields that are told apart.
pub const ADDED: usize = 50_000;
/// URLs that are told apart to count how many of a host's are different. Past it, no new one is noticed.
pub const DIFFERENT: usize = 3_600_000;
/// URLs whose uses are counted.
pub const URLS: usize = 150_000;
/// The longest URL whose uses are counted, in bytes.
pub const URL_BYTES: usize = 2048;
/// The longest name of a host, list or file that is told apart, in bytes.
pub const NAME_BYTES: usize = 512;
/// Newsgroups, lists and files in place of them that are told apart.
pub const LISTS: usize = 10_000;
/// Top-level domains that are told apart.
pub const TLDS: usize = 5_000;
/// Schemes that are told apart.
pub const SCHEMES: usize = 1_000;

/// Rows of a table in the report.
pub const ROWS: usize = 100;
/// First-seen hosts that are quoted in their lines.
pub const QUOTES: usize = 100;
/// URLs broken after a hyphen that are listed.
pub const READINGS: usize = 200;
/// Examples of a fault.
pub const EXAMPLES: usize = 3;
/// Files that could not be read, and dates, that are listed.
pub const LISTED: usize = 50;
/// The longest text that is quoted before a URL, or behind it, in bytes; the URL itself may be four times as long.
pub const QUOTED_BYTES: usize = 160;
