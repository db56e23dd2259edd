//! The state of `scan --state`: the input that the complete parts of the tables contain.
//!
//! The state is a JSON file, which docs/src/guides/resume.md describes. It is replaced atomically
//! and flushed to disk before the scan continues, and each part is flushed to disk before the state
//! that lists its input. After any crash, the parts up to the number in the state therefore contain
//! exactly the input that the state lists. The next run removes later parts.

use crate::io::inputs::Inputs;
use crate::io::output::Output;
use crate::io::shared_file::SharedFile;
use crate::platform;
use crate::platform::{is_temporary_name, parent_directory, temporary_name_affixes};
use crate::print::report_data::SAVED_REPORT;
use crate::print::run_file::TABLES;
use crate::unit::{FileState, Unit, decode_text_or_base64};
use anyhow::{Context as _, anyhow, bail};
use data_encoding::{BASE64, HEXLOWER};
use memchr::memchr;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};
use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use urlsift_archive::unpack::detect_compression;
use urlsift_archive::{Container, Dialect, Head, LOOK_BEHIND, next_message_start};
use urlsift_records::LineStart;
use urlsift_records::input::{BUFFER, Buffer, can_split, line_start_after, unit_end};

/// The version of the file format.
const VERSION: u32 = 1;
/// The number of bytes at the start and at the end of the bytes already read that must be
/// unchanged.
const COMPARED: usize = 1 << 10;
/// The file extensions of parts.
const PART_EXTENSIONS: [&str; 3] = ["parquet", "jsonl", "zst"];

/// The content of the state file of `scan --state`: which bytes of which files were read, and how
/// many parts contain them.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct State {
    r#type: String,
    schema: u32,
    /// The version of urlsift that wrote the file.
    version: String,
    /// The directory of the parts, with symbolic links resolved.
    output: String,
    /// A digest of all options that affect the rows.
    options: String,
    /// The number of the last part that is complete; 0 if there is none.
    pub(crate) parts: u32,
    /// The total counts of all parts, with the fields of the summary.
    pub(crate) counts: Map<String, Value>,
    files: Vec<Entry>,
    /// The index in `files` of each path.
    #[serde(skip)]
    places: HashMap<PathBuf, usize>,
}

/// An entry of the state: the bytes of one file that were already read.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
struct Entry {
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    /// The path in base64, if it is not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    path_bytes: Option<String>,
    container: String,
    /// True if the file is always read as a whole.
    whole: bool,
    /// The number of bytes that were read.
    end: u64,
    /// The number of line breaks before `end`, and the offset of the start of the line that
    /// contains `end`.
    breaks: u64,
    line_start: u64,
    /// The SHA-256 digests of the first and the last KiB that were read.
    first: String,
    last: String,
}

/// The entry that a file gets in the [`State`] after its next unit was scanned.
/// [`State::add_complete_part`] stores it when the part of the tables that contains the unit's rows
/// is complete.
#[derive(Clone, Debug)]
pub(crate) struct Read {
    path: PathBuf,
    entry: Entry,
    /// True if there are more bytes of the file to read.
    pub(crate) has_more: bool,
    pub(crate) len: u64,
}

impl Entry {
    fn path(&self) -> anyhow::Result<PathBuf> {
        let path = decode_text_or_base64(self.path.as_deref(), self.path_bytes.as_deref())?;
        Ok(platform::os_string_from_printed(path.context("an entry has no path")?).into())
    }

    /// Checks that a file, which now has `len` bytes, still starts with the bytes that were already
    /// read. Compares the length, and the digests of the first and last KiB of those bytes.
    fn check_start(
        &self,
        file: &mut SharedFile,
        len: u64,
        buffer: &mut Buffer,
    ) -> Result<(), Refusal> {
        if len < self.end {
            return Err(Refusal::Replaced("the file is shorter than what was already read"));
        }
        let (first, last) = digests_before(file, self.end, buffer)?;
        if (&first, &last) != (&self.first, &self.last) {
            return Err(Refusal::Replaced("the part that was already read has changed"));
        }
        Ok(())
    }

    /// Checks that a scan can continue in a file that has grown: the new bytes must start with a
    /// new message or line. `name` and `container` are the format of the file now.
    fn check_growth(
        &self,
        file: &mut SharedFile,
        (name, container): (&str, Container),
        buffer: &mut Buffer,
    ) -> Result<(), Refusal> {
        if self.end > 0 && self.container != name {
            return Err(Refusal::Replaced("the type of the file has changed"));
        }
        if self.end > 0 && self.whole {
            return Err(Refusal::Replaced(
                "the file has grown, but its type can only be read as a whole",
            ));
        }
        if is_start_of_unit(file, container, self.end, buffer)? {
            return Ok(());
        }
        Err(Refusal::Replaced(if matches!(container, Container::Mbox | Container::Notebook) {
            "the file has grown, but the part already read ends within a message"
        } else {
            "the file has grown, but the part already read ends within a line"
        }))
    }
}

impl State {
    /// Reads the state from the file at `path`, or creates the file if it doesn't exist.
    /// `directory` contains the parts. `options` describes the options that affect the rows.
    ///
    /// # Errors
    ///
    /// Fails if the file can't be read, or if it belongs to a run with other options or another
    /// directory.
    pub(crate) fn open(
        path: &Path,
        directory: &Path,
        options: &str,
        inputs: &Inputs,
    ) -> anyhow::Result<Self> {
        let failed = || format!("--state {}", path.display());
        let output = directory.to_string_lossy().into_owned();
        let options = HEXLOWER.encode(&Sha256::digest(options));
        let text = match fs::read(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                if last_part_number(directory)? > 0 {
                    bail!(
                        "--state {}: no such file, but {output} contains parts of an earlier run; give the state \
                         file of that run, or use another directory",
                        path.display()
                    );
                }
                let state = Self {
                    r#type: "state".to_owned(),
                    schema: VERSION,
                    version: env!("CARGO_PKG_VERSION").to_owned(),
                    output,
                    options,
                    parts: 0,
                    counts: Map::new(),
                    files: Vec::new(),
                    places: HashMap::new(),
                };
                state.write(path, inputs).with_context(failed)?;
                return Ok(state);
            }
            Err(error) => return Err(error).with_context(failed),
        };
        let mut state: Self = serde_json::from_slice(&text)
            .context("not a state file of `urlsift scan`")
            .with_context(failed)?;
        if state.r#type != "state" || state.schema != VERSION {
            return Err(anyhow!(
                "unsupported version {}; use the release of urlsift that wrote the file",
                state.schema
            ))
            .with_context(failed);
        }
        if state.output != output {
            let text = format!(
                "its parts are in {}, not in {output}; give that directory with -o",
                state.output
            );
            return Err(anyhow!(text)).with_context(failed);
        }
        if state.options != options {
            let text = "written with other options or by another release; use these, or start over with another \
                        file and directory";
            return Err(anyhow!(text)).with_context(failed);
        }
        for (place, entry) in state.files.iter().enumerate() {
            state.places.insert(entry.path().with_context(failed)?, place);
        }
        Ok(state)
    }

    /// Writes the state to the file at `path` and flushes it to disk. Fails if the file is one of
    /// `inputs`.
    ///
    /// # Errors
    ///
    /// Returns any error from the operating system.
    pub(crate) fn write(&self, path: &Path, inputs: &Inputs) -> anyhow::Result<()> {
        let output = Output::new(Some(path), inputs)?;
        let mut text = serde_json::to_vec_pretty(self)?;
        text.push(b'\n');
        output.write_contents(&text)?;
        output.sync_and_rename_to_final_name()
    }

    /// Adds the units of a complete part to the state: stores each entry in `read` as the new entry
    /// of its file. Call [`State::write`] afterwards to save it.
    pub(crate) fn add_complete_part(&mut self, read: Vec<Read>) {
        for Read { path, entry, .. } in read {
            if let Some(&place) = self.places.get(&path) {
                self.files[place] = entry;
            } else {
                self.places.insert(path, self.files.len());
                self.files.push(entry);
            }
        }
    }

    /// Returns the next unit of the file at `path`, and the entry to add to the state. Returns
    /// `None` if the file has no new bytes. The unit has at least `min_len` bytes unless the file
    /// ends before.
    ///
    /// `previous` is the previous unit of this file if that unit is not yet in the state.
    /// `detect_format` detects the format of the file from its first bytes.
    ///
    /// # Errors
    ///
    /// Fails if the file can't be read, or if the bytes that were already read have changed.
    pub(crate) fn next_unit(
        &self,
        path: &Path,
        file: &mut SharedFile,
        previous: Option<&Read>,
        min_len: u64,
        detect_format: impl FnOnce(Head<'_>) -> Container,
    ) -> Result<Option<(Unit, Read)>, Refusal> {
        let known = match previous {
            Some(read) => Some(&read.entry),
            None => self.places.get(path).map(|&place| &self.files[place]),
        };
        let mut buffer = Buffer::default();
        buffer.read_at(file, 0, BUFFER)?;
        let len = file.metadata()?.len();
        let packed = detect_compression(buffer.bytes()).is_some();
        let head = Head::new(buffer.bytes(), len > buffer.bytes().len() as u64);
        let container =
            if packed { Container::Text(Dialect::default()) } else { detect_format(head) };
        let whole = packed || !can_split(container);
        let name = if packed { "packed" } else { container.name() };
        let at = known.map_or(0, |entry| entry.end);
        if let Some(entry) = known.filter(|_| previous.is_none()) {
            entry.check_start(file, len, &mut buffer)?;
            if len == at {
                return Ok(None);
            }
            entry.check_growth(file, (name, container), &mut buffer)?;
        } else if known.is_some() && len <= at {
            return Ok(None);
        }
        let mut place = known.map_or_else(LineStart::default, |entry| LineStart {
            breaks: entry.breaks,
            line: entry.line_start,
        });
        let end = match container {
            _ if whole => len,
            Container::Text(_) => {
                line_end_in_file(file, at.saturating_add(min_len), len, &mut buffer)?
            }
            _ => unit_end(file, at, (len, min_len), container, &mut buffer)?,
        };
        let unit = Unit {
            path: path.to_owned(),
            start: at,
            end: (!whole).then_some(end),
            place: Some(place),
            state: FileState::default(),
            is_repeated: at > 0,
            ..Unit::default()
        };
        if !whole {
            place = line_start_after(file, at..end, place, &mut buffer)?;
        }
        let (first, last) = digests_before(file, end, &mut buffer)?;
        let utf8 = path.to_str().map(str::to_owned);
        let bytes = utf8.is_none().then(|| BASE64.encode(&platform::printed_bytes(path)));
        let entry = Entry {
            path: utf8,
            path_bytes: bytes,
            container: name.to_owned(),
            whole,
            end,
            breaks: place.breaks,
            line_start: place.line,
            first,
            last,
        };
        let has_more = end < len;
        let read = Read { path: path.to_owned(), entry, has_more, len: end - at };
        Ok(Some((unit, read)))
    }
}

/// The reason why a file can't be read or continued.
pub(crate) enum Refusal {
    /// The file has changed so that it can't be continued. The text describes how.
    Replaced(&'static str),
    Io(io::Error),
}

impl From<io::Error> for Refusal {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Returns the digests of the first KiB of a file and of the last KiB before offset `end`.
fn digests_before(
    file: &mut SharedFile,
    end: u64,
    buffer: &mut Buffer,
) -> io::Result<(String, String)> {
    let some = usize::try_from(end).unwrap_or(COMPARED).min(COMPARED);
    let mut digest = |at| {
        buffer.read_at(file, at, some)?;
        Ok::<_, io::Error>(HEXLOWER.encode(&Sha256::digest(buffer.bytes())))
    };
    Ok((digest(0)?, digest(end - some as u64)?))
}

/// Returns the offset after the end of the line that contains offset `from`. `len` is the length of
/// the file, which is returned if the last line has no line break.
fn line_end_in_file(
    file: &mut SharedFile,
    from: u64,
    len: u64,
    buffer: &mut Buffer,
) -> io::Result<u64> {
    let mut at = from.saturating_sub(1);
    while at < len {
        buffer.read_at(file, at, BUFFER)?;
        if let Some(found) = memchr(b'\n', buffer.bytes()) {
            return Ok((at + found as u64 + 1).min(len));
        }
        if buffer.bytes().is_empty() {
            break;
        }
        at += buffer.bytes().len() as u64;
    }
    Ok(len)
}

/// True if a new message starts at offset `at` of a file or, in a text, a new line.
fn is_start_of_unit(
    file: &mut SharedFile,
    container: Container,
    at: u64,
    buffer: &mut Buffer,
) -> io::Result<bool> {
    let base = at.saturating_sub(LOOK_BEHIND as u64);
    let before = usize::try_from(at - base).unwrap_or(0);
    buffer.read_at(file, base, before + BUFFER)?;
    let bytes = buffer.bytes();
    if matches!(container, Container::Text(_)) {
        return Ok(before == 0 || bytes.get(before - 1) == Some(&b'\n'));
    }
    Ok(before == 0 || next_message_start(container, bytes, before.min(bytes.len())) == Some(before))
}

/// Returns the number of the part to which a file called `name` belongs, e.g. 2 for
/// `urls-00002.parquet`. Returns `None` for all other names.
fn part_number(name: &str) -> Option<u32> {
    let (stem, _) = name.rsplit_once('.').filter(|(_, end)| PART_EXTENSIONS.contains(end))?;
    let mut names = TABLES.iter().chain([&SAVED_REPORT]);
    let number = names.find_map(|table| stem.strip_prefix(table)?.strip_prefix('-'))?;
    (number.len() >= 5).then(|| number.parse().ok())?
}

/// True if `name` is the name of a temporary file for a part that was not completed.
fn is_unfinished_part(name: &str) -> bool {
    name.strip_prefix(".urlsift-")
        .and_then(|name| name.rsplit_once('-'))
        .is_some_and(|(name, _)| part_number(name).is_some())
}

/// Returns the highest number of a part in `directory`, or 0 if it contains no parts.
fn last_part_number(directory: &Path) -> anyhow::Result<u32> {
    let mut last = 0;
    for entry in fs::read_dir(directory)? {
        last = last.max(entry?.file_name().to_str().and_then(part_number).unwrap_or(0));
    }
    Ok(last)
}

/// Returns the files that a killed run has left: parts with numbers above `last_complete_part`, and
/// unfinished files. `state` is the path of the state file.
///
/// # Errors
///
/// Returns any error from the operating system.
pub(crate) fn files_of_killed_run(
    directory: &Path,
    last_complete_part: u32,
    state: &Path,
) -> anyhow::Result<Vec<PathBuf>> {
    let is_left = |name: &str| {
        part_number(name).is_some_and(|it| it > last_complete_part) || is_unfinished_part(name)
    };
    let mut left = files_with_names(directory, |name| name.to_str().is_some_and(is_left))?;
    let (start, _) = temporary_name_affixes(state);
    left.extend(files_with_names(parent_directory(state), |name| {
        name.as_encoded_bytes().starts_with(start.as_encoded_bytes()) && is_temporary_name(name)
    })?);
    Ok(left)
}

/// Returns the paths of those files in `directory` for whose names `is_named` is true.
fn files_with_names(
    directory: &Path,
    is_named: impl Fn(&OsStr) -> bool,
) -> anyhow::Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        if is_named(&entry.file_name()) {
            paths.push(entry.path());
        }
    }
    Ok(paths)
}

/// Deletes the files that [`files_of_killed_run`] has returned.
///
/// # Errors
///
/// Returns any error from the operating system.
pub(crate) fn remove_files(leftovers: &[PathBuf]) -> anyhow::Result<()> {
    for path in leftovers {
        match fs::remove_file(path) {
            // If the state is in the directory, it is listed twice.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            done => done.with_context(|| format!("cannot remove {}", path.display()))?,
        }
    }
    Ok(())
}

/// True if a file called `name` is a part of a table, either complete or unfinished.
pub(crate) fn is_part_file_name(name: &str) -> bool {
    part_number(name).is_some() || is_unfinished_part(name)
}
