//! Decides whether bars, carets, backquotes and braces next to a URL are part of it or end it.
//! `label` decides it for square brackets.
//!
//! RFC 1738 allows none of them in a URL, and text uses them around URLs: in rows of tables, links
//! of wikis, numbers of footnotes. But a URL that contains one unencoded (`file:///C|/a`,
//! `gopher://host/device:[dir]`, `http://h.dom/{name}`) must not be cut there, since the part
//! before it would be a valid URL that points elsewhere. The text before the URL on its line
//! decides which case applies.

use crate::scheme::scheme_run_len_before;
use crate::text::iri;
use memchr::memmem;

/// The maximum distance back to the start of the URL, and to the text before the URL that is read,
/// in bytes.
const REACH: usize = 256;
/// The maximum distance from an opening brace to the closing one, or from a caret to the end of an
/// exponent, in bytes.
const MAX_NOTE: usize = 64;

/// True if the bar (`|`) at byte `at` belongs to the URL before it. `line` caches facts about the
/// line.
pub(super) fn is_bar_in_url(text: &[u8], at: usize, line: &mut Option<LineState>) -> bool {
    is_url_byte_at(text, at + 1)
        && !LineState::state_at(line, text, at).has_separator_before(text, at)
}

/// True if the caret (`^`) at byte `at` belongs to the URL before it, and doesn't mark a
/// superscript. Letters or digits and then a URL delimiter must follow. `line` caches facts about
/// the line.
pub(super) fn is_caret_in_url(text: &[u8], at: usize, line: &mut Option<LineState>) -> bool {
    let mut after = text[at..].iter().take(MAX_NOTE).skip_while(|&&byte| byte == b'^');
    after.next().is_some_and(u8::is_ascii_alphanumeric)
        && after
            .find(|byte| !byte.is_ascii_alphanumeric())
            .is_some_and(|byte| b"/%~=&#_?@".contains(byte))
        && !LineState::state_at(line, text, at).has_separator_before(text, at)
}

/// True if the backquote at byte `at` belongs to the URL before it. A URL in quotes continues up to
/// the closing quote, as in ``"http://h.dom/a`b"``.
pub(super) fn is_backquote_in_url(text: &[u8], at: usize, line: &mut Option<LineState>) -> bool {
    is_url_byte_at(text, at + 1)
        && LineState::state_at(line, text, at).has_closing_quote_after(text, at, at + 1, b"\"'")
}

/// Returns the length of the Chinese, Japanese or Korean word at byte `at` if the word belongs to
/// the URL before it, because the URL is in quotes and continues after the word, as in
/// `"http://h.dom/a漢字/b"`. Otherwise returns 0.
pub(super) fn quoted_word_len(text: &[u8], at: usize, line: &mut Option<LineState>) -> usize {
    let len = iri::cjk_word_len(&text[at..text.len().min(at + MAX_NOTE)]);
    let next = text.get(at + len);
    let continues =
        len > 0 && next.is_some_and(|b| b.is_ascii_alphanumeric() || b"/._-=&%".contains(b));
    let state = continues.then(|| LineState::state_at(line, text, at));
    let is_quoted =
        state.is_some_and(|state| state.has_closing_quote_after(text, at, at + len, b"\"'"));
    if is_quoted { len } else { 0 }
}

/// True if the brace at byte `at` opens a placeholder in the URL before it (`http://h.dom/{name}`,
/// `{{name}}`, `{}`).
///
/// A delimiter must come before the brace, or more of the URL after the placeholder. At the end of
/// a word, expressions of URI templates (`http://h.dom/a{?b}`) and placeholders in quoted URLs are
/// accepted, too.
pub(super) fn opens_placeholder(text: &[u8], at: usize, line: &mut Option<LineState>) -> bool {
    let inside = &text[at + 1..text.len().min(at + 1 + MAX_NOTE)];
    let (inside, close) = match inside.strip_prefix(b"{") {
        Some(inside) => (inside, &b"}}"[..]),
        None => (inside, &b"}"[..]),
    };
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.,*?+/;&#=:!@$%|".contains(byte);
    let len = inside.iter().take_while(|byte| is_name(byte)).count();
    let (name, after) = (&inside[..len], at + len + 2 * close.len());
    if !inside[len..].starts_with(close)
        || text[at - 1] == b'@' && is_amiga_command(name)
        || LineState::state_at(line, text, at).is_url_in_braces(text, at)
    {
        return false;
    }
    !text[at - 1].is_ascii_alphanumeric()
        || continues_after_placeholder(text, after)
        || is_template_expression(name)
        || LineState::state_at(line, text, at).has_closing_quote_after(text, at, after, b"\"'`")
}

/// True if the URL continues at byte `at`, right after a placeholder. Punctuation continues it only
/// before a letter or digit.
fn continues_after_placeholder(text: &[u8], at: usize) -> bool {
    let is_name_at = |at: usize| text.get(at).is_some_and(u8::is_ascii_alphanumeric);
    is_url_byte_at(text, at)
        || matches!(text.get(at), Some(b'.' | b'?' | b':' | b';' | b'@')) && is_name_at(at + 1)
}

/// True if `name` is an expression of a URI template (RFC 6570 section 2.2) with an operator.
fn is_template_expression(name: &[u8]) -> bool {
    let is_operator = |byte: u8| b"+#./;?&".contains(&byte);
    matches!(name, [mark, first, ..] if is_operator(*mark) && first.is_ascii_alphabetic())
}

/// True if `name` is a command of AmigaGuide that formats text: bold (`@{B}`), underlined, or the
/// end of one of these (`@{UB}`).
fn is_amiga_command(name: &[u8]) -> bool {
    const NAMES: [&[u8]; 8] = [b"b", b"i", b"u", b"ub", b"ui", b"uu", b"plain", b"code"];
    NAMES.iter().any(|known| known.eq_ignore_ascii_case(name))
}

/// True if the closing brace at byte `at` closes one that opened in the URL before it.
pub(super) fn closes_placeholder(text: &[u8], at: usize, line: &mut Option<LineState>) -> bool {
    let url = &text[LineState::state_at(line, text, at).url_start(text, at)..at];
    let inside = memchr::memrchr(b'{', url).map(|brace| &url[brace..]);
    inside.is_some_and(|inside| memmem::find(inside, b"://").is_none())
        && has_unclosed(url, b'{', b'}')
}

/// True if a character starts at byte `at` that belongs to a URL and is not punctuation.
pub(super) fn is_url_byte_at(text: &[u8], at: usize) -> bool {
    match text.get(at) {
        Some(0x80..) => iri::url_char_len_at(text, at) > 0,
        Some(byte) => byte.is_ascii_alphanumeric() || b"/%~$+=&#_-".contains(byte),
        None => false,
    }
}

/// A cache of facts about the text before an offset, on the same line and at most [`REACH`] bytes
/// back. While one URL's extent is followed, the offset only moves forward, so all queries together
/// take linear time.
pub(super) struct LineState {
    /// The start of the line, or the earliest byte that is read.
    start: usize,
    /// The start of the line's last word, or the earliest byte that is read.
    word: usize,
    /// The start of the URL in that word, once the slashes after its scheme were found.
    url: Option<usize>,
    /// The offset from which to search for the first colon before slashes.
    slashed: usize,
    /// The offset from which to search for the first colon of any kind.
    colon: usize,
    /// The offset from which to search for the colon of a glued URL.
    glued: usize,
}

impl LineState {
    /// Returns the state in `line`. If there is none yet, creates the state of byte `at`.
    pub(super) fn state_at<'l>(line: &'l mut Option<Self>, text: &[u8], at: usize) -> &'l mut Self {
        line.get_or_insert_with(|| {
            let floor = at.saturating_sub(REACH);
            let reach = &text[floor..at];
            let after = |found: Option<usize>| floor + found.map_or(0, |at| at + 1);
            let start = after(memchr::memrchr2(b'\n', b'\r', reach));
            let quote = after(memchr::memrchr3(b' ', b'\t', b'"', reach));
            let word = start.max(quote).max(after(memchr::memrchr2(b'<', b'>', reach)));
            Self { start, word, url: None, slashed: word, colon: word, glued: word }
        })
    }

    /// Returns the start of the URL that byte `at` continues. If the start is more than [`REACH`]
    /// bytes back, returns the offset of the earliest byte that is examined.
    pub(super) fn url_start(&mut self, text: &[u8], at: usize) -> usize {
        let floor = at.saturating_sub(REACH);
        self.start = self.start.max(floor);
        if floor > self.word {
            (self.word, self.url) = (floor, None);
        }
        if let Some(url) = self.url {
            return url;
        }
        let start = |line: &Self, colon| {
            colon - scheme_run_len_before(&text[line.word..], colon - line.word)
        };
        self.slashed = next_colon(text, self.slashed.max(self.word), at, b"//");
        if self.slashed < at {
            let url = start(self, self.slashed);
            self.url = Some(url);
            return url;
        }
        self.colon = next_colon(text, self.colon.max(self.word), at, b"");
        if self.colon < at {
            return start(self, self.colon);
        }
        // A host without a scheme starts with a letter or digit.
        let word = &text[self.word..at];
        self.word + word.iter().position(u8::is_ascii_alphanumeric).unwrap_or(0)
    }

    /// True if a double quote is right before the URL that byte `at` continues.
    pub(super) fn is_url_quoted(&mut self, text: &[u8], at: usize) -> bool {
        let start = self.url_start(text, at);
        start == self.word && start.checked_sub(1).is_some_and(|quote| text[quote] == b'"')
    }

    /// True if one of `quotes` is right before the URL that byte `at` continues, and the word from
    /// byte `after` on ends at the same quote.
    pub(super) fn has_closing_quote_after(
        &mut self,
        text: &[u8],
        at: usize,
        after: usize,
        quotes: &[u8],
    ) -> bool {
        let start = self.url_start(text, at);
        let Some(quote) = start.checked_sub(1).map(|before| text[before]) else { return false };
        let near = &text[after.min(text.len())..text.len().min(after + MAX_NOTE)];
        let is_end = |byte: &&u8| **byte <= b' ' || b"\"'`<>\\".contains(*byte);
        self.url.is_some() && quotes.contains(&quote) && near.iter().find(is_end) == Some(&quote)
    }

    /// True if a brace opens before the URL in the same word, and isn't closed before it.
    fn is_url_in_braces(&mut self, text: &[u8], at: usize) -> bool {
        let start = self.url_start(text, at);
        has_unclosed(&text[self.word..start], b'{', b'}')
    }

    /// True if a bar before the URL, or an unclosed `[` or `{`, shows that bars on this line
    /// separate items. Also true if another URL starts before byte `at`, right after a bar:
    /// `http://a/|http://b/`.
    pub(super) fn has_separator_before(&mut self, text: &[u8], at: usize) -> bool {
        let start = self.url_start(text, at);
        let before = &text[self.start..start];
        if before.contains(&b'|')
            || has_unclosed(before, b'[', b']')
            || has_unclosed(before, b'{', b'}')
        {
            return true;
        }
        let mut colon = next_colon(text, self.glued.max(start), at, b"//");
        while colon < at {
            let head = &text[start..colon];
            if head[..head.len() - scheme_run_len_before(head, head.len())].ends_with(b"|") {
                return true;
            }
            colon = next_colon(text, colon + 1, at, b"//");
        }
        self.glued = at;
        false
    }
}

/// Returns the offset of the first colon in `from..at` that the bytes `following` follow, or `at`
/// if there is none.
fn next_colon(text: &[u8], from: usize, at: usize, following: &[u8]) -> usize {
    let colons = memchr::memchr_iter(b':', &text[from..at]).map(|len| from + len);
    colons.into_iter().find(|colon| text[colon + 1..at].starts_with(following)).unwrap_or(at)
}

/// True if `text` contains more of the brackets `open` than of the brackets `close`.
pub(super) fn has_unclosed(text: &[u8], open: u8, close: u8) -> bool {
    let count = |byte| memchr::memchr_iter(byte, text).count();
    !text.is_empty() && count(open) > count(close)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extent::label;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn cached_line_state_equals_fresh_one(
            before in "[\\[\\]{}|a \n\"'<]{0,4}[a ]{0,200}[|\\[ '\"]?",
            url in proptest::collection::vec(proptest::sample::select(&["http://h.dom/", "://", ":", "|", "|a", "[a", "a]", "{", "{a}", "{{a}}", "{}", "{?a}", "`a", "'", "^a&", "ftp", "|x://", "&a", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"][..]), 0..60),
        ) {
            let text = format!("{before}http://a.b/{}", url.concat());
            let mut line = None;
            for at in before.len() + 11..text.len() {
                let text = text.as_bytes();
                let belongs_to_url = match text[at] {
                    b'|' => is_bar_in_url,
                    b'[' => label::opens_bracket_in_url,
                    b']' => label::closes_bracket_in_url,
                    b'^' => is_caret_in_url,
                    b'`' => is_backquote_in_url,
                    b'{' => opens_placeholder,
                    b'}' => closes_placeholder,
                    _ => continue,
                };
                let fresh = belongs_to_url(text, at, &mut None);
                prop_assert_eq!(belongs_to_url(text, at, &mut line), fresh);
                if !fresh {
                    break;
                }
            }
        }
    }
}
