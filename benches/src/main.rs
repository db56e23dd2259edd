//! The program `urlsift-benches`. It generates data, runs comparisons and benchmarks, and writes
//! tables.

use anyhow::{Context as _, Result};
use clap::{Parser, Subcommand, ValueEnum};
use filebuffer::FileBuffer;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use urlsift_benches::compare::{self, Options, Places};
use urlsift_benches::definition::Definition;
use urlsift_benches::density::Density;
use urlsift_benches::haystack::{self, Kind, Pattern};
use urlsift_benches::instructions::Ceilings;
use urlsift_benches::{
    decoders, golden, growth, hostile, instructions, memory, peers, plot, random_growth, stages,
};
use urlsift_core::{Profile, parse_reference};
use urlsift_scanner::Scanner;

/// Measure urlsift and compare it with other tools
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    job: Job,
    /// Directory in which haystacks are kept between runs
    #[arg(long, global = true, default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/data"))]
    data: PathBuf,
    /// The command to measure [default: the one built next to this program]
    #[arg(long, global = true)]
    urlsift: Option<PathBuf>,
}

#[derive(Subcommand)]
enum Job {
    /// Write a haystack to a file, or a spool to a directory
    Generate {
        kind: Kind,
        /// Number of bytes, or of articles in a spool
        size: u64,
        to: PathBuf,
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Write the adversarial texts to a directory, each to a file of its own
    Adversarial { bytes: usize, to: PathBuf },
    /// Time the command on each adversarial text, compared with mail
    Hostile {
        #[arg(long, default_value_t = 16_000_000)]
        bytes: usize,
        #[arg(long, default_value_t = 5)]
        rounds: usize,
        /// Only run jobs and files whose names contain this, such as `lint` or `scan b.eml`
        #[arg(long)]
        only: Option<String>,
    },
    /// Print the density of colons, lines and URLs in files
    Densities { paths: Vec<PathBuf> },
    /// Compare whole processes: CPU, memory, counts, ratios
    Compare {
        /// Only run these definitions
        names: Vec<String>,
        #[arg(long, default_value_t = 7)]
        rounds: usize,
        /// A size that replaces that of the definitions
        #[arg(long)]
        size: Option<u64>,
        /// Search these files or directories instead of the haystack, with a table for each
        #[arg(long, num_args = 1..)]
        file: Vec<PathBuf>,
        /// Write the counts into the definitions as the expected ones
        #[arg(long)]
        bless: bool,
        /// Store the results in a file for `plot`
        #[arg(long)]
        record: Option<PathBuf>,
        /// Read the output through a pipe instead of sending it to the null device
        #[arg(long)]
        piped: bool,
        #[arg(long, default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/definitions"))]
        definitions: PathBuf,
    },
    /// Draw the results stored by `compare --record`, as SVG on standard output
    Plot {
        record: PathBuf,
        /// Only draw these haystacks
        haystacks: Vec<String>,
    },
    /// Print the digests of the generated data: the content of `golden.toml`
    Golden,
    /// Time each stage in memory
    Stages {
        /// Files to use instead of 20 MB of each kind and 240 MB of prose
        files: Vec<PathBuf>,
        #[arg(long, default_value_t = 9)]
        rounds: usize,
    },
    /// Count instructions under valgrind
    Instructions {
        /// Measure the whole command instead of the scanner in memory
        #[arg(long)]
        whole: bool,
        /// Only measure adversarial patterns whose names contain this
        #[arg(long)]
        only: Option<String>,
        /// Fail if a count exceeds the limits in this file
        #[arg(long)]
        ceilings: Option<PathBuf>,
        /// Measure these files instead of all texts and patterns
        #[arg(long, num_args = 1..)]
        file: Vec<PathBuf>,
    },
    /// Count the cost of twice as much hostile input for the whole command, scanned and linted
    Growth {
        /// Measure all families and all adversarial patterns, as text, mail and HTML, scanned and
        /// linted
        #[arg(long)]
        whole: bool,
        /// Only measure families whose names contain this
        #[arg(long)]
        only: Option<String>,
        /// Try this number of random texts instead of the families, and count the slowest
        #[arg(long, conflicts_with_all = ["whole", "only"])]
        random: Option<u64>,
        /// Seed for `--random`
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Print the peak memory of the whole command on hostile input, with 400 MB of address space
    Memory {
        #[arg(long, default_value_t = 16 << 20)]
        bytes: usize,
        /// Only measure families whose names contain this
        #[arg(long)]
        only: Option<String>,
    },
    /// Run one tool on one file, as `compare` and `instructions` do
    Drive { tool: Tool, file: PathBuf },
}

/// The tools that the subcommand `drive` can run.
#[derive(Clone, Copy, ValueEnum)]
enum Tool {
    /// linkify on the mapped file, URLs only
    Linkify,
    /// The regex crate on the mapped file, with the comparable pattern
    RegexComparable,
    /// The regex crate on the mapped file, with `https?://\S+`
    RegexHabit,
    /// urlsift's scanner on the file in memory; prints only the count
    Scan,
    /// Like `scan`, and each match is judged
    Judge,
    /// Only read the file
    Read,
    /// Print every match of the scanner on a line of its own, to compare two versions
    Finds,
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let benches = std::env::current_exe()?;
    let urlsift = arguments.urlsift.unwrap_or_else(|| benches.with_file_name("urlsift"));
    let places = Places { urlsift, benches, data: arguments.data };
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    match arguments.job {
        Job::Generate { kind: Kind::Spool, size, to, seed } => {
            haystack::write_spool(&to, seed, u32::try_from(size)?)?;
        }
        Job::Generate { kind, size, to, seed } => {
            haystack::write_data(kind, seed, size, &mut BufWriter::new(fs::File::create(to)?))?;
        }
        Job::Adversarial { bytes, to } => {
            fs::create_dir_all(&to)?;
            for pattern in Pattern::ALL {
                fs::write(to.join(pattern.name), pattern.text_of_len(bytes))?;
            }
        }
        Job::Hostile { bytes, rounds, only } => {
            hostile::report(&places, bytes, rounds, only.as_deref(), &mut out)?;
        }
        Job::Densities { paths } => write_densities(&paths, &mut out)?,
        Job::Compare { names, rounds, size, file, bless, record, piped, definitions: folder } => {
            let definitions = Definition::load(&folder, &names)?;
            let bless = bless.then_some(folder);
            let results = compare::compare(
                &definitions,
                &places,
                &Options { rounds, size, files: file, piped, bless },
                &mut out,
            )?;
            if let Some(path) = record {
                fs::write(path, toml::to_string(&results)?)?;
            }
        }
        Job::Golden => write!(out, "{}", toml::to_string(&golden::digests())?)?,
        Job::Plot { record, haystacks } => {
            let record = toml::from_str(&fs::read_to_string(record)?)?;
            write!(out, "{}", plot::to_svg(&record, &haystacks))?;
        }
        Job::Stages { files, rounds } => {
            // The data is larger than the CPU caches, so it is read from memory each time.
            for (name, kind, size) in [
                ("mail, from memory", Kind::Mail, 240_000_000),
                ("news, from memory", Kind::News, 240_000_000),
                ("mail", Kind::Mail, 20_000_000),
                ("news", Kind::News, 20_000_000),
                ("html", Kind::Html, 20_000_000),
                ("dense", Kind::Dense, 20_000_000),
            ] {
                if files.is_empty() {
                    stages::report(
                        name,
                        &haystack::data_in_memory(kind, 1, size),
                        rounds,
                        &mut out,
                    )?;
                    out.flush()?;
                }
            }
            if files.is_empty() {
                decoders::report(rounds, &mut out)?;
            }
            for file in files {
                stages::report(&file.display().to_string(), &fs::read(&file)?, rounds, &mut out)?;
            }
        }
        Job::Instructions { whole, file, .. } if !file.is_empty() => {
            instructions::report_on_files(&places, whole, &file, &mut out)?;
        }
        Job::Instructions { whole, only, ceilings, .. } => {
            let ceilings = ceilings.as_deref().map(Ceilings::load).transpose()?;
            if instructions::has_valgrind() {
                let only = only.as_deref();
                instructions::report(&places, whole, only, ceilings.as_ref(), &mut out)?;
            } else {
                writeln!(out, "skipped: valgrind is not installed")?;
            }
        }
        Job::Growth { random: Some(count), seed, .. } if instructions::has_valgrind() => {
            random_growth::report(&places, count, seed, &mut out)?;
        }
        Job::Growth { only, whole, .. } if instructions::has_valgrind() => {
            growth::report(&places, only.as_deref(), whole, &mut out)?;
        }
        Job::Growth { .. } => {
            writeln!(out, "skipped: valgrind is not installed")?;
        }
        Job::Memory { bytes, only } => memory::report(&places, bytes, only.as_deref(), &mut out)?,
        Job::Drive { tool, file } => run_tool(tool, &file, &mut out)?,
    }
    out.flush()?;
    Ok(())
}

fn run_tool(tool: Tool, file: &Path, out: &mut impl Write) -> Result<()> {
    let text = FileBuffer::open(file).with_context(|| file.display().to_string())?;
    match tool {
        Tool::Linkify => drop(peers::find_by_linkify(&text, out)?),
        Tool::RegexComparable => drop(peers::find_by_regex(peers::COMPARABLE, &text, out)?),
        Tool::RegexHabit => drop(peers::find_by_regex(peers::QUICK_PATTERN, &text, out)?),
        Tool::Scan => writeln!(out, "{}", Scanner::builder().build().find_iter(&text).count())?,
        Tool::Judge => {
            let scanner = Scanner::builder().build();
            let valid = |url: &[u8]| parse_reference(url, Profile::Web).is_ok();
            writeln!(
                out,
                "{}",
                scanner.find_iter(&text).filter(|found| valid(&found.url())).count()
            )?;
        }
        Tool::Finds => {
            for found in Scanner::builder().build().find_iter(&text) {
                let (whole, span) = (found.span_with_wrapper(), found.span());
                write!(out, "{}+{} {}+{} ", whole.start, whole.len(), span.start, span.len())?;
                write!(out, "{} {} ", found.form().name(), found.quote_depth())?;
                for seam in found.seams() {
                    let grade = seam.grade.name();
                    write!(out, "[{}+{} {} ", seam.gap.start, seam.gap.len(), seam.kind.name())?;
                    write!(out, "{grade} {}] ", seam.hyphen)?;
                }
                writeln!(out, "{}", found.url().escape_ascii())?;
            }
        }
        Tool::Read => writeln!(out, "{}", memchr::memchr_iter(b':', &text).count())?,
    }
    Ok(())
}

fn write_densities(paths: &[PathBuf], out: &mut impl Write) -> Result<()> {
    writeln!(
        out,
        "| text | B/line | B/`:` | B/`://` | B/URL | B of a URL | B/`<URL:` | quoted lines | beyond ASCII |"
    )?;
    writeln!(out, "|---|---|---|---|---|---|---|---|---|")?;
    for path in paths {
        let mut density = Density::default();
        count_path(path, &mut density)?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        writeln!(out, "| {name} | {density} |")?;
    }
    Ok(())
}

fn count_path(path: &Path, density: &mut Density) -> Result<()> {
    if path.is_dir() {
        for entry in fs::read_dir(path)? {
            count_path(&entry?.path(), density)?;
        }
    } else {
        density.add(&fs::read(path).with_context(|| path.display().to_string())?);
    }
    Ok(())
}
