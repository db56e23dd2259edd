//! Comments that silence what was found, put behind the lines it stands on.
//!
//! A comment is put in only where the document stays what it is: what its markup says of every other place is the same
//! afterwards, and none stands within a URL, a tag or a string.

use crate::apply::patched;
use crate::diagnostic::Diagnostic;
use crate::dialect::Dialect;
use crate::edit::Edit;
use crate::file::dialect_of;
use crate::language::Language;
use crate::markup::{self, Region, RegionKind};
use crate::position::Lines;
use crate::rules::suppress_unused;
use crate::suppress::{MARK, list_end};
use std::collections::{BTreeMap, BTreeSet};
use urlsift_archive::Reading;
use urlsift_core::Span;

/// What came of adding comments.
///
/// ```
/// use urlsift_archive::Reading;
/// use urlsift_lint::add_ignore;
/// let done = add_ignore(b"no fault", None, Reading::Auto, &[]);
/// assert_eq!((&*done.text, done.comments), (&b"no fault"[..], 0));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Ignored {
    /// The text with the comments in it.
    pub text: Vec<u8>,
    /// The number of lines that got one, or whose comment names more rules now.
    pub comments: usize,
}

/// If not all comments together keep the document what it is, up to so many are tried alone.
const MOST_ALONE: usize = 64;

/// Puts a comment that names their rules behind each line on which `diagnostics` start, which were found in `raw`.
/// `name` is the last component of the file's path, where it has one.
///
/// Leaves out those that no comment can stand behind: in mail and in texts without comments, in blocks of code, where a
/// URL goes on in the next line. Linear in `raw`, but for 64 readings of it where a comment is in the way.
///
/// ```
/// use urlsift_archive::Reading;
/// use urlsift_lint::{Config, Linter, add_ignore};
///
/// let linter = Linter::new(Config::default());
/// let found = |text: &[u8]| linter.lint_file(text, Some(b"a.md"), Reading::Auto).diagnostics;
/// let text = b"See http:/www.host.dom/ there.\n";
/// let done = add_ignore(text, Some(b"a.md"), Reading::Auto, &found(text));
/// assert_eq!(done.text, b"See http:/www.host.dom/ there. <!-- urlsift: ignore[scheme.single-slash] -->\n");
/// assert!(found(&done.text).is_empty());
/// ```
pub fn add_ignore(
    raw: &[u8],
    name: Option<&[u8]>,
    reading: Reading,
    diagnostics: &[Diagnostic],
) -> Ignored {
    let unchanged = || Ignored { text: raw.to_vec(), comments: 0 };
    let Some(text) = Commentable::of(raw, name, reading) else { return unchanged() };
    let mut rules: BTreeMap<usize, BTreeSet<&str>> = BTreeMap::new();
    // What is wrong with a comment is not silenced by one.
    let is_of_text = |diagnostic: &&Diagnostic| diagnostic.code != suppress_unused::META.code;
    for diagnostic in diagnostics.iter().filter(is_of_text) {
        let line = text.lines.line(diagnostic.span.start);
        rules.entry(line).or_default().insert(diagnostic.code);
    }
    for diagnostic in diagnostics {
        let line = text.lines.line(diagnostic.span.start);
        if diagnostic.span.end > text.lines.end(line) {
            rules.remove(&line);
        }
    }
    let comments = rules.iter().filter_map(|(&line, codes)| text.comment(line, codes));
    let mut comments: Vec<Edit> = comments.collect();
    if text.with(&comments).is_none() {
        comments.truncate(MOST_ALONE);
        comments.retain(|comment| text.with(std::slice::from_ref(comment)).is_some());
    }
    match text.with(&comments) {
        Some(text) => Ignored { text, comments: comments.len() },
        None => unchanged(),
    }
}

/// A text that comments can stand in, and what its markup says.
struct Commentable<'t> {
    text: &'t [u8],
    dialect: Dialect,
    lines: Lines<'t>,
    regions: Vec<Region>,
    /// Tags and comments, where there may be any.
    tags: Vec<Span>,
}

impl<'t> Commentable<'t> {
    fn of(text: &'t [u8], name: Option<&[u8]>, reading: Reading) -> Option<Self> {
        let dialect = dialect_of(text, name, reading)?;
        let has_tags = matches!(dialect, Dialect::Markdown | Dialect::Mdx | Dialect::Html);
        Some(Self {
            text,
            dialect,
            lines: Lines::new(text),
            regions: markup::regions(text, dialect),
            tags: if has_tags { markup::tags(text) } else { Vec::new() },
        })
    }

    /// What is to be inserted so that `codes` are silenced on the line; `None` where no comment can stand.
    fn comment(&self, line: usize, codes: &BTreeSet<&str>) -> Option<Edit> {
        let start = self.lines.start(line);
        let content = self.lines.content(line);
        let codes = codes.iter().copied().collect::<Vec<_>>().join(", ");
        if let Some(at) = memchr::memmem::find(content, MARK) {
            return Some(Edit::insert(
                list_end(self.text, start + at)?,
                format!(", {codes}").into_bytes(),
            ));
        }
        let at = start + content.trim_ascii_end().len();
        let next = self.tags.partition_point(|tag| tag.end <= at);
        if self.tags.get(next).is_some_and(|tag| tag.start < at) {
            return None;
        }
        let (open, close) = self.delimiters(at)?;
        let mark = format!("{}[{codes}]", std::str::from_utf8(MARK).unwrap_or_default());
        let words = [open, mark.as_str(), close].into_iter().filter(|word| !word.is_empty());
        let words = words.fold(String::new(), |line, word| line + " " + word);
        Some(Edit::insert(at, words.into_bytes()))
    }

    /// What a comment that stands here starts and ends with.
    fn delimiters(&self, at: usize) -> Option<(&'static str, &'static str)> {
        let text = self.text;
        let has = |mark: &[u8]| memchr::memmem::find(text, mark).is_some();
        match self.dialect {
            Dialect::Markdown | Dialect::Mdx if is_front_matter(text, at) => None,
            Dialect::Markdown | Dialect::Html => Some(("<!--", "-->")),
            Dialect::Mdx => Some(("{/*", "*/}")),
            Dialect::Source(language) => {
                let is_code = |at: usize| {
                    markup::at(&self.regions, at).is_some_and(|region| region.kind.is_code())
                };
                let start = self.lines.start(self.lines.line(at));
                let content = text[start..at].trim_ascii_start();
                let leader = language.syntax().line;
                let is_begun_by = |leader: &[u8]| content.starts_with(leader);
                // What documentation is made of keeps its words; a line that ends so goes on in the next.
                let is_closed = is_begun_by(b"///") || is_begun_by(b"//!");
                if is_closed || content.ends_with(b"\\") {
                    return None;
                }
                match language {
                    // Within a comment of one line the words stand as they are.
                    _ if !is_code(at - 1) && is_begun_by(leader.as_bytes()) => Some(("", "")),
                    _ if !is_code(at - content.len()) => None,
                    _ if !is_code(at - 1) => (!content.ends_with(b"*/")).then_some(("", "")),
                    // Texts within a program whose end is not looked for.
                    Language::Json => None,
                    Language::Shell if has(b"<<") => None,
                    Language::C if has(b"R\"") => None,
                    _ => Some((leader, "")),
                }
            }
            _ => None,
        }
    }

    /// The text with these comments; `None` if it is another document then, or one of them no comment.
    fn with(&self, comments: &[Edit]) -> Option<Vec<u8>> {
        let new = patched(self.text, comments);
        let regions = markup::regions(&new, self.dialect);
        // What was inserted up to each of them, itself among it.
        let sums = comments.iter().scan(0, |sum, comment| {
            *sum += comment.text.len();
            Some(*sum)
        });
        let sums: Vec<usize> = sums.collect();
        let before = |at: usize| {
            let count = comments.partition_point(|comment| comment.span.start < at);
            count.checked_sub(1).map_or(0, |last| sums[last])
        };
        // A comment parts the code around it.
        let parts = matches!(self.dialect, Dialect::Source(_));
        let counts = |region: &&Region| !(parts && region.kind == RegionKind::CodeBlock);
        let old = self.regions.iter().filter(counts).map(|region| {
            let Span { start, end } = region.span;
            (Span::new(start + before(start + 1), end + before(end)), region.kind)
        });
        let is_same = old.eq(regions.iter().filter(counts).map(|it| (it.span, it.kind)));
        let is_comment = |(edit, sum): (&Edit, &usize)| {
            let mark = memchr::memmem::rfind(&new[..edit.span.start + sum], MARK);
            let region = mark.and_then(|at| markup::at(&regions, at));
            region.is_none_or(|region| !region.kind.is_code())
        };
        (is_same && comments.iter().zip(&sums).all(is_comment)).then_some(new)
    }
}

/// Whether the place stands in the block of settings that a document of Markdown may start with.
fn is_front_matter(text: &[u8], at: usize) -> bool {
    text.starts_with(b"---\n")
        && memchr::memmem::find(&text[4..], b"\n---").is_none_or(|end| at <= end + 4)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Config, Linter};

    /// What becomes of `text` in a file of that name, and how many faults are told afterwards.
    fn added(name: &str, text: &str) -> (String, usize) {
        let linter = Linter::new(Config::default());
        let found =
            |text: &[u8]| linter.lint_file(text, Some(name.as_bytes()), Reading::Auto).diagnostics;
        let done = add_ignore(
            text.as_bytes(),
            Some(name.as_bytes()),
            Reading::Auto,
            &found(text.as_bytes()),
        );
        let left = found(&done.text);
        let again = add_ignore(&done.text, Some(name.as_bytes()), Reading::Auto, &left);
        assert_eq!(again.comments, 0, "a second time");
        (String::from_utf8(done.text).unwrap(), left.len())
    }

    #[test]
    fn comments_of_every_markup() {
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
                "a.go",
                "var u = \"htp://www.foo.com/\" // urlsift: ignore[port.default]\n",
                "var u = \"htp://www.foo.com/\" // urlsift: ignore[port.default, scheme.misspelt]\n",
            ),
        ] {
            let (text, left) = added(name, text);
            assert_eq!(text, expected);
            // (That the old list names what is not there is said, and no comment silences it.)
            assert!(left <= usize::from(name == "a.go"), "{name}: {left}");
        }
    }

    #[test]
    fn where_no_comment_can_stand() {
        for (name, text) in [
            ("a.txt", "a http:/www.h.org/ b\n"),
            ("a.rst", "a http:/www.h.org/ b\n"),
            ("a.md", "```\nhtp://www.foo.com/\n```\n"),
            ("a.md", "[a]\n\n[a]: http:/www.h.org/\n"),
            ("a.md", "---\nurl: http:/www.h.org/\n---\n\nT\n"),
            ("a.md", "<p\n title='http:/www.h.org/'\n>T</p>\n"),
            ("a.html", "<a href='http:/www.h.org/'\n  class=b>T</a>\n"),
            ("a.html", "<!-- http:/www.h.org/\n -->\n"),
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
