//! How fast the whole command is on the hostile texts, beside how fast it is on mail.

use crate::compare::{Places, cpu_seconds};
use crate::haystack::{self, Kind, Pattern};
use anyhow::Result;
use std::fs;
use std::io::{BufWriter, Write};
use std::path::Path;

/// Bytes of the mail that is the measure: enough that the start of the command does not count.
const PLAIN: u64 = 240_000_000;

/// How many times slower than mail a hostile text may be.
const MOST: f64 = 20.0;

/// Runs the command on `bytes` of each pattern `rounds` times, on mail in between, and writes the rates
/// as Markdown, the slowest first: of each text the best round counts, since a busy machine is slower and
/// never faster.
///
/// # Errors
///
/// A command that fails, or an I/O error.
#[expect(clippy::cast_precision_loss, reason = "figures for readers")]
pub fn report(places: &Places, bytes: usize, rounds: usize, out: &mut impl Write) -> Result<()> {
    let folder = places.data.join("hostile");
    fs::create_dir_all(&folder)?;
    let plain = folder.join("mail");
    haystack::write(Kind::Mail, 1, PLAIN, &mut BufWriter::new(fs::File::create(&plain)?))?;
    let scan = |path: &Path| -> Result<f64> {
        let words = ["scan", "--input", "text", "-j", "1"].map(str::to_owned);
        let mut command = vec![places.urlsift.to_string_lossy().into_owned()];
        command.extend(words);
        command.push(path.to_string_lossy().into_owned());
        cpu_seconds(&command)
    };
    scan(&plain)?;
    let mut of_mail = f64::INFINITY;
    let mut rates = Vec::new();
    for pattern in Pattern::ALL {
        let path = folder.join("pattern");
        fs::write(&path, pattern.text(bytes))?;
        let mut best = f64::INFINITY;
        for _ in 0..rounds {
            best = best.min(scan(&path)?);
        }
        of_mail = of_mail.min(scan(&plain)?);
        rates.push((bytes as f64 / best / 1e6, pattern.name));
    }
    fs::remove_dir_all(&folder)?;
    let of_mail = PLAIN as f64 / of_mail / 1e6;
    rates.sort_by(|one, other| one.0.total_cmp(&other.0));
    writeln!(out, "| text | MB/s of CPU | mail is so many times as fast |\n|---|---|---|")?;
    writeln!(out, "| *mail* | {of_mail:.0} | 1 |")?;
    for (rate, name) in &rates {
        writeln!(out, "| {name} | {rate:.0} | {:.1} |", of_mail / rate)?;
    }
    let fast = rates.iter().filter(|(rate, _)| of_mail / rate <= MOST).count();
    writeln!(out, "\nAt most {MOST:.0} times slower: {fast} of {}", rates.len())?;
    Ok(())
}
