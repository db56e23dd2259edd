//! The output formats of `lint`, one module each.
//!
//! A format renders each diagnostic on its own, on any thread. The printer then writes them in the
//! order of the files, and adds the header, separators and footer of the format.

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

pub(crate) use printer::{Printer, Rendered};
pub(crate) use report::{Renderer, Report, Totals};

use crate::args::{LintArgs, LintFormat};

/// Creates the renderer for the output format that the options select.
pub(crate) fn renderer_for(args: &LintArgs) -> Box<dyn Renderer> {
    let quiet = args.quiet;
    let color = args.color.is_enabled();
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
