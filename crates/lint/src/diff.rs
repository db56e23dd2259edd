//! What mending would change, for people.

use diffy::{DiffOptions, PatchFormatter};
use urlsift_core::Span;

/// A unified diff from one text to another under the name of a file, each with the places of its passwords, which
/// are shown as `***`. Bytes that are not UTF-8 are shown as U+FFFD. Empty if the texts are equal.
pub fn diff(name: &str, old: (&[u8], &[Span]), new: (&[u8], &[Span])) -> String {
    if old.0 == new.0 {
        return String::new();
    }
    let (old, new) = (masked(old.0, old.1), masked(new.0, new.1));
    let mut options = DiffOptions::new();
    options.set_original_filename(name.to_owned()).set_modified_filename(name.to_owned());
    let patch = options.create_patch(&old, &new);
    PatchFormatter::new().suppress_blank_empty(false).fmt_patch(&patch).to_string()
}

/// The text with its passwords as `***`.
fn masked(text: &[u8], secrets: &[Span]) -> String {
    let mut out = String::new();
    let mut at = 0;
    for secret in secrets.iter().filter(|secret| !secret.is_empty()) {
        if secret.start < at {
            continue;
        }
        out.push_str(&String::from_utf8_lossy(text.get(at..secret.start).unwrap_or_default()));
        out.push_str("***");
        at = secret.end;
    }
    out.push_str(&String::from_utf8_lossy(text.get(at..).unwrap_or_default()));
    out
}
