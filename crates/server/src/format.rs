//! The format of a document, which the editor's language identifier determines.

use std::borrow::Cow;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use urlsift_archive::{Notation, Reading};
use urlsift_lint::{Language, file_name};

/// The language identifiers of editors for languages that are linted by their file names, each with
/// an extension that implies the language.
const LANGUAGES: [(&[&str], &str); 15] = [
    (&["mdx"], "mdx"),
    (&["org"], "org"),
    (&["mediawiki", "wikitext"], "mediawiki"),
    (&["texinfo"], "texi"),
    (&["rust"], "rs"),
    (&["python"], "py"),
    (&["go"], "go"),
    (&["turtle", "ntriples", "nquads", "trig", "n3", "sparql"], "ttl"),
    (&["javascript", "javascriptreact", "typescript", "typescriptreact"], "js"),
    (&["shellscript", "sh", "bash", "zsh", "ksh", "perl", "ruby"], "sh"),
    (&["tcl"], "tcl"),
    (&["css"], "css"),
    (&["scss", "less"], "scss"),
    (&["php"], "php"),
    (
        &[
            "c",
            "cpp",
            "objective-c",
            "objective-cpp",
            "java",
            "csharp",
            "cs",
            "swift",
            "kotlin",
            "scala",
        ],
        "c",
    ),
];

/// Returns the format in which to read a document with the language identifier `language`, which
/// the editor sends in `textDocument/didOpen`, and the path to lint it with. `path` is the path of
/// the document, or empty if it has none.
///
/// If the language is detected by the file name only and the name implies another one, the returned
/// path has another extension.
pub(crate) fn format_of<'p>(language: &str, path: &'p Path) -> (Reading, Cow<'p, Path>) {
    let reading = match language {
        "markdown" => Reading::Markdown,
        "restructuredtext" | "rst" => Reading::Rst,
        "html" | "xhtml" => Reading::Html,
        "asciidoc" | "asciidoctor" | "adoc" => Reading::AsciiDoc,
        "latex" | "tex" | "plaintex" | "context" | "bibtex" | "bib" => {
            Reading::Escaped(Notation::Tex)
        }
        "xml" | "xsl" | "xslt" | "xsd" | "svg" | "docbk" => Reading::Escaped(Notation::Xml),
        "json" | "jsonc" => Reading::Escaped(Notation::Json),
        "po" | "pot" | "gettext" => Reading::Escaped(Notation::Gettext),
        "nroff" | "groff" | "troff" | "roff" => Reading::Escaped(Notation::Man),
        _ => Reading::Auto,
    };
    let known = LANGUAGES.iter().find(|(names, _)| names.contains(&language));
    let Some(&(_, extension)) = known else { return (reading, path.into()) };
    let wanted = Language::of_file(format!("a.{extension}").as_bytes());
    let is_named = match wanted {
        Some(_) => file_name(path).and_then(Language::of_file) == wanted,
        None => path.extension().is_some_and(|it| it.eq_ignore_ascii_case(extension)),
    };
    if is_named {
        return (reading, path.into());
    }
    let mut named =
        OsString::from(if path.as_os_str().is_empty() { Path::new("untitled") } else { path });
    named.push(".");
    named.push(extension);
    (reading, PathBuf::from(named).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn language_decides_the_format() {
        for (language, path, reading, linted) in [
            ("markdown", "/a/README", Reading::Markdown, "/a/README"),
            ("latex", "", Reading::Escaped(Notation::Tex), ""),
            ("plaintext", "/a/b.md", Reading::Auto, "/a/b.md"),
            ("python", "/a/b.py", Reading::Auto, "/a/b.py"),
            ("python", "/a/SConstruct", Reading::Auto, "/a/SConstruct.py"),
            ("typescript", "/a/b.ts", Reading::Auto, "/a/b.ts"),
            ("rust", "", Reading::Auto, "untitled.rs"),
            ("css", "", Reading::Auto, "untitled.css"),
            ("less", "/a/b.less", Reading::Auto, "/a/b.less"),
            ("org", "/a/b.org", Reading::Auto, "/a/b.org"),
            ("org", "/a/b.txt", Reading::Auto, "/a/b.txt.org"),
        ] {
            let (found, path) = format_of(language, Path::new(path));
            assert_eq!((found, &*path), (reading, Path::new(linted)), "{language}");
        }
    }
}
