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
/// let done = add_ignore(b"no fault", None, Reading::Auto, &[], |_| Vec::new());
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

/// How often a document is read again at most to find the comments that would change it.
const MOST_READINGS: usize = 256;
/// How often the new text is linted at most to find the comments that would silence nothing.
const MOST_ROUNDS: usize = 8;

/// Puts a comment that names their rules after each line on which `diagnostics` start, which were found in `raw`.
/// `name` is the last component of the file's path, where it has one. `lint` finds the faults of a text.
///
/// Leaves out the comments that can't be placed: in mail and in texts without comments, in blocks of code, where a
/// URL continues on the next line, and where the comment itself would change what is found. Linear in `raw`, but for up to
/// 256 readings of it where comments are in the way.
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
    let Some(text) = Commentable::of(raw, name, reading) else { return unchanged() };
    let mut rules = text.rules_by_line(diagnostics);
    for _ in 0..MOST_ROUNDS {
        let comments = rules.iter().filter_map(|(&line, codes)| text.comment(line, codes));
        let comments = text.fitting(comments.collect());
        if comments.is_empty() {
            break;
        }
        let lines: BTreeSet<usize> =
            comments.iter().map(|comment| text.lines.line(comment.span.start)).collect();
        rules.retain(|line, _| lines.contains(line));
        let new = patched(raw, &comments);
        let unused = unused(&new, &comments, &lint(&new));
        if unused.is_empty() {
            return Ignored { text: new, comments: comments.len() };
        }
        for (at, code) in unused {
            let codes = rules.get_mut(&text.lines.line(at));
            if codes.is_none_or(|codes| !codes.remove(code)) {
                return unchanged();
            }
        }
        rules.retain(|_, codes| !codes.is_empty());
    }
    unchanged()
}

/// Returns the rules that comments name in vain, and where in the old text these comments were inserted.
fn unused<'a>(new: &'a [u8], comments: &[Edit], found: &[Diagnostic]) -> Vec<(usize, &'a str)> {
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

    /// Returns the rules to silence on each line.
    fn rules_by_line<'d>(
        &self,
        diagnostics: &'d [Diagnostic],
    ) -> BTreeMap<usize, BTreeSet<&'d str>> {
        let mut rules: BTreeMap<usize, BTreeSet<&str>> = BTreeMap::new();
        // What is wrong with a comment is not silenced by one.
        let is_of_text = |diagnostic: &&Diagnostic| diagnostic.code != suppress_unused::META.code;
        for diagnostic in diagnostics.iter().filter(is_of_text) {
            let line = self.lines.line(diagnostic.span.start);
            rules.entry(line).or_default().insert(diagnostic.code);
        }
        for diagnostic in diagnostics {
            let line = self.lines.line(diagnostic.span.start);
            if diagnostic.span.end > self.lines.end(line) {
                rules.remove(&line);
            }
        }
        rules
    }

    /// Returns the comments that together keep the document what it is. Halves are tried until those are found that
    /// don't.
    fn fitting(&self, comments: Vec<Edit>) -> Vec<Edit> {
        let mut kept = Vec::new();
        let mut ahead = vec![comments];
        for _ in 0..MOST_READINGS {
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

    /// True if the document stays what it is with these comments, and all of them are comments.
    fn keeps_document(&self, comments: &[Edit]) -> bool {
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
        is_same && comments.iter().zip(&sums).all(is_comment)
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
            found,
        );
        let left = found(&done.text);
        let again = add_ignore(&done.text, Some(name.as_bytes()), Reading::Auto, &left, found);
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
