//! Error messages about files, on standard error.

use super::style::Style;
use super::{sanitize, text};
use std::io::Write;
use urlsift_core::{Secrets, mask_spans};
use urlsift_records::FileName;

/// Writes an error message about `file` to standard error, on one line. Secrets are masked, since
/// the user may have passed a URL as a path. Write errors are ignored.
pub(crate) fn print_error_line(errors: &mut impl Write, file: &FileName, message: &str) {
    let mut line = b"urlsift: ".to_vec();
    if !file.path.is_empty() {
        text::write_path(&Style { terminal: true, ..Style::default() }, &mut line, file, b"!/");
        line.extend_from_slice(b": ");
    }
    line.extend_from_slice(&sanitize::escape_unsafe(message.as_bytes(), true));
    line.push(b'\n');
    let _ = errors.write_all(&mask_spans(&line, &Secrets::All.in_text(&line)));
}
