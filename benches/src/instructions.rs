//! Counts executed instructions with valgrind. Unlike times, counts do not depend on other load.

use crate::compare::Places;
use crate::haystack::{self, Kind, Pattern};
use anyhow::{Context as _, Result, bail};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The length of hostile texts in bytes. Each is measured at this length and at twice this length.
const LENGTH: usize = 1 << 17;

/// The length of other texts in bytes.
const SIZE: usize = 2_000_000;

/// The maximum exponent with which the cost grows from `LENGTH` to `2 * LENGTH`. An exponent of 1
/// is linear.
const EXPONENT: f64 = 1.15;

/// The maximum cost per byte of hostile text, as a multiple of the cost per byte of mail.
const TIMES_PLAIN: f64 = 20.0;

/// Upper limits on instructions per byte for each text, so that no change makes the scanner slower
/// unnoticed. The limits in `ceilings.toml` are the measured values plus 5 %.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ceilings {
    texts: BTreeMap<String, f64>,
    /// The limit for each hostile text.
    patterns: f64,
}

impl Ceilings {
    /// Reads the limits from a file.
    ///
    /// # Errors
    ///
    /// Returns an error if the file can't be read or parsed.
    pub fn load(path: &Path) -> Result<Self> {
        let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
        toml::from_str(&text).with_context(|| path.display().to_string())
    }
}

/// True if valgrind is installed.
pub fn has_valgrind() -> bool {
    Command::new("valgrind").arg("--version").output().is_ok_and(|output| output.status.success())
}

/// Writes tables of the instructions per byte of the scanner on 2 MB of each kind of data, and of
/// the growth on hostile texts.
///
/// If `whole` is true, the whole command is measured instead, with reading, validating and writing.
/// Limits (`ceilings`) apply only to the scanner.
///
/// # Errors
///
/// Returns an error if valgrind fails. Also fails, after the tables are written, if the cost of a
/// text grows faster than linear or exceeds its limit.
#[expect(clippy::cast_precision_loss, reason = "figures for readers")]
pub fn report(
    places: &Places,
    whole: bool,
    only: Option<&str>,
    ceilings: Option<&Ceilings>,
    out: &mut impl Write,
) -> Result<()> {
    let ceilings = ceilings.filter(|_| !whole);
    let mut exceeded = 0;
    fs::create_dir_all(&places.data)?;
    let file = places.data.join("instructions.txt");
    fs::write(&file, b"")?;
    let nothing = count_instructions(places, whole, &file)?;
    let mut plain = 0.0;
    writeln!(out, "| text | instructions a byte | ceiling |\n|---|---|---|")?;
    for (name, kind) in
        [("mail", Kind::Mail), ("news", Kind::News), ("html", Kind::Html), ("dense", Kind::Dense)]
    {
        let text = haystack::data_in_memory(kind, 1, SIZE);
        fs::write(&file, &text)?;
        let each = count_instructions(places, whole, &file)?.saturating_sub(nothing) as f64
            / text.len() as f64;
        if kind == Kind::Mail {
            plain = each;
        }
        let ceiling = ceilings.and_then(|ceilings| ceilings.texts.get(name)).copied();
        let is_over = ceiling.is_some_and(|most| each > most);
        exceeded += usize::from(is_over);
        let ceiling = ceiling.map_or_else(String::new, |most| most.to_string());
        let mark = if is_over { " **exceeded**" } else { "" };
        writeln!(out, "| {name} | {each:.2} | {ceiling}{mark} |")?;
        out.flush()?;
    }
    writeln!(
        out,
        "\n| pattern | instructions a byte | times mail | growth exponent |\n|---|---|---|---|"
    )?;
    let patterns =
        Pattern::ALL.iter().filter(|pattern| only.is_none_or(|only| pattern.name.contains(only)));
    for pattern in patterns {
        // The processes run in parallel, because other processes don't change the counts.
        let cost = |times: usize| -> Result<u64> {
            let file = places.data.join(format!("instructions-{times}.txt"));
            fs::write(&file, pattern.text_of_len(LENGTH * times))?;
            let cost = count_instructions(places, whole, &file)?.saturating_sub(nothing);
            fs::remove_file(&file)?;
            Ok(cost)
        };
        let costs = std::thread::scope(|scope| {
            let once = scope.spawn(|| cost(1));
            let twice = cost(2);
            [once.join().unwrap_or_else(|_| bail!("a thread failed")), twice]
        });
        let [once, twice] = costs;
        let costs = [once?, twice?];
        let each = costs[1] as f64 / (2 * LENGTH) as f64;
        let exponent = (costs[1] as f64 / costs[0].max(1) as f64).log2();
        let grows = exponent > EXPONENT;
        let is_over = ceilings.is_some_and(|ceilings| each > ceilings.patterns);
        exceeded += usize::from(grows || is_over);
        let mark = |is: bool, word: &'static str| if is { word } else { "" };
        writeln!(
            out,
            "| {} | {each:.2}{} | {:.1}{} | {exponent:.2}{} |",
            pattern.name,
            mark(is_over, " **exceeded**"),
            each / plain,
            mark(each > TIMES_PLAIN * plain, " **more than 20**"),
            mark(grows, " **not linear**")
        )?;
        out.flush()?;
    }
    fs::remove_file(&file)?;
    if exceeded > 0 {
        bail!("{exceeded} limits exceeded: ceilings, or the growth exponent {EXPONENT}");
    }
    Ok(())
}

/// Writes a table of the instructions per byte on the given files. If `whole` is true, the whole
/// command is measured instead of the scanner in memory.
///
/// # Errors
///
/// Returns an error if valgrind fails, or if a file can't be read.
#[expect(clippy::cast_precision_loss, reason = "figures for readers")]
pub fn report_on_files(
    places: &Places,
    whole: bool,
    files: &[PathBuf],
    out: &mut impl Write,
) -> Result<()> {
    fs::create_dir_all(&places.data)?;
    let empty = places.data.join("instructions.txt");
    fs::write(&empty, b"")?;
    let nothing = count_instructions(places, whole, &empty)?;
    fs::remove_file(&empty)?;
    writeln!(out, "| file | bytes | instructions a byte |\n|---|---|---|")?;
    for file in files {
        let bytes = fs::metadata(file).with_context(|| file.display().to_string())?.len();
        let each = count_instructions(places, whole, file)?.saturating_sub(nothing) as f64
            / bytes.max(1) as f64;
        writeln!(out, "| {} | {bytes} | {each:.2} |", file.display())?;
        out.flush()?;
    }
    Ok(())
}

/// Returns the number of instructions of the scanner in memory or, if `whole` is true, of the
/// command.
fn count_instructions(places: &Places, whole: bool, file: &Path) -> Result<u64> {
    if whole {
        count_of_command(places, &["scan", "--input", "text", "-j", "1"], file)
    } else {
        run_valgrind(
            Command::new("valgrind")
                .args(VALGRIND)
                .arg(&places.benches)
                .args(["drive", "scan"])
                .arg(file),
        )
    }
}

/// Returns the number of instructions of the command with these arguments and this file.
///
/// # Errors
///
/// Returns an error if valgrind fails.
pub fn count_of_command(places: &Places, args: &[&str], file: &Path) -> Result<u64> {
    run_valgrind(Command::new("valgrind").args(VALGRIND).arg(&places.urlsift).args(args).arg(file))
}

const VALGRIND: [&str; 3] =
    ["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"];

fn run_valgrind(command: &mut Command) -> Result<u64> {
    let output = command.output().context("valgrind")?;
    let said = String::from_utf8_lossy(&output.stderr);
    said.lines()
        .find_map(|line| line.split_once("I ").filter(|(_, rest)| rest.contains("refs:")))
        .and_then(|(_, rest)| rest.rsplit(' ').next())
        .and_then(|figure| figure.replace(',', "").parse().ok())
        .with_context(|| format!("valgrind printed no count:\n{said}"))
}
