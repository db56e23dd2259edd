//! A linter that finds and fixes mistakes in the URLs of a document.
//!
//! The scanner finds *candidates*: URLs, and *near misses* (mistyped URLs such as `http:/host`). A
//! [`Rule`] checks one candidate and reports faults as [`Diagnostic`]s. A diagnostic has a stable
//! code, the span of the faulty bytes, instructions, and often a [`Fix`]. [`RULES`] lists all
//! rules. The explanation and examples of each ([`Meta`]) are the source of `RULES.md` and of the
//! output of `urlsift explain`.
//!
//! Create a [`Linter`] to lint texts and files with one configuration, or a [`Judge`] to lint files
//! with the settings of a `urlsift.toml`.
//!
//! The feature `project`, which is enabled by default, adds [`Judge`] and [`Settings`], and makes
//! [`Tree`] respect `.gitignore` files.
//!
//! This crate does no I/O, so both a command and an editor can use it.
//!
//! # Example
//!
//! ```
//! use urlsift_lint::{Applicability, Config, Linter, apply};
//! use urlsift_core::Profile;
//! use urlsift_lint::{Dialect, Markup};
//!
//! let linter = Linter::new(Config::new(Profile::Rfc1738));
//! let text = b"See http://www.host.dom/~joe/ now.";
//! let found = linter.lint(text, Dialect::Text(Markup::Plain));
//! assert_eq!(found.diagnostics[0].code, "char.unsafe");
//! assert_eq!(found.diagnostics[0].span.range(), 24..25);
//!
//! let fixed = apply::apply_until_stable(text, Applicability::Safe, |text| {
//!     linter.lint(text, Dialect::Text(Markup::Plain)).diagnostics
//! });
//! assert_eq!(fixed.text, b"See http://www.host.dom/%7Ejoe/ now.");
//! ```

mod add_ignore;
pub mod apply;
mod baseline;
mod caches;
mod config;
mod context;
mod diagnostic;
mod dialect;
mod diff;
mod edit;
mod example;
mod explain;
mod file;
mod generated;
#[cfg(feature = "project")]
mod judge;
mod language;
mod linter;
mod markup;
mod occurrence;
mod parts;
mod place;
mod position;
mod record;
mod registry;
mod rule;
mod rules;
#[cfg(feature = "project")]
mod settings;
#[cfg(feature = "project")]
mod settings_page;
mod similar;
mod slug;
pub mod snippet;
mod suppress;
mod test_data;
#[cfg(feature = "project")]
mod test_document;
mod tree;
mod verbatim;

pub use crate::add_ignore::{Ignored, add_ignore};
pub use crate::baseline::{BadBaseline, Baseline, normalize_path};
pub use crate::config::{Config, Pattern, Selector, UnknownRule};
pub use crate::context::{Context, Findings};
pub use crate::diagnostic::{Diagnostic, Hint, Label};
pub use crate::dialect::{Dialect, Markup};
pub use crate::diff::{Diff, unified_diff};
pub use crate::edit::{Applicability, Edit, Edits, Fix};
pub use crate::explain::{rule_documentation as explain, rules_page as explain_all};
#[cfg(feature = "project")]
pub use crate::judge::{Fixed, Judge, NearestSettings, file_name};
pub use crate::language::Language;
pub use crate::linter::{Linted, Linter, lint};
pub use crate::markup::{Region, RegionKind};
pub use crate::parts::Part;
pub use crate::position::{Lines, Position};
pub use crate::registry::{RULES, most_similar_rule, rule};
pub use crate::rule::{Example, FixFn, FixKind, LenientLevel, Meta, On, Reported, Rule};
#[cfg(feature = "project")]
pub use crate::settings::{BadSettings, Settings};
#[cfg(feature = "project")]
pub use crate::settings_page::{KEYS, Key, Kind, settings_page, settings_schema};
pub use crate::similar::most_similar;
pub use crate::slug::Slug;
pub use crate::tree::Tree;
pub use urlsift_core::Level;

/// The example of the README, which is run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
