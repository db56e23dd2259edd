//! `run.json`: what was done in a directory of tables, and whether all of it was.

use crate::io::inputs::{Inputs, id};
use crate::io::output::Output;
use crate::platform::FileId;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use urlsift_records::Tally;
use urlsift_records::table::VERSION;

/// The file's name.
pub(crate) const RUN: &str = "run.json";

/// The file of a run, which says at first that the run is not complete.
pub(crate) struct RunFile {
    path: PathBuf,
    /// The command line.
    options: Vec<String>,
}

impl RunFile {
    /// The file in a directory, for a run with these options, which are for people.
    pub(crate) fn new(directory: &Path, options: Vec<String>) -> Self {
        Self { path: directory.join(RUN), options }
    }

    /// The file that is there now: it is no input.
    pub(crate) fn id(&self) -> Option<FileId> {
        id(&self.path)
    }

    /// Writes it, over none of `inputs`: with counts if the run is complete, and with the number of the parts that there are if the tables
    /// are written in parts.
    ///
    /// # Errors
    ///
    /// What the system says.
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
        output.fill(&text)?;
        output.complete()
    }
}

/// What was counted, as an object of the fields of the summary.
///
/// # Errors
///
/// None, as the summary is JSON.
pub(crate) fn counts(tally: &Tally) -> anyhow::Result<Value> {
    let mut line = Vec::new();
    tally.write_json(&mut line);
    let mut counts: Value = serde_json::from_slice(&line)?;
    counts.as_object_mut().map(|counts| counts.shift_remove("type"));
    Ok(counts)
}
