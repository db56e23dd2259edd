//! Values that are cached while one text is linted.

use crate::diagnostic::Diagnostic;
use crate::example;
use crate::verbatim;
use std::borrow::Cow;
use std::cell::{Cell, OnceCell, RefCell};
use urlsift_core::{Secrets, Span};

/// The maximum capacity of a buffer that is reused, in bytes.
const MAX_BUFFER_LEN: usize = 1024;
/// The maximum number of buffers that are kept for reuse.
const MAX_BUFFERS: usize = 512;

/// Values that are computed on demand and cached while one text is linted, and buffers for reuse.
#[derive(Debug, Default)]
pub(crate) struct Caches {
    /// The kinds of secrets that are masked.
    pub(crate) hides: Secrets,
    /// The spans of secrets in the text, computed on demand.
    secrets: OnceCell<Vec<Span>>,
    /// The spans of literal samples in the text (see [`verbatim`]), computed on demand.
    samples: OnceCell<Vec<Span>>,
    /// True if the text is valid UTF-8, computed on demand.
    is_utf8: OnceCell<bool>,
    /// Empty buffers of earlier diagnostics. They are reused because a long line may have a million
    /// diagnostics.
    texts: RefCell<Vec<Vec<u8>>>,
    /// The last value that was checked for a template, and the result. One value may contain many
    /// URLs.
    template: Cell<Option<(Span, bool)>>,
}

impl Caches {
    /// Creates empty caches for one text. `hides` are the kinds of secrets to mask.
    pub(crate) fn new(hides: Secrets) -> Self {
        Self { hides, ..Self::default() }
    }

    /// Creates caches for a text in which the spans of secrets are already known.
    pub(crate) fn with_secrets(hides: Secrets, secrets: Vec<Span>) -> Self {
        Self { secrets: OnceCell::from(secrets), ..Self::new(hides) }
    }

    /// Returns the spans of the secrets in `text`. They are computed in the first call.
    pub(crate) fn secrets(&self, text: &[u8]) -> &[Span] {
        self.secrets.get_or_init(|| self.hides.in_text(text))
    }

    /// Returns the spans of the secrets if [`Caches::secrets()`] has already computed them,
    /// otherwise an empty slice.
    pub(crate) fn known_secrets(&self) -> &[Span] {
        self.secrets.get().map_or(&[], Vec::as_slice)
    }

    /// True if `text` is valid UTF-8. The text is checked in the first call.
    pub(crate) fn is_utf8(&self, text: &[u8]) -> bool {
        *self.is_utf8.get_or_init(|| std::str::from_utf8(text).is_ok())
    }

    /// True if the bytes of `text` at `value` contain a template placeholder, such as `${host}`.
    /// The result for the last value is cached.
    pub(crate) fn contains_placeholder(&self, text: &[u8], value: Span) -> bool {
        if let Some((_, is)) = self.template.get().filter(|(known, _)| *known == value) {
            return is;
        }
        let is = example::contains_placeholder(text.get(value.range()).unwrap_or_default());
        self.template.set(Some((value, is)));
        is
    }

    /// True if offset `at` of `text` is in a literal sample, such as a shell session. See
    /// [`verbatim`].
    pub(crate) fn is_in_sample(&self, text: &[u8], at: usize) -> bool {
        let samples = self.samples.get_or_init(|| verbatim::sample_blocks(text));
        let next = samples.partition_point(|sample| sample.start <= at);
        next.checked_sub(1).is_some_and(|last| at < samples[last].end)
    }

    /// Returns an empty buffer. It reuses the memory of a recycled diagnostic if possible.
    pub(crate) fn take_buffer(&self) -> Vec<u8> {
        self.texts.borrow_mut().pop().unwrap_or_default()
    }

    /// Removes the texts from a diagnostic that is no longer needed, so that
    /// [`Caches::take_buffer`] can reuse their memory.
    pub(crate) fn recycle_texts(&self, diagnostic: &mut Diagnostic) {
        let mut texts = self.texts.borrow_mut();
        let mut keep = |text: String| {
            if text.capacity() <= MAX_BUFFER_LEN && texts.len() < MAX_BUFFERS {
                let mut text = text.into_bytes();
                text.clear();
                texts.push(text);
            }
        };
        if let Some(url) = diagnostic.url.take() {
            keep(url);
        }
        if let Some(Cow::Owned(help)) = diagnostic.help.take() {
            keep(help);
        }
    }
}
