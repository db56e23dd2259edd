//! The data for a report. It is counted during the scan. If the tables are written in parts, it is
//! saved with each part instead, and counted later.

#[cfg(feature = "parquet")]
use crate::io::{inputs::Inputs, output::Output};
#[cfg(feature = "parquet")]
use std::io::Write;
use std::io::{self, BufReader};
use std::ops::Range;
use std::path::{Path, PathBuf};
use urlsift_records::FileName;
#[cfg(feature = "parquet")]
use urlsift_report::Saver;
use urlsift_report::{Batch, Collector};

/// The name of the files with saved data, without the number of the part.
pub(crate) const SAVED_REPORT: &str = "report";

/// Returns the path of the file in `directory` with the data of part `number`.
pub(crate) fn saved_report_path(directory: &Path, number: u32) -> PathBuf {
    directory.join(format!("{SAVED_REPORT}-{number:05}.zst"))
}

/// Counts the data in the file at `path`, which a scan that wrote its tables in parts saved.
///
/// # Errors
///
/// Fails if the file can't be read, or is damaged.
pub(crate) fn count_saved_report(path: &Path, collector: &mut Collector) -> io::Result<()> {
    let file = zstd::Decoder::new(std::fs::File::open(path)?)?;
    collector.count_saved(BufReader::new(file))
}

/// The destination of the data for a report.
pub(crate) enum ReportData {
    Counted(Box<Collector>),
    #[cfg(feature = "parquet")]
    Saved(Box<SavedReport>),
}

impl ReportData {
    /// Adds the URLs in these rows of a batch.
    pub(super) fn count_urls(&mut self, batch: &Batch, rows: Range<usize>) {
        match self {
            Self::Counted(collector) => collector.count_urls(batch, rows),
            #[cfg(feature = "parquet")]
            Self::Saved(saved) => saved.saver.count_urls(rows),
        }
    }

    /// Adds the messages of a batch, after the URLs of all its rows.
    #[cfg_attr(
        not(feature = "parquet"),
        expect(clippy::unnecessary_wraps, reason = "data may fail to be saved")
    )]
    pub(super) fn count_messages(&mut self, batch: &Batch) -> io::Result<()> {
        match self {
            Self::Counted(collector) => {
                collector.count_messages(batch);
                Ok(())
            }
            #[cfg(feature = "parquet")]
            Self::Saved(saved) => saved.saver.count_messages(batch),
        }
    }

    /// Adds a file that could not be read.
    #[cfg_attr(
        not(feature = "parquet"),
        expect(clippy::unnecessary_wraps, reason = "data may fail to be saved")
    )]
    pub(super) fn count_error(&mut self, file: &FileName, message: &str) -> io::Result<()> {
        match self {
            Self::Counted(collector) => {
                collector.count_error(file, message);
                Ok(())
            }
            #[cfg(feature = "parquet")]
            Self::Saved(saved) => saved.saver.count_error(file, message),
        }
    }
}

/// The file with the data of one part, which is being written.
#[cfg(feature = "parquet")]
pub(crate) struct SavedReport {
    output: Output,
    saver: Saver<zstd::Encoder<'static, Box<dyn Write + Send>>>,
}

#[cfg(feature = "parquet")]
impl SavedReport {
    /// Creates the file for part `number` in `directory`. Fails if the file is one of `inputs`.
    pub(crate) fn new(directory: &Path, number: u32, inputs: &Inputs) -> anyhow::Result<Self> {
        let output = Output::new(Some(&saved_report_path(directory, number)), inputs)?;
        let writer = zstd::Encoder::new(output.writer()?, zstd::DEFAULT_COMPRESSION_LEVEL)?;
        Ok(Self { output, saver: Saver::new(writer) })
    }

    /// Completes the file, flushes it to disk, and gives it its final name.
    pub(crate) fn finish(self) -> anyhow::Result<()> {
        self.saver.finish()?.finish()?.flush()?;
        self.output.sync_and_rename_to_final_name()
    }
}
