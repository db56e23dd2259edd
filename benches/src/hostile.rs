//! Measures the speed of the whole command on hostile texts (texts made to be slow to search),
//! compared with ordinary input. Each text is scanned and linted as plain text, mail and HTML.

use crate::compare::{Places, cpu_seconds};
use crate::haystack::{self, Kind, Pattern};
use anyhow::{Result, bail};
use std::fs;
use std::io::{BufWriter, Write};
use std::path::Path;

/// The formats of the input: the file name, the text to put before the hostile text, and the kind
/// of ordinary data to compare with.
pub(crate) const FORMS: [(&str, &str, Kind); 3] = [
    ("a.txt", "", Kind::Mail),
    ("a.eml", "From: a@h.dom\nMessage-ID: <1@h.dom>\n\n", Kind::Mail),
    ("b.eml", "From: a@h.dom\nMIME-Version: 1.0\nContent-Type: text/html\n\n", Kind::Html),
];

/// A command to measure. It has the size of the ordinary data, which is so large that the start-up
/// time doesn't matter, and the fraction of the requested number of hostile bytes to use.
struct Job {
    words: &'static [&'static str],
    usual: u64,
    part: usize,
}

const JOBS: [Job; 2] = [
    Job { words: &["scan", "-j", "1"], usual: 240_000_000, part: 1 },
    Job { words: &["lint", "-j", "1"], usual: 16_000_000, part: 8 },
];

/// The maximum time for hostile text, as a multiple of the time for ordinary input, when plain text
/// is scanned. The second limit is for all other jobs.
const MAX_TEXT_RATIO: f64 = 20.0;
const MAX_RATIO: f64 = 30.0;

/// The number of texts shown for each job and format. They are the slowest ones.
const SHOWN: usize = 12;

/// Runs the command on `bytes` bytes of each hostile text `rounds` times, and writes tables of the
/// rates in Markdown, the slowest first.
///
/// Runs on hostile and ordinary input alternate. The best round counts, because other load can only
/// make a round slower. If `only` is given, only the jobs and files whose names contain it are
/// measured.
///
/// # Errors
///
/// Returns an error if a text is too slow (after the tables), if a command fails, or for an I/O
/// error.
pub fn report(
    places: &Places,
    bytes: usize,
    rounds: usize,
    only: Option<&str>,
    out: &mut impl Write,
) -> Result<()> {
    let mut slow = 0;
    for job in &JOBS {
        for form @ (name, ..) in FORMS {
            let title = format!("{} {name}", job.words[0]);
            if only.is_none_or(|only| title.contains(only)) {
                slow += measure(places, job, form, &title, (bytes, rounds), out)?;
            }
        }
    }
    if slow > 0 {
        bail!("{slow} hostile texts are too slow");
    }
    Ok(())
}

/// Measures one job on one format, and writes a table. Returns the number of texts that are too
/// slow.
fn measure(
    places: &Places,
    job: &Job,
    (name, head, usual): (&str, &str, Kind),
    title: &str,
    (bytes, rounds): (usize, usize),
    out: &mut impl Write,
) -> Result<usize> {
    // Without an option, the ordinary data would be read as a mailbox.
    let is_text = title == "scan a.txt";
    let folder = places.data.join("hostile");
    fs::create_dir_all(&folder)?;
    let plain = folder.join("usual").with_extension(&name[2..]);
    let mut file = BufWriter::new(fs::File::create(&plain)?);
    file.write_all(head.as_bytes())?;
    haystack::write_data(usual, 1, job.usual, &mut file)?;
    file.flush()?;
    drop(file);
    let run = |path: &Path| -> Result<f64> {
        let mut command = vec![places.urlsift.to_string_lossy().into_owned()];
        command.extend(job.words.iter().copied().map(str::to_owned));
        if is_text {
            command.extend(["--input", "text"].map(str::to_owned));
        }
        command.push(path.to_string_lossy().into_owned());
        cpu_seconds(&command)
    };
    run(&plain)?;
    let mut of_usual = f64::INFINITY;
    let mut rates = Vec::new();
    let path = folder.join(name);
    for pattern in Pattern::ALL {
        let text = [head.as_bytes(), &pattern.text_of_len(bytes / job.part)].concat();
        fs::write(&path, &text)?;
        let mut best = f64::INFINITY;
        for _ in 0..rounds {
            best = best.min(run(&path)?);
        }
        of_usual = of_usual.min(run(&plain)?);
        rates.push((megabytes_per_second(text.len() as u64, best), pattern.name));
    }
    fs::remove_dir_all(&folder)?;
    let most = if is_text { MAX_TEXT_RATIO } else { MAX_RATIO };
    write_table(title, megabytes_per_second(job.usual, of_usual), most, rates, out)
}

/// Returns the rate in megabytes per second.
#[expect(clippy::cast_precision_loss, reason = "figures for readers")]
fn megabytes_per_second(bytes: u64, seconds: f64) -> f64 {
    bytes as f64 / seconds / 1e6
}

/// Writes the table of one job and format. Returns the number of texts that are too slow.
fn write_table(
    title: &str,
    usual: f64,
    most: f64,
    mut rates: Vec<(f64, &str)>,
    out: &mut impl Write,
) -> Result<usize> {
    rates.sort_by(|one, other| one.0.total_cmp(&other.0));
    writeln!(out, "| {title} | MB/s of CPU | ratio to ordinary input |\n|---|---|---|")?;
    writeln!(out, "| *usual* | {usual:.0} | 1 |")?;
    for (rate, name) in rates.iter().take(SHOWN) {
        writeln!(out, "| {name} | {rate:.0} | {:.1} |", usual / rate)?;
    }
    let slow = rates.iter().filter(|(rate, _)| usual / rate > most).count();
    writeln!(out, "\nAt most {most:.0} times slower: {} of {}\n", rates.len() - slow, rates.len())?;
    out.flush()?;
    Ok(slow)
}
