//! Measures the throughput of each stage of a scan in memory, in MB/s. Uses one thread and no
//! files.

use crate::compare::median;
use crate::peers;
use anyhow::Result;
use memchr::memchr_iter;
use std::hint::black_box;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::time::Instant;
use urlsift_archive::{Head, Options, Reading, detect, documents};
use urlsift_core::{Profile, parse_reference};
use urlsift_scanner::Scanner;

/// Measures every stage on `text` and writes a table. Each result is the median of `rounds` runs,
/// in which the stages alternate.
///
/// # Errors
///
/// Returns any error from the writer.
pub fn report(name: &str, text: &[u8], rounds: usize, out: &mut impl Write) -> Result<()> {
    let scanner = Scanner::builder().build();
    let urls: Vec<Vec<u8>> =
        scanner.find_iter(text).map(|found| found.url().into_owned()).collect();
    let container = detect(Head::of(text), None, Reading::Auto);
    let stages: [(&str, &dyn Fn() -> u64); 6] = [
        ("memchr: count of `:`", &|| memchr_iter(b':', text).count() as u64),
        ("unpack (messages)", &|| {
            let mut bytes = 0;
            let tally = documents(text, container, 0, &Options::default(), &mut |document| {
                bytes += document.text.len();
                ControlFlow::Continue(())
            });
            black_box(bytes);
            tally.messages
        }),
        ("scan", &|| scanner.find_iter(text).count() as u64),
        ("scan and judge", &|| {
            scanner
                .find_iter(text)
                .filter(|found| parse_reference(&found.url(), Profile::Web).is_ok())
                .count() as u64
        }),
        ("judge alone (the same URLs)", &|| {
            urls.iter().filter(|url| parse_reference(url, Profile::Web).is_ok()).count() as u64
        }),
        ("linkify", &|| peers::find_by_linkify(text, &mut io::sink()).unwrap_or(0)),
    ];
    let mut seconds = vec![Vec::with_capacity(rounds); stages.len()];
    let mut counts = [0; 6];
    for _ in 0..rounds {
        for (((_, stage), seconds), count) in stages.iter().zip(&mut seconds).zip(&mut counts) {
            let begin = Instant::now();
            *count = black_box(stage());
            seconds.push(begin.elapsed().as_secs_f64());
        }
    }
    writeln!(
        out,
        "### {name} ({} bytes)\n\n| stage | MB/s | ms | finds |\n|---|---|---|---|",
        text.len()
    )?;
    for (((stage, _), seconds), count) in stages.iter().zip(&seconds).zip(counts) {
        let middle = median(seconds.iter().copied());
        #[expect(clippy::cast_precision_loss, reason = "figures for readers")]
        let rate = text.len() as f64 / middle / 1e6;
        writeln!(out, "| {stage} | {rate:.0} | {:.2} | {count} |", middle * 1e3)?;
    }
    let pairs = seconds[0].iter().zip(&seconds[2]).map(|(memchr, scan)| memchr / scan);
    writeln!(out, "\n- {} : scan = {:.2} x\n", stages[0].0, median(pairs))?;
    Ok(())
}
