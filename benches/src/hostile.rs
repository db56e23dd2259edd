//! How fast the whole command is on the hostile texts, as text, as mail and as HTML, scanned and linted, beside how
//! fast it is on what is usual there.

use crate::compare::{Places, cpu_seconds};
use crate::haystack::{self, Kind, Pattern};
use anyhow::{Result, bail};
use std::fs;
use std::io::{BufWriter, Write};
use std::path::Path;

/// Ways to put a text into a file: the file's name, what stands before the text, and what is usual there.
pub(crate) const FORMS: [(&str, &str, Kind); 3] = [
    ("a.txt", "", Kind::Mail),
    ("a.eml", "From: a@h.dom\nMessage-ID: <1@h.dom>\n\n", Kind::Mail),
    ("b.eml", "From: a@h.dom\nMIME-Version: 1.0\nContent-Type: text/html\n\n", Kind::Html),
];

/// What is done with the texts, of how many usual bytes the measure is made, enough that the start of the command does
/// not count, and which part of the hostile bytes asked for is read.
struct Job {
    words: &'static [&'static str],
    usual: u64,
    part: usize,
}

const JOBS: [Job; 2] = [
    Job { words: &["scan", "-j", "1"], usual: 240_000_000, part: 1 },
    Job { words: &["lint", "-j", "1"], usual: 16_000_000, part: 8 },
];

/// How many times slower than usual a hostile text may be: text that is scanned, and all else.
const MOST_OF_TEXT: f64 = 20.0;
const MOST: f64 = 30.0;

/// So many of the slowest are shown of each job and form.
const SHOWN: usize = 12;

/// Runs the command on `bytes` of each pattern `rounds` times, on what is usual in between, and writes the rates
/// as Markdown, the slowest first: of each text the best round counts, since a busy machine is slower and
/// never faster. `only`: the jobs and files with this in their names.
///
/// # Errors
///
/// A text is slower than it may be (after the tables), a command fails, or an I/O error.
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
        bail!("{slow} hostile texts are slower than they may be");
    }
    Ok(())
}

/// Measures one job and form, and writes its table; how many texts are slower than they may be.
fn measure(
    places: &Places,
    job: &Job,
    (name, head, usual): (&str, &str, Kind),
    title: &str,
    (bytes, rounds): (usize, usize),
    out: &mut impl Write,
) -> Result<usize> {
    // The usual text is taken for the mailbox that it is, if nothing is said.
    let is_text = title == "scan a.txt";
    let folder = places.data.join("hostile");
    fs::create_dir_all(&folder)?;
    let plain = folder.join("usual").with_extension(&name[2..]);
    let mut file = BufWriter::new(fs::File::create(&plain)?);
    file.write_all(head.as_bytes())?;
    haystack::write(usual, 1, job.usual, &mut file)?;
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
        let text = [head.as_bytes(), &pattern.text(bytes / job.part)].concat();
        fs::write(&path, &text)?;
        let mut best = f64::INFINITY;
        for _ in 0..rounds {
            best = best.min(run(&path)?);
        }
        of_usual = of_usual.min(run(&plain)?);
        rates.push((rate(text.len() as u64, best), pattern.name));
    }
    fs::remove_dir_all(&folder)?;
    let most = if is_text { MOST_OF_TEXT } else { MOST };
    table(title, rate(job.usual, of_usual), most, rates, out)
}

/// Megabytes a second.
#[expect(clippy::cast_precision_loss, reason = "figures for readers")]
fn rate(bytes: u64, seconds: f64) -> f64 {
    bytes as f64 / seconds / 1e6
}

/// Writes the table of one job and form; how many texts are slower than they may be.
fn table(
    title: &str,
    usual: f64,
    most: f64,
    mut rates: Vec<(f64, &str)>,
    out: &mut impl Write,
) -> Result<usize> {
    rates.sort_by(|one, other| one.0.total_cmp(&other.0));
    writeln!(
        out,
        "| {title} | MB/s of CPU | what is usual is so many times as fast |\n|---|---|---|"
    )?;
    writeln!(out, "| *usual* | {usual:.0} | 1 |")?;
    for (rate, name) in rates.iter().take(SHOWN) {
        writeln!(out, "| {name} | {rate:.0} | {:.1} |", usual / rate)?;
    }
    let slow = rates.iter().filter(|(rate, _)| usual / rate > most).count();
    writeln!(out, "\nAt most {most:.0} times slower: {} of {}\n", rates.len() - slow, rates.len())?;
    out.flush()?;
    Ok(slow)
}
