//! Measures how the cost grows when hostile input gets twice as long, in instructions of the whole
//! command.
//!
//! By default, most families of input are scanned, and only those that lint reads differently are
//! linted. Families that share a code path with another one are left out, so that the run takes
//! less than two minutes. Families selected by name are always scanned and linted. `--whole`
//! measures all families and all other hostile texts as plain text, mail and HTML, scanned and
//! linted.

use crate::compare::Places;
use crate::haystack::Pattern;
use crate::hostile::FORMS;
use crate::instructions::count_of_command;
use anyhow::{Result, bail};
use std::fmt::{self, Write as _};
use std::fs;
use std::io::Write;
use std::path::PathBuf;

/// The size in bytes of the smaller one of two inputs.
pub(crate) const SIZE: usize = 24 << 10;

/// The maximum ratio of the costs for twice the input. A ratio of 2 is linear.
pub(crate) const MAX_RATIO: f64 = 2.3;

/// A family of hostile inputs: texts of any size that repeat a piece.
pub(crate) struct Family {
    pub(crate) name: &'static str,
    /// The file name, which determines the format that it is read as.
    pub(crate) file: &'static str,
    head: &'static str,
    /// The piece that is repeated.
    piece: &'static str,
    foot: &'static str,
    made: Made,
    jobs: &'static [Job],
}

/// The file or archive that contains the repeated pieces.
#[derive(Clone, Copy)]
enum Made {
    /// Nothing: the pieces are the content of the file.
    Plain,
    /// The block of a single web archive record.
    Block,
    /// A web archive record for each piece, possibly compressed one by one.
    Records,
    PackedRecords,
    /// A web archive, after a complete record.
    AfterRecord,
    /// The compressed body of a single web archive record.
    PackedBody,
}

/// The commands to run on a family.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Job {
    Scan,
    /// `scan` with options that also find hosts, email addresses and defanged URLs.
    Names,
    Lint,
    Units,
}

impl Job {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Scan => "scan",
            Self::Names => "names",
            Self::Lint => "lint",
            Self::Units => "units",
        }
    }

    pub(crate) const fn words(self) -> &'static [&'static str] {
        match self {
            Self::Scan => &["scan", "-j1", "--format", "jsonl"],
            Self::Names => {
                &["scan", "-j1", "--format", "jsonl", "--form=+schemeless,email,host", "--refang"]
            }
            Self::Lint => &["lint", "-j1"],
            Self::Units => &["units", "--size", "256"],
        }
    }
}

const PLAIN: &str = "From: a@h.dom\n\n";
const HTML: &str = "From: a@h.dom\nMIME-Version: 1.0\nContent-Type: text/html\n\n";
const URL: &str = "http://h/abc ";

const fn family(
    name: &'static str,
    file: &'static str,
    head: &'static str,
    piece: &'static str,
    foot: &'static str,
) -> Family {
    Family { name, file, head, piece, foot, made: Made::Plain, jobs: &[Job::Scan] }
}

impl Family {
    /// Marks the family as one to scan and lint.
    const fn with_lint(self) -> Self {
        Self { jobs: &[Job::Scan, Job::Lint], ..self }
    }

    /// Marks the family as one that is only measured with `--whole`.
    const fn of_whole(self) -> Self {
        Self { jobs: &[], ..self }
    }

    /// Marks the family as one to lint and not to scan.
    const fn of_lint(self) -> Self {
        Self { jobs: &[Job::Lint], ..self }
    }
}

/// Creates a family of web archives. If the archive is compressed, `name` has two extensions.
const fn web(name: &'static str, head: &'static str, piece: &'static str, made: Made) -> Family {
    let file = if matches!(made, Made::PackedRecords) { "a.warc.gz" } else { "a.warc" };
    Family { made, ..family(name, file, head, piece, "") }
}

/// The HTTP header of an HTML page.
const PAGE: &str = "HTTP/1.1 200 OK\nContent-Type: text/html\n\n";

pub(crate) const FAMILIES: &[Family] = &[
    // Each escape gets an edit. The lint rules must not search the text again for each of them.
    family("escapes", "a.txt", "http://a.b/", "%2", "\n").of_lint(),
    family("tildes", "a.txt", "http://a.b/", "~%", "\n").of_lint(),
    family("text-line", "a.txt", "", URL, "\n").with_lint(),
    family("text-lines", "a.txt", "", "http://h/abc\n", "").of_whole(),
    family("text-brackets", "a.txt", "", "<http://a\n> ", ""),
    family("text-quotes", "a.txt", "'http://h/", "a'", "\n"),
    family("text-hyphens", "a.txt", "http://h", ".-", "\n"),
    family("text-escapes", "a.txt", "http://h/", "a\\-", "\n"),
    family("text-escaped", "a.txt", "", "http://h/a\\-b ", "\n").of_whole(),
    family("text-braces", "a.txt", "http://h/", "{a}", "\n").with_lint(),
    family("text-news", "a.txt", "", "news:(", "\n"),
    Family { jobs: &[Job::Names], ..family("text-names", "a.txt", "", "ä,h.dom/", "\n") },
    family("text-logins", "a.txt", "ftp://", "a:b@", "h.dom/\n").of_lint(),
    family("text-passwords", "a.txt", "", "ftp://u:p@&amp;", "\n").of_lint(),
    family("text-rewritten", "a.txt", "http://u:p@h/", "urldefense.com/v2/url?u=a", "\n").of_lint(),
    family("text-at-words", "a.txt", "http://u:p", " at h.dom", "\n").of_lint(),
    family("text-tokens", "a.txt", "http://h.dom/", "?token=a", "\n").of_lint(),
    family("text-commas", "a.txt", "", ",http://h/a,b;", "\n"),
    family("text-emphasis", "a.txt", "*see ", "http://h/a* ", "\n"),
    family("text-sentences", "a.txt", "http://h", "/に", "\n"),
    family("source", "a.py", "", "x \"\"\"a\"\"\" ", "\n").of_lint(),
    family("text-ignores", "a.txt", "", "urlsift: ignore[port.char] http:/h.dom/ ", "\n").of_lint(),
    family("markdown", "a.md", "", "[x](http://h/abc) ", "\n").of_lint(),
    family("markdown-slips", "a.md", "", "[x](www.h.com/a) http:/www.h.dom/b ", "\n").of_lint(),
    family("markdown-braces", "a.md", "[x](http://h.dom/", "{a}[b]", ")\n").of_lint(),
    family(
        "markdown-targets",
        "a.md",
        "",
        "](https://h.dom/a (b)[https://h.dom/c] [d] (http://h) ",
        "\n",
    )
    .of_lint(),
    family("rst-targets", "a.rst", "", "`x<https://h.dom/a>`_ ", "\n").of_lint(),
    family("mail-line", "a.eml", PLAIN, URL, "\n"),
    family("mail-lines", "a.eml", PLAIN, "http://h/abc\n", "").with_lint(),
    family("mail-brackets", "a.eml", PLAIN, "<http://a\n> ", "").of_whole(),
    Family {
        jobs: &[Job::Scan, Job::Units],
        ..family(
            "mbox",
            "a.mbox",
            "",
            "From a@h Thu Jan  1 00:00:00 1998\nFrom: a@h\n\nhttp://h/abc\n\n",
            "",
        )
    },
    family(
        "quoted-printable",
        "a.eml",
        "MIME-Version: 1.0\nContent-Transfer-Encoding: quoted-printable\n\n",
        "http://h/abc http://h/abc http://h/abc=20=\n",
        "\n",
    )
    .with_lint(),
    family(
        "base64",
        "a.eml",
        "MIME-Version: 1.0\nContent-Transfer-Encoding: base64\n\n",
        "aHR0cDovL2gvYWJjIGh0dHA6Ly9oL2FiYyBodHRwOi8vaC9hYmMg\n",
        "",
    ),
    family(
        "iso-2022-jp",
        "a.eml",
        "MIME-Version: 1.0\nContent-Type: text/plain; charset=iso-2022-jp\n\n",
        "http://h/abc \x1b$B$\"\x1b(B ",
        "\n",
    ),
    family(
        "hz",
        "a.eml",
        "MIME-Version: 1.0\nContent-Type: text/plain; charset=hz-gb-2312\n\n",
        "http://h/abc ~{<:~} ",
        "\n",
    ),
    family(
        "big5",
        "a.eml",
        "MIME-Version: 1.0\nContent-Type: text/plain; charset=big5\n\n",
        URL,
        "\n",
    ),
    family("subject", "a.eml", "Subject: x", "\n =?utf-8?q?http://h/abc_?=", "\n\nx\n"),
    family("html-text", "a.eml", HTML, URL, "\n").of_whole(),
    family("html-links", "a.eml", HTML, "<a href=\"http://h/abc\">x</a> ", "\n").with_lint(),
    family("html-srcset", "a.eml", HTML, "http://h/abc 1x, ", "\">\n"),
    family("html-style", "a.eml", HTML, "a{b:url(http://h/abc)} ", "</style>\n").with_lint(),
    family("html-references", "a.eml", HTML, "http&colon;//h/abc ", "\n"),
    family("json-escapes", "a.json", "{\"a\": \"", "http:\\/\\/h\\/a\\u0026\\n", "\"}\n")
        .with_lint(),
    family("json-lines", "a.json", "", "{\"a\": \"http:\\u002f/h/abc\"}\n", "").of_whole(),
    family("xml-references", "a.xml", "<a>", "&amp;amp;http&#58;//h/abc ", "\n"),
    family("xml-ampersands", "a.xml", "<a>http://h/&", "amp;", "\n"),
    family("xml-lines", "a.xml", "", "<a>http://h/?a&amp;b\n  \n", "").of_whole(),
    family("tex-commands", "a.tex", "", "http://h/\\~{}a\\_b%\n  ", "\n"),
    family("man-escapes", "a.1", ".TH A 1\n", "http://h/\\fIa\\-\\:b\\[", "\n"),
    family(
        "notebook",
        "a.ipynb",
        "{\"cells\":[{\"cell_type\":\"markdown\",\"source\":[",
        "\"http:\\/\\/h/abc\\n\",",
        "\"\"]}]}\n",
    )
    .with_lint(),
    family(
        "parts",
        "a.eml",
        "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=x\n\n",
        "--x\n\nhttp://h/abc\n",
        "--x--\n",
    ),
    family("uuencode", "a.eml", PLAIN, "begin 644 a\nhttp://h/abc\n", ""),
    web("warc-page", PAGE, "<a href=\"http://h/abc\">x</a> ", Made::Block),
    Family {
        jobs: &[Job::Scan, Job::Units],
        ..web("warc-records", PAGE, "<a href=\"http://h/abc\">x</a>", Made::Records)
    },
    web("warc-packed", PAGE, "http://h/abc", Made::PackedRecords),
    web("warc-body", "HTTP/1.1 200 OK\nContent-Encoding: gzip\n\n", URL, Made::PackedBody),
    web(
        "warc-chunks",
        "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n",
        "1\nh\n1\nt\n1\nt\n1\np\n1\n:\n1\n/\n1\n/\n1\na\n1\n \n",
        Made::Block,
    ),
    web("warc-headers", "", "WARC/1.0\nA: http://h/abc\n", Made::AfterRecord),
    web(
        "warc-lengths",
        "",
        "WARC/1.0\nContent-Length: 99999999\n\nHTTP/1.1 200 OK\n\nhttp://h/abc\n",
        Made::AfterRecord,
    ),
    web(
        "wet-records",
        "",
        "WARC/1.0\nWARC-Type: conversion\nContent-Length: 14\n\nhttp://h/abc\n\n\n\n",
        Made::AfterRecord,
    ),
    family(
        "arc-records",
        "a.arc",
        "filedesc://a.arc 0.0.0.0 20010102030405 text/plain 2\na\n\n",
        "http://h/ 192.0.2.1 20010102030405 text/html 33\nHTTP/1.0 200 OK\n\nhttp://h/abc \n\n\n\n",
        "",
    ),
];

/// Returns a web archive record with this block.
fn web_record(block: &[u8]) -> Vec<u8> {
    let len = block.len();
    let head = format!("WARC/1.0\nWARC-Type: response\nContent-Length: {len}\n\n");
    [head.as_bytes(), block, b"\n\n"].concat()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    // Writing to memory can't fail.
    let _ = out.write_all(bytes);
    out.finish().unwrap_or_default()
}

impl Family {
    /// Returns a text of the family of about `size` bytes.
    pub(crate) fn text_of_size(&self, size: usize) -> Vec<u8> {
        let open = match self.name {
            "html-srcset" => "<img srcset=\"",
            "html-style" => "<style>",
            _ => "",
        };
        let Self { head, piece, foot, .. } = self;
        let repeated = piece.repeat(size / piece.len());
        let text = || format!("{head}{open}{repeated}{foot}").into_bytes();
        let one = web_record(format!("{head}{piece}").as_bytes());
        let times = size / one.len();
        match self.made {
            Made::Plain => text(),
            Made::Block => web_record(&text()),
            Made::Records => one.repeat(times),
            Made::PackedRecords => gzip(&one).repeat(times),
            Made::AfterRecord => [one, text()].concat(),
            Made::PackedBody => web_record(&[head.as_bytes(), &gzip(repeated.as_bytes())].concat()),
        }
    }

    /// True if `job` is run on this family. `is_chosen` is true if the user selected the family by
    /// name.
    fn runs_job(&self, job: Job, is_chosen: bool) -> bool {
        self.jobs.contains(&job) || (is_chosen && job != Job::Units)
    }
}

/// Writes a table of all families or, if `whole` is true, of all combinations. Scanning and linting
/// run in parallel. If `only` is given, only families whose names contain it are measured.
///
/// # Errors
///
/// Returns an error if valgrind fails. Also fails, after the table is written, if the cost of a
/// family grows too fast.
pub fn report(
    places: &Places,
    only: Option<&str>,
    whole: bool,
    out: &mut impl Write,
) -> Result<()> {
    writeln!(out, "| family | job | instructions | at twice the size |\n|---|---|---|---|")?;
    let tables = std::thread::scope(|scope| {
        let others = scope.spawn(|| {
            [Job::Names, Job::Lint, Job::Units].map(|job| rows_of_job(places, job, only, whole))
        });
        let scanned = rows_of_job(places, Job::Scan, only, whole);
        let failed = || bail!("a thread failed");
        let others = others.join().unwrap_or_else(|_| std::array::from_fn(|_| failed()));
        std::iter::once(scanned).chain(others)
    });
    let mut steep = 0;
    for table in tables {
        let (table, count) = table?;
        out.write_all(table.as_bytes())?;
        steep += count;
    }
    if steep > 0 {
        bail!("{steep} families cost more than {MAX_RATIO} times as much at twice the size");
    }
    Ok(())
}

/// Returns the table rows of one job, and the number of families whose cost grows too fast.
fn rows_of_job(
    places: &Places,
    job: Job,
    only: Option<&str>,
    whole: bool,
) -> Result<(String, usize)> {
    let is_named = |name: &str| only.is_none_or(|only| name.contains(only));
    let families = FAMILIES
        .iter()
        .filter(|family| family.runs_job(job, whole || only.is_some()) && is_named(family.name))
        .map(|family| {
            let text = Box::new(|size| family.text_of_size(size)) as Box<dyn Fn(usize) -> Vec<u8>>;
            (family.name, family.file, text)
        });
    let forms = if whole && matches!(job, Job::Scan | Job::Lint) { &FORMS[..] } else { &[] };
    let patterns = forms.iter().flat_map(|(file, head, _)| {
        Pattern::ALL.iter().filter(|pattern| is_named(pattern.name)).map(move |pattern| {
            let text = move |size| [head.as_bytes(), &pattern.text_of_len(size)].concat();
            (pattern.name, *file, Box::new(text) as Box<dyn Fn(usize) -> Vec<u8>>)
        })
    });
    let at = Bench::new(places, job, job.name())?;
    let (mut table, mut steep) = (String::new(), 0);
    for (name, file_name, text) in families.chain(patterns) {
        let growth = at.measure_growth(file_name, text)?;
        steep += usize::from(growth.is_steep());
        writeln!(table, "| {name} {file_name} | {} | {growth} |", job.name())?;
    }
    Ok((table, steep))
}

/// The cost of a text, and how it grows.
pub(crate) struct Growth {
    instructions: u64,
    /// The number of instructions for a text of twice the size, divided by that for the text.
    factor: f64,
}

impl Growth {
    pub(crate) fn is_steep(&self) -> bool {
        self.factor > MAX_RATIO
    }
}

impl fmt::Display for Growth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = if self.is_steep() { " **not linear**" } else { "" };
        write!(f, "{} | x {:.2}{mark}", self.instructions, self.factor)
    }
}

/// Measures one job: keeps its directory and the cost of an empty file.
pub(crate) struct Bench<'p> {
    places: &'p Places,
    pub(crate) job: Job,
    data: PathBuf,
    /// The number of instructions of the job on an empty file.
    nothing: u64,
}

impl<'p> Bench<'p> {
    /// Prepares the measurement of a job. `name` must be unique, because it is the name of the
    /// directory.
    pub(crate) fn new(places: &'p Places, job: Job, name: &str) -> Result<Self> {
        let data = places.data.join(format!("growth-{name}"));
        fs::create_dir_all(&data)?;
        let empty = data.join("empty.txt");
        fs::write(&empty, b"")?;
        let nothing = count_of_command(places, job.words(), &empty)?;
        Ok(Self { places, job, data, nothing })
    }

    /// Measures the cost of the job on a text of [`SIZE`] bytes and on one of twice that size.
    #[expect(clippy::cast_precision_loss, reason = "a figure for readers")]
    pub(crate) fn measure_growth(
        &self,
        name: &str,
        text: impl Fn(usize) -> Vec<u8>,
    ) -> Result<Growth> {
        let file = self.data.join(name);
        let mut costs = [0; 2];
        for (times, cost) in (1..).zip(&mut costs) {
            fs::write(&file, text(times * SIZE))?;
            *cost = count_of_command(self.places, self.job.words(), &file)?
                .saturating_sub(self.nothing);
        }
        let factor = costs[1] as f64 / costs[0].max(1) as f64;
        Ok(Growth { instructions: costs[0], factor })
    }
}

impl Drop for Bench<'_> {
    fn drop(&mut self) {
        // Leftover files do no harm.
        let _ = fs::remove_dir_all(&self.data);
    }
}
