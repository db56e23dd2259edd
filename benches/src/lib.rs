//! Benchmarks of urlsift and comparisons with other tools.
//!
//! | module | content |
//! |---|---|
//! | [`haystack`] | the data: generated from a seed, with the densities of real archives |
//! | [`definition`] | the comparisons: haystack, tools, expected counts and target ratios |
//! | [`compare`] | comparison of whole processes |
//! | [`stages`] | throughput of each stage in memory |
//! | [`decoders`] | transfer decoders compared with those of mail-parser |
//! | [`hostile`] | speed of the whole command on hostile texts, compared with ordinary input |
//! | [`instructions`] | instruction counts, and their growth on hostile input |
//! | [`golden`] | digests of the results on the data, which performance work must not change |
//! | [`plot`] | a chart of the results |
//! | [`peers`] | simple drivers of linkify and the regex crate |
//! | [`density`] | measurement of the densities to which the data is tuned |
//!
//! See `benches/README.md` for the commands that reproduce each figure, and for dated results.

pub mod compare;
pub mod decoders;
pub mod definition;
pub mod density;
pub mod golden;
pub mod growth;
pub mod haystack;
pub mod hostile;
pub mod instructions;
pub mod memory;
pub mod peers;
pub mod plot;
pub mod random;
pub mod random_growth;
pub mod stages;

// These are here because a published crate doesn't contain files outside of its directory.

/// The recipes of the documentation site, run as tests.
#[cfg(doctest)]
#[doc = include_str!("../../docs/src/guides/rust.md")]
struct Cookbook;

/// The example of the repository's README, run as a test.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Repository;
