//! The context of a URL: running text, an angle bracket, or the prefix `URL:`.

use crate::extent::ExtentRules;
use crate::read::wrapper_start;
use crate::scheme::anchor::Anchor;
use crate::scheme::{is_prefix_word, is_scheme_byte};

/// Facts about the text before the current colon. The scan has already found them, so the fast path
/// needn't search backward.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PassState {
    /// The offset after the last URL found, or 0 if none was found.
    pub(crate) last_url_end: usize,
    /// The earliest offset at which a URL may start.
    pub(crate) floor: usize,
    /// The offset of the last `<` that doesn't open a wrapper such as `<URL:...>`; `None` if there
    /// was none.
    pub(crate) plain_open: Option<usize>,
}

/// The text right before a URL. It decides how the fast path reads the URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Context {
    /// Running text, with no wrapper, prefix or further part of the scheme before it.
    Bare,
    /// Right after the `<` of a possible wrapper.
    Angle,
    /// After the prefix `URL:`.
    Prefixed,
}

impl Context {
    /// Returns the context of the URL at `anchor` (a scheme and its colon). Returns `None` for any
    /// other context; the general readers must then decide.
    #[inline(always)]
    pub(super) fn classify(
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
        if !wrapper_start::may_end_opening(lead) {
            return Some(Self::Bare);
        }
        if is_scheme_byte(lead) {
            return None;
        }
        // The prefix after a `<` that doesn't open a wrapper, as the visit of its own colon showed.
        if lead == b':'
            && let Some(open) = before.checked_sub(b"<URL".len())
            && pass.plain_open == Some(open)
            && is_prefix_word(&text[open + 1..before])
        {
            return Some(Self::Prefixed);
        }
        // No wrapper opens within a URL.
        let last_url_end = pass.last_url_end.min(start);
        let (since, start, colon) =
            (&text[last_url_end..], start - last_url_end, anchor.colon - last_url_end);
        let blanks = wrapper_start::count_blanks_before(since, start);
        if wrapper_start::may_have_wrapper_before(since, start, blanks, colon, rules.schemes) {
            return None;
        }
        // If the last URL ends right before the blanks or the colon, what comes before is out of
        // view.
        let may_be_prefixed = matches!(lead, b' ' | b'\t' | b':')
            && matches!(since[..start - blanks], [.., b'l' | b'L', b':'] | [b':'] | []);
        let is_prefixed = may_be_prefixed && anchor.prefix_start(text).is_some();
        Some(if is_prefixed { Self::Prefixed } else { Self::Bare })
    }
}
