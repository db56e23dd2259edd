//! Finds the regions of Org: code, and the destinations of `[[url][text]]` and `[[url]]`.

use super::region::{Region, RegionKind};
use memchr::{memchr_iter, memchr2_iter, memmem};
use urlsift_core::Span;

/// The maximum length of a destination or of code within a line, in bytes.
const MAX_LEN: usize = 4096;

/// Returns the code and the link destinations of an Org text, not yet in order.
pub(super) fn org_regions(text: &[u8]) -> Vec<Region> {
    let mut regions = Vec::new();
    // The name of the open block, and the offset after the line that starts it.
    let mut open: Option<(&[u8], usize)> = None;
    let mut at = 0;
    for line in text.split_inclusive(|&b| b == b'\n') {
        let start = at;
        at += line.len();
        let body = line.trim_ascii();
        if let Some((name, from)) = open {
            if block_name(body, b"#+end_").is_some_and(|end| end.eq_ignore_ascii_case(name)) {
                regions.push(Region { span: Span::new(from, start), kind: RegionKind::CodeBlock });
                open = None;
            }
        } else if let Some(name) = block_name(body, b"#+begin_").filter(|name| is_code(name)) {
            open = Some((name, at));
        } else if body == b":" || body.starts_with(b": ") {
            regions.push(Region { span: Span::new(start, at), kind: RegionKind::CodeBlock });
        } else {
            push_code_spans(line, start, &mut regions);
            push_destinations(line, start, &mut regions);
        }
    }
    if let Some((_, from)) = open {
        regions.push(Region { span: Span::new(from, text.len()), kind: RegionKind::CodeBlock });
    }
    regions
}

/// Returns the name of the block that `line` starts or ends, e.g. `src` for `#+begin_src sh`.
/// `prefix` is the text before the name, in lower case.
fn block_name<'t>(line: &'t [u8], prefix: &[u8]) -> Option<&'t [u8]> {
    let head = line.get(..prefix.len())?;
    let name = head.eq_ignore_ascii_case(prefix).then(|| line.get(prefix.len()..))??;
    name.split(u8::is_ascii_whitespace).next()
}

/// True if a block with this name contains code or literal text.
fn is_code(name: &[u8]) -> bool {
    [&b"src"[..], b"example", b"export", b"comment"]
        .iter()
        .any(|known| name.eq_ignore_ascii_case(known))
}

/// Adds the parts of a line in `=...=` or `~...~` to `regions`. `line_start` is the offset of the
/// line.
fn push_code_spans(line: &[u8], line_start: usize, regions: &mut Vec<Region>) {
    let byte = |at: usize| line.get(at).copied().unwrap_or(b' ');
    let mut end = 0;
    // For each of the two marks, the offset up to which a search found no closing mark. So a line
    // with many opening marks is searched only once.
    let mut unclosed = [0; 2];
    for from in memchr2_iter(b'=', b'~', line) {
        let mark = byte(from);
        let before = from.checked_sub(1).map_or(b' ', byte);
        let opens = before.is_ascii_whitespace() || b"-({\'\"|".contains(&before);
        if from < end || !opens || byte(from + 1).is_ascii_whitespace() {
            continue;
        }
        let closes = |at: &usize| {
            let after = byte(at + 1);
            !byte(at - 1).is_ascii_whitespace()
                && (after.is_ascii_whitespace() || b"-.,;:!?)}\'\"[|".contains(&after))
        };
        let searched = &mut unclosed[usize::from(mark == b'~')];
        let start = (*searched).max(from + 2);
        let max = line.len().min(from + 1 + MAX_LEN);
        let window = line.get(start..max).unwrap_or_default();
        match memchr_iter(mark, window).map(|at| start + at).find(closes) {
            Some(close) => {
                end = close;
                let span = Span::new(line_start + from + 1, line_start + close);
                regions.push(Region { span, kind: RegionKind::CodeSpan });
            }
            None => *searched = max,
        }
    }
}

/// Adds the destinations of the links in a line to `regions`. `line_start` is the offset of the
/// line.
fn push_destinations(line: &[u8], line_start: usize, regions: &mut Vec<Region>) {
    for open in memmem::find_iter(line, b"[[") {
        let from = open + 2;
        let rest = line.get(from..).unwrap_or_default();
        let rest = rest.get(..MAX_LEN).unwrap_or(rest);
        let Some(len) = rest.iter().position(|b| matches!(b, b'[' | b']' | b'\n')) else {
            continue;
        };
        let is_closed = matches!(rest.get(len..len + 2), Some(b"][" | b"]]"));
        let value = rest.get(..len).unwrap_or_default();
        // Other texts are the names of headings.
        let is_path = [&b"./"[..], b"../", b"/"].iter().any(|it| value.starts_with(it));
        if is_closed && (value.contains(&b':') || is_path) {
            let span = Span::new(line_start + from, line_start + from + len);
            regions.push(Region { span, kind: RegionKind::Destination });
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn destinations_end_at_their_bracket() {
        let text =
            "[[http://h/a.][b c]], [[http://h/d]] [[id:x][y] [[e]] [[f:g\nh]] x[[0]] [[./i]]";
        let found: Vec<_> = crate::markup_regions(text.as_bytes(), crate::Dialect::Org)
            .into_iter()
            .map(|region| &text[region.span.range()])
            .collect();
        assert_eq!(found, ["http://h/a.", "http://h/d", "id:x", "./i"]);
    }

    #[test]
    fn code_is_found() {
        let text = "=a= b~c ~d [[e:f]]~. g\n#+BEGIN_SRC sh\n[[h:i]]\n#+end_src\n: [[j:k]]\n";
        let found: Vec<_> = crate::markup_regions(text.as_bytes(), crate::Dialect::Org)
            .into_iter()
            .map(|region| text[region.span.range()].trim())
            .collect();
        assert_eq!(found, ["a", "d [[e:f]]", "[[h:i]]", ": [[j:k]]"]);
    }

    #[test]
    fn search_for_closing_marks_is_linear() {
        let text = format!("{}=b=", "=a ~a ".repeat(400_000));
        let found = crate::markup_regions(text.as_bytes(), crate::Dialect::Org);
        assert_eq!(found.len(), 1);
    }
}
