//! The output of `--statistics`: the number of diagnostics of each rule.

use super::report::{Renderer, Report, Totals};
use std::cmp::Reverse;
use std::fmt::Write as _;
use urlsift_lint::{Diagnostic, rule};

pub(super) struct Statistics;

impl Renderer for Statistics {
    fn append_diagnostic(&self, _: &Report<'_>, _: &Diagnostic, _: &mut Vec<u8>) {}

    fn footer(&self, totals: &Totals) -> String {
        let mut codes: Vec<_> = totals.codes.iter().collect();
        codes.sort_by_key(|(_, (count, _))| Reverse(*count));
        let digits = codes.first().map_or(1, |(_, (count, _))| count.to_string().len());
        let letters = codes.iter().map(|(code, _)| code.len()).max().unwrap_or(0);
        let mut out = String::new();
        for (code, (count, fixable)) in codes {
            let message = rule(code).map_or("", |rule| rule.meta().message);
            let _ = write!(out, "{count:digits$}  {code:letters$}  {message}");
            if *fixable > 0 {
                let _ = write!(out, " ({fixable} fixable with --fix)");
            }
            out.push('\n');
        }
        out
    }
}
