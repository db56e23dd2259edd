//! The table of all options.

use super::choices::{
    FORMS, HEADERS, INPUT, MALFORMED, PLACES, PROFILES, REJOIN, UNDATED, UNWRAP, WEB_RECORDS, WITH,
};
use super::spec::{Group, OptionSpec, Scope, ValueKind};
use super::values::{
    check_order, parse_field_name_into, parse_flag_into, parse_into, parse_list_into,
    parse_scheme_name, split_list, split_list_to_strings, update_message_filter,
};
use crate::size::parse_expansion;
use crate::{Malformed, Size};
use urlsift_archive::{Encoding, Headers, Reading, WebRecords};
use urlsift_core::Profile;
use urlsift_scanner::Rejoin;

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
