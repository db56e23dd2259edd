//! The formats of `lint`, one file each.
//!
//! Each renders diagnostics one by one, on whatever thread; they are printed in the order of the files, with what the
//! format wants between, before and after them.

mod checkstyle;
mod concise;
mod github;
mod gitlab;
mod jsonl;
mod printer;
mod rdjson;
mod report;
mod sarif;
mod statistics;
mod text;

pub(crate) use printer::{Printer, Sheet};
pub(crate) use report::{Renderer, Report, Totals};

use crate::args::{LintArgs, LintFormat};

/// The renderer that the options ask for.
pub(crate) fn renderer(args: &LintArgs) -> Box<dyn Renderer> {
    let quiet = args.quiet;
    let color = args.color.is_wanted();
    if args.statistics {
        return Box::new(statistics::Statistics);
    }
    match args.format() {
        LintFormat::Text => Box::new(text::Text { color, quiet }),
        LintFormat::Concise => Box::new(concise::Concise { quiet }),
        LintFormat::Jsonl => Box::new(jsonl::Jsonl),
        LintFormat::Sarif => Box::new(sarif::Sarif),
        LintFormat::Github => Box::new(github::Github),
        LintFormat::Gitlab => Box::new(gitlab::Gitlab),
        LintFormat::Rdjson => Box::new(rdjson::Rdjson),
        LintFormat::Checkstyle => Box::new(checkstyle::Checkstyle),
    }
}
