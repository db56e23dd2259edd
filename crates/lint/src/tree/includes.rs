//! Recognizes documents into which a generator inserts other text, and the documents that it
//! inserts.

use crate::dialect::Markup;
use memchr::memmem;

/// The marks of templates, of blocks that include other files, and of pages that protoc-gen-doc
/// makes of several files.
const INCLUDES: [&[u8]; 12] = [
    b"{{#include",
    b"{{%",
    b"{{<",
    b"{%",
    b"--8<--",
    b".. auto",
    b"include::",
    b"```{include}",
    b"{!",
    b"@include:",
    b"<!-- include",
    b"# Protocol Documentation\n<a name=\"top\"></a>",
];

/// True if a generator inserts text into the document. The inserted text may contain anchors, and
/// definitions of references.
pub(crate) fn inserts_text(text: &[u8], markup: Markup) -> bool {
    INCLUDES.iter().any(|mark| memmem::find(text, mark).is_some())
        || matches!(markup, Markup::Markdown | Markup::Mdx) && has_generator_block(text)
}

/// The directives after which an included path starts, and the characters that end it.
const DIRECTIVES: [(&[u8], &[u8]); 5] = [
    (b"include::", b"[\n"),
    (b"```{include}", b"\n"),
    (b"{{#include ", b":}\n"),
    (b"--8<-- \"", b"\":\n"),
    (b"{!", b"!\n"),
];

/// Returns the paths of the documents from which Slate and `text` form one page. The front matter
/// lists them, without the directory and the extension.
pub(super) fn parts_of_slate(text: &[u8]) -> impl Iterator<Item = String> {
    let is_front = |line: &&str| !line.starts_with("---");
    let text = text.strip_prefix(b"---\n").and_then(|text| std::str::from_utf8(text).ok());
    let lines = text.unwrap_or_default().lines().take_while(is_front);
    let items = lines.skip_while(|line| line.trim_end() != "includes:").skip(1);
    items
        .map_while(|line| line.trim_start().strip_prefix("- "))
        .map(|name| format!("includes/_{}.md", name.trim()))
}

/// Returns the paths of the documents that `text` includes, as written. In paths that start with an
/// attribute, such as `{parts}/a.adoc`, the attribute is dropped.
pub(super) fn included_paths(text: &[u8]) -> impl Iterator<Item = &str> {
    DIRECTIVES.into_iter().flat_map(move |(directive, ends)| {
        memmem::find_iter(text, directive).filter_map(move |at| {
            let path = &text[at + directive.len()..];
            let path = &path[..path.iter().position(|b| ends.contains(b)).unwrap_or(path.len())];
            let path = std::str::from_utf8(path).ok()?.trim();
            let path = path
                .strip_prefix('{')
                .map_or(path, |it| it.split_once("}/").map_or(path, |(_, rest)| rest));
            (!path.is_empty() && path.len() < 256).then_some(path)
        })
    })
}

/// True if a Markdown document contains a block that `MkDocs` replaces with generated text, such as
/// `::: package.module`. Admonitions such as `::: tip` are not replaced.
fn has_generator_block(text: &[u8]) -> bool {
    let is_in_name = |b: &u8| b.is_ascii_alphanumeric() || b"._-".contains(b);
    let is_blank = |b: &u8| matches!(b, b' ' | b'\t');
    memmem::find_iter(text, b"::: ").any(|at| {
        let before = text[..at].iter().rev().find(|b| !is_blank(b));
        let after = &text[at + 4..];
        let name = &after[after.iter().take_while(|b| is_blank(b)).count()..];
        let name = &name[..name.iter().take_while(|b| is_in_name(b)).count()];
        before.is_none_or(|b| *b == b'\n')
            && name.iter().any(|b| b"._-".contains(b))
            && name != b"code-group"
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::check_all;
    use super::*;

    #[test]
    fn included_paths_are_found() {
        let text = b"include::a/b.adoc[leveloffset=1]\n.. include:: c.rst\n```{include} d.md\n\
            {{#include e.md:3}}\n--8<-- \"f.md\"\n{!g.md!}\ninclude::{parts}/h.adoc[]\n";
        let paths: Vec<_> = included_paths(text).collect();
        assert_eq!(paths, ["a/b.adoc", "c.rst", "h.adoc", "d.md", "e.md", "f.md", "g.md"]);
    }

    #[test]
    fn links_in_parts_of_documents_are_not_reported() {
        check_all(
            &[
                ("docs/a.adoc", "include::parts/b.adoc[]\ninclude::../c.adoc[]\n"),
                ("docs/parts/b.adoc", ""),
                ("docs/parts/d.adoc", ""),
                ("c.adoc", ""),
            ],
            &[
                ("docs/parts/b.adoc", "e.adoc", false),
                ("docs/parts/b.adoc", "#none", false),
                ("docs/parts/d.adoc", "e.adoc", true),
                // Readers of the repository see the document, too.
                ("c.adoc", "e.adoc", true),
            ],
        );
    }

    #[test]
    fn links_in_parts_of_slate_are_not_reported() {
        let index = "---\ntitle: A\nincludes:\n  - b\n  - c\nsearch: true\n---\n- d\n";
        check_all(
            &[
                ("docs/index.html.md", index),
                ("docs/includes/_b.md", ""),
                ("docs/includes/_c.md", ""),
                ("docs/includes/_d.md", ""),
            ],
            &[
                ("docs/includes/_b.md", "#none", false),
                ("docs/includes/_c.md", "#none", false),
                ("docs/includes/_d.md", "#none", true),
            ],
        );
    }

    #[test]
    fn blocks_that_are_replaced_are_recognized() {
        for (text, expected) in [
            ("# A\n\n{{#include b.md}}\n", true),
            ("{% include 'b.md' %}", true),
            ("# A\n  ::: mill.wheel\n", true),
            ("::: mill", false),
            ("::: tip\nb\n:::\n", false),
            ("::: \nmill.wheel\n", false),
            ("see ::: mill.wheel", false),
            ("::: code-group", false),
        ] {
            assert_eq!(inserts_text(text.as_bytes(), Markup::Markdown), expected, "{text}");
        }
        assert!(!inserts_text(b"::: mill.wheel", Markup::AsciiDoc));
    }
}
