//! The definitions of comparisons: one TOML file per haystack in `benches/definitions/`.

use crate::haystack::Kind;
use anyhow::{Context as _, Result};
use serde::Deserialize;
use std::fs;
use std::path::Path;

/// A haystack, the tools that search it, and the expected results.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Definition {
    /// The name: that of the file without its extension.
    #[serde(skip)]
    pub name: String,
    /// An explanation of the results for readers.
    pub analysis: String,
    /// The data to search.
    pub haystack: Haystack,
    /// The commands, in the order in which a round runs them.
    #[serde(rename = "run")]
    pub runs: Vec<Run>,
    /// The ratios to report, with their targets.
    #[serde(default, rename = "ratio")]
    pub ratios: Vec<Ratio>,
    /// The limits on memory.
    #[serde(default, rename = "limit")]
    pub limits: Vec<Limit>,
}

/// The parameters of a haystack.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Haystack {
    /// The kind of data.
    pub kind: Kind,
    /// The seed of the generator.
    pub seed: u64,
    /// The size in bytes, or the number of files for a spool.
    pub size: u64,
    /// True if its contents must be evicted from the page cache before each command.
    #[serde(default)]
    pub cold: bool,
}

/// A command to measure.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// The name of the tool in the results.
    pub tool: String,
    /// Program and arguments. `{urlsift}`, `{benches}` and `{haystack}` are replaced with paths.
    pub command: Vec<String>,
    /// The expected number of output lines on the generated haystack.
    pub count: Option<u64>,
    /// True if its output must be read even when it is timed. grep stops at the first match if its
    /// output is the null device.
    #[serde(default)]
    pub piped: bool,
}

/// The ratio of the cost of `to` to the cost of `of`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ratio {
    /// The tool that should be faster.
    pub of: String,
    /// The tool that it is compared with.
    pub to: String,
    /// The quantity to compare.
    #[serde(default)]
    pub measure: Measure,
    /// The target.
    pub at_least: f64,
}

/// A quantity of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    /// User and system time.
    #[default]
    Cpu,
    /// Elapsed time, which is only useful on a quiet machine.
    Wall,
}

/// A limit on the resident memory of a tool.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limit {
    /// The tool.
    pub tool: String,
    /// The maximum peak memory, in units of 1,000,000 bytes.
    pub resident_megabytes: f64,
}

impl Definition {
    /// Reads the definitions in a directory, sorted by name; if `names` is not empty, only these.
    ///
    /// # Errors
    ///
    /// Returns an error if a file can't be read or parsed, or if a name has no file.
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
