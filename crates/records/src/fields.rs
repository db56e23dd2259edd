//! Definitions of all fields of JSON records.
//!
//! A definition contains the field's name, type, unit and description, and the condition under
//! which it is null or absent. The JSON Lines and the [table](crate::table) of URLs are written
//! from these definitions. The [`schema`](crate::schema) and the reference page are generated from
//! them. Fields may be added but are never renamed. Programs that read records must accept unknown
//! names in fields with a fixed set of names.

use crate::place::Place;
use urlsift_archive::unpack::Trouble;
use urlsift_archive::{Container, DateSource, Layer};
use urlsift_core::{Level, Profile};
use urlsift_scanner::{Form, Grade, JoinEvidence, JoinKind};

/// The definition of a field in JSON records: its name, type and meaning.
///
/// ```
/// use urlsift_records::fields::url;
/// assert_eq!((url::START.name, url::START.column), ("start", Some("start")));
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Field {
    /// The name in JSON.
    pub name: &'static str,
    /// The key in JSON with its punctuation, `,"name":`. It includes the comma after the previous
    /// member.
    pub(crate) key: &'static str,
    /// The key in JSON if the value is a string, `,"name":"`. It includes the opening quotation
    /// mark.
    pub(crate) text_key: &'static str,
    /// The type of the field's value.
    pub value: Value,
    /// The conditions under which a record contains the field, and under which the field is null.
    pub presence: Presence,
    /// The name of the [table](crate::table) column that contains the field, or `None` if there is
    /// no such column.
    pub column: Option<&'static str>,
    /// A sentence that describes the field, for the reference page and the JSON Schema.
    pub doc: &'static str,
}

/// The type of the value of a field in JSON records.
///
/// ```
/// use urlsift_records::fields::{Value, url};
/// assert!(matches!(url::VALID.value, Value::Boolean));
/// assert!(matches!(url::FORM.value, Value::Name(names) if names.contains(&"wrapped")));
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Value {
    /// A text. If its bytes are not UTF-8, invalid sequences become U+FFFD, and a field of the same
    /// name with the suffix `_bytes` contains the original bytes in base64.
    Text,
    /// A text that is always UTF-8.
    Utf8,
    /// One of these names. New names may be added in later versions.
    Name(&'static [&'static str]),
    /// An integer that fits into a signed 64-bit number. The string is its unit.
    Integer(&'static str),
    /// A boolean, `true` or `false`.
    Boolean,
    /// A list of texts. If one of them is not UTF-8, a field with the suffix `_bytes` contains the
    /// original bytes of all of them in base64.
    Texts,
    /// A list whose items are among these names. New names may be added in later versions.
    Names(&'static [&'static str]),
    /// An object with these fields.
    Object(&'static [Field]),
    /// A list of objects with these fields.
    Objects(&'static [Field]),
    /// An object whose fields are the parts of a URL, which depend on the scheme.
    Parts,
}

/// The condition under which a JSON record contains a field.
///
/// ```
/// use urlsift_records::fields::{Presence, url};
/// assert!(matches!(url::URL.presence, Presence::Always));
/// assert!(matches!(url::HOST.presence, Presence::Null(_)));
/// assert!(matches!(url::TRUNCATED.presence, Presence::Only(_)));
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Presence {
    /// The field is in every record and is never null.
    Always,
    /// The field is in every record. It is null in the case that the text describes.
    Null(&'static str),
    /// The field is only in some records, as the text describes.
    Only(&'static str),
}

/// A kind of JSON record, e.g. the one with `"type":"url"`, and its fields.
///
/// ```
/// use urlsift_records::fields::SCAN;
/// let url = SCAN.iter().find(|kind| kind.name == "url").unwrap();
/// assert!(url.fields.iter().any(|field| field.name == "start"));
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Kind {
    /// The value of the record's field `type`.
    pub name: &'static str,
    /// A sentence that describes the record, for the reference page and the JSON Schema.
    pub doc: &'static str,
    /// The fields in order. The field `type` is not included; it always comes first.
    pub fields: &'static [Field],
}

use Presence::{Always, Null, Only};
use Value::{Boolean, Integer, Name, Names, Object, Objects, Parts, Text, Texts, Utf8};

/// Defines a module with one [`Field`] constant per line, and the list `ALL` of these constants.
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
            /// All fields of this object, in order.
            pub static ALL: &[Field] = &[$($id),*];
        }
    };
    (@column) => { None };
    (@column $column:literal) => { Some($column) };
}

/// Returns the names of all variants of an enumeration, in the order of its `ALL`.
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
    "bytes from 0 within `url` (for relative links, within `resolved`; in `parse`, within `input`)";
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
const JOIN_EVIDENCE: &[&str] = names!(JoinEvidence);
const PLACES: &[&str] = names!(Place);
const DATE_SOURCES: &[&str] = names!(DateSource);
const GRADES: &[&str] = &[Grade::Certain.name(), Grade::Likely.name()];

fields! {
    /// The fields of a violation or finding.
    report {
        CODE "code": Utf8, Always, "The stable code of the violation or finding.";
        LEVEL "level": Name(LEVELS), Only("in findings"), "The severity.";
        START "start": Integer(URL_OFFSET), Always, "The start of the part that it is about.";
        END "end": Integer(URL_OFFSET), Always, "The end, one past the last byte.";
        RFC "rfc": Integer("number of a document"), Always, "The RFC that the rule comes from.";
        SECTION "section": Utf8, Always, "The section of that RFC.";
        MESSAGE "message": Utf8, Always, "The explanation for people, in English.";
    }
}

fields! {
    /// The fields of a join: a line break or other layout that was dropped from a URL.
    join {
        START "start": Integer(FILE_OFFSET), Always, "The start of the dropped bytes.";
        END "end": Integer(FILE_OFFSET), Always, "The end of these bytes, one past the last.";
        KIND "kind": Name(JOIN_KINDS), Always, "The evidence that they are layout and not part of the URL.";
        GRADE "grade": Name(GRADES), Always, "How certain this is.";
        EVIDENCE "evidence": Names(JOIN_EVIDENCE), Always, "Why a bare URL was continued after the line break. Empty if `kind` alone explains the join. Tables omit this field.";
    }
}

fields! {
    /// The fields of the message that contains a URL.
    message {
        ID "id" ["message_id"]: Text, Null("the message has none"), "The Message-ID with its angle brackets.";
        DATE "date" ["date"]: Utf8, Null("there is no readable date from 1971 to 2099"), "The date the message was sent, in RFC 3339 format and UTC.";
        DATE_SOURCE "date_source" ["date_source"]: Name(DATE_SOURCES), Only("if there is a date"), "The source of `date`: the Date field (`date`) or the date on an archive page (`page`). If that isn't readable, the first of `nntp-posting-date`, `received`, `from-line`, `outer` and `path` that has a readable date.";
        DATE_RAW "date_raw" ["date_raw"]: Text, Only("if there is a Date field, but `date` comes from another source"), "The Date field as written, unfolded.";
        NEWSGROUPS "newsgroups" ["newsgroups"]: Texts, Always, "The newsgroups that the message was posted to, in order.";
        LIST "list" ["list"]: Text, Only("if the message has a List-Id"), "The identifier of the mailing list.";
        IN_REPLY_TO "in_reply_to" ["in_reply_to"]: Text, Only("in replies"), "The Message-ID of the message that it replies to, with angle brackets: from In-Reply-To or, if that is missing, the last one in References.";
        FROM_DOMAIN "from_domain" ["from_domain"]: Text, Only("with `--with from_domain`, if there is one"), "The domain of the sender's address.";
        FROM_HASH "from_hash" ["from_hash"]: Utf8, Only("with `--with from_hash`, if there is an address"), "A pseudonym of the sender: the first 16 hexadecimal digits of the HMAC-SHA-256 of the address in lower case. The key comes from the file given with `--hash-key`. Without it a public key is used, and anyone can check whether a hash belongs to an address they guess.";
        FROM "from" ["from"]: Text, Only("with `--with from`, if there is one"), "The From field, decoded.";
        SUBJECT "subject" ["subject"]: Text, Only("with `--with subject`, if there is one"), "The subject, decoded.";
        PART "part" ["part"]: Utf8, Always, "The number of the body part that contains the URL, as in IMAP. The header of the message is `0`, the header of part 2 is `2.0`.";
        START "start" ["message_start"]: Integer(FILE_OFFSET), Always, "The start of the message, including its envelope line.";
        END "end" ["message_end"]: Integer(FILE_OFFSET), Always, "The end, one past the last byte.";
        CUT "cut": Names(&["id", "in_reply_to", "date_raw", "newsgroups", "list", "from_domain", "from", "subject"]), Only("if a header field is longer than 4,096 bytes"), "The fields that are incomplete: a text is cut off, and the last newsgroups are left out.";
    }
}

fields! {
    /// The fields of the web archive record that contains a URL.
    page {
        URI "uri" ["target_uri"]: Text, Null("the record does not name it"), "The URL of the page.";
        DATE "date" ["page_date"]: Utf8, Null("the record has no readable date"), "The date the page was fetched, in RFC 3339 format and UTC.";
        ID "id" ["page_id"]: Text, Null("the record has none, as in ARC"), "The identifier of the page's record in its archive, without angle brackets.";
        TYPE "type": Text, Always, "The type of the record: `response` or `conversion`; with `--web-records all`, also others.";
        CUT "cut": Names(&["body"]), Only("if only the start of the body was read"), "What is incomplete. A compressed body is read up to 100 times its compressed length; a compressed or chunked body is read only within the first 64 MiB of its record.";
    }
}

fields! {
    /// The fields of the record of a URL, which `scan` prints.
    url {
        PATH "path" ["path"]: Text, Always, "The path of the file, as given or found; `-` is standard input.";
        MEMBER "member" ["member"]: Text, Only("in archives, Outlook files and PDF files"), "The member of the archive, the attachment in an Outlook file, or the page of a PDF file (`page 3`). For nested archives, the members joined by `!/`, outermost first.";
        URL "url" ["url"]: Text, Always, "The URL, without line breaks and other layout. With `--mask-passwords`, passwords are `***`.";
        START "start" ["start"]: Integer(FILE_OFFSET), Always, "The start of the URL, after any wrapper or prefix.";
        END "end" ["end"]: Integer(FILE_OFFSET), Always, "The end, one past the last byte. Dropped line breaks are between `start` and `end`.";
        LINE "line" ["line"]: Integer("lines from 1; a line ends at LF"), Always, "The line that contains `start`.";
        COLUMN "column" ["column"]: Integer("bytes from 1"), Always, "The column of `start` on that line.";
        FORM "form" ["form"]: Name(FORMS), Always, "How the URL is written in the text.";
        SCHEME "scheme" ["scheme"]: Utf8, Null("there is none"), "The scheme, in lower case.";
        HOST "host" ["host"]: Text, Null("there is none or the URL is not valid"), "The host as written; an IP literal with its brackets.";
        FRAGMENT "fragment" ["fragment"]: Text, Null("there is none or the URL is not valid"), "The fragment, after the `#`.";
        PROFILE "profile" ["profile"]: Name(PROFILES), Always, "The profile that the URL was checked against.";
        VALID "valid" ["valid"]: Boolean, Always, "True if the URL is valid in the profile, i.e. `violations` is empty.";
        VIOLATIONS "violations" ["violations"]: Objects(report::ALL), Always, "The rules that it violates, ordered by position. In CSV, the codes, separated by spaces.";
        FINDINGS "findings" ["findings"]: Objects(report::ALL), Always, "Warnings and remarks about a valid or invalid URL, ordered by position. In CSV, the codes, separated by spaces.";
        JOINS "joins" ["joins"]: Objects(join::ALL), Always, "The layout that was dropped from it, ordered by position. In CSV, `start-end/kind/grade`, separated by spaces.";
        READINGS "readings" ["readings"]: Texts, Always, "All readings of the URL, at most 16, if hyphens at its line breaks may or may not belong to it, or if it was decoded as quoted-printable. The first is `url`; CSV omits it.";
        QUOTE_DEPTH "quote_depth" ["quote_depth"]: Integer("quote marks"), Always, "The quote depth of its line, as in replies to mail.";
        TRUNCATED "truncated" ["truncated"]: Boolean, Only("if true"), "True if the URL continues in the file: it was cut at 65,536 bytes, or before a letter in an undeclared charset.";
        DECODED "decoded" ["decoded"]: Names(LAYERS), Only("if the URL was found in decoded text"), "The encodings to decode to get from the raw bytes to the URL, outermost first.";
        APPROXIMATE "approximate" ["approximate"]: Boolean, Only("if true, e.g. in base64 and in converted charsets"), "True if the bytes from `start` to `end` contain more than the URL, because a raw byte can contain parts of several characters.";
        HTML "html" ["html"]: Utf8, Only("in attributes, scripts, styles and declarations of HTML"), "The element and attribute that contain it, e.g. `a/href`, or only the element.";
        LINK_TEXT "link_text": Text, Only("with `--with link_text`, for links of HTML"), "The text that the page shows for the link, with white space collapsed.";
        NORMALIZED "normalized" ["normalized"]: Text, Only("if it differs from `url`"), "The URL in normal form, for comparison: equivalent spellings have the same normal form, with A-labels (`xn--...`) in the host.";
        DOMAIN "domain" ["domain"]: Utf8, Only("with `--with domain`, if the host has one"), "The registered domain according to the Public Suffix List, in lower case and with A-labels: `example.co.uk` for `www.example.co.uk`.";
        TLD "tld" ["tld"]: Utf8, Only("with `--with tld`, if the host has one"), "The last label of the host, in lower case and as an A-label.";
        PORT "port" ["port"]: Integer("port number"), Only("with `--with port`, if the URL contains one"), "The port as written. The scheme's default port is not added.";
        TARGET "target" ["target"]: Text, Only("with `--unwrap`, if a gateway rewrote the link"), "The original URL, before a mail gateway (Outlook, Proofpoint, Cisco and others), Google, Facebook or a proxy rewrote it.";
        RESOLVED "resolved" ["resolved"]: Text, Only("with `--resolve`, for relative links, and with `--unwrap=replace`, for rewritten links"), "The absolute URL, resolved against the base of the page or part that contains the link, or the original URL of a rewritten link. `host`, `violations` and the other fields then describe this URL.";
        PLACE "place" ["place"]: Name(PLACES), Always, "The part of the message or page that contains it. A footer is text that list software, a mail service or a news service added, recognized by its wording. An attribution is a line that a mail program adds before a quotation, e.g. `Joe wrote in message news:...`. Chrome is everything outside the message on a page of a mail archive.";
        HEADER_NAME "header_name" ["header_name"]: Text, Only("in header fields"), "The name of the header field, as written.";
        MESSAGE "message": Object(message::ALL), Only("in mail and news"), "The innermost message that contains it.";
        PAGE "page": Object(page::ALL), Only("in web archives"), "The page that contains it, as described by its record in WARC, WET or ARC.";
        COUNT "count": Integer("occurrences"), Only("with `--unique=count`"), "How often it was found. URLs are compared by their normal form.";
    }
}

/// The names of the encodings that the archive crate decodes.
const LAYERS: &[&str] = names!(Layer);

fields! {
    /// The fields of an error with a file. Each error is also printed as a line on standard error.
    error {
        PATH "path": Text, Always, "The path of the file, as given or found.";
        MEMBER "member": Text, Only("in archives"), "The member of the archive.";
        MESSAGE "message": Text, Always, "The error message.";
        CODE "code": Name(ERRORS), Only("if programs may need to handle it"), "The stable code of the error.";
        START "start": Integer(FILE_OFFSET), Only("with `--units`, and for a message or page that is too long"), "The start of the unit, message or page.";
        END "end": Integer(FILE_OFFSET), Only("with `start`, unless the unit is a whole compressed file"), "The end, one past the last byte.";
    }
}

/// The error code for a file that has changed since it was split into units.
pub const UNIT_STALE: &str = "unit.stale";
/// The error code for a message, record or page that is too long to be parsed and was read as plain
/// text.
pub const MESSAGE_TOO_LONG: &str = "message.too-long";
/// The error code for a file of a format that can't be read, such as RAR.
pub const FORMAT_UNREADABLE: &str = "format.unreadable";

/// Returns the code of an error in reading a file, if it has one.
pub fn error_code(trouble: &Trouble) -> Option<&'static str> {
    match trouble {
        Trouble::Unread(reason) => reason.format().map(|_| FORMAT_UNREADABLE),
        Trouble::TooLong { .. } => Some(MESSAGE_TOO_LONG),
        _ => None,
    }
}

const ERRORS: &[&str] = &[UNIT_STALE, MESSAGE_TOO_LONG, FORMAT_UNREADABLE];

/// The properties that `scan --by` can group URLs by.
const COMMON: &[&str] =
    &["host", "domain", "scheme", "year", "month", "newsgroup", "list", "sender", "url"];

fields! {
    /// The fields of a group of URLs with the same value of a property, as printed by `scan --by`.
    group {
        BY "by": Name(COMMON), Always, "The property that the URLs are grouped by.";
        KEY "key": Text, Null("these URLs have none"), "The value of that property. Hosts are in lower case and with A-labels, URLs in normal form. If a message has no `List-Id` field, the name of its mailing list comes from the path of the file.";
        COUNT "count": Integer("occurrences"), Always, "The number of URLs. A URL posted to several newsgroups counts in each group.";
        MESSAGES "messages": Integer("messages"), Always, "The number of messages that contain them.";
        FIRST "first": Utf8, Null("no message has a date"), "The earliest date of these messages, in RFC 3339 format and UTC.";
        LAST "last": Utf8, Null("no message has a date"), "The latest date of these messages.";
    }
}

fields! {
    /// The fields with the numbers of skipped files and directories, by reason.
    skipped {
        HIDDEN "hidden": Integer("files and directories"), Only("if there are any"), "Skipped because their names start with a dot (`--hidden` includes them).";
        IGNORED "ignored": Integer("files and directories"), Only("if there are any"), "Skipped because of an ignore file such as `.gitignore` (`--no-ignore` includes them).";
        UNMATCHED "unmatched": Integer("files and directories"), Only("if there are any"), "Excluded by `--glob` or `--type`.";
        SPECIAL "special": Integer("files"), Only("if there are any"), "Devices, pipes and sockets.";
        LINKS "links": Integer("symbolic links"), Only("if there are any"), "Symbolic links (`--follow` follows them).";
        SIZE "size": Integer("files"), Only("if there are any"), "Larger than `--max-filesize`.";
        OUTPUT "output": Integer("files"), Only("if there are any"), "Skipped because the output is written to them.";
    }
}

fields! {
    /// The fields that say how often each limit on reading and parsing was reached.
    limits {
        NESTING "nesting": Integer("times"), Only("if there are any"), "Parts or messages nested more than 32 deep; they were scanned as raw text.";
        PARTS "parts": Integer("times"), Only("if there are any"), "Messages with more than 10,000 parts; the remaining parts were scanned as raw text.";
        LENGTH "length": Integer("times"), Only("if there are any"), "Messages or texts that are too long to parse; they were scanned as raw text.";
        HEADER "header": Integer("times"), Only("if there are any"), "Headers longer than 1 MiB; the rest was scanned as a body.";
        PAGE "page": Integer("pages"), Only("if there are any"), "Pages of web archives that were read only in part.";
        URL "url": Integer("URLs"), Only("if there are any"), "Reported URLs that were cut at 65,536 bytes.";
        PACKING "packing": Integer("files and members"), Only("if there are any"), "Files compressed more than 4 times, or in archives nested more than 4 deep; the inner layers were not unpacked.";
        EXPANSION "expansion": Integer("files and members"), Only("if there are any"), "Files that expand beyond `--max-expand`; the rest was not read.";
        WINDOW "window": Integer("files and members"), Only("if there are any"), "Files that need a larger window than `--max-window`; they were not unpacked.";
        FORMAT "format": Integer("files and attachments"), Only("if there are any"), "PDF and Outlook files that are damaged or encrypted; their bytes were scanned as they are.";
        GROUPS "groups": Integer("URLs"), Only("if there are any"), "URLs that `--by` did not count, because `--max-memory` was used up before their group appeared.";
        UNIQUE "unique": Integer("URLs"), Only("if there are any"), "URLs that were not remembered, because `--max-memory` was used up: `--unique` and `--dedupe` may have printed them more than once, `--unique=count` and `--count` left them out.";
    }
}

fields! {
    /// The fields of the last record of a scan.
    summary {
        FILES "files": Integer("files, not counting members of archives"), Always, "Files that were opened or could not be opened.";
        BYTES "bytes": Integer("bytes after decompression"), Always, "The number of bytes read.";
        MESSAGES "messages": Integer("messages"), Always, "Messages and articles, not counting those inside other messages.";
        URLS "urls": Integer("URLs"), Always, "URLs that were found, before `--unique` and `--dedupe`.";
        MALFORMED "malformed": Integer("candidates"), Always, "Candidates that are not valid in the profile, whether reported or not.";
        ERRORS "errors": Integer("errors"), Always, "Files and members with errors.";
        TRUNCATED "truncated": Integer("URLs"), Always, "Reported URLs that were cut at 65,536 bytes.";
        PRINTED "printed": Integer("URLs"), Only("if not all were printed"), "URLs that were printed or counted. The rest were left out because of `--unique`, `--dedupe` or `--max-count`.";
        UNDATED "undated": Integer("messages"), Only("with `--since` or `--until`, if there are any"), "Messages without a readable date.";
        WITHOUT_MESSAGES "without_messages": Integer("files and members"), Only("with options that select messages, if there are any"), "Files and members that were skipped because they contain no messages.";
        CUT_PAGES "cut_pages": Integer("pages"), Only("if there are any"), "Pages of web archives that were read only in part; see `page.cut`.";
        UNREADABLE "unreadable": Integer("files and members"), Only("if there are any"), "Files and members of a format that can't be read, such as RAR; they are also counted as errors.";
        LIMITS "limits": Object(limits::ALL), Only("if a limit was reached"), "How often each limit was reached. Input beyond a limit is scanned as plain text or not read.";
        SKIPPED "skipped": Object(skipped::ALL), Only("if there are any"), "Files and directories that were skipped, by reason. The contents of skipped directories are not counted.";
    }
}

fields! {
    /// The fields of an edit: a range of bytes and its replacement.
    edit {
        START "start": Integer(FILE_OFFSET), Always, "The start of the bytes to replace.";
        END "end": Integer(FILE_OFFSET), Always, "The end of these bytes, one past the last.";
        TEXT "text": Text, Always, "The replacement.";
    }
}

fields! {
    /// The fields of a fix for a fault.
    fix {
        APPLICABILITY "applicability": Name(&["safe", "unsafe", "display"]), Always, "`safe` fixes are applied by `--fix`, `unsafe` ones only by `--unsafe-fixes`, and `display` ones are only shown.";
        EDITS "edits": Objects(edit::ALL), Always, "The replacements, ordered by position, without overlaps.";
    }
}

fields! {
    /// The fields of a fault that `lint` finds. Passwords in texts are shown as `***`.
    diagnostic {
        PATH "path": Text, Always, "The path of the file, as given or found.";
        CODE "code": Utf8, Always, "The stable name of the rule.";
        LEVEL "level": Name(LINT_LEVELS), Always, "The severity.";
        START "start": Integer(FILE_OFFSET), Always, "The start of the fault.";
        END "end": Integer(FILE_OFFSET), Always, "The end, one past the last byte.";
        LINE "line": Integer("lines from 1"), Always, "The line that contains `start`.";
        COLUMN "column": Integer("bytes from 1"), Always, "The column of `start` on that line.";
        LINE_HASH "line_hash": Utf8, Always, "A fingerprint of that line, without passwords.";
        URL "url": Utf8, Null("the fault does not concern a URL"), "The URL or link target that it concerns.";
        MESSAGE "message": Utf8, Always, "What is wrong.";
        RFC "rfc": Integer("number of a document"), Null("the rule is not from an RFC"), "The RFC that the rule comes from.";
        SECTION "section": Utf8, Null("the rule is not from an RFC"), "The section of that RFC.";
        NOTES "notes": Texts, Always, "Further notes.";
        HELP "help": Utf8, Null("there is no advice"), "How to fix it.";
        FIX "fix": Object(fix::ALL), Null("there is none, or it would reveal a password"), "The automatic fix.";
    }
}

fields! {
    /// The fields of the last record of `lint`.
    lint_summary {
        FILES "files": Integer("files"), Always, "Files that were read.";
        BYTES "bytes": Integer("bytes"), Always, "The number of bytes read.";
        DIAGNOSTICS "diagnostics": Integer("diagnostics"), Always, "The number of diagnostics.";
        INFO "info": Integer("diagnostics"), Always, "Diagnostics of level info.";
        WARNING "warning": Integer("diagnostics"), Always, "Diagnostics of level warning.";
        ERROR "error": Integer("diagnostics"), Always, "Diagnostics of level error.";
        FIXED "fixed": Integer("fixes"), Always, "Fixes that were applied.";
        ERRORS "errors": Integer("errors"), Always, "Files with errors.";
        LIMITS "limits": Object(limits::ALL), Only("if a limit was reached"), "How often each limit was reached. Input beyond a limit is scanned as plain text or not read.";
    }
}

fields! {
    /// The fields of the record of `parse`: the result for one URL.
    parse {
        INPUT "input": Text, Always, "The input. With `--mask-passwords`, passwords are `***` here and in all parts.";
        VALID "valid": Boolean, Always, "True if the input is a valid URL in the profile.";
        PROFILE "profile": Name(PROFILES), Always, "The profile that the URL was checked against.";
        SCHEME "scheme": Utf8, Null("there is none"), "The scheme, in lower case if it is known, otherwise as written.";
        COMPONENTS "components": Parts, Null("the URL is not valid, or the profile only checks validity"), "The parts as written. Their names depend on the scheme.";
        SEMANTICS "semantics": Parts, Null("the URL is not valid, or the profile only checks validity"), "The meaning of the parts, decoded.";
        VIOLATIONS "violations": Objects(report::ALL), Always, "The rules that it violates, ordered by position.";
        FINDINGS "findings": Objects(report::ALL), Always, "Warnings and remarks, ordered by position.";
    }
}

fields! {
    /// The fields of a unit (a file or a range of a file), as printed by `units`.
    unit {
        PATH "path": Text, Always, "The path of the file.";
        START "start": Integer(FILE_OFFSET), Always, "The start of the unit.";
        END "end": Integer(FILE_OFFSET), Null("the unit is a whole compressed file"), "The end, one past the last byte.";
        LINE "line": Integer("lines from 1"), Null("lines were not counted"), "The line that contains `start`.";
        LINE_START "line_start": Integer(FILE_OFFSET), Null("lines were not counted"), "The start of that line.";
        CONTAINER "container": Name(CONTAINERS), Null("the file is compressed and was not examined"), "The format of the file.";
        SIZE "size": Integer("bytes"), Null("unknown"), "The stored size of the file when it was split into units.";
        MTIME_NS "mtime_ns": Integer("nanoseconds since 1970"), Null("unknown"), "The modification time of the file when it was split into units.";
        ETAG "etag": Utf8, Only("if the caller added it"), "The version of the file, as returned by an object store.";
        CONTEXT_START "context_start": Integer(FILE_OFFSET), Null("the unit is a whole compressed file"), "The start of the bytes that are needed to scan the unit on its own.";
        CONTEXT_END "context_end": Integer(FILE_OFFSET), Null("the unit is a whole compressed file"), "The end of these bytes, one past the last.";
        MEMBER "member": Text, Only("if the caller added it"), "The archive member that the offsets refer to.";
        RAW_START "raw_start": Integer("bytes from 0 in the file as stored"), Only("in compressed files that can be cut"), "The start of the compressed bytes of the context.";
        RAW_END "raw_end": Integer("bytes from 0 in the file as stored"), Only("in compressed files that can be cut"), "The end of these bytes, one past the last.";
    }
}

/// The kinds of JSON records that `scan` prints.
pub static SCAN: &[Kind] = &[
    Kind { name: "url", doc: "A URL.", fields: url::ALL },
    Kind {
        name: "error",
        doc: "An error in reading a file, which is also reported on standard error.",
        fields: error::ALL,
    },
    Kind {
        name: "group",
        doc: "A group of URLs. With `--by`, groups are printed instead of single URLs.",
        fields: group::ALL,
    },
    Kind {
        name: "summary",
        doc: "The summary of the run, which is the last record.",
        fields: summary::ALL,
    },
];

/// The kinds of JSON records that `lint` prints.
pub static LINT: &[Kind] = &[
    Kind {
        name: "diagnostic",
        doc: "A diagnostic. Passwords in texts are `***`.",
        fields: diagnostic::ALL,
    },
    Kind { name: "error", doc: "An error in reading a file.", fields: error::ALL },
    Kind {
        name: "summary",
        doc: "The summary of the run, which is the last record.",
        fields: lint_summary::ALL,
    },
];

/// The kinds of JSON records that `parse` prints.
pub static PARSE: &[Kind] = &[Kind {
    name: "parse",
    doc: "The result of parsing and validating one URL.",
    fields: parse::ALL,
}];
