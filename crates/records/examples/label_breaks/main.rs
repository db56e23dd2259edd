//! Labels line breaks after URLs automatically, as training data for the scanner's example
//! `learn_joins`.
//!
//! ```text
//! cargo run --release -p urlsift-records --example label_breaks -- twins|mailers LIST… > rows.jsonl
//! ```
//!
//! A LIST is a file, or a folder that is read as one file. `learn_joins` describes the fields of a
//! row. The label of a row comes from one of two sources:
//!
//! - `twins`: the URLs that occur complete somewhere in the list, within a line. If the text before
//!   a line break and the words after it are such a URL together, the URL continues. If the text
//!   before the break is such a URL by itself, and none of them starts with the joined text, the
//!   URL ends. It also ends before lines that can't continue it (the rows of `marks`).
//! - `mailers`: messages whose URLs are complete, wrapped as several mail programs do. The labels
//!   are then known.
//!
//! Rows are limited per URL and host, so that URLs in signatures don't dominate. Each row names its
//! thread, so that `learn_joins` doesn't learn from threads that it is tested on.
#![allow(clippy::print_stdout)] // this is a command

mod line_kind;
mod mailers;
mod row;
mod text;
mod twins;
mod urls;
mod wrap;

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

fn main() -> io::Result<ExitCode> {
    let mut arguments = std::env::args().skip(1);
    let rows_of = match arguments.next().as_deref() {
        Some("twins") => twins::rows,
        Some("mailers") => mailers::rows,
        _ => {
            println!("usage: label_breaks twins|mailers LIST…");
            return Ok(ExitCode::from(2));
        }
    };
    let mut out = io::BufWriter::new(io::stdout().lock());
    for list in arguments {
        let path = Path::new(&list);
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let texts = text::read_texts(path)?;
        let whole = urls::WholeUrls::of(&texts);
        for row in rows_of(&name, &texts, &whole) {
            writeln!(out, "{row}")?;
        }
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
