//! Finds the parts of a document that a fragment can refer to: headings and explicit IDs.
//!
//! Each site generator derives heading IDs from the heading texts by its own rules, so this module
//! returns the texts.

use super::markdown::{OPTIONS, for_each_chunk};
use crate::dialect::Dialect;
use crate::html::{PageTarget, page_targets};
use memchr::memmem;
use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

/// A part of a document that a fragment can refer to.
///
/// ```
/// use urlsift_archive::{Anchor, Dialect, anchors};
/// let mut found = Vec::new();
/// anchors(b"# The *mill*\n\n<a name=wheel></a>\n", Dialect::Markdown, &mut |anchor| {
///     found.push(match anchor {
///         Anchor::Heading { text, .. } => text.to_owned(),
///         Anchor::Id(id) => format!("#{}", String::from_utf8_lossy(id)),
///         _ => unreachable!(),
///     });
/// });
/// assert_eq!(found, ["The mill", "#wheel"]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Anchor<'t> {
    /// A heading.
    Heading {
        /// The displayed text.
        text: &'t str,
        /// The text with its markup.
        source: &'t str,
    },
    /// An ID, as it is written in the document.
    Id(&'t [u8]),
    /// The displayed text of a term in a Markdown definition list. Some generators make IDs of
    /// terms.
    Term(&'t str),
    /// The name of a label, such as `(name)=` before a block. Only MyST reads it as an ID; other
    /// Markdown readers display it.
    Label(&'t [u8]),
    /// The name of a directive of reStructuredText or MyST. Some directives make headings and IDs.
    Directive(&'t [u8]),
}

/// Passes the headings and IDs of a document to `found`, in order. Supports Markdown, MDX,
/// reStructuredText, `AsciiDoc` and HTML; other documents have neither. In HTML, only IDs are
/// passed, because headings get no ID from their text. Takes linear time.
pub fn anchors(text: &[u8], dialect: Dialect, found: &mut dyn FnMut(Anchor<'_>)) {
    match dialect {
        Dialect::Markdown | Dialect::Mdx => {
            for_each_chunk(text, &mut |chunk, _| markdown(chunk, found));
        }
        Dialect::Rst => rst(text, found),
        Dialect::AsciiDoc => asciidoc(text, found),
        Dialect::Html => page_targets(text, &mut |target| {
            if let PageTarget::Id(id) = target {
                found(Anchor::Id(&id));
            }
        }),
        _ => {}
    }
}

fn markdown(text: &str, found: &mut dyn FnMut(Anchor<'_>)) {
    // The text of the open heading or term, and the number of open images in it. The text of an
    // image isn't part of the displayed text.
    let (mut heading, mut images): (Option<String>, usize) = (None, 0);
    // True inside the fenced block of a directive.
    let mut is_directive = false;
    let options = OPTIONS.union(Options::ENABLE_DEFINITION_LIST);
    for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => {
                if let Some(name) = directive_of_info(&info) {
                    found(Anchor::Directive(name.as_bytes()));
                    is_directive = true;
                }
            }
            Event::End(TagEnd::CodeBlock) => is_directive = false,
            Event::Text(piece) if is_directive => piece.lines().for_each(|line| myst(line, found)),
            Event::Start(tag @ (Tag::Paragraph | Tag::DefinitionListTitle)) => {
                // The line `:::` makes a term of the paragraph before it.
                let paragraph = text.get(range).unwrap_or_default();
                paragraph.lines().for_each(|line| myst(line, found));
                if tag == Tag::DefinitionListTitle {
                    heading = Some(String::new());
                }
            }
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::End(TagEnd::DefinitionListTitle) => {
                found(Anchor::Term(&heading.take().unwrap_or_default()));
            }
            Event::End(TagEnd::Heading(_)) => {
                let shown = heading.take().unwrap_or_default();
                let source = heading_source(text.get(range).unwrap_or_default());
                let (shown, id) = split_attribute(&shown);
                if let Some(id) = id {
                    found(Anchor::Id(id.as_bytes()));
                }
                found(Anchor::Heading { text: shown, source: split_attribute(source).0 });
            }
            Event::Start(Tag::Image { .. }) => images += 1,
            Event::End(TagEnd::Image) => images = images.saturating_sub(1),
            Event::Text(piece) | Event::Code(piece) => {
                if let Some(heading) = heading.as_mut().filter(|_| images == 0) {
                    heading.push_str(&piece);
                }
            }
            Event::SoftBreak | Event::HardBreak => {
                if let Some(heading) = &mut heading {
                    heading.push('\n');
                }
            }
            Event::Start(Tag::HtmlBlock) | Event::InlineHtml(_) => {
                let html = text.as_bytes().get(range).unwrap_or_default();
                page_targets(html, &mut |target| match target {
                    // GitHub finds an element by its name, too.
                    PageTarget::Id(id) | PageTarget::Name(id) => found(Anchor::Id(&id)),
                    PageTarget::Heading(text) => {
                        found(Anchor::Heading { text: &text, source: &text });
                    }
                });
            }
            _ => {}
        }
    }
}

/// Passes the directive or ID that starts on a line of MyST Markdown to `found`:
///
/// - `:::{name}` starts a directive.
/// - `(name)=` and `{#name}` are labels.
/// - `:name: x` gives a directive an ID.
fn myst(line: &str, found: &mut dyn FnMut(Anchor<'_>)) {
    let line = line.trim();
    if let Some(rest) = line.strip_prefix(":::") {
        if let Some(name) = directive_of_info(rest.trim_start_matches(':')) {
            found(Anchor::Directive(name.as_bytes()));
        }
    } else if let Some(name) = line.strip_prefix('(').and_then(|rest| rest.strip_suffix(")=")) {
        found(Anchor::Label(name.trim().as_bytes()));
    } else if let Some(name) = line.strip_prefix(":name:") {
        found(Anchor::Label(name.trim().as_bytes()));
    } else if line.starts_with('{')
        && let ("", Some(name)) = split_attribute(line)
    {
        found(Anchor::Label(name.as_bytes()));
    }
}

/// Returns `name` if the text after a fence is `{name}`, with or without arguments.
fn directive_of_info(info: &str) -> Option<&str> {
    let (name, _) = info.trim_start().strip_prefix('{')?.split_once('}')?;
    (!name.is_empty()).then_some(name)
}

/// Returns the text of a Markdown heading, without the marks around it. If the text has several
/// lines, returns the last one.
fn heading_source(whole: &str) -> &str {
    let whole = whole.trim();
    let Some(rest) = whole.strip_prefix('#') else {
        // In a heading without `#`, the last line is the underline.
        let body = whole.rsplit_once('\n').map_or(whole, |(body, _)| body);
        return body.rsplit('\n').next().unwrap_or(body).trim();
    };
    let rest = rest.trim_start_matches('#').trim();
    let body = rest.trim_end_matches('#');
    if body.len() < rest.len() && (body.is_empty() || body.ends_with([' ', '\t'])) {
        body.trim_end()
    } else {
        rest
    }
}

/// Splits a heading such as `Text {#id}` into its text and its ID.
fn split_attribute(heading: &str) -> (&str, Option<&str>) {
    let Some((text, attribute)) = heading.strip_suffix('}').and_then(|rest| rest.rsplit_once('{'))
    else {
        return (heading, None);
    };
    let id = attribute.split_ascii_whitespace().find_map(|word| word.strip_prefix('#'));
    match id {
        Some(id) => (text.trim_end(), Some(id)),
        None => (heading, None),
    }
}

fn rst(text: &[u8], found: &mut dyn FnMut(Anchor<'_>)) {
    // The previous line, without the white space at its end.
    let mut title: &[u8] = b"";
    for line in text.split(|&b| b == b'\n') {
        let line = line.trim_ascii_end();
        if is_underline(line) && !title.is_empty() && !is_underline(title) {
            let body = title.trim_ascii();
            let len = String::from_utf8_lossy(body).chars().count();
            let is_long_enough = line.len() >= len || line.len() >= 4;
            if is_long_enough && !title.starts_with(b"..") {
                let source = String::from_utf8_lossy(body);
                found(Anchor::Heading { text: &without_roles(&source), source: &source });
            }
            title = b"";
            continue;
        }
        title = line;
        let body = line.trim_ascii_start();
        if let Some(rest) = body.strip_prefix(b".. _") {
            // A name in backquotes is found below, like an inline target.
            let name = memchr::memchr(b':', rest).filter(|_| !rest.starts_with(b"`"));
            if let Some(end) = name {
                found(Anchor::Id(&rest[..end]));
            }
        } else if let Some(name) = body.strip_prefix(b":name:") {
            found(Anchor::Id(name.trim_ascii()));
        } else if let Some(rest) = body.strip_prefix(b".. [")
            && let Some(end) = memchr::memchr(b']', rest)
        {
            found(Anchor::Id(&rest[..end]));
        } else if let Some(name) = rst_directive(body) {
            found(Anchor::Directive(name));
        }
        // An inline target: _`name`
        for at in memmem::find_iter(body, b"_`") {
            let is_start = at == 0 || !body[at - 1].is_ascii_alphanumeric() && body[at - 1] != b'`';
            let rest = &body[at + 2..];
            if is_start && let Some(end) = memchr::memchr(b'`', rest) {
                found(Anchor::Id(&rest[..end]));
            }
        }
    }
}

/// Returns the name of the directive that starts on `line`, such as `note` for `.. note::`. The name
/// of a directive in a substitution definition is not returned, because its result is inline.
fn rst_directive(line: &[u8]) -> Option<&[u8]> {
    let rest = line.strip_prefix(b".. ")?.trim_ascii_start();
    let is_in_name = |b: &&u8| b.is_ascii_alphanumeric() || b":_+.-".contains(*b);
    let len = rest.iter().take_while(is_in_name).count();
    let is_end = rest.get(len).is_none_or(u8::is_ascii_whitespace);
    rest[..len].strip_suffix(b"::").filter(|name| is_end && !name.is_empty())
}

/// True if `line` consists of one repeated punctuation character, like the line below a title in
/// reStructuredText.
fn is_underline(line: &[u8]) -> bool {
    line.len() > 1
        && line.first().is_some_and(u8::is_ascii_punctuation)
        && line.iter().all(|b| *b == line[0])
}

/// Returns a reStructuredText title without its inline markup.
fn without_roles(title: &str) -> String {
    let mut out = String::with_capacity(title.len());
    let mut rest = title;
    while let Some((before, after)) = rest.split_once('`') {
        // The name of a role comes before the backquote, as in `:doc:`.
        let role = before.strip_suffix(':').and_then(|it| it.rfind(':'));
        let is_role = role.is_some_and(|at| {
            let name = &before[at + 1..before.len() - 1];
            !name.is_empty() && !name.contains(' ') && (at == 0 || before[..at].ends_with(' '))
        });
        out.push_str(if is_role { &before[..role.unwrap_or_default()] } else { before });
        let after = after.strip_prefix('`').unwrap_or(after);
        let (inner, next) = after.split_once('`').unwrap_or((after, ""));
        // `text <target>`_ and `!name`
        let shown = inner.split_once(" <").map_or(inner, |(text, _)| text);
        out.push_str(shown.trim_start_matches('!'));
        rest = next.trim_start_matches(['`', '_']);
    }
    out.push_str(rest);
    out.replace(['*', '\\'], "")
}

fn asciidoc(text: &[u8], found: &mut dyn FnMut(Anchor<'_>)) {
    for line in text.split(|&b| b == b'\n') {
        let line = line.trim_ascii_end();
        let marks = line.iter().take(7).take_while(|b| matches!(b, b'=' | b'#')).count();
        if (1..7).contains(&marks) && line.get(marks) == Some(&b' ') {
            let title = String::from_utf8_lossy(line[marks..].trim_ascii());
            found(Anchor::Heading { text: &title.replace(['`', '*'], ""), source: &title });
            continue;
        }
        let pairs: [(&[u8], &[u8]); 3] = [(b"[[", b"],"), (b"[#", b"].,"), (b"anchor:", b"[")];
        for (open, close) in pairs {
            for at in memmem::find_iter(line, open) {
                let rest = &line[at + open.len()..];
                if let Some(end) = rest.iter().position(|b| close.contains(b)) {
                    found(Anchor::Id(&rest[..end]));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str, dialect: Dialect) -> Vec<String> {
        let mut all = Vec::new();
        anchors(text.as_bytes(), dialect, &mut |anchor| {
            all.push(match anchor {
                Anchor::Heading { text, source } if text == source => text.to_owned(),
                Anchor::Heading { text, source } => format!("{text} from {source}"),
                Anchor::Id(id) => format!("#{}", String::from_utf8_lossy(id)),
                Anchor::Term(text) => format!("term {text}"),
                Anchor::Label(name) => format!("label {}", String::from_utf8_lossy(name)),
                Anchor::Directive(name) => format!("directive {}", String::from_utf8_lossy(name)),
            });
        });
        all
    }

    #[test]
    fn headings_of_markdown_are_found() {
        let text = "# A `b` [c](d) ##\n\nTwo\nlines\n===\n\n## E {#f .g}\n\n```\n# no\n```\n\n\
                    ## ![x](y) H &amp; I\n\n<h2 id=\"j\">K &amp; <b>L</b></h2>\n\nM <a name='n'></a>\n";
        assert_eq!(
            found(text, Dialect::Markdown),
            [
                "A b c from A `b` [c](d)",
                "Two\nlines from lines",
                "#f",
                "E",
                " H & I from ![x](y) H &amp; I",
                "#j",
                "K & L",
                "#n",
            ]
        );
    }

    #[test]
    fn terms_of_markdown_are_found() {
        let text = "the `mill`\n: a house\n\nwheel\n";
        assert_eq!(found(text, Dialect::Markdown), ["term the mill"]);
    }

    #[test]
    fn labels_and_directives_of_myst_are_found() {
        let text = "(the-mill)=\n\n# A\n\n{#b .c}\nD\n\n```{figure} b.png\n:name: wheel\n```\n\n:::{note}\nC\n:::\n\n\
                    ```python\n(d)=\n```\n";
        assert_eq!(
            found(text, Dialect::Markdown),
            [
                "label the-mill",
                "A",
                "label b",
                "directive figure",
                "label wheel",
                "directive note",
                "term :::{note}\nC"
            ]
        );
    }

    #[test]
    fn directives_of_rst_are_found() {
        let text = ".. note:: a\n\n   .. c:type:: b\n\n.. |d| image:: e.png\n.. f: g::h\n";
        assert_eq!(found(text, Dialect::Rst), ["directive note", "directive c:type"]);
    }

    #[test]
    fn titles_and_targets_of_rst_are_found() {
        let text = "====\nA b\n====\n\n.. _c d:\n\n:doc:`E <f>` ``g``\n------------------\n\n.. _`h: i`: j\n\n\
                    See _`k`.\n\n.. [L1] m\n\n.. figure:: n\n   :name: o\n";
        assert_eq!(
            found(text, Dialect::Rst),
            [
                "A b",
                "#c d",
                "E g from :doc:`E <f>` ``g``",
                "#h: i",
                "#k",
                "#L1",
                "directive figure",
                "#o",
            ]
        );
    }

    #[test]
    fn titles_and_ids_of_asciidoc_are_found() {
        let text = "= A\n\n[[b,c]]\n== `D` e\n\n[#f.g]\nx anchor:h[] y\n====\n";
        assert_eq!(found(text, Dialect::AsciiDoc), ["A", "#b", "D e from `D` e", "#f", "#h"]);
    }

    #[test]
    fn only_ids_of_html_are_found() {
        let text = "<h1 id=a>B</h1><a NAME=\"c&amp;d\"><meta name=e>";
        assert_eq!(found(text, Dialect::Html), ["#a", "#c&d"]);
    }
}
