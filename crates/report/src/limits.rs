//! Limits on the data that a report stores, so that memory is bounded for any input.
//!
//! When a table of names is full, it drops the half with the fewest uses (among equals, the newest
//! names) and continues. This is similar to the "lossy counting" of Manku and Motwani. Frequent
//! names are kept even if they appear late, but their numbers may be too low. The report says "at
//! least" in this case.

/// The maximum number of distinct hosts.
pub const HOSTS: usize = 1_000_000;
/// The maximum number of distinct registered domains.
pub const DOMAINS: usize = 250_000;
/// The maximum number of distinct hosts in footers and header fields.
pub const ADDED: usize = 50_000;
/// The maximum number of distinct senders.
pub const SENDERS: usize = 250_000;
/// The maximum number of distinct URLs stored to count the distinct URLs of each host. Above this
/// limit, no new URLs are stored or counted as distinct.
pub const DIFFERENT: usize = 3_600_000;
/// The maximum number of distinct URLs whose uses are counted.
pub const URLS: usize = 150_000;
/// The maximum length in bytes of a URL whose uses are counted.
pub const URL_BYTES: usize = 2048;
/// The length in bytes that names of hosts, lists and files are truncated to.
pub const NAME_BYTES: usize = 512;
/// The maximum number of distinct newsgroups, lists, and files that replace them.
pub const LISTS: usize = 10_000;
/// The maximum number of distinct top-level domains.
pub const TLDS: usize = 5_000;
/// The maximum number of distinct schemes.
pub const SCHEMES: usize = 1_000;

/// The maximum number of rows of a table in the report.
pub const ROWS: usize = 100;
/// The maximum number of first-seen hosts that are quoted.
pub const QUOTES: usize = 100;
/// The maximum number of URLs broken after a hyphen that are listed.
pub const READINGS: usize = 200;
/// The maximum number of examples of a fault.
pub const EXAMPLES: usize = 3;
/// The maximum number of newsgroups that are listed for a URL.
pub const PLACE_LISTS: usize = 20;
/// The maximum number of unreadable files, and of unreadable dates, that are listed.
pub const LISTED: usize = 50;
/// The maximum length in bytes of a quoted text before or after a URL. The quoted URL can be four
/// times as long.
pub const QUOTED_BYTES: usize = 160;
