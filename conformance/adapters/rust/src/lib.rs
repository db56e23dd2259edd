//! Reads requests and writes answers, for the adapters in Rust.

use base64::Engine as _;
use serde::{Deserialize, Serialize};
use std::io::{self, BufRead, Write};

/// One input.
#[derive(Deserialize)]
struct Request {
    id: String,
    text: Option<String>,
    /// The input in base64, if it isn't UTF-8.
    bytes: Option<String>,
}

/// One found URL, with offsets in bytes.
#[derive(Serialize)]
pub struct Link {
    pub start: usize,
    pub end: usize,
    pub url: String,
}

#[derive(Serialize)]
struct Answer {
    id: String,
    urls: Vec<Link>,
}

/// Prints `about` if the program is called with `--about`. Otherwise, answers all requests on
/// stdin.
///
/// # Errors
///
/// Returns the first error of reading, parsing or writing.
pub fn serve(about: &serde_json::Value, find: impl Fn(&str) -> Vec<Link>) -> io::Result<()> {
    let mut output = io::stdout().lock();
    if std::env::args().any(|argument| argument == "--about") {
        return writeln!(output, "{about}");
    }
    for line in io::stdin().lock().lines() {
        let request: Request = serde_json::from_str(&line?)?;
        let urls = match (request.text, request.bytes) {
            (Some(text), _) => find(&text),
            // Only input that is UTF-8 can be passed to these libraries.
            (None, bytes) => base64::engine::general_purpose::STANDARD
                .decode(bytes.unwrap_or_default())
                .ok()
                .and_then(|bytes| String::from_utf8(bytes).ok())
                .map_or_else(Vec::new, |text| find(&text)),
        };
        serde_json::to_writer(&mut output, &Answer { id: request.id, urls })?;
        writeln!(output)?;
    }
    Ok(())
}
