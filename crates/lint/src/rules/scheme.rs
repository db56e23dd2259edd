//! Rules for schemes and the delimiters after them that the core crate reports.

use super::fixes::{correct_slashes, insert_slash, lowercase_scheme};
use super::scheme_obsolete::replacement_scheme;
use crate::context::Context;
use crate::dialect::{Dialect, Markup};
use crate::edit::Applicability::Safe;
use crate::rule::{LenientLevel, Meta, Reported};
use urlsift_core::{Code, Profile, Span, registry};

pub(crate) static MISSING: Reported = Reported::without_fix(
    Meta::from_code(Code::SchemeMissing)
        .with_description("The URL has no scheme. A URL starts with a name such as `https` and a colon.")
        .with_reason("The scheme says how to reach the resource. Without a scheme, the text is a relative reference, which has a meaning only together with a base URL.")
        .with_advice("write the whole URL, including the scheme")
        .with_example_urls("www.host.dom", "http://www.host.dom"),
);

pub(crate) static CHAR: Reported = Reported::without_fix(
    Meta::from_code(Code::SchemeChar)
        .with_description("The text before the first colon contains a character other than letters, digits, `+`, `.` and `-`.")
        .with_reason("Such a name can't be a scheme, so the text is not a URL but happens to contain a colon.")
        .with_advice("write the scheme as it is registered")
        .with_example_urls("ht_tp://www.host.dom/", "http://www.host.dom/"),
);

pub(crate) static SLASHES: Reported = Reported::with_fix(
    Meta::from_code(Code::CissSlashes)
        .with_lenient_level(LenientLevel::InfoIfBare, "If a host follows, more specific rules such as `scheme.single-slash` report the mistake. In running text, the remaining cases are rarely links. In angle brackets, a URL without any slashes, such as `<URL:http:g>`, is info, too: RFC 1808 writes relative URLs in this way.")
        .with_description("The scheme requires `//` between its colon and the host, but the slashes are missing.")
        .with_reason("The two slashes announce a user name, host and port. Without them, a strict program finds no host.")
        .with_advice("write `//` after the colon")
        .with_example_urls("file:/etc/motd", "file:///etc/motd")
        .with_example_profile(Profile::Rfc1738),
    Safe,
    correct_slashes,
)
.with_exclusion(|cx| is_path_in_program(cx) || is_path_in_org(cx));

/// True for a name in a program, such as `http::StatusCode`.
fn is_path_in_program(cx: &Context<'_>) -> bool {
    cx.profile == Profile::Web && cx.url.get(cx.parts.scheme.end + 1) == Some(&b':')
}

/// True for a relative path in Org, such as `[[file:mill.org]]`.
fn is_path_in_org(cx: &Context<'_>) -> bool {
    cx.dialect == Dialect::Text(Markup::Org) && cx.url.starts_with(b"file:")
}

pub(crate) static UPPERCASE: Reported = Reported::with_fix(
    Meta::from_code(Code::SchemeUppercase)
        .with_description("The scheme is written in upper case.")
        .with_reason("Programs accept upper and lower case, but many distinguish them when they compare or search text.")
        .with_advice("write the scheme in lower case")
        .with_example_urls("HTTP://www.host.dom/", "http://www.host.dom/"),
    Safe,
    lowercase_scheme,
)
.with_exclusion(|cx| may_be_other_name(cx) || starts_with_escape(cx));

/// True if a backslash precedes the URL, so that the first letters may be an escape sequence, as in
/// `\fIpath://name\fP` in a manual page.
fn starts_with_escape(cx: &Context<'_>) -> bool {
    cx.byte_before(cx.span.start) == Some(b'\\')
}

/// True if the word before the colon is not a registered scheme, and may be another name whose case
/// matters: a name without `://` after it, such as that of a wiki page (`Help:Contents`), or a name
/// after another colon, such as that of a driver (`dbi:Oracle://host`).
fn may_be_other_name(cx: &Context<'_>) -> bool {
    let name = cx.parts.scheme;
    let is_page = !cx.bytes_at(Span::new(name.end, cx.url.len())).starts_with(b"://");
    let follows_colon = cx.byte_before(cx.span.start) == Some(b':');
    (is_page || follows_colon) && registry::find_entry(cx.bytes_at(name)).is_none()
}

pub(crate) static LEADING_NONALPHA: Reported = Reported::without_fix(
    Meta::from_code(Code::SchemeLeadingNonalpha)
        .with_description("The scheme starts with a digit, `+`, `-` or `.`. RFC 1738 allows this, but every later standard requires a letter.")
        .with_reason("Current programs don't recognize such a name as a scheme.")
        .with_advice("use a scheme that starts with a letter")
        .with_example_urls("3com://www.host.dom/", "com3://www.host.dom/")
        .with_example_profile(Profile::Rfc1738),
);

pub(crate) static EXPERIMENTAL: Reported = Reported::without_fix(
    Meta::from_code(Code::SchemeExperimental)
        .with_description(
            "The name of the scheme starts with `x-`, which marks it as experimental.",
        )
        .with_reason("Only programs that agreed on the scheme beforehand know what it means.")
        .with_advice("also give a URL with a registered scheme")
        .with_example_urls("x-test:a", "mailto:joe@host.dom"),
);

pub(crate) static RESERVED_NAME: Reported = Reported::without_fix(
    Meta::from_code(Code::SchemeReservedName)
        .with_description("RFC 1738 §4 reserves some names (afs, mid, cid, nfs, tn3270, mailserver, z39.50) without defining a syntax for them.")
        .with_reason("The meaning of the part after the colon is undefined.")
        .with_advice("use a scheme whose syntax is defined")
        .with_example_urls("afs://www.host.dom/a", "ftp://www.host.dom/a")
        .with_example_profile(Profile::Rfc1738),
);

/// Returns a note that names the scheme to use instead, or `None` if no replacement is known.
fn replacement_note(cx: &Context<'_>) -> Option<String> {
    replacement_scheme(cx).map(|instead| format!("its replacement: {instead}"))
}

pub(crate) static HISTORIC: Reported = Reported::without_fix(
    Meta::from_code(Code::SchemeHistoric)
        .with_description("The registry of schemes lists this scheme as historic. Examples are wais, prospero, mailserver and snews.")
        .with_reason("No current program supports these schemes. HTTP replaced WAIS and Prospero servers, and news over TLS replaced snews.")
        .with_advice("write an https URL, or say that the resource is gone")
        .with_example_urls("wais://host.dom/database", "https://host.dom/database"),
)
.with_note(replacement_note);

pub(crate) static UNKNOWN: Reported = Reported::without_fix(
    Meta::from_code(Code::SchemeUnknown)
        .with_lenient_level(LenientLevel::Off, "Many programs define their own schemes. Typing mistakes are reported by `scheme.misspelt`.")
        .with_description("The scheme is in no registry, and doesn't resemble a known one.")
        .with_reason("Only programs that know the scheme can follow the URL. Most often, a different scheme was intended.")
        .with_advice("check the scheme")
        .with_example_texts("See wibble://www.host.dom/a.", "See http://www.host.dom/a."),
);

pub(crate) static PATH_MISSING: Reported = Reported::without_fix(
    Meta::from_code(Code::PathMissing)
        .lenient_if_bare()
        .with_description("The scheme requires a path after the host, but there is none.")
        .with_reason("With this scheme, a host alone doesn't name a resource.")
        .with_advice("add the path")
        .with_example_urls("file://host.dom", "file://host.dom/a")
        .with_example_profile(Profile::Rfc1738),
);

pub(crate) static PATH_CHAR: Reported = Reported::with_fix(
    Meta::from_code(Code::PathChar)
        .lenient_if_bare()
        .with_description("The host is followed by something other than a `/`.")
        .with_reason("RFC 1738 allows the slash to be omitted only if nothing follows the host.")
        .with_advice("write `/` after the host")
        .with_example_urls("http://www.host.dom?word", "http://www.host.dom/?word")
        .with_example_profile(Profile::Rfc1738),
    Safe,
    insert_slash,
);

pub(crate) static NOT_CISS: Reported = Reported::without_fix(
    Meta::from_code(Code::GenericNotCiss)
        .with_lenient_level(LenientLevel::Info, "Many programs define their own schemes.")
        .with_description(
            "The part after `//` doesn't have the form `user:password@host:port/path`.",
        )
        .with_reason(
            "Programs that don't know the scheme expect a host after `//` and don't find one.",
        )
        .with_advice("write a host after `//`, or remove the slashes")
        .with_example_urls("foo://:80/a", "foo://www.host.dom:80/a")
        .with_example_profile(Profile::Rfc1738),
);

pub(crate) static EMPTY: Reported = Reported::without_fix(
    Meta::from_code(Code::GenericEmpty)
        .with_description("Nothing follows the scheme and its colon.")
        .with_reason("The grammar allows such a URL, but it names nothing.")
        .with_advice("complete the URL")
        .with_example_urls("foo:", "foo:bar")
        .with_example_profile(Profile::Rfc1738),
);
