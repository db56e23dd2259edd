//! Rules for schemes and the delimiters after them that the core crate reports.

use super::fixes::{correct_slashes, insert_slash, lowercase_scheme};
use super::scheme_obsolete::replacement_scheme;
use crate::context::Context;
use crate::edit::Applicability::Safe;
use crate::rule::{LenientLevel, Meta, Reported};
use urlsift_core::{Code, Profile, Span, registry};

pub(crate) static MISSING: Reported = Reported::without_fix(
    Meta::from_code(Code::SchemeMissing)
        .what("The URL has no scheme. A URL starts with a name such as `https` and a colon.")
        .why("The scheme says how to reach the resource. Without a scheme, the text is a relative reference, which has a meaning only together with a base URL.")
        .advice("write the whole URL, including the scheme")
        .urls("www.host.dom", "http://www.host.dom"),
);

pub(crate) static CHAR: Reported = Reported::without_fix(
    Meta::from_code(Code::SchemeChar)
        .what("The text before the first colon contains a character other than letters, digits, `+`, `.` and `-`.")
        .why("Such a name can't be a scheme, so the text is not a URL but happens to contain a colon.")
        .advice("write the scheme as it is registered")
        .urls("ht_tp://www.host.dom/", "http://www.host.dom/"),
);

pub(crate) static SLASHES: Reported = Reported::with_fix(
    Meta::from_code(Code::CissSlashes)
        .lenient(LenientLevel::InfoIfBare, "If a host follows, more specific rules such as `scheme.single-slash` report the mistake. In running text, the remaining cases are rarely links. In angle brackets, a URL without any slashes, such as `<URL:http:g>`, is info, too: RFC 1808 writes relative URLs in this way.")
        .what("The scheme requires `//` between its colon and the host, but the slashes are missing.")
        .why("The two slashes announce a user name, host and port. Without them, a strict program finds no host.")
        .advice("write `//` after the colon")
        .urls("file:/etc/motd", "file:///etc/motd")
        .profile(Profile::Rfc1738),
    Safe,
    correct_slashes,
)
.unless(is_path_in_program);

/// True for a name in a program, such as `http::StatusCode`.
fn is_path_in_program(cx: &Context<'_>) -> bool {
    cx.profile == Profile::Web && cx.url.get(cx.parts.scheme.end + 1) == Some(&b':')
}

pub(crate) static UPPERCASE: Reported = Reported::with_fix(
    Meta::from_code(Code::SchemeUppercase)
        .what("The scheme is written in upper case.")
        .why("Programs accept upper and lower case, but many distinguish them when they compare or search text.")
        .advice("write the scheme in lower case")
        .urls("HTTP://www.host.dom/", "http://www.host.dom/"),
    Safe,
    lowercase_scheme,
)
.unless(may_be_page_name);

/// True if the word before the colon may be the name of a wiki page: it is not a known scheme, and
/// `://` does not follow.
fn may_be_page_name(cx: &Context<'_>) -> bool {
    let name = cx.parts.scheme;
    !cx.bytes_at(Span::new(name.end, cx.url.len())).starts_with(b"://")
        && registry::find_entry(cx.bytes_at(name)).is_none()
}

pub(crate) static LEADING_NONALPHA: Reported = Reported::without_fix(
    Meta::from_code(Code::SchemeLeadingNonalpha)
        .what("The scheme starts with a digit, `+`, `-` or `.`. RFC 1738 allows this, but every later standard requires a letter.")
        .why("Current programs don't recognize such a name as a scheme.")
        .advice("use a scheme that starts with a letter")
        .urls("3com://www.host.dom/", "com3://www.host.dom/")
        .profile(Profile::Rfc1738),
);

pub(crate) static EXPERIMENTAL: Reported = Reported::without_fix(
    Meta::from_code(Code::SchemeExperimental)
        .what("The name of the scheme starts with `x-`, which marks it as experimental.")
        .why("Only programs that agreed on the scheme beforehand know what it means.")
        .advice("also give a URL with a registered scheme")
        .urls("x-test:a", "mailto:joe@host.dom"),
);

pub(crate) static RESERVED_NAME: Reported = Reported::without_fix(
    Meta::from_code(Code::SchemeReservedName)
        .what("RFC 1738 §4 reserves some names (afs, mid, cid, nfs, tn3270, mailserver, z39.50) without defining a syntax for them.")
        .why("The meaning of the part after the colon is undefined.")
        .advice("use a scheme whose syntax is defined")
        .urls("afs://www.host.dom/a", "ftp://www.host.dom/a")
        .profile(Profile::Rfc1738),
);

/// Returns a note that names the scheme to use instead, or `None` if no replacement is known.
fn replacement_note(cx: &Context<'_>) -> Option<String> {
    replacement_scheme(cx).map(|instead| format!("its replacement: {instead}"))
}

pub(crate) static HISTORIC: Reported = Reported::without_fix(
    Meta::from_code(Code::SchemeHistoric)
        .what("The registry of schemes lists this scheme as historic. Examples are wais, prospero, mailserver and snews.")
        .why("No current program supports these schemes. HTTP replaced WAIS and Prospero servers, and news over TLS replaced snews.")
        .advice("write an https URL, or say that the resource is gone")
        .urls("wais://host.dom/database", "https://host.dom/database"),
)
.with_note(replacement_note);

pub(crate) static UNKNOWN: Reported = Reported::without_fix(
    Meta::from_code(Code::SchemeUnknown)
        .lenient(LenientLevel::Off, "Many programs define their own schemes. Typing mistakes are reported by `scheme.misspelt`.")
        .what("The scheme is in no registry, and doesn't resemble a known one.")
        .why("Only programs that know the scheme can follow the URL. Most often, a different scheme was intended.")
        .advice("check the scheme")
        .texts("See wibble://www.host.dom/a.", "See http://www.host.dom/a."),
);

pub(crate) static PATH_MISSING: Reported = Reported::without_fix(
    Meta::from_code(Code::PathMissing)
        .lenient_if_bare()
        .what("The scheme requires a path after the host, but there is none.")
        .why("With this scheme, a host alone doesn't name a resource.")
        .advice("add the path")
        .urls("file://host.dom", "file://host.dom/a")
        .profile(Profile::Rfc1738),
);

pub(crate) static PATH_CHAR: Reported = Reported::with_fix(
    Meta::from_code(Code::PathChar)
        .lenient_if_bare()
        .what("The host is followed by something other than a `/`.")
        .why("RFC 1738 allows the slash to be omitted only if nothing follows the host.")
        .advice("write `/` after the host")
        .urls("http://www.host.dom?word", "http://www.host.dom/?word")
        .profile(Profile::Rfc1738),
    Safe,
    insert_slash,
);

pub(crate) static NOT_CISS: Reported = Reported::without_fix(
    Meta::from_code(Code::GenericNotCiss)
        .lenient(LenientLevel::Info, "Many programs define their own schemes.")
        .what("The part after `//` doesn't have the form `user:password@host:port/path`.")
        .why("Programs that don't know the scheme expect a host after `//` and don't find one.")
        .advice("write a host after `//`, or remove the slashes")
        .urls("foo://:80/a", "foo://www.host.dom:80/a")
        .profile(Profile::Rfc1738),
);

pub(crate) static EMPTY: Reported = Reported::without_fix(
    Meta::from_code(Code::GenericEmpty)
        .what("Nothing follows the scheme and its colon.")
        .why("The grammar allows such a URL, but it names nothing.")
        .advice("complete the URL")
        .urls("foo:", "foo:bar")
        .profile(Profile::Rfc1738),
);
