//! The names that options accept as their values, with their help texts.

use super::spec::Choice;
use crate::{Malformed, Place, Unwrap, With};
use urlsift_archive::{Headers, Notation, Reading, WebRecords};
use urlsift_core::Profile;
use urlsift_scanner::{Form, Rejoin};

pub(super) const PROFILES: &[Choice] = &[
    Choice::new(Profile::Rfc1738.name(), "RFC 1738, strictly"),
    Choice::new(Profile::Cern1994.name(), "The draft of 1994 that preceded RFC 1738"),
    Choice::new(Profile::Rfc3986.name(), "RFC 3986 and the current specification of each scheme"),
    Choice::new(Profile::Web.name(), "URLs that work in practice today"),
];

pub(super) const MALFORMED: &[Choice] = &[
    Choice::new(Malformed::Skip.name(), "Skip invalid URLs"),
    Choice::new(Malformed::Include.name(), "Report invalid URLs, too"),
    Choice::new(Malformed::Only.name(), "Report only invalid URLs"),
];

pub(super) const REJOIN: &[Choice] = &[
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

pub(super) const FORMS: &[Choice] = &[
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

pub(super) const INPUT: &[Choice] = &[
    Choice::new(Reading::Auto.name(), "Detect the format from the content and the file name"),
    Choice::new(Reading::Text.name(), "Plain text"),
    Choice::new(Reading::Mail.name(), "Mail or news"),
    Choice::new(Reading::Html.name(), "HTML"),
    Choice::new(Reading::Markdown.name(), "Markdown"),
    Choice::new(Reading::Rst.name(), "reStructuredText"),
    Choice::new(Reading::AsciiDoc.name(), "AsciiDoc"),
    notation_choice(Notation::Json, "JSON or JSON Lines"),
    Choice::new(Reading::JsonLines.name(), "JSON Lines, e.g. the records of a data set"),
    notation_choice(Notation::Xml, "XML, for example a feed"),
    notation_choice(Notation::Tex, "TeX or BibTeX"),
    notation_choice(Notation::Man, "A manual page in roff"),
    notation_choice(Notation::Jupyter, "A Jupyter notebook"),
    notation_choice(Notation::ContentLines, "A calendar or contact card (iCalendar, vCard)"),
    notation_choice(Notation::Gettext, "A gettext catalog"),
    Choice::new(Reading::Binary.name(), "Binary data with embedded text, including UTF-16"),
];

pub(super) const HEADERS: &[Choice] = &[
    Choice::new(Headers::None.name(), "No header fields"),
    Choice::new(
        Headers::Urls.name(),
        "The subject, and fields for URLs: List-*, Archived-At, X-URL, Content-Location",
    ),
    Choice::new(Headers::All.name(), "All header fields"),
];

pub(super) const WEB_RECORDS: &[Choice] = &[
    Choice::new(WebRecords::Pages.name(), "Responses of servers, and texts made from them"),
    Choice::new(
        WebRecords::All.name(),
        "Pages, and resource, request, metadata, warcinfo and revisit records",
    ),
];

pub(super) const UNDATED: &[Choice] = &[
    Choice::new("drop", "Skip these messages, and count them in the summary"),
    Choice::new("keep", "Scan these messages"),
];

pub(super) const PLACES: &[Choice] = &[
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

pub(super) const UNWRAP: &[Choice] = &[Choice::new(
    Unwrap::Replace.name(),
    "Print and count the original URL instead of the link, if it is valid",
)];

pub(super) const WITH: &[Choice] = &[
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
