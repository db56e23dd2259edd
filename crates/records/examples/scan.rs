//! The smallest command: prints the records of files, or with `--urls` their valid URLs.
//!
//! `cargo run --release -p urlsift-records --example scan -- notes.txt list.mbox`

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::{env, fs};
use urlsift_archive::Reading;
use urlsift_records::{Detail, FileName, Options, Scan, Sink, Unit, UrlRecord};
use urlsift_scanner::Candidate;

struct Lines(Vec<u8>);

impl Sink for Lines {
    fn record(&mut self, record: &UrlRecord<'_>) -> ControlFlow<()> {
        record.write_json(&mut self.0);
        ControlFlow::Continue(())
    }

    fn plain_url(&mut self, found: &Candidate<'_>) -> ControlFlow<()> {
        found.written_pieces().for_each(|piece| self.0.extend_from_slice(piece));
        self.0.push(b'\n');
        ControlFlow::Continue(())
    }
}

fn main() -> io::Result<()> {
    let mut options = Options::default();
    let mut reading = Reading::Auto;
    let mut paths = Vec::new();
    for arg in env::args().skip(1) {
        match arg.as_str() {
            "--urls" => options.detail = Detail::Plain,
            "--text" => reading = Reading::Text,
            _ => paths.push(arg),
        }
    }
    let scan = Scan::new(options);
    let mut out = Lines(Vec::new());
    for path in paths {
        let bytes = fs::read(&path)?;
        let file = Arc::new(FileName::new(path));
        scan.scan_unit(&bytes, &Unit::whole_file(&file, &bytes, reading), &mut out);
        io::stdout().lock().write_all(&out.0)?;
        out.0.clear();
    }
    Ok(())
}
