//! Finds samples outside of markup's code regions: literal text such as program code and shell
//! sessions.
//!
//! URLs in samples are reported like others, but fixes are never applied to them.

use memchr::memmem;
use std::collections::HashSet;
use urlsift_core::Span;

/// The number of bytes before and after a URL that are searched on its line.
const MARGIN: usize = 1024;

/// The delimiters before an inline sample in Texinfo, LaTeX, POD and wikis.
const OPENERS: [&[u8]; 12] = [
    b"@code{",
    b"@samp{",
    b"@kbd{",
    b"@verb{",
    b"@t{",
    b"\\verb|",
    b"\\verb!",
    b"\\verb+",
    b"\\texttt{",
    b"C<",
    b"{{{",
    b"<nowiki>",
];

/// The lines that start and end a block of samples in Texinfo, LaTeX and wikis, without their
/// indentation.
const BLOCKS: [(&[u8], &[u8]); 11] = [
    (b"@example", b"@end example"),
    (b"@smallexample", b"@end smallexample"),
    (b"@lisp", b"@end lisp"),
    (b"@verbatim", b"@end verbatim"),
    (b"\\begin{verbatim}", b"\\end{verbatim}"),
    (b"\\begin{lstlisting}", b"\\end{lstlisting}"),
    (b"\\begin{minted}", b"\\end{minted}"),
    (b"#+begin_src", b"#+end_src"),
    (b"#+begin_example", b"#+end_example"),
    (b"{{{", b"}}}"),
    (b"<verbatim>", b"</verbatim>"),
];

/// Returns the spans of the blocks in a text that are literal samples, such as shell sessions. The
/// spans are in order. Takes linear time.
///
/// A shell session starts at a prompt, such as `>>> ` or `$ `, and ends at the next blank line. In
/// POD, indented lines are samples.
pub(crate) fn sample_blocks(text: &[u8]) -> Vec<Span> {
    let is_pod = [&b"\n=head1 "[..], b"\n=pod\n", b"\n=over "]
        .iter()
        .any(|mark| memmem::find(text, mark).is_some())
        || text.starts_with(b"=");
    let mut blocks: Vec<Span> = Vec::new();
    let mut push = |line: Span| match blocks.last_mut() {
        Some(last) if last.end == line.start => last.end = line.end,
        _ => blocks.push(line),
    };
    let mut closer: Option<&[u8]> = None;
    let mut is_session = false;
    let mut at = 0;
    for line in text.split_inclusive(|&b| b == b'\n') {
        let span = Span::new(at, at + line.len());
        at = span.end;
        let body = line.trim_ascii();
        let starts = |mark: &[u8]| {
            body.get(..mark.len()).is_some_and(|head| head.eq_ignore_ascii_case(mark))
        };
        if let Some(close) = closer {
            push(span);
            closer = (!starts(close)).then_some(close);
            continue;
        }
        is_session = !body.is_empty() && (is_session || starts_with_prompt(body));
        let is_sample = is_pod && matches!(line[0], b' ' | b'\t');
        if is_session || is_sample {
            push(span);
        } else if body.first().is_some_and(|b| b"@\\#{<".contains(b)) {
            let opened = BLOCKS.iter().find(|(open, close)| {
                starts(open) && memmem::find(&body[open.len()..], close).is_none()
            });
            closer = opened.map(|&(_, close)| close);
        }
    }
    blocks
}

/// True if a line starts with the prompt of a shell or interpreter, e.g. `$ `, `joe@host:~$ `, `>>>
/// `, `In [1]: ` or `mysql> `.
fn starts_with_prompt(line: &[u8]) -> bool {
    if line.starts_with(b"In [") || line.starts_with(b"Out[") {
        return true;
    }
    let word = line.iter().take(64).position(|&b| b == b' ').unwrap_or(0);
    match &line[..word] {
        b">>>" | b"$" => true,
        [name @ .., b'$'] => name.contains(&b'@'),
        [first, name @ .., b'>'] => {
            first.is_ascii_lowercase() && name.iter().all(u8::is_ascii_alphanumeric)
        }
        _ => false,
    }
}

/// True if the line that contains the URL at `span` marks the URL as a sample. `span` includes the
/// wrapper of the URL. `has_code_spans` is true in markup whose parser recognizes backquotes.
///
/// A sample is in backquotes, between two `=` or `~` as in Org and `TWiki`, in a command of Texinfo
/// or LaTeX, or in a string of a program. The name of an XML namespace is a sample, too.
pub(crate) fn is_marked_as_sample(text: &[u8], span: Span, has_code_spans: bool) -> bool {
    let (before, after) = around_on_line(text, span);
    OPENERS.iter().any(|opener| before.ends_with(opener))
        || !has_code_spans && is_in_backquotes(before, after)
        || is_between_marks(before, &text[span.range()], after)
        || is_in_string_literal(before, after)
}

/// Returns the texts before and after `span` on its line, of limited length.
fn around_on_line(text: &[u8], span: Span) -> (&[u8], &[u8]) {
    let before = &text[span.start.saturating_sub(MARGIN)..span.start];
    let before = &before[memchr::memrchr(b'\n', before).map_or(0, |at| at + 1)..];
    let after = &text[span.end..text.len().min(span.end + MARGIN)];
    (before, &after[..memchr::memchr(b'\n', after).unwrap_or(after.len())])
}

/// True if the URL at `span` is in backquotes on its line, as a literal in plain text.
pub(crate) fn is_literal(text: &[u8], span: Span) -> bool {
    let (before, after) = around_on_line(text, span);
    is_in_backquotes(before, after)
}

/// True if the URL is in backquotes. `before` and `after` are the other parts of its line.
fn is_in_backquotes(before: &[u8], after: &[u8]) -> bool {
    after.contains(&b'`') && memchr::memchr_iter(b'`', before).count() % 2 == 1
        || before.ends_with(b"``") && memmem::find(after, b"``").is_some()
}

/// True if the URL is marked as code in a wiki or Org file, e.g. `=http://host/=`, `~http://host/~`
/// or `~[[http://host/][a]]~`. `before` and `after` are the other parts of its line.
fn is_between_marks(before: &[u8], url: &[u8], after: &[u8]) -> bool {
    let word = before.rsplit(u8::is_ascii_whitespace).next().unwrap_or_default();
    let word = &word[word.iter().take_while(|b| b"(|".contains(b)).count()..];
    let [mark @ (b'=' | b'~'), rest @ ..] = word else { return false };
    rest.iter().all(|b| b"[(".contains(b)) && (url.ends_with(&[*mark]) || after.contains(mark))
}

/// True if the URL is in a string of a program, e.g. `x = 'http://host/';`, `get("http://host/")`,
/// `'http://host/' => 1` or `xmlns:a="http://host/"`. `before` and `after` are the other parts of
/// its line.
fn is_in_string_literal(before: &[u8], after: &[u8]) -> bool {
    // In HTML, a quote may be a character reference.
    let quotes = [&b"\""[..], b"'", b"&quot;"];
    let Some(quote) = quotes.into_iter().find(|quote| before.ends_with(quote)) else {
        return false;
    };
    let Some(close) = memmem::find(after, quote) else { return false };
    let head = before[..before.len() - quote.len()].trim_ascii_end();
    if head.ends_with(b"=") {
        let name = head[..head.len() - 1].rsplit(u8::is_ascii_whitespace).next();
        let name = name.unwrap_or_default();
        if name.starts_with(b"xmlns") || name.eq_ignore_ascii_case(b"targetNamespace") {
            return true;
        }
    }
    let next = after[close + quote.len()..].trim_ascii_start();
    let is_closed = next.first().is_none_or(|b| b",;)]}:=+.|".contains(b));
    let is_opened = head.last().is_none_or(|b| b"=([{,:+->&|?".contains(b));
    // A line that starts and ends with the quotes may be prose.
    is_closed && is_opened && !(head.is_empty() && next.is_empty())
}

/// True if one of `words` also occurs as a separate word near the URL at `span`. The text then
/// probably discusses that word, as in "write `%7E` for the tilde".
///
/// Only [`MARGIN`] bytes before and after the URL are searched, once for each distinct word,
/// because a URL may contain thousands of escapes.
pub(crate) fn is_any_discussed<'t>(
    text: &[u8],
    span: Span,
    words: impl Iterator<Item = &'t [u8]>,
) -> bool {
    let before = &text[span.start.saturating_sub(MARGIN)..span.start];
    let after = &text[span.end..text.len().min(span.end + MARGIN)];
    let mut searched = HashSet::new();
    words
        .filter(|&word| searched.insert(word))
        .any(|word| contains_separate_word(before, word) || contains_separate_word(after, word))
}

/// True if `text` contains `word` between blanks, quotes, brackets or punctuation, ignoring case.
fn contains_separate_word(text: &[u8], word: &[u8]) -> bool {
    let is_apart = |b: &u8| b.is_ascii_whitespace() || b"\"'`()[]<>{}=,;*|".contains(b);
    let mut from = 0;
    while let Some(len) = find_ignoring_case(&text[from..], word) {
        let (start, end) = (from + len, from + len + word.len());
        let ends = text.get(end).is_none_or(|b| is_apart(b) || b".:".contains(b));
        if ends && start.checked_sub(1).is_none_or(|before| is_apart(&text[before])) {
            return true;
        }
        from = start + 1;
    }
    false
}

/// Returns the offset of the first occurrence of `bytes` in `text`, or `None` if there is none. The
/// first byte must match exactly. ASCII case is ignored in the others.
fn find_ignoring_case(text: &[u8], bytes: &[u8]) -> Option<usize> {
    let &first = bytes.first()?;
    let starts = |at: &usize| {
        text.get(*at..*at + bytes.len()).is_some_and(|it| it.eq_ignore_ascii_case(bytes))
    };
    memchr::memchr_iter(first, text).find(starts)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns `text` without its sample blocks.
    fn prose(text: &str) -> String {
        let mut kept = text.as_bytes().to_vec();
        for block in sample_blocks(text.as_bytes()).iter().rev() {
            kept.drain(block.range());
        }
        String::from_utf8(kept).unwrap()
    }

    #[test]
    fn sessions_end_at_a_blank_line() {
        assert_eq!(prose("a\n\n  >>> f()\n  'x'\n\nb\n$ c\nd\n\ne\n"), "a\n\n\nb\n\ne\n");
        assert_eq!(prose("In [1]: f\n\nmysql> a\n\njoe@host:~$ b\n\nIn c\n"), "\n\n\nIn c\n");
        assert_eq!(prose("> a\n\nJoe> b\n\n$5 c\n"), "> a\n\nJoe> b\n\n$5 c\n");
    }

    #[test]
    fn blocks_of_samples_are_found() {
        assert_eq!(prose("a\n@example\nb\n@end example\nc\n"), "a\n@example\nc\n");
        assert_eq!(prose("\\begin{verbatim}\na\n\\end{verbatim}\nb"), "\\begin{verbatim}\nb");
        assert_eq!(prose("#+BEGIN_SRC sh\na\n#+END_SRC\nb"), "#+BEGIN_SRC sh\nb");
        assert_eq!(prose("{{{ a }}} b\nc\n"), "{{{ a }}} b\nc\n");
        assert_eq!(prose("a\n\n=head1 B\n\n    c\n\nd\n"), "a\n\n=head1 B\n\n\nd\n");
        assert_eq!(prose("a\n\n    c\n\nd\n"), "a\n\n    c\n\nd\n");
    }

    #[test]
    fn inline_samples_are_marked() {
        let is = |text: &str| {
            let start = text.find("http").unwrap();
            let len = text[start..].find(|c: char| c.is_whitespace() || "`'\"&,;)}".contains(c));
            let end = len.map_or(text.len(), |len| start + len);
            is_marked_as_sample(text.as_bytes(), Span::new(start, end), false)
        };
        for text in [
            "a `http://h/` b",
            "a ``http://h/`` b",
            "a `curl http://h/ -o b` c",
            "get: =http://h/= b",
            "get ~http://h/~ b",
            "get ~[[http://h/][c]]~ b",
            "@code{http://h/}",
            "$a = 'http://h/';",
            "get(\"http://h/\")",
            "   'http://h/' => 'b'",
            "url: \"http://h/\"",
            "a &lt;- &quot;http://h/&quot;",
            "<a xmlns:b=\"http://h/\">",
        ] {
            assert!(is(text), "{text}");
        }
        for text in [
            "a http://h/ b",
            "a `b' http://h/ c",
            "a `b` http://h/ `c`",
            "the page \"http://h/\" says",
            "\"http://h/\"",
            "<meta content=\"http://h/\">",
            "a=http://h/",
        ] {
            assert!(!is(text), "{text}");
        }
    }

    #[test]
    fn separate_word_is_discussed() {
        let is = |text: &str| {
            let words = [&b"%7E"[..]].into_iter();
            is_any_discussed(text.as_bytes(), Span::new(0, 0), words)
        };
        assert!(is("write %7e for it") && is("(`%7E`)") && is("the %7E."));
        assert!(!is("http://h/%7Ejoe") && !is("http://h/a%7E") && !is("%7Ejoe"));
    }
}
