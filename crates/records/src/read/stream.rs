//! Reads a stream unit by unit. A unit consists of whole messages or of a piece of text with its
//! context.

use crate::LineStart;
use crate::buffer::{BUFFER, Buffer};
use crate::record::FileName;
use memchr::memchr;
use std::io::{self, Chain, Cursor, Read, Write};
use urlsift_archive::long::{
    MAX_PARSED_LEN, MAX_WHOLE_LEN, Overlong, can_read_in_pieces, has_complete_first_record,
    next_record_start, overlong_kind,
};
use urlsift_archive::unpack::{Compression, Decompressed, Limits, Refusal, detect_compression};
use urlsift_archive::{
    Container, Dialect, Head, LOOK_BEHIND, Options, Reading, WebFormat, detect, detect_early,
    long_cut, next_message_start, safe_cut,
};
use urlsift_scanner::{AFTER, BEFORE};

/// The length in bytes of a unit of plain text in a stream. It is kept in memory.
const STREAM_UNIT: usize = 2 << 20;
/// The minimum number of bytes of mail to read at a time. They should still be in the CPU cache
/// when they are scanned; with 2 MiB, the system time doubles.
pub const MAIL_PIECE: usize = 512 << 10;
/// The number of bytes to read at a time of a message that is copied to a temporary file.
const SPOOLED: usize = 1 << 20;
/// The maximum number of compression layers around a file.
const LAYERS: usize = 4;

/// A stream that is split into units, with the bytes that were read ahead.
/// [`UnitStream::next_unit`] returns the next unit.
#[expect(missing_debug_implementations, reason = "most of it is bytes")]
pub struct UnitStream<R> {
    stream: R,
    /// The bytes that were read but not yet returned, and the context before them.
    held: Buffer,
    /// The number of bytes of context in `held`, before the next unit.
    before: usize,
    /// True if the stream has ended.
    ended: bool,
    /// The error that ended the stream, if there was one.
    trouble: Option<io::Error>,
    /// True if the caller calls [`UnitStream::spool_long`] for messages that are too long for
    /// memory.
    spools: bool,
    /// The record of a web archive that is being skipped or copied to a temporary file.
    record: Option<LongRecord>,
    /// True if the format was detected before all bytes for the detection had arrived.
    is_early: bool,
    /// A function that returns true if the stream pauses. `None` if pauses don't matter, e.g. in
    /// compressed input.
    pauses: Option<Box<dyn FnMut() -> bool + Send>>,
}

/// The state of reading a web archive record in pieces, because the record is too long for memory.
#[derive(Clone, Copy, Debug)]
struct LongRecord {
    format: WebFormat,
    /// The number of bytes that are left of the record, according to its declared length.
    left: u64,
    /// The offset in `held` from which the next record may start. The record may be shorter than
    /// declared.
    from: usize,
    /// True if `from` is at the start of a line.
    is_line_start: bool,
}

impl LongRecord {
    fn new(format: WebFormat, block: usize, end: u64) -> Self {
        Self { format, left: end, from: block, is_line_start: true }
    }

    /// Returns how many bytes at the start of `held` belong to the record, and true if the record
    /// ends after them. `last` is true if the stream ends after `held`.
    fn end_of_record_in(&self, held: &[u8], last: bool) -> (usize, bool) {
        let end = usize::try_from(self.left).unwrap_or(usize::MAX).min(held.len());
        let (block, is_whole) = (&held[..end], end as u64 == self.left);
        let rest = &block[self.from.min(end)..];
        let line = if self.is_line_start { Some(0) } else { memchr(b'\n', rest).map(|at| at + 1) };
        let Some(line) = line else { return (end, is_whole) };
        match next_record_start(self.format, block, end - rest.len() + line, last || is_whole) {
            Ok(next) => (next, true),
            Err(to) => (to, is_whole),
        }
    }

    /// Returns the state after the bytes `bytes` of the record were read. `ends` is true if the
    /// record ends after them.
    fn state_after(self, bytes: &[u8], ends: bool) -> Self {
        let left = if ends { 0 } else { self.left - bytes.len() as u64 };
        let is_line_start = bytes.last().map_or(self.is_line_start, |byte| *byte == b'\n');
        Self { left, from: self.from.saturating_sub(bytes.len()), is_line_start, ..self }
    }
}

/// Returns the format of a file called `name` that starts with `head`. The format is detected from
/// the name and the bytes, unless `reading` specifies it.
pub fn detect_container(name: &FileName, head: Head<'_>, reading: Reading) -> Container {
    detect(head, name.last_component(), reading)
}

/// The position of a unit in a buffer, with information about what follows the unit in the input.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct UnitSlice {
    /// The file offset of the buffer's first byte.
    pub base: u64,
    /// The start of the unit in the buffer.
    pub from: usize,
    /// The end of the unit in the buffer.
    pub to: usize,
    /// True if the unit is the last one.
    pub last: bool,
    /// True if the input paused after the unit. Its results should then be printed at once, because
    /// somebody may be waiting for them.
    pub paused: bool,
    /// The error that ended the input after this unit, if there was one.
    pub trouble: Option<io::Error>,
    /// True if the next message or record is too long for memory. The buffer is then empty, and
    /// [`UnitStream::spool_long`] must be called.
    pub is_long: bool,
}

/// The result of copying a long message or record to a temporary file.
#[derive(Debug)]
#[non_exhaustive]
pub struct Spooled {
    /// The length of the message in bytes.
    pub len: u64,
    /// The line start after the message.
    pub lines: LineStart,
    /// True if nothing follows the message.
    pub last: bool,
    /// The error that ended the input after this message, if there was one.
    pub trouble: Option<io::Error>,
}

impl UnitSlice {
    /// Returns a slice that covers a whole file. The file's `len` bytes are in a buffer.
    pub fn whole_file(len: usize) -> Self {
        Self { to: len, last: true, ..Self::default() }
    }
}

/// A stream after its compression was detected: its decompressed contents or an archive.
#[expect(missing_debug_implementations, reason = "most of it is bytes")]
pub enum Opened<R> {
    /// A file that is not an archive.
    Text(UnitStream<R>),
    /// An archive and its bytes from the start.
    Archive(Compression, R),
}

impl<R: Read> UnitStream<R> {
    /// Creates a stream of units. `held` contains the bytes that were already read from `stream`,
    /// which are used first.
    pub fn new(stream: R, held: Buffer) -> Self {
        let (ended, trouble, spools, record) = (false, None, false, None);
        let (is_early, pauses) = (false, None);
        Self { stream, held, before: 0, ended, trouble, spools, record, is_early, pauses }
    }

    /// Sets a function that returns true if the input pauses. [`UnitStream::next_unit`] then ends a
    /// unit early if the input pauses after a line.
    #[must_use]
    pub fn with_pauses(self, pauses: Option<Box<dyn FnMut() -> bool + Send>>) -> Self {
        Self { pauses, ..self }
    }

    /// Declares that the caller can copy long messages and records to temporary files.
    /// [`UnitStream::next_unit`] then reports them, and the caller must call
    /// [`UnitStream::spool_long`].
    #[must_use]
    pub fn with_spooling_caller(self) -> Self {
        Self { spools: true, ..self }
    }

    /// Returns a reference to the underlying stream.
    pub fn get_ref(&self) -> &R {
        &self.stream
    }

    /// Returns the first bytes of the stream without consuming them, e.g. to detect a compression.
    /// There are at least 512 bytes, unless the stream is shorter or pauses after a line of text.
    pub fn peek_head(&mut self) -> &[u8] {
        // Bytes with a NUL may be the header of a tar archive, in which a line break can precede
        // the bytes that identify the archive.
        while self.fill_until_pause(BUFFER)
            && self.held.bytes().len() < 512
            && self.held.bytes().contains(&0)
        {
            self.fill_to_len(512);
        }
        self.held.bytes()
    }

    /// Detects the format of the stream, which must already be decompressed. If the input pauses
    /// before the format is certain, waits for the remaining bytes that the detection needs.
    pub fn detect_container(&mut self, name: &FileName, reading: Reading) -> Container {
        loop {
            // One more byte shows whether the stream continues.
            let paused = self.fill_until_pause(Head::LEN + 1);
            let head = Head::new(self.held.bytes(), !self.ended);
            if !paused {
                return detect_container(name, head, reading);
            }
            if let Some(container) = detect_early(head, name.last_component(), reading) {
                self.is_early = reading == Reading::Auto;
                return container;
            }
            self.fill_to_len(Head::LEN + 1);
        }
    }

    /// Reads until `held` contains `len` bytes or the stream ends. Stops earlier and returns true
    /// if the input pauses after a line.
    fn fill_until_pause(&mut self, len: usize) -> bool {
        while !self.ended && self.held.bytes().len() < len {
            if let Some(pauses) = &mut self.pauses
                && self.held.bytes()[self.before..].ends_with(b"\n")
                && pauses()
            {
                return true;
            }
            self.fill_to_len(len);
        }
        false
    }

    /// Reads until `held` contains `len` bytes. If pauses must be detected, reads only once.
    fn fill_to_len(&mut self, len: usize) {
        let filled = if self.pauses.is_some() {
            self.held.read_once_up_to(&mut self.stream, len)
        } else {
            self.held.fill(&mut self.stream, len)
        };
        match filled {
            Ok(ended) => self.ended = ended,
            Err(error) => {
                self.ended = true;
                self.trouble = Some(error);
            }
        }
    }

    /// Detects the compression of the stream and decompresses it, up to four layers deep. `len` is
    /// the compressed length, if known. `wrap` converts a decoder to the stream type `R`.
    ///
    /// # Errors
    ///
    /// Fails if a decoder can't be created.
    pub fn decompress(
        mut self,
        limits: Limits,
        mut len: Option<u64>,
        wrap: impl Fn(Decompressed<Chain<Cursor<Vec<u8>>, R>>) -> R,
    ) -> io::Result<Opened<R>> {
        for _ in 0..LAYERS {
            let Some(kind) = detect_compression(self.peek_head()) else { break };
            let head = Cursor::new(self.held.bytes().to_vec());
            let whole = head.chain(self.stream);
            let stream = wrap(limits.decompress(kind, whole, len.take())?);
            if kind.is_archive() {
                return Ok(Opened::Archive(kind, stream));
            }
            self.held.clear();
            self = Self { spools: self.spools, ..Self::new(stream, self.held) };
        }
        if self.trouble.is_none() && detect_compression(self.peek_head()).is_some() {
            self.trouble = Some(Refusal::TooDeep(LAYERS).into());
        }
        Ok(Opened::Text(self))
    }

    /// Moves the next unit to `buffer`, reading as many bytes as necessary. The unit starts at file
    /// offset `at`.
    ///
    /// Input in some formats must be kept in memory as a whole. If such input is too long for that,
    /// `container` is changed to [`Container::Text`], and the rest of the input is read as text.
    pub fn next_unit(
        &mut self,
        container: &mut Container,
        at: u64,
        options: &Options,
        buffer: &mut Buffer,
    ) -> UnitSlice {
        if let Some(slice) = self.skip_record_piece(container, at, buffer) {
            return slice;
        }
        if let Container::Web(format) = *container
            && self.is_first_message_overlong(*container)
        {
            match overlong_kind(format, self.held.bytes(), options) {
                Overlong::Read { block, end } if self.spools => {
                    self.record = Some(LongRecord::new(format, block, end));
                    return UnitSlice { base: at, is_long: true, ..UnitSlice::default() };
                }
                Overlong::Skipped { block, end } => {
                    self.record = Some(LongRecord::new(format, block, end));
                    *container = Container::Index;
                }
                // A line that does not end.
                Overlong::Stray => *container = Container::Text(Dialect::Plain),
                _ => {}
            }
            if let Some(slice) = self.skip_record_piece(container, at, buffer) {
                return slice;
            }
        }
        if !matches!(container, Container::Text(_)) {
            if self.is_next_message_long(*container) {
                return UnitSlice { base: at, is_long: true, ..UnitSlice::default() };
            }
            let mut whole = self.read_whole_messages(*container, options);
            if let (None, Container::Escaped(notation)) = (whole, *container)
                && notation != notation.for_long_text()
            {
                *container = Container::Escaped(notation.for_long_text());
                whole = self.read_whole_messages(*container, options);
            }
            if let Some((to, paused)) = whole {
                self.move_unit_to(to, to, buffer);
                let last = self.ended && self.held.bytes().is_empty();
                let trouble = self.trouble.take_if(|_| last);
                return UnitSlice { base: at, to, last, trouble, paused, ..UnitSlice::default() };
            }
            *container = Container::Text(match *container {
                Container::Utf16 => Dialect::Binary,
                packed if packed.is_packed_item() => Dialect::Binary,
                Container::Markup(dialect) => dialect,
                _ => Dialect::Plain,
            });
        }
        let before = self.before;
        let paused = self.fill_until_pause(before + STREAM_UNIT + AFTER);
        let len = self.held.bytes().len();
        if self.is_early {
            let at = usize::try_from(at).unwrap_or(usize::MAX);
            *container = container.refine_with_bytes(at, &self.held.bytes()[before..]);
        }
        let to = if self.ended || paused { len } else { before + STREAM_UNIT };
        let last = self.ended;
        self.move_unit_to(to, to.saturating_sub(BEFORE), buffer);
        self.before = to.min(BEFORE);
        let trouble = self.trouble.take_if(|_| last);
        let base = at - before as u64;
        UnitSlice { base, from: before, to, last, trouble, paused, is_long: false }
    }

    /// True if the next message or record is too long for memory and must be spooled. Reads as many
    /// bytes as are needed to decide this.
    fn is_next_message_long(&mut self, container: Container) -> bool {
        self.spools && can_read_in_pieces(container) && self.is_first_message_overlong(container)
    }

    /// Returns the next piece of a record that is skipped without being scanned. Returns `None` at
    /// the end of the record, and then restores `container`.
    fn skip_record_piece(
        &mut self,
        container: &mut Container,
        at: u64,
        buffer: &mut Buffer,
    ) -> Option<UnitSlice> {
        let record = self.record.filter(|_| *container == Container::Index)?;
        let mut wanted = STREAM_UNIT;
        let (to, ends) = loop {
            let paused = record.left > 0 && self.fill_until_pause(wanted);
            let (to, ends) = record.end_of_record_in(self.held.bytes(), self.ended);
            if to > 0 || ends || self.ended {
                break (to, ends);
            }
            // The last bytes may be the start of the next record, so more bytes are needed.
            wanted = wanted.max(self.held.bytes().len() + 1);
            if paused {
                self.fill_to_len(wanted);
            }
        };
        if to == 0 {
            self.record = None;
            *container = Container::Web(record.format);
            return None;
        }
        self.record = Some(record.state_after(&self.held.bytes()[..to], ends));
        self.move_unit_to(to, to, buffer);
        let last = self.ended && self.held.bytes().is_empty();
        let trouble = self.trouble.take_if(|_| last);
        Some(UnitSlice { base: at, to, last, trouble, ..UnitSlice::default() })
    }

    /// True if the first message or record in `held` exceeds the maximum length that is kept in
    /// memory. Reads as many bytes as are needed to decide this.
    fn is_first_message_overlong(&mut self, container: Container) -> bool {
        let most = usize::try_from(MAX_WHOLE_LEN).unwrap_or(usize::MAX).saturating_add(1);
        let mut wanted = MAIL_PIECE;
        loop {
            let paused = self.fill_until_pause(wanted);
            let held = self.held.bytes();
            let ends = match container {
                Container::Web(format) => has_complete_first_record(format, held),
                _ => container.is_sequence() && safe_cut(container, held, false) > 0,
            };
            if ends && matches!(container, Container::Web(_)) {
                return false;
            }
            if held.len() >= most {
                let first = if ends { next_message_start(container, held, 1) } else { None };
                return first.is_none_or(|first| first >= most);
            }
            if ends || self.ended {
                return false;
            }
            if paused {
                self.fill_to_len(wanted);
            } else {
                wanted = (2 * wanted).min(most);
            }
        }
    }

    /// Copies the message or record at file offset `at`, which is too long for memory, to `out`.
    ///
    /// Takes linear time and bounded memory. Copying stops after [`MAX_PARSED_LEN`] bytes. The rest
    /// of the message or record is then read as text.
    ///
    /// # Errors
    ///
    /// Returns any error from `out`.
    pub fn spool_long(
        &mut self,
        container: &mut Container,
        (at, lines): (u64, LineStart),
        out: &mut dyn Write,
    ) -> io::Result<Spooled> {
        let mut spooled = Spooled { len: 0, lines, last: false, trouble: None };
        let mut record = self.record.take();
        // A second message can't start in the first five bytes.
        let mut from = 5;
        loop {
            let held = self.held.bytes();
            let (taken, ends) = if let Some(of) = record {
                let (taken, ends) = of.end_of_record_in(held, self.ended);
                record = Some(of.state_after(&held[..taken], ends));
                (taken, ends)
            } else {
                let next = container
                    .is_sequence()
                    .then(|| next_message_start(*container, held, from))
                    .flatten();
                let next = next.filter(|next| self.ended || next + LOOK_BEHIND <= held.len());
                let open = if self.ended { 0 } else { 2 * LOOK_BEHIND };
                (next.unwrap_or(held.len().saturating_sub(open)), next.is_some())
            };
            out.write_all(&held[..taken])?;
            spooled.lines = spooled.lines.after_bytes(&held[..taken], at + spooled.len);
            spooled.len += taken as u64;
            // Use a new buffer, because the old one has grown to the maximum length.
            let mut rest = Buffer::default();
            rest.extend(&held[taken..]);
            self.held = rest;
            if ends || self.ended {
                break;
            }
            if spooled.len > MAX_PARSED_LEN {
                *container = Container::Text(Dialect::Plain);
                break;
            }
            from = LOOK_BEHIND;
            while !self.ended && self.held.bytes().len() < SPOOLED {
                self.fill_to_len(SPOOLED);
            }
        }
        spooled.last = self.ended && self.held.bytes().is_empty();
        spooled.trouble = self.trouble.take_if(|_| spooled.last);
        Ok(spooled)
    }

    /// Reads until `held` contains whole messages or, in other formats, the whole input. Returns
    /// the length of the messages, and true if the input pauses after them. Returns `None` if they
    /// are too long for memory.
    fn read_whole_messages(
        &mut self,
        container: Container,
        options: &Options,
    ) -> Option<(usize, bool)> {
        let mut wanted = MAIL_PIECE;
        loop {
            let paused = self.fill_until_pause(wanted);
            let len = self.held.bytes().len();
            if self.ended {
                return Some((len, false));
            }
            if container.is_sequence() {
                let cut = safe_cut(container, self.held.bytes(), false);
                if cut > 0 {
                    return Some((cut, paused));
                }
            }
            if container == Container::Defanged && (paused || len > options.max_message) {
                let line = urlsift_scanner::safe_cut(self.held.bytes(), len);
                return Some((if line > 0 && !paused { line } else { len }, paused));
            }
            // Only mail is kept in memory as a whole to find better boundaries.
            let is_text = matches!(container, Container::Escaped(_)) || !container.is_sequence();
            if is_text && len > options.max_message {
                let cut = long_cut(container, &self.held.bytes()[..options.max_message]);
                return (cut > 0).then_some((cut, paused));
            } else if paused {
                self.fill_to_len(wanted);
            } else if !is_text {
                wanted *= 2;
            } else {
                wanted = (wanted * 2).min(options.max_message + 1);
            }
        }
    }

    /// Moves a unit from `held` to `buffer`, together with its context. The unit ends at index `to`
    /// of `held`. The bytes from index `keep` on stay in `held`. Only the shorter part is copied.
    fn move_unit_to(&mut self, to: usize, keep: usize, buffer: &mut Buffer) {
        buffer.clear();
        let held = self.held.bytes();
        let (unit, rest) = (&held[..held.len().min(to + AFTER)], &held[keep.min(held.len())..]);
        if unit.len() < rest.len() {
            buffer.extend(unit);
            self.held.drop_front(keep);
        } else {
            buffer.extend(rest);
            std::mem::swap(&mut self.held, buffer);
        }
    }
}
