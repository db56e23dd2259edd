//! Compares the transfer decoders with those of the crate mail-parser, on bodies of several sizes.

use crate::compare::median;
use crate::haystack::{self, Coding};
use anyhow::{Context, Result, ensure};
use mail_parser::decoders::{base64::base64_decode, quoted_printable::quoted_printable_decode};
use std::hint::black_box;
use std::io::Write;
use std::ops::ControlFlow;
use std::time::Instant;
use urlsift_archive::{Container, Options, documents};

/// The number of bytes decoded per round, so that small bodies are timed as precisely as large
/// ones.
const ROUND: usize = 8 << 20;

/// Decodes bodies of each size with both decoders and writes a table.
///
/// Our decoder is timed as it is used: `documents` is called for each message and also builds the
/// map to the raw bytes. The decoder of mail-parser is timed alone.
///
/// # Errors
///
/// Returns any error from the writer. Also fails if a decoder does not return the original text.
pub fn report(rounds: usize, out: &mut impl Write) -> Result<()> {
    writeln!(
        out,
        "### Decoders\n\n| encoding | bytes of text | urlsift, with map: MB/s | mail-parser: MB/s | ratio |\n\
         |---|---|---|---|---|"
    )?;
    for (name, coding) in
        [("quoted-printable", Coding::QuotedPrintable), ("base64", Coding::Base64)]
    {
        for size in [60_000, 4_000_000] {
            let (text, body) = haystack::text_and_encoded(coding, 1, size);
            let message = [
                &b"From: a@host.example\nContent-Transfer-Encoding: "[..],
                name.as_bytes(),
                b"\n\n",
                &body,
            ]
            .concat();
            let theirs = || match coding {
                Coding::QuotedPrintable => quoted_printable_decode(&body),
                Coding::Base64 => base64_decode(&body),
            };
            let ours = || {
                let mut len = 0;
                documents(&message, Container::Message, 0, &Options::default(), &mut |document| {
                    len += document.text.len();
                    ControlFlow::Continue(())
                });
                len
            };
            ensure!(ours() == text.len(), "{name}: the decoded text differs");
            let decoded = theirs().context("mail-parser rejects it")?;
            // mail-parser drops spaces at line ends.
            ensure!(
                decoded.len().abs_diff(text.len()) * 50 < text.len(),
                "{name}: the decoded text differs"
            );
            drop(decoded);
            let repeat = ROUND.div_ceil(size);
            let seconds = |decode: &dyn Fn() -> usize| {
                let begin = Instant::now();
                for _ in 0..repeat {
                    black_box(decode());
                }
                begin.elapsed().as_secs_f64()
            };
            let pairs: Vec<(f64, f64)> = (0..rounds)
                .map(|_| (seconds(&ours), seconds(&|| theirs().map_or(0, |text| text.len()))))
                .collect();
            #[expect(clippy::cast_precision_loss, reason = "figures for readers")]
            let megabytes = (body.len() * repeat) as f64 / 1e6;
            writeln!(
                out,
                "| {name} | {size} | {:.0} | {:.0} | {:.2} |",
                megabytes / median(pairs.iter().map(|pair| pair.0)),
                megabytes / median(pairs.iter().map(|pair| pair.1)),
                median(pairs.iter().map(|pair| pair.1 / pair.0)),
            )?;
        }
    }
    writeln!(out)?;
    Ok(())
}
