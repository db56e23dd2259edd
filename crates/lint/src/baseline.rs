//! What was there before: an earlier output of `lint --format jsonl`.
//!
//! A diagnostic is known if the baseline holds one of the same path, code and URL that no other
//! diagnostic has used up. Lines and offsets do not count, so edits elsewhere change nothing.

use core::fmt;
use serde::Deserialize;
use std::collections::HashMap;

/// The diagnostics that are known, and how many of each are left.
#[derive(Clone, Debug, Default)]
pub struct Baseline {
    known: HashMap<Key, u64>,
}

/// Path, code and URL.
type Key = (String, String, String);

#[derive(Deserialize)]
struct Line {
    r#type: String,
    #[serde(default)]
    path: String,
    #[serde(default)]
    code: String,
    url: Option<String>,
}

/// A line of a baseline that is no record.
#[derive(Debug)]
pub struct BadBaseline {
    line: usize,
    error: serde_json::Error,
}

impl fmt::Display for BadBaseline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: this is no output of `lint --format jsonl`", self.line)
    }
}

impl core::error::Error for BadBaseline {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        Some(&self.error)
    }
}

impl Baseline {
    /// Reads an output, one record a line.
    ///
    /// # Errors
    ///
    /// A line that is no record.
    pub fn parse(text: &str) -> Result<Self, BadBaseline> {
        let mut known: HashMap<Key, u64> = HashMap::new();
        for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let line: Line = serde_json::from_str(line)
                .map_err(|error| BadBaseline { line: number + 1, error })?;
            if line.r#type == "diagnostic" {
                let key = (line.path, line.code, line.url.unwrap_or_default());
                *known.entry(key).or_default() += 1;
            }
        }
        Ok(Self { known })
    }

    /// Whether a diagnostic is known; if so, one less of its kind is left.
    pub fn takes(&mut self, path: &str, code: &str, url: Option<&str>) -> bool {
        let key = (path.to_owned(), code.to_owned(), url.unwrap_or_default().to_owned());
        match self.known.get_mut(&key) {
            Some(left) if *left > 0 => {
                *left -= 1;
                true
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Baseline;

    #[test]
    fn each_entry_is_used_once() {
        let line = r#"{"type":"diagnostic","path":"a","code":"x.y","url":"http://h/","start":3}"#;
        let mut baseline =
            Baseline::parse(&format!("{line}\n{line}\n{{\"type\":\"summary\"}}\n")).unwrap();
        assert!(baseline.takes("a", "x.y", Some("http://h/")));
        assert!(!baseline.takes("b", "x.y", Some("http://h/")));
        assert!(baseline.takes("a", "x.y", Some("http://h/")));
        assert!(!baseline.takes("a", "x.y", Some("http://h/")));
        let error = Baseline::parse("\nx").unwrap_err();
        assert!(error.to_string().starts_with("line 2: "), "{error}");
    }
}
