//! The rules about links whose faults are outside the URL itself.

use crate::dialect::{Dialect, Markup};
use crate::edit::Applicability;
use crate::rule::{Meta, On};
use urlsift_core::Level;

pub(crate) static MISSING_SCHEME: Meta = Meta::new(
    "link.missing-scheme",
    Level::Error,
    On::Text,
    "the link target has no scheme",
)
.source(3986, "4.5")
.with_description("The target of a link starts with `www.`, or with a host in a well-known top-level domain.")
.with_reason("Without a scheme, the target of a link is a path relative to the page. So a link to `www.host.com` leads to a page of this name on your own site, which doesn't exist.")
.with_advice("write `https://` before the host")
.with_example_texts("[the mill](www.host.com/visit)", "[the mill](https://www.host.com/visit)")
.with_example_dialect(Dialect::Text(Markup::Markdown))
.fix(Applicability::Unsafe);

pub(crate) static BLANK_BEFORE_TARGET: Meta = Meta::new(
    "link.blank-before-target",
    Level::Error,
    On::Text,
    "the link target doesn't directly follow the link text",
)
.with_description("In Markdown, a space separates `[text]` from `(target)`, or the parentheses are full-width characters.")
.with_reason("Markdown shows the brackets and the URL instead of a link.")
.with_advice("write `[text](target)` without a space")
.with_example_texts("See [the mill] (https://host.com/a).", "See [the mill](https://host.com/a).")
.with_example_dialect(Dialect::Text(Markup::Markdown))
.fix(Applicability::Unsafe);

pub(crate) static REVERSED: Meta = Meta::new(
    "link.reversed",
    Level::Error,
    On::Text,
    "the brackets and parentheses of the link are swapped",
)
.with_description("In Markdown, the link text is in parentheses and the target in brackets.")
.with_reason("Markdown shows the brackets and the URL instead of a link.")
.with_advice("write `[text](target)`")
.with_example_texts("See (the mill)[https://host.com/a].", "See [the mill](https://host.com/a).")
.with_example_dialect(Dialect::Text(Markup::Markdown))
.fix(Applicability::Unsafe);

pub(crate) static UNCLOSED: Meta =
    Meta::new("link.unclosed", Level::Error, On::Text, "the link target is not closed")
        .with_description("In Markdown, `](` and a URL are not followed by `)`.")
        .with_reason("Markdown shows the brackets and the URL instead of a link.")
        .with_advice("write `)` right after the target")
        .with_example_texts(
            "See [the mill](https://host.com/a for more.",
            "See [the mill](https://host.com/a) for more.",
        )
        .with_example_dialect(Dialect::Text(Markup::Markdown))
        .fix(Applicability::Unsafe);

pub(crate) static NO_BLANK: Meta = Meta::new(
    "link.no-blank-before-target",
    Level::Error,
    On::Text,
    "missing space between the link text and its target",
)
.with_description("In reStructuredText, the `<` of an embedded target follows the link text without a space.")
.with_reason("Without the space, reStructuredText reads all of the text as the name of a target that is defined elsewhere. No such target exists.")
.with_advice("write a space before `<`")
.with_example_texts("See `the mill<https://host.com/a>`_.", "See `the mill <https://host.com/a>`_.")
.with_example_dialect(Dialect::Text(Markup::Rst))
.fix(Applicability::Unsafe);

pub(crate) static SQUARE_BRACKETS: Meta = Meta::new(
    "link.square-brackets",
    Level::Error,
    On::Text,
    "the link target is in square brackets",
)
.with_description("In Markdown, a URL in square brackets follows the link text, and no definition has the URL as its name.")
.with_reason("Square brackets after a link text contain the name of a definition. There is none, so Markdown shows the brackets and the URL.")
.with_advice("write `[text](target)`")
.with_example_texts("See [the mill][https://host.com/a].", "See [the mill](https://host.com/a).")
.with_example_dialect(Dialect::Text(Markup::Markdown))
.fix(Applicability::Unsafe);

pub(crate) static MISSING_BRACKET: Meta = Meta::new(
    "link.missing-bracket",
    Level::Error,
    On::Text,
    "the link text is not closed",
)
.with_description("In Markdown, the text of a link is followed by `(` and a URL without a `]` before it, or by another closing bracket.")
.with_reason("Markdown shows the bracket and the URL instead of a link.")
.with_advice("write `](` between the text and the target")
.with_example_texts("See [the mill(https://host.com/a).", "See [the mill](https://host.com/a).")
.with_example_dialect(Dialect::Text(Markup::Markdown))
.fix(Applicability::Unsafe);

pub(crate) static EMPTY_TARGET: Meta = Meta::new(
    "link.empty-target",
    Level::Error,
    On::Text,
    "the link has no target",
)
.with_description("The target of a link is empty. If the text of the link is a URL, the level is error, otherwise warning.")
.with_reason("The link leads to the page that contains it.")
.with_advice("add the target, or write the URL in angle brackets")
.with_example_texts("See [https://host.com/a]().", "See <https://host.com/a>.")
.with_example_dialect(Dialect::Text(Markup::Markdown))
.fix(Applicability::Unsafe);

pub(crate) static EMPTY_TEXT: Meta =
    Meta::new("link.empty-text", Level::Error, On::Text, "the link has no text")
        .with_description("The text of a Markdown link to a URL is empty.")
        .with_reason(
            "Readers can't see the link, and screen readers announce a link without a name.",
        )
        .with_advice("write a text, or the URL in angle brackets")
        .with_example_texts("See [](https://host.com/a).", "See <https://host.com/a>.")
        .with_example_dialect(Dialect::Text(Markup::Markdown))
        .fix(Applicability::Unsafe);

pub(crate) static WRAPPED_TARGET: Meta = Meta::new(
    "link.wrapped-target",
    Level::Error,
    On::Text,
    "the link target is in quotes or in a second pair of brackets",
)
.with_description("The target of a Markdown link is in quotes, backquotes, or brackets inside the parentheses.")
.with_reason("Everything in the parentheses is the target. With the quotes or brackets, it is a relative path that doesn't exist.")
.with_advice("remove the quotes or brackets")
.with_example_texts("See [the mill](\"https://host.com/a\").", "See [the mill](https://host.com/a).")
.with_example_dialect(Dialect::Text(Markup::Markdown))
.fix(Applicability::Unsafe);

pub(crate) static EDGE_BLANK: Meta = Meta::new(
    "link.edge-blank",
    Level::Warning,
    On::Text,
    "there is a space at the edge of the link target",
)
.with_description("There are spaces between the parentheses and the target of a Markdown link.")
.with_reason("CommonMark ignores the spaces. Other Markdown parsers and many tools make no link of it, or one whose target contains the space.")
.with_advice("remove the space")
.with_example_texts("See [the mill]( https://host.com/a).", "See [the mill](https://host.com/a).")
.with_example_dialect(Dialect::Text(Markup::Markdown))
.fix(Applicability::Safe);

pub(crate) static FOREIGN_MARKUP: Meta = Meta::new(
    "link.foreign-markup",
    Level::Error,
    On::Text,
    "the link is written in the markup of another language",
)
.with_description("A document contains a link in another markup: a Markdown link in reStructuredText, AsciiDoc, MediaWiki or Org, or a reStructuredText link in Markdown, AsciiDoc or Org. In a Python docstring, a Markdown link is an info, because many projects write Markdown there.")
.with_reason("The document's own markup makes no link of it, and shows the brackets or code instead.")
.with_advice("write the link in the markup of the document")
.with_example_texts("See `the mill <https://host.com/a>`_.", "See [the mill](https://host.com/a).")
.with_example_dialect(Dialect::Text(Markup::Markdown))
.fix(Applicability::Unsafe);

pub(crate) static MISSING_UNDERSCORE: Meta = Meta::new(
    "link.missing-underscore",
    Level::Error,
    On::Text,
    "the link doesn't end in a backquote and an underscore",
)
.with_description("In reStructuredText, a text and a URL are in backquotes, but the underscore after them is missing or misplaced, a backquote is missing, or the backquotes are doubled.")
.with_reason("Without `` `_ `` at the end, docutils reads a title or literal text, and shows the URL instead of a link.")
.with_advice("write `` `text <target>`_ ``")
.with_example_texts("See `the mill <https://host.com/a>`.", "See `the mill <https://host.com/a>`_.")
.with_example_dialect(Dialect::Text(Markup::Rst))
.fix(Applicability::Unsafe);

pub(crate) static MALFORMED_DEFINITION: Meta = Meta::new(
    "link.malformed-definition",
    Level::Error,
    On::Text,
    "the line is not a correct definition of a link target",
)
.with_description("A line looks like the definition of a link target, but its colon, a space or the underscore is missing, or other text is between the name and the URL: `.. _name:https://...` in reStructuredText, or `[name] https://...` in Markdown.")
.with_reason("The line defines nothing or another target, so links that refer to it don't work.")
.with_advice("write `.. _name: target` in reStructuredText, or `[name]: target` in Markdown")
.with_example_texts("See mill_.\n\n.. _mill:https://host.com/a\n", "See mill_.\n\n.. _mill: https://host.com/a\n")
.with_example_dialect(Dialect::Text(Markup::Rst))
.fix(Applicability::Unsafe);

pub(crate) static WIKI_BRACKETS: Meta = Meta::new(
    "link.wiki-brackets",
    Level::Warning,
    On::Text,
    "the external link is written like a link to a wiki page",
)
.with_description("In MediaWiki, a URL is in two pairs of brackets, or a bar separates it from the link text.")
.with_reason("Two brackets and the bar are for pages of the wiki. Around a URL, the wiki shows the second pair of brackets or makes the bar part of the URL.")
.with_advice("write `[target text]`")
.with_example_texts("See [[https://host.com/a the mill]].", "See [https://host.com/a the mill].")
.with_example_dialect(Dialect::Text(Markup::MediaWiki))
.fix(Applicability::Unsafe);

pub(crate) static UNBALANCED_QUOTES: Meta = Meta::new(
    "link.unbalanced-quotes",
    Level::Error,
    On::Text,
    "the quotes around the link target don't match",
)
.with_description("In HTML, the closing quote of an attribute that contains a URL is missing, or there are two opening quotes.")
.with_reason("The value continues to the next quote, so the rest of the tag and the text after it become part of the URL, or the value is empty.")
.with_advice("write one quote on each side of the value")
.with_example_texts("<a href=\"https://host.com/a>the mill</a>", "<a href=\"https://host.com/a\">the mill</a>")
.with_example_dialect(Dialect::Text(Markup::Html))
.fix(Applicability::Unsafe);

pub(crate) static EXTRA_SLASHES: Meta = Meta::new(
    "scheme.extra-slashes",
    Level::Error,
    On::Text,
    "there are not exactly two slashes after the scheme",
)
.source(1738, "3.1")
.with_description("The colon of a scheme is followed by three or more slashes and a host, or by a slash and a backslash.")
.with_reason("After two slashes, the third one starts the path, so the URL has no host.")
.with_advice("write exactly two slashes")
.with_example_texts("See http:///www.host.com/a.", "See http://www.host.com/a.")
.fix(Applicability::Unsafe);

pub(crate) static TEXT_MISMATCH: Meta = Meta::new(
    "link.text-mismatch",
    Level::Warning,
    On::Text,
    "the link text is a URL on another host than the target",
)
.with_description("The text of a link in Markdown or HTML is a URL or a host name, and the target of the link is in another domain. Subdomains of the same domain don't count.")
.with_reason("Readers see one site and get to another. Either the link was changed in one place only, or it is meant to deceive.")
.with_advice("write the target as the text, or a text that is not a URL")
.with_example_texts(
    "See [www.mill.com/a](https://www.wheel.com/a).",
    "See [www.mill.com/a](https://www.mill.com/a).",
)
.with_example_dialect(Dialect::Text(Markup::Markdown));

pub(crate) static UNDEFINED_REFERENCE: Meta = Meta::new(
    "link.undefined-reference",
    Level::Warning,
    On::Text,
    "no definition has this label",
)
.with_description("A Markdown link `[text][label]` or `[label][]` needs a definition `[label]: target`, but the document contains none. A lone `[label]` is only reported in two cases: it differs from the label of an unused definition only in punctuation or case, or it is a version in a changelog heading and most other versions are defined. The rule ignores labels that are also a heading or the name of a program item, because some generators link them. It also ignores documents that include other files.")
.with_reason("Markdown shows the brackets instead of a link.")
.with_advice("define the label, or correct it")
.with_example_texts("See [the mill][old-mill].\n\n[old mill]: https://host.com/a\n", "See [the mill][old mill].\n\n[old mill]: https://host.com/a\n")
.with_example_dialect(Dialect::Text(Markup::Markdown))
.fix(Applicability::Unsafe);

pub(crate) static UNUSED_DEFINITION: Meta = Meta::new(
    "link.unused-definition",
    Level::Info,
    On::Text,
    "no link uses this definition",
)
.with_description("A Markdown document defines a link target, but no link in the document uses it. The rule ignores comments such as `[//]: # (text)`, and documents that consist mostly of definitions or include other files.")
.with_reason("The definition has no effect. The link that should use it may be misspelled.")
.with_advice("remove the definition, or use it in a link")
.with_example_texts("See the mill.\n\n[mill]: https://host.com/a\n", "See the [mill].\n\n[mill]: https://host.com/a\n")
.with_example_dialect(Dialect::Text(Markup::Markdown));

pub(crate) static DUPLICATE_DEFINITION: Meta = Meta::new(
    "link.duplicate-definition",
    Level::Warning,
    On::Text,
    "the label is already defined",
)
.with_description("A Markdown document defines a label twice. If both definitions have the same target, the level is info.")
.with_reason("Markdown uses the first definition and ignores the others. Links that were meant to use a later definition lead to the wrong target.")
.with_advice("remove one of the definitions, or rename its label")
.with_example_texts("See the [mill].\n\n[mill]: https://host.com/a\n[Mill]: https://host.com/b\n", "See the [mill].\n\n[mill]: https://host.com/a\n")
.with_example_dialect(Dialect::Text(Markup::Markdown));

pub(crate) static MISSING_FILE: Meta = Meta::new(
    "link.missing-file",
    Level::Warning,
    On::Text,
    "the link leads to a file that doesn't exist",
)
.with_description("The target of a link is a relative path, but the directory tree contains no such file. The rule runs only with `--local` or with the table `[local]` in `urlsift.toml`. It ignores paths that leave the tree, pages that a site generator may make, and links in the input of tests and in copies of other projects. In an HTML page, it reports an info, because the build of a site may add the file. It also reports an info in a change log, whose old entries may link to files that were removed later, and for an image if the tree contains neither its directory nor an image with its name, because such images are often kept elsewhere.")
.with_reason("Readers who follow the link get an error page.")
.with_advice("correct the path, or add the file")
.with_example_texts("See [the mill](mill.md).", "See [the mill](https://host.com/mill).")
.as_tree_rule()
.with_example_dialect(Dialect::Text(Markup::Markdown));

pub(crate) static MISSING_ANCHOR: Meta = Meta::new(
    "link.missing-anchor",
    Level::Warning,
    On::Text,
    "the target document contains no such heading or ID",
)
.with_description("The fragment of a relative link is neither a heading ID nor an explicit ID in the target document. The rule runs only with `--local` or with the table `[local]` in `urlsift.toml`. Both can name the program that makes the heading IDs. The rule ignores anchors that an included file or a directive may make. If only the case differs, it reports an info for `github`, because GitHub ignores the case, and for links that readers follow in the repository, outside of Sphinx's pages. It also reports an info in an HTML page, whose IDs a script or another part of the page may add, and in a change log, whose old entries may link to sections that were removed later.")
.with_reason("The link leads to the top of the page instead of the section.")
.with_advice("write the ID of a heading")
.with_example_texts("## The mill\n\nSee [below](#The-Mill).\n", "## The mill\n\nSee [below](#the-mill).\n")
.as_tree_rule()
.with_example_dialect(Dialect::Text(Markup::Markdown))
.fix(Applicability::Unsafe);
