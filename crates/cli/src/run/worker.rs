//! The worker of a thread, which scans the files and units of its tasks.

use super::large_input::{
    LargeInput, Source, Stream, UnitRange, can_split, count_lines, pause_detector, shrunk,
    unit_size,
};
use super::packed_read::PackedRead;
use super::printer::Printer;
use super::queue::{TaskOutput, Work};
use super::read_ahead::ReadAhead;

use crate::args::ScanArgs;
use crate::io::buffer::{BUFFER, Buffer, FileBuffer as _, WHOLE};
use crate::io::explain::{explain, refusal};
use crate::io::open::{End, Input, read_key, require_regular};
use crate::io::walk::WalkItem;
use crate::platform::{self, open};
use crate::print::rendered::Complaint;
use crate::print::style::Style;
use crate::unit::Unit;
use std::fs::{self, File};
use std::io::{self, Read, Seek as _};
#[cfg(feature = "git")]
use std::ops::ControlFlow;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use urlsift_archive::long::{MAX_WHOLE_LEN, can_read, is_single};
use urlsift_archive::unpack::{Compression, Limits, ReadSeek, compression, unread};
use urlsift_archive::{Container, Dialect, Head, Reading, next_start};
use urlsift_records::fields::UNIT_STALE;
use urlsift_records::input::{
    MAIL_PIECE, Opened, UnitSlice, UnitStream, container, unpack, unpack_to,
};
use urlsift_records::{Detail, FileName, LineStart, Scan};

/// The maximum number of files that a worker opens in advance. With this, spools that are not in
/// memory took half the time.
const AHEAD: usize = 32;

/// The configuration of a scan, which all workers share.
pub(crate) struct Plan {
    pub(crate) style: Style,
    pub(crate) scan: Scan,
    pub(crate) reading: Reading,
    pub(crate) limits: Limits,
    /// True if there is only one worker.
    alone: bool,
    /// The number of files that a worker may open in advance.
    ahead: usize,
}

impl Plan {
    pub(crate) fn new(args: &ScanArgs, style: Style, workers: usize) -> anyhow::Result<Self> {
        let mut options = args.options(style.detail());
        options.hash_key = args.hash_key.as_deref().map(read_key).transpose()?;
        let descriptors = platform::most_open_files().unwrap_or(u64::MAX);
        Ok(Self {
            style,
            scan: Scan::new(options),
            reading: args.find.options.reading,
            limits: args.find.options.limits,
            alone: workers == 1,
            ahead: AHEAD.min(usize::try_from(descriptors).unwrap_or(AHEAD) / (4 * workers)),
        })
    }

    /// Returns the format of the file that starts with `head`.
    fn container(&self, name: &FileName, head: Head<'_>) -> Container {
        container(name, head, self.reading).with_options(self.scan.archive())
    }

    /// True if lines and columns are counted, for which the whole input must be read.
    fn wants_lines(&self) -> bool {
        self.style.detail() >= Detail::Line
    }
}

/// The state of one thread: buffers that are reused, and what was learned from earlier files.
pub(crate) struct Worker<'p> {
    pub(crate) plan: &'p Plan,
    ahead: ReadAhead,
    buffer: Buffer,
    /// True if the last unit of a large text contained few URLs.
    pub(crate) is_sparse: bool,
}

impl Work for Worker<'_> {
    fn scan_files(
        &mut self,
        mut files: std::vec::IntoIter<WalkItem>,
        out: &mut TaskOutput<'_>,
    ) -> Option<(LargeInput, std::vec::IntoIter<WalkItem>)> {
        while !out.stopped()
            && let Some(item) = files.next()
        {
            self.ahead.open(&item, files.as_slice());
            if let Some(large) = self.scan_item(item, out) {
                // The worker that scans the remaining files opens them itself.
                self.ahead.clear();
                return Some((large, files));
            }
            out.print_some();
        }
        self.ahead.clear();
        None
    }

    fn scan_large(&mut self, mut large: LargeInput, out: &mut TaskOutput<'_>) {
        let name = Arc::clone(&large.name);
        out.rendered.unit = large.unit;
        out.of_file = std::mem::take(&mut large.so_far);
        let mut buffer = std::mem::take(&mut self.buffer);
        out.packed.clone_from(&large.packed);
        let scanned = match large.source {
            Source::File { .. } => self.scan_range(large, &mut buffer, out),
            Source::Stream { .. } => self.scan_stream(large, &mut buffer, out),
        };
        if let Some(packed) = out.packed.take().and_then(Arc::into_inner) {
            // This was the last unit.
            out.rendered.read += packed.unreported();
        }
        buffer.shrink();
        self.buffer = buffer;
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

    /// Reports an error of a file.
    fn complain(
        &self,
        out: &mut TaskOutput<'_>,
        name: &Arc<FileName>,
        complaint: impl Into<Complaint>,
    ) {
        out.rendered.error(&self.plan.style, name, complaint);
    }

    /// Scans an item of the walk. If it is large or compressed, returns it without scanning.
    fn scan_item(&mut self, item: WalkItem, out: &mut TaskOutput<'_>) -> Option<LargeInput> {
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
            WalkItem::Unit(unit) => return self.scan_listed(*unit, out),
            WalkItem::PublicInbox(path) => {
                let name = file_name(path);
                out.rendered.file(&self.plan.style, &name);
                self.scan_public_inbox(&name, out);
                return None;
            }
            WalkItem::Stdin => {
                let name = file_name("-".into());
                out.rendered.file(&self.plan.style, &name);
                let opened = Input::stdin().and_then(|input| self.stream(&name, input));
                (name, opened.map_err(|error| explain(&error)))
            }
            WalkItem::Error(path, message) => (file_name(path), Err(message)),
        };
        opened.map_err(|message| self.complain(out, &name, message)).ok()
    }

    /// Scans a file that fits into the buffer. If it is larger or compressed, returns it without
    /// scanning.
    ///
    /// `listed` is `Some` if the file was listed by its directory as a regular file, with the way
    /// to detect its end.
    fn scan_file(
        &mut self,
        path: PathBuf,
        listed: Option<End>,
        out: &mut TaskOutput<'_>,
    ) -> Option<LargeInput> {
        let name = file_name(path);
        out.rendered.file(&self.plan.style, &name);
        match self.read_file(&name, listed, out) {
            Ok(None) => {
                let buffer = std::mem::take(&mut self.buffer);
                let container = self.plan.container(&name, Head::of(buffer.bytes()));
                self.scan_whole(&name, container, buffer.bytes(), out);
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

    /// Creates the input for a stream whose reads can block.
    fn stream(&self, name: &Arc<FileName>, input: Input) -> io::Result<LargeInput> {
        let at_once = self.plan.style.line_buffered;
        let pauses = input.pauses()?.map(|pauses| pause_detector(pauses, at_once));
        let stream =
            UnitStream::new(Box::new(input) as Stream, Buffer::default()).with_pauses(pauses);
        let stream = stream.with_spool();
        Ok(LargeInput::stream(name, stream, None, None))
    }

    /// Scans a file that is completely in memory.
    fn scan_whole(
        &mut self,
        name: &Arc<FileName>,
        container: Container,
        bytes: &[u8],
        out: &mut TaskOutput<'_>,
    ) {
        let slice = UnitSlice::whole(bytes.len());
        self.scan_unit(name, container, bytes, &slice, LineStart::default(), out);
    }

    /// Reads a file into the buffer. If it doesn't fit or is compressed, returns it as a large
    /// input.
    fn read_file(
        &mut self,
        name: &Arc<FileName>,
        listed: Option<End>,
        out: &mut TaskOutput<'_>,
    ) -> io::Result<Option<LargeInput>> {
        let opened = self.ahead.next();
        let is_ahead = opened.is_some();
        let mut input = match opened {
            Some(file) => Input::listed(file),
            None if listed.is_some() => Input::listed(open(&platform::path(&name.path))?),
            None => Input::open(&platform::path(&name.path))?,
        };
        if input.waits() {
            return self.stream(name, input).map(Some);
        }
        let end = listed.unwrap_or(End::Nothing);
        self.buffer.clear();
        let read = if is_ahead {
            let tells_end = |read, wanted| end.is_shown_by(read, wanted);
            self.buffer.append(BUFFER, tells_end, |room, _| self.ahead.read(&input.file, room))
        } else {
            self.buffer.fill_to(&mut input, BUFFER, end)
        };
        // A pipe may have replaced the file since the directory was listed. It looks empty, because
        // reads don't wait.
        if listed.is_some() && self.buffer.bytes().is_empty() {
            require_regular(&input.file)?;
        }
        let ended = read?;
        if let Some(message) = unread(self.buffer.bytes()) {
            self.complain(out, name, message.to_owned());
        }
        let compression = compression(self.buffer.bytes());
        // The whole file was read at once, so its size needn't be checked.
        if ended && compression.is_none() {
            return Ok(None);
        }
        let meta = input.file.metadata()?;
        let is_plain = compression.is_none() && meta.is_file();
        if is_plain && meta.len() <= WHOLE as u64 {
            self.buffer.fill_to(&mut input, WHOLE + 1, end)?;
            return Ok(None);
        }
        let known =
            is_plain.then(|| self.plan.container(name, Head::new(self.buffer.bytes(), true)));
        // A format without lines can't be split at any other offset.
        let is_long = |container| is_single(container) && meta.len() > MAX_WHOLE_LEN;
        let is_cut = |container: &Container| {
            is_long(*container)
                || can_split(*container)
                    && (!matches!(container, Container::Escaped(_))
                        || next_start(*container, self.buffer.bytes(), 1).is_some())
        };
        if let Some(container) = known.filter(is_cut) {
            return Ok(Some(LargeInput::range(
                name,
                input.file,
                0..meta.len(),
                meta.len(),
                container,
            )));
        }
        let seekable = if compression == Some(Compression::Zip) {
            Some(input.file.try_clone()?)
        } else {
            None
        };
        let len = (compression.is_some() && meta.is_file()).then_some(meta.len());
        let packed = len.map(|len| Arc::new(PackedRead::new(len, self.buffer.bytes().len())));
        let input: Stream = match &packed {
            Some(packed) => Box::new(packed.counting(input)),
            None => Box::new(input),
        };
        let stream = UnitStream::new(input, std::mem::take(&mut self.buffer)).with_spool();
        let large = LargeInput::stream(name, stream, len, seekable);
        Ok(Some(LargeInput { container: known, packed, ..large }))
    }

    /// Scans a unit that a list names. Returns it without scanning if it must be read unit by unit.
    fn scan_listed(&mut self, unit: Unit, out: &mut TaskOutput<'_>) -> Option<LargeInput> {
        let name = file_name(unit.path.clone());
        let opened = match check(&unit) {
            Ok(()) if unit.is_whole() => {
                let large = self.scan_file(unit.path, None, out)?;
                return Some(LargeInput { unit: Some((0, None)), ..large });
            }
            Ok(()) => match (&unit.context, &unit.raw) {
                (Some(context), Some(raw)) => {
                    out.rendered.file(&self.plan.style, &name);
                    let scanned = self.scan_packed(&unit, context, raw, &name, out);
                    let long = scanned.map_err(|complaint| self.complain(out, &name, complaint));
                    let large = long.ok().flatten()?;
                    return Some(LargeInput { unit: Some((unit.start, unit.end)), ..large });
                }
                _ => self.open_range(&unit, &name),
            },
            Err(complaint) => Err(complaint),
        };
        out.rendered.file(&self.plan.style, &name);
        match opened {
            Ok(large) => Some(LargeInput { unit: Some((unit.start, unit.end)), ..large }),
            Err(complaint) => {
                self.complain(out, &name, complaint);
                None
            }
        }
    }

    /// Scans a unit of a compressed file. Decompresses only the bytes that the unit needs.
    ///
    /// If the unit may contain a message that is too long for memory, it is decompressed to a
    /// temporary file and returned without scanning.
    fn scan_packed(
        &mut self,
        unit: &Unit,
        context: &Range<u64>,
        raw: &Range<u64>,
        name: &Arc<FileName>,
        out: &mut TaskOutput<'_>,
    ) -> Result<Option<LargeInput>, Complaint> {
        let (Some(end), Some(place), Some(container)) = (unit.end, unit.place, unit.container)
        else {
            return Err(INCOMPLETE_UNIT.to_owned().into());
        };
        let mut file = open(&unit.path).map_err(|error| explain(&error))?;
        file.seek(io::SeekFrom::Start(raw.start)).map_err(|error| explain(&error))?;
        let packed = file.take(raw.end - raw.start);
        let len = context.end - context.start;
        let container = container.with_options(self.plan.scan.archive());
        let is_stale =
            |error: io::Error| stale(format!("{}; run `urlsift units` again", explain(&error)));
        if len > MAX_WHOLE_LEN && (can_read(container) || container.is_sequence()) {
            let unpacked = spool(context.start).map_err(|error| explain(&error))?;
            unpack_to(packed, len, self.plan.limits, &mut &unpacked).map_err(is_stale)?;
            let range = unit.start..end;
            let large = LargeInput::part(name, unpacked, range, context.end, container);
            let large = large.map_err(|error| explain(&error))?;
            return Ok(Some(LargeInput { place, ..large }));
        }
        let bytes = unpack(packed, len, self.plan.limits).map_err(is_stale)?;
        let within = |offset: u64| usize::try_from(offset - context.start).unwrap_or(usize::MAX);
        let (from, to) = (within(unit.start), within(end));
        let mut slice = UnitSlice::whole(to);
        (slice.base, slice.from) = (context.start, from);
        self.scan_unit(name, container, &bytes, &slice, place, out);
        Ok(None)
    }

    /// Opens a unit from a list that is a range of an uncompressed file.
    fn open_range(&mut self, unit: &Unit, name: &Arc<FileName>) -> Result<LargeInput, Complaint> {
        let in_words = |error: io::Error| explain(&error);
        let file = open(&unit.path).map_err(in_words)?;
        self.buffer.read_at(&file, 0, BUFFER).map_err(in_words)?;
        let len = file.metadata().map_err(in_words)?.len();
        let stop = unit.end.unwrap_or(len);
        if compression(self.buffer.bytes()).is_some() {
            return Err(stale(INCOMPLETE_UNIT.to_owned()));
        }
        if stop > len || unit.start > stop {
            return Err(stale(format!(
                "the unit ends at byte {stop}, but the file at byte {len}; run `urlsift units` again"
            )));
        }
        let listed =
            unit.container.map(|container| container.with_options(self.plan.scan.archive()));
        let container = listed.unwrap_or_else(|| {
            let bytes = self.buffer.bytes();
            self.plan.container(name, Head::new(bytes, len > bytes.len() as u64))
        });
        let place = match unit.place {
            Some(place) => place,
            None if self.plan.wants_lines() => {
                count_lines(&file, 0..unit.start, LineStart::default(), &mut self.buffer)
                    .map_err(in_words)?
            }
            None => LineStart::default(),
        };
        let large = LargeInput::part(name, file, unit.start..stop, len, container);
        Ok(LargeInput { place, ..large.map_err(in_words)? })
    }

    /// Takes the next unit from a range of a file, returns the rest to the queue, and scans the
    /// unit.
    fn scan_range(
        &mut self,
        large: LargeInput,
        buffer: &mut Buffer,
        out: &mut TaskOutput<'_>,
    ) -> io::Result<()> {
        let plan = self.plan;
        let Source::File { ref file, len, stop } = large.source else { return Ok(()) };
        let (name, file) = (Arc::clone(&large.name), Arc::clone(file));
        let container = large.container.unwrap_or(Container::Text(Dialect::Plain));
        let left = stop.saturating_sub(large.at);
        let size = unit_size(container, plan.alone, &plan.style, left, self.is_sparse);
        let range = UnitRange::cut(&file, len, large.at, (stop, size), container, buffer)?;
        let (mut place, last) = (large.place, range.end >= stop);
        if !last {
            // The next unit needs its line start. If reading fails here, the error is reported when
            // that unit is scanned.
            let next = if plan.wants_lines() {
                count_lines(&file, range.at..range.end, place, buffer).unwrap_or(place)
            } else {
                place
            };
            out.leave(LargeInput { at: range.end, place: next, ..large });
        }
        if let Container::Text(dialect) = container {
            let range_of = (&range, dialect);
            let (scanned, read) = self.scan_text(&name, &file, range_of, place, buffer, out)?;
            self.finish(&name, &scanned, last, out);
            return shrunk(read, range.end).map_or(Ok(()), |message| Err(refusal(message)));
        }
        let (mut at, within) = (range.at, (range.end, MAIL_PIECE as u64));
        while at < range.end && !out.stopped() {
            let mut piece = UnitRange::cut(&file, len, at, within, container, buffer)?;
            if piece.end - at > MAX_WHOLE_LEN && can_read(container) {
                if let Some(before) = piece.before_long(&file, container, buffer)? {
                    piece = before;
                } else {
                    let ends = piece.end >= stop;
                    let scanned = self.scan_long(
                        &name,
                        &file,
                        (container, place),
                        (at..piece.end, ends),
                        buffer,
                        out,
                    );
                    if scanned.stopped {
                        break;
                    }
                    (place, at) = (scanned.lines, piece.end);
                    continue;
                }
            }
            let slice = piece.read(&file, piece.end >= stop, buffer);
            let scanned = self.scan_unit(&name, container, buffer.bytes(), &slice, place, out);
            if scanned.stopped {
                break;
            }
            (place, at) = (scanned.lines, piece.end);
        }
        Ok(())
    }

    /// Takes the next unit from a stream, returns the rest to the queue, and scans the unit.
    fn scan_stream(
        &mut self,
        mut large: LargeInput,
        buffer: &mut Buffer,
        out: &mut TaskOutput<'_>,
    ) -> io::Result<()> {
        let plan = self.plan;
        let name = Arc::clone(&large.name);
        let Source::Stream { mut stream, len, file: zip } = large.source else { return Ok(()) };
        if large.container.is_none() {
            if let Some(message) = unread(stream.head()) {
                self.complain(out, &name, message.to_owned());
            }
            stream = match stream.open(plan.limits, len, |decoded| Box::new(decoded))? {
                Opened::Text(stream) => stream,
                Opened::Archive(kind, mut stream) => {
                    self.scan_archive(kind, (&mut stream, zip), &name, out);
                    return Ok(());
                }
            };
        }
        let mut container = large.container.unwrap_or_else(|| {
            stream.container(&name, plan.reading).with_options(plan.scan.archive())
        });
        let slice = stream.next_unit(&mut container, large.at, plan.scan.archive(), buffer);
        let place = large.place;
        if slice.is_long {
            let kind = container;
            let mut file = spool(large.at)?;
            let spooled = stream.spool(&mut container, (large.at, place), &mut file)?;
            let range = large.at..large.at + spooled.len;
            large.at = range.end;
            (large.place, large.container) = (spooled.lines, Some(container));
            let rest = LargeInput { source: Source::Stream { stream, len, file: zip }, ..large };
            let mut rest = (!spooled.last).then_some(rest);
            if !plan.style.reads_in_order()
                && let Some(rest) = rest.take()
            {
                out.leave(rest);
            }
            let of = (kind, place);
            let scanned = self.scan_long(&name, &file, of, (range, spooled.last), buffer, out);
            if let Some(error) = &spooled.trouble {
                self.complain(out, &name, error);
            }
            Self::leave_rest(rest.filter(|_| !scanned.stopped), out);
            return Ok(());
        }
        let mut rest = (!slice.last).then(|| {
            let unit = &buffer.bytes()[slice.from..slice.to];
            if plan.wants_lines() {
                large.place = place.after(unit, large.at);
            }
            large.at += unit.len() as u64;
            large.container = Some(container);
            LargeInput { source: Source::Stream { stream, len, file: zip }, ..large }
        });
        // If the next unit doesn't depend on the results of this one, another worker can start with
        // it now.
        if !plan.style.reads_in_order()
            && let Some(rest) = rest.take()
        {
            out.leave(rest);
        }
        let scanned = self.scan_unit(&name, container, buffer.bytes(), &slice, place, out);
        out.rendered.at_once |= slice.paused;
        Self::leave_rest(rest.filter(|_| !scanned.stopped), out);
        Ok(())
    }

    /// Returns the rest of an input to the queue, with the state after the current unit.
    fn leave_rest(rest: Option<LargeInput>, out: &mut TaskOutput<'_>) {
        if let Some(rest) = rest {
            let so_far = std::mem::take(&mut out.of_file);
            out.leave(LargeInput { so_far, ..rest });
        }
    }

    /// Scans the members of an archive in order.
    fn scan_archive(
        &mut self,
        kind: Compression,
        (stream, file): (&mut dyn Read, Option<File>),
        name: &Arc<FileName>,
        out: &mut TaskOutput<'_>,
    ) {
        let plan = self.plan;
        let mut file = file.map(|file| match &out.packed {
            Some(packed) => Box::new(packed.counting(file)) as Box<dyn ReadSeek>,
            None => Box::new(file),
        });
        let file = file.as_mut().map(|file| file as &mut dyn ReadSeek);
        let mut printer = Printer { style: &plan.style, out };
        let read = (plan.reading, plan.limits);
        if let Err(trouble) = plan.scan.read_members(kind, (stream, file), name, read, &mut printer)
        {
            self.complain(out, name, &trouble);
        }
    }

    /// Scans the messages of a public-inbox. The name of a message's blob is reported as its
    /// archive member.
    #[cfg(feature = "git")]
    fn scan_public_inbox(&mut self, name: &Arc<FileName>, out: &mut TaskOutput<'_>) {
        use crate::io::public_inbox::visit_messages;
        let visited = visit_messages(&platform::path(&name.path), &mut |(blob, contents)| {
            let member = Arc::new(name.of_member(blob.as_bytes()));
            match contents {
                Ok(bytes) => {
                    let container = match self.plan.reading {
                        // A blob contains one message, even if it contains a line that starts with
                        // `From `.
                        Reading::Auto | Reading::Mail => Container::Message,
                        _ => self.plan.container(&member, Head::of(bytes)),
                    };
                    self.scan_whole(&member, container, bytes, out);
                }
                Err(message) => self.complain(out, &member, message),
            }
            out.print_some();
            if out.stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        if let Err(message) = visited {
            self.complain(out, name, message);
        }
    }

    #[cfg(not(feature = "git"))]
    fn scan_public_inbox(&self, name: &Arc<FileName>, out: &mut TaskOutput<'_>) {
        self.complain(
            out,
            name,
            "cannot read a public-inbox: urlsift was built without the feature `git`".to_owned(),
        );
    }
}

/// Creates an unnamed temporary file for the bytes of a stream from offset `at` on. The bytes
/// before are a hole.
fn spool(at: u64) -> io::Result<File> {
    let mut file = urlsift_records::input::spool()?;
    file.seek(io::SeekFrom::Start(at))?;
    Ok(file)
}

/// The error message if a unit of a compressed file lacks the range of compressed bytes.
const INCOMPLETE_UNIT: &str =
    "the unit lacks fields that compressed files need; run `urlsift units` again";

/// Checks that the file of a unit has not changed since the list of units was made.
fn check(unit: &Unit) -> Result<(), Complaint> {
    if unit.member.is_some() {
        return Err("cannot scan a unit of an archive member; scan the whole archive"
            .to_owned()
            .into());
    }
    if unit.state.size.is_none() && unit.state.mtime_ns.is_none() {
        return Ok(());
    }
    let meta = fs::metadata(&unit.path).map_err(|error| explain(&error))?;
    unit.state.change(&meta).map_or(Ok(()), |message| Err(stale(message)))
}

/// Returns the error for a file that has changed since the list of units was made.
fn stale(message: String) -> Complaint {
    Complaint { code: Some(UNIT_STALE), ..message.into() }
}

fn file_name(path: PathBuf) -> Arc<FileName> {
    Arc::new(FileName::new(platform::into_bytes(path)))
}
