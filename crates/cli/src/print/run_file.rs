//! `run.json`: describes the run that wrote a directory of tables.

use crate::io::inputs::{Inputs, regular_file_id};
use crate::io::output::Output;
use crate::platform::FileId;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use urlsift_records::Tally;
use urlsift_records::fields::{skipped, summary};
use urlsift_records::table::VERSION;

/// The name of the description in the directory of the tables.
pub(crate) const RUN: &str = "run.json";

/// The names of the tables in the directory.
pub(crate) const TABLES: [&str; 3] = ["urls", "messages", "files"];

/// The file `run.json`, which describes the scan that wrote the tables in a directory. Until the
/// scan has ended, the file says that the scan is incomplete.
pub(crate) struct RunFile {
    path: PathBuf,
    /// The arguments of the command, for people who read the file.
    options: Vec<String>,
}

impl RunFile {
    /// Creates the description of a scan that writes tables to `directory`. `options` are the
    /// command-line arguments. Doesn't write the file yet.
    pub(crate) fn new(directory: &Path, options: Vec<String>) -> Self {
        Self { path: directory.join(RUN), options }
    }

    /// True if `directory` contains the description of a scan that writes its tables in parts.
    #[cfg(feature = "parquet")]
    pub(crate) fn has_parts(directory: &Path) -> bool {
        let run = std::fs::read(directory.join(RUN)).ok();
        let run: Option<Value> = run.and_then(|text| serde_json::from_slice(&text).ok());
        run.is_some_and(|run| run["parts"].is_number())
    }

    /// Returns the identity of the file, so that the scan doesn't read it as input. Returns `None`
    /// if the file doesn't exist.
    pub(crate) fn file_id(&self) -> Option<FileId> {
        regular_file_id(&self.path)
    }

    /// Writes the file. Fails if the file is one of `inputs`.
    ///
    /// `counts` contains the counts of a complete scan, and is `None` for an incomplete one.
    /// `parts` is the number of parts if the tables are written in parts.
    ///
    /// # Errors
    ///
    /// Returns any error of the system.
    pub(crate) fn write(
        &self,
        counts: Option<Value>,
        parts: Option<u32>,
        inputs: &Inputs,
    ) -> anyhow::Result<()> {
        let mut run = json!({
            "type": "run",
            "schema": VERSION,
            "version": env!("CARGO_PKG_VERSION"),
            "options": self.options,
            "complete": counts.is_some(),
        });
        if let Some(parts) = parts {
            run["parts"] = parts.into();
        }
        if let Some(counts) = counts {
            run["counts"] = counts;
        }
        let mut text = serde_json::to_vec_pretty(&run)?;
        text.push(b'\n');
        let output = Output::new(Some(&self.path), inputs)?;
        output.write_contents(&text)?;
        output.rename_to_final_name()
    }
}

/// Returns the counts of a scan as a JSON object with the fields of the summary.
///
/// # Errors
///
/// Never fails, since the summary is valid JSON.
pub(crate) fn counts(tally: &Tally) -> anyhow::Result<Value> {
    let mut line = Vec::new();
    tally.write_json(&mut line);
    let mut counts: Value = serde_json::from_slice(&line)?;
    counts.as_object_mut().map(|counts| counts.shift_remove("type"));
    Ok(counts)
}

/// Returns a tally with those counts of a scan that a report shows. `counts` is a value that
/// [`counts`] has returned, or a sum of such values.
pub(crate) fn tally_from_counts(counts: &Value) -> Tally {
    let mut tally = Tally::default();
    let all = [
        (summary::FILES, &mut tally.files),
        (summary::BYTES, &mut tally.bytes),
        (summary::MESSAGES, &mut tally.messages),
        (summary::URLS, &mut tally.urls),
        (summary::MALFORMED, &mut tally.malformed),
        (summary::ERRORS, &mut tally.errors),
        (summary::TRUNCATED, &mut tally.truncated),
    ];
    let skipped = [
        (skipped::HIDDEN, &mut tally.skipped.hidden),
        (skipped::IGNORED, &mut tally.skipped.ignored),
        (skipped::UNMATCHED, &mut tally.skipped.unmatched),
        (skipped::SPECIAL, &mut tally.skipped.special),
        (skipped::LINKS, &mut tally.skipped.links),
        (skipped::SIZE, &mut tally.skipped.size),
        (skipped::OUTPUT, &mut tally.skipped.output),
    ];
    let from = &counts[summary::SKIPPED.name];
    for (counts, numbers) in [(counts, all), (from, skipped)] {
        for (field, number) in numbers {
            // Numbers in a forged file must not overflow when they are added up.
            *number = counts[field.name].as_u64().unwrap_or_default().min(u64::MAX >> 8);
        }
    }
    tally
}
