//! The output formats of `scan`, one module each.

mod cdx;
mod jsonl;
mod output_format;
#[cfg(feature = "parquet")]
mod parquet;
mod report;
mod table;
mod text;

pub(crate) use self::output_format::{GroupRow, OutputFormat};

use super::sizes::Sizes;
use super::style::Style;
use crate::args::Format;
use urlsift_records::Detail;

impl Style {
    /// Returns the implementation of the output format that the user selected.
    pub(crate) fn output_format(&self) -> &'static dyn OutputFormat {
        match self.format {
            Format::Text => &text::Text,
            Format::Jsonl => &jsonl::Jsonl,
            Format::Csv => &table::Csv,
            Format::Tsv => &table::Tsv,
            Format::Cdx => &cdx::Cdx,
            #[cfg(feature = "parquet")]
            Format::Parquet => &parquet::Parquet,
            // Without the feature, Parquet is refused before anything is scanned.
            _ => &report::Report,
        }
    }

    /// Returns how much must be computed about each URL, for this style of output.
    pub(crate) fn required_detail(&self) -> Detail {
        if self.quiet || self.per_file.is_some() {
            let wants_records =
                self.counts_distinct_per_file() || self.max_urls_per_file().is_some();
            return if wants_records { Detail::Url } else { Detail::Count };
        }
        self.output_format().required_detail(self)
    }

    /// Returns the sizes of tasks and output buffers for this style of output and this number of
    /// threads.
    pub(crate) fn task_sizes(&self, workers: usize) -> Sizes {
        let sizes = self.output_format().task_sizes(self, workers);
        let print_at = if self.line_buffered { 1 } else { sizes.print_at };
        Sizes { print_at, ..sizes }
    }
}
