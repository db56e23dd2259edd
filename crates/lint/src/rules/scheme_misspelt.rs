//! `scheme.misspelt`: `htttp://host`: a scheme nearly spelt right.

use crate::rule::{Mending, Meta, On, Reported};
use crate::{Applicability, Context, Edit};
use urlsift_core::{Level, Span};
use urlsift_scanner::NearMiss;

pub(crate) static RULE: Reported = Reported::mended(
    Meta::new(
        "scheme.misspelt",
        Level::Error,
        On::NearMiss(NearMiss::MisspeltScheme),
        "the scheme is misspelt",
    )
    .source(1738, "2.1")
    .what("The scheme is no known one, but within one keystroke of one.")
    .why("No program knows the scheme that stands there.")
    .advice("correct the scheme")
    .texts("See htttp://www.host.dom/a.", "See http://www.host.dom/a."),
    Applicability::Unsafe,
    mend,
)
.pointing(spot);

/// What people mean. The most frequent ones first: a name between two goes to the earlier.
const MEANT: [&str; 8] = ["https", "http", "ftp", "gopher", "telnet", "mailto", "news", "file"];

fn spot(cx: &Context<'_>) -> Span {
    cx.parts.scheme
}

fn mend(cx: &Context<'_>, spot: Span) -> Option<Mending> {
    let written = cx.scheme();
    // `http` before `https` for what is as near to both: it costs nobody a certificate.
    let meant = MEANT
        .iter()
        .min_by_key(|known| (super::distance(written.as_bytes(), known.as_bytes()), known.len()))?;
    Mending::risky(Edit::replace(spot, *meant))
}
