//! What a byte of hostile input costs the whole command as text, as mail and as HTML, beside a byte of what is usual there.

use crate::compare::Places;
use crate::haystack::{self, Kind, Pattern};
use crate::instructions::count_of;
use anyhow::{Result, bail};
use std::fs;
use std::io::Write;

/// Ways to put a text into a file: the file's name, what stands before the text, and what is usual there.
pub(crate) const FORMS: [(&str, &str, Kind); 3] = [
    ("a.txt", "", Kind::Mail),
    ("a.eml", "From: a@h.dom\nMessage-ID: <1@h.dom>\n\n", Kind::Mail),
    ("b.eml", "From: a@h.dom\nMIME-Version: 1.0\nContent-Type: text/html\n\n", Kind::Html),
];

/// How long the hostile texts are, and the usual ones.
const LENGTH: usize = 1 << 17;
const USUAL: usize = 2_000_000;

/// How many times more a byte of hostile input may cost.
const MOST: f64 = 30.0;

/// Writes the table.
///
/// # Errors
///
/// valgrind fails; or a byte costs more than it may (after the table).
#[expect(clippy::cast_precision_loss, reason = "figures for readers")]
pub fn report(places: &Places, only: Option<&str>, out: &mut impl Write) -> Result<()> {
    fs::create_dir_all(&places.data)?;
    let mut exceeded = 0;
    writeln!(
        out,
        "| pattern | file | job | instructions a byte | times usual |\n|---|---|---|---|---|"
    )?;
    for (name, head, usual) in FORMS {
        let file = places.data.join(name);
        for job in [&["scan", "-j1", "--format", "jsonl"][..], &["lint", "-j1"]] {
            fs::write(&file, head)?;
            let nothing = count_of(places, job, &file)?;
            let each = |text: &[u8]| -> Result<f64> {
                fs::write(&file, [head.as_bytes(), text].concat())?;
                let cost = count_of(places, job, &file)?.saturating_sub(nothing);
                Ok(cost as f64 / text.len() as f64)
            };
            let plain = each(&haystack::text(usual, 1, USUAL))?;
            writeln!(out, "| usual | {name} | {} | {plain:.2} | 1 |", job[0])?;
            let chosen = |pattern: &&Pattern| only.is_none_or(|only| pattern.name.contains(only));
            for pattern in Pattern::ALL.iter().filter(chosen) {
                let cost = each(&pattern.text(LENGTH))?;
                let is_over = cost > MOST * plain;
                exceeded += u32::from(is_over);
                let mark = if is_over { " **exceeded**" } else { "" };
                writeln!(
                    out,
                    "| {} | {name} | {} | {cost:.2} | {:.1}{mark} |",
                    pattern.name,
                    job[0],
                    cost / plain
                )?;
                out.flush()?;
            }
        }
        fs::remove_file(&file)?;
    }
    if exceeded > 0 {
        bail!("{exceeded} times a byte of hostile input costs more than {MOST} usual ones");
    }
    Ok(())
}
