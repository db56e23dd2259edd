//! Rules for scheme-specific faults that the core crate reports.

use super::fixes::{encode_delimiter, lowercase_type};
use crate::context::Context;
use crate::edit::Applicability::{Safe, Unsafe};
use crate::edit::Fix;
use crate::rule::{LenientLevel, Meta, Reported};
use urlsift_core::{Code, Profile, Span};

pub(crate) static FTP_TYPE: Reported = Reported::with_fix(
    Meta::from_code(Code::FtpType)
        .lenient_if_bare()
        .what("After the `;` of an ftp URL there is something other than `type=` and one of a (text), i (image) or d (directory).")
        .why("In an ftp URL, `;` always starts the transfer type.")
        .advice("write one of `;type=a`, `;type=i` and `;type=d`, or `%3B` if the `;` is part of the name")
        .urls("ftp://host.dom/a;type=x", "ftp://host.dom/a;type=i")
        .profile(Profile::Rfc1738),
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
        .what("`;type=` is not in lower case.")
        .why("The grammar allows lower case only. Strict clients look for a file whose name ends in `;TYPE=i`.")
        .advice("write `;type=` in lower case")
        .urls("ftp://host.dom/a;TYPE=i", "ftp://host.dom/a;type=i"),
    Safe,
    lowercase_type,
);

pub(crate) static FTP_NULL_CWD: Reported = Reported::without_fix(
    Meta::from_code(Code::FtpNullCwd)
        .what("A segment of an ftp path is empty.")
        .why("For an empty segment, the client sends `CWD` without an argument, and not all servers do the same then. For a path from the root directory, RFC 1738 encodes the first slash of the path: `/%2Fetc/motd`.")
        .advice("remove one slash, or write `%2F` for a path from the root directory")
        .urls("ftp://host.dom//etc/motd", "ftp://host.dom/%2Fetc/motd"),
);

pub(crate) static FTP_EMPTY_NAME: Reported = Reported::without_fix(
    Meta::from_code(Code::FtpEmptyName)
        .what("The path of an ftp URL ends in a slash, so there is no file name.")
        .why("Such a URL means a directory. Strict clients recognize a directory only by `;type=d`, and other clients guess.")
        .advice("add a file name, or leave the URL as it is if it means a directory")
        .urls("ftp://host.dom/a/", "ftp://host.dom/a/b"),
);

pub(crate) static GOPHER_TYPE: Reported = Reported::without_fix(
    Meta::from_code(Code::GopherType)
        .what("A gopher path starts with an encoded tab instead of the item type.")
        .why("The first character of the path is the type of the item. A tab separates the fields of a request and can't be a type.")
        .advice("write the item's type, such as 0 for text or 1 for a menu")
        .urls("gopher://host.dom/%09a", "gopher://host.dom/0a")
        .profile(Profile::Rfc1738),
);

pub(crate) static GOPHER_TYPE_ENCODED: Reported = Reported::without_fix(
    Meta::from_code(Code::GopherTypeEncoded)
        .what("The gopher item type is percent-encoded.")
        .why("The escape counts as one character, but many clients look only at the `%`.")
        .advice("write the type as a plain character")
        .urls("gopher://host.dom/%30a", "gopher://host.dom/0a")
        .other_rules(&["escape.needless"]),
);

pub(crate) static GOPHER_CONTROL: Reported = Reported::without_fix(
    Meta::from_code(Code::GopherControl)
        .what("A gopher selector contains an encoded carriage return or line feed.")
        .why(
            "A line break ends the request, so the server would read the rest as a second request.",
        )
        .advice("remove the line break")
        .urls("gopher://host.dom/0a%0D%0Ab", "gopher://host.dom/0a")
        .other_rules(&["security.encoded-crlf", "escape.control"])
        .profile(Profile::Rfc1738),
);

pub(crate) static GOPHER_QUESTION_MARK: Reported = Reported::without_fix(
    Meta::from_code(Code::GopherQuestionMark)
        .what("A gopher URL contains a `?`.")
        .why("In a gopher URL, `?` is ordinary data. Older clients wrote searches with `?`, but the syntax for a search is `%09`.")
        .advice("for a search, write `%09` before the search words")
        .urls("gopher://host.dom/7find?word", "gopher://host.dom/7find%09word"),
);

pub(crate) static MAILTO_EMPTY: Reported = Reported::without_fix(
    Meta::from_code(Code::MailtoEmpty)
        .lenient_if_bare()
        .what("There is no address after `mailto:`.")
        .why("The link has no recipient.")
        .advice("add the address")
        .urls("mailto:", "mailto:joe@host.dom")
        .profile(Profile::Rfc1738),
);

pub(crate) static MAILTO_ADDR_SPEC: Reported = Reported::without_fix(
    Meta::from_code(Code::MailtoAddrSpec)
        .lenient_if_bare()
        .what("`mailto:` is followed by something other than a plain mail address such as `joe@host.dom`. A name, a comment or brackets are not allowed.")
        .why("Mail programs can't send a message to anything else.")
        .advice("write only the address, with special characters percent-encoded")
        .urls("mailto:joe", "mailto:joe@host.dom"),
);

pub(crate) static MAILTO_HEADER: Reported = Reported::without_fix(
    Meta::from_code(Code::MailtoHeader)
        .lenient_if_bare()
        .what("The part after `?` is not a list of header fields `name=value`, separated by `&`.")
        .why("Mail programs ignore the fields that they can't read, or all of them.")
        .advice("write `?subject=...&body=...`, with other characters percent-encoded")
        .urls("mailto:joe@host.dom?subject", "mailto:joe@host.dom?subject=hello")
        .profile(Profile::Rfc3986),
);

pub(crate) static MAILTO_ENCODED_AT: Reported = Reported::without_fix(
    Meta::from_code(Code::MailtoEncodedAt)
        .lenient(LenientLevel::Info, "Browsers and mail programs decode it.")
        .what("The `@` of the address is percent-encoded.")
        .why("RFC 6068 requires a plain `@` between the two parts of an address. Mailman 2 writes `%40` into its pages.")
        .advice("write `@`")
        .urls("mailto:joe%40host.dom?subject=hello", "mailto:joe@host.dom?subject=hello"),
);

pub(crate) static MAILTO_LOOKS_LIKE_HEADERS: Reported = Reported::without_fix(
    Meta::from_code(Code::MailtoLooksLikeHeaders)
        .what("In RFC 1738, header fields after the address are part of the address.")
        .why("A program that follows RFC 1738 to the letter sends mail to a host called `host.dom?subject=hello`.")
        .advice("write only the address, or lint with a later profile")
        .urls("mailto:joe@host.dom?subject=hello", "mailto:joe@host.dom")
        .profile(Profile::Rfc1738),
);

pub(crate) static NEWS_EMPTY: Reported = Reported::without_fix(
    Meta::from_code(Code::NewsEmpty)
        .lenient_if_bare()
        .what("Nothing follows `news:`.")
        .why("The URL names neither a newsgroup nor an article.")
        .advice("add a newsgroup or a Message-ID")
        .urls("news:", "news:comp.infosystems.www")
        .profile(Profile::Rfc1738),
);

pub(crate) static NEWS_GROUP: Reported = Reported::without_fix(
    Meta::from_code(Code::NewsGroup)
        .lenient_if_bare()
        .what("The name of the newsgroup does not start with a letter, or contains something other than letters, digits, `-`, `.`, `+` and `_`. A server before the name is not allowed, either.")
        .why("No server has a group of this name.")
        .advice("write the name of the newsgroup, without a server")
        .urls("news:comp.infosystems/www", "news:comp.infosystems.www")
        .profile(Profile::Rfc1738),
);

pub(crate) static NEWS_ARTICLE: Reported = Reported::without_fix(
    Meta::from_code(Code::NewsArticle)
        .lenient_if_bare()
        .what("A news URL doesn't name its article by a Message-ID without angle brackets, such as `unique@host`.")
        .why("No server can find an article by any other name.")
        .advice("copy the Message-ID without `<` and `>`, and percent-encode special characters")
        .urls("news:123@", "news:123@host.dom")
        .profile(Profile::Rfc1738),
);

pub(crate) static NEWS_WILDMAT: Reported = Reported::without_fix(
    Meta::from_code(Code::NewsWildmat)
        .lenient_if_bare()
        .what("`news:` is followed by neither a newsgroup nor a pattern for newsgroups.")
        .why("No server has a group of this name.")
        .advice("write a newsgroup, or a pattern with `*`")
        .urls("news:comp,www", "news:comp.www")
        .profile(Profile::Rfc3986),
);

pub(crate) static NEWS_GROUP_FORM: Reported = Reported::without_fix(
    Meta::from_code(Code::NewsGroupForm)
        .lenient_if_bare()
        .what("The name of the newsgroup contains two dots in a row, or ends in a dot.")
        .why("No server has a group whose name has an empty part. A dot at the end often belongs to the sentence.")
        .advice("remove the dot")
        .urls("news:comp..www", "news:comp.www")
        .profile(Profile::Rfc1738),
);

pub(crate) static NNTP_GROUP: Reported = Reported::without_fix(
    Meta::from_code(Code::NntpGroup)
        .what("The host of an nntp URL is not followed by the name of a newsgroup.")
        .why("Without a newsgroup, there is nothing to request from the server.")
        .advice("add the name of the newsgroup")
        .urls("nntp://host.dom/1www/1", "nntp://host.dom/comp.www/1")
        .profile(Profile::Rfc1738)
        .other_rules(&["nntp.prefer-news"]),
);

pub(crate) static NNTP_ARTICLE_NUMBER: Reported = Reported::without_fix(
    Meta::from_code(Code::NntpArticleNumber)
        .what("The newsgroup of an nntp URL is followed by something other than an article number.")
        .why("An nntp server identifies an article by its number in the group, not by a name.")
        .advice("write the article's number on that server, or use a news URL with the Message-ID")
        .urls("nntp://host.dom/comp.www/x", "nntp://host.dom/comp.www/1")
        .other_rules(&["nntp.prefer-news"]),
);

pub(crate) static NNTP_PREFER_NEWS: Reported = Reported::without_fix(
    Meta::from_code(Code::NntpPreferNews)
        .what("An nntp URL names one particular server.")
        .why("Most servers answer only their own users, and each server numbers articles differently. A news URL works everywhere.")
        .advice("use a news URL with the article's Message-ID")
        .urls("nntp://host.dom/comp.www/1", "news:123@host.dom"),
);

pub(crate) static NNTP_NO_ARTICLE: Reported = Reported::without_fix(
    Meta::from_code(Code::NntpNoArticle)
        .what("An nntp URL has no article number.")
        .why("The text of RFC 1738 requires a number, although its grammar does not.")
        .advice("add the article's number, or use a news URL for the whole group")
        .urls("nntp://host.dom/comp.www", "nntp://host.dom/comp.www/1")
        .other_rules(&["nntp.prefer-news"]),
);

pub(crate) static TELNET_PATH: Reported = Reported::without_fix(
    Meta::from_code(Code::TelnetPath)
        .lenient_if_bare()
        .what("A telnet URL has something after the host, the port and one slash.")
        .why("A telnet URL names a service to log in to, which contains no documents.")
        .advice("remove everything after the slash")
        .urls("telnet://host.dom/a", "telnet://host.dom/"),
);

pub(crate) static WAIS_FORM: Reported = Reported::without_fix(
    Meta::from_code(Code::WaisForm)
        .what("A WAIS URL has none of the forms `//host/database`, `//host/database?search` and `//host/database/type/id`.")
        .why("A WAIS client can't request anything else.")
        .advice("write one of the three forms")
        .urls("wais://host.dom/database/a", "wais://host.dom/database")
        .profile(Profile::Rfc1738),
);

pub(crate) static WAIS_EMPTY_DATABASE: Reported = Reported::without_fix(
    Meta::from_code(Code::WaisEmptyDatabase)
        .what("The name of the database is empty.")
        .why("The grammar allows an empty name, but then there is nothing to search.")
        .advice("add the name of the database")
        .urls("wais://host.dom/", "wais://host.dom/database")
        .profile(Profile::Rfc1738),
);

pub(crate) static WAIS_EMPTY_DOC: Reported = Reported::without_fix(
    Meta::from_code(Code::WaisEmptyDoc)
        .what("The type or the id of the document is empty.")
        .why("The grammar allows an empty type or id, but then the URL doesn't name a document.")
        .advice("write both the type and the id")
        .urls("wais://host.dom/database//1", "wais://host.dom/database/TEXT/1")
        .profile(Profile::Rfc1738),
);

pub(crate) static PROSPERO_FIELD: Reported = Reported::without_fix(
    Meta::from_code(Code::ProsperoField)
        .what("The name of a Prospero object is followed by a `;` that doesn't start a field `;name=value`.")
        .why("At this point, `;` always starts a field.")
        .advice("write `;name=value`, or `%3B` if the `;` is part of the name")
        .urls("prospero://host.dom/a;b", "prospero://host.dom/a;b=c")
        .profile(Profile::Rfc1738),
);

pub(crate) static PROSPERO_EMPTY_FIELD: Reported = Reported::without_fix(
    Meta::from_code(Code::ProsperoEmptyField)
        .what("The name of a field is empty.")
        .why("The grammar allows an empty name, but no server knows such a field.")
        .advice("add the name of the field")
        .urls("prospero://host.dom/a;=c", "prospero://host.dom/a;b=c")
        .profile(Profile::Rfc1738),
);
