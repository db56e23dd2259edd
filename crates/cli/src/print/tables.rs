//! Parquet tables: a directory of files, each of which gets its name when it is complete.

use super::parquet_file::{Packed, ParquetFile};
use crate::io::inputs::Inputs;
use anyhow::Context as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use urlsift_arrow::{RecordBatch, Rows};
use urlsift_records::table::Columns;
use urlsift_records::{FileName, Message, Tally};

/// The number of message or file rows that are buffered before they are compressed.
const BATCH: usize = 4096;
/// The names of the tables.
pub(crate) const NAMES: [&str; 3] = ["urls", "messages", "files"];

/// Returns the path of a table.
fn path(directory: &Path, name: &str, part: Option<u32>) -> PathBuf {
    let number = part.map(|part| format!("-{part:05}")).unwrap_or_default();
    directory.join(format!("{name}{number}.parquet"))
}

/// Returns the paths of the tables that are written in one part.
pub(crate) fn paths(directory: &Path) -> [PathBuf; 3] {
    NAMES.map(|name| path(directory, name, None))
}

/// The tables that a run is writing.
pub(crate) struct Tables {
    urls: ParquetFile,
    messages: ParquetFile,
    files: ParquetFile,
    message_rows: Rows,
    file_rows: Rows,
    /// The counts of the current file.
    file: Option<Counted>,
    member: Option<Counted>,
}

/// The counts of a file or member so far.
struct Counted {
    file: Arc<FileName>,
    start: Option<u64>,
    tally: Tally,
    error: Option<String>,
}

impl Counted {
    fn new(file: Arc<FileName>) -> Self {
        Self { file, start: None, tally: Tally::default(), error: None }
    }
}

impl Tables {
    /// Starts the tables in a directory, which is created if it doesn't exist. `part` is the number
    /// of the part, if the tables are written in parts.
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
        let (message_rows, file_rows) = (Rows::messages(), Rows::files());
        let table =
            |name, rows: &Rows| ParquetFile::new(&path(directory, name, part), rows, inputs);
        let [urls, messages, files] = NAMES;
        Ok(Self {
            urls: table(urls, &Rows::urls(columns))?,
            messages: table(messages, &message_rows)?,
            files: table(files, &file_rows)?,
            message_rows,
            file_rows,
            file: None,
            member: None,
        })
    }

    /// Appends rows to the table of URLs.
    pub(super) fn urls(&mut self, batch: &RecordBatch) -> io::Result<()> {
        self.urls.write(batch).map_err(io::Error::other)
    }

    /// Appends a compressed row group to the table of URLs.
    pub(super) fn packed(&mut self, group: Packed) -> io::Result<()> {
        self.urls.append(group).map_err(io::Error::other)
    }

    /// Appends rows to the table of messages.
    pub(super) fn messages(&mut self, batch: &RecordBatch) -> io::Result<()> {
        self.messages.write(batch).map_err(io::Error::other)
    }

    /// Appends a message to the table of messages.
    pub(super) fn message(
        &mut self,
        file: &FileName,
        message: &Message,
        urls: u64,
        duplicate_of: Option<&[u8]>,
    ) -> io::Result<()> {
        self.message_rows.message(file, message, urls, duplicate_of);
        if self.message_rows.len() < BATCH {
            return Ok(());
        }
        self.messages.flush(&mut self.message_rows).map_err(io::Error::other)
    }

    /// Starts the row of a file.
    pub(super) fn file(&mut self, file: Arc<FileName>) -> io::Result<()> {
        self.end_member()?;
        self.end_file()?;
        self.file = Some(Counted::new(file));
        Ok(())
    }

    /// Adds the counts of a file or member from offset `start`.
    pub(super) fn unit(
        &mut self,
        file: &Arc<FileName>,
        start: u64,
        tally: Tally,
    ) -> io::Result<()> {
        if let Some(counted) = self.counted(file)? {
            counted.start.get_or_insert(start);
            counted.tally += tally;
        }
        Ok(())
    }

    /// Adds an error to the row of a file. An error without a file has no row.
    pub(super) fn error(&mut self, file: &Arc<FileName>, text: String) -> io::Result<()> {
        if let Some(counted) = self.counted(file)? {
            counted.tally.errors += 1;
            counted.error = Some(text);
        }
        Ok(())
    }

    /// Completes the tables. Flushes them to disk before they get their names if `is_kept`, i.e. if
    /// a state lists them.
    ///
    /// # Errors
    ///
    /// Returns any error of the system.
    pub(crate) fn complete(mut self, is_kept: bool) -> anyhow::Result<()> {
        self.end_member()?;
        self.end_file()?;
        self.messages.flush(&mut self.message_rows)?;
        self.files.flush(&mut self.file_rows)?;
        self.urls.complete(is_kept)?;
        self.messages.complete(is_kept)?;
        self.files.complete(is_kept)
    }

    /// Returns the current row of a file or member.
    fn counted(&mut self, file: &Arc<FileName>) -> io::Result<Option<&mut Counted>> {
        if file.member.is_none() {
            return Ok(self.file.as_mut().filter(|known| known.file.path == file.path));
        }
        if self.member.as_ref().is_none_or(|known| known.file != *file) {
            self.end_member()?;
        }
        Ok(Some(self.member.get_or_insert_with(|| Counted::new(Arc::clone(file)))))
    }

    fn end_member(&mut self) -> io::Result<()> {
        let member = self.member.take();
        self.end(member)
    }

    fn end_file(&mut self) -> io::Result<()> {
        let file = self.file.take();
        self.end(file)
    }

    fn end(&mut self, counted: Option<Counted>) -> io::Result<()> {
        let Some(Counted { file, start, tally, error }) = counted else { return Ok(()) };
        self.file_rows.scanned(&file, start.unwrap_or_default(), &tally, error.as_deref());
        if self.file_rows.len() < BATCH {
            return Ok(());
        }
        self.files.flush(&mut self.file_rows).map_err(io::Error::other)
    }
}
