//! Writes a directory of Parquet tables. Each file has a temporary name until it is complete.

use super::parquet_file::{Packed, ParquetFile};
use super::run_file::TABLES;
use crate::io::inputs::Inputs;
use anyhow::Context as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use urlsift_arrow::{RecordBatch, Rows};
use urlsift_records::table::Columns;
use urlsift_records::{FileName, Message, Tally};

/// The number of message or file rows after which they are compressed.
const BATCH: usize = 4096;

/// Returns the path of the table called `name` in `directory`. `part` is the number of the part if
/// the table is written in parts.
fn table_path(directory: &Path, name: &str, part: Option<u32>) -> PathBuf {
    let number = part.map(|part| format!("-{part:05}")).unwrap_or_default();
    directory.join(format!("{name}{number}.parquet"))
}

/// Returns the paths of all tables that a scan without parts writes to `directory`.
pub(crate) fn table_paths(directory: &Path) -> [PathBuf; 3] {
    TABLES.map(|name| table_path(directory, name, None))
}

/// The Parquet tables that a scan writes: one of URLs, one of messages and one of files.
pub(crate) struct Tables {
    urls: ParquetFile,
    messages: ParquetFile,
    files: ParquetFile,
    /// The buffered rows of the table of messages.
    message_rows: Rows,
    /// The buffered rows of the table of files.
    file_rows: Rows,
    /// The counts of the current file.
    file: Option<Counted>,
    /// The counts of the current archive member.
    member: Option<Counted>,
}

/// The counts so far of a file or archive member, for its row in the table of files.
struct Counted {
    file: Arc<FileName>,
    /// The offset of the first unit that was scanned.
    start: Option<u64>,
    tally: Tally,
    /// The last error.
    error: Option<String>,
}

impl Counted {
    fn new(file: Arc<FileName>) -> Self {
        Self { file, start: None, tally: Tally::default(), error: None }
    }
}

impl Tables {
    /// Creates the tables in `directory`, and creates the directory if it doesn't exist. The table
    /// of URLs has the columns `columns`. `part` is the number of the part if the tables are
    /// written in parts. Fails if a table would overwrite one of `inputs`.
    ///
    /// # Errors
    ///
    /// Returns any error of the system.
    pub(crate) fn new(
        directory: &Path,
        columns: &Columns,
        part: Option<u32>,
        inputs: &Inputs,
    ) -> anyhow::Result<Self> {
        fs::create_dir_all(directory).with_context(|| {
            format!("--output {}: cannot use it as a directory for tables", directory.display())
        })?;
        let (message_rows, file_rows) = (Rows::for_messages(), Rows::for_files());
        let table =
            |name, rows: &Rows| ParquetFile::new(&table_path(directory, name, part), rows, inputs);
        let [urls, messages, files] = TABLES;
        Ok(Self {
            urls: table(urls, &Rows::for_urls(columns))?,
            messages: table(messages, &message_rows)?,
            files: table(files, &file_rows)?,
            message_rows,
            file_rows,
            file: None,
            member: None,
        })
    }

    /// Appends a batch of rows to the table of URLs.
    pub(super) fn write_url_rows(&mut self, batch: &RecordBatch) -> io::Result<()> {
        self.urls.write_batch(batch).map_err(io::Error::other)
    }

    /// Appends a compressed row group to the table of URLs.
    pub(super) fn write_compressed_urls(&mut self, group: Packed) -> io::Result<()> {
        self.urls.write_compressed_group(group).map_err(io::Error::other)
    }

    /// Appends a batch of rows to the table of messages.
    pub(super) fn write_message_rows(&mut self, batch: &RecordBatch) -> io::Result<()> {
        self.messages.write_batch(batch).map_err(io::Error::other)
    }

    /// Appends a row to the table of messages. `urls` is the number of URLs in the message.
    /// `duplicate_of` is set if the message repeats an earlier one.
    pub(super) fn add_message_row(
        &mut self,
        file: &FileName,
        message: &Message,
        urls: u64,
        duplicate_of: Option<&[u8]>,
    ) -> io::Result<()> {
        self.message_rows.push_message(file, message, urls, duplicate_of);
        if self.message_rows.len() < BATCH {
            return Ok(());
        }
        self.messages.write_buffered_rows(&mut self.message_rows).map_err(io::Error::other)
    }

    /// Starts a new row in the table of files, and completes the row of the previous file.
    pub(super) fn start_file_row(&mut self, file: Arc<FileName>) -> io::Result<()> {
        self.end_member()?;
        self.end_file()?;
        self.file = Some(Counted::new(file));
        Ok(())
    }

    /// Adds the counts of a unit to the row of its file or member. `start` is the offset of the
    /// unit.
    pub(super) fn add_unit_counts(
        &mut self,
        file: &Arc<FileName>,
        start: u64,
        tally: Tally,
    ) -> io::Result<()> {
        if let Some(counted) = self.counts_of(file)? {
            counted.start.get_or_insert(start);
            counted.tally += tally;
        }
        Ok(())
    }

    /// Adds an error to the row of a file. Does nothing if the file has no row.
    pub(super) fn add_error(&mut self, file: &Arc<FileName>, text: String) -> io::Result<()> {
        if let Some(counted) = self.counts_of(file)? {
            counted.tally.errors += 1;
            counted.error = Some(text);
        }
        Ok(())
    }

    /// Completes the tables and renames their files to the final names. If `is_durable` is true,
    /// flushes them to disk first, because a state file will list them.
    ///
    /// # Errors
    ///
    /// Returns any error of the system.
    pub(crate) fn finish_tables(mut self, is_durable: bool) -> anyhow::Result<()> {
        self.end_member()?;
        self.end_file()?;
        self.messages.write_buffered_rows(&mut self.message_rows)?;
        self.files.write_buffered_rows(&mut self.file_rows)?;
        self.urls.finish_file(is_durable)?;
        self.messages.finish_file(is_durable)?;
        self.files.finish_file(is_durable)
    }

    /// Returns the counts of a file or archive member, so that the caller can add to them. Returns
    /// `None` for a file that is not the current one. For a new member, first completes the row of
    /// the previous member.
    fn counts_of(&mut self, file: &Arc<FileName>) -> io::Result<Option<&mut Counted>> {
        if file.member.is_none() {
            return Ok(self.file.as_mut().filter(|known| known.file.path == file.path));
        }
        if self.member.as_ref().is_none_or(|known| known.file != *file) {
            self.end_member()?;
        }
        Ok(Some(self.member.get_or_insert_with(|| Counted::new(Arc::clone(file)))))
    }

    /// Completes the row of the current archive member, if there is one.
    fn end_member(&mut self) -> io::Result<()> {
        let member = self.member.take();
        self.push_file_row(member)
    }

    /// Completes the row of the current file, if there is one.
    fn end_file(&mut self) -> io::Result<()> {
        let file = self.file.take();
        self.push_file_row(file)
    }

    /// Appends a row with these counts to the table of files. Does nothing if `counted` is `None`.
    fn push_file_row(&mut self, counted: Option<Counted>) -> io::Result<()> {
        let Some(Counted { file, start, tally, error }) = counted else { return Ok(()) };
        self.file_rows.push_file_counts(&file, start.unwrap_or_default(), &tally, error.as_deref());
        if self.file_rows.len() < BATCH {
            return Ok(());
        }
        self.files.write_buffered_rows(&mut self.file_rows).map_err(io::Error::other)
    }
}
