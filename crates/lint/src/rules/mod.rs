//! The rules.
//!
//! Rules for faults that the core crate or the scanner finds are grouped by the part of the URL,
//! each with its text, examples and fix. Every other rule has its own file.

pub(crate) mod break_in_code;
pub(crate) mod break_unwrapped;
pub(crate) mod breaks;
pub(crate) mod by_scheme;
pub(crate) mod char_bidi;
pub(crate) mod char_zero_width;
pub(crate) mod character;
pub(crate) mod escape_double;
mod fixes;
pub(crate) mod host_comma;
pub(crate) mod host_mixed_script;
mod invisible;
pub(crate) mod link;
pub(crate) mod link_inner_blank;
pub(crate) mod link_trailing_punctuation;
pub(crate) mod login;
pub(crate) mod mailto_slashes;
mod names;
pub(crate) mod news_brackets;
pub(crate) mod port_missing;
pub(crate) mod profile_disagreement;
pub(crate) mod scheme;
pub(crate) mod scheme_backslashes;
pub(crate) mod scheme_blank_after_slashes;
pub(crate) mod scheme_doubled;
pub(crate) mod scheme_misspelt;
pub(crate) mod scheme_no_colon;
pub(crate) mod scheme_no_slashes;
pub(crate) mod scheme_obsolete;
pub(crate) mod scheme_semicolon;
pub(crate) mod scheme_separator;
pub(crate) mod scheme_single_slash;
pub(crate) mod security_token;
pub(crate) mod suppress_unused;
pub(crate) mod userinfo_host_like;
pub(crate) mod wrapper_edge_blank;
pub(crate) mod wrapper_in_delimited_context;
pub(crate) mod wrapper_inner_blank;
pub(crate) mod wrapper_missing_brackets;
pub(crate) mod wrapper_missing_prefix;
pub(crate) mod wrapper_missing_scheme;
pub(crate) mod wrapper_several_urls;
pub(crate) mod wrapper_unclosed;
