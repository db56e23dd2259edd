//! Prints the records of files, serialized from values. Tests compare the output of the command
//! with it.
//!
//! `cargo run -p urlsift-records --features serde,unpack --example records -- profile=web
//! input=mail <paths` reads paths, one per line, and prints JSON Lines. The arguments are options
//! of [`Options::set`], and `input`.
//!
//! With `input=text`, the candidates of the scanner's iterator are also compared with the records.

use std::fs::File;
use std::io::{self, BufRead as _, Write as _};
use std::ops::ControlFlow;
use std::sync::Arc;
use urlsift_archive::Reading;
use urlsift_archive::unpack::{Trouble, detect_compression};
use urlsift_records::{FileName, Input, Options, Scan, Sink, UrlRecord};

/// A sink that keeps the records and ignores errors.
#[derive(Default)]
struct Kept(Vec<UrlRecord<'static>>);

impl Sink for Kept {
    fn record(&mut self, record: &UrlRecord<'_>) -> ControlFlow<()> {
        self.0.record(record)
    }

    fn trouble(&mut self, _: &Arc<FileName>, _: Trouble) -> Result<(), Trouble> {
        Ok(())
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut options = Options::default();
    for arg in std::env::args().skip(1) {
        let (name, value) = arg.split_once('=').ok_or("options are name=value")?;
        options.set(name, value)?;
    }
    let reading = options.reading;
    let scan = Scan::new(options);
    let mut out = io::BufWriter::new(io::stdout().lock());
    for path in io::stdin().lock().lines() {
        let path = path?;
        let mut kept = Kept::default();
        let input = Input::from_file(&*path, File::open(&path)?);
        // The sink accepts all errors, so none is returned here.
        let _ = scan.read(input, &mut kept);
        if reading == Reading::Text {
            iterate(&scan, &path, &kept.0)?;
        }
        for record in &kept.0 {
            serde_json::to_writer(&mut out, record)?;
            out.write_all(b"\n")?;
        }
    }
    Ok(out.flush()?)
}

/// Compares the records of a text with the candidates of the scanner's iterator. Texts that must be
/// decoded are skipped.
fn iterate(scan: &Scan, path: &str, records: &[UrlRecord<'_>]) -> Result<(), String> {
    let bytes = std::fs::read(path).map_err(|error| format!("{path}: {error}"))?;
    if detect_compression(&bytes).is_some()
        || records.iter().any(|record| !record.decoded.is_empty())
    {
        return Ok(());
    }
    let mut records = records.iter();
    for candidate in scan.scanner().find_iter(&bytes) {
        if scan.options().validity_if_selected(&candidate).is_none() {
            continue;
        }
        let span = candidate.span();
        let is_same = records.next().is_some_and(|record| {
            let place = (record.span.start, record.span.end);
            *record.url == *candidate.url() && place == (span.start as u64, span.end as u64)
        });
        if !is_same {
            return Err(format!("{path}: the iterator finds another URL at {}", span.start));
        }
    }
    match records.next() {
        Some(record) => Err(format!("{path}: the iterator misses {}", record.span.start)),
        None => Ok(()),
    }
}
