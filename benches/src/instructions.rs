//! Instructions executed, counted by valgrind: the same figure on a busy machine and on a quiet
//! one.

use crate::compare::Places;
use crate::haystack::{self, Kind, Pattern};
use anyhow::{Context as _, Result, bail};
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Command;

/// How long the adversarial texts are, and twice that.
const LENGTH: usize = 1 << 18;

/// What a step from `LENGTH` to twice may cost: an exponent of 1 is linear.
const EXPONENT: f64 = 1.15;

/// How many times more a byte of adversarial text may cost than a byte of mail.
const TIMES_PLAIN: f64 = 20.0;

/// Whether valgrind runs here.
pub fn available() -> bool {
    Command::new("valgrind").arg("--version").output().is_ok_and(|output| output.status.success())
}

/// Writes the tables: instructions per byte of the scanner in memory on 2 MB of each kind, and the
/// growth on the adversarial family.
/// `whole` measures the command in place of the scanner, with reading, judging and writing.
///
/// # Errors
///
/// valgrind fails, or a bound is exceeded (after the tables).
#[expect(clippy::cast_precision_loss, reason = "figures for readers")]
pub fn report(
    places: &Places,
    whole: bool,
    only: Option<&str>,
    out: &mut impl Write,
) -> Result<()> {
    let mut exceeded = 0;
    fs::create_dir_all(&places.data)?;
    let file = places.data.join("instructions.txt");
    fs::write(&file, b"")?;
    let nothing = count(places, whole, &file)?;
    let mut plain = 0.0;
    writeln!(out, "| text | instructions a byte | at most |\n|---|---|---|")?;
    for (name, kind, most) in [
        ("mail", Kind::Mail, Some(0.8)),
        ("news", Kind::News, None),
        ("html", Kind::Html, None),
        ("dense", Kind::Dense, Some(4.5)),
    ] {
        let text = haystack::text(kind, 1, 2_000_000);
        fs::write(&file, &text)?;
        let each = count(places, whole, &file)?.saturating_sub(nothing) as f64 / text.len() as f64;
        if kind == Kind::Mail {
            plain = each;
        }
        let bound = most.filter(|_| !whole).map_or_else(String::new, |most| most.to_string());
        let mark = most.filter(|&most| !whole && each > most).map_or("", |_| " **exceeded**");
        exceeded += usize::from(!mark.is_empty());
        writeln!(out, "| {name} | {each:.2} | {bound}{mark} |")?;
        out.flush()?;
    }
    writeln!(
        out,
        "\n| pattern | instructions a byte | times mail | growth exponent |\n|---|---|---|---|"
    )?;
    for pattern in
        Pattern::ALL.iter().filter(|pattern| only.is_none_or(|only| pattern.name.contains(only)))
    {
        let mut costs = [0; 2];
        for (cost, times) in costs.iter_mut().zip([1, 2]) {
            fs::write(&file, pattern.text(LENGTH * times))?;
            *cost = count(places, whole, &file)?.saturating_sub(nothing);
        }
        let each = costs[1] as f64 / (2 * LENGTH) as f64;
        let exponent = (costs[1] as f64 / costs[0].max(1) as f64).log2();
        let bad = exponent > EXPONENT || each > TIMES_PLAIN * plain;
        exceeded += usize::from(bad);
        let mark = if bad { " **exceeded**" } else { "" };
        writeln!(
            out,
            "| {} | {each:.2} | {:.1} | {exponent:.2}{mark} |",
            pattern.name,
            each / plain
        )?;
        out.flush()?;
    }
    fs::remove_file(&file)?;
    if exceeded > 0 {
        bail!(
            "{exceeded} bounds exceeded (growth at most {EXPONENT}, a byte at most {TIMES_PLAIN} times one of mail)"
        );
    }
    Ok(())
}

/// The instructions of one process.
fn count(places: &Places, whole: bool, file: &Path) -> Result<u64> {
    let mut command = Command::new("valgrind");
    command.args(["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]);
    if whole {
        command.arg(&places.urlsift).args(["scan", "--input", "text", "-j", "1"]);
    } else {
        command.arg(&places.benches).args(["drive", "scan"]);
    }
    let output = command.arg(file).output().context("valgrind")?;
    let said = String::from_utf8_lossy(&output.stderr);
    said.lines()
        .find_map(|line| line.split_once("I ").filter(|(_, rest)| rest.contains("refs:")))
        .and_then(|(_, rest)| rest.rsplit(' ').next())
        .and_then(|figure| figure.replace(',', "").parse().ok())
        .with_context(|| format!("valgrind gave no count:\n{said}"))
}
