//! Rules of core about the scheme and what must follow it.

use super::mending::{insert_slash, lowercase_scheme, slashes};
use super::scheme_obsolete::instead_of;
use crate::context::Context;
use crate::edit::Applicability::Safe;
use crate::rule::{Meta, Reported, Usually};
use urlsift_core::{Code, Profile, Span, registry};

pub(crate) static MISSING: Reported = Reported::of(
    Meta::of(Code::SchemeMissing)
        .what("A URL starts with the name of a scheme and a colon.")
        .why("Without a scheme nothing says how to get at the resource: it is a relative reference, which means something only beside a base.")
        .advice("write the whole URL, scheme first")
        .urls("www.host.dom", "http://www.host.dom"),
);

pub(crate) static CHAR: Reported = Reported::of(
    Meta::of(Code::SchemeChar)
        .what("A scheme's name is made of letters, digits, `+`, `.` and `-`.")
        .why("Any other character before the first colon means that this is no scheme, but something that happens to hold a colon.")
        .advice("spell the scheme as it is registered")
        .urls("ht_tp://www.host.dom/", "http://www.host.dom/"),
);

pub(crate) static SLASHES: Reported = Reported::mended(
    Meta::of(Code::CissSlashes)
        .usually(Usually::Remark, "Where a host follows, the rules about single slips say so; what is left is no link of anybody's.")
        .what("Schemes that name a host put `//` between their colon and the host.")
        .why("The two slashes say that a user name, host and port follow. Without them a strict reader finds no host at all.")
        .advice("put `//` after the colon")
        .urls("file:/etc/motd", "file:///etc/motd")
        .under(Profile::Rfc1738),
    Safe,
    slashes,
);

pub(crate) static UPPERCASE: Reported = Reported::mended(
    Meta::of(Code::SchemeUppercase)
        .what("Schemes are written in lower case.")
        .why("Readers accept either case, but comparing and searching by text does not.")
        .advice("write the scheme in lower case")
        .urls("HTTP://www.host.dom/", "http://www.host.dom/"),
    Safe,
    lowercase_scheme,
)
.unless(may_be_no_scheme);

/// Whether a word before a colon is a scheme only if somebody made one up: in a link it may as well name a page, as in a wiki.
fn may_be_no_scheme(cx: &Context<'_>) -> bool {
    let name = cx.parts.scheme;
    !cx.bytes(Span::new(name.end, cx.url.len())).starts_with(b"://")
        && registry::known(cx.bytes(name)).is_none()
}

pub(crate) static LEADING_NONALPHA: Reported = Reported::of(
    Meta::of(Code::SchemeLeadingNonalpha)
        .what("RFC 1738's grammar lets a scheme start with a digit, `+`, `-` or `.`; every later one asks for a letter.")
        .why("Today's readers take such a name for no scheme.")
        .advice("use a scheme that starts with a letter")
        .urls("3com://www.host.dom/", "com3://www.host.dom/")
        .under(Profile::Rfc1738),
);

pub(crate) static EXPERIMENTAL: Reported = Reported::of(
    Meta::of(Code::SchemeExperimental)
        .what("Schemes whose names start with `x-` are experimental.")
        .why("Only programs that agreed on it beforehand know what it means.")
        .advice("give a URL of a registered scheme beside it")
        .urls("x-test:a", "mailto:joe@host.dom"),
);

pub(crate) static RESERVED_NAME: Reported = Reported::of(
    Meta::of(Code::SchemeReservedName)
        .what("RFC 1738 §4 reserves some names (afs, mid, cid, nfs, tn3270, mailserver, z39.50) without giving a syntax.")
        .why("What stands after the colon means whatever its writer thought.")
        .advice("use a scheme whose syntax is defined")
        .urls("afs://www.host.dom/a", "ftp://www.host.dom/a")
        .under(Profile::Rfc1738),
);

/// Says what to use instead, where that is known.
fn replaced(cx: &Context<'_>) -> Option<String> {
    instead_of(cx).map(|instead| format!("what replaced it: {instead}"))
}

pub(crate) static HISTORIC: Reported = Reported::of(
    Meta::of(Code::SchemeHistoric)
        .what("The registry of schemes lists this one as historic: wais, prospero, mailserver and snews among others.")
        .why("No current program follows them. WAIS and Prospero servers were replaced by http, snews by news over TLS.")
        .advice("give an https URL, or say that the resource is gone")
        .urls("wais://host.dom/database", "https://host.dom/database"),
)
.noting(replaced);

pub(crate) static UNKNOWN: Reported = Reported::of(
    Meta::of(Code::SchemeUnknown)
        .usually(Usually::Nothing, "Programs have schemes of their own; a slip of the keyboard is told of by `scheme.misspelt`.")
        .what("No registry knows the scheme, and it is close to none that is known.")
        .why("Only programs that were told of it can follow the URL; most often something else was meant.")
        .advice("check the scheme")
        .texts("See wibble://www.host.dom/a.", "See http://www.host.dom/a."),
);

pub(crate) static PATH_MISSING: Reported = Reported::of(
    Meta::of(Code::PathMissing)
        .usually(
            Usually::RemarkIfBare,
            "In running text it is mostly a pattern or a piece of a program, not a link.",
        )
        .what("Some schemes need a path after the host.")
        .why("A host alone names no resource of this scheme.")
        .advice("add the path")
        .urls("file://host.dom", "file://host.dom/a")
        .under(Profile::Rfc1738),
);

pub(crate) static PATH_CHAR: Reported = Reported::mended(
    Meta::of(Code::PathChar)
        .usually(
            Usually::RemarkIfBare,
            "In running text it is mostly a pattern or a piece of a program, not a link.",
        )
        .what("What follows the host starts with a `/`.")
        .why("RFC 1738 lets the slash be left out only where nothing at all follows the host.")
        .advice("put a `/` before it")
        .urls("http://www.host.dom?word", "http://www.host.dom/?word")
        .under(Profile::Rfc1738),
    Safe,
    insert_slash,
);

pub(crate) static NOT_CISS: Reported = Reported::of(
    Meta::of(Code::GenericNotCiss)
        .usually(Usually::Remark, "Programs have schemes of their own.")
        .what("`//` after the colon promises `user:password@host:port/path`.")
        .why("Programs that do not know the scheme read a host here, and do not find one.")
        .advice("write a host after `//`, or leave the slashes out")
        .urls("foo://:80/a", "foo://www.host.dom:80/a")
        .under(Profile::Rfc1738),
);

pub(crate) static EMPTY: Reported = Reported::of(
    Meta::of(Code::GenericEmpty)
        .what("Nothing follows the scheme's colon.")
        .why("The grammar admits it, but it names nothing.")
        .advice("complete the URL")
        .urls("foo:", "foo:bar")
        .under(Profile::Rfc1738),
);
