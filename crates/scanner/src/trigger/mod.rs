//! Where to look: the offsets of colons that may belong to a URL.
//!
//! One trigger byte serves every form there is: `<URL:...>`, `<scheme:...>`, `URL:scheme:...` and
//! bare URLs all hold a colon. Most colons in text are punctuation, so a colon counts only if
//!
//! - the next byte is `/`, or
//! - the byte before it is the last letter of a scheme that is found without `//` (`mailto`,
//!   `news`, the word `URL`, and what the user named), in either case, or
//! - the byte before it is a blank (a wrapper may be broken right before its colon).
//!
//! Everything else is judged at these anchors and nowhere else.

mod portable;

pub(crate) use portable::Anchors;

/// Which colons are anchors.
#[derive(Clone, Debug)]
pub(crate) struct Trigger {
    /// Indexed by the byte before a colon: whether that alone makes it an anchor.
    before: [bool; 256],
}

impl Trigger {
    /// A trigger for the schemes that are found without `//`; only their last letters matter.
    pub(crate) fn new<'n>(schemes: impl IntoIterator<Item = &'n str>) -> Self {
        let mut before = [false; 256];
        for blank in [b'\t', b'\n', b'\x0B', b'\x0C', b'\r', b' '] {
            before[usize::from(blank)] = true;
        }
        for name in schemes {
            if let Some(last) = name.bytes().last() {
                before[usize::from(last.to_ascii_lowercase())] = true;
                before[usize::from(last.to_ascii_uppercase())] = true;
            }
        }
        Self { before }
    }

    /// The offsets of the anchors in `text` from byte `from` on, ascending.
    pub(crate) fn anchors<'t>(&self, text: &'t [u8], from: usize) -> Anchors<'t> {
        Anchors::new(self, text, from)
    }

    /// Whether the colon at byte `at` is an anchor. The rule itself, which every implementation
    /// must agree with.
    fn accepts(&self, text: &[u8], at: usize) -> bool {
        text.get(at + 1) == Some(&b'/')
            || at
                .checked_sub(1)
                .and_then(|i| text.get(i))
                .is_some_and(|&b| self.before[usize::from(b)])
    }
}
