//! Baselines: known diagnostics from an earlier output of `lint --format jsonl`.
//!
//! A diagnostic is known if the baseline has an unused entry with the same path, code and URL.
//! Without a URL, a hash of the line is compared instead. Line numbers and offsets are ignored, so
//! edits elsewhere don't matter. Paths are normalized before they are compared.

use core::fmt;
use serde::Deserialize;
use std::collections::HashMap;
use std::path::is_separator;

/// Known diagnostics, which should not be reported again. Parse it from an earlier output, and call
/// [`Baseline::matches`] for each new diagnostic.
///
/// ```
/// use urlsift_lint::Baseline;
/// let line = r#"{"type":"diagnostic","path":"a.md","code":"host.label","url":"http://..a/"}"#;
/// let mut baseline = Baseline::parse(line)?;
/// let paths = ["a.md".to_owned()];
/// assert!(baseline.matches(&paths, "host.label", "http://..a/"));
/// assert!(!baseline.matches(&paths, "host.label", "http://..a/"), "the only entry is used");
/// # Ok::<(), urlsift_lint::BadBaseline>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Baseline {
    known: HashMap<Key, u64>,
}

/// The path, the code, and the URL or line hash of a diagnostic.
type Key = (String, String, String);

/// The fields that are read from one line of a baseline.
#[derive(Deserialize)]
struct Line {
    r#type: String,
    #[serde(default)]
    path: String,
    #[serde(default)]
    code: String,
    url: Option<String>,
    #[serde(rename = "line_hash")]
    hash: Option<String>,
}

/// The error for a baseline that contains a line which is not a JSON record.
///
/// ```
/// let error = urlsift_lint::Baseline::parse("{}\nno record").unwrap_err();
/// assert!(error.to_string().ends_with("this is not output of `lint --format jsonl`"));
/// ```
#[derive(Debug)]
pub struct BadBaseline {
    line: usize,
    error: serde_json::Error,
}

impl fmt::Display for BadBaseline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: this is not output of `lint --format jsonl`", self.line)
    }
}

impl core::error::Error for BadBaseline {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        Some(&self.error)
    }
}

impl Baseline {
    /// Parses a baseline: the output of an earlier `urlsift lint --format jsonl`, with one record
    /// per line. Blank lines are skipped.
    ///
    /// # Errors
    ///
    /// Returns an error for the first line that is not a record.
    pub fn parse(text: &str) -> Result<Self, BadBaseline> {
        let mut known: HashMap<Key, u64> = HashMap::new();
        for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let line: Line = serde_json::from_str(line)
                .map_err(|error| BadBaseline { line: number + 1, error })?;
            if line.r#type == "diagnostic" {
                let about = line.url.or(line.hash).unwrap_or_default();
                let key = (normalize_path(&line.path), line.code, about);
                *known.entry(key).or_default() += 1;
            }
        }
        Ok(Self { known })
    }

    /// True if the baseline contains the diagnostic, so that it should not be reported. Each entry
    /// of the baseline matches only one diagnostic.
    ///
    /// `paths` are the possible paths of the file, normalized by [`normalize_path`]. `code` is the
    /// rule. `about` is the URL of the diagnostic or, without a URL, the [hash of its
    /// line](crate::Lines::line_hash).
    pub fn matches(&mut self, paths: &[String], code: &str, about: &str) -> bool {
        paths.iter().any(|path| {
            let key = (path.clone(), code.to_owned(), about.to_owned());
            let left = self.known.get_mut(&key).filter(|left| **left > 0);
            left.map(|left| *left -= 1).is_some()
        })
    }
}

/// Normalizes a path without accessing the file system: removes `./` and repeated slashes, and
/// resolves `..`. The result uses `/` as separator on every system.
///
/// ```
/// assert_eq!(urlsift_lint::normalize_path("./a//b/../c.md"), "a/c.md");
/// assert_eq!(urlsift_lint::normalize_path("../a"), "../a");
/// ```
pub fn normalize_path(path: &str) -> String {
    let mut names: Vec<&str> = Vec::new();
    for name in path.split(is_separator).filter(|name| !matches!(*name, "" | ".")) {
        if name == ".." && names.last().is_some_and(|last| *last != "..") {
            names.pop();
        } else {
            names.push(name);
        }
    }
    let root = if path.starts_with(is_separator) { "/" } else { "" };
    root.to_owned() + &names.join("/")
}

#[cfg(test)]
mod tests {
    use super::Baseline;

    #[test]
    fn each_entry_is_used_once() {
        let line = r#"{"type":"diagnostic","path":"a","code":"x.y","url":"http://h/","start":3}"#;
        let mut baseline =
            Baseline::parse(&format!("{line}\n{line}\n{{\"type\":\"summary\"}}\n")).unwrap();
        let mut takes = |path: &str| baseline.matches(&[path.to_owned()], "x.y", "http://h/");
        assert!(takes("a"));
        assert!(!takes("b"));
        assert!(takes("a"));
        assert!(!takes("a"));
        let error = Baseline::parse("\nx").unwrap_err();
        assert!(error.to_string().starts_with("line 2: "), "{error}");
    }
}
