//! What is kept while one text is linted.

use crate::diagnostic::Diagnostic;
use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};
use urlsift_core::Span;

/// Longer texts are not kept, in bytes.
const LONGEST: usize = 1024;
/// No more texts are kept than those of the diagnostics that are shown at once.
const MOST: usize = 512;

#[derive(Debug, Default)]
pub(crate) struct Kept {
    /// Where passwords stand in the text, once somebody has asked.
    pub(crate) secrets: OnceCell<Vec<Span>>,
    /// Memory of diagnostics that have been shown, for those that come: a long line may hold a million of them.
    texts: RefCell<Vec<Vec<u8>>>,
}

impl Kept {
    /// Of a text of which it is known where passwords stand.
    pub(crate) fn of(secrets: Vec<Span>) -> Self {
        Self { secrets: OnceCell::from(secrets), texts: RefCell::default() }
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
