//! Knows which directives of reStructuredText and MyST make headings and IDs.

/// The anchors that directives add to a document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Effect {
    /// No anchors, except those that the source contains.
    #[default]
    None,
    /// IDs of program items, options and terms.
    Names,
    /// Headings and other IDs. This is assumed for unknown directives.
    Any,
}

impl Effect {
    /// True if a directive with this effect may make the ID `anchor`.
    pub(super) fn may_make(self, anchor: &str) -> bool {
        match self {
            Self::None => false,
            // The ID of an item is its name, sometimes after the kind of the item.
            Self::Names => anchor.split_once('-').is_none_or(|(kind, _)| KINDS.contains(&kind)),
            // The ID of a heading has only small letters, digits and hyphens.
            Self::Any => {
                let is_in_id = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
                anchor.bytes().all(is_in_id) || Self::Names.may_make(anchor)
            }
        }
    }
}

/// Directives that make neither headings nor IDs of their own. They are those of docutils, Sphinx
/// and common extensions.
const PLAIN: [&str; 117] = [
    "abstract",
    "acks",
    "admonition",
    "article-info",
    "attention",
    "attribution",
    "button-link",
    "button-ref",
    "card",
    "card-carousel",
    "caution",
    "centered",
    "class",
    "code",
    "code-block",
    "code-cell",
    "code-tab",
    "codeauthor",
    "compound",
    "container",
    "contents",
    "cssclass",
    "csv-table",
    "currentmodule",
    "danger",
    "date",
    "dedication",
    "default-domain",
    "default-role",
    "deprecated",
    "digraph",
    "div",
    "doctest",
    "dropdown",
    "epigraph",
    "error",
    "figure",
    "figure-md",
    "footer",
    "graph",
    "graphviz",
    "grid",
    "grid-item",
    "grid-item-card",
    "group-tab",
    "header",
    "highlight",
    "highlights",
    "hint",
    "hlist",
    "ifconfig",
    "image",
    "important",
    "index",
    "inheritance-diagram",
    "ipython",
    "jupyter-execute",
    "kernel-doc",
    "kernel-figure",
    "kernel-render",
    "line-block",
    "list-table",
    "literalinclude",
    "margin",
    "math",
    "mermaid",
    "meta",
    "moduleauthor",
    "note",
    "only",
    "parsed-literal",
    "plantuml",
    "plot",
    "productionlist",
    "pull-quote",
    "pyplot",
    "raw",
    "replace",
    "role",
    "rst-class",
    "rubric",
    "section-numbering",
    "sectionauthor",
    "sectnum",
    "seealso",
    "sidebar",
    "sourcecode",
    "tab",
    "tab-container",
    "tab-item",
    "tab-set",
    "tab-set-code",
    "table",
    "tabs",
    "tabularcolumns",
    "target-notes",
    "testcleanup",
    "testcode",
    "testoutput",
    "testsetup",
    "tip",
    "title",
    "toctree",
    "todo",
    "todolist",
    "topic",
    "unicode",
    "version-added",
    "version-changed",
    "version-deprecated",
    "version-removed",
    "versionadded",
    "versionchanged",
    "versionremoved",
    "video",
    "warning",
    "youtube",
];

/// Directives of Sphinx that make IDs from names. Those of other domains than Python contain a
/// colon.
const NAMES: [&str; 21] = [
    "attribute",
    "classmethod",
    "cmdoption",
    "confval",
    "data",
    "decorator",
    "decoratormethod",
    "describe",
    "envvar",
    "exception",
    "function",
    "glossary",
    "method",
    "module",
    "object",
    "option",
    "program",
    "property",
    "setting",
    "staticmethod",
    "type",
];

/// The kinds of items at the start of IDs, such as `confval-x`.
const KINDS: [&str; 6] = ["confval", "directive", "grammar", "option", "role", "setting"];

/// Returns the effect of the directive `name`.
pub(super) fn effect(name: &[u8]) -> Effect {
    let name = String::from_utf8_lossy(name).to_ascii_lowercase();
    // The IDs of C and C++ contain a period or start with `_CPP`. They are accepted everywhere.
    let is_c = ["c:", "cpp:"].iter().any(|domain| name.starts_with(domain));
    if is_c || PLAIN.contains(&&*name) {
        Effect::None
    } else if name.contains(':') || NAMES.contains(&&*name) {
        Effect::Names
    } else {
        Effect::Any
    }
}

#[cfg(test)]
mod tests {
    use super::{Effect, effect};

    #[test]
    fn unknown_directives_may_make_any_id() {
        assert_eq!(effect(b"Note"), Effect::None);
        assert_eq!(effect(b"c:function"), Effect::None);
        assert_eq!(effect(b"py:function"), Effect::Names);
        assert_eq!(effect(b"show-options"), Effect::Any);
        for (id, is_name, is_any) in [
            ("open", true, true),
            ("role-doc", true, true),
            ("open-a-file", false, true),
            ("index-Open_002dA", false, false),
        ] {
            assert_eq!(Effect::Names.may_make(id), is_name, "{id}");
            assert_eq!(Effect::Any.may_make(id), is_any, "{id}");
        }
    }
}
