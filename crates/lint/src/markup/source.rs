//! Finds the regions of source code: everything except comments and docstrings is code. In JSON
//! and RDF, everything is code.

use crate::language::{Language, Syntax};
use urlsift_archive::{Region, RegionKind};
use urlsift_core::Span;

/// Returns the regions of code in a program: everything outside of comments, and code samples
/// inside comments.
pub(super) fn code_regions(text: &[u8], language: Language) -> Vec<Region> {
    let mut regions = Vec::new();
    let mut code_from = 0;
    // The open fence of the previous line comment, which continues in the next one.
    let mut fence = None;
    for_each_comment(text, language, &mut |comment, is_line| {
        let code = Span::new(code_from, comment.start);
        regions.push(Region { span: code, kind: RegionKind::CodeBlock });
        fence.take_if(|_| !is_single_line_break(&text[code.range()]));
        push_code_in_comment(text, comment, &mut fence, &mut regions);
        fence.take_if(|_| !is_line);
        code_from = comment.end;
    });
    regions.push(Region { span: Span::new(code_from, text.len()), kind: RegionKind::CodeBlock });
    regions.retain(|region| !region.span.is_empty());
    regions
}

/// Returns the documentation in a program, in order: the documentation comments of Rust, and the
/// insides of the docstrings of Python. Other languages have none.
pub(super) fn doc_comments(text: &[u8], language: Language) -> Vec<Span> {
    let mut docs = Vec::new();
    if !matches!(language, Language::Rust | Language::Python) {
        return docs;
    }
    for_each_comment(text, language, &mut |comment, _| match &text[comment.range()] {
        [b'/', b'/', b'/' | b'!', ..] | [b'/', b'*', b'*' | b'!', ..] => docs.push(comment),
        quoted @ [b'"' | b'\'', ..] => {
            let is_closed = quoted.len() >= 6 && quoted.ends_with(&quoted[..3]);
            let end = comment.end - if is_closed { 3 } else { 0 };
            docs.push(Span::new(comment.start + 3, end.max(comment.start + 3)));
        }
        _ => {}
    });
    docs
}

/// Calls `each` for every comment and docstring of a program, in order, with true for comments that
/// end with their line. JSON and RDF are read as if they had no comments.
fn for_each_comment(text: &[u8], language: Language, each: &mut dyn FnMut(Span, bool)) {
    if !language.has_linted_comments() {
        return;
    }
    let syntax = language.syntax();
    let may_start = start_bytes(syntax, language);
    // PHP programs are in HTML.
    let mut is_program = language != Language::Php;
    let mut at = 0;
    while let Some(len) = text[at..].iter().position(|byte| may_start[usize::from(*byte)]) {
        at += len;
        let rest = &text[at..];
        if !is_program || language == Language::Php && rest.starts_with(b"?>") {
            is_program = !is_program && rest.starts_with(b"<?");
            at += 1;
            continue;
        }
        let mut is_line = false;
        let starts_line_comment = syntax.line.iter().any(|it| rest.starts_with(it.as_bytes()));
        let comment = if starts_line_comment && may_start_comment(text, at, language) {
            is_line = true;
            Some(line_comment_len(rest, language))
        } else if syntax.block && rest.starts_with(b"/*") {
            Some(block_comment_len(rest, syntax.nests))
        } else if language == Language::Python && is_docstring(text, at) {
            let inner = memchr::memmem::find(&rest[3..], &rest[..3]);
            Some(inner.map_or(rest.len(), |len| len + 6))
        } else {
            None
        };
        if let Some(len) = comment {
            each(Span::new(at, at + len), is_line);
            at += len;
        } else {
            at += literal_len(rest, syntax, language).unwrap_or(1);
        }
    }
}

/// Returns a table of the bytes that can start a comment, a literal or a program, or end a program.
fn start_bytes(syntax: &Syntax, language: Language) -> [bool; 256] {
    let mut table = [false; 256];
    let comments = syntax.line.iter().flat_map(|it| it.bytes().take(1)).chain(*b"/");
    let others: &[u8] = match language {
        Language::Css | Language::Scss => b"u",
        Language::Php => b"<?",
        _ => b"",
    };
    // `r` starts a raw string of Rust.
    let literals = syntax.quotes.iter().chain(syntax.long_quotes).copied().chain(*b"\"'r");
    for byte in comments.chain(literals).chain(others.iter().copied()) {
        table[usize::from(byte)] = true;
    }
    table
}

/// True if a comment that ends with its line may start at offset `at`. In a shell script, it starts
/// only at the start of a word, and in Tcl only at the start of a command. In other languages, it
/// doesn't start after a colon, as in `http://`.
fn may_start_comment(text: &[u8], at: usize, language: Language) -> bool {
    let before = at.checked_sub(1).map_or(b'\n', |before| text[before]);
    match language {
        Language::Shell => before.is_ascii_whitespace() || before == b';',
        Language::Tcl => {
            let is_blank = |b: &&u8| matches!(b, b' ' | b'\t');
            let before = text[..at].iter().rev().find(|b| !is_blank(b));
            before.is_none_or(|b| b"\n;{".contains(b))
        }
        // `#[` starts an attribute.
        Language::Php if text[at..].starts_with(b"#[") => false,
        _ => before != b':',
    }
}

/// Returns the length in bytes of the line comment at the start of `rest`, without the line feed
/// after it. In PHP, the comment also ends before `?>`.
fn line_comment_len(rest: &[u8], language: Language) -> usize {
    let len = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
    let end = (language == Language::Php).then(|| memchr::memmem::find(&rest[..len], b"?>"));
    end.flatten().unwrap_or(len)
}

/// Returns the length in bytes of the block comment at the start of `rest`. `nests` is true if
/// comments can contain comments.
fn block_comment_len(rest: &[u8], nests: bool) -> usize {
    let (mut depth, mut at) = (1, 2);
    while let Some(star) = memchr::memchr(b'*', &rest[at..]).map(|len| at + len) {
        if rest.get(star + 1) == Some(&b'/') {
            depth -= 1;
            at = star + 2;
            if depth == 0 {
                return at;
            }
        } else {
            depth += usize::from(nests && star > at && rest[star - 1] == b'/');
            at = star + 1;
        }
    }
    rest.len()
}

/// Returns the length in bytes of the string or character literal at the start of `rest`, or `None`
/// if `rest` doesn't start with a literal.
fn literal_len(rest: &[u8], syntax: &Syntax, language: Language) -> Option<usize> {
    let quote = rest[0];
    if matches!(language, Language::Css | Language::Scss) && rest.starts_with(b"url(") {
        // A quoted URL is scanned as a string. Any other URL ends at `)` or at the end of the line,
        // and `//` in it doesn't start a comment.
        let inside = rest[4..].trim_ascii_start();
        let len = rest.iter().position(|b| b")\n".contains(b)).unwrap_or(rest.len());
        return Some(if inside.starts_with(b"\"") || inside.starts_with(b"'") { 4 } else { len });
    }
    if language == Language::Rust && quote == b'r' {
        let hashes = rest[1..].iter().take_while(|&&b| b == b'#').count();
        if rest.get(1 + hashes) == Some(&b'"') {
            let close = [&b"\""[..], &rest[1..=hashes]].concat();
            let inner = memchr::memmem::find(&rest[hashes + 2..], &close);
            return Some(inner.map_or(rest.len(), |len| hashes + 2 + len + close.len()));
        }
    }
    if language == Language::Rust && quote == b'\'' {
        // Without a closing quote, `'a` is a lifetime.
        return (rest.get(1) == Some(&b'\\'))
            .then_some(3)
            .or((rest.get(2) == Some(&b'\'')).then_some(3));
    }
    if language == Language::Python && starts_with_triple_quote(rest) {
        let inner = memchr::memmem::find(&rest[3..], &rest[..3]);
        return Some(inner.map_or(rest.len(), |len| len + 6));
    }
    let long = syntax.long_quotes.contains(&quote);
    if !long && !syntax.quotes.contains(&quote) {
        return None;
    }
    let escapes = !(quote == b'`' && language == Language::Go
        || quote == b'\'' && language == Language::Shell);
    let mut at = 1;
    while let Some(&b) = rest.get(at) {
        match b {
            b'\\' if escapes => at += 1,
            b'\n' if !long => return Some(at),
            _ if b == quote => return Some(at + 1),
            _ => {}
        }
        at += 1;
    }
    Some(rest.len())
}

/// True if `rest` starts with three quotation marks.
fn starts_with_triple_quote(rest: &[u8]) -> bool {
    rest.starts_with(b"\"\"\"") || rest.starts_with(b"'''")
}

/// True if the triple-quoted string at offset `at` is a statement of its own, as a docstring is,
/// and not an argument or a value.
fn is_docstring(text: &[u8], at: usize) -> bool {
    if !starts_with_triple_quote(&text[at..]) {
        return false;
    }
    let before = &text[..at];
    let prefix = before.iter().rev().take_while(|b| b.is_ascii_alphabetic()).count().min(2);
    let before = &before[..at - prefix];
    // Search only the indentation. If the text is a single line, searching the line for each string
    // would be slow.
    let is_indent = |byte: &&u8| **byte != b'\n' && byte.is_ascii_whitespace();
    let above = &before[..before.len() - before.iter().rev().take_while(is_indent).count()];
    let head = above.trim_ascii_end();
    matches!(above, [] | [.., b'\n']) && head.last().is_none_or(|b| !b"=(,[{+\\".contains(b))
}

/// The line that opens a fenced code block, with at least three backquotes or tildes. The line that
/// closes the block must have at least as many.
#[derive(Clone, Copy)]
struct Fence {
    mark: u8,
    len: usize,
}

impl Fence {
    fn at(body: &[u8]) -> Option<Self> {
        let mark = *body.first().filter(|b| b"`~".contains(b))?;
        let len = body.iter().take_while(|&&b| b == mark).count();
        let is_span = mark == b'`' && body[len..].contains(&mark);
        (len >= 3 && !is_span).then_some(Self { mark, len })
    }

    fn is_closed_by(self, body: &[u8]) -> bool {
        let body = body.trim_ascii_end();
        body.len() >= self.len && body.iter().all(|&b| b == self.mark)
    }
}

/// Adds the regions of code in a comment: fenced blocks, sessions after the prompt `>>>`, and code
/// spans in backquotes. `fence` is the fence of a block that an earlier comment opened, if any.
fn push_code_in_comment(
    text: &[u8],
    comment: Span,
    fence: &mut Option<Fence>,
    regions: &mut Vec<Region>,
) {
    let mut at = comment.start;
    // The output of the program follows a prompt up to a blank line.
    let mut is_session = false;
    for line in text[comment.range()].split_inclusive(|&b| b == b'\n') {
        let start = at;
        at += line.len();
        let body = line.iter().position(|b| !b.is_ascii_whitespace() && !b"/*!#".contains(b));
        let body = &line[body.unwrap_or(line.len())..];
        let opened = Fence::at(body);
        is_session = !body.is_empty() && (is_session || body.starts_with(b">>>"));
        if fence.is_some() || opened.is_some() || is_session {
            regions.push(Region { span: Span::new(start, at), kind: RegionKind::CodeBlock });
        } else {
            let mut ticks = memchr::memchr_iter(b'`', line);
            while let (Some(open), Some(close)) = (ticks.next(), ticks.next()) {
                let span = Span::new(start + open, start + close);
                regions.push(Region { span, kind: RegionKind::CodeSpan });
            }
        }
        *fence = match *fence {
            Some(open) if open.is_closed_by(body) => None,
            None => opened,
            open => open,
        };
    }
}

/// True if only one line break and spaces are between two comments, so that they form one text.
fn is_single_line_break(between: &[u8]) -> bool {
    between.iter().all(u8::is_ascii_whitespace) && memchr::memchr_iter(b'\n', between).count() == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fences_continue_over_line_comments() {
        let text =
            "/// a\n/// ```text\n/// b\n///\n/// ~~~\n/// ```\n/// c\nfn d() {}\n// ````\n\n// e\n";
        let mut kept = text.as_bytes().to_vec();
        for region in code_regions(text.as_bytes(), Language::Rust).iter().rev() {
            kept.drain(region.span.range());
        }
        assert_eq!(String::from_utf8(kept).unwrap(), "/// a/// c// e");
    }

    #[test]
    fn only_comments_are_not_code() {
        for (language, text, left) in [
            (
                Language::Rust,
                "let a = \"// no\"; // yes\n/* so /* too */ */ 'x' r#\"/* no\"#",
                "// yes/* so /* too */ */",
            ),
            (Language::C, "char *a = \"/* no\"; /* yes */ int b; // so\n", "/* yes */// so"),
            (Language::Css, "a { b: url(//no); /* yes */ c: '/* no */' }\n", "/* yes */"),
            (
                Language::Scss,
                "a { b: url( \"//no\") url(c//no) /* yes */ } // so\n",
                "/* yes */// so",
            ),
            (
                Language::Php,
                "<a href='b'>// don't</a><?php // yes ?> # no\n<?= 'c\n# no' #[no] # so\n",
                "// yes # so",
            ),
            (
                Language::Tcl,
                "# yes\nputs a # no\nputs \"b\n# no\" ;# so\n{ # too\n",
                "# yes# so# too",
            ),
            (
                Language::Python,
                "def f():\n    \"\"\"Yes.\"\"\"\n    x = \"\"\"no\"\"\" # so\n",
                "\"\"\"Yes.\"\"\"# so",
            ),
            (Language::Shell, "echo $# '# no' # yes\n", "# yes"),
            (Language::Go, "a := `// no` // yes\n", "// yes"),
            (
                Language::JavaScript,
                "const a = 'it\\'s // no', b = `${x} // no`; // yes\n",
                "// yes",
            ),
        ] {
            let mut kept = text.as_bytes().to_vec();
            for region in code_regions(text.as_bytes(), language).iter().rev() {
                kept.drain(region.span.range());
            }
            assert_eq!(String::from_utf8(kept).unwrap(), left, "{language:?}");
        }
    }
}
