//! Rules for scheme-specific faults that the core crate reports.

use super::fixes::{encode_delimiter, lowercase_type_parameter};
use crate::context::Context;
use crate::edit::Applicability::{Safe, Unsafe};
use crate::edit::Fix;
use crate::rule::{LenientLevel, Meta, Reported};
use urlsift_core::{Code, Profile, Span};

pub(crate) static FTP_TYPE: Reported = Reported::with_fix(
    Meta::from_code(Code::FtpType)
        .lenient_if_bare()
        .with_description("After the `;` of an ftp URL there is something other than `type=` and one of a (text), i (image) or d (directory).")
        .with_reason("In an ftp URL, `;` always starts the transfer type.")
        .with_advice("write one of `;type=a`, `;type=i` and `;type=d`, or `%3B` if the `;` is part of the name")
        .with_example_urls("ftp://host.dom/a;type=x", "ftp://host.dom/a;type=i")
        .with_example_profile(Profile::Rfc1738),
    Unsafe,
    encode_semicolon,
);

/// Returns a fix that percent-encodes the `;` at `span`. Returns `None` if the `;` starts the
/// parameter `;type=`.
fn encode_semicolon(cx: &Context<'_>, span: Span) -> Option<Fix> {
    (cx.bytes_at(span).first() == Some(&b';')).then(|| encode_delimiter(cx, span)).flatten()
}

pub(crate) static FTP_TYPE_UPPERCASE: Reported = Reported::with_fix(
    Meta::from_code(Code::FtpTypeUppercase)
        .with_description("`;type=` is not in lower case.")
        .with_reason("The grammar allows lower case only. Strict clients look for a file whose name ends in `;TYPE=i`.")
        .with_advice("write `;type=` in lower case")
        .with_example_urls("ftp://host.dom/a;TYPE=i", "ftp://host.dom/a;type=i"),
    Safe,
    lowercase_type_parameter,
);

pub(crate) static FTP_NULL_CWD: Reported = Reported::without_fix(
    Meta::from_code(Code::FtpNullCwd)
        .with_description("A segment of an ftp path is empty.")
        .with_reason("For an empty segment, the client sends `CWD` without an argument, and not all servers do the same then. For a path from the root directory, RFC 1738 encodes the first slash of the path: `/%2Fetc/motd`.")
        .with_advice("remove one slash, or write `%2F` for a path from the root directory")
        .with_example_urls("ftp://host.dom//etc/motd", "ftp://host.dom/%2Fetc/motd"),
);

pub(crate) static FTP_EMPTY_NAME: Reported = Reported::without_fix(
    Meta::from_code(Code::FtpEmptyName)
        .with_description("The path of an ftp URL ends in a slash, so there is no file name.")
        .with_reason("Such a URL means a directory. Strict clients recognize a directory only by `;type=d`, and other clients guess.")
        .with_advice("add a file name, or leave the URL as it is if it means a directory")
        .with_example_urls("ftp://host.dom/a/", "ftp://host.dom/a/b"),
);

pub(crate) static GOPHER_TYPE: Reported = Reported::without_fix(
    Meta::from_code(Code::GopherType)
        .with_description("A gopher path starts with an encoded tab instead of the item type.")
        .with_reason("The first character of the path is the type of the item. A tab separates the fields of a request and can't be a type.")
        .with_advice("write the item's type, such as 0 for text or 1 for a menu")
        .with_example_urls("gopher://host.dom/%09a", "gopher://host.dom/0a")
        .with_example_profile(Profile::Rfc1738),
);

pub(crate) static GOPHER_TYPE_ENCODED: Reported = Reported::without_fix(
    Meta::from_code(Code::GopherTypeEncoded)
        .with_description("The gopher item type is percent-encoded.")
        .with_reason("The escape counts as one character, but many clients look only at the `%`.")
        .with_advice("write the type as a plain character")
        .with_example_urls("gopher://host.dom/%30a", "gopher://host.dom/0a")
        .with_other_rules(&["escape.needless"]),
);

pub(crate) static GOPHER_CONTROL: Reported = Reported::without_fix(
    Meta::from_code(Code::GopherControl)
        .with_description("A gopher selector contains an encoded carriage return or line feed.")
        .with_reason(
            "A line break ends the request, so the server would read the rest as a second request.",
        )
        .with_advice("remove the line break")
        .with_example_urls("gopher://host.dom/0a%0D%0Ab", "gopher://host.dom/0a")
        .with_other_rules(&["security.encoded-crlf", "escape.control"])
        .with_example_profile(Profile::Rfc1738),
);

pub(crate) static GOPHER_QUESTION_MARK: Reported = Reported::without_fix(
    Meta::from_code(Code::GopherQuestionMark)
        .with_description("A gopher URL contains a `?`.")
        .with_reason("In a gopher URL, `?` is ordinary data. Older clients wrote searches with `?`, but the syntax for a search is `%09`.")
        .with_advice("for a search, write `%09` before the search words")
        .with_example_urls("gopher://host.dom/7find?word", "gopher://host.dom/7find%09word"),
);

pub(crate) static MAILTO_EMPTY: Reported = Reported::without_fix(
    Meta::from_code(Code::MailtoEmpty)
        .lenient_if_bare()
        .with_description("There is no address after `mailto:`.")
        .with_reason("The link has no recipient.")
        .with_advice("add the address")
        .with_example_urls("mailto:", "mailto:joe@host.dom")
        .with_example_profile(Profile::Rfc1738),
);

pub(crate) static MAILTO_ADDR_SPEC: Reported = Reported::without_fix(
    Meta::from_code(Code::MailtoAddrSpec)
        .lenient_if_bare()
        .with_description("`mailto:` is followed by something other than a plain mail address such as `joe@host.dom`. A name, a comment or brackets are not allowed.")
        .with_reason("Mail programs can't send a message to anything else.")
        .with_advice("write only the address, with special characters percent-encoded")
        .with_example_urls("mailto:joe", "mailto:joe@host.dom"),
);

pub(crate) static MAILTO_HEADER: Reported = Reported::without_fix(
    Meta::from_code(Code::MailtoHeader)
        .lenient_if_bare()
        .with_description(
            "The part after `?` is not a list of header fields `name=value`, separated by `&`.",
        )
        .with_reason("Mail programs ignore the fields that they can't read, or all of them.")
        .with_advice("write `?subject=...&body=...`, with other characters percent-encoded")
        .with_example_urls("mailto:joe@host.dom?subject", "mailto:joe@host.dom?subject=hello")
        .with_example_profile(Profile::Rfc3986),
);

pub(crate) static MAILTO_ENCODED_AT: Reported = Reported::without_fix(
    Meta::from_code(Code::MailtoEncodedAt)
        .with_lenient_level(LenientLevel::Off, "Browsers and mail programs decode `%40`, and the pages of a Mailman archive contain hundreds of such addresses.")
        .with_description("The `@` of the address is percent-encoded.")
        .with_reason("RFC 6068 requires a plain `@` between the two parts of an address. Mailman 2 writes `%40` into its pages.")
        .with_advice("write `@`")
        .with_example_urls("mailto:joe%40host.dom?subject=hello", "mailto:joe@host.dom?subject=hello"),
);

pub(crate) static MAILTO_LOOKS_LIKE_HEADERS: Reported = Reported::without_fix(
    Meta::from_code(Code::MailtoLooksLikeHeaders)
        .with_description("In RFC 1738, header fields after the address are part of the address.")
        .with_reason("A program that follows RFC 1738 to the letter sends mail to a host called `host.dom?subject=hello`.")
        .with_advice("write only the address, or lint with a later profile")
        .with_example_urls("mailto:joe@host.dom?subject=hello", "mailto:joe@host.dom")
        .with_example_profile(Profile::Rfc1738),
);

pub(crate) static NEWS_EMPTY: Reported = Reported::without_fix(
    Meta::from_code(Code::NewsEmpty)
        .lenient_if_bare()
        .with_description("Nothing follows `news:`.")
        .with_reason("The URL names neither a newsgroup nor an article.")
        .with_advice("add a newsgroup or a Message-ID")
        .with_example_urls("news:", "news:comp.infosystems.www")
        .with_example_profile(Profile::Rfc1738),
);

pub(crate) static NEWS_GROUP: Reported = Reported::without_fix(
    Meta::from_code(Code::NewsGroup)
        .lenient_if_bare()
        .with_description("The name of the newsgroup does not start with a letter, or contains something other than letters, digits, `-`, `.`, `+` and `_`. A server before the name is not allowed, either.")
        .with_reason("No server has a group of this name.")
        .with_advice("write the name of the newsgroup, without a server")
        .with_example_urls("news:comp.infosystems/www", "news:comp.infosystems.www")
        .with_example_profile(Profile::Rfc1738),
);

pub(crate) static NEWS_ARTICLE: Reported = Reported::without_fix(
    Meta::from_code(Code::NewsArticle)
        .lenient_if_bare()
        .with_description("A news URL doesn't name its article by a Message-ID without angle brackets, such as `unique@host`.")
        .with_reason("No server can find an article by any other name.")
        .with_advice("copy the Message-ID without `<` and `>`, and percent-encode special characters")
        .with_example_urls("news:123@", "news:123@host.dom")
        .with_example_profile(Profile::Rfc1738),
);

pub(crate) static NEWS_WILDMAT: Reported = Reported::without_fix(
    Meta::from_code(Code::NewsWildmat)
        .lenient_if_bare()
        .with_description(
            "`news:` is followed by neither a newsgroup nor a pattern for newsgroups.",
        )
        .with_reason("No server has a group of this name.")
        .with_advice("write a newsgroup, or a pattern with `*`")
        .with_example_urls("news:comp,www", "news:comp.www")
        .with_example_profile(Profile::Rfc3986),
);

pub(crate) static NEWS_GROUP_FORM: Reported = Reported::without_fix(
    Meta::from_code(Code::NewsGroupForm)
        .lenient_if_bare()
        .with_description("The name of the newsgroup contains two dots in a row, or ends in a dot.")
        .with_reason("No server has a group whose name has an empty part. A dot at the end often belongs to the sentence.")
        .with_advice("remove the dot")
        .with_example_urls("news:comp..www", "news:comp.www")
        .with_example_profile(Profile::Rfc1738),
);

pub(crate) static NNTP_GROUP: Reported = Reported::without_fix(
    Meta::from_code(Code::NntpGroup)
        .with_description("The host of an nntp URL is not followed by the name of a newsgroup.")
        .with_reason("Without a newsgroup, there is nothing to request from the server.")
        .with_advice("add the name of the newsgroup")
        .with_example_urls("nntp://host.dom/1www/1", "nntp://host.dom/comp.www/1")
        .with_example_profile(Profile::Rfc1738)
        .with_other_rules(&["nntp.prefer-news"]),
);

pub(crate) static NNTP_ARTICLE_NUMBER: Reported = Reported::without_fix(
    Meta::from_code(Code::NntpArticleNumber)
        .with_description(
            "The newsgroup of an nntp URL is followed by something other than an article number.",
        )
        .with_reason(
            "An nntp server identifies an article by its number in the group, not by a name.",
        )
        .with_advice(
            "write the article's number on that server, or use a news URL with the Message-ID",
        )
        .with_example_urls("nntp://host.dom/comp.www/x", "nntp://host.dom/comp.www/1")
        .with_other_rules(&["nntp.prefer-news"]),
);

pub(crate) static NNTP_PREFER_NEWS: Reported = Reported::without_fix(
    Meta::from_code(Code::NntpPreferNews)
        .with_description("An nntp URL names one particular server.")
        .with_reason("Most servers answer only their own users, and each server numbers articles differently. A news URL works everywhere.")
        .with_advice("use a news URL with the article's Message-ID")
        .with_example_urls("nntp://host.dom/comp.www/1", "news:123@host.dom"),
);

pub(crate) static NNTP_NO_ARTICLE: Reported = Reported::without_fix(
    Meta::from_code(Code::NntpNoArticle)
        .with_description("An nntp URL has no article number.")
        .with_reason("The text of RFC 1738 requires a number, although its grammar does not.")
        .with_advice("add the article's number, or use a news URL for the whole group")
        .with_example_urls("nntp://host.dom/comp.www", "nntp://host.dom/comp.www/1")
        .with_other_rules(&["nntp.prefer-news"]),
);

pub(crate) static TELNET_PATH: Reported = Reported::without_fix(
    Meta::from_code(Code::TelnetPath)
        .lenient_if_bare()
        .with_description("A telnet URL has something after the host, the port and one slash.")
        .with_reason("A telnet URL names a service to log in to, which contains no documents.")
        .with_advice("remove everything after the slash")
        .with_example_urls("telnet://host.dom/a", "telnet://host.dom/"),
);

pub(crate) static WAIS_FORM: Reported = Reported::without_fix(
    Meta::from_code(Code::WaisForm)
        .with_description("A WAIS URL has none of the forms `//host/database`, `//host/database?search` and `//host/database/type/id`.")
        .with_reason("A WAIS client can't request anything else.")
        .with_advice("write one of the three forms")
        .with_example_urls("wais://host.dom/database/a", "wais://host.dom/database")
        .with_example_profile(Profile::Rfc1738),
);

pub(crate) static WAIS_EMPTY_DATABASE: Reported = Reported::without_fix(
    Meta::from_code(Code::WaisEmptyDatabase)
        .with_description("The name of the database is empty.")
        .with_reason("The grammar allows an empty name, but then there is nothing to search.")
        .with_advice("add the name of the database")
        .with_example_urls("wais://host.dom/", "wais://host.dom/database")
        .with_example_profile(Profile::Rfc1738),
);

pub(crate) static WAIS_EMPTY_DOC: Reported = Reported::without_fix(
    Meta::from_code(Code::WaisEmptyDoc)
        .with_description("The type or the id of the document is empty.")
        .with_reason(
            "The grammar allows an empty type or id, but then the URL doesn't name a document.",
        )
        .with_advice("write both the type and the id")
        .with_example_urls("wais://host.dom/database//1", "wais://host.dom/database/TEXT/1")
        .with_example_profile(Profile::Rfc1738),
);

pub(crate) static PROSPERO_FIELD: Reported = Reported::without_fix(
    Meta::from_code(Code::ProsperoField)
        .with_description("The name of a Prospero object is followed by a `;` that doesn't start a field `;name=value`.")
        .with_reason("At this point, `;` always starts a field.")
        .with_advice("write `;name=value`, or `%3B` if the `;` is part of the name")
        .with_example_urls("prospero://host.dom/a;b", "prospero://host.dom/a;b=c")
        .with_example_profile(Profile::Rfc1738),
);

pub(crate) static PROSPERO_EMPTY_FIELD: Reported = Reported::without_fix(
    Meta::from_code(Code::ProsperoEmptyField)
        .with_description("The name of a field is empty.")
        .with_reason("The grammar allows an empty name, but no server knows such a field.")
        .with_advice("add the name of the field")
        .with_example_urls("prospero://host.dom/a;=c", "prospero://host.dom/a;b=c")
        .with_example_profile(Profile::Rfc1738),
);
