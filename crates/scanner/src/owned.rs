//! Iterators that own their scanner and their text, so that they borrow nothing.

use crate::pass::{Candidates, State};
use crate::{Candidate, Found, Input, Scanner, Stream};
use std::collections::VecDeque;
use std::io::{self, Read};
use std::ops::ControlFlow;

/// The number of bytes scanned or read at a time.
const STEP: usize = 64 * 1024;

/// An iterator over the URLs in a text that it owns: see [`Scanner::find_owned`].
///
/// ```
/// use urlsift_scanner::Scanner;
/// let text = String::from("http://a.dom/ and http://b.dom/");
/// // The iterator owns the scanner and the text, so a function can return it.
/// let found = Scanner::builder().build().find_owned(text.into_bytes());
/// assert_eq!(found.count(), 2);
/// ```
#[derive(Clone, Debug)]
pub struct FoundIter<T> {
    scanner: Scanner,
    text: T,
    state: State,
    /// Candidates that were found but not returned yet.
    found: VecDeque<Found>,
    ended: bool,
}

impl<T> FoundIter<T> {
    /// Returns the text that the iterator scans.
    pub fn text(&self) -> &T {
        &self.text
    }
}

impl<T: AsRef<[u8]>> Iterator for FoundIter<T> {
    type Item = Found;

    fn next(&mut self) -> Option<Found> {
        while self.found.is_empty() && !self.ended {
            let text = self.text.as_ref();
            let limit = self.state.next.saturating_add(STEP);
            let state = self.state.take_with_cache();
            let mut candidates =
                Candidates::resume(&self.scanner.0, Input::new(text), state, limit);
            self.found.extend(candidates.by_ref().map(Candidate::into_owned));
            self.ended = limit >= text.len();
            self.state = candidates.into_state();
        }
        self.found.pop_front()
    }
}

/// An iterator over the URLs in the bytes of a reader: see [`Scanner::read_from`].
///
/// ```
/// use urlsift_scanner::Scanner;
/// let socket = std::io::Cursor::new("http://a.dom/ and http://b.dom/");
/// let mut found = Scanner::builder().build().read_from(socket);
/// assert_eq!(&*found.next().unwrap()?.url(), b"http://a.dom/");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct FoundReader<R> {
    stream: Stream,
    input: R,
    /// Candidates that were found but not returned yet.
    found: VecDeque<Found>,
    buffer: Box<[u8]>,
    ended: bool,
    error: Option<io::Error>,
}

impl<R: Read> Iterator for FoundReader<R> {
    type Item = io::Result<Found>;

    fn next(&mut self) -> Option<io::Result<Found>> {
        while self.found.is_empty() && !self.ended {
            let found = &mut self.found;
            let mut sink = |base: u64, candidate: &Candidate<'_>| {
                found.push_back(candidate.clone().into_found(base));
                ControlFlow::Continue(())
            };
            let read = match self.input.read(&mut self.buffer) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => {
                    self.error = Some(error);
                    0
                }
                Ok(read) => read,
            };
            // The sink never returns `Break`.
            self.ended = read == 0;
            let _ = if self.ended {
                self.stream.finish(&mut sink)
            } else {
                self.stream.push(&self.buffer[..read], &mut sink)
            };
        }
        self.found.pop_front().map(Ok).or_else(|| self.error.take().map(Err))
    }
}

impl Scanner {
    /// Returns an iterator over the URLs in a plain text. The iterator owns the text and a clone of
    /// the scanner.
    ///
    /// `T` is a `Vec<u8>`, a `String`, an `Arc<[u8]>` or any other type whose `as_ref` always
    /// returns the same bytes. The iterator is lazy: it scans the next 64 KiB of the text when you
    /// need more candidates.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use urlsift_scanner::{FoundIter, Scanner};
    ///
    /// struct Page { urls: FoundIter<Arc<[u8]>> }
    ///
    /// let text: Arc<[u8]> = b"http://a.dom/ and http://b.dom/"[..].into();
    /// let mut page = Page { urls: Scanner::builder().build().find_owned(text) };
    /// assert_eq!(&*page.urls.next().unwrap().url(), b"http://a.dom/");
    /// assert_eq!(page.urls.next().unwrap().span().start, 18);
    /// assert!(page.urls.next().is_none());
    /// ```
    pub fn find_owned<T: AsRef<[u8]>>(&self, text: T) -> FoundIter<T> {
        let (state, found) = (State::starting_at(0), VecDeque::new());
        FoundIter { scanner: self.clone(), text, state, found, ended: false }
    }

    /// Returns an iterator over the URLs in a plain text, which it reads from `input` to the end.
    /// The iterator owns a clone of the scanner. Offsets count from the reader's initial position.
    ///
    /// If the reader returns an error, the iterator first returns all candidates found before it,
    /// then the error, and ends. If you must wait for input, use [`Scanner::stream`], which reports
    /// candidates sooner.
    ///
    /// # Panics
    ///
    /// If the reader returns a length greater than that of the buffer.
    ///
    /// ```
    /// use urlsift_scanner::Scanner;
    ///
    /// let input = std::io::Cursor::new("It is at http://host.dom/a.");
    /// for found in Scanner::builder().build().read_from(input) {
    ///     let found = found?;
    ///     assert_eq!((&*found.url(), found.span().start), (&b"http://host.dom/a"[..], 9));
    /// }
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn read_from<R: Read>(&self, input: R) -> FoundReader<R> {
        let (found, buffer) = (VecDeque::new(), vec![0; STEP].into());
        FoundReader { stream: self.stream(), input, found, buffer, ended: false, error: None }
    }
}
