//! The formats of `lint`, one file each.
//!
//! Each renders the diagnostics of a file into separate items, on whatever thread; the items are
//! printed in the order of the files, with what the format wants between, before and after them.

mod checkstyle;
mod github;
mod jsonl;
mod report;
mod sarif;
mod text;

pub(crate) use report::{Renderer, Report, Totals};

use crate::args::LintFormat;

/// The renderer of a format.
pub(crate) fn renderer(format: LintFormat, color: bool) -> Box<dyn Renderer> {
    match format {
        LintFormat::Text => Box::new(text::Text { color }),
        LintFormat::Jsonl => Box::new(jsonl::Jsonl),
        LintFormat::Sarif => Box::new(sarif::Sarif),
        LintFormat::Github => Box::new(github::Github),
        LintFormat::Checkstyle => Box::new(checkstyle::Checkstyle),
    }
}
