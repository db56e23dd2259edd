//! The worker of a thread, which scans the files and units of its tasks.

use super::large_input::{LargeInput, Stream, next_unit_len, pause_detector};
use super::printer::Printer;
use super::queue::Work;
use super::read_ahead::ReadAhead;
use super::scan_job::{ScanJob, ScanOutput};
use crate::args::ScanArgs;
use crate::io::explain::explain;
use crate::io::open::{End, Input, check_is_regular_file, read_in_order, read_key};
use crate::io::packed_read::PackedRead;
use crate::io::shared_file::SharedFile;
use crate::io::walk::WalkItem;
use crate::platform::{self, open_without_blocking};
use crate::print::rendered::Complaint;
use crate::print::style::Style;
use crate::unit::Unit;
use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _};
use std::ops::ControlFlow::Continue;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use urlsift_archive::long::{MAX_WHOLE_LEN, can_read_in_pieces};
use urlsift_archive::unpack::{detect_compression, detect_unreadable};
use urlsift_archive::{Container, Head};
use urlsift_records::fields::UNIT_STALE;
use urlsift_records::input::{
    BUFFER, Buffer, ReadOptions, UnitScanner, UnitSlice, UnitSource, UnitStream, WHOLE,
    decompress_unit, decompress_unit_to, detect_container, line_start_after,
};
use urlsift_records::{Detail, FileName, LineStart, Scan};

/// The number of bytes per URL above which a text has few URLs.
const SPARSE: u64 = 1 << 10;
/// The maximum number of files that a worker opens in advance. It halved the time for spools that
/// are not in memory.
const AHEAD: usize = 32;

/// The settings of a scan that all workers share.
pub(crate) struct Plan {
    style: Style,
    scan: Scan,
    options: ReadOptions,
    /// True if there is only one worker.
    alone: bool,
    /// The number of files that a worker may open in advance.
    ahead: usize,
}

impl Plan {
    pub(crate) fn new(args: &ScanArgs, style: Style, workers: usize) -> anyhow::Result<Self> {
        let mut options = args.library_options(style.required_detail());
        options.hash_key = args.hash_key.as_deref().map(read_key).transpose()?;
        let descriptors = platform::max_open_files().unwrap_or(u64::MAX);
        Ok(Self {
            style,
            scan: Scan::new(options),
            options: ReadOptions {
                reading: args.find.options.reading,
                limits: args.find.options.limits,
            },
            alone: workers == 1,
            ahead: AHEAD.min(usize::try_from(descriptors).unwrap_or(AHEAD) / (4 * workers)),
        })
    }

    /// Detects the format of the file called `name` that starts with `head`, unless an option sets
    /// the format.
    pub(crate) fn detect_format(&self, name: &FileName, head: Head<'_>) -> Container {
        detect_container(name, head, self.options.reading)
            .adapt_to_options(self.scan.decoding_options())
    }

    /// True if records contain lines and columns. To count them, the input must be read from its
    /// start.
    fn needs_line_numbers(&self) -> bool {
        self.style.required_detail() >= Detail::Line
    }
}

/// The worker of one thread of a scan. It reuses its buffers for each file.
pub(crate) struct Worker<'p> {
    plan: &'p Plan,
    ahead: ReadAhead,
    buffer: Buffer,
    /// True if the last unit of a large text had few URLs.
    is_sparse: bool,
}

impl Work<ScanJob> for Worker<'_> {
    fn scan_files(
        &mut self,
        mut files: std::vec::IntoIter<WalkItem>,
        out: &mut ScanOutput<'_>,
    ) -> Option<(LargeInput, std::vec::IntoIter<WalkItem>)> {
        while !out.is_stopped()
            && let Some(item) = files.next()
        {
            self.ahead.open_ahead(&item, files.as_slice());
            if let Some(large) = self.scan_item(item, out) {
                // The worker that scans the remaining files opens them itself.
                self.ahead.close_all();
                return Some((large, files));
            }
            out.print_if_large();
        }
        self.ahead.close_all();
        None
    }

    fn scan_next_unit(&mut self, mut large: LargeInput, out: &mut ScanOutput<'_>) {
        let name = Arc::clone(large.source.name());
        out.rendered.unit = large.unit;
        out.state.so_far = std::mem::take(&mut large.so_far);
        out.state.packed.clone_from(&large.packed);
        let scanned = self.scan_next_unit(large, out);
        if let Some(packed) = out.state.packed.take().and_then(Arc::into_inner) {
            // This was the last unit.
            out.rendered.read += packed.unreported();
        }
        self.buffer.shrink();
        if let Err(error) = scanned {
            self.complain(out, &name, &error);
        }
    }
}

impl<'p> Worker<'p> {
    pub(crate) fn new(plan: &'p Plan) -> Self {
        Self {
            plan,
            ahead: ReadAhead::new(plan.ahead),
            buffer: Buffer::for_worker(),
            is_sparse: false,
        }
    }

    /// Adds an error about the file `name` to the task's output.
    fn complain(
        &self,
        out: &mut ScanOutput<'_>,
        name: &Arc<FileName>,
        complaint: impl Into<Complaint>,
    ) {
        out.rendered.append_error(&self.plan.style, name, complaint);
    }

    /// Scans the file, unit or stream `item` and returns `None`. If the item is large, compressed
    /// or a stream, returns it without scanning it, so that it can be scanned unit by unit.
    fn scan_item(&mut self, item: WalkItem, out: &mut ScanOutput<'_>) -> Option<LargeInput> {
        let is_file = match &item {
            WalkItem::Error(..) => false,
            WalkItem::Unit(unit) => !unit.is_repeated,
            _ => true,
        };
        out.rendered.tally.files += u64::from(is_file);
        out.rendered.unit = match &item {
            WalkItem::Unit(unit) => Some((unit.start, unit.end)),
            _ => None,
        };
        let (name, opened) = match item {
            WalkItem::File { path, listed } => return self.scan_file(path, listed, out),
            WalkItem::Unit(unit) => return self.scan_unit_of_list(*unit, out),
            WalkItem::PublicInbox(path) => {
                let name = file_name(path);
                self.plan.style.output_format().note_file_start(&name, &mut out.rendered);
                self.scan_public_inbox(&name, out);
                return None;
            }
            WalkItem::Stdin => {
                let name = file_name("-".into());
                self.plan.style.output_format().note_file_start(&name, &mut out.rendered);
                let opened = Input::stdin().and_then(|input| self.open_stream(&name, input));
                (name, opened.map_err(|error| explain(&error)))
            }
            WalkItem::Error(path, message) => (file_name(path), Err(message)),
        };
        opened.map_err(|message| self.complain(out, &name, message)).ok()
    }

    /// Scans the file at `path` and returns `None`, if the file fits into the buffer. If the file
    /// is larger or compressed, returns it without scanning it, so that it can be scanned unit by
    /// unit.
    ///
    /// If a directory listed the file as a regular file, `listed` contains the way to detect the
    /// end of the file.
    fn scan_file(
        &mut self,
        path: PathBuf,
        listed: Option<End>,
        out: &mut ScanOutput<'_>,
    ) -> Option<LargeInput> {
        let name = file_name(path);
        self.plan.style.output_format().note_file_start(&name, &mut out.rendered);
        match self.read_whole_file(&name, listed) {
            Ok(None) => {
                let buffer = std::mem::take(&mut self.buffer);
                if let Some(reason) = detect_unreadable(name.last_component(), buffer.bytes()) {
                    self.complain(out, &name, reason);
                }
                let container = self.plan.detect_format(&name, Head::of(buffer.bytes()));
                self.scan_bytes(&name, container, buffer.bytes(), None, out);
                self.buffer = buffer;
                None
            }
            Ok(large) => large,
            Err(error) => {
                self.complain(out, &name, &error);
                None
            }
        }
    }

    /// Creates a large input from a stream, e.g. standard input, whose reads can block.
    fn open_stream(&self, name: &Arc<FileName>, input: Input) -> io::Result<LargeInput> {
        let at_once = self.plan.style.line_buffered;
        let pauses = input.pause_detector()?.map(|pauses| pause_detector(pauses, at_once));
        let stream = UnitStream::new(Box::new(input) as Stream, Buffer::default());
        let stream = stream.with_pauses(pauses);
        Ok(UnitSource::from_stream(name, stream, self.plan.options).into())
    }

    /// Scans `bytes`, which are in memory. They are a whole file if `part` is `None`. Otherwise,
    /// `part` describes the unit to scan and the line at its start.
    fn scan_bytes(
        &mut self,
        name: &Arc<FileName>,
        container: Container,
        bytes: &[u8],
        part: Option<(UnitSlice, LineStart)>,
        out: &mut ScanOutput<'_>,
    ) {
        let whole = || (UnitSlice::whole_file(bytes.len()), LineStart::default());
        let (slice, lines) = part.unwrap_or_else(whole);
        let mut printer = Printer { style: &self.plan.style, out };
        let mut scanner = UnitScanner::new(&self.plan.scan, &mut self.buffer, &mut printer);
        // The caller checks if the run must stop.
        let _ = scanner.scan_bytes(name, container, bytes, slice, lines);
    }

    /// Reads the file `name` into the buffer and returns `None`. If the file doesn't fit or is
    /// compressed, returns it as a large input instead.
    fn read_whole_file(
        &mut self,
        name: &Arc<FileName>,
        listed: Option<End>,
    ) -> io::Result<Option<LargeInput>> {
        let opened = self.ahead.take_next_file();
        let is_ahead = opened.is_some();
        let input = match opened {
            Some(file) => Input::from_listed_file(file),
            None if listed.is_some() => Input::from_listed_file(open_without_blocking(
                &platform::path_from_printed(&name.path),
            )?),
            None => Input::open(&platform::path_from_printed(&name.path))?,
        };
        if input.can_block() {
            return self.open_stream(name, input).map(Some);
        }
        let end = listed.unwrap_or(End::Nothing);
        self.buffer.clear();
        let read = end.fill_buffer(&mut self.buffer, BUFFER, |buffer, at| {
            if is_ahead {
                self.ahead.read_opened(&input.file, buffer, at)
            } else {
                read_in_order(&input.file, buffer, at)
            }
        });
        // A pipe may have replaced the file since it was listed. It is not waited for, and looks
        // empty.
        if listed.is_some() && self.buffer.bytes().is_empty() {
            check_is_regular_file(&input.file)?;
        }
        let ended = read?;
        let is_packed = detect_compression(self.buffer.bytes()).is_some();
        // The file was read in one go, so its size needn't be checked.
        if ended && !is_packed {
            return Ok(None);
        }
        let len = input.file.metadata()?.len();
        if !is_packed && len <= WHOLE as u64 {
            end.fill_buffer(&mut self.buffer, WHOLE + 1, |buffer, at| {
                read_in_order(&input.file, buffer, at)
            })?;
            return Ok(None);
        }
        let read = self.buffer.bytes().len();
        let packed = is_packed.then(|| Arc::new(PackedRead::new(len, read)));
        let file = SharedFile::from(input.file).with_read_counter(packed.clone());
        let with = (&self.plan.scan, self.plan.options);
        let source = UnitSource::from_file(name, (file, len), &mut self.buffer, with);
        Ok(Some(LargeInput { packed, ..source.into() }))
    }

    /// Scans a unit from a list of units and returns `None`. If the unit is large, returns it
    /// without scanning it, so that it can be scanned in smaller units.
    fn scan_unit_of_list(&mut self, unit: Unit, out: &mut ScanOutput<'_>) -> Option<LargeInput> {
        let name = file_name(unit.path.clone());
        let range = Some((unit.start, unit.end));
        let checked = check_unchanged(&unit);
        if checked.is_ok() && unit.is_whole() {
            let large = self.scan_file(unit.path, None, out)?;
            return Some(LargeInput { unit: range, ..large });
        }
        self.plan.style.output_format().note_file_start(&name, &mut out.rendered);
        let scanned = checked.and_then(|()| match (&unit.context, &unit.raw) {
            (Some(context), Some(raw)) => {
                self.scan_compressed_unit(&unit, context, raw, &name, out)
            }
            _ => self.open_unit_range(&unit, &name).map(Some),
        });
        let large = scanned.map_err(|complaint| self.complain(out, &name, complaint)).ok()??;
        Some(LargeInput { unit: range, ..large })
    }

    /// Scans a unit of a compressed file and returns `None`. Decompresses `compressed_range`, a
    /// range of the compressed file, which yields the range `context` of the contents.
    ///
    /// If the unit may contain a message that is too long for memory, writes the contents to a
    /// temporary file and returns that file as a large input, without scanning it.
    fn scan_compressed_unit(
        &mut self,
        unit: &Unit,
        context: &Range<u64>,
        compressed_range: &Range<u64>,
        name: &Arc<FileName>,
        out: &mut ScanOutput<'_>,
    ) -> Result<Option<LargeInput>, Complaint> {
        let (Some(end), Some(place), Some(container)) = (unit.end, unit.place, unit.container)
        else {
            return Err(INCOMPLETE_UNIT.to_owned().into());
        };
        let mut file = open_without_blocking(&unit.path).map_err(|error| explain(&error))?;
        file.seek(io::SeekFrom::Start(compressed_range.start)).map_err(|error| explain(&error))?;
        let packed = file.take(compressed_range.end - compressed_range.start);
        let len = context.end - context.start;
        let container = container.adapt_to_options(self.plan.scan.decoding_options());
        let is_stale = |error: io::Error| {
            stale_unit_error(format!("{}; run `urlsift units` again", explain(&error)))
        };
        if len > MAX_WHOLE_LEN && (can_read_in_pieces(container) || container.is_sequence()) {
            let unpacked = spool_from_offset(context.start).map_err(|error| explain(&error))?;
            decompress_unit_to(packed, len, self.plan.options.limits, &mut &unpacked)
                .map_err(is_stale)?;
            let part = (unpacked.into(), unit.start..end);
            let options = (&self.plan.scan, self.plan.options);
            let source = UnitSource::from_range(name, part, (container, place), options);
            return Ok(Some(source.into()));
        }
        let bytes = decompress_unit(packed, len, self.plan.options.limits).map_err(is_stale)?;
        let within = |offset: u64| usize::try_from(offset - context.start).unwrap_or(usize::MAX);
        let (from, to) = (within(unit.start), within(end));
        let mut slice = UnitSlice::whole_file(to);
        (slice.base, slice.from) = (context.start, from);
        self.scan_bytes(name, container, &bytes, Some((slice, place)), out);
        Ok(None)
    }

    /// Opens a unit from a list of units that is a range of an uncompressed file.
    fn open_unit_range(
        &mut self,
        unit: &Unit,
        name: &Arc<FileName>,
    ) -> Result<LargeInput, Complaint> {
        let in_words = |error: io::Error| explain(&error);
        let mut file = SharedFile::from(open_without_blocking(&unit.path).map_err(in_words)?);
        self.buffer.read_at(&mut file, 0, BUFFER).map_err(in_words)?;
        let len = file.metadata().map_err(in_words)?.len();
        let stop = unit.end.unwrap_or(len);
        if detect_compression(self.buffer.bytes()).is_some() {
            return Err(stale_unit_error(INCOMPLETE_UNIT.to_owned()));
        }
        if stop > len || unit.start > stop {
            return Err(stale_unit_error(format!(
                "the unit ends at byte {stop}, but the file at byte {len}; run `urlsift units` again"
            )));
        }
        let listed = unit
            .container
            .map(|container| container.adapt_to_options(self.plan.scan.decoding_options()));
        let container = listed.unwrap_or_else(|| {
            let bytes = self.buffer.bytes();
            self.plan.detect_format(name, Head::new(bytes, len > bytes.len() as u64))
        });
        let place = match unit.place {
            Some(place) => place,
            None if self.plan.needs_line_numbers() => {
                line_start_after(&mut file, 0..unit.start, LineStart::default(), &mut self.buffer)
                    .map_err(in_words)?
            }
            None => LineStart::default(),
        };
        let (part, options) = ((file, unit.start..stop), (&self.plan.scan, self.plan.options));
        Ok(UnitSource::from_range(name, part, (container, place), options).into())
    }

    /// Scans the next unit of a large input, and returns the rest of the input to the queue. The
    /// rest is returned before the scan if the unit after this one doesn't depend on the result.
    fn scan_next_unit(
        &mut self,
        mut large: LargeInput,
        out: &mut ScanOutput<'_>,
    ) -> io::Result<()> {
        let Plan { style, scan, alone, .. } = self.plan;
        let size = |kind, left| next_unit_len(kind, *alone, style, left, self.is_sparse);
        let unit = large.source.take_unit(scan, size, &mut self.buffer)?;
        let (is_text, paused) = (unit.is_text_range(), unit.paused);
        let mut rest = (!unit.last).then_some(large);
        // If the next unit doesn't depend on this one, another worker can start with it now.
        if let Some(mut large) = rest.take_if(|_| !style.reads_units_in_order()) {
            large.source.lines = unit.line_start_after(scan, &mut self.buffer);
            out.return_rest(large);
        }
        let mut printer = Printer { style, out };
        let mut scanner = UnitScanner::new(scan, &mut self.buffer, &mut printer);
        let flow = scanner.scan_unit(unit);
        if is_text {
            let tally = scanner.total().tally;
            self.is_sparse = tally.urls * SPARSE < tally.bytes;
        }
        out.rendered.at_once |= paused;
        if let (Continue(Some(lines)), Some(mut large)) = (flow, rest) {
            large.source.lines = lines;
            large.so_far = std::mem::take(&mut out.state.so_far);
            out.return_rest(large);
        }
        Ok(())
    }

    /// Scans all messages of a public-inbox. In the records, the archive member of a URL is the git
    /// blob of its message.
    #[cfg(feature = "git")]
    fn scan_public_inbox(&mut self, name: &Arc<FileName>, out: &mut ScanOutput<'_>) {
        use crate::io::public_inbox::visit_messages;
        use std::ops::ControlFlow::Break;
        use urlsift_archive::Reading;
        let visited =
            visit_messages(&platform::path_from_printed(&name.path), &mut |(blob, contents)| {
                let member = Arc::new(name.with_member(blob.as_bytes()));
                match contents {
                    Ok(bytes) => {
                        let container = match self.plan.options.reading {
                            // A blob is one message, even if it contains a `From ` line.
                            Reading::Auto | Reading::Mail => Container::Message,
                            _ => self.plan.detect_format(&member, Head::of(bytes)),
                        };
                        self.scan_bytes(&member, container, bytes, None, out);
                    }
                    Err(message) => self.complain(out, &member, message),
                }
                out.print_if_large();
                if out.is_stopped() { Break(()) } else { Continue(()) }
            });
        if let Err(message) = visited {
            self.complain(out, name, message);
        }
    }

    #[cfg(not(feature = "git"))]
    fn scan_public_inbox(&self, name: &Arc<FileName>, out: &mut ScanOutput<'_>) {
        self.complain(
            out,
            name,
            "cannot read a public-inbox: urlsift was built without the feature `git`".to_owned(),
        );
    }
}

/// Creates an unnamed temporary file for the bytes of a stream from offset `at` on. Earlier bytes
/// are a hole in the file.
fn spool_from_offset(at: u64) -> io::Result<File> {
    let mut file = urlsift_records::input::unnamed_temporary_file()?;
    file.seek(io::SeekFrom::Start(at))?;
    Ok(file)
}

/// The error message if a unit of a compressed file lacks the range of compressed bytes.
const INCOMPLETE_UNIT: &str =
    "the unit lacks fields that compressed files need; run `urlsift units` again";

/// Checks that the file of a unit has not changed since the list of units was written.
fn check_unchanged(unit: &Unit) -> Result<(), Complaint> {
    if unit.member.is_some() {
        return Err("cannot scan a unit of an archive member; scan the whole archive"
            .to_owned()
            .into());
    }
    if unit.state.size.is_none() && unit.state.mtime_ns.is_none() {
        return Ok(());
    }
    let meta = fs::metadata(&unit.path).map_err(|error| explain(&error))?;
    unit.state.describe_change(&meta).map_or(Ok(()), |message| Err(stale_unit_error(message)))
}

/// Returns the error for a file that has changed since the list of units was written. `message`
/// describes the change.
fn stale_unit_error(message: String) -> Complaint {
    Complaint { code: Some(UNIT_STALE), ..message.into() }
}

fn file_name(path: PathBuf) -> Arc<FileName> {
    Arc::new(FileName::new(platform::into_printed_bytes(path)))
}
