//! Inserts ignore comments (`urlsift: ignore[rule]`) at the ends of lines with diagnostics.
//!
//! A comment is inserted only if the rest of the document keeps its meaning: all regions of the
//! markup stay the same, and the comment is not inside a URL, a tag or a string.

use crate::apply::apply_edits;
use crate::diagnostic::Diagnostic;
use crate::dialect::{Dialect, Markup};
use crate::edit::Edit;
use crate::file::dialect_of_single_text;
use crate::language::Language;
use crate::markup::{self, Region, RegionKind};
use crate::position::Lines;
use crate::rules::suppress_unused;
use crate::suppress::{MARK, closing_bracket_of_list};
use std::collections::{BTreeMap, BTreeSet};
use urlsift_archive::Reading;
use urlsift_core::Span;

/// The result of [`add_ignore`]: the text with ignore comments.
///
/// ```
/// use urlsift_archive::Reading;
/// use urlsift_lint::add_ignore;
/// let done = add_ignore(b"no fault", None, Reading::Auto, &[], |_| Vec::new());
/// assert_eq!((&*done.text, done.comments), (&b"no fault"[..], 0));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Ignored {
    /// The text with the comments.
    pub text: Vec<u8>,
    /// The number of lines with a new or extended comment.
    pub comments: usize,
}

/// The maximum number of times that a document is parsed to find comments that would change it.
const MAX_PARSES: usize = 256;
/// The delimiters of server-side code in HTML, such as PHP, and of processing instructions. `<!--`
/// doesn't start a comment in them.
const SERVER_CODE: [(&[u8], &[u8]); 2] = [(b"<?", b"?>"), (b"<%", b"%>")];
/// The maximum number of times that the new text is linted to find unused comments.
const MAX_ROUNDS: usize = 8;

/// Adds an ignore comment to each line on which a diagnostic starts, so that the linter no longer
/// reports it.
///
/// `raw` is the file, and `diagnostics` are its diagnostics. `name` is the last component of the
/// file's path, if it has one. `reading` is how the file is parsed. `lint` must return the
/// diagnostics of a changed version of the file.
///
/// Comments that can't be inserted are skipped: in mail, in formats without comments, in code
/// blocks, on lines whose URL continues on the next line, and where the comment would change the
/// result. Takes time linear in `raw`, times up to 256 if comments get in the way.
///
/// ```
/// use urlsift_archive::Reading;
/// use urlsift_lint::{Config, Linter, add_ignore};
///
/// let linter = Linter::new(Config::default());
/// let found = |text: &[u8]| linter.lint_file(text, Some(b"a.md"), Reading::Auto).diagnostics;
/// let text = b"See http:/www.host.dom/ there.\n";
/// let done = add_ignore(text, Some(b"a.md"), Reading::Auto, &found(text), found);
/// assert_eq!(done.text, b"See http:/www.host.dom/ there. <!-- urlsift: ignore[scheme.single-slash] -->\n");
/// assert!(found(&done.text).is_empty());
/// ```
pub fn add_ignore(
    raw: &[u8],
    name: Option<&[u8]>,
    reading: Reading,
    diagnostics: &[Diagnostic],
    mut lint: impl FnMut(&[u8]) -> Vec<Diagnostic>,
) -> Ignored {
    let unchanged = || Ignored { text: raw.to_vec(), comments: 0 };
    let Some(text) = Commentable::parse(raw, name, reading) else { return unchanged() };
    let mut rules = text.rules_by_line(diagnostics);
    for _ in 0..MAX_ROUNDS {
        let comments = rules.iter().filter_map(|(&line, codes)| text.comment_edit(line, codes));
        let comments = text.comments_that_keep_document(comments.collect());
        if comments.is_empty() {
            break;
        }
        let lines: BTreeSet<usize> =
            comments.iter().map(|comment| text.lines.line_number(comment.span.start)).collect();
        rules.retain(|line, _| lines.contains(line));
        let new = apply_edits(raw, &comments);
        let unused = unused_rules(&new, &comments, &lint(&new));
        if unused.is_empty() {
            return Ignored { text: new, comments: comments.len() };
        }
        for (at, code) in unused {
            let codes = rules.get_mut(&text.lines.line_number(at));
            if codes.is_none_or(|codes| !codes.remove(code)) {
                return unchanged();
            }
        }
        rules.retain(|_, codes| !codes.is_empty());
    }
    unchanged()
}

/// Returns the rules in the new comments that suppress nothing. Each item is the offset of the
/// comment in the old text, and the code of the rule.
///
/// `new` is the text with `comments` inserted. `found` are its diagnostics, which report the unused
/// rules.
fn unused_rules<'a>(
    new: &'a [u8],
    comments: &[Edit],
    found: &[Diagnostic],
) -> Vec<(usize, &'a str)> {
    let inserted = comments.iter().scan(0, |sum, comment| {
        let start = comment.span.start + *sum;
        *sum += comment.text.len();
        Some((Span::new(start, start + comment.text.len()), comment.span.start))
    });
    let inserted: Vec<_> = inserted.collect();
    let unused = found.iter().filter(|it| it.code == suppress_unused::META.code);
    unused
        .filter_map(|it| {
            let next = inserted.partition_point(|(span, _)| span.end <= it.span.start);
            let &(span, at) = inserted.get(next).filter(|(span, _)| span.overlaps(it.span))?;
            debug_assert!(span.end >= it.span.end, "a name is inserted as a whole");
            Some((at, str::from_utf8(&new[it.span.range()]).ok()?))
        })
        .collect()
}

/// A text whose format allows comments, with the parsed regions of its markup.
struct Commentable<'t> {
    text: &'t [u8],
    dialect: Dialect,
    lines: Lines<'t>,
    regions: Vec<Region>,
    /// The spans of tags and comments, in dialects that have them.
    tags: Vec<Span>,
    /// The spans of server-side code in HTML, in order.
    server_code: Vec<Span>,
    /// True if the text is a program that may contain text of several lines that is mistaken for code,
    /// such as a here-document. See [`Syntax::unread`](crate::language::Syntax::unread).
    has_unread_text: bool,
}

impl<'t> Commentable<'t> {
    /// Parses the markup of a file called `name`. Returns `None` if the file contains several
    /// documents, e.g. mail, because comments can't be added there.
    fn parse(text: &'t [u8], name: Option<&[u8]>, reading: Reading) -> Option<Self> {
        let dialect = dialect_of_single_text(text, name, reading)?;
        let has_tags =
            matches!(dialect, Dialect::Text(Markup::Markdown | Markup::Mdx | Markup::Html));
        let has = |mark: &&str| memchr::memmem::find(text, mark.as_bytes()).is_some();
        let has_unread_text = matches!(dialect, Dialect::Source(language) if language.syntax().unread.iter().any(has));
        Some(Self {
            text,
            dialect,
            server_code: match dialect {
                Dialect::Text(Markup::Html) => server_code_spans(text),
                _ => Vec::new(),
            },
            has_unread_text,
            lines: Lines::new(text),
            regions: markup::regions(text, dialect),
            tags: if has_tags { markup::html_tags(text) } else { Vec::new() },
        })
    }

    /// Returns the codes of the rules to suppress, grouped by the 1-based line on which the
    /// diagnostics start.
    ///
    /// Lines with a diagnostic that continues on the next line are left out.
    fn rules_by_line<'d>(
        &self,
        diagnostics: &'d [Diagnostic],
    ) -> BTreeMap<usize, BTreeSet<&'d str>> {
        let mut rules: BTreeMap<usize, BTreeSet<&str>> = BTreeMap::new();
        // A comment can't suppress faults of comments.
        let is_of_text = |diagnostic: &&Diagnostic| diagnostic.code != suppress_unused::META.code;
        for diagnostic in diagnostics.iter().filter(is_of_text) {
            let line = self.lines.line_number(diagnostic.span.start);
            rules.entry(line).or_default().insert(diagnostic.code);
        }
        for diagnostic in diagnostics {
            let line = self.lines.line_number(diagnostic.span.start);
            if diagnostic.span.end > self.lines.line_end(line) {
                rules.remove(&line);
            }
        }
        rules
    }

    /// Returns as many of `comments` as possible that together don't change the meaning of the
    /// document. Finds the harmful ones by bisection.
    fn comments_that_keep_document(&self, comments: Vec<Edit>) -> Vec<Edit> {
        let mut kept = Vec::new();
        let mut ahead = vec![comments];
        for _ in 0..MAX_PARSES {
            let Some(mut some) = ahead.pop() else { break };
            let all = [&kept[..], &some].concat();
            if self.keeps_document(&all) {
                kept = all;
            } else if some.len() > 1 {
                let rest = some.split_off(some.len() / 2);
                ahead.extend([rest, some]);
            }
        }
        kept
    }

    /// Returns the edit that makes line `line` suppress the rules `codes`. It inserts a comment, or
    /// extends the existing one. Returns `None` if the line can't have a comment.
    fn comment_edit(&self, line: usize, codes: &BTreeSet<&str>) -> Option<Edit> {
        let start = self.lines.line_start(line);
        let content = self.lines.line_bytes(line);
        let codes = codes.iter().copied().collect::<Vec<_>>().join(", ");
        if let Some(at) = memchr::memmem::find(content, MARK) {
            return Some(Edit::insert(
                closing_bracket_of_list(self.text, start + at)?,
                format!(", {codes}").into_bytes(),
            ));
        }
        let at = start + content.trim_ascii_end().len();
        let next = self.tags.partition_point(|tag| tag.end <= at);
        if self.tags.get(next).is_some_and(|tag| tag.start < at) {
            return None;
        }
        let (open, close) = self.comment_delimiters_at(at)?;
        let mark = format!("{}[{codes}]", std::str::from_utf8(MARK).unwrap_or_default());
        let words = [open, mark.as_str(), close].into_iter().filter(|word| !word.is_empty());
        let words = words.fold(String::new(), |line, word| line + " " + word);
        Some(Edit::insert(at, words.into_bytes()))
    }

    /// Returns the delimiters that open and close a comment at offset `at`. Returns `None` if a
    /// comment can't be inserted there.
    fn comment_delimiters_at(&self, at: usize) -> Option<(&'static str, &'static str)> {
        let text = self.text;
        match self.dialect {
            Dialect::Text(Markup::Markdown | Markup::Mdx)
                if is_in_front_matter(text, at) || is_heading(text, at) =>
            {
                None
            }
            Dialect::Text(Markup::Html) if self.is_in_server_code(at) => None,
            Dialect::Text(Markup::Markdown | Markup::Html) => Some(("<!--", "-->")),
            Dialect::Text(Markup::Mdx) => Some(("{/*", "*/}")),
            Dialect::Source(language) => {
                let is_code = |at: usize| {
                    markup::region_at(&self.regions, at).is_some_and(|region| region.kind.is_code())
                };
                let start = self.lines.line_start(self.lines.line_number(at));
                let content = text[start..at].trim_ascii_start();
                let syntax = language.syntax();
                let is_begun_by = |leader: &[u8]| content.starts_with(leader);
                // Documentation comments are published, and a backslash continues the line.
                let is_closed = is_begun_by(b"///") || is_begun_by(b"//!");
                if is_closed || content.ends_with(b"\\") {
                    return None;
                }
                let is_line_comment = || syntax.line.iter().any(|it| is_begun_by(it.as_bytes()));
                match language {
                    // A line comment needs no further delimiters.
                    _ if !is_code(at - 1) && is_line_comment() => Some(("", "")),
                    _ if !is_code(at - content.len()) => None,
                    _ if !is_code(at - 1) => (!content.ends_with(b"*/")).then_some(("", "")),
                    _ if !language.has_linted_comments() || self.has_unread_text => None,
                    // At the end of a command, `#` is an argument.
                    Language::Tcl => None,
                    _ => Some(syntax.line.first().map_or(("/*", "*/"), |leader| (*leader, ""))),
                }
            }
            _ => None,
        }
    }

    /// True if offset `at` is in server-side code in HTML.
    fn is_in_server_code(&self, at: usize) -> bool {
        let next = self.server_code.partition_point(|span| span.end < at);
        self.server_code.get(next).is_some_and(|span| span.start < at)
    }

    /// True if inserting `comments` doesn't change the meaning of the document, and each of them is
    /// parsed as a comment.
    fn keeps_document(&self, comments: &[Edit]) -> bool {
        let new = apply_edits(self.text, comments);
        let regions = markup::regions(&new, self.dialect);
        // The number of bytes inserted up to and including each comment.
        let sums = comments.iter().scan(0, |sum, comment| {
            *sum += comment.text.len();
            Some(*sum)
        });
        let sums: Vec<usize> = sums.collect();
        let before = |at: usize| {
            let count = comments.partition_point(|comment| comment.span.start < at);
            count.checked_sub(1).map_or(0, |last| sums[last])
        };
        // A comment splits the code around it.
        let parts = matches!(self.dialect, Dialect::Source(_));
        let counts = |region: &&Region| !(parts && region.kind == RegionKind::CodeBlock);
        let old = self.regions.iter().filter(counts).map(|region| {
            let Span { start, end } = region.span;
            (Span::new(start + before(start + 1), end + before(end)), region.kind)
        });
        let is_same = old.eq(regions.iter().filter(counts).map(|it| (it.span, it.kind)));
        // In some HTML elements, such as `<textarea>`, `<!--` doesn't start a comment. The tokenizer
        // then reports no comment there.
        let is_html = self.dialect == Dialect::Text(Markup::Html);
        let tags = if is_html { markup::html_tags(&new) } else { Vec::new() };
        let is_comment = |(edit, sum): (&Edit, &usize)| {
            let Some(mark) = memchr::memmem::rfind(&new[..edit.span.start + sum], MARK) else {
                return false;
            };
            let tag = tags.get(tags.partition_point(|tag| tag.end <= mark));
            let is_tag = tag.is_some_and(|tag| tag.range().contains(&mark));
            let region = markup::region_at(&regions, mark);
            (is_tag || !is_html) && region.is_none_or(|region| !region.kind.is_code())
        };
        is_same && comments.iter().zip(&sums).all(is_comment)
    }
}

/// True if offset `at` is in the front matter, i.e. the metadata at the start of a Markdown
/// document between lines `---`.
fn is_in_front_matter(text: &[u8], at: usize) -> bool {
    text.starts_with(b"---\n")
        && memchr::memmem::find(&text[4..], b"\n---").is_none_or(|end| at <= end + 4)
}

/// True if the line of Markdown that ends at offset `at` probably ends a heading or the head of a
/// table. A comment could change the ID of the heading. In the head, it could add a column, and a
/// head with more columns than the line of dashes below it doesn't start a table.
fn is_heading(text: &[u8], at: usize) -> bool {
    let mut lines = text[at..].split(|&b| b == b'\n').skip(1).map(<[u8]>::trim_ascii);
    let below = lines.next().unwrap_or_default();
    let line = text[..at].rsplit(|&b| b == b'\n').next().unwrap_or_default().trim_ascii_start();
    let is_rule = !below.is_empty() && below.iter().all(|b| b"=-|: ".contains(b));
    line.starts_with(b"#") || is_rule
}

/// Returns the spans of server-side code in an HTML page, in order. Takes linear time.
fn server_code_spans(html: &[u8]) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut at = 0;
    while let Some(len) = memchr::memchr(b'<', &html[at..]) {
        at += len;
        let rest = &html[at..];
        if let Some((_, close)) = SERVER_CODE.iter().find(|(open, _)| rest.starts_with(open)) {
            let len = memchr::memmem::find(rest, close).unwrap_or(rest.len());
            spans.push(Span::new(at, at + len));
            at += len;
        } else {
            at += 1;
        }
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Config, Linter};

    /// Returns `text` with ignore comments, and the number of diagnostics that remain.
    fn added(name: &str, text: &str) -> (String, usize) {
        let linter = Linter::new(Config::default());
        let found =
            |text: &[u8]| linter.lint_file(text, Some(name.as_bytes()), Reading::Auto).diagnostics;
        let done = add_ignore(
            text.as_bytes(),
            Some(name.as_bytes()),
            Reading::Auto,
            &found(text.as_bytes()),
            found,
        );
        let left = found(&done.text);
        let again = add_ignore(&done.text, Some(name.as_bytes()), Reading::Auto, &left, found);
        assert_eq!(again.comments, 0, "a second time");
        (String::from_utf8(done.text).unwrap(), left.len())
    }

    #[test]
    fn comments_have_the_syntax_of_the_file() {
        for (name, text, expected) in [
            (
                "a.md",
                "# T\n\na http:/www.h.org/ b\nc\n",
                "# T\n\na http:/www.h.org/ b <!-- urlsift: ignore[scheme.single-slash] -->\nc\n",
            ),
            (
                "a.mdx",
                "a http:/www.h.org/ b  \nc\n",
                "a http:/www.h.org/ b {/* urlsift: ignore[scheme.single-slash] */}  \nc\n",
            ),
            (
                "a.html",
                "<p>a http:/www.h.org/\r\n</p>\n",
                "<p>a http:/www.h.org/ <!-- urlsift: ignore[scheme.single-slash] -->\r\n</p>\n",
            ),
            (
                "a.rs",
                "// a http:/www.h.org/ b\nfn f() {} // http:/www.h.org/\n",
                "// a http:/www.h.org/ b urlsift: ignore[scheme.single-slash]\n\
                 fn f() {} // http:/www.h.org/ urlsift: ignore[scheme.single-slash]\n",
            ),
            (
                "a.py",
                "u = 'htp://www.foo.com/'\n",
                "u = 'htp://www.foo.com/' # urlsift: ignore[scheme.misspelt]\n",
            ),
            (
                "a.md",
                "[a] (http://www.h.org/b)\nto [a] (http://www.h.org/c) for $5 <b> {#id}\n",
                "[a] (http://www.h.org/b) <!-- urlsift: ignore[link.blank-before-target] -->\n\
                 to [a] (http://www.h.org/c) for $5 <b> {#id} <!-- urlsift: ignore[link.blank-before-target] -->\n",
            ),
            (
                "a.go",
                "var u = \"htp://www.foo.com/\" // urlsift: ignore[port.default]\n",
                "var u = \"htp://www.foo.com/\" // urlsift: ignore[port.default, scheme.misspelt]\n",
            ),
            (
                "a.css",
                "a { b: url(htp://www.foo.com/); }\nc { d: 'htp://www.foo.com/'; } /* e */\n",
                "a { b: url(htp://www.foo.com/); } /* urlsift: ignore[scheme.misspelt] */\n\
                 c { d: 'htp://www.foo.com/'; } /* e */\n",
            ),
            (
                "a.scss",
                "a { b: url(htp://www.foo.com/b//c); }\n",
                "a { b: url(htp://www.foo.com/b//c); } // urlsift: ignore[scheme.misspelt]\n",
            ),
            (
                "a.php",
                "<?php\n$a = 'htp://www.foo.com/';\n# http:/www.h.org/\n",
                "<?php\n$a = 'htp://www.foo.com/'; // urlsift: ignore[scheme.misspelt]\n\
                 # http:/www.h.org/ urlsift: ignore[scheme.single-slash]\n",
            ),
            (
                "a.tcl",
                "# http:/www.h.org/\nset u 1\n",
                "# http:/www.h.org/ urlsift: ignore[scheme.single-slash]\nset u 1\n",
            ),
        ] {
            let (text, left) = added(name, text);
            assert_eq!(text, expected);
            // (The old list of `a.go` names an unused rule, which no comment suppresses, and in
            // `a.css`, the second line can't have a comment.)
            assert!(left <= usize::from(["a.go", "a.css"].contains(&name)), "{name}: {left}");
        }
    }

    #[test]
    fn lines_that_cannot_have_a_comment_are_skipped() {
        for (name, text) in [
            ("a.txt", "a http:/www.h.org/ b\n"),
            ("a.rst", "a http:/www.h.org/ b\n"),
            ("a.md", "```\nhtp://www.foo.com/\n```\n"),
            ("a.md", "[a]\n\n[a]: http:/www.h.org/\n"),
            ("a.md", "---\nurl: http:/www.h.org/\n---\n\nT\n"),
            ("a.md", "# A http:/www.h.org/ b\n"),
            ("a.md", "| http:/www.h.org/ | a |\n|---|:-:|\n| b | c |\n"),
            ("a.md", "<p\n title='http:/www.h.org/'\n>T</p>\n"),
            ("a.html", "<a href='http:/www.h.org/'\n  class=b>T</a>\n"),
            ("a.html", "<!-- http:/www.h.org/\n -->\n"),
            ("a.html", "<textarea>\nhttp:/www.h.org/\n</textarea>\n"),
            ("a.html", "<title>\nhttp:/www.h.org/\n</title>\n"),
            ("a.html", "<?php\n$a = 'htp://www.foo.com/';\n"),
            ("a.html", "<% b\n'htp://www.foo.com/'\n%>\n"),
            ("a.css", "/* http:/www.h.org/ */\n"),
            ("a.css", "/* a\n * http:/www.h.org/\n */\n"),
            ("a.java", "a = \"\"\"\nhtp://www.foo.com/\n\"\"\";\n"),
            ("a.cs", "a = @\"\nhtp://www.foo.com/\n\";\n"),
            ("a.json", "{\n\"a\": \"htp://www.foo.com/\",\n\"b\": 1\n}\n"),
            ("a.jsx", "a = <p>\nhtp://www.foo.com/\n</p>;\n"),
            ("a.php", "a\n<b c='htp://www.foo.com/'>\n<?php d();\n"),
            ("a.php", "<?php $a = '\nhtp://www.foo.com/\n';\n"),
            ("a.php", "<?php // http:/www.h.org/ ?>\n"),
            ("a.pl", "$a = 1;\n\n=pod\n\nhtp://www.foo.com/\n\n=cut\n"),
            ("a.rb", "a = %w(\nhtp://www.foo.com/\n)\n"),
            ("a.sql", "select 'htp://www.foo.com/';\n"),
            ("a.tcl", "set u \"htp://www.foo.com/\"\n"),
            ("a.ttl", "<http:/www.h.org/> a <b> .\n"),
            ("a.yaml", "a: htp://www.foo.com/\n"),
            ("a.sh", "curl htp://www.foo.com/ \\\n  -o b\n"),
            ("a.sh", "cat <<END\nhtp://www.foo.com/\nEND\n"),
            ("a.js", "let a = `\nhtp://www.foo.com/\n`;\n"),
            ("a.c", "/* http:/www.h.org/ */\n"),
            ("a.c", "/* a\n * http:/www.h.org/\n */\n"),
            ("a.rs", "/// [a]: http:/www.h.org/\nfn f() {}\n"),
            ("a.py", "def f():\n    \"\"\"A.\n\n    http:/www.h.org/\n    \"\"\"\n"),
        ] {
            let (new, left) = added(name, text);
            assert_eq!(new, text, "{name}");
            assert!(left > 0, "{name}: {text}");
        }
    }
}
