//! What is kept while one text is linted.

use crate::diagnostic::Diagnostic;
use crate::example;
use crate::verbatim;
use std::borrow::Cow;
use std::cell::{Cell, OnceCell, RefCell};
use urlsift_core::{Secrets, Span};

/// Longer texts are not kept, in bytes.
const LONGEST: usize = 1024;
/// No more texts are kept than those of the diagnostics that are shown at once.
const MOST: usize = 512;

#[derive(Debug, Default)]
pub(crate) struct Kept {
    /// Which secrets are hidden.
    pub(crate) hides: Secrets,
    /// The places of secrets in the text, once they were asked for.
    secrets: OnceCell<Vec<Span>>,
    /// The blocks of samples in the text, once a fix is to be made in it.
    samples: OnceCell<Vec<Span>>,
    /// Memory of diagnostics that have been shown, for those that come: a long line may hold a million of them.
    texts: RefCell<Vec<Vec<u8>>>,
    /// What was looked at for templates last, in which many URLs may stand, and whether it is one.
    template: Cell<Option<(Span, bool)>>,
}

impl Kept {
    /// Nothing yet; such secrets are hidden.
    pub(crate) fn new(hides: Secrets) -> Self {
        Self { hides, ..Self::default() }
    }

    /// Of a text of which it is known where such secrets are.
    pub(crate) fn of(hides: Secrets, secrets: Vec<Span>) -> Self {
        Self { secrets: OnceCell::from(secrets), ..Self::new(hides) }
    }

    /// The places of secrets in the text.
    pub(crate) fn secrets(&self, text: &[u8]) -> &[Span] {
        self.secrets.get_or_init(|| self.hides.in_text(text))
    }

    /// The same, if somebody has asked before.
    pub(crate) fn known_secrets(&self) -> &[Span] {
        self.secrets.get().map_or(&[], Vec::as_slice)
    }

    /// Whether a program, or the reader, is to replace a part of that value of the text.
    pub(crate) fn is_template(&self, text: &[u8], value: Span) -> bool {
        if let Some((_, is)) = self.template.get().filter(|(known, _)| *known == value) {
            return is;
        }
        let is = example::is_template(text.get(value.range()).unwrap_or_default());
        self.template.set(Some((value, is)));
        is
    }

    /// True if byte `at` of the text is in a block of samples.
    pub(crate) fn is_sample(&self, text: &[u8], at: usize) -> bool {
        let samples = self.samples.get_or_init(|| verbatim::blocks(text));
        let next = samples.partition_point(|sample| sample.start <= at);
        next.checked_sub(1).is_some_and(|last| at < samples[last].end)
    }

    /// An empty text.
    pub(crate) fn take(&self) -> Vec<u8> {
        self.texts.borrow_mut().pop().unwrap_or_default()
    }

    /// Takes back the memory of a diagnostic's texts.
    pub(crate) fn take_back(&self, diagnostic: &mut Diagnostic) {
        let mut texts = self.texts.borrow_mut();
        let mut keep = |text: String| {
            if text.capacity() <= LONGEST && texts.len() < MOST {
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
