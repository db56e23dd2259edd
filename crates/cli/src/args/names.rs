//! Values of the libraries by their names on the command line: one row each.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use urlsift_archive::{Encoding, Headers, Notation, Reading, WebRecords};

use urlsift_core::{Level, Profile, Scheme};
use urlsift_lint::similar;
use urlsift_records::fields::{self, Kind};
use urlsift_records::table::{self, Table};
use urlsift_records::{Malformed, With};
use urlsift_scanner::{Form, Rejoin};

/// A name, what it stands for, and what the help says of it.
type Row<T> = (&'static str, T, &'static str);

/// How to read the input.
pub(super) const INPUT: &[Row<Reading>] = &[
    (Reading::Auto.name(), Reading::Auto, "By what the file holds"),
    (Reading::Text.name(), Reading::Text, "As plain text"),
    (Reading::Mail.name(), Reading::Mail, "As mail or news"),
    (Reading::Html.name(), Reading::Html, "As HTML"),
    (Reading::Markdown.name(), Reading::Markdown, "As Markdown"),
    (Reading::Rst.name(), Reading::Rst, "As reStructuredText"),
    escaped(Notation::Json, "As JSON or JSON Lines"),
    escaped(Notation::Xml, "As XML, a feed for example"),
    escaped(Notation::Tex, "As TeX or BibTeX"),
    escaped(Notation::Man, "As a manual page, in roff"),
    escaped(Notation::Jupyter, "As a Jupyter notebook"),
    (Reading::Binary.name(), Reading::Binary, "As bytes with texts among them, in UTF-16, too"),
];

const fn escaped(notation: Notation, help: &'static str) -> Row<Reading> {
    let reading = Reading::Escaped(notation);
    (reading.name(), reading, help)
}

/// The rules to judge by.
pub(super) const PROFILES: &[Row<Profile>] = &[
    (Profile::Rfc1738.name(), Profile::Rfc1738, "RFC 1738, to the letter"),
    (Profile::Cern1994.name(), Profile::Cern1994, "The draft that came before it"),
    (Profile::Rfc3986.name(), Profile::Rfc3986, "RFC 3986, with the documents of today's schemes"),
    (Profile::Web.name(), Profile::Web, "What works in practice"),
];

/// What to do with candidates that have the shape of a URL and are not valid in the profile.
pub(super) const MALFORMED: &[Row<Malformed>] = &[
    (Malformed::Skip.name(), Malformed::Skip, "Leave them out"),
    (Malformed::Include.name(), Malformed::Include, "Report them too"),
    (Malformed::Only.name(), Malformed::Only, "Report nothing else"),
];

/// Which header fields of messages to scan.
pub(super) const HEADERS: &[Row<Headers>] = &[
    (Headers::None.name(), Headers::None, "None"),
    (
        Headers::Urls.name(),
        Headers::Urls,
        "Those that hold URLs by their nature: List-*, Archived-At, X-URL, Content-Location",
    ),
    (Headers::All.name(), Headers::All, "All"),
];

/// Which records of web archives to read.
pub(super) const WEB_RECORDS: &[Row<WebRecords>] = &[
    (
        WebRecords::Pages.name(),
        WebRecords::Pages,
        "What servers answered (response), and texts made of that (conversion)",
    ),
    (
        WebRecords::All.name(),
        WebRecords::All,
        "Also resource, request, metadata, warcinfo and revisit",
    ),
];

/// How far bare URLs are followed over line breaks.
pub(super) const REJOIN: &[Row<Rejoin>] = &[
    (Rejoin::Off.name(), Rejoin::Off, "Never (a wrapper's breaks are always joined)"),
    (Rejoin::Certain.name(), Rejoin::Certain, "Where the format or the text itself says so"),
    (Rejoin::Likely.name(), Rejoin::Likely, "Also where the layout makes it the better reading"),
];

/// The forms, as records call them.
pub(super) const FORMS: &[Row<Form>] = &[
    (Form::Wrapped.name(), Form::Wrapped, "`<URL:...>`"),
    (Form::Bracketed.name(), Form::Bracketed, "`<scheme:...>`"),
    (Form::Prefixed.name(), Form::Prefixed, "`URL:scheme:...`"),
    (Form::Bare.name(), Form::Bare, "In running text"),
    (Form::Attribute.name(), Form::Attribute, "From markup or a header field"),
    (Form::Schemeless.name(), Form::Schemeless, "`www.host.dom/path` (also needs --schemeless)"),
    (Form::Locator.name(), Form::Locator, "`ftp.host.dom:/path` (also needs --locators)"),
    (Form::Relative.name(), Form::Relative, "Relative to its page (also needs --resolve)"),
    (Form::Email.name(), Form::Email, "`joe@host.dom` (also needs --emails)"),
    (Form::Host.name(), Form::Host, "`host.dom/path` (also needs --hosts)"),
];

/// What records hold only where it is asked for.
pub(super) const WITH: &[Row<With>] = &[
    (With::Domain.name(), With::Domain, "The domain that somebody registered"),
    (With::Tld.name(), With::Tld, "The last label of the host"),
    (With::Port.name(), With::Port, "The port as written"),
    (With::FromDomain.name(), With::FromDomain, "The domain of the sender's address"),
    (With::FromHash.name(), With::FromHash, "What tells senders apart without naming them"),
    (With::From.name(), With::From, "The From field"),
    (With::Subject.name(), With::Subject, "The subject"),
];

/// Levels of diagnostics.
pub(super) const LEVELS: &[Row<Level>] = &[
    (Level::Info.name(), Level::Info, "Worth knowing"),
    (Level::Warning.name(), Level::Warning, "Valid, but doubtful"),
    (Level::Error.name(), Level::Error, "Invalid"),
];

/// The tables, and the subcommands that print records with the kinds of records each prints.
pub(super) const SCHEMAS: &[Row<Described>] = &[
    table(0, "The table of URLs, as CSV, TSV and Parquet hold it"),
    table(1, "The table of messages, of Parquet"),
    table(2, "The table of files, of Parquet"),
    (
        "scan",
        Described::Records("urlsift scan --format jsonl", fields::SCAN),
        "URLs, errors and the summary",
    ),
    (
        "lint",
        Described::Records("urlsift lint --format jsonl", fields::LINT),
        "Diagnostics, errors and the summary",
    ),
    ("parse", Described::Records("urlsift parse --format jsonl", fields::PARSE), "Verdicts"),
    ("config", Described::Settings, "The file urlsift.toml"),
];

/// The table of that number.
const fn table(number: usize, help: &'static str) -> Row<Described> {
    let table = &table::ALL[number];
    (table.name, Described::Tables(std::slice::from_ref(table)), help)
}

/// What is said of a name that no scheme has.
pub(crate) const NO_SCHEME: &str =
    "is no scheme: letters, digits, `+`, `.` and `-`, a letter first";

/// For clap: the name of a scheme, also as it stands in URLs: `ftp`, `ftp:` or `ftp://`.
pub(super) fn scheme(name: &str) -> Result<String, String> {
    let bare = name.strip_suffix("://").or_else(|| name.strip_suffix(':')).unwrap_or(name);
    let wrong = || format!("`{name}` {NO_SCHEME}");
    Scheme::may_be_named(bare.as_bytes()).then(|| bare.to_owned()).ok_or_else(wrong)
}

/// For clap: a charset by one of its labels.
pub(super) fn encoding(label: &str) -> Result<Encoding, String> {
    Encoding::named(label).ok_or_else(|| match similar(label, Encoding::NAMES) {
        Some(name) => format!("no charset has that name; did you mean `{name}`?"),
        None => "no charset has that name, as latin1, koi8-r, shift_jis or utf-16le".to_owned(),
    })
}

/// What a schema describes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Described {
    /// Tables.
    Tables(&'static [Table]),
    /// The records of a subcommand: their title and kinds.
    Records(&'static str, &'static [Kind]),
    /// `urlsift.toml`.
    Settings,
}

/// For clap: one of the values of a table by its name.
pub(super) fn one_of<T: Copy + Send + Sync + 'static>(
    rows: &'static [Row<T>],
) -> impl TypedValueParser<Value = T> {
    let names = rows.iter().map(|&(name, _, help)| PossibleValue::new(name).help(help));
    PossibleValuesParser::new(names).try_map(move |given| {
        let row = rows.iter().find(|(name, ..)| *name == given);
        row.map(|&(_, value, _)| value).ok_or("there is no such value")
    })
}
