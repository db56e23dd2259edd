//! How fast urlsift is, and against whom.
//!
//! | room | what is in it |
//! |---|---|
//! | [`haystack`] | the data: real densities, made from a seed |
//! | [`definition`] | which tools search which haystack, what they must find, which ratio is asked for |
//! | [`compare`] | whole processes side by side |
//! | [`stages`] | each stage in memory |
//! | [`decoders`] | the transfer decoders beside mail-parser's |
//! | [`hostile`] | the whole command on hostile texts as text, mail and HTML, beside what is usual |
//! | [`instructions`] | instruction counts, and how they grow on hostile input |
//! | [`golden`] | what is found in the data, which no change for speed may change |
//! | [`plot`] | the results as a picture |
//! | [`peers`] | linkify and the regex crate, driven plainly |
//! | [`density`] | the measure by which the data was tuned |
//!
//! How to repeat each figure, and the dated results, stand in `benches/README.md`.

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
