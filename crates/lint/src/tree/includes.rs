//! Recognizes documents into which a generator inserts other text.

use crate::dialect::Markup;
use memchr::memmem;

/// The marks of templates and of blocks that include other files.
const INCLUDES: [&[u8]; 11] = [
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
];

/// True if a generator inserts text into the document. The inserted text may contain anchors, and
/// definitions of references.
pub(crate) fn inserts_text(text: &[u8], markup: Markup) -> bool {
    INCLUDES.iter().any(|mark| memmem::find(text, mark).is_some())
        || matches!(markup, Markup::Markdown | Markup::Mdx) && has_generator_block(text)
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
    use super::*;

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
