//! Collects the reports about one URL.

use crate::{Code, Level, Report, Span, Url};
use alloc::vec::Vec;

/// A URL that is being checked, and a list to which the reports about it are added.
pub(crate) struct Collector<'u, 'o> {
    pub(crate) url: Url<'u>,
    out: &'o mut Vec<Report>,
}

impl<'u, 'o> Collector<'u, 'o> {
    pub(crate) fn new(url: Url<'u>, out: &'o mut Vec<Report>) -> Self {
        Self { url, out }
    }

    /// Adds a report about `span` with this code, at the code's usual level.
    pub(crate) fn add(&mut self, code: Code, span: Span) {
        self.out.push(Report::new(code, span));
    }

    /// Adds a report with this code about `part`, which must be a slice of the URL. If `part` is
    /// empty, the report covers the delimiter after it, or the delimiter before it if none comes
    /// after it.
    pub(crate) fn add_for_part(&mut self, code: Code, part: &'u [u8]) {
        let text = self.url.text;
        let start = (part.as_ptr() as usize).wrapping_sub(text.as_ptr() as usize).min(text.len());
        let span = if !part.is_empty() {
            Span::new(start, start + part.len())
        } else if start < text.len() {
            Span::new(start, start + 1)
        } else {
            Span::new(start.saturating_sub(1), start)
        };
        self.add(code, span);
    }

    /// Adds a report about `span`. If the last report with the same code and level ends where
    /// `span` starts, extends that report instead.
    pub(crate) fn add_or_extend(&mut self, code: Code, level: Level, span: Span) {
        // Few codes are reported alternately, so the last report with this code is near the end.
        let last = self.out.iter_mut().rev().take(8).find(|r| r.code == code && r.level == level);
        match last {
            Some(report) if report.span.end == span.start => report.span.end = span.end,
            _ => self.out.push(Report { code, level, span }),
        }
    }
}
