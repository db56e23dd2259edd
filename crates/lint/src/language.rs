//! The programming languages whose comments are linted.

/// A programming language. In its programs, the linter checks the text of comments.
///
/// ```
/// use urlsift_lint::Language;
/// assert_eq!(Language::of_file(b"main.RS"), Some(Language::Rust));
/// assert_eq!(Language::of_file(b"notes.txt"), None);
/// assert_eq!(Language::Rust.name(), "rust");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Language {
    /// C, C++, and other languages with the same comment syntax.
    C,
    /// CSS, which has block comments only.
    Css,
    /// Go.
    Go,
    /// JavaScript and TypeScript.
    JavaScript,
    /// JSON, which has no comments. The whole text counts as code.
    Json,
    /// PHP between `<?php` and `?>`. The HTML around it counts as code.
    Php,
    /// Python, whose docstrings count as comments.
    Python,
    /// N-Triples, N-Quads, Turtle, `TriG`, N3 and SPARQL. The whole text counts as code, because the
    /// IRIs are names in data.
    Rdf,
    /// Rust.
    Rust,
    /// SCSS and Less, which have the comments of C.
    Scss,
    /// Shell, and other languages with the same comment syntax.
    Shell,
    /// Tcl, where a comment can only start where a command can.
    Tcl,
}

/// The properties of a programming language, as listed in the table of languages.
#[derive(Debug)]
struct Row {
    language: Language,
    name: &'static str,
    /// The file name extensions.
    endings: &'static [&'static str],
    syntax: Syntax,
}

/// The syntax of comments and strings in a programming language.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Syntax {
    /// The texts that start a comment which ends with its line. New comments start with the first.
    pub(crate) line: &'static [&'static str],
    /// True if the language has block comments as in C (`/* */`).
    pub(crate) block: bool,
    /// True if block comments nest.
    pub(crate) nests: bool,
    /// The quotes of strings that end with their line.
    pub(crate) quotes: &'static [u8],
    /// The quotes of strings that can span lines.
    pub(crate) long_quotes: &'static [u8],
    /// Texts that may start a string or another text of several lines. Its lines are read as lines
    /// of code, so in a program with one of these texts, no comment is added to a line of code.
    pub(crate) unread: &'static [&'static str],
}

const C: Syntax = Syntax {
    line: &["//"],
    block: true,
    nests: false,
    quotes: b"\"'",
    long_quotes: b"",
    // Strings of C++, of C#, and of Java, Kotlin, Scala and Swift.
    unread: &["R\"", "@\"", "\"\"\""],
};
const SHELL: Syntax = Syntax {
    line: &["#"],
    block: false,
    nests: false,
    quotes: b"",
    long_quotes: b"\"'",
    // Here-documents. In Perl and Ruby: documentation, data sections, strings and word lists.
    unread: &["<<", "\n=", "__DATA__", "__END__", "%W", "%w", "qw", "q(", "q<", "q[", "q{"],
};

/// The properties of each language, in the order of the variants.
const TABLE: [Row; 12] = [
    Row {
        language: Language::C,
        name: "c",
        endings: &[
            ".c", ".h", ".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx", ".java", ".cs", ".swift",
            ".kt", ".scala",
        ],
        syntax: C,
    },
    Row {
        language: Language::Css,
        name: "css",
        endings: &[".css"],
        syntax: Syntax { line: &[], unread: &[], ..C },
    },
    Row {
        language: Language::Go,
        name: "go",
        endings: &[".go"],
        syntax: Syntax { long_quotes: b"`", unread: &[], ..C },
    },
    Row {
        language: Language::JavaScript,
        name: "javascript",
        endings: &[".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts"],
        // The text of JSX elements.
        syntax: Syntax { long_quotes: b"`", unread: &["</", "/>"], ..C },
    },
    Row {
        language: Language::Json,
        name: "json",
        endings: &[".json", ".jsonl", ".map"],
        syntax: C,
    },
    Row {
        language: Language::Php,
        name: "php",
        endings: &[".php"],
        syntax: Syntax {
            line: &["//", "#"],
            quotes: b"",
            long_quotes: b"\"'",
            unread: &["<<<"],
            ..C
        },
    },
    Row {
        language: Language::Python,
        name: "python",
        endings: &[".py", ".pyi"],
        syntax: Syntax { quotes: b"\"'", long_quotes: b"", unread: &[], ..SHELL },
    },
    Row {
        language: Language::Rdf,
        name: "rdf",
        endings: &[".nt", ".nq", ".ttl", ".trig", ".n3", ".rq", ".sparql"],
        syntax: SHELL,
    },
    Row {
        language: Language::Rust,
        name: "rust",
        endings: &[".rs"],
        syntax: Syntax { nests: true, quotes: b"", long_quotes: b"\"", unread: &[], ..C },
    },
    Row {
        language: Language::Scss,
        name: "scss",
        endings: &[".scss", ".less"],
        syntax: Syntax { unread: &[], ..C },
    },
    Row {
        language: Language::Shell,
        name: "shell",
        endings: &[".sh", ".bash", ".zsh", ".ksh", ".pl", ".rb"],
        syntax: SHELL,
    },
    Row {
        language: Language::Tcl,
        name: "tcl",
        endings: &[".tcl"],
        syntax: Syntax { long_quotes: b"\"", ..SHELL },
    },
];

// Check that the index of each row is the number of its variant.
const _: () = {
    let mut at = 0;
    while at < TABLE.len() {
        assert!(TABLE[at].language as usize == at, "the rows are in the order of the variants");
        at += 1;
    }
};

impl Language {
    /// Every language.
    pub const ALL: [Self; TABLE.len()] = {
        let mut all = [Self::C; TABLE.len()];
        let mut at = 0;
        while at < TABLE.len() {
            all[at] = TABLE[at].language;
            at += 1;
        }
        all
    };

    /// Returns the row that describes the language in the table of languages.
    const fn table_row(self) -> &'static Row {
        &TABLE[self as usize]
    }

    /// Returns the stable name of the language, e.g. `python`.
    pub const fn name(self) -> &'static str {
        self.table_row().name
    }

    /// Returns the syntax of comments and strings in this language.
    pub(crate) const fn syntax(self) -> &'static Syntax {
        &self.table_row().syntax
    }

    /// True if the comments of the language are linted as text. JSON has no comments. In RDF, `#` also
    /// starts the fragment of an IRI.
    pub(crate) const fn has_linted_comments(self) -> bool {
        !matches!(self, Self::Json | Self::Rdf)
    }

    /// Returns the programming language of the file called `name`, the last component of a path. It
    /// is determined by the extension. Returns `None` if the extension is unknown.
    pub fn of_file(name: &[u8]) -> Option<Self> {
        let is_ending = |ending: &&str| {
            let start = name.len().checked_sub(ending.len()).filter(|start| *start > 0);
            start.is_some_and(|start| name[start..].eq_ignore_ascii_case(ending.as_bytes()))
        };
        TABLE.iter().find(|row| row.endings.iter().any(is_ending)).map(|row| row.language)
    }
}
