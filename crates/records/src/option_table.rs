//! The options of a scan, with the name, values, default and help of each.
//!
//! Options are defined only in this table. [`Options::set`], the arguments of `urlsift scan` and of
//! the Python, JavaScript and C libraries, the declarations of these libraries and
//! `docs/src/reference/options.md` are derived from it.
//! `URLSIFT_UPDATE=1 cargo test -p urlsift-records --test option_pages` rewrites the declarations
//! and the page.

use crate::size::parse_expansion;
use crate::{Malformed, MessageFilter, Options, Place, Size, Unwrap, With};
use urlsift_archive::{Encoding, Headers, JsonFieldName, Notation, Reading, WebRecords};
use urlsift_core::{Profile, Scheme};
use urlsift_scanner::{Form, Rejoin};

/// The definition of an option of a scan: its name, its values and its help text.
///
/// ```
/// use urlsift_records::option_table::{self, Scope};
/// let rejoin = option_table::find_option("rejoin").unwrap();
/// assert_eq!((rejoin.default, rejoin.scope), ("likely", Scope::Text));
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct OptionSpec {
    /// The name, in the spelling of the libraries. The command's option has `-` instead of `_`.
    pub name: &'static str,
    /// A second name of the command's option, without dashes. Empty if there is none.
    pub alias: &'static str,
    /// The type of the value.
    pub kind: ValueKind,
    /// The value that applies if the option is not given, or an empty string if there is no
    /// default.
    pub default: &'static str,
    /// A placeholder for the value, as in `--scheme NAME`.
    pub value_name: &'static str,
    /// One line of help: an imperative sentence without a full stop.
    pub help: &'static str,
    /// Further paragraphs of help, separated by blank lines.
    pub details: &'static str,
    /// The heading under which the command's help lists the option.
    pub group: Group,
    /// The kind of input on which the option has an effect.
    pub scope: Scope,
    /// True if the command's short help omits the option.
    pub is_rare: bool,
    /// The version that introduced the option.
    pub since: &'static str,
    /// The function that parses a value and sets the option to it. It returns a message if the
    /// value is not valid.
    pub(crate) set: fn(&mut Options, &str) -> Result<(), String>,
}

/// The type of an option's value, which determines the accepted values.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum ValueKind {
    /// `true` or `false`.
    Flag,
    /// `true`, `false` or one of these names. The command's option has no value for `true`.
    FlagOrChoice(&'static [Choice]),
    /// One of these names.
    Choice(&'static [Choice]),
    /// Any of these names, separated by commas.
    Choices(&'static [Choice]),
    /// Any of these names, separated by commas. With a `+` before the first name, they are added to
    /// the default names.
    Forms(&'static [Choice]),
    /// A date or a part of one: see [`MessageFilter::since`].
    Date,
    /// A charset: see [`Encoding::by_label`].
    Charset,
    /// Any text.
    Text,
    /// A list of texts, separated by commas. The texts themselves contain no commas.
    Texts,
    /// A number of bytes: see [`Size`].
    Size,
    /// A number of bytes, a ratio such as `100x`, or `none`.
    Expansion,
    /// Any bytes. The command reads them from a file.
    Key,
}

impl ValueKind {
    /// Returns the names that the value can consist of. Returns an empty slice for types whose
    /// values are not names.
    pub fn choices(self) -> &'static [Choice] {
        match self {
            Self::FlagOrChoice(choices)
            | Self::Choice(choices)
            | Self::Choices(choices)
            | Self::Forms(choices) => choices,
            _ => &[],
        }
    }

    /// True if the value is a list whose items are separated by commas.
    pub fn is_list(self) -> bool {
        matches!(self, Self::Choices(_) | Self::Forms(_) | Self::Texts)
    }
}

/// One of the names that an option accepts as its value, with a help text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Choice {
    /// The name, as it is written on the command line.
    pub name: &'static str,
    /// The effect of this value, for help texts.
    pub help: &'static str,
    /// The kind of input on which the value has an effect.
    pub scope: Scope,
    /// True if the value needs the Public Suffix List, which is compiled in only with the feature
    /// `psl`.
    pub needs_suffixes: bool,
}

impl Choice {
    /// Creates a choice that has an effect on both plain texts and files.
    const fn new(name: &'static str, help: &'static str) -> Self {
        Self { name, help, scope: Scope::Text, needs_suffixes: false }
    }

    /// Restricts the choice to files: it has no effect on plain texts.
    const fn for_files_only(self) -> Self {
        Self { scope: Scope::Files, ..self }
    }

    /// Marks the choice as available only if the crate was built with the Public Suffix List.
    const fn needs_suffix_list(self) -> Self {
        Self { needs_suffixes: true, ..self }
    }
}

/// The kind of input on which an option, or a value of it, has an effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Plain texts as well as files.
    Text,
    /// Files only, because it concerns file formats, messages or records.
    Files,
}

/// A group of options, which the help of the command lists under one heading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Group {
    /// Options for reading input.
    Input,
    /// Options that select URLs.
    Find,
    /// Options that select messages.
    Messages,
    /// Options for the output of each URL.
    Records,
}

impl Group {
    /// All groups.
    pub const ALL: [Self; 4] = [Self::Input, Self::Find, Self::Messages, Self::Records];

    /// Returns the text of the heading, as the help shows it.
    pub const fn heading(self) -> &'static str {
        match self {
            Self::Input => "Input",
            Self::Find => "Which URLs to find",
            Self::Messages => "Which messages to scan",
            Self::Records => "Output",
        }
    }
}

/// Returns the definition of the option called `name`, or `None` if no option has this name.
pub fn find_option(name: &str) -> Option<&'static OptionSpec> {
    OPTIONS.iter().find(|option| option.name == name)
}

/// Returns the name of the scheme in `text`, which may end with `:` or `://`.
///
/// ```
/// use urlsift_records::option_table::parse_scheme_name;
/// assert_eq!(parse_scheme_name("ftp://").as_deref(), Ok("ftp"));
/// assert!(parse_scheme_name("1a").unwrap_err().starts_with("`1a` is not a scheme"));
/// ```
///
/// # Errors
///
/// Returns a message if the name is not a valid scheme.
pub fn parse_scheme_name(text: &str) -> Result<&str, String> {
    let name = text.strip_suffix("://").or_else(|| text.strip_suffix(':')).unwrap_or(text);
    Scheme::may_be_named(name.as_bytes()).then_some(name).ok_or_else(|| {
        format!("`{text}` is not a scheme; write a letter, then letters, digits, `+`, `.` and `-`")
    })
}

const PROFILES: &[Choice] = &[
    Choice::new(Profile::Rfc1738.name(), "RFC 1738, strictly"),
    Choice::new(Profile::Cern1994.name(), "The draft of 1994 that preceded RFC 1738"),
    Choice::new(Profile::Rfc3986.name(), "RFC 3986 and the current specification of each scheme"),
    Choice::new(Profile::Web.name(), "URLs that work in practice today"),
];

const MALFORMED: &[Choice] = &[
    Choice::new(Malformed::Skip.name(), "Skip invalid URLs"),
    Choice::new(Malformed::Include.name(), "Report invalid URLs, too"),
    Choice::new(Malformed::Only.name(), "Report only invalid URLs"),
];

const REJOIN: &[Choice] = &[
    Choice::new(Rejoin::Off.name(), "Don't join lines, except within `<URL:...>` or `<...>`"),
    Choice::new(
        Rejoin::Certain.name(),
        "Join lines only where the format or the text proves that the URL continues",
    ),
    Choice::new(
        Rejoin::Likely.name(),
        "Join lines also where the layout makes it likely that the URL continues",
    ),
];

const FORMS: &[Choice] = &[
    Choice::new(Form::Wrapped.name(), "`<URL:...>`"),
    Choice::new(Form::Bracketed.name(), "`<scheme:...>`"),
    Choice::new(Form::Prefixed.name(), "`URL:scheme:...`"),
    Choice::new(Form::Bare.name(), "`scheme:...` in running text"),
    Choice::new(Form::Attribute.name(), "A value in markup or a header field").for_files_only(),
    Choice::new(Form::Schemeless.name(), "`www.host.dom/path`; not by default"),
    Choice::new(Form::Locator.name(), "`ftp.host.dom:/path`, as in USENET; not by default"),
    Choice::new(Form::Relative.name(), "A relative link of HTML; by default only with `resolve`")
        .for_files_only(),
    Choice::new(Form::Email.name(), "`joe@host.dom` outside URLs; not by default"),
    Choice::new(
        Form::Host.name(),
        "`host.dom/path` under a top-level domain, outside URLs; not by default",
    )
    .needs_suffix_list(),
];

/// Creates the choice for an input format that has escape sequences. `help` is its help text.
const fn notation_choice(notation: Notation, help: &'static str) -> Choice {
    Choice::new(Reading::Escaped(notation).name(), help)
}

const INPUT: &[Choice] = &[
    Choice::new(Reading::Auto.name(), "Detect the format from the content and the file name"),
    Choice::new(Reading::Text.name(), "Plain text"),
    Choice::new(Reading::Mail.name(), "Mail or news"),
    Choice::new(Reading::Html.name(), "HTML"),
    Choice::new(Reading::Markdown.name(), "Markdown"),
    Choice::new(Reading::Rst.name(), "reStructuredText"),
    Choice::new(Reading::AsciiDoc.name(), "AsciiDoc"),
    notation_choice(Notation::Json, "JSON or JSON Lines"),
    Choice::new(
        Reading::JsonLines.name(),
        "JSON Lines, e.g. the records of a data set; see `text_field`",
    ),
    notation_choice(Notation::Xml, "XML, for example a feed"),
    notation_choice(Notation::Tex, "TeX or BibTeX"),
    notation_choice(Notation::Man, "A manual page in roff"),
    notation_choice(Notation::Jupyter, "A Jupyter notebook"),
    notation_choice(Notation::ContentLines, "A calendar or contact card (iCalendar, vCard)"),
    notation_choice(Notation::Gettext, "A gettext catalog"),
    Choice::new(Reading::Binary.name(), "Binary data with embedded text, including UTF-16"),
];

const HEADERS: &[Choice] = &[
    Choice::new(Headers::None.name(), "No header fields"),
    Choice::new(
        Headers::Urls.name(),
        "The subject, and fields for URLs: List-*, Archived-At, X-URL, Content-Location",
    ),
    Choice::new(Headers::All.name(), "All header fields"),
];

const WEB_RECORDS: &[Choice] = &[
    Choice::new(WebRecords::Pages.name(), "Responses of servers, and texts made from them"),
    Choice::new(
        WebRecords::All.name(),
        "Pages, and resource, request, metadata, warcinfo and revisit records",
    ),
];

const UNDATED: &[Choice] = &[
    Choice::new("drop", "Skip these messages, and count them in the summary"),
    Choice::new("keep", "Scan these messages"),
];

const PLACES: &[Choice] = &[
    Choice::new(Place::Body.name(), "Text that is in none of the other places"),
    Choice::new(Place::Quote.name(), "Quoted lines"),
    Choice::new(
        Place::Attribution.name(),
        "Lines that mail programs add before a quotation, e.g. `Joe wrote in message news:...`",
    ),
    Choice::new(Place::Signature.name(), "The author's signature"),
    Choice::new(
        Place::Footer.name(),
        "Text that list software, or a mail or news service, added to the end",
    ),
    Choice::new(
        Place::Chrome.name(),
        "Text and links around the message on a page of a mail archive",
    ),
    Choice::new(Place::Header.name(), "Header fields"),
    Choice::new(Place::Attribute.name(), "Attributes of HTML"),
];

const UNWRAP: &[Choice] = &[Choice::new(
    Unwrap::Replace.name(),
    "Print and count the original URL instead of the link, if it is valid",
)];

const WITH: &[Choice] = &[
    Choice::new(With::Domain.name(), "The registrable domain, e.g. `example.co.uk`")
        .needs_suffix_list(),
    Choice::new(With::Tld.name(), "The last label of the host").needs_suffix_list(),
    Choice::new(With::Port.name(), "The port as written"),
    Choice::new(With::FromDomain.name(), "The domain of the sender's address"),
    Choice::new(With::FromHash.name(), "A hash that identifies the sender without naming them"),
    Choice::new(
        With::From.name(),
        "The field that names the sender: From, or X-Original-From if a list replaced From",
    ),
    Choice::new(With::Subject.name(), "The subject"),
    Choice::new(With::LinkText.name(), "The text of a link in HTML; only in JSON Lines"),
];

/// A template for definitions, with the values that most options have in common.
const USUAL: OptionSpec = OptionSpec {
    name: "",
    alias: "",
    kind: ValueKind::Flag,
    default: "",
    value_name: "",
    help: "",
    details: "",
    group: Group::Find,
    scope: Scope::Text,
    is_rare: false,
    since: "0.1.0",
    set: |_, _| Ok(()),
};

/// The details of an option whose values are patterns. They start with `$first`, which says what the
/// pattern must match.
macro_rules! pattern_details {
    ($first:literal) => {
        concat!(
            $first,
            " In a pattern, `*` matches any text, and `?` matches a single byte. Case is ignored. `!PATTERN` excludes \
            everything that PATTERN matches. Separate several patterns with commas, or give the option several times. \
            If there are patterns without `!`, at least one of them must match."
        )
    };
}

const PATTERN_DETAILS: &str = pattern_details!("The pattern must match the whole value.");

const DOMAIN_DETAILS: &str =
    pattern_details!("`w3.org` matches the hosts `w3.org` and `www.w3.org`.");

const URL_DETAILS: &str = pattern_details!(
    "The pattern must match the whole URL, either as written or in its normalized form. To match a comma in a URL, \
    write `?`."
);

const SENDER_DETAILS: &str = pattern_details!(
    "The pattern must match either the address in the From field (`joe@host.dom`) or the whole field (`Joe *`)."
);

/// All options, in the order of the help.
pub const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        name: "input",
        kind: ValueKind::Choice(INPUT),
        default: Reading::Auto.name(),
        value_name: "FORMAT",
        help: "Read the input as this format",
        group: Group::Input,
        scope: Scope::Files,
        set: |options, value| parse_into(value, &mut options.reading),
        ..USUAL
    },
    OptionSpec {
        name: "text_field",
        kind: ValueKind::Text,
        value_name: "NAME",
        help: "In JSON Lines, scan only the text in this field of each record",
        details: "With this option, each line that contains an object is read as one record, like a message. Its \
            URLs are reported with the date and identifier from the fields that `date_field` and `id_field` name. \
            Without this option, all strings in the JSON are scanned.",
        group: Group::Input,
        scope: Scope::Files,
        is_rare: true,
        set: |options, value| parse_field_name_into(value, &mut options.json_fields.text),
        ..USUAL
    },
    OptionSpec {
        name: "date_field",
        kind: ValueKind::Text,
        value_name: "NAME",
        help: "In JSON Lines, read the date of a record from this field",
        details: "The field contains a date, or a number of seconds or milliseconds since 1970. This option has an \
            effect only together with `text_field`.",
        group: Group::Input,
        scope: Scope::Files,
        is_rare: true,
        set: |options, value| parse_field_name_into(value, &mut options.json_fields.date),
        ..USUAL
    },
    OptionSpec {
        name: "id_field",
        kind: ValueKind::Text,
        value_name: "NAME",
        help: "In JSON Lines, read the identifier of a record from this field",
        details: "The identifier is used as the Message-ID, including by `--dedupe`. This option has an effect only \
            together with `text_field`.",
        group: Group::Input,
        scope: Scope::Files,
        is_rare: true,
        set: |options, value| parse_field_name_into(value, &mut options.json_fields.id),
        ..USUAL
    },
    OptionSpec {
        name: "encoding",
        kind: ValueKind::Charset,
        value_name: "CHARSET",
        help: "Use this charset for text that doesn't declare one",
        details: "Examples: `latin1`, `koi8-r`, `shift_jis`, `utf-16le`. The charset applies to files, mail parts \
            without a charset parameter, and HTML pages and XML documents without a declaration. By default, \
            such text is read as UTF-8, unless its bytes show another charset.",
        group: Group::Input,
        scope: Scope::Files,
        is_rare: true,
        set: |options, value| {
            let charset = Encoding::by_label(value);
            options.encoding =
                Some(charset.ok_or("unknown charset; write a name such as latin1 or koi8-r")?);
            Ok(())
        },
        ..USUAL
    },
    OptionSpec {
        name: "max_expand",
        kind: ValueKind::Expansion,
        default: "100x",
        value_name: "LIMIT",
        help: "Stop unpacking a compressed file beyond this size",
        details: "LIMIT is a size such as `4G`, a ratio such as `100x`, or `none` for no limit. With a ratio, any \
            file may expand to at least 256M.",
        group: Group::Input,
        scope: Scope::Files,
        is_rare: true,
        set: |options, value| {
            options.limits.expand = parse_expansion(value)?;
            Ok(())
        },
        ..USUAL
    },
    OptionSpec {
        name: "max_window",
        kind: ValueKind::Size,
        default: "128M",
        value_name: "SIZE",
        help: "Refuse xz and zst files that need a larger window than this",
        group: Group::Input,
        scope: Scope::Files,
        is_rare: true,
        set: |options, value| {
            options.limits.window = value.parse::<Size>()?.0;
            Ok(())
        },
        ..USUAL
    },
    OptionSpec {
        name: "profile",
        kind: ValueKind::Choice(PROFILES),
        default: Profile::Web.name(),
        value_name: "PROFILE",
        help: "Validate URLs against web, rfc3986, rfc1738 or cern1994",
        set: |options, value| parse_into(value, &mut options.profile),
        ..USUAL
    },
    OptionSpec {
        name: "malformed",
        kind: ValueKind::Choice(MALFORMED),
        default: Malformed::Skip.name(),
        value_name: "WHAT",
        help: "Report invalid URLs: skip, include or only",
        set: |options, value| parse_into(value, &mut options.malformed),
        ..USUAL
    },
    OptionSpec {
        name: "scheme",
        kind: ValueKind::Texts,
        value_name: "NAME",
        help: "Report only URLs of these schemes",
        details: "Separate several schemes with commas (`ftp,gopher`), or give the option several times. You can \
            also name a scheme that urlsift doesn't know; its URLs are found even without `//`. By default, URLs of \
            all known schemes are reported.",
        set: |options, value| {
            options.schemes = split_list(value)
                .map(|name| Ok(parse_scheme_name(name)?.to_owned()))
                .collect::<Result<_, String>>()?;
            Ok(())
        },
        ..USUAL
    },
    OptionSpec {
        name: "host",
        kind: ValueKind::Texts,
        value_name: "PATTERN",
        help: "Report only URLs whose host matches, e.g. `*.w3.org` or `!localhost`",
        details: PATTERN_DETAILS,
        is_rare: true,
        set: |options, value| {
            options.urls = options.urls.clone().hosts(split_list_to_strings(value));
            Ok(())
        },
        ..USUAL
    },
    OptionSpec {
        name: "domain",
        kind: ValueKind::Texts,
        value_name: "PATTERN",
        help: "Report only URLs of hosts in these domains, e.g. `w3.org`",
        details: DOMAIN_DETAILS,
        set: |options, value| {
            options.urls = options.urls.clone().domains(split_list_to_strings(value));
            Ok(())
        },
        ..USUAL
    },
    OptionSpec {
        name: "url",
        kind: ValueKind::Texts,
        value_name: "PATTERN",
        help: "Report only URLs that match, e.g. `*.pdf` or `!*cgi-bin*`",
        details: URL_DETAILS,
        is_rare: true,
        set: |options, value| {
            options.urls = options.urls.clone().texts(split_list_to_strings(value));
            Ok(())
        },
        ..USUAL
    },
    OptionSpec {
        name: "form",
        kind: ValueKind::Forms(FORMS),
        value_name: "FORM",
        help: "Report only URLs in these forms; `+FORM` adds to the default",
        details: "`bare,host` finds only these two forms. `+email` finds the default forms and e-mail addresses. The \
            default forms are `wrapped`, `bracketed`, `prefixed`, `bare` and `attribute`. Separate several forms \
            with commas, or give the option several times.",
        set: |options, value| parse_into(value, &mut options.forms),
        ..USUAL
    },
    OptionSpec {
        name: "without",
        kind: ValueKind::Choices(PLACES),
        value_name: "PLACE",
        help: "Skip URLs in these places: quote, signature, footer, …",
        details: "Separate several places with commas (`quote,signature`), or give the option several times. By \
            default, URLs in all places are reported. The target of a link in HTML is an `attribute`, even in a \
            quotation or signature.",
        scope: Scope::Files,
        set: |options, value| parse_list_into(value, &mut options.without),
        ..USUAL
    },
    OptionSpec {
        name: "rejoin",
        kind: ValueKind::Choice(REJOIN),
        default: Rejoin::Likely.name(),
        value_name: "GRADE",
        help: "Join URLs across line breaks: off, certain or likely",
        set: |options, value| parse_into(value, &mut options.rejoin),
        ..USUAL
    },
    OptionSpec {
        name: "resolve",
        help: "Also find relative links of HTML, and resolve them",
        details: "Relative links are resolved against `<base href>`, the URL of the page in a web archive, or the \
            mail field `Content-Base` or `Content-Location`. Links without any of these are not reported. The form \
            `relative` implies this option.",
        scope: Scope::Files,
        is_rare: true,
        set: |options, value| parse_flag_into(value, &mut options.resolve),
        ..USUAL
    },
    OptionSpec {
        name: "refang",
        help: "Find defanged URLs, such as `hxxp://h[.]dom/`, and restore them",
        scope: Scope::Files,
        is_rare: true,
        set: |options, value| parse_flag_into(value, &mut options.refang),
        ..USUAL
    },
    OptionSpec {
        name: "headers",
        kind: ValueKind::Choice(HEADERS),
        default: Headers::Urls.name(),
        value_name: "WHICH",
        help: "Scan these header fields of messages: none, urls or all",
        scope: Scope::Files,
        is_rare: true,
        set: |options, value| parse_into(value, &mut options.headers),
        ..USUAL
    },
    OptionSpec {
        name: "web_records",
        kind: ValueKind::Choice(WEB_RECORDS),
        default: WebRecords::Pages.name(),
        value_name: "WHICH",
        help: "Scan these records of web archives: pages or all",
        scope: Scope::Files,
        is_rare: true,
        set: |options, value| parse_into(value, &mut options.web_records),
        ..USUAL
    },
    OptionSpec {
        name: "since",
        kind: ValueKind::Date,
        value_name: "DATE",
        help: "Scan only messages from this date on, e.g. `1994-12`",
        details: "Write a year, month, day or time in UTC: `1994`, `1994-12`, `1994-12-01` or `1994-12-01T10:00:00Z`.",
        group: Group::Messages,
        scope: Scope::Files,
        set: |options, value| {
            update_message_filter(options, |filter| {
                check_order(filter.since(value).map_err(|error| error.to_string())?)
            })
        },
        ..USUAL
    },
    OptionSpec {
        name: "until",
        kind: ValueKind::Date,
        value_name: "DATE",
        help: "Scan only messages up to this date, inclusive",
        details: "Write a year, month, day or time in UTC: `1994`, `1994-12`, `1994-12-01` or `1994-12-01T10:00:00Z`. A \
            year, month or day is included to its end.",
        group: Group::Messages,
        scope: Scope::Files,
        set: |options, value| {
            update_message_filter(options, |filter| {
                check_order(filter.until(value).map_err(|error| error.to_string())?)
            })
        },
        ..USUAL
    },
    OptionSpec {
        name: "undated",
        kind: ValueKind::Choice(UNDATED),
        default: "drop",
        value_name: "WHAT",
        help: "Drop or keep messages without a valid date if dates are restricted",
        details: "Text outside messages is undated, too. This option has an effect only together with `since` or \
            `until`.",
        group: Group::Messages,
        scope: Scope::Files,
        is_rare: true,
        set: |options, value| {
            update_message_filter(options, |filter| Ok(filter.undated(value == "keep")))
        },
        ..USUAL
    },
    OptionSpec {
        name: "newsgroup",
        kind: ValueKind::Texts,
        value_name: "PATTERN",
        help: "Scan only articles in newsgroups that match, e.g. `comp.*`",
        details: PATTERN_DETAILS,
        group: Group::Messages,
        scope: Scope::Files,
        set: |options, value| {
            update_message_filter(options, |filter| {
                Ok(filter.newsgroups(split_list_to_strings(value)))
            })
        },
        ..USUAL
    },
    OptionSpec {
        name: "list",
        kind: ValueKind::Texts,
        value_name: "PATTERN",
        help: "Scan only messages of mailing lists that match, e.g. `*.w3.org`",
        details: pattern_details!(
            "The pattern must match the whole identifier in the List-Id field. `www-talk@w3.org` is equivalent to \
            `www-talk.w3.org`."
        ),
        group: Group::Messages,
        scope: Scope::Files,
        set: |options, value| {
            update_message_filter(options, |filter| Ok(filter.lists(split_list_to_strings(value))))
        },
        ..USUAL
    },
    OptionSpec {
        name: "sender",
        alias: "from",
        kind: ValueKind::Texts,
        value_name: "PATTERN",
        help: "Scan only messages from these senders, e.g. `*@w3.org`",
        details: SENDER_DETAILS,
        group: Group::Messages,
        scope: Scope::Files,
        set: |options, value| {
            update_message_filter(
                options,
                |filter| Ok(filter.senders(split_list_to_strings(value))),
            )
        },
        ..USUAL
    },
    OptionSpec {
        name: "subject",
        kind: ValueKind::Texts,
        value_name: "PATTERN",
        help: "Scan only messages whose subject matches, e.g. `*announce*`",
        details: PATTERN_DETAILS,
        group: Group::Messages,
        scope: Scope::Files,
        is_rare: true,
        set: |options, value| {
            update_message_filter(options, |filter| {
                Ok(filter.subjects(split_list_to_strings(value)))
            })
        },
        ..USUAL
    },
    OptionSpec {
        name: "with",
        kind: ValueKind::Choices(WITH),
        value_name: "FIELD",
        help: "Add these fields to records: domain, tld, port, from_domain, …",
        details: "Separate several fields with commas (`domain,port`), or give the option several times. JSON Lines \
            and the libraries have these fields only on request. Tables always have all of them except `from` and \
            `subject`, which can contain names of people, and `link_text`.",
        group: Group::Records,
        scope: Scope::Files,
        set: |options, value| parse_list_into(value, &mut options.with),
        ..USUAL
    },
    OptionSpec {
        name: "unwrap",
        kind: ValueKind::FlagOrChoice(UNWRAP),
        value_name: "HOW",
        help: "Add the target of links that a mail gateway or tracker rewrote",
        details: "The field `target` of the records contains the original URL of a link rewritten by Outlook's Safe \
            Links, Proofpoint's URL Defense, a gateway of Barracuda, Cisco, EdgePilot, FireEye, Libraesva, Sophos, \
            Symantec or Trend Micro, a proxy that writes the URL in hexadecimal, or a redirector of Google or \
            Facebook. No network access is needed. Links that don't contain the original URL, such as most of \
            Mimecast's, are not changed.\n\n\
            With `--unwrap=replace`, the original URL is used instead of the link: in text output, by `--unique` and \
            `--by`, and by options that select URLs. In records, `url` is still the link as written, and the fields \
            `resolved`, `host`, `violations` and so on describe the original URL. If the original URL is not valid, \
            the link is used.",
        group: Group::Records,
        scope: Scope::Files,
        is_rare: true,
        set: |options, value| parse_into(value, &mut options.unwrap),
        ..USUAL
    },
    OptionSpec {
        name: "mask_passwords",
        help: "Show passwords as `***`",
        group: Group::Records,
        set: |options, value| parse_flag_into(value, &mut options.mask_passwords),
        ..USUAL
    },
    OptionSpec {
        name: "mask_secrets",
        help: "Show passwords and tokens as `***`",
        details: "Tokens are values of parameters such as `token`, `api_key` or `X-Amz-Signature`, JSON Web Tokens, and keys \
            with a known prefix.",
        group: Group::Records,
        is_rare: true,
        set: |options, value| parse_flag_into(value, &mut options.mask_secrets),
        ..USUAL
    },
    OptionSpec {
        name: "hash_key",
        kind: ValueKind::Key,
        value_name: "FILE",
        help: "Use the content of FILE as the key for the hashes of `--with from_hash`",
        details: "Line breaks at the end of FILE are not part of the key. Without a key, anyone who guesses an address can \
            check the guess against its hash.",
        group: Group::Records,
        scope: Scope::Files,
        is_rare: true,
        set: |options, value| {
            options.hash_key = Some(value.as_bytes().to_vec());
            Ok(())
        },
        ..USUAL
    },
];

/// Parses `value` and stores the result in `to`. Returns a message if the value is invalid.
fn parse_into<T: std::str::FromStr<Err: std::fmt::Display>>(
    value: &str,
    to: &mut T,
) -> Result<(), String> {
    *to = value.parse().map_err(|error: T::Err| error.to_string())?;
    Ok(())
}

/// Parses the name of a JSON field and stores it in `to`. Returns an error message if the name is
/// too long.
fn parse_field_name_into(value: &str, to: &mut JsonFieldName) -> Result<(), String> {
    *to = JsonFieldName::new(value).ok_or("the name is longer than 63 bytes")?;
    Ok(())
}

/// Parses `true` or `false` and stores the result in `to`. Returns a message for all other values.
fn parse_flag_into(value: &str, to: &mut bool) -> Result<(), String> {
    *to = value.parse().map_err(|_| "write true or false")?;
    Ok(())
}

/// Parses a list of values separated by commas, and stores the values in `to`. Returns a message if
/// one is invalid.
fn parse_list_into<T: std::str::FromStr<Err: std::fmt::Display>>(
    value: &str,
    to: &mut Vec<T>,
) -> Result<(), String> {
    let parsed: Result<_, T::Err> = split_list(value).map(str::parse).collect();
    *to = parsed.map_err(|error| error.to_string())?;
    Ok(())
}

/// Replaces the message filter in `options` by the result of `change`, which receives the current
/// filter.
fn update_message_filter(
    options: &mut Options,
    change: impl FnOnce(MessageFilter) -> Result<MessageFilter, String>,
) -> Result<(), String> {
    options.messages = change(options.messages.clone())?;
    Ok(())
}

/// Returns `filter`, or an error message if its `since` is later than its `until`.
fn check_order(filter: MessageFilter) -> Result<MessageFilter, String> {
    if filter.is_reversed() {
        return Err("`since` is later than `until`, so no message can match".to_owned());
    }
    Ok(filter)
}

/// Returns the items of a list separated by commas. Skips empty items.
pub(crate) fn split_list(value: &str) -> impl Iterator<Item = &str> {
    value.split(',').filter(|item| !item.is_empty())
}

/// Returns the items of a list separated by commas, as owned strings.
fn split_list_to_strings(value: &str) -> Vec<String> {
    split_list(value).map(str::to_owned).collect()
}
