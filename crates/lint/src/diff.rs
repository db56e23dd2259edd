//! What mending would change, for people.

use diffy::{DiffOptions, PatchFormatter};
use urlsift_core::{Span, hidden};
use urlsift_records::write::visible::clean_bytes;

/// A unified diff from one text to another under the name of a file, each with the places of its passwords, which
/// are shown as `***`. What nobody sees is shown as escapes, bytes that are not UTF-8 as U+FFFD. Empty if the texts are equal.
///
/// ```
/// use urlsift_lint::diff;
/// let text = diff("a.txt", (b"one\nhttp:/h.dom/\n", &[]), (b"one\nhttp://h.dom/\n", &[]));
/// assert!(text.ends_with(" one\n-http:/h.dom/\n+http://h.dom/\n"));
/// assert_eq!(diff("a.txt", (b"one", &[]), (b"one", &[])), "");
/// ```
pub fn diff(name: &str, old: (&[u8], &[Span]), new: (&[u8], &[Span])) -> String {
    if old.0 == new.0 {
        return String::new();
    }
    let masked = |(text, secrets)| String::from_utf8_lossy(&hidden(text, secrets)).into_owned();
    let (old, new) = (masked(old), masked(new));
    let mut options = DiffOptions::new();
    options.set_original_filename(name.to_owned()).set_modified_filename(name.to_owned());
    let patch = options.create_patch(&old, &new);
    let patch = PatchFormatter::new().suppress_blank_empty(false).fmt_patch(&patch).to_string();
    patch.split_inclusive('\n').map(shown).collect()
}

/// A line of it as a terminal may see it.
fn shown(line: &str) -> String {
    let (line, end) = match line.strip_suffix("\r\n") {
        Some(line) => (line, "\r\n"),
        None => line.strip_suffix('\n').map_or((line, ""), |line| (line, "\n")),
    };
    String::from_utf8_lossy(&clean_bytes(line.as_bytes(), &['\t'])).into_owned() + end
}
