//! Measures the peak memory of the whole command on hostile input with limited address space. Each
//! input is scanned and linted as plain text, mail and HTML.

use crate::compare::{Places, measure_cost};
use crate::growth::FAMILIES;
use crate::haystack::Pattern;
use crate::hostile::FORMS;
use anyhow::{Result, bail};
use std::fs;
use std::io::Write;
use std::path::PathBuf;

/// The limit on the address space in kilobytes. Threads and their heaps reserve most of it.
const LIMIT: u32 = 400_000;

/// Writes a table of the peak memory in megabytes of `scan` and `lint`, on `bytes` bytes of each
/// family of hostile input.
///
/// # Errors
///
/// Returns an error if the command crashes or exceeds its limits (after the table), or for an I/O
/// error.
pub fn report(
    places: &Places,
    bytes: usize,
    only: Option<&str>,
    out: &mut impl Write,
) -> Result<()> {
    fs::create_dir_all(&places.data)?;
    let mut failed = 0;
    writeln!(out, "| family | file | scan | lint |\n|---|---|---|---|")?;
    let mut row = |name: &str, file: &str, text: &dyn Fn() -> Vec<u8>| -> Result<()> {
        if only.is_some_and(|only| !name.contains(only)) {
            return Ok(());
        }
        let path: PathBuf = places.data.join(file);
        fs::write(&path, text())?;
        write!(out, "| {name} | {file} ")?;
        for job in ["scan", "lint"] {
            let format = if job == "scan" { "jsonl" } else { "concise" };
            let line = format!(r#"ulimit -v {LIMIT}; exec "$0" {job} -j2 --format {format} "$1""#);
            let command =
                ["sh".into(), "-c".into(), line, path_of(&places.urlsift), path_of(&path)];
            let (_, cost, status) = measure_cost(&command, false)?;
            let is_well = matches!(status.code(), Some(0 | 1));
            failed += u32::from(!is_well);
            let mark = if is_well { "" } else { " **failed**" };
            write!(out, "| {}{mark} ", cost.resident >> 20)?;
        }
        writeln!(out, "|")?;
        out.flush()?;
        fs::remove_file(&path)?;
        Ok(())
    };
    for family in FAMILIES {
        row(family.name, family.file, &|| family.text_of_size(bytes))?;
    }
    for pattern in Pattern::ALL {
        for (file, head, _) in FORMS {
            row(pattern.name, file, &|| [head.as_bytes(), &pattern.text_of_len(bytes)].concat())?;
        }
    }
    if failed > 0 {
        bail!("{failed} runs did not end within {LIMIT} KB of address space");
    }
    Ok(())
}

fn path_of(path: &std::path::Path) -> String {
    path.to_string_lossy().into_owned()
}
