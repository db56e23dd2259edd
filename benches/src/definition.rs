//! Defines comparisons. There is one TOML file for each in `benches/definitions/`.

use crate::haystack::Kind;
use anyhow::{Context as _, Result};
use serde::Deserialize;
use std::fs;
use std::path::Path;

/// A comparison: a haystack, the commands that search it, and the expected results.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Definition {
    /// The name of the comparison: the name of its file without the extension.
    #[serde(skip)]
    pub name: String,
    /// An explanation of the results, for readers of the tables.
    pub analysis: String,
    /// The data to search.
    pub haystack: Haystack,
    /// The commands to measure, in the order in which each round runs them.
    #[serde(rename = "run")]
    pub runs: Vec<Run>,
    /// The ratios to report, with their target values.
    #[serde(default, rename = "ratio")]
    pub ratios: Vec<Ratio>,
    /// The limits on memory use.
    #[serde(default, rename = "limit")]
    pub limits: Vec<Limit>,
}

/// The parameters from which a haystack is generated.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Haystack {
    /// The kind of data.
    pub kind: Kind,
    /// The seed of the generator.
    pub seed: u64,
    /// The size in bytes or, for a spool, the number of files.
    pub size: u64,
    /// True if the haystack must be evicted from the page cache before each command.
    #[serde(default)]
    pub cold: bool,
}

/// A command to measure, e.g. one tool.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// The name of the tool in the results.
    pub tool: String,
    /// The program and its arguments. `{urlsift}`, `{benches}` and `{haystack}` are replaced by
    /// paths.
    pub command: Vec<String>,
    /// The number of output lines that is expected on the generated haystack.
    pub count: Option<u64>,
    /// True if the output must be read even in timed runs. grep stops at the first match if its
    /// output is the null device.
    #[serde(default)]
    pub piped: bool,
}

/// A ratio to report: the cost of tool `to` divided by the cost of tool `of`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ratio {
    /// The name of the tool that should be faster.
    pub of: String,
    /// The name of the tool to compare with.
    pub to: String,
    /// The quantity to compare.
    #[serde(default)]
    pub measure: Measure,
    /// The minimum value of the ratio.
    pub at_least: f64,
}

/// A cost that a ratio compares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    /// The sum of user and system time.
    #[default]
    Cpu,
    /// The elapsed time. It is only meaningful on a machine without other load.
    Wall,
}

/// A limit on the memory use of a tool.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limit {
    /// The name of the tool.
    pub tool: String,
    /// The maximum of the peak resident memory, in units of 1,000,000 bytes.
    pub resident_megabytes: f64,
}

impl Definition {
    /// Reads the definitions in `folder`, sorted by name. If `names` is not empty, reads only
    /// these.
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
