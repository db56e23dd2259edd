//! What a URL stands in.

use crate::extent::ExtentRules;
use crate::read::wrapper;
use crate::scheme::anchor::Anchor;
use crate::scheme::{is_prefix_word, is_scheme_byte};

/// What the pass knows of the text before a colon.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PassState {
    /// Where the last URL ended.
    pub(crate) left: usize,
    /// No URL starts before this byte.
    pub(crate) floor: usize,
    /// The last `<` that opens no wrapper.
    pub(crate) plain: Option<usize>,
}

/// What a URL stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Frame {
    /// In running text, and neither wrapper nor prefix nor more of the scheme can stand before it.
    Bare,
    /// Behind the `<` of what may be a wrapper.
    Angle,
    /// Behind the prefix `URL:`.
    Prefixed,
}

impl Frame {
    /// `None` if it takes a closer look to tell.
    #[inline(always)]
    pub(super) fn of(
        text: &[u8],
        anchor: &Anchor,
        pass: &PassState,
        rules: ExtentRules<'_>,
    ) -> Option<Self> {
        let start = anchor.start;
        if start < pass.floor {
            return None;
        }
        let Some(before) = start.checked_sub(1) else { return Some(Self::Bare) };
        let lead = text[before];
        if lead == b'<' {
            return Some(Self::Angle);
        }
        if is_scheme_byte(lead) {
            return None;
        }
        // The prefix of a wrapper that is none, as was found at its own colon.
        if lead == b':'
            && let Some(open) = before.checked_sub(b"<URL".len())
            && pass.plain == Some(open)
            && is_prefix_word(&text[open + 1..before])
        {
            return Some(Self::Prefixed);
        }
        // No wrapper opens within a URL.
        let left = pass.left.min(start);
        let (since, start, colon) = (&text[left..], start - left, anchor.colon - left);
        let blanks = wrapper::blanks_before(since, start);
        if wrapper::may_open_before(since, start, blanks, colon, rules.schemes) {
            return None;
        }
        // Where the last URL ended, it is not known what stands before the blanks.
        let may_be_prefixed = matches!(lead, b' ' | b'\t' | b':')
            && matches!(since[..start - blanks].last(), Some(b':') | None);
        let is_prefixed = may_be_prefixed && anchor.prefix(text).is_some();
        Some(if is_prefixed { Self::Prefixed } else { Self::Bare })
    }
}
