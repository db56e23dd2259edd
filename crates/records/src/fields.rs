//! The one definition of what records hold.
//!
//! Each field says its name, type, unit and base, and when it is null or absent. JSON Lines and the
//! [table](crate::table) of URLs are written from these, and the [`schema`](crate::schema) and the table of fields for people
//! are made of them. Fields may be added, none is renamed; readers accept new values of any
//! enumeration.

use crate::place::Place;
use urlsift_archive::{Container, DateSource, Layer};
use urlsift_core::{Level, Profile};
use urlsift_scanner::{Form, Grade, JoinKind};

/// A field of a record.
///
/// ```
/// use urlsift_records::fields::url;
/// assert_eq!((url::START.name, url::START.column), ("start", Some("start")));
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Field {
    /// Its name in JSON.
    pub name: &'static str,
    /// The start of its member in JSON: `,"name":`.
    pub(crate) key: &'static str,
    /// The same where a text follows: `,"name":"`.
    pub(crate) text_key: &'static str,
    /// The type of its value.
    pub value: Value,
    /// When it is there.
    pub presence: Presence,
    /// The column of the [table](crate::table) that holds it.
    pub column: Option<&'static str>,
    /// What it means.
    pub doc: &'static str,
}

/// The type of a field's value.
///
/// ```
/// use urlsift_records::fields::{Value, url};
/// assert!(matches!(url::VALID.value, Value::Boolean));
/// assert!(matches!(url::FORM.value, Value::Name(names) if names.contains(&"wrapped")));
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Value {
    /// A text. Where its bytes are not UTF-8 it comes lossy, with its bytes in base64 in a field of
    /// the same name with `_bytes` behind it.
    Text,
    /// A text that is always UTF-8.
    Utf8,
    /// A name out of these; more may be added.
    Name(&'static [&'static str]),
    /// A number that fits a signed 64-bit integer, and what it counts.
    Integer(&'static str),
    /// Yes or no.
    Boolean,
    /// A list of texts, with a list `_bytes` behind it where one of them is not UTF-8.
    Texts,
    /// A list of names.
    Names(&'static [&'static str]),
    /// An object of these fields.
    Object(&'static [Field]),
    /// A list of objects of these fields.
    Objects(&'static [Field]),
    /// An object whose fields depend on the scheme.
    Parts,
}

/// When a field is there.
///
/// ```
/// use urlsift_records::fields::{Presence, url};
/// assert!(matches!(url::URL.presence, Presence::Always));
/// assert!(matches!(url::HOST.presence, Presence::Null(_)));
/// assert!(matches!(url::TRUNCATED.presence, Presence::Only(_)));
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Presence {
    /// In every record, with a value.
    Always,
    /// In every record; null in that case.
    Null(&'static str),
    /// Only in that case.
    Only(&'static str),
}

/// A kind of record.
///
/// ```
/// use urlsift_records::fields::SCAN;
/// let url = SCAN.iter().find(|kind| kind.name == "url").unwrap();
/// assert!(url.fields.iter().any(|field| field.name == "start"));
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Kind {
    /// The value of its field `type`.
    pub name: &'static str,
    /// What it tells.
    pub doc: &'static str,
    /// Its fields in order, but for `type`, which comes first.
    pub fields: &'static [Field],
}

use Presence::{Always, Null, Only};
use Value::{Boolean, Integer, Name, Names, Object, Objects, Parts, Text, Texts, Utf8};

/// Defines a module of constants, one a field, and `ALL` of them in order.
macro_rules! fields {
    ($(#[$doc:meta])* $module:ident {
        $($id:ident $name:literal $([$column:literal])?: $value:expr, $presence:expr, $text:literal;)*
    }) => {
        $(#[$doc])*
        pub mod $module {
            #[allow(clippy::wildcard_imports, reason = "a table reads better without prefixes")]
            use crate::fields::*;
            $(
                #[doc = $text]
                pub const $id: Field = Field {
                    name: $name,
                    key: concat!(",\"", $name, "\":"),
                    text_key: concat!(",\"", $name, "\":\""),
                    value: $value,
                    presence: $presence,
                    column: fields!(@column $($column)?),
                    doc: $text,
                };
            )*
            /// All of them, in order.
            pub static ALL: &[Field] = &[$($id),*];
        }
    };
    (@column) => { None };
    (@column $column:literal) => { Some($column) };
}

/// The names of all variants of an enumeration, in its order.
macro_rules! names {
    ($of:ty) => {
        &{
            let mut names = [""; <$of>::ALL.len()];
            let mut index = 0;
            while index < names.len() {
                names[index] = <$of>::ALL[index].name();
                index += 1;
            }
            names
        }
    };
}

pub(crate) const FILE_OFFSET: &str = "bytes from 0 in the raw file; in compressed input, decompressed bytes; in an archive, within the member";
const URL_OFFSET: &str =
    "bytes from 0 within `url`, of relative links within `resolved` (`input` of `parse`)";
const FORMS: &[&str] = &[
    Form::Wrapped.name(),
    Form::Bracketed.name(),
    Form::Prefixed.name(),
    Form::Bare.name(),
    Form::Attribute.name(),
    Form::Schemeless.name(),
    Form::Locator.name(),
    Form::Relative.name(),
    Form::Email.name(),
    Form::Host.name(),
];
const PROFILES: &[&str] = names!(Profile);
const CONTAINERS: &[&str] = names!(Container);
const LEVELS: &[&str] = &[Level::Info.name(), Level::Warning.name()];
const LINT_LEVELS: &[&str] = names!(Level);
const JOIN_KINDS: &[&str] = names!(JoinKind);
const PLACES: &[&str] = names!(Place);
const DATE_SOURCES: &[&str] = names!(DateSource);
const GRADES: &[&str] = &[Grade::Certain.name(), Grade::Likely.name()];

fields! {
    /// A violation or a finding.
    report {
        CODE "code": Utf8, Always, "The stable name of what is wrong or worth a note.";
        LEVEL "level": Name(LEVELS), Only("in findings"), "How much it matters.";
        START "start": Integer(URL_OFFSET), Always, "Where it starts.";
        END "end": Integer(URL_OFFSET), Always, "Where it ends, one past its last byte.";
        RFC "rfc": Integer("number of a document"), Always, "The RFC that the rule comes from.";
        SECTION "section": Utf8, Always, "The section of that RFC.";
        MESSAGE "message": Utf8, Always, "The same for people.";
    }
}

fields! {
    /// Layout that was dropped from a URL.
    join {
        START "start": Integer(FILE_OFFSET), Always, "Where the dropped bytes start.";
        END "end": Integer(FILE_OFFSET), Always, "Where they end, one past the last.";
        KIND "kind": Name(JOIN_KINDS), Always, "On what evidence they were dropped.";
        GRADE "grade": Name(GRADES), Always, "How sure that is.";
    }
}

fields! {
    /// The message that a URL stands in.
    message {
        ID "id" ["message_id"]: Text, Null("there is none"), "The Message-ID with its angle brackets.";
        DATE "date" ["date"]: Utf8, Null("nothing that can be read tells it, or only years before 1971 or after 2099"), "When it was sent: RFC 3339, in UTC.";
        DATE_SOURCE "date_source" ["date_source"]: Name(DATE_SOURCES), Only("where there is a date"), "What tells `date`: the Date field, else the first of the others that can be read.";
        DATE_RAW "date_raw" ["date_raw"]: Text, Only("where there is a Date field that does not tell `date`"), "The Date field as it stands, unfolded.";
        NEWSGROUPS "newsgroups" ["newsgroups"]: Texts, Always, "The newsgroups it was posted to, in order.";
        LIST "list" ["list"]: Text, Only("where there is a List-Id"), "The identifier of its mailing list.";
        IN_REPLY_TO "in_reply_to" ["in_reply_to"]: Text, Only("in answers"), "The Message-ID that it answers, with its angle brackets: of In-Reply-To, else the last of References.";
        FROM_DOMAIN "from_domain" ["from_domain"]: Text, Only("with `--with from_domain`, where there is one"), "The domain of the sender's address.";
        FROM_HASH "from_hash" ["from_hash"]: Utf8, Only("with `--with from_hash`, where there is an address"), "What tells senders apart: the first 16 hexadecimal digits of the HMAC-SHA-256 of the address in lower case. The key is the file of `--hash-key`, else one that everybody knows: then whoever guesses an address can see that it is the one.";
        FROM "from" ["from"]: Text, Only("with `--with from`, where there is one"), "The From field, decoded.";
        SUBJECT "subject" ["subject"]: Text, Only("with `--with subject`, where there is one"), "The subject, decoded.";
        PART "part" ["part"]: Utf8, Always, "The number of the part that holds the URL, as IMAP counts; the header is `0`, that of a part `2.0`.";
        START "start" ["message_start"]: Integer(FILE_OFFSET), Always, "Where the message starts, its envelope line included.";
        END "end" ["message_end"]: Integer(FILE_OFFSET), Always, "Where it ends, one past its last byte.";
        CUT "cut": Names(&["id", "in_reply_to", "date_raw", "newsgroups", "list", "from_domain", "from", "subject"]), Only("where a field of the header is longer than 4,096 bytes"), "Which of these are not whole: a text is cut, and of newsgroups the last are left out.";
    }
}

fields! {
    /// The record of a web archive that a URL stands in.
    page {
        URI "uri" ["target_uri"]: Text, Null("the record does not tell"), "The page that was fetched.";
        DATE "date" ["page_date"]: Utf8, Null("nothing that can be read tells it"), "When it was fetched: RFC 3339, in UTC.";
        ID "id" ["page_id"]: Text, Null("the record has none, as in ARC"), "The identifier of the page's record in its archive, without angle brackets.";
        TYPE "type": Text, Always, "The type of the record: `response`, `conversion`; with `--web-records all` others.";
        CUT "cut": Names(&["body"]), Only("where only the start of the body was read"), "What is not whole: a packed body goes on behind the hundredfold of its length, or one that is packed or chunked behind the first 64 MiB of its record.";
    }
}

fields! {
    /// A URL: what `scan` finds.
    url {
        PATH "path" ["path"]: Text, Always, "The file as it was named or found; `-` is standard input.";
        MEMBER "member" ["member"]: Text, Only("in zip and tar archives"), "The member of the archive; several, joined by `!/`, where archives lie in archives.";
        URL "url" ["url"]: Text, Always, "The URL without layout. With `--mask-passwords`, passwords are `***`.";
        START "start" ["start"]: Integer(FILE_OFFSET), Always, "Where the URL starts, without wrapper or prefix.";
        END "end" ["end"]: Integer(FILE_OFFSET), Always, "Where it ends, one past its last byte; the breaks lie between.";
        LINE "line" ["line"]: Integer("lines from 1; a line ends at LF"), Always, "The line that it starts on.";
        COLUMN "column" ["column"]: Integer("bytes from 1"), Always, "Where on that line it starts.";
        FORM "form" ["form"]: Name(FORMS), Always, "How it stands in the text.";
        SCHEME "scheme" ["scheme"]: Utf8, Null("it has none"), "The scheme, in lower case.";
        HOST "host" ["host"]: Text, Null("it has none or is not valid"), "The host as written; an IP literal with its brackets.";
        FRAGMENT "fragment" ["fragment"]: Text, Null("it has none or is not valid"), "What stands behind the `#`.";
        PROFILE "profile" ["profile"]: Name(PROFILES), Always, "The rules it was judged by.";
        VALID "valid" ["valid"]: Boolean, Always, "Whether it keeps them: `violations` is empty.";
        VIOLATIONS "violations" ["violations"]: Objects(report::ALL), Always, "The rules it breaks, by place. In CSV, the codes between blanks.";
        FINDINGS "findings" ["findings"]: Objects(report::ALL), Always, "What else there is to say, by place. In CSV, the codes between blanks.";
        JOINS "joins" ["joins"]: Objects(join::ALL), Always, "The layout dropped from it, by place. In CSV, `start-end/kind/grade` between blanks.";
        READINGS "readings" ["readings"]: Texts, Always, "The ways to take hyphens at its line breaks, at most 16; the first is `url`, which CSV leaves out.";
        QUOTE_DEPTH "quote_depth" ["quote_depth"]: Integer("quote marks"), Always, "How deep in quoted mail its line is.";
        TRUNCATED "truncated" ["truncated"]: Boolean, Only("true where it was cut at 65,536 bytes"), "Whether it goes on in the file.";
        DECODED "decoded" ["decoded"]: Names(LAYERS), Only("where the raw bytes do not show it as it is"), "What must be undone in the raw bytes to see it, outermost first.";
        APPROXIMATE "approximate" ["approximate"]: Boolean, Only("true over base64 and converted charsets"), "Whether `start` and `end` only cover it, because raw bytes hold parts of several characters.";
        HTML "html" ["html"]: Utf8, Only("in attributes, scripts, styles and declarations of HTML"), "The element and attribute that held it, as `a/href`, or the element alone.";
        NORMALIZED "normalized" ["normalized"]: Text, Only("where it differs from `url`"), "The form to compare by: what means the same has the same form.";
        DOMAIN "domain" ["domain"]: Utf8, Only("with `--with domain`, where the host has one"), "The domain that somebody registered, by the Public Suffix List, in lower case: `example.co.uk` of `www.example.co.uk`.";
        TLD "tld" ["tld"]: Utf8, Only("with `--with tld`, where the host has one"), "The last label of the host, in lower case.";
        PORT "port" ["port"]: Integer("number of a port"), Only("with `--with port`, where one is written"), "The port as written; the scheme's own is not added.";
        TARGET "target" ["target"]: Text, Only("with `--unwrap`, where a gateway rewrote the link"), "Where the link led: `url` without what Outlook, Proofpoint, Barracuda, Google, Facebook or a proxy put around it.";
        RESOLVED "resolved" ["resolved"]: Text, Only("with `--resolve`, of relative links"), "The URL that the link means, by the page or part that it stands in. What is said of a URL is then said of this one.";
        PLACE "place" ["place"]: Name(PLACES), Always, "Where in its message or page it stands. A footer is what list software added, told by its own words.";
        HEADER_NAME "header_name" ["header_name"]: Text, Only("in header fields"), "The name of the field, as written.";
        MESSAGE "message": Object(message::ALL), Only("in mail and news"), "The innermost message around it.";
        PAGE "page": Object(page::ALL), Only("in web archives"), "The page around it, by its record in WARC, WET or ARC.";
        COUNT "count": Integer("occurrences"), Only("with `--unique=count`"), "How often it was found, compared by its normalised form.";
    }
}

/// The names of what is undone between raw bytes and text.
const LAYERS: &[&str] = names!(Layer);

fields! {
    /// Something went wrong with a file. It is also a line on standard error.
    error {
        PATH "path": Text, Always, "The file as it was named or found.";
        MEMBER "member": Text, Only("in zip and tar archives"), "The member of the archive.";
        MESSAGE "message": Text, Always, "What went wrong.";
        CODE "code": Name(ERRORS), Only("if others may have to act on it"), "The stable name of what went wrong.";
        START "start": Integer(FILE_OFFSET), Only("with `--units`, and of a message or page that is too long"), "Where the unit, message or page starts that was scanned.";
        END "end": Integer(FILE_OFFSET), Only("with `start`, unless the unit is all of a compressed file"), "Where it ends, one past its last byte.";
    }
}

/// The code of an error: the file is not the one that was cut into units.
pub const UNIT_STALE: &str = "unit.stale";
/// The code of an error: a message, record or page is too long to be taken apart, and was read as plain text.
pub const MESSAGE_TOO_LONG: &str = "message.too-long";
const ERRORS: &[&str] = &[UNIT_STALE, MESSAGE_TOO_LONG];

/// What URLs may have in common.
const COMMON: &[&str] = &["host", "domain", "scheme", "year", "month", "newsgroup", "list", "url"];

fields! {
    /// URLs that have something in common.
    group {
        BY "by": Name(COMMON), Always, "What they have in common.";
        KEY "key": Text, Null("they have none"), "What that is; hosts are in lower case, URLs in the form to compare by.";
        COUNT "count": Integer("occurrences"), Always, "How many there are; one posted to several newsgroups counts in each.";
        MESSAGES "messages": Integer("messages"), Always, "In how many messages they stand.";
        FIRST "first": Utf8, Null("no message has a date"), "The earliest date of these messages: RFC 3339, in UTC.";
        LAST "last": Utf8, Null("no message has a date"), "The latest.";
    }
}

fields! {
    /// What was left unread.
    skipped {
        HIDDEN "hidden": Integer("files and directories"), Only("where there are any"), "Their names start with a dot (`--hidden` takes them).";
        IGNORED "ignored": Integer("files and directories"), Only("where there are any"), "A file of rules such as `.gitignore` says so (`--no-ignore`).";
        UNMATCHED "unmatched": Integer("files and directories"), Only("where there are any"), "`--glob` or `--type` leave them out.";
        SPECIAL "special": Integer("files"), Only("where there are any"), "Devices, pipes, sockets, and links, which `--follow` follows.";
        SIZE "size": Integer("files"), Only("where there are any"), "They are longer than `--max-filesize`.";
        OUTPUT "output": Integer("files"), Only("where there are any"), "The output goes there.";
    }
}

fields! {
    /// Limits that cut what is read.
    limits {
        NESTING "nesting": Integer("times"), Only("where there are any"), "Parts or messages within more than 32 others; they were scanned as raw text.";
        PARTS "parts": Integer("times"), Only("where there are any"), "Messages with more than 10,000 parts; the others were scanned as raw text.";
        LENGTH "length": Integer("times"), Only("where there are any"), "Messages or texts that are too long to be taken apart; they were scanned as raw text.";
        HEADER "header": Integer("times"), Only("where there are any"), "Headers longer than 1 MiB; the rest was scanned as a body.";
        PAGE "page": Integer("pages"), Only("where there are any"), "Pages of web archives of which only the start was read.";
        URL "url": Integer("URLs"), Only("where there are any"), "Reported URLs that were cut at 65,536 bytes.";
        PACKING "packing": Integer("files and members"), Only("where there are any"), "Compressed more than 4 times, or in archives more than 4 deep; the inner layers were not unpacked.";
        EXPANSION "expansion": Integer("files and members"), Only("where there are any"), "Expand beyond `--max-expand`; the rest was not read.";
        WINDOW "window": Integer("files and members"), Only("where there are any"), "Need a larger window than `--max-window`; not unpacked.";
        GROUPS "groups": Integer("URLs"), Only("where there are any"), "Not counted by `--by`, because their groups came after `--max-memory` was used up.";
    }
}

fields! {
    /// The last record of a scan.
    summary {
        FILES "files": Integer("files, and members of archives not"), Always, "Files that were opened or were to be.";
        BYTES "bytes": Integer("bytes after decompression"), Always, "What was read.";
        MESSAGES "messages": Integer("messages"), Always, "Messages and articles, those within others not counted.";
        URLS "urls": Integer("URLs"), Always, "URLs that were found, before `--unique` and `--dedupe`.";
        MALFORMED "malformed": Integer("candidates"), Always, "Candidates that are not valid in the profile, reported or not.";
        ERRORS "errors": Integer("errors"), Always, "Files and members with which something went wrong.";
        TRUNCATED "truncated": Integer("URLs"), Always, "Reported URLs that were cut at 65,536 bytes.";
        UNDATED "undated": Integer("messages"), Only("with `--since` or `--until`, where there are any"), "Messages without a date that can be read.";
        CUT_PAGES "cut_pages": Integer("pages"), Only("where there are any"), "Pages of web archives of which only the start was read: see `page.cut`.";
        LIMITS "limits": Object(limits::ALL), Only("where one was reached"), "How often a limit was reached beyond which input is not taken apart, or not read, by the limit.";
        SKIPPED "skipped": Object(skipped::ALL), Only("where there are any"), "Files and directories that were left unread, by the reason; what lies in a directory is not counted.";
    }
}

fields! {
    /// A replacement of bytes.
    edit {
        START "start": Integer(FILE_OFFSET), Always, "Where the bytes to be replaced start.";
        END "end": Integer(FILE_OFFSET), Always, "Where they end, one past the last.";
        TEXT "text": Text, Always, "What comes in their place.";
    }
}

fields! {
    /// What mends a fault.
    fix {
        APPLICABILITY "applicability": Name(&["safe", "unsafe", "display"]), Always, "Whether it is made by `--fix`, only by `--unsafe-fixes`, or only shown.";
        EDITS "edits": Objects(edit::ALL), Always, "The replacements, by place, not overlapping.";
    }
}

fields! {
    /// A fault: what `lint` finds. Passwords in texts are `***`.
    diagnostic {
        PATH "path": Text, Always, "The file as it was named or found.";
        CODE "code": Utf8, Always, "The stable name of the rule.";
        LEVEL "level": Name(LINT_LEVELS), Always, "How much it matters.";
        START "start": Integer(FILE_OFFSET), Always, "Where the fault starts.";
        END "end": Integer(FILE_OFFSET), Always, "Where it ends, one past its last byte.";
        LINE "line": Integer("lines from 1"), Always, "The line that it starts on.";
        COLUMN "column": Integer("bytes from 1"), Always, "Where on that line it starts.";
        LINE_HASH "line_hash": Utf8, Always, "A fingerprint of that line, without passwords.";
        URL "url": Utf8, Null("it concerns no URL"), "The URL or link target that it concerns.";
        MESSAGE "message": Utf8, Always, "What is wrong.";
        RFC "rfc": Integer("number of a document"), Null("no RFC says so"), "The RFC that the rule comes from.";
        SECTION "section": Utf8, Null("no RFC says so"), "The section of that RFC.";
        NOTES "notes": Texts, Always, "What else there is to know.";
        HELP "help": Utf8, Null("there is no advice"), "What to do.";
        FIX "fix": Object(fix::ALL), Null("there is none, or it would show a password"), "What mends it.";
    }
}

fields! {
    /// The last record of `lint`.
    lint_summary {
        FILES "files": Integer("files"), Always, "Files that were read.";
        BYTES "bytes": Integer("bytes"), Always, "What was read.";
        DIAGNOSTICS "diagnostics": Integer("diagnostics"), Always, "All faults.";
        INFO "info": Integer("diagnostics"), Always, "Those of level info.";
        WARNING "warning": Integer("diagnostics"), Always, "Those of level warning.";
        ERROR "error": Integer("diagnostics"), Always, "Those of level error.";
        FIXED "fixed": Integer("fixes"), Always, "Fixes that were made.";
        ERRORS "errors": Integer("errors"), Always, "Files with which something went wrong.";
        LIMITS "limits": Object(limits::ALL), Only("where one was reached"), "How often a limit was reached beyond which input is not taken apart, or not read, by the limit.";
    }
}

fields! {
    /// The verdict on one URL: what `parse` prints.
    parse {
        INPUT "input": Text, Always, "What was given. With `--mask-passwords`, passwords are `***`, in all parts, too.";
        VALID "valid": Boolean, Always, "Whether it keeps the rules.";
        PROFILE "profile": Name(PROFILES), Always, "The rules it was judged by.";
        SCHEME "scheme": Utf8, Null("it has none"), "The scheme: in lower case if it is known, else as written.";
        COMPONENTS "components": Parts, Null("it is not valid, or the profile gives verdicts only"), "Its parts as written; which there are is a matter of the scheme.";
        SEMANTICS "semantics": Parts, Null("it is not valid, or the profile gives verdicts only"), "What its parts mean, decoded.";
        VIOLATIONS "violations": Objects(report::ALL), Always, "The rules it breaks, by place.";
        FINDINGS "findings": Objects(report::ALL), Always, "What else there is to say, by place.";
    }
}

fields! {
    /// A file or a range of one: what `units` prints.
    unit {
        PATH "path": Text, Always, "The file.";
        START "start": Integer(FILE_OFFSET), Always, "Where the unit starts.";
        END "end": Integer(FILE_OFFSET), Null("it is all of a compressed file"), "Where it ends, one past its last byte.";
        LINE "line": Integer("lines from 1"), Null("nobody counted"), "The line that `start` stands in.";
        LINE_START "line_start": Integer(FILE_OFFSET), Null("nobody counted"), "Where that line starts.";
        CONTAINER "container": Name(CONTAINERS), Null("it is packed, and was not looked into"), "What kind of file it is.";
        SIZE "size": Integer("bytes"), Null("nobody knows"), "The size of the file as stored when it was cut.";
        MTIME_NS "mtime_ns": Integer("nanoseconds since 1970"), Null("nobody knows"), "When the file had been changed last when it was cut.";
        ETAG "etag": Utf8, Only("where the caller has put it"), "What an object store gave as the version of the file.";
        CONTEXT_START "context_start": Integer(FILE_OFFSET), Null("it is all of a compressed file"), "Where the bytes start that are needed to scan the unit on its own.";
        CONTEXT_END "context_end": Integer(FILE_OFFSET), Null("it is all of a compressed file"), "Where they end, one past the last.";
        MEMBER "member": Text, Only("where the caller has put it"), "The member of an archive that the offsets are of.";
        RAW_START "raw_start": Integer("bytes from 0 in the file as stored"), Only("in compressed files that can be cut"), "Where the bytes of the context stand, packed.";
        RAW_END "raw_end": Integer("bytes from 0 in the file as stored"), Only("in compressed files that can be cut"), "Where they end, one past the last.";
    }
}

/// What `scan` prints as JSON Lines.
pub static SCAN: &[Kind] = &[
    Kind { name: "url", doc: "A URL.", fields: url::ALL },
    Kind {
        name: "error",
        doc: "Something went wrong with a file. It is also a line on standard error.",
        fields: error::ALL,
    },
    Kind {
        name: "group",
        doc: "With `--by`, in place of URLs: those that have something in common.",
        fields: group::ALL,
    },
    Kind { name: "summary", doc: "The last record.", fields: summary::ALL },
];

/// What `lint` prints as JSON Lines.
pub static LINT: &[Kind] = &[
    Kind {
        name: "diagnostic",
        doc: "A fault. Passwords in texts are `***`.",
        fields: diagnostic::ALL,
    },
    Kind { name: "error", doc: "Something went wrong with a file.", fields: error::ALL },
    Kind { name: "summary", doc: "The last record.", fields: lint_summary::ALL },
];

/// What `parse` prints as JSON Lines.
pub static PARSE: &[Kind] =
    &[Kind { name: "parse", doc: "The verdict on one URL.", fields: parse::ALL }];
