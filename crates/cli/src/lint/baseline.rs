//! What was there before: an earlier output of `lint --format jsonl`.
//!
//! A diagnostic is known if the baseline holds one of the same path, code and URL that no other
//! diagnostic has used up. Lines and offsets do not count, so edits elsewhere change nothing.

use anyhow::Context as _;
use serde::Deserialize;
use std::collections::HashMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// The diagnostics that are known, and how many of each are left.
#[derive(Debug, Default)]
pub(crate) struct Baseline {
    known: Mutex<HashMap<Key, u64>>,
}

type Key = (String, String, String);

#[derive(Deserialize)]
struct Line {
    r#type: String,
    #[serde(default)]
    path: String,
    #[serde(default)]
    code: String,
    #[serde(default)]
    url: Option<String>,
}

impl Baseline {
    /// Reads the file at `path`.
    ///
    /// # Errors
    ///
    /// When it cannot be read, or a line of it is no record.
    pub(crate) fn read(path: &Path) -> anyhow::Result<Self> {
        let text = std::fs::read_to_string(path)
            .with_context(|| format!("--baseline {} cannot be read", path.display()))?;
        Self::parse(&text).with_context(|| format!("--baseline {}", path.display()))
    }

    fn parse(text: &str) -> anyhow::Result<Self> {
        let mut known: HashMap<Key, u64> = HashMap::new();
        for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let line: Line = serde_json::from_str(line).with_context(|| {
                format!("line {}: this is no output of `lint --format jsonl`", number + 1)
            })?;
            if line.r#type == "diagnostic" {
                let key = (line.path, line.code, line.url.unwrap_or_default());
                *known.entry(key).or_default() += 1;
            }
        }
        Ok(Self { known: Mutex::new(known) })
    }

    /// Whether a diagnostic is known; if so, one less of its kind is left.
    pub(crate) fn takes(&self, path: &str, code: &str, url: Option<&str>) -> bool {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (path.to_owned(), code.to_owned(), url.unwrap_or_default().to_owned());
        match known.get_mut(&key) {
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
        let baseline =
            Baseline::parse(&format!("{line}\n{line}\n{{\"type\":\"summary\"}}\n")).unwrap();
        assert!(baseline.takes("a", "x.y", Some("http://h/")));
        assert!(!baseline.takes("b", "x.y", Some("http://h/")));
        assert!(baseline.takes("a", "x.y", Some("http://h/")));
        assert!(!baseline.takes("a", "x.y", Some("http://h/")));
        let error = Baseline::parse("\nx").unwrap_err();
        assert!(error.to_string().starts_with("line 2: "), "{error}");
    }
}
