//! Scans of texts that come in chunks, or that are split among threads.
//!
//! The matches never depend on how a text was cut. Each depends only on the [`BEFORE`] bytes before
//! it and the [`AFTER`] bytes after its start:
//!
//! - before: 64 KiB in which an earlier URL may have started, or which may contain evidence for a
//!   join, and the lines around them;
//! - after: a URL of at most 64 KiB with the layout inside it, and 64 KiB of evidence after its
//!   last line break.

use crate::limits::{AFTER, BEFORE, MAX_WRAPPER, NEARBY};
use crate::pass::{Candidates, State};
use crate::{Candidate, Input, Scanner};
use std::ops::{ControlFlow, Range};

/// The number of new bytes that a stream buffers before it scans them.
const STEP: usize = 256 * 1024;

/// A receiver of the candidates of a [`Stream`].
///
/// Closures with the signature of [`Sink::receive`] are sinks.
///
/// ```
/// use std::ops::ControlFlow;
/// use urlsift_scanner::{Candidate, Scanner, Sink};
///
/// struct First(Option<u64>);
/// impl Sink for First {
///     fn receive(&mut self, base: u64, found: &Candidate<'_>) -> ControlFlow<()> {
///         self.0 = Some(base + found.span().start as u64);
///         ControlFlow::Break(())
///     }
/// }
/// let (mut stream, mut first) = (Scanner::builder().build().stream(), First(None));
/// stream.push(b"At http://a.dom/ and http://b.dom/", &mut first);
/// stream.finish(&mut first);
/// assert_eq!(first.0, Some(3));
/// ```
pub trait Sink {
    /// Receives one candidate. Candidates come in text order. Return `Break` to stop the scan.
    ///
    /// The spans of `found` are relative to byte `base` of the stream: add `base` to get offsets in
    /// the stream. `found` borrows a buffer, so call [`Candidate::into_owned`] to keep it.
    fn receive(&mut self, base: u64, found: &Candidate<'_>) -> ControlFlow<()>;
}

impl<F: FnMut(u64, &Candidate<'_>) -> ControlFlow<()>> Sink for F {
    fn receive(&mut self, base: u64, found: &Candidate<'_>) -> ControlFlow<()> {
        self(base, found)
    }
}

/// A scan of a plain text that comes in chunks: see [`Scanner::stream`].
///
/// It reports exactly the candidates that [`Scanner::find_iter`] returns for the whole text, and
/// buffers at most the sum of [`BEFORE`], [`AFTER`] and 512 KiB. The stream owns its scanner, so it
/// borrows nothing.
///
/// If the sink returns `Break`, no candidate is lost. The stream keeps the rest of the chunk, and
/// the next call continues with the next candidate.
///
/// ```
/// use std::ops::ControlFlow;
/// use urlsift_scanner::{Candidate, Scanner};
///
/// let scanner = Scanner::builder().build();
/// let mut found = Vec::new();
/// let mut sink = |base: u64, candidate: &Candidate<'_>| {
///     found.push((base + candidate.span().start as u64, candidate.url().into_owned()));
///     ControlFlow::Continue(())
/// };
/// let mut stream = scanner.stream();
/// for chunk in [&b"see http://h.dom/lo"[..], b"ng/path, and so on"] {
///     if stream.push(chunk, &mut sink).is_break() {
///         break;
///     }
/// }
/// stream.finish(&mut sink);
/// assert_eq!(found, [(4, b"http://h.dom/long/path".to_vec())]);
/// ```
#[derive(Clone, Debug)]
pub struct Stream {
    scanner: Scanner,
    buffer: Vec<u8>,
    /// Offset in the stream of the buffer's first byte.
    base: u64,
    state: State,
    /// Candidates that the sink has not received yet, in reverse order. Their text is the buffer.
    pending: Vec<Candidate<'static>>,
}

impl Stream {
    fn new(scanner: Scanner) -> Self {
        Self {
            scanner,
            buffer: Vec::new(),
            base: 0,
            state: State::starting_at(0),
            pending: Vec::new(),
        }
    }

    /// Appends a chunk of any length to the text, and passes to `sink` those candidates that no
    /// further text can change.
    ///
    /// Returns `Break` if the sink does. The next call, whose chunk may be empty, continues with
    /// the next candidate.
    pub fn push(&mut self, mut chunk: &[u8], sink: &mut impl Sink) -> ControlFlow<()> {
        let mut flow = self.send_pending(sink);
        loop {
            let step = self.state.next + AFTER + STEP;
            if flow.is_continue() && self.buffer.len() >= step {
                flow = self.scan_buffered(false, sink);
                continue;
            }
            let room = if flow.is_break() { chunk.len() } else { step - self.buffer.len() };
            let (head, rest) = chunk.split_at(room.min(chunk.len()));
            self.buffer.extend_from_slice(head);
            chunk = rest;
            if head.is_empty() {
                return flow;
            }
        }
    }

    /// Ends the text, and passes the remaining candidates to `sink`.
    ///
    /// If this returns `Break`, call it again to continue. Otherwise the stream is reset, and ready
    /// for another text.
    pub fn finish(&mut self, sink: &mut impl Sink) -> ControlFlow<()> {
        self.send_pending(sink)?;
        self.scan_buffered(true, sink)?;
        *self = Self::new(self.scanner.clone());
        ControlFlow::Continue(())
    }

    /// Passes the candidates in `pending`, which were found but not passed on yet, to the sink.
    fn send_pending(&mut self, sink: &mut impl Sink) -> ControlFlow<()> {
        while let Some(candidate) = self.pending.pop() {
            sink.receive(self.base, &candidate.with_text(&self.buffer))?;
        }
        ControlFlow::Continue(())
    }

    /// Scans the buffered text up to the last anchor that no further text can affect, or to the end
    /// if `ends` is true. Then removes from the buffer the text that isn't needed any more.
    fn scan_buffered(&mut self, ends: bool, sink: &mut impl Sink) -> ControlFlow<()> {
        let (scanner, input, state) =
            (&self.scanner.0, Input::new(&self.buffer), self.state.take_with_cache());
        let mut candidates = if ends {
            Candidates::resume(scanner, input, state, usize::MAX)
        } else {
            Candidates::resume_settled(scanner, input, state)
        };
        while let Some(candidate) = candidates.advance() {
            if sink.receive(self.base, candidate).is_break() {
                let (state, pending) = candidates.stop();
                self.pending = pending.into_iter().map(|rest| rest.with_text(&[])).collect();
                self.state = state;
                return ControlFlow::Break(());
            }
        }
        let state = candidates.into_state();
        let spent = state.next.saturating_sub(NEARBY);
        self.buffer.drain(..spent);
        self.base += spent as u64;
        self.state = state.without_first(spent);
        ControlFlow::Continue(())
    }
}

impl Scanner {
    /// Returns a [`Stream`], which scans a plain text that comes in chunks.
    pub fn stream(&self) -> Stream {
        Stream::new(self.clone())
    }

    /// Continues a scan: returns the candidates of [`Scanner::find`] from `state` on. Use this if
    /// you buffer the text of a stream yourself; [`Stream`] has its own buffer.
    ///
    /// `limit` is the offset to stop at if the text ends with the input. With `None` the text
    /// continues after the input, and only candidates that no further byte can change are found.
    /// The input must then contain [`AFTER`] bytes from [`State::next`] on.
    ///
    /// After the iteration [`Candidates::into_state`] returns the state to continue from. Bytes
    /// more than [`NEARBY`] before [`State::next`] are not needed any more.
    ///
    /// ```
    /// use urlsift_scanner::{Input, Scanner, State};
    /// let text = b"At http://a.dom/ and http://b.dom/";
    /// let scanner = Scanner::builder().build();
    /// let mut found = scanner.find_from(Input::new(text), State::starting_at(0), Some(10));
    /// assert_eq!(&*found.next().unwrap().url(), b"http://a.dom/");
    /// assert!(found.next().is_none());
    /// let mut found = scanner.find_from(Input::new(text), found.into_state(), Some(text.len()));
    /// assert_eq!(&*found.next().unwrap().url(), b"http://b.dom/");
    /// ```
    pub fn find_from<'s, 't>(
        &'s self,
        input: Input<'t>,
        state: State,
        limit: Option<usize>,
    ) -> Candidates<'s, 't> {
        match limit {
            Some(limit) => Candidates::resume(&self.0, input, state, limit),
            None => Candidates::resume_settled(&self.0, input, state),
        }
    }

    /// Returns the candidates of [`Scanner::find`] whose URL starts in `range`. The text outside
    /// the range serves only as context.
    ///
    /// The input needn't be the whole text: [`BEFORE`] bytes before the range and [`AFTER`] bytes
    /// after it (or all there are) are enough for the same result. So you can split a text among
    /// threads. Ranges that cover the text without overlap return every candidate exactly once.
    pub fn find_within<'s, 't>(&'s self, input: Input<'t>, range: Range<usize>) -> Within<'s, 't> {
        let from = range.start.saturating_sub(BEFORE);
        // The anchor of a wrapper is at most the wrapper's maximum length after the first byte of
        // its URL, and any other anchor at most the length of a scheme.
        let limit = range.end.saturating_add(MAX_WRAPPER);
        Within { candidates: Candidates::begin(&self.0, input, from, limit), range }
    }
}

/// An iterator over the candidates that start in one range of a text: see [`Scanner::find_within`].
///
/// ```
/// use urlsift_scanner::{Input, Scanner};
/// let (scanner, text) = (Scanner::builder().build(), b"http://a.dom/ http://b.dom/");
/// let starts = |range| scanner.find_within(Input::new(text), range).map(|found| found.span().start);
/// assert!(starts(0..10).eq([0]) && starts(10..27).eq([14]));
/// ```
#[derive(Clone, Debug)]
pub struct Within<'s, 't> {
    candidates: Candidates<'s, 't>,
    range: Range<usize>,
}

impl<'t> Within<'_, 't> {
    /// Advances to the next candidate, and returns a reference to it, or `None` at the end. See
    /// [`Candidates::advance`].
    ///
    /// ```
    /// use urlsift_scanner::{Input, Scanner};
    /// let scanner = Scanner::builder().build();
    /// let mut found = scanner.find_within(Input::new(b"http://a.dom/ http://b.dom/"), 10..27);
    /// assert_eq!(found.advance().unwrap().span().start, 14);
    /// assert!(found.advance().is_none());
    /// ```
    #[inline]
    pub fn advance(&mut self) -> Option<&Candidate<'t>> {
        self.seek().then(|| self.candidates.found())
    }

    /// Finds the next candidate in the range. Returns true if there is one.
    #[inline]
    fn seek(&mut self) -> bool {
        while self.candidates.seek() {
            let start = self.candidates.found().span.start;
            if start >= self.range.start {
                return start < self.range.end;
            }
        }
        false
    }
}

impl<'t> Iterator for Within<'_, 't> {
    type Item = Candidate<'t>;

    fn next(&mut self) -> Option<Candidate<'t>> {
        self.seek().then(|| self.candidates.take_found())
    }
}

/// Returns an offset at or before byte `at` at which `text` can be cut in two without cutting a
/// line, if possible. It is after the last line break in the 64 KiB before `at`, or `at` itself if
/// there is none.
///
/// [`Scanner::find_within`] gives the same results for any cut. A cut between lines also makes it
/// easier to count lines.
///
/// ```
/// assert_eq!(urlsift_scanner::safe_cut(b"one line\nand another", 15), 9);
/// assert_eq!(urlsift_scanner::safe_cut(b"one line", 5), 5);
/// ```
pub fn safe_cut(text: &[u8], at: usize) -> usize {
    let at = at.min(text.len());
    let from = at.saturating_sub(64 * 1024);
    memchr::memrchr(b'\n', &text[from..at]).map_or(at, |newline| from + newline + 1)
}
