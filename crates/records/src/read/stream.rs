//! Reads a stream unit by unit: whole messages, or pieces of text with their context.

use crate::LineStart;
use crate::buffer::{BUFFER, Buffer};
use crate::record::FileName;
use memchr::memchr;
use std::io::{self, Chain, Cursor, Read, Write};
use urlsift_archive::long::{
    MAX_PARSED_LEN, MAX_WHOLE_LEN, Overlong, can_read, first_ends, next_record, overlong,
};
use urlsift_archive::unpack::{Compression, Decompressed, Limits, Refusal, compression};
use urlsift_archive::{
    Container, Dialect, Head, LOOK_BEHIND, Options, Reading, WebFormat, detect, detect_early,
    long_cut, next_start, safe_cut,
};
use urlsift_scanner::{AFTER, BEFORE};

/// The length of a unit of plain text in a stream, kept in memory.
const STREAM_UNIT: usize = 2 << 20;
/// The minimum number of bytes of mail to read at once. The bytes should still be in the cache when
/// they are scanned: with 2 MiB, system time doubles.
pub const MAIL_PIECE: usize = 512 << 10;
/// The number of bytes to read at once of a message that is copied to a temporary file.
const SPOOLED: usize = 1 << 20;
/// The maximum number of compression layers.
const LAYERS: usize = 4;

/// A stream with the bytes that were read ahead of the next unit.
#[expect(missing_debug_implementations, reason = "most of it is bytes")]
pub struct UnitStream<R> {
    stream: R,
    held: Buffer,
    /// The number of bytes in `held` before the next unit.
    before: usize,
    ended: bool,
    trouble: Option<io::Error>,
    /// True if the caller handles messages that are too long for memory.
    spools: bool,
    /// The record of a web archive that is being skipped or spooled.
    record: Option<LongRecord>,
    /// True if the format was decided before the whole head had arrived.
    is_early: bool,
    /// Returns true if the stream pauses. `None` for compressed input.
    pauses: Option<Box<dyn FnMut() -> bool + Send>>,
}

/// A record of a web archive that is too long for memory.
#[derive(Clone, Copy, Debug)]
struct LongRecord {
    format: WebFormat,
    /// The number of bytes left, by its declared length.
    left: u64,
    /// The offset in `held` from which the next record may start, at a line start.
    from: usize,
    is_line_start: bool,
}

impl LongRecord {
    fn new(format: WebFormat, block: usize, end: u64) -> Self {
        Self { format, left: end, from: block, is_line_start: true }
    }

    /// Returns the number of bytes in `held` that certainly belong to it, and true if it ends
    /// there.
    fn end(&self, held: &[u8], last: bool) -> (usize, bool) {
        let end = usize::try_from(self.left).unwrap_or(usize::MAX).min(held.len());
        let (block, is_whole) = (&held[..end], end as u64 == self.left);
        let rest = &block[self.from.min(end)..];
        let line = if self.is_line_start { Some(0) } else { memchr(b'\n', rest).map(|at| at + 1) };
        let Some(line) = line else { return (end, is_whole) };
        match next_record(self.format, block, end - rest.len() + line, last || is_whole) {
            Ok(next) => (next, true),
            Err(to) => (to, is_whole),
        }
    }

    /// Returns the remainder of the record after the first bytes.
    fn behind(self, bytes: &[u8], ends: bool) -> Self {
        let left = if ends { 0 } else { self.left - bytes.len() as u64 };
        let is_line_start = bytes.last().map_or(self.is_line_start, |byte| *byte == b'\n');
        Self { left, from: self.from.saturating_sub(bytes.len()), is_line_start, ..self }
    }
}

/// Returns the format of a file that starts with `head`, based on its name or the member's name.
pub fn container(name: &FileName, head: Head<'_>, reading: Reading) -> Container {
    detect(head, name.last(), reading)
}

/// The position of a unit in a buffer.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct UnitSlice {
    /// The buffer's offset in the file.
    pub base: u64,
    /// The start of the unit in the buffer.
    pub from: usize,
    /// The end of the unit in the buffer.
    pub to: usize,
    /// True if nothing follows it.
    pub last: bool,
    /// True if the input paused after it, so that somebody may be waiting for its URLs.
    pub paused: bool,
    /// Why nothing comes after it, if something should.
    pub trouble: Option<io::Error>,
    /// True if the next message or record is too long for memory. The buffer is then empty, and
    /// [`UnitStream::spool`] must be called.
    pub is_long: bool,
}

/// A message that was put by.
#[derive(Debug)]
#[non_exhaustive]
pub struct Spooled {
    /// Its length in bytes.
    pub len: u64,
    /// Computes the line number after it from the line number before it.
    pub lines: LineStart,
    /// True if nothing follows it.
    pub last: bool,
    /// Why nothing comes after it, if something should.
    pub trouble: Option<io::Error>,
}

impl UnitSlice {
    /// Returns the position of a unit that is a whole file of that length.
    pub fn whole(len: usize) -> Self {
        Self { to: len, last: true, ..Self::default() }
    }
}

/// The contents of a stream after decompression.
#[expect(missing_debug_implementations, reason = "most of it is bytes")]
pub enum Opened<R> {
    /// Text or mail.
    Text(UnitStream<R>),
    /// An archive, from its first byte on.
    Archive(Compression, R),
}

impl<R: Read> UnitStream<R> {
    /// Creates a stream. `held` contains the bytes that were read from it before.
    pub fn new(stream: R, held: Buffer) -> Self {
        let (ended, trouble, spools, record) = (false, None, false, None);
        let (is_early, pauses) = (false, None);
        Self { stream, held, before: 0, ended, trouble, spools, record, is_early, pauses }
    }

    /// Returns units as soon as the input pauses after a line, which `pauses` detects.
    #[must_use]
    pub fn with_pauses(self, pauses: Option<Box<dyn FnMut() -> bool + Send>>) -> Self {
        Self { pauses, ..self }
    }

    /// Leaves messages and records that are too long for memory to [`UnitStream::spool`].
    #[must_use]
    pub fn with_spool(self) -> Self {
        Self { spools: true, ..self }
    }

    /// Returns the underlying stream.
    pub fn get_ref(&self) -> &R {
        &self.stream
    }

    /// Returns the first bytes, which identify the compression: at least 512, unless the stream is
    /// shorter or pauses after a line of text.
    pub fn head(&mut self) -> &[u8] {
        // Only the header of a tar archive can contain a line break before the bytes that identify
        // it.
        while self.fill(BUFFER) && self.held.bytes().len() < 512 && self.held.bytes().contains(&0) {
            self.read(512);
        }
        self.held.bytes()
    }

    /// Returns the format of the decompressed stream. If the input pauses before the format is
    /// clear, waits for the rest of the head.
    pub fn container(&mut self, name: &FileName, reading: Reading) -> Container {
        loop {
            // One byte more shows if the stream continues.
            let paused = self.fill(Head::LEN + 1);
            let head = Head::new(self.held.bytes(), !self.ended);
            if !paused {
                return container(name, head, reading);
            }
            if let Some(container) = detect_early(head, name.last(), reading) {
                self.is_early = reading == Reading::Auto;
                return container;
            }
            self.read(Head::LEN + 1);
        }
    }

    /// Reads until `len` bytes are held. Returns true if the input pauses after a line before that.
    fn fill(&mut self, len: usize) -> bool {
        while !self.ended && self.held.bytes().len() < len {
            if let Some(pauses) = &mut self.pauses
                && self.held.bytes()[self.before..].ends_with(b"\n")
                && pauses()
            {
                return true;
            }
            self.read(len);
        }
        false
    }

    /// Reads until `len` bytes are held, or only once if the input may pause.
    fn read(&mut self, len: usize) {
        let filled = if self.pauses.is_some() {
            self.held.fill_once(&mut self.stream, len)
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

    /// Decompresses the stream, up to four layers. `wrap` converts a decoder to the stream's type.
    ///
    /// # Errors
    ///
    /// Fails if a decoder cannot be created.
    pub fn open(
        mut self,
        limits: Limits,
        mut len: Option<u64>,
        wrap: impl Fn(Decompressed<Chain<Cursor<Vec<u8>>, R>>) -> R,
    ) -> io::Result<Opened<R>> {
        for _ in 0..LAYERS {
            let Some(kind) = compression(self.head()) else { break };
            let head = Cursor::new(self.held.bytes().to_vec());
            let whole = head.chain(self.stream);
            let stream = wrap(limits.decompress(kind, whole, len.take())?);
            if kind.is_archive() {
                return Ok(Opened::Archive(kind, stream));
            }
            self.held.clear();
            self = Self { spools: self.spools, ..Self::new(stream, self.held) };
        }
        if self.trouble.is_none() && compression(self.head()).is_some() {
            self.trouble = Some(Refusal::TooDeep(LAYERS).into());
        }
        Ok(Opened::Text(self))
    }

    /// Puts the next unit into `buffer`. `at` is its file offset. Input that would have to be kept
    /// in memory as a whole, but is too long, becomes plain text from here on.
    pub fn next_unit(
        &mut self,
        container: &mut Container,
        at: u64,
        options: &Options,
        buffer: &mut Buffer,
    ) -> UnitSlice {
        if let Some(slice) = self.skip_record(container, at, buffer) {
            return slice;
        }
        if let Container::Web(format) = *container
            && self.is_overlong(*container)
        {
            match overlong(format, self.held.bytes(), options) {
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
            if let Some(slice) = self.skip_record(container, at, buffer) {
                return slice;
            }
        }
        if !matches!(container, Container::Text(_)) {
            if self.is_long(*container) {
                return UnitSlice { base: at, is_long: true, ..UnitSlice::default() };
            }
            let mut whole = self.whole(*container, options);
            if let (None, Container::Escaped(notation)) = (whole, *container)
                && notation != notation.of_long()
            {
                *container = Container::Escaped(notation.of_long());
                whole = self.whole(*container, options);
            }
            if let Some((to, paused)) = whole {
                self.hand_over(to, to, buffer);
                let last = self.ended && self.held.bytes().is_empty();
                let trouble = self.trouble.take_if(|_| last);
                return UnitSlice { base: at, to, last, trouble, paused, ..UnitSlice::default() };
            }
            let is_wide = *container == Container::Utf16;
            *container = Container::Text(if is_wide { Dialect::Binary } else { Dialect::Plain });
        }
        let before = self.before;
        let paused = self.fill(before + STREAM_UNIT + AFTER);
        let len = self.held.bytes().len();
        if self.is_early {
            let at = usize::try_from(at).unwrap_or(usize::MAX);
            *container = container.with_more(at, &self.held.bytes()[before..]);
        }
        let to = if self.ended || paused { len } else { before + STREAM_UNIT };
        let last = self.ended;
        self.hand_over(to, to.saturating_sub(BEFORE), buffer);
        self.before = to.min(BEFORE);
        let trouble = self.trouble.take_if(|_| last);
        let base = at - before as u64;
        UnitSlice { base, from: before, to, last, trouble, paused, is_long: false }
    }

    /// True if the next message is too long for memory. Reads until this is known.
    fn is_long(&mut self, container: Container) -> bool {
        self.spools && can_read(container) && self.is_overlong(container)
    }

    /// Returns more of a record that is skipped, as bytes that are not scanned. Restores the
    /// container after it.
    fn skip_record(
        &mut self,
        container: &mut Container,
        at: u64,
        buffer: &mut Buffer,
    ) -> Option<UnitSlice> {
        let record = self.record.filter(|_| *container == Container::Index)?;
        let mut wanted = STREAM_UNIT;
        let (to, ends) = loop {
            let paused = record.left > 0 && self.fill(wanted);
            let (to, ends) = record.end(self.held.bytes(), self.ended);
            if to > 0 || ends || self.ended {
                break (to, ends);
            }
            // The last bytes may be the start of another record, so more are needed.
            wanted = wanted.max(self.held.bytes().len() + 1);
            if paused {
                self.read(wanted);
            }
        };
        if to == 0 {
            self.record = None;
            *container = Container::Web(record.format);
            return None;
        }
        self.record = Some(record.behind(&self.held.bytes()[..to], ends));
        self.hand_over(to, to, buffer);
        let last = self.ended && self.held.bytes().is_empty();
        let trouble = self.trouble.take_if(|_| last);
        Some(UnitSlice { base: at, to, last, trouble, ..UnitSlice::default() })
    }

    /// True if more is held than allowed, and the first message or record has not ended. Reads
    /// until this is known.
    fn is_overlong(&mut self, container: Container) -> bool {
        let most = usize::try_from(MAX_WHOLE_LEN).unwrap_or(usize::MAX).saturating_add(1);
        let mut wanted = MAIL_PIECE;
        loop {
            let paused = self.fill(wanted);
            let held = self.held.bytes();
            let ends = match container {
                Container::Web(format) => first_ends(format, held),
                _ => container.is_sequence() && safe_cut(container, held, false) > 0,
            };
            if ends && matches!(container, Container::Web(_)) {
                return false;
            }
            if held.len() >= most {
                let first = if ends { next_start(container, held, 1) } else { None };
                return first.is_none_or(|first| first >= most);
            }
            if ends || self.ended {
                return false;
            }
            if paused {
                self.read(wanted);
            } else {
                wanted = (2 * wanted).min(most);
            }
        }
    }

    /// Copies the message or record that is too long for memory, which starts at `at`, to `out`.
    /// Linear, in bounded memory. Copying stops at [`MAX_PARSED_LEN`]; the rest is treated as text.
    ///
    /// # Errors
    ///
    /// Returns any error from `out`.
    pub fn spool(
        &mut self,
        container: &mut Container,
        (at, lines): (u64, LineStart),
        out: &mut dyn Write,
    ) -> io::Result<Spooled> {
        let mut spooled = Spooled { len: 0, lines, last: false, trouble: None };
        let mut record = self.record.take();
        // No second message starts in so few bytes.
        let mut from = 5;
        loop {
            let held = self.held.bytes();
            let (taken, ends) = if let Some(of) = record {
                let (taken, ends) = of.end(held, self.ended);
                record = Some(of.behind(&held[..taken], ends));
                (taken, ends)
            } else {
                let next =
                    container.is_sequence().then(|| next_start(*container, held, from)).flatten();
                let next = next.filter(|next| self.ended || next + LOOK_BEHIND <= held.len());
                let open = if self.ended { 0 } else { 2 * LOOK_BEHIND };
                (next.unwrap_or(held.len().saturating_sub(open)), next.is_some())
            };
            out.write_all(&held[..taken])?;
            spooled.lines = spooled.lines.after(&held[..taken], at + spooled.len);
            spooled.len += taken as u64;
            // A new buffer: the old one is as long as the maximum that may be held.
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
                self.read(SPOOLED);
            }
        }
        spooled.last = self.ended && self.held.bytes().is_empty();
        spooled.trouble = self.trouble.take_if(|_| spooled.last);
        Ok(spooled)
    }

    /// Reads until whole messages are held, or all of an input that is not a sequence of messages.
    /// Returns the length, and true if the input pauses after it.
    fn whole(&mut self, container: Container, options: &Options) -> Option<(usize, bool)> {
        let mut wanted = MAIL_PIECE;
        loop {
            let paused = self.fill(wanted);
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
            // Other formats than mail are not kept whole for better boundaries.
            let is_text = matches!(container, Container::Escaped(_)) || !container.is_sequence();
            if is_text && len > options.max_message {
                let cut = long_cut(container, &self.held.bytes()[..options.max_message]);
                return (cut > 0).then_some((cut, paused));
            } else if paused {
                self.read(wanted);
            } else if !is_text {
                wanted *= 2;
            } else {
                wanted = (wanted * 2).min(options.max_message + 1);
            }
        }
    }

    /// Moves the bytes up to `to` and the context after the unit to `buffer`, and keeps the bytes
    /// from `keep` on. Copies the shorter part.
    fn hand_over(&mut self, to: usize, keep: usize, buffer: &mut Buffer) {
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
