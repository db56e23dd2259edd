//! Measures the growth of the cost on random texts. Each text repeats a few random pieces. The
//! instructions for the slowest texts are counted at two sizes.

use crate::compare::Places;
use crate::growth::{Bench, Job, MAX_RATIO, SIZE};
use crate::random::Random;
use anyhow::{Context as _, Result, bail};
use std::fmt;
use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// The number of the slowest texts whose instructions are counted.
const COUNTED: usize = 24;

/// The file names, which determine the format that a file is read as, and the text at the start of
/// each.
const FILES: [(&str, &str); 11] = [
    ("a.txt", ""),
    ("a.md", ""),
    ("a.rst", ""),
    ("a.html", ""),
    ("a.xml", "<a>"),
    ("a.json", "{\"a\": \""),
    ("a.tex", ""),
    ("a.1", ".TH A 1\n"),
    ("a.py", ""),
    ("a.eml", "From: a@h.dom\nSubject: x\n\n"),
    ("b.eml", "MIME-Version: 1.0\nContent-Transfer-Encoding: quoted-printable\n\n"),
];

/// Starts of URLs and of text that looks like one, separated by spaces.
const STARTS: &str = "mailto: news: URL:news: URL: tel: ldap:// http:// http:/ http: www. ftp. htp:// foo:// a@b.c ftp://u:p@ \
    <URL: <http: <news: cid: urn: doi: x: data: javascript: mailto:a@b.c news:a.b: news:a@b file:/// telnet:// gopher: \
    http&colon;// h.com:/ a/u@h.com:/ hxxp:// %68ttp:// // [x]( src=\" ]( wais://a http://h.dom/a ftp://u:p@h/ www.h.com/a";
/// Characters in and around URLs, separated by spaces.
const MARKS: &str = "( ) ' ` \" [ ] { } | ^ . , ; - -- * _ & &amp; &lt; &gt; &quot; &#40; %20 %28 \\ = =3D # ? @ @a : :// a \
    \u{e4} \u{306b} < > () (a [a] [::1] //[::1] s 's \x1b \0 % user pw@ 8080 :80/ h.dom/ <a href=\" \"> </a> `` [1]: \
    \\url{ =?utf-8?q?http://h/?= \x1b$B ~{";
/// Line breaks and other layout, and words with spaces.
const LAYOUT: [&str; 9] =
    [" ", "\t", "\n", "\r\n", "\n> ", "\n  ", "-\n", " see ", "urlsift: ignore "];
/// The possible ends of a text.
const ENDS: [&str; 5] =
    ["\n", "-\nabc.html\n", "/\n  abc/def.html\n", "\\\nabc\n", "=\nabc.html\n"];

/// A text to generate, and the command to run on it.
struct Case {
    job: Job,
    file: &'static str,
    head: String,
    unit: String,
    foot: &'static str,
}

impl Case {
    /// Creates the case with this number. It is the same on every machine.
    fn new(seed: u64, number: u64, pieces: &[&'static str]) -> Self {
        let mut random = Random::new(seed.wrapping_mul(0x9E37_79B9).wrapping_add(number << 32));
        let mut some = |least, most| {
            let count = random.number_between(least, most);
            (0..count).map(|_| random.pick(pieces)).collect::<String>()
        };
        let (before, unit) = (some(0, 3), some(2, 6));
        let &(file, head) = random.pick(&FILES.each_ref());
        let &job = random.pick(&[&Job::Scan, &Job::Names, &Job::Lint]);
        Self { job, file, head: format!("{head}{before}"), unit, foot: random.pick(&ENDS) }
    }

    fn text(&self, size: usize) -> Vec<u8> {
        let Self { head, unit, foot, .. } = self;
        [head, &*unit.repeat(size / unit.len()), foot].concat().into_bytes()
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, head, unit, foot, .. } = self;
        write!(f, "{file} {head:?} {unit:?}.. {foot:?}")
    }
}

/// Generates `count` texts, and writes a table of the slowest.
///
/// # Errors
///
/// Returns an error if the command is killed by a signal or fails unexpectedly, or if one of the
/// counted texts grows too fast (after the table).
pub fn report(places: &Places, count: u64, seed: u64, out: &mut impl Write) -> Result<()> {
    let pieces: Vec<_> =
        STARTS.split_whitespace().chain(MARKS.split_whitespace()).chain(LAYOUT).collect();
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let slowest = thread::scope(|scope| {
        let pieces = &pieces[..];
        let parts: Vec<_> = (0_u64..)
            .take(threads)
            .map(|first| {
                let numbers = (first..count).step_by(threads);
                scope.spawn(move || slowest(places, first, numbers, seed, pieces))
            })
            .collect();
        let mut all = Vec::new();
        for part in parts {
            all.extend(part.join().ok().context("a thread failed")??);
        }
        Ok::<_, anyhow::Error>(all)
    })?;
    writeln!(out, "| text | job | ms for twice the size | instructions | at twice the size |")?;
    writeln!(out, "|---|---|---|---|---|")?;
    let mut steep = 0;
    let mut benches: Vec<Bench<'_>> = Vec::new();
    for (time, case) in keep_longest(slowest) {
        let job = case.job;
        let known = benches.iter().position(|bench| bench.job == job);
        let known = if let Some(known) = known {
            known
        } else {
            benches.push(Bench::new(places, job, &format!("random-{}", job.name()))?);
            benches.len() - 1
        };
        let growth = benches[known].measure_growth(case.file, |size| case.text(size))?;
        steep += usize::from(growth.is_steep());
        writeln!(out, "| {case} | {} | {} | {growth} |", job.name(), time.as_millis())?;
    }
    if steep > 0 {
        bail!("{steep} texts cost more than {MAX_RATIO} times as much at twice the size");
    }
    Ok(())
}

/// Returns the slowest of the texts with these numbers.
fn slowest(
    places: &Places,
    thread: u64,
    numbers: impl Iterator<Item = u64>,
    seed: u64,
    pieces: &[&'static str],
) -> Result<Vec<(Duration, Case)>> {
    let data = places.data.join(format!("growth-random-{thread}"));
    fs::create_dir_all(&data)?;
    let mut slowest = Vec::new();
    for number in numbers {
        let case = Case::new(seed, number, pieces);
        let file = data.join(case.file);
        fs::write(&file, case.text(2 * SIZE))?;
        let start = Instant::now();
        let mut command = Command::new(&places.urlsift);
        command.args(case.job.words()).arg(&file).stdout(Stdio::null()).stderr(Stdio::null());
        let status = command.status().context("urlsift")?;
        let time = start.elapsed();
        if !matches!(status.code(), Some(0 | 1)) {
            bail!("{status} for {case}, {}", case.job.name());
        }
        fs::remove_file(&file)?;
        slowest.push((time, case));
        if slowest.len() > 4 * COUNTED {
            slowest = keep_longest(slowest);
        }
    }
    fs::remove_dir_all(&data)?;
    Ok(slowest)
}

fn keep_longest(mut cases: Vec<(Duration, Case)>) -> Vec<(Duration, Case)> {
    cases.sort_by_key(|(time, _)| std::cmp::Reverse(*time));
    cases.truncate(COUNTED);
    cases
}
