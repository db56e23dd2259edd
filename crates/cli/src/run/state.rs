//! The state of a scan whose tables are written in parts: what has been read, and stands in parts that have their names.
//!
//! It is a JSON file, which docs/src/guides/resume.md describes. It is written beside and renamed, and on the disk before anything
//! goes on; parts are so before it names what they hold. So whatever ends a run, parts up to the state's number hold just
//! what the state names, and those beyond it are removed by the next run.

use super::large_input::{UnitRange, can_split, count_lines};
use crate::io::buffer::{BUFFER, Buffer, FileBuffer as _};
use crate::io::inputs::Inputs;
use crate::io::output::Output;
use crate::platform;
use crate::platform::{is_temporary, parent, temporary_name};
use crate::print::tables::NAMES;
use crate::unit::{FileState, Unit, told};
use anyhow::{Context as _, anyhow, bail};
use data_encoding::{BASE64, HEXLOWER};
use memchr::memchr;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};
use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use urlsift_archive::unpack::compression;
use urlsift_archive::{Container, Dialect, LOOK_BEHIND, next_start};
use urlsift_records::LineStart;

/// The version of the file's form.
const VERSION: u32 = 1;
/// How many bytes at either end of what was read must be the same for a file to be the one that was read.
const LOOKED_AT: usize = 1 << 10;

/// What has been read so far, and where it is.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct State {
    r#type: String,
    schema: u32,
    /// The release that wrote it.
    version: String,
    /// The directory of the parts, without links.
    output: String,
    /// A digest of what decides which rows there are, and what they hold.
    options: String,
    /// The number of the last part that is complete; 0 if there is none.
    pub(crate) parts: u32,
    /// What all parts hold together, with the fields of the summary.
    pub(crate) counts: Map<String, Value>,
    files: Vec<Entry>,
    /// Where the entry of a path stands.
    #[serde(skip)]
    places: HashMap<PathBuf, usize>,
}

/// What has been read of a file.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
struct Entry {
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    /// In base64, of a path that is not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    path_bytes: Option<String>,
    container: String,
    /// Whether the file is taken whole or not at all.
    whole: bool,
    /// How many of its bytes have been read.
    end: u64,
    /// The number of line breaks before that, and where the line starts that it is in.
    breaks: u64,
    line_start: u64,
    /// SHA-256 of the first and last KiB of what has been read.
    first: String,
    last: String,
}

/// What is to be named by the state when it is done.
#[derive(Clone, Debug)]
pub(crate) struct Read {
    path: PathBuf,
    entry: Entry,
    /// Whether there is more to read of the file.
    pub(crate) has_more: bool,
    pub(crate) len: u64,
}

impl Entry {
    fn path(&self) -> anyhow::Result<PathBuf> {
        let path = told(self.path.as_deref(), self.path_bytes.as_deref())?;
        Ok(platform::os_string(path.context("a file has no path")?).into())
    }

    /// Asks that a file, of `len` bytes, starts with what was read of it.
    fn is_start_of(&self, file: &File, len: u64, buffer: &mut Buffer) -> Result<(), Refusal> {
        if len < self.end {
            return Err(Refusal::Replaced("it is shorter than what was read of it"));
        }
        let (first, last) = ends(file, self.end, buffer)?;
        if (&first, &last) != (&self.first, &self.last) {
            return Err(Refusal::Replaced("it is not the file that was read"));
        }
        Ok(())
    }

    /// Asks that what a file has grown by can be read on its own. `name` is what it is called by now.
    fn may_go_on(
        &self,
        file: &File,
        (name, container): (&str, Container),
        buffer: &mut Buffer,
    ) -> Result<(), Refusal> {
        if self.end > 0 && self.container != name {
            return Err(Refusal::Replaced("it has become another kind of file"));
        }
        if self.end > 0 && self.whole {
            return Err(Refusal::Replaced("it has grown, and is taken whole or not at all"));
        }
        if goes_on(file, container, self.end, buffer)? {
            return Ok(());
        }
        Err(Refusal::Replaced(if matches!(container, Container::Mbox | Container::Notebook) {
            "it has grown, and what was read of it ended within a message"
        } else {
            "it has grown, and what was read of it ended within a line"
        }))
    }
}

impl State {
    /// The state in a file, or a new one that is put there; `directory` is where the parts go.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or is of another run: with other options, or another directory.
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
                if last_part(directory)? > 0 {
                    bail!(
                        "--state {}: there is no such file, but {output} holds parts; name the state that they were \
                         written with, or a directory without parts",
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
            .context("it is no state of a scan")
            .with_context(failed)?;
        if state.r#type != "state" || state.schema != VERSION {
            return Err(anyhow!("version {} of it is not known", state.schema))
                .with_context(failed);
        }
        if state.output != output {
            let text = format!("its parts are in {}, not in {output}", state.output);
            return Err(anyhow!(text)).with_context(failed);
        }
        if state.options != options {
            let text = "it was written with other options, or by another release; run with those, or begin anew with \
                        another file and directory";
            return Err(anyhow!(text)).with_context(failed);
        }
        for (place, entry) in state.files.iter().enumerate() {
            state.places.insert(entry.path().with_context(failed)?, place);
        }
        Ok(state)
    }

    /// Writes the state, which is on the disk then.
    ///
    /// # Errors
    ///
    /// What the system says.
    pub(crate) fn write(&self, path: &Path, inputs: &Inputs) -> anyhow::Result<()> {
        let output = Output::new(Some(path), inputs)?;
        let mut text = serde_json::to_vec_pretty(self)?;
        text.push(b'\n');
        output.fill(&text)?;
        output.keep()
    }

    /// Takes in what a part holds that has its name.
    pub(crate) fn add(&mut self, read: Vec<Read>) {
        for Read { path, entry, .. } in read {
            if let Some(&place) = self.places.get(&path) {
                self.files[place] = entry;
            } else {
                self.places.insert(path, self.files.len());
                self.files.push(entry);
            }
        }
    }

    /// What to read next of a regular file, if there is anything new, of at least `size` bytes if there are so many; `before` is what has been
    /// read of it since the state was written. `kind` says what it is by its first bytes.
    ///
    /// # Errors
    ///
    /// It cannot be read, or is not what was read before.
    pub(crate) fn next(
        &self,
        path: &Path,
        file: &File,
        before: Option<&Read>,
        size: u64,
        kind: impl FnOnce(&[u8]) -> Container,
    ) -> Result<Option<(Unit, Read)>, Refusal> {
        let known = match before {
            Some(read) => Some(&read.entry),
            None => self.places.get(path).map(|&place| &self.files[place]),
        };
        let mut buffer = Buffer::default();
        buffer.read_at(file, 0, BUFFER)?;
        let len = file.metadata()?.len();
        let packed = compression(buffer.bytes()).is_some();
        let container =
            if packed { Container::Text(Dialect::default()) } else { kind(buffer.bytes()) };
        let whole = packed || !can_split(container);
        let name = if packed { "packed" } else { container.name() };
        let at = known.map_or(0, |entry| entry.end);
        if let Some(entry) = known.filter(|_| before.is_none()) {
            entry.is_start_of(file, len, &mut buffer)?;
            if len == at {
                return Ok(None);
            }
            entry.may_go_on(file, (name, container), &mut buffer)?;
        } else if known.is_some() && len <= at {
            return Ok(None);
        }
        let mut place = known.map_or_else(LineStart::default, |entry| LineStart {
            breaks: entry.breaks,
            line: entry.line_start,
        });
        let end = match container {
            _ if whole => len,
            Container::Text(_) => line_end(file, at.saturating_add(size), len, &mut buffer)?,
            _ => UnitRange::cut(file, len, at, (len, size), container, &mut buffer)?.end,
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
            place = count_lines(file, at..end, place, &mut buffer)?;
        }
        let (first, last) = ends(file, end, &mut buffer)?;
        let utf8 = path.to_str().map(str::to_owned);
        let bytes = utf8.is_none().then(|| BASE64.encode(&platform::bytes(path)));
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

/// Why a file is not read.
pub(crate) enum Refusal {
    /// It is not what was read before.
    Replaced(&'static str),
    Io(io::Error),
}

impl From<io::Error> for Refusal {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Digests of the first and last bytes before `end`.
fn ends(file: &File, end: u64, buffer: &mut Buffer) -> io::Result<(String, String)> {
    let some = usize::try_from(end).unwrap_or(LOOKED_AT).min(LOOKED_AT);
    let mut digest = |at| {
        buffer.read_at(file, at, some)?;
        Ok::<_, io::Error>(HEXLOWER.encode(&Sha256::digest(buffer.bytes())))
    };
    Ok((digest(0)?, digest(end - some as u64)?))
}

/// Where the line ends that `from` is in, or the file.
fn line_end(file: &File, from: u64, len: u64, buffer: &mut Buffer) -> io::Result<u64> {
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

/// Whether what comes at `at` can be read on its own: a message starts there, or a line of a text.
fn goes_on(file: &File, container: Container, at: u64, buffer: &mut Buffer) -> io::Result<bool> {
    let base = at.saturating_sub(LOOK_BEHIND as u64);
    let before = usize::try_from(at - base).unwrap_or(0);
    buffer.read_at(file, base, before + BUFFER)?;
    let bytes = buffer.bytes();
    if matches!(container, Container::Text(_)) {
        return Ok(before == 0 || bytes.get(before - 1) == Some(&b'\n'));
    }
    Ok(before == 0 || next_start(container, bytes, before.min(bytes.len())) == Some(before))
}

/// The table and number of a part, by its name.
fn part(name: &str) -> Option<u32> {
    let stem = name.strip_suffix(".parquet")?;
    let number = NAMES.iter().find_map(|table| stem.strip_prefix(table)?.strip_prefix('-'))?;
    (number.len() >= 5).then(|| number.parse().ok())?
}

/// Whether a name is of a part that was not complete.
fn is_beside(name: &str) -> bool {
    name.strip_prefix(".urlsift-")
        .and_then(|name| name.rsplit_once('-'))
        .is_some_and(|(name, _)| part(name).is_some())
}

/// The greatest number of a part in a directory, or 0.
fn last_part(directory: &Path) -> anyhow::Result<u32> {
    let mut last = 0;
    for entry in fs::read_dir(directory)? {
        last = last.max(entry?.file_name().to_str().and_then(part).unwrap_or(0));
    }
    Ok(last)
}

/// Removes what a run left that was killed: parts beyond the state's number, and what was not complete.
///
/// # Errors
///
/// What the system says.
pub(crate) fn clear(directory: &Path, beyond: u32, state: &Path) -> anyhow::Result<()> {
    let is_left = |name: &str| part(name).is_some_and(|it| it > beyond) || is_beside(name);
    remove(directory, |name| name.to_str().is_some_and(is_left))?;
    let (start, _) = temporary_name(state);
    remove(parent(state), |name| {
        name.as_encoded_bytes().starts_with(start.as_encoded_bytes()) && is_temporary(name)
    })
}

/// Removes the files of a directory that have such names.
fn remove(directory: &Path, is_left: impl Fn(&OsStr) -> bool) -> anyhow::Result<()> {
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        if is_left(&entry.file_name()) {
            let path = entry.path();
            fs::remove_file(&path)
                .with_context(|| format!("{} cannot be removed", path.display()))?;
        }
    }
    Ok(())
}

/// Whether a name is of a part, complete or not.
pub(crate) fn is_part(name: &str) -> bool {
    part(name).is_some() || is_beside(name)
}
