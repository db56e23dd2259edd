//! Page furniture: the footer, form feed and header between two pages of a printed document, such
//! as an RFC.

use crate::Input;
use crate::text::blank;
use crate::text::quote::Marks;
use regex_automata::dfa::{Automaton, StartKind, dense::DFA};
use regex_automata::{Anchored, MatchKind};
use std::sync::LazyLock;

/// The maximum number of lines of page furniture.
const MAX_LINES: usize = 16;

/// Returns the offset at which the text continues after page furniture: a footer, a form feed and a
/// header. The page furniture starts with the blank line at byte `line`. Returns `None` if there is
/// no page furniture.
///
/// There must be a form feed, with at most one line of footer before it and one line of header
/// after it. The search stops at byte `limit`. `marks` are the quote marks to skip at the start of
/// each line.
pub(crate) fn skip_furniture(
    input: &Input<'_>,
    line: usize,
    limit: usize,
    marks: &Marks<'_>,
) -> Option<usize> {
    let text = input.text;
    let mut at = line;
    let mut has_form_feed = false;
    let mut footer = None;
    let mut headers = 0;
    for _ in 0..MAX_LINES {
        if at >= limit {
            return None;
        }
        let start = marks.skip_repeated(text, at);
        let end = line_end(text, start);
        let body = text.get(start..end)?;
        let feed = memchr::memchr(b'\x0C', body);
        let content = body.trim_ascii();
        let content = content.strip_prefix(b"\x0C").unwrap_or(content).trim_ascii();
        if let Some(feed) = feed {
            if has_form_feed {
                return None;
            }
            has_form_feed = true;
            // The footer is checked only now, because most text has no form feed.
            if footer.is_some_and(|line| !is_footer(line)) {
                return None;
            }
            // The line of the form feed may also contain the header or the footer.
            let is_first = body[..feed].trim_ascii().is_empty();
            match content {
                [] => {}
                _ if is_first => headers += 1,
                _ => footer = Some(content),
            }
        } else if !content.is_empty() {
            if !has_form_feed {
                if footer.replace(content).is_some() {
                    return None;
                }
            } else if headers == 0 {
                headers += 1;
                if !is_header(content) {
                    return None;
                }
            } else {
                return (footer.is_some() || headers > 0).then_some(start);
            }
        }
        at = end + blank::line_break_len_at(text, end);
        if at == end {
            return None;
        }
    }
    None
}

/// Returns the offset at which the line that contains byte `from` ends, before its line break.
fn line_end(text: &[u8], from: usize) -> usize {
    let rest = text.get(from..).unwrap_or_default();
    memchr::memchr2(b'\n', b'\r', rest).map_or(text.len(), |at| from + at)
}

/// The patterns of lines between two pages. A footer or header contains a number (of the page, the
/// document, the year) or is set in columns. A line before the form feed that is neither numbered
/// nor in columns is the end of the paragraph.
static FURNITURE: LazyLock<Option<DFA<Vec<u32>>>> = LazyLock::new(|| {
    let patterns = [
        // `Berners-Lee, Masinter & McCahill                             [Page 21]`, `- 21 -`, `Page
        // 21`
        r"(.*\[[Pp][Aa][Gg][Ee] +[0-9IVXLivxl]+\]|([Pp][Aa][Gg][Ee] +)?-* *[0-9IVXLivxl]+ *-*)",
        // `RFC 1738            Uniform Resource Locators (URL)        December 1994`
        r"\S.*[ \t]{3,}\S.*",
        // `RFC 1738`, `December 1994`, `Draft 3.2`
        r".*[0-9]",
    ];
    let config = regex_automata::dfa::dense::Config::new()
        .start_kind(StartKind::Anchored)
        .match_kind(MatchKind::All);
    let syntax = regex_automata::util::syntax::Config::new().unicode(false).utf8(false);
    DFA::builder().configure(config).syntax(syntax).build_many(&patterns).ok()
});

/// The indexes of the first two patterns of [`FURNITURE`].
const FOOTER: usize = 0;
const COLUMNS: usize = 1;

/// True if `line`, from before a form feed, looks like the footer of a page.
fn is_footer(line: &[u8]) -> bool {
    matches_any_pattern(line, |pattern| pattern == FOOTER || pattern == COLUMNS)
}

/// True if `line`, from after a form feed, looks like the header of a page.
fn is_header(line: &[u8]) -> bool {
    matches_any_pattern(line, |_| true)
}

/// True if the whole line matches at least one of the patterns whose index `accepts` accepts.
fn matches_any_pattern(line: &[u8], accepts: impl Fn(usize) -> bool) -> bool {
    let Some(dfa) = &*FURNITURE else { return false };
    let start = regex_automata::util::start::Config::new().anchored(Anchored::Yes);
    let Ok(mut state) = dfa.start_state(&start) else { return false };
    for &byte in line {
        state = dfa.next_state(state, byte);
        if dfa.is_dead_state(state) {
            return false;
        }
    }
    state = dfa.next_eoi_state(state);
    dfa.is_match_state(state)
        && (0..dfa.match_len(state)).any(|at| accepts(dfa.match_pattern(state, at).as_usize()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn footers_and_headers_are_recognized() {
        for footer in
            ["Doe & Roe      Informational     [Page 9]", "- 21 -", "Page iv", "12", "[Page 3]"]
        {
            assert!(is_footer(footer.as_bytes()), "{footer}");
        }
        for text in ["And then we went home,", "See page 10 of it", "in 1994"] {
            assert!(!is_footer(text.as_bytes()), "{text}");
        }
        for header in ["RFC 9999     A title     May 1994", "RFC 9999", "Draft    A title"] {
            assert!(is_header(header.as_bytes()), "{header}");
        }
        assert!(!is_header(b"and so on"));
    }
}
