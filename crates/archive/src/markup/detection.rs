//! Detects the markup of a text from its name, or from its first lines.

use crate::dialect::Dialect;
use crate::head::Head;
use crate::lower_case::has_suffix_ignoring_case;
use memchr::{memchr_iter, memmem};

/// Detects the markup of the text that starts with `head`. The name's extension decides; without a
/// known one, only `AsciiDoc` is recognized. A file with the extension `.wiki` may be in the markup
/// of another wiki, so it must also contain a mark of `MediaWiki`. Returns [`Dialect::Plain`] for
/// other texts, and `None` if more of the head is needed.
pub(crate) fn detect_markup(head: Head<'_>, name: Option<&[u8]>) -> Option<Dialect> {
    Some(match dialect_by_extension(name) {
        Dialect::Plain if is_asciidoc(head, name)? => Dialect::AsciiDoc,
        Dialect::MediaWiki
            if name.is_some_and(|name| has_suffix_ignoring_case(name, b".wiki"))
                && !is_mediawiki(head)? =>
        {
            Dialect::Plain
        }
        dialect => dialect,
    })
}

/// File extensions and the markup that they imply.
const ENDINGS: [(&[&[u8]], Dialect); 8] = [
    (&[b".md", b".markdown", b".mkd", b".mdwn"], Dialect::Markdown),
    (&[b".rst"], Dialect::Rst),
    (&[b".mdx"], Dialect::Mdx),
    (&[b".adoc", b".asciidoc"], Dialect::AsciiDoc),
    (&[b".org"], Dialect::Org),
    (&[b".mediawiki", b".wiki"], Dialect::MediaWiki),
    (&[b".texi", b".texinfo", b".txi"], Dialect::Texinfo),
    (&[b".ipynb"], Dialect::Jupyter),
];

/// Returns the markup that a file name's extension implies: [`Dialect::Plain`] if the extension is
/// unknown or there is no name. The extension before a final `.txt` counts, too: Sphinx publishes
/// the source of a page as `page.rst.txt`.
fn dialect_by_extension(name: Option<&[u8]>) -> Dialect {
    let Some(name) = name else { return Dialect::Plain };
    let name = if has_suffix_ignoring_case(name, b".txt") { &name[..name.len() - 4] } else { name };
    let found = ENDINGS
        .iter()
        .find(|(endings, _)| endings.iter().any(|end| has_suffix_ignoring_case(name, end)));
    found.map_or(Dialect::Plain, |&(_, dialect)| dialect)
}

/// True if a text contains markup that `MediaWiki` has and other wikis don't have: an external link
/// in single brackets, a template, a table, or bold text in three quotes. Returns `None` if more of
/// the head is needed.
fn is_mediawiki(head: Head<'_>) -> Option<bool> {
    const MARKS: [&[u8]; 8] =
        [b" [http", b"\n[http", b"{{", b"{|", b"'''", b"<nowiki>", b"<ref", b"[[Category:"];
    let text = head.trimmed_text()?;
    let has_mark =
        text.starts_with(b"[http") || MARKS.iter().any(|mark| memmem::find(text, mark).is_some());
    if has_mark { Some(true) } else { head.answer_if_complete(false) }
}

/// True if a text without the usual extension is `AsciiDoc`. A file with the extension `.asc` is
/// `AsciiDoc`, unless it contains an armored message or key of `OpenPGP`. Any other text must start
/// with a title, and have another mark of `AsciiDoc` near its start. Returns `None` if more of the
/// head is needed.
fn is_asciidoc(head: Head<'_>, name: Option<&[u8]>) -> Option<bool> {
    /// The number of lines after the first that are examined.
    const MAX_LINES: usize = 100;
    let text = head.trimmed_text()?;
    // The answer is no if the text has at least `count` lines. Blank lines before it don't count.
    let no_after_lines = |count: usize| {
        let is_enough = memchr_iter(b'\n', text).nth(count - 1).is_some();
        if is_enough { Some(false) } else { head.answer_if_complete(false) }
    };
    if name.is_some_and(|name| has_suffix_ignoring_case(name, b".asc")) {
        let is_armored = memmem::find(text, b"-----BEGIN PGP").is_some();
        return if is_armored { Some(false) } else { head.answer_if_complete(true) };
    }
    let mut lines = text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii_end);
    let first = lines.next().unwrap_or_default();
    let is_title = matches!(first, [b'=', b' ', letter, .., last]
        if letter.is_ascii_alphanumeric() && *last != b'=');
    let second = lines.next().unwrap_or_default();
    if !is_title {
        if !may_be_underlined_title(first) {
            return Some(false);
        }
        if !is_title_underline(second, first.len()) {
            return no_after_lines(2);
        }
    }
    let mut lines = core::iter::once(second).chain(lines).take(MAX_LINES);
    if lines.any(|line| is_asciidoc_line(line, is_title)) {
        return Some(true);
    }
    no_after_lines(1 + MAX_LINES)
}

/// True if the first line of a text may be a title with a line of `=` below it. A line with a URL
/// is not a title, so that the first line of a log is enough to rule out a title.
fn may_be_underlined_title(line: &[u8]) -> bool {
    line.len() > 3
        && line.first().is_some_and(u8::is_ascii_alphanumeric)
        && memmem::find(line, b"://").is_none()
}

/// True if a line consists of `=` only and its length differs from `title_len`, the length of the
/// title above it, by at most two bytes.
fn is_title_underline(line: &[u8], title_len: usize) -> bool {
    line.len().abs_diff(title_len) <= 2 && line.iter().all(|byte| *byte == b'=')
}

/// True if `line`, the line below a title, is one that only `AsciiDoc` has: an attribute of a
/// block, a directive or a macro. If `is_title` is true, the title starts with `=`. Attributes of
/// the document and further titles then count, too. If it is false, the title is underlined, as in
/// other markup languages.
fn is_asciidoc_line(line: &[u8], is_title: bool) -> bool {
    const STARTS: [&[u8]; 6] =
        [b"include::", b"image::", b"ifdef::", b"ifndef::", b"link:", b"xref:"];
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'!');
    match line {
        [b':', rest @ ..] if is_title => {
            let len = rest.iter().take_while(|byte| is_name(byte)).count();
            len > 0 && matches!(rest.get(len..), Some([b':'] | [b':', b' ', ..]))
        }
        [b'=', b'=', b' ', rest @ ..] => is_title && !rest.ends_with(b"="),
        [b'[', first, .., b']'] => {
            first.is_ascii_lowercase() && !line.contains(&b' ') && !line.contains(&b':')
        }
        _ => STARTS.iter().any(|start| line.starts_with(start)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extension_implies_markup() {
        for (name, dialect) in [
            ("a.md", Dialect::Markdown),
            ("a.mdwn", Dialect::Markdown),
            ("A.MKD", Dialect::Markdown),
            ("a.rst.txt", Dialect::Rst),
            ("a.mdwn.b", Dialect::Plain),
            ("mdwn", Dialect::Plain),
        ] {
            assert_eq!(dialect_by_extension(Some(name.as_bytes())), dialect, "{name}");
        }
    }

    #[test]
    fn asciidoc_is_recognized_by_its_content() {
        let dialect =
            |text: &str| detect_markup(Head::of(text.as_bytes()), Some(b"a.txt")).unwrap();
        for text in [
            "= The title\n:toc:\n\ntext\n",
            "= The title\nJoe <joe@h.dom>\n\n== Part\n",
            "git-add(1)\n==========\n\nNAME\n----\ngit-add - add\n\n[verse]\ngit add\n",
            "A title\n=======\n\ninclude::a.txt[]\n",
            "\n= Title\n\nimage::a.png[b]\n",
        ] {
            assert_eq!(dialect(text), Dialect::AsciiDoc, "{text}");
        }
        for text in [
            "A title\n=======\n\nand text\n",
            "A title\n=======\n\n.. include:: a.txt\n",
            "= Heading =\n\n== Part ==\n",
            "== Part\n",
            "= 1 + 1\n",
            "text\n[verse]\n",
            "A title\n=======\n\n[1] a note\n[see: b]\n",
        ] {
            assert_eq!(dialect(text), Dialect::Plain, "{text}");
        }
    }
}
