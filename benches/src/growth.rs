//! What twice as much hostile input costs: instructions of the whole command, `scan` and `lint`, at two sizes.

use crate::compare::Places;
use crate::instructions::count_of;
use anyhow::{Result, bail};
use std::fmt::Write as _;
use std::fs;
use std::io::Write;

/// The size of the lesser input in bytes.
const SIZE: usize = 24 << 10;

/// The most that twice the input may cost; 2 is linear.
const MOST: f64 = 2.3;

/// A family of inputs.
pub(crate) struct Family {
    pub(crate) name: &'static str,
    /// The file's name, by which it is read.
    pub(crate) file: &'static str,
    head: &'static str,
    /// What is repeated.
    piece: &'static str,
    foot: &'static str,
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
    Family { name, file, head, piece, foot }
}

pub(crate) const FAMILIES: &[Family] = &[
    family("text-line", "a.txt", "", URL, "\n"),
    family("text-lines", "a.txt", "", "http://h/abc\n", ""),
    family("text-brackets", "a.txt", "", "<http://a\n> ", ""),
    family("text-quotes", "a.txt", "'http://h/", "a'", "\n"),
    family("text-hyphens", "a.txt", "http://h", ".-", "\n"),
    family("text-escapes", "a.txt", "http://h/", "a\\-", "\n"),
    family("text-escaped", "a.txt", "", "http://h/a\\-b ", "\n"),
    family("text-braces", "a.txt", "http://h/", "{a}", "\n"),
    family("text-commas", "a.txt", "", ",http://h/a,b;", "\n"),
    family("text-emphasis", "a.txt", "*see ", "http://h/a* ", "\n"),
    family("text-sentences", "a.txt", "http://h", "/に", "\n"),
    family("source", "a.py", "", "x \"\"\"a\"\"\" ", "\n"),
    family("markdown", "a.md", "", "[x](http://h/abc) ", "\n"),
    family("markdown-slips", "a.md", "", "[x](www.h.com/a) http:/www.h.dom/b ", "\n"),
    family(
        "markdown-targets",
        "a.md",
        "",
        "](https://h.dom/a (b)[https://h.dom/c] [d] (http://h) ",
        "\n",
    ),
    family("rst-targets", "a.rst", "", "`x<https://h.dom/a>`_ ", "\n"),
    family("mail-line", "a.eml", PLAIN, URL, "\n"),
    family("mail-lines", "a.eml", PLAIN, "http://h/abc\n", ""),
    family("mail-brackets", "a.eml", PLAIN, "<http://a\n> ", ""),
    family(
        "mbox",
        "a.mbox",
        "",
        "From a@h Thu Jan  1 00:00:00 1998\nFrom: a@h\n\nhttp://h/abc\n\n",
        "",
    ),
    family(
        "quoted-printable",
        "a.eml",
        "MIME-Version: 1.0\nContent-Transfer-Encoding: quoted-printable\n\n",
        "http://h/abc http://h/abc http://h/abc=20=\n",
        "\n",
    ),
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
    family("html-text", "a.eml", HTML, URL, "\n"),
    family("html-links", "a.eml", HTML, "<a href=\"http://h/abc\">x</a> ", "\n"),
    family("html-srcset", "a.eml", HTML, "http://h/abc 1x, ", "\">\n"),
    family("html-style", "a.eml", HTML, "a{b:url(http://h/abc)} ", "</style>\n"),
    family("html-references", "a.eml", HTML, "http&colon;//h/abc ", "\n"),
    family("json-escapes", "a.json", "{\"a\": \"", "http:\\/\\/h\\/a\\u0026\\n", "\"}\n"),
    family("json-lines", "a.json", "", "{\"a\": \"http:\\u002f/h/abc\"}\n", ""),
    family("xml-references", "a.xml", "<a>", "&amp;amp;http&#58;//h/abc ", "\n"),
    family("xml-ampersands", "a.xml", "<a>http://h/&", "amp;", "\n"),
    family("xml-lines", "a.xml", "", "<a>http://h/?a&amp;b\n  \n", ""),
    family("tex-commands", "a.tex", "", "http://h/\\~{}a\\_b%\n  ", "\n"),
    family("man-escapes", "a.1", ".TH A 1\n", "http://h/\\fIa\\-\\:b\\[", "\n"),
    family(
        "notebook",
        "a.ipynb",
        "{\"cells\":[{\"cell_type\":\"markdown\",\"source\":[",
        "\"http:\\/\\/h/abc\\n\",",
        "\"\"]}]}\n",
    ),
    family(
        "parts",
        "a.eml",
        "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=x\n\n",
        "--x\n\nhttp://h/abc\n",
        "--x--\n",
    ),
    family("uuencode", "a.eml", PLAIN, "begin 644 a\nhttp://h/abc\n", ""),
];

impl Family {
    pub(crate) fn text(&self, size: usize) -> String {
        let open = match self.name {
            "html-srcset" => "<img srcset=\"",
            "html-style" => "<style>",
            _ => "",
        };
        format!("{}{open}{}{}", self.head, self.piece.repeat(size / self.piece.len()), self.foot)
    }
}

/// Writes the table of all families, scanned and linted, which run side by side.
///
/// # Errors
///
/// valgrind fails; or a family grows faster than it may (after the table).
pub fn report(places: &Places, only: Option<&str>, out: &mut impl Write) -> Result<()> {
    writeln!(out, "| family | job | instructions | at twice the size |\n|---|---|---|---|")?;
    let lint = ["lint", "-j1"];
    let (scanned, linted) = std::thread::scope(|scope| {
        let linted = scope.spawn(|| rows(places, &lint, only));
        let scanned = rows(places, &["scan", "-j1", "--format", "jsonl"], only);
        (scanned, linted.join().unwrap_or_else(|_| bail!("a thread failed")))
    });
    let mut steep = 0;
    for table in [scanned, linted] {
        let (table, count) = table?;
        out.write_all(table.as_bytes())?;
        steep += count;
    }
    if steep > 0 {
        bail!("{steep} families cost more than {MOST} times as much at twice the size");
    }
    Ok(())
}

/// The rows of one job, and how many of its families grow faster than they may.
#[expect(clippy::cast_precision_loss, reason = "figures for readers")]
fn rows(places: &Places, job: &[&str], only: Option<&str>) -> Result<(String, usize)> {
    let data = places.data.join(format!("growth-{}", job[0]));
    fs::create_dir_all(&data)?;
    let empty = data.join("empty.txt");
    fs::write(&empty, b"")?;
    let nothing = count_of(places, job, &empty)?;
    let (mut table, mut steep) = (String::new(), 0);
    for family in FAMILIES.iter().filter(|f| only.is_none_or(|only| f.name.contains(only))) {
        let file = data.join(family.file);
        let mut costs = [0; 2];
        for (times, cost) in (1..).zip(&mut costs) {
            fs::write(&file, family.text(times * SIZE))?;
            *cost = count_of(places, job, &file)?.saturating_sub(nothing);
        }
        let factor = costs[1] as f64 / costs[0].max(1) as f64;
        steep += usize::from(factor > MOST);
        let mark = if factor > MOST { " **not linear**" } else { "" };
        writeln!(table, "| {} | {} | {} | x {factor:.2}{mark} |", family.name, job[0], costs[0])?;
    }
    fs::remove_dir_all(&data)?;
    Ok((table, steep))
}
