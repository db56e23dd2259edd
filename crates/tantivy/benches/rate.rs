//! Measures the cost of finding URLs: tantivy's analyzer `default` with and without the filter, on
//! the texts of a mailbox.
//!
//! ```sh
//! cargo bench --bench rate [-- MAILBOX]
//! ```
//!
//! Fails if the filter takes more than three times as long, or if the counts differ from those
//! expected.

use std::error::Error;
use std::io::Write;
use std::ops::ControlFlow;
use std::time::Instant;
use tantivy::tokenizer::{LowerCaser, RemoveLongFilter, SimpleTokenizer, TextAnalyzer};
use urlsift_archive::{Head, Options, Reading, detect, documents};
use urlsift_scanner::Scanner;
use urlsift_tantivy::Urls;

const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/mail/www-history.mbox");
/// Filler text for the sample, whose messages contain little but URLs. With it, there is one URL in
/// 4 KB, as in list mail.
const PROSE: &str = include_str!("../LICENSE-APACHE");
const TIMES: usize = 13;
/// The number of tokens without the filter and with it, and of URLs, in the sample.
const EXPECTED: [usize; 3] = [21494, 21529, 63];
/// The minimum number of bytes to read in a round.
const ENOUGH: usize = 4 << 20;
const ROUNDS: usize = 7;

fn main() -> Result<(), Box<dyn Error>> {
    let given = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let raw = std::fs::read(given.as_deref().unwrap_or(SAMPLE))?;
    let mut texts = Vec::new();
    let container = detect(Head::of(&raw), None, Reading::Auto);
    documents(&raw, container, 0, &Options::default(), &mut |document| {
        texts.push(String::from_utf8_lossy(document.text).into_owned());
        ControlFlow::Continue(())
    });
    if given.is_none() {
        texts.extend(std::iter::repeat_n(PROSE.to_owned(), TIMES));
    }
    let bytes: usize = texts.iter().map(String::len).sum();

    let default = || {
        TextAnalyzer::builder(SimpleTokenizer::default())
            .filter(RemoveLongFilter::limit(40))
            .filter(LowerCaser)
    };
    let mut analyzers = [default().build(), default().filter(Urls::default()).build()];
    let [without, with] = analyzers.each_mut().map(|analyzer| count(analyzer, &texts));
    let scanner = Scanner::builder().build();
    let urls: usize = texts.iter().map(|text| scanner.find_str(text).count()).sum();
    if given.is_none() {
        assert_eq!([without, with, urls], EXPECTED);
    }

    let repeated = ENOUGH.div_ceil(bytes.max(1));
    let mut best = [f64::INFINITY; 2];
    for _ in 0..ROUNDS {
        for (analyzer, best) in analyzers.iter_mut().zip(&mut best) {
            let start = Instant::now();
            for _ in 0..repeated {
                std::hint::black_box(count(analyzer, &texts));
            }
            *best = best.min(start.elapsed().as_secs_f64());
        }
    }
    #[allow(clippy::cast_precision_loss, reason = "a rate is not exact")]
    let rate = |time: f64| (bytes * repeated) as f64 / 1e6 / time;
    let ratio = best[1] / best[0];
    writeln!(
        std::io::stdout().lock(),
        "{} texts, {bytes} bytes, {urls} URLs\ndefault: {without} tokens, {:.0} MB/s\nurlsift: {with} tokens, {:.0} MB/s\n{ratio:.2} x its time",
        texts.len(),
        rate(best[0]),
        rate(best[1]),
    )?;
    if ratio > 3.0 { Err("more than three times as long".into()) } else { Ok(()) }
}

/// Returns the number of tokens.
fn count(analyzer: &mut TextAnalyzer, texts: &[String]) -> usize {
    let mut tokens = 0;
    for text in texts {
        analyzer.token_stream(text).process(&mut |_| tokens += 1);
    }
    tokens
}
