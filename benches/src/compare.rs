//! Compares whole processes. The commands run in alternation, so that other load affects all of
//! them.

use crate::definition::{Definition, Measure, Run};
use crate::haystack::{self, Kind};
use anyhow::{Context as _, Result, bail};
use memchr::memchr_iter;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::{BufWriter, Read as _, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use wait4::Wait4 as _;

/// The paths that replace the placeholders in a command, and the data directory.
#[derive(Clone, Debug)]
pub struct Places {
    /// The path of the urlsift command to measure.
    pub urlsift: PathBuf,
    /// The path of this program, which can also run other crates on a file.
    pub benches: PathBuf,
    /// The directory in which haystacks are kept between runs.
    pub data: PathBuf,
}

/// The options of a comparison.
#[derive(Clone, Debug)]
pub struct Options {
    /// The number of rounds. The median is reported.
    pub rounds: usize,
    /// A size that replaces the one in the definitions, in the same unit. Counts are then not
    /// checked.
    pub size: Option<u64>,
    /// Files or directories to search instead of the generated haystack.
    pub files: Vec<PathBuf>,
    /// True if the output is read through a pipe instead of going to the null device.
    pub piped: bool,
    /// The directory of definitions to update: the expected counts are replaced by the actual
    /// counts.
    pub bless: Option<PathBuf>,
}

/// The results of comparisons, as they are stored in a file and drawn by `plot`.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Record {
    /// One result for each tool on each haystack.
    #[serde(default, rename = "result")]
    pub results: Vec<Outcome>,
}

/// The result of one tool on one haystack.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Outcome {
    /// The name of the comparison.
    pub haystack: String,
    /// The name of the tool.
    pub tool: String,
    /// The median of the CPU time (user and system) in seconds.
    pub cpu: f64,
    /// The median of the elapsed time in seconds.
    pub wall: f64,
    /// The throughput in units of 1,000,000 bytes per second of CPU time.
    pub rate: f64,
    /// The peak resident memory, in units of 1,000,000 bytes.
    pub resident: f64,
    /// The number of lines of output.
    pub lines: u64,
}

/// The resources that one run used.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cost {
    cpu: Duration,
    wall: Duration,
    /// The peak resident memory in bytes.
    pub(crate) resident: u64,
}

/// A tool that is installed on this machine, with the costs of its runs so far.
struct Contestant<'d> {
    run: &'d Run,
    command: Vec<String>,
    count: u64,
    costs: Vec<Cost>,
}

/// Runs the comparisons, writes their tables in Markdown, and returns the results.
///
/// # Errors
///
/// Returns an error if a command fails or an I/O error occurs. Also fails if a count is not the
/// expected one, after all tables are written. A ratio below its target is marked in the table but
/// is not an error, because it may be noise.
pub fn compare(
    definitions: &[Definition],
    places: &Places,
    options: &Options,
    out: &mut impl Write,
) -> Result<Record> {
    let mut wrong = 0;
    let mut record = Record::default();
    for definition in definitions {
        let mut run = |file: Option<&Path>| -> Result<()> {
            wrong += compare_one(definition, file, places, options, &mut record, out)
                .with_context(|| definition.name.clone())?;
            Ok(out.flush()?)
        };
        if options.files.is_empty() {
            run(None)?;
        }
        options.files.iter().try_for_each(|file| run(Some(file)))?;
    }
    if wrong > 0 {
        bail!("{wrong} counts differ from the expected ones");
    }
    Ok(record)
}

/// Runs one comparison on its haystack or, if `file` is given, on this file.
fn compare_one(
    definition: &Definition,
    file: Option<&Path>,
    places: &Places,
    options: &Options,
    record: &mut Record,
    out: &mut impl Write,
) -> Result<usize> {
    let haystack = match file {
        Some(file) => file.to_owned(),
        None => prepare_haystack(definition, options.size, &places.data)?,
    };
    let bytes = size_of(&haystack)?;
    let known = file.is_none() && options.size.is_none_or(|size| size == definition.haystack.size);

    let name = match file {
        Some(file) => format!("{}: {}", definition.name, file.display()),
        None => definition.name.clone(),
    };
    writeln!(out, "### {name} ({bytes} bytes)\n")?;
    let mut contestants = Vec::new();
    let mut wrong = 0;
    for run in &definition.runs {
        let command = fill_placeholders(&run.command, places, &haystack);
        match run_and_count(&command, true) {
            Ok((count, _)) => {
                if let Some(folder) = options.bless.as_deref().filter(|_| known) {
                    replace_expected_count(folder, &definition.name, &run.tool, count)?;
                } else if known && run.count.is_some_and(|expected| expected != count) {
                    writeln!(
                        out,
                        "**{}: {count} found, {} expected**\n",
                        run.tool,
                        run.count.unwrap_or(0)
                    )?;
                    wrong += 1;
                }
                contestants.push(Contestant { run, command, count, costs: Vec::new() });
            }
            Err(error) => writeln!(out, "{} left out: {error:#}\n", run.tool)?,
        }
    }
    for _ in 0..options.rounds {
        for contestant in &mut contestants {
            if definition.haystack.cold {
                evict_from_cache(&haystack).context("cannot evict it from the page cache")?;
            }
            let (count, cost) =
                run_and_count(&contestant.command, options.piped || contestant.run.piped)?;
            if (options.piped || contestant.run.piped) && count != contestant.count {
                bail!("{} found {} and then {count}", contestant.run.tool, contestant.count);
            }
            contestant.costs.push(cost);
        }
    }
    write_report(definition, &name, &contestants, bytes, record, out)?;
    Ok(wrong)
}

#[expect(clippy::cast_precision_loss, reason = "figures for readers")]
fn write_report(
    definition: &Definition,
    name: &str,
    contestants: &[Contestant<'_>],
    bytes: u64,
    record: &mut Record,
    out: &mut impl Write,
) -> Result<()> {
    writeln!(
        out,
        "| tool | CPU ms | wall ms | MB/s of CPU | resident MB | lines |\n|---|---|---|---|---|---|"
    )?;
    for contestant in contestants {
        let cpu = median(contestant.costs.iter().map(|cost| cost.cpu.as_secs_f64()));
        let wall = median(contestant.costs.iter().map(|cost| cost.wall.as_secs_f64()));
        let resident =
            contestant.costs.iter().map(|cost| cost.resident).max().unwrap_or(0) as f64 / 1e6;
        let (tool, lines) = (contestant.run.tool.clone(), contestant.count);
        let rate = bytes as f64 / cpu / 1e6;
        let (ms, wall_ms) = (cpu * 1e3, wall * 1e3);
        writeln!(out, "| {tool} | {ms:.1} | {wall_ms:.1} | {rate:.0} | {resident:.1} | {lines} |")?;
        let haystack = name.to_owned();
        record.results.push(Outcome { haystack, tool, cpu, wall, rate, resident, lines });
    }
    writeln!(out)?;
    let find = |tool: &str| contestants.iter().find(|contestant| contestant.run.tool == tool);
    for ratio in &definition.ratios {
        let (Some(of), Some(to)) = (find(&ratio.of), find(&ratio.to)) else { continue };
        let take = |cost: &Cost| match ratio.measure {
            Measure::Cpu => cost.cpu.as_secs_f64(),
            Measure::Wall => cost.wall.as_secs_f64(),
        };
        // Ratios are computed within a round, so that other load affects both sides.
        let value = median(of.costs.iter().zip(&to.costs).map(|(of, to)| take(to) / take(of)));
        let measure = if ratio.measure == Measure::Cpu { "CPU" } else { "wall" };
        let verdict = if value >= ratio.at_least { "met" } else { "**not met**" };
        writeln!(
            out,
            "- `{}` takes {value:.2} times the {measure} time of `{}` (target: at least {:.2}; {verdict})",
            ratio.to, ratio.of, ratio.at_least
        )?;
    }
    for limit in &definition.limits {
        let Some(tool) = find(&limit.tool) else { continue };
        let resident = tool.costs.iter().map(|cost| cost.resident).max().unwrap_or(0) as f64 / 1e6;
        let verdict = if resident <= limit.resident_megabytes { "met" } else { "**not met**" };
        writeln!(
            out,
            "- `{}` uses {resident:.1} MB of resident memory (target: at most {:.0} MB; {verdict})",
            limit.tool, limit.resident_megabytes
        )?;
    }
    writeln!(out)?;
    Ok(())
}

/// Replaces the expected count of a tool's run in a definition.
fn replace_expected_count(folder: &Path, definition: &str, tool: &str, count: u64) -> Result<()> {
    let path = folder.join(format!("{definition}.toml"));
    let text = fs::read_to_string(&path)?;
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let names = |line: &str| {
        line.parse::<toml::Table>()
            .is_ok_and(|table| table.get("tool").is_some_and(|t| t.as_str() == Some(tool)))
    };
    let at = lines
        .iter()
        .position(|line| line.starts_with("tool = ") && names(line))
        .context("no line with the name of the tool")?;
    let line = format!("count = {count}");
    match lines.get_mut(at + 1).filter(|line| line.starts_with("count = ")) {
        Some(old) => *old = line,
        None => lines.insert(at + 1, line),
    }
    fs::write(&path, lines.join("\n") + "\n")?;
    Ok(())
}

/// Generates the haystack of a definition in the directory `data`, unless it exists from an earlier
/// run. Returns its path.
///
/// # Errors
///
/// Returns any error from the file system.
pub fn prepare_haystack(
    definition: &Definition,
    size: Option<u64>,
    data: &Path,
) -> Result<PathBuf> {
    let wanted = definition.haystack;
    let size = size.unwrap_or(wanted.size);
    fs::create_dir_all(data)?;
    let path = data.join(format!("{:?}-{}-{size}", wanted.kind, wanted.seed).to_lowercase());
    if path.exists() {
        return Ok(path);
    }
    let partial = path.with_extension("partial");
    if wanted.kind == Kind::Spool {
        if partial.exists() {
            fs::remove_dir_all(&partial)?;
        }
        haystack::write_spool(&partial, wanted.seed, u32::try_from(size)?)?;
    } else {
        let mut file = BufWriter::new(fs::File::create(&partial)?);
        haystack::write_data(wanted.kind, wanted.seed, size, &mut file)?;
    }
    fs::rename(&partial, &path)?;
    Ok(path)
}

/// Evicts the contents of a file, or of all files in a directory, from the page cache. The names
/// and metadata of the files stay cached.
fn evict_from_cache(path: &Path) -> Result<()> {
    if path.is_dir() {
        for entry in fs::read_dir(path)? {
            evict_from_cache(&entry?.path())?;
        }
        return Ok(());
    }
    #[cfg(target_os = "linux")]
    {
        let file = fs::File::open(path)?;
        // Write modified pages to disk first, because they would stay in the cache.
        file.sync_data()?;
        rustix::fs::fadvise(&file, 0, None, rustix::fs::Advice::DontNeed)?;
        Ok(())
    }
    #[cfg(not(target_os = "linux"))]
    bail!("not supported on this system")
}

fn size_of(path: &Path) -> Result<u64> {
    let about = fs::metadata(path).with_context(|| path.display().to_string())?;
    if !about.is_dir() {
        return Ok(about.len());
    }
    let mut sum = 0;
    for entry in fs::read_dir(path)? {
        sum += size_of(&entry?.path())?;
    }
    Ok(sum)
}

fn fill_placeholders(command: &[String], places: &Places, haystack: &Path) -> Vec<String> {
    command
        .iter()
        .map(|word| {
            word.replace("{urlsift}", &places.urlsift.to_string_lossy())
                .replace("{benches}", &places.benches.to_string_lossy())
                .replace("{haystack}", &haystack.to_string_lossy())
        })
        .collect()
}

/// Runs a command to its end, and returns the number of output lines and the cost. The lines are
/// counted only if `piped` is true.
fn run_and_count(command: &[String], piped: bool) -> Result<(u64, Cost)> {
    let (lines, cost, status) = measure_cost(command, piped)?;
    if !status.success() {
        bail!("{} ended with {status}", command.join(" "));
    }
    Ok((lines, cost))
}

/// Runs a command as [`run_and_count`] does, but accepts any exit status and returns it.
pub(crate) fn measure_cost(command: &[String], piped: bool) -> Result<(u64, Cost, ExitStatus)> {
    let (program, arguments) = command.split_first().context("an empty command")?;
    let begin = Instant::now();
    let mut child = Command::new(program)
        .args(arguments)
        .env("LC_ALL", "C")
        .stdin(Stdio::null())
        .stdout(if piped { Stdio::piped() } else { Stdio::null() })
        .stderr(Stdio::null())
        .spawn()
        .with_context(|| program.clone())?;
    let mut lines = 0;
    if let Some(mut output) = child.stdout.take() {
        let mut buffer = vec![0; 1 << 16];
        loop {
            let n = output.read(&mut buffer)?;
            if n == 0 {
                break;
            }
            lines += memchr_iter(b'\n', &buffer[..n]).count() as u64;
        }
    }
    let usage = child.wait4()?;
    let wall = begin.elapsed();
    let cpu = usage.rusage.utime + usage.rusage.stime;
    Ok((lines, Cost { cpu, wall, resident: usage.rusage.maxrss }, usage.status))
}

/// Runs a command, discards its output, and returns the user and system time in seconds.
///
/// # Errors
///
/// Returns an error if the command fails.
pub(crate) fn cpu_seconds(command: &[String]) -> Result<f64> {
    let (_, cost, status) = measure_cost(command, false)?;
    // Status 1 means that nothing was found, which is not a failure.
    if !matches!(status.code(), Some(0 | 1)) {
        bail!("{} ended with {status}", command.join(" "));
    }
    Ok(cost.cpu.as_secs_f64())
}

/// Returns the median of the values, or 0 if there are none.
pub(crate) fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    match values.len() {
        0 => 0.0,
        n if n % 2 == 1 => values[n / 2],
        n => f64::midpoint(values[n / 2 - 1], values[n / 2]),
    }
}
