//! What `compare` runs: one TOML file a haystack under `benches/definitions/`.

use crate::haystack::Kind;
use anyhow::{Context as _, Result};
use serde::Deserialize;
use std::fs;
use std::path::Path;

/// One haystack, the tools that search it, and what must come out.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Definition {
    /// The name: that of the file.
    #[serde(skip)]
    pub name: String,
    /// What the figures say, for readers.
    pub analysis: String,
    /// What is searched.
    pub haystack: Haystack,
    /// The commands, in the order in which a round runs them.
    #[serde(rename = "run")]
    pub runs: Vec<Run>,
    /// What is compared, and how much is asked of it.
    #[serde(default, rename = "ratio")]
    pub ratios: Vec<Ratio>,
    /// What must not be exceeded.
    #[serde(default, rename = "limit")]
    pub limits: Vec<Limit>,
}

/// How the haystack is made.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Haystack {
    /// Of what.
    pub kind: Kind,
    /// From which seed.
    pub seed: u64,
    /// How big, in bytes; for a spool the number of files.
    pub size: u64,
    /// Whether its contents must not be in the system's memory when a command begins.
    #[serde(default)]
    pub cold: bool,
}

/// One command.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// What it is called in the results.
    pub tool: String,
    /// Program and arguments; `{urlsift}`, `{benches}` and `{haystack}` stand for paths.
    pub command: Vec<String>,
    /// The lines that it prints on the haystack as defined.
    pub count: Option<u64>,
    /// Whether its output must be read even when time is taken: grep stops at the first match if it
    /// sees the null device.
    #[serde(default)]
    pub piped: bool,
}

/// How many times less `of` uses than `to`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ratio {
    /// The tool that should be fast.
    pub of: String,
    /// The tool that it is measured against.
    pub to: String,
    /// What is taken.
    #[serde(default)]
    pub measure: Measure,
    /// What is asked for.
    pub at_least: f64,
}

/// A quantity of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    /// User and system time.
    #[default]
    Cpu,
    /// Time on the clock: of use only on a quiet machine.
    Wall,
}

/// A bound on the resident memory of a tool.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limit {
    /// The tool.
    pub tool: String,
    /// The most that it may hold at any moment, in units of 1,000,000 bytes.
    pub resident_megabytes: f64,
}

impl Definition {
    /// Reads the definitions in a folder, sorted by name; only those named, if any are.
    ///
    /// # Errors
    ///
    /// A file that can't be read or is no definition, or a name without a file.
    pub fn load(folder: &Path, names: &[String]) -> Result<Vec<Self>> {
        let mut found = Vec::new();
        for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
            let path = entry?.path();
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            if path.extension().is_none_or(|e| e != "toml")
                || !(names.is_empty() || names.contains(&name))
            {
                continue;
            }
            let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
            let definition: Self =
                toml::from_str(&text).with_context(|| path.display().to_string())?;
            found.push(Self { name, ..definition });
        }
        for name in names {
            anyhow::ensure!(
                found.iter().any(|d| d.name == *name),
                "no definition {name}.toml in {}",
                folder.display()
            );
        }
        found.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(found)
    }
}
