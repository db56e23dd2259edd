//! Prints an outline of text files: a line for each document, and the number of messages of each
//! file. If the environment variable `BRIEF` is set, the documents are omitted.
//!
//! ```sh
//! cargo run -p urlsift-archive --example outline -- corpus/mail/*
//! ```

use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;
use urlsift_archive::{DocumentKind, Head, Options, Reading, detect, documents};
use urlsift_core::Span;

fn main() -> std::io::Result<()> {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let (mut files, mut total) = (0, 0);
    let brief = std::env::var_os("BRIEF").is_some();
    for path in std::env::args_os().skip(1) {
        let raw = std::fs::read(&path)?;
        let name = Path::new(&path).file_name().map(|name| name.as_encoded_bytes().to_vec());
        let container = detect(Head::of(&raw), name.as_deref(), Reading::Auto);
        let mut lines = Vec::new();
        let tally = documents(&raw, container, 0, &Options::default(), &mut |document| {
            if !brief {
                let place = document.to_file_span(Span::new(0, document.text.len()));
                let kind = match document.kind {
                    DocumentKind::Header(name) => {
                        format!("header {}", String::from_utf8_lossy(name))
                    }
                    kind => format!("{kind:?}"),
                };
                lines.push(format!(
                    "  {}..{} part {} {kind} {:?} {:?}, {} bytes, {} breaks",
                    place.start,
                    place.end,
                    document.origin.part,
                    document.charset,
                    document.origin.decoded,
                    document.text.len(),
                    document.breaks.iter().count()
                ));
            }
            ControlFlow::Continue(())
        });
        writeln!(out, "{}: {container:?}, {} messages", path.display(), tally.messages)?;
        for line in lines {
            writeln!(out, "{line}")?;
        }
        files += 1;
        total += tally.messages;
    }
    writeln!(out, "{files} files, {total} messages")
}
