//! What one worker does with the files and units that it is given.

use crate::args::{HeadersArg, InputArg, ScanArgs};
use crate::io::batch_read::Volley;
use crate::io::buffer::{BUFFER, Buffer, WHOLE};
use crate::io::decompress::{Limits, Packing, Stream, packing, refusal};
use crate::io::open::{End, Folder};
use crate::io::sliding_buffer::Ring;
use crate::io::walk::{Found, explain};
use crate::lines::Lines;
use crate::output::file_name::FileName;
use crate::output::{Note, Sheet, Style};
use crate::report::{Filter, Scratch};
use crate::run::large_input::{Big, Cut, Flow, MAIL_PIECE, Prepared, Range, Source};
use crate::run::queue::{After, Turn, Worker};
use crate::sift::FileText;
use crate::unit::Unit;
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::AsFd;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use urlsift_archive::{Container, Dialect, Headers, Options, Reading, detect};
use urlsift_scanner::Scanner;

/// How deep archives may lie within archives.
const DEPTH: usize = 4;

/// What all workers share.
pub(crate) struct Plan {
    pub(crate) style: Style,
    pub(crate) filter: Filter,
    pub(crate) scanner: Scanner,
    pub(crate) reading: Reading,
    pub(crate) options: Options,
    pub(crate) limits: Limits,
    /// Whether there is but one worker.
    alone: bool,
}

impl Plan {
    pub(crate) fn new(args: &ScanArgs, style: Style, workers: usize) -> anyhow::Result<Self> {
        let mut builder = Scanner::builder()
            .profile(args.profile)
            .rejoin(args.rejoin.into())
            .schemeless(args.schemeless)
            .locators(args.locators);
        for name in &args.scheme {
            builder = builder.scheme(name);
        }
        let mut options = Options::default();
        options.headers = match args.headers {
            HeadersArg::None => Headers::None,
            HeadersArg::Urls => Headers::Urls,
            HeadersArg::All => Headers::All,
        };
        Ok(Self {
            style,
            filter: Filter::new(args, &style)?,
            scanner: builder.build(),
            reading: reading(args.read.input),
            options,
            limits: Limits::from(&args.read),
            alone: workers == 1,
        })
    }
}

/// What the archive crate calls it.
pub(crate) fn reading(input: InputArg) -> Reading {
    match input {
        InputArg::Auto => Reading::Auto,
        InputArg::Text => Reading::Text,
        InputArg::Mail => Reading::Mail,
        InputArg::Html => Reading::Html,
        InputArg::Markdown => Reading::Markdown,
        InputArg::Rst => Reading::Rst,
    }
}

/// What the file is whose first bytes are `head`, by its own name or the member's.
pub(crate) fn container(name: &FileName, head: &[u8], reading: Reading) -> Container {
    let path = name.member.as_ref().unwrap_or(&name.path);
    let last = path.rsplit(|&byte| byte == b'/').next();
    detect(head, last.map(strip_packing), reading)
}

/// A name without the ending that says how it is compressed.
fn strip_packing(name: &[u8]) -> &[u8] {
    [&b".gz"[..], b".bz2", b".xz", b".zst"]
        .into_iter()
        .find_map(|ending| name.strip_suffix(ending))
        .unwrap_or(name)
}

/// A worker's own.
pub(crate) struct Miner<'p> {
    pub(crate) plan: &'p Plan,
    folder: Folder,
    volley: Volley,
    buffer: Buffer,
    /// For big texts; made for the first of them.
    pub(crate) ring: Option<Ring>,
    /// Whether URLs lay thin in the last unit of one.
    pub(crate) is_thin: bool,
    pub(crate) scratch: Scratch,
}

impl<'p> Miner<'p> {
    pub(crate) fn new(plan: &'p Plan) -> Self {
        Self {
            plan,
            folder: Folder::default(),
            volley: Volley::default(),
            buffer: Buffer::default(),
            ring: None,
            is_thin: false,
            scratch: Scratch::default(),
        }
    }

    /// Scans a file that fits the buffer; a bigger one, or a compressed one, is handed back. If a directory
    /// lists it as a regular one, `listed` is what will be scanned after it.
    fn file(
        &mut self,
        path: PathBuf,
        listed: Option<&[Found]>,
        turn: &mut Turn<'_, Big>,
    ) -> Option<Big> {
        let name = Arc::new(FileName::new(path.into_os_string().into_vec(), None));
        turn.sheet.tally.files += 1;
        if listed.is_some_and(|behind| self.file_of_volley(&name, behind, turn)) {
            return None;
        }
        match self.read_file(&name, listed.is_some()) {
            Ok(None) => {
                let buffer = std::mem::take(&mut self.buffer);
                self.whole(&name, buffer.bytes(), turn);
                self.buffer = buffer;
                None
            }
            Ok(big) => big,
            Err(error) => {
                self.plan.style.error(&mut turn.sheet, &name, explain(&error));
                None
            }
        }
    }

    /// Scans a file that was, or is now, asked for together with those behind it. Returns whether it did:
    /// if not, it is to be read by itself.
    fn file_of_volley(
        &mut self,
        name: &Arc<FileName>,
        behind: &[Found],
        turn: &mut Turn<'_, Big>,
    ) -> bool {
        let behind = behind.iter().map_while(|found| match found {
            Found::File { path, listed: true } => Some(path.as_os_str().as_bytes()),
            _ => None,
        });
        let mut volley = std::mem::take(&mut self.volley);
        let bytes = volley.take(&name.path, behind, &mut self.folder);
        let bytes = bytes.filter(|bytes| packing(bytes).is_none());
        if let Some(bytes) = bytes {
            self.whole(name, bytes, turn);
        }
        let is_done = bytes.is_some();
        self.volley = volley;
        is_done
    }

    /// Scans all of a file.
    fn whole(&mut self, name: &Arc<FileName>, bytes: &[u8], turn: &mut Turn<'_, Big>) {
        let container = container(name, bytes, self.plan.reading);
        let cut = Cut { base: 0, from: 0, to: bytes.len(), last: true, trouble: None };
        turn.sheet.file_starts(&self.plan.style, (0, 0));
        self.sift(name, container, bytes, &cut, Some((0, 0)), turn);
    }

    /// Reads a file into the buffer if it fits.
    fn read_file(&mut self, name: &Arc<FileName>, listed: bool) -> io::Result<Option<Big>> {
        let file = self.folder.open(&name.path)?;
        let end = if listed && self.folder.shows_ends() { End::Short } else { End::Nothing };
        self.buffer.clear();
        let ended = self.buffer.fill_from(&file, BUFFER, end)?;
        let packed = packing(self.buffer.bytes());
        // A file that was read in one go is not worth asking for its size.
        if ended && packed.is_none() {
            return Ok(None);
        }
        let meta = file.metadata()?;
        if packed.is_some() || !meta.is_file() {
            let seekable =
                if packed == Some(Packing::Zip) { Some(file.try_clone()?) } else { None };
            let flow = Flow::new(Box::new(file) as Stream, std::mem::take(&mut self.buffer));
            let len = meta.is_file().then_some(meta.len());
            let source = Source::Stream { flow, len, file: seekable };
            return Ok(Some(Big {
                name: Arc::clone(name),
                source,
                at: 0,
                container: None,
                first: Some((0, 0)),
            }));
        }
        if meta.len() <= WHOLE as u64 {
            self.buffer.fill_from(&file, WHOLE + 1, end)?;
            return Ok(None);
        }
        let container = container(name, self.buffer.bytes(), self.plan.reading);
        let source = if Source::cuts_files(container) {
            Source::File { file: Arc::new(file), len: meta.len(), stop: meta.len() }
        } else {
            let flow = Flow::new(Box::new(file) as Stream, std::mem::take(&mut self.buffer));
            Source::Stream { flow, len: None, file: None }
        };
        Ok(Some(Big {
            name: Arc::clone(name),
            source,
            at: 0,
            container: Some(container),
            first: Some((0, 0)),
        }))
    }

    /// A range of a file, from a list of units.
    fn range(&mut self, unit: &Unit, turn: &mut Turn<'_, Big>) -> Option<Big> {
        let name = Arc::new(FileName::new(unit.path.as_os_str().as_bytes().to_vec(), None));
        turn.sheet.tally.files += 1;
        let big = self.open_range(unit, &name);
        big.map_err(|error| self.plan.style.error(&mut turn.sheet, &name, explain(&error))).ok()
    }

    fn open_range(&mut self, unit: &Unit, name: &Arc<FileName>) -> io::Result<Big> {
        let file = File::open(&unit.path)?;
        self.buffer.read_at(&file, 0, BUFFER)?;
        let len = file.metadata()?.len();
        let stop = unit.end.unwrap_or(len);
        if packing(self.buffer.bytes()).is_some() {
            return Err(refusal("a compressed file is one unit; list the units again".to_owned()));
        }
        if stop > len || unit.start > stop {
            return Err(refusal(format!(
                "the unit ends at byte {stop}, but the file at {len}; list the units again"
            )));
        }
        let container = container(name, self.buffer.bytes(), self.plan.reading);
        let place = match unit.place {
            None if self.plan.style.wants_lines() => self.count_lines(&file, unit.start)?,
            place => place.unwrap_or_default(),
        };
        Ok(Big {
            name: Arc::clone(name),
            source: Source::File { file: Arc::new(file), len, stop },
            at: unit.start,
            container: Some(container),
            first: Some(place),
        })
    }

    /// The number of line breaks before `offset`, and where the line there starts.
    fn count_lines(&mut self, file: &File, offset: u64) -> io::Result<(u64, u64)> {
        let (mut at, mut lines) = (0, Lines::new(0, Some((0, 0))));
        while at < offset {
            let piece = usize::try_from(offset - at).unwrap_or(BUFFER).min(BUFFER);
            self.buffer.read_at(file, at, piece)?;
            let read = self.buffer.bytes().len() as u64;
            if read == 0 {
                break;
            }
            lines.go(self.buffer.bytes(), at, at + read);
            at += read;
        }
        Ok((lines.count(), lines.line_start().unwrap_or(0)))
    }

    /// Takes a unit off a big file, hands back the rest, and scans the unit.
    fn big(&mut self, big: Big, buffer: &mut Buffer, turn: &mut Turn<'_, Big>) -> io::Result<()> {
        let Big { name, source, at, container: known, first } = big;
        let plan = self.plan;
        if let Some(place) = first {
            turn.sheet.file_starts(&plan.style, place);
        }
        match source {
            Source::File { file, len, stop } => {
                let container = known.unwrap_or(Container::Text(Dialect::Plain));
                let left = stop.saturating_sub(at);
                let size =
                    Source::unit_size(container, plan.alone, &plan.style, left, self.is_thin);
                let range = Range::cut(&file, len, at, (stop, size), container, buffer)?;
                let last = range.end >= stop;
                if !last {
                    let source = Source::File { file: Arc::clone(&file), len, stop };
                    let name = Arc::clone(&name);
                    let at = range.end;
                    turn.leave(Big { name, source, at, container: known, first: None });
                }
                let mut place = first.or_else(|| turn.place());
                if let Container::Text(dialect) = container {
                    // The ring takes its place: to have both counts as twice the memory.
                    *buffer = Buffer::default();
                    let text = FileText { name: &name, dialect, file: &file, range: &range, last };
                    return self.text_file(&text, place, turn);
                }
                let (mut at, within) = (range.at, (range.end, MAIL_PIECE as u64));
                while at < range.end && !turn.stopped() {
                    let piece = Range::cut(&file, len, at, within, container, buffer)?;
                    let cut = piece.read(&file, piece.end >= stop, buffer);
                    place = self.sift(&name, container, buffer.bytes(), &cut, place, turn);
                    at = piece.end;
                }
            }
            Source::Stream { mut flow, len, file } => {
                if known.is_none() {
                    flow = match flow.prepare(plan.limits, len, |stream| Box::new(stream))? {
                        Prepared::Flow(flow) => flow,
                        Prepared::Archive(packing, stream) => {
                            self.archive(packing, stream, file, &name, DEPTH, turn);
                            return Ok(());
                        }
                    };
                }
                let mut container =
                    known.unwrap_or_else(|| container(&name, flow.head(), plan.reading));
                let cut = flow.cut(&mut container, at, &plan.options, buffer);
                if !cut.last {
                    let at = cut.base + cut.to as u64;
                    let source = Source::Stream { flow, len, file };
                    let name = Arc::clone(&name);
                    let container = Some(container);
                    turn.leave(Big { name, source, at, container, first: None });
                }
                let place = first.or_else(|| turn.place());
                self.sift(&name, container, buffer.bytes(), &cut, place, turn);
            }
        }
        Ok(())
    }

    /// Scans the members of an archive, one after the other.
    fn archive(
        &mut self,
        packing: Packing,
        mut stream: impl Read,
        file: Option<File>,
        name: &Arc<FileName>,
        depth: usize,
        turn: &mut Turn<'_, Big>,
    ) {
        let result = match (packing, file) {
            (Packing::Zip, Some(file)) => self.zip(file, &mut stream, name, depth, turn),
            (Packing::Zip, None) => self.zip_stream(&mut stream, 0, name, depth, turn),
            _ => self.tar(&mut stream, name, depth, turn),
        };
        if let Err(trouble) = result {
            self.plan.style.error(&mut turn.sheet, name, trouble);
        }
    }

    fn tar(
        &mut self,
        stream: &mut dyn Read,
        name: &Arc<FileName>,
        depth: usize,
        turn: &mut Turn<'_, Big>,
    ) -> Result<(), String> {
        let mut archive = tar::Archive::new(stream);
        let entries = archive.entries().map_err(|error| explain(&error))?;
        for entry in entries {
            let mut entry = entry.map_err(|error| explain(&error))?;
            if turn.stopped() {
                break;
            }
            if entry.header().entry_type().is_file() {
                let member = member_name(name, &entry.path_bytes());
                self.member(&mut entry, &member, depth, turn);
            }
        }
        Ok(())
    }

    /// A zip file by its directory at the end; where that is lost, from front to end.
    fn zip(
        &mut self,
        file: File,
        stream: &mut dyn Read,
        name: &Arc<FileName>,
        depth: usize,
        turn: &mut Turn<'_, Big>,
    ) -> Result<(), String> {
        let len = file.metadata().map_or(0, |meta| meta.len());
        let Ok(mut archive) = zip::ZipArchive::new(io::BufReader::new(file)) else {
            self.zip_stream(stream, len, name, depth, turn)?;
            return Err("the zip archive's directory is damaged; its members were read as far as \
                        they go"
                .to_owned());
        };
        let spent = AtomicU64::new(0);
        for index in 0..archive.len() {
            if turn.stopped() {
                break;
            }
            let listed = match archive.name_for_index(index) {
                Some(Ok(member)) => member.into_owned(),
                _ => format!("member {}", index + 1),
            };
            match archive.by_index(index) {
                Ok(file) if !file.is_file() => {}
                Ok(file) => {
                    let member = member_name(name, file.name_raw());
                    let mut file = self.plan.limits.member(file, len, &spent);
                    self.member(&mut file, &member, depth, turn);
                }
                Err(error) => {
                    let member = member_name(name, listed.as_bytes());
                    let text = format!("this member cannot be unpacked: {error}");
                    self.plan.style.error(&mut turn.sheet, &member, text);
                }
            }
        }
        Ok(())
    }

    fn zip_stream(
        &mut self,
        mut stream: &mut dyn Read,
        len: u64,
        name: &Arc<FileName>,
        depth: usize,
        turn: &mut Turn<'_, Big>,
    ) -> Result<(), String> {
        let spent = AtomicU64::new(0);
        while !turn.stopped() {
            let file = zip::read::read_zipfile_from_stream(&mut stream)
                .map_err(|error| format!("the zip archive cannot be read on: {error}"))?;
            let Some(file) = file else { break };
            if file.is_file() {
                let member = member_name(name, file.name_raw());
                let mut file = self.plan.limits.member(file, len, &spent);
                self.member(&mut file, &member, depth, turn);
            }
        }
        Ok(())
    }

    /// Scans a member of an archive, from front to end.
    fn member(
        &mut self,
        stream: &mut dyn Read,
        name: &Arc<FileName>,
        depth: usize,
        turn: &mut Turn<'_, Big>,
    ) {
        let plan = self.plan;
        if depth == 0 {
            let text =
                format!("archives lie more than {DEPTH} deep in each other; unpack it first");
            plan.style.error(&mut turn.sheet, name, text);
            return;
        }
        turn.sheet.file_starts(&plan.style, (0, 0));
        let flow = Flow::new(Box::new(stream) as Box<dyn Read + '_>, Buffer::default());
        let mut flow = match flow.prepare(plan.limits, None, |stream| Box::new(stream)) {
            Ok(Prepared::Flow(flow)) => flow,
            Ok(Prepared::Archive(packing, stream)) => {
                self.archive(packing, stream, None, name, depth - 1, turn);
                return;
            }
            Err(error) => {
                plan.style.error(&mut turn.sheet, name, explain(&error));
                return;
            }
        };
        let mut container = container(name, flow.head(), plan.reading);
        let mut buffer = std::mem::take(&mut self.buffer);
        let mut at = 0;
        let mut place = Some((0, 0));
        loop {
            let cut = flow.cut(&mut container, at, &plan.options, &mut buffer);
            place = self.sift(name, container, buffer.bytes(), &cut, place, turn);
            at = cut.base + cut.to as u64;
            if cut.last || turn.stopped() {
                break;
            }
        }
        buffer.shrink();
        self.buffer = buffer;
    }
}

/// The name of a member of an archive, which may be a member itself.
fn member_name(archive: &FileName, member: &[u8]) -> Arc<FileName> {
    let member = match &archive.member {
        Some(outer) => [outer, &b"!/"[..], member].concat(),
        None => member.to_vec(),
    };
    Arc::new(FileName::new(archive.path.clone(), Some(member)))
}

impl Worker<Big> for Miner<'_> {
    fn files(
        &mut self,
        mut files: std::vec::IntoIter<Found>,
        turn: &mut Turn<'_, Big>,
    ) -> After<Big> {
        while let Some(found) = files.next() {
            if turn.stopped() {
                break;
            }
            let big = match found {
                Found::File { path, listed } => {
                    self.file(path, listed.then_some(files.as_slice()), turn)
                }
                Found::Stdin => {
                    turn.sheet.tally.files += 1;
                    let name = Arc::new(FileName::new(b"-".to_vec(), None));
                    match io::stdin().as_fd().try_clone_to_owned() {
                        Ok(input) => {
                            // Without the buffer of the standard library, which is a copy more.
                            let stream = Box::new(File::from(input)) as Stream;
                            let flow = Flow::new(stream, Buffer::default());
                            let source = Source::Stream { flow, len: None, file: None };
                            Some(Big { name, source, at: 0, container: None, first: Some((0, 0)) })
                        }
                        Err(error) => {
                            self.plan.style.error(&mut turn.sheet, &name, explain(&error));
                            None
                        }
                    }
                }
                Found::Unit(unit) if unit.is_whole() => self.file(unit.path, None, turn),
                Found::Unit(unit) => self.range(&unit, turn),
                Found::Error(path, message) => {
                    let name = Arc::new(FileName::new(path.into_os_string().into_vec(), None));
                    self.plan.style.error(&mut turn.sheet, &name, message);
                    None
                }
            };
            if let Some(big) = big {
                return After::Big(big, files);
            }
            turn.print_some();
        }
        After::Done
    }

    fn unit(&mut self, big: Big, turn: &mut Turn<'_, Big>) {
        let name = Arc::clone(&big.name);
        let mut buffer = std::mem::take(&mut self.buffer);
        if let Err(error) = self.big(big, &mut buffer, turn) {
            self.plan.style.error(&mut turn.sheet, &name, explain(&error));
        }
        buffer.shrink();
        self.buffer = buffer;
    }
}

impl Sheet {
    /// A file starts here, or a range of one that has so many line breaks before it and whose
    /// first line starts there.
    pub(crate) fn file_starts(&mut self, style: &Style, (lines, line_start): (u64, u64)) {
        if style.wants_lines() {
            self.notes.push(Note::FileStart { lines, line_start });
        }
    }

    /// A unit ends here, of which so much was found.
    pub(crate) fn unit_ends(
        &mut self,
        style: &Style,
        file: &Arc<FileName>,
        lines: &Lines,
        urls: u64,
        last: bool,
    ) {
        if style.wants_lines() && !last {
            let (lines, line_start) = (lines.count(), lines.line_start());
            self.notes.push(Note::UnitEnd { lines, line_start });
        }
        if style.per_file.is_some() {
            self.notes.push(Note::Found { file: Arc::clone(file), urls, ends: last });
        }
    }
}
