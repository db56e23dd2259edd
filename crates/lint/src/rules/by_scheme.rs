//! Rules of core about what single schemes ask for.

use super::mending::{encode_delimiter, lowercase_type};
use crate::context::Context;
use crate::edit::Applicability::{Safe, Unsafe};
use crate::edit::Fix;
use crate::rule::{Meta, Reported, Usually};
use urlsift_core::{Code, Profile, Span};

pub(crate) static FTP_TYPE: Reported = Reported::mended(
    Meta::of(Code::FtpType)
        .usually(Usually::RemarkIfBare, "In running text it is mostly a pattern or a piece of a program, not a link.")
        .what("After `;` an ftp URL has `type=` and one of a (text), i (image) or d (directory), and nothing else.")
        .why("In ftp a `;` starts the type and can mean nothing else.")
        .advice("give one of the three types; if the `;` stands for itself, write `%3B`")
        .urls("ftp://host.dom/a;type=x", "ftp://host.dom/a;type=i")
        .under(Profile::Rfc1738),
    Unsafe,
    semicolon,
);

/// Only a `;` that starts no `type=` can stand for itself.
fn semicolon(cx: &Context<'_>, span: Span) -> Option<Fix> {
    (cx.bytes(span).first() == Some(&b';')).then(|| encode_delimiter(cx, span)).flatten()
}

pub(crate) static FTP_TYPE_UPPERCASE: Reported = Reported::mended(
    Meta::of(Code::FtpTypeUppercase)
        .what("`;type=` is not in lower case.")
        .why("The grammar has it in lower case only; strict clients look for a file of that name.")
        .advice("write `;type=` in lower case")
        .urls("ftp://host.dom/a;TYPE=i", "ftp://host.dom/a;type=i"),
    Safe,
    lowercase_type,
);

pub(crate) static FTP_NULL_CWD: Reported = Reported::of(
    Meta::of(Code::FtpNullCwd)
        .what("A segment of the path is empty.")
        .why("The client sends `CWD` with nothing behind it, and servers differ in what they make of it. For a path from the root, RFC 1738 has `/%2Fetc/motd`.")
        .advice("leave one slash out, or write `%2F` for a path from the root")
        .urls("ftp://host.dom//etc/motd", "ftp://host.dom/%2Fetc/motd"),
);

pub(crate) static FTP_EMPTY_NAME: Reported = Reported::of(
    Meta::of(Code::FtpEmptyName)
        .what("The path ends in a slash: there is no file name.")
        .why("It is a directory; strict clients learn that from `;type=d`, the others guess it.")
        .advice("give a file name, or leave it so for a directory")
        .urls("ftp://host.dom/a/", "ftp://host.dom/a/b"),
);

pub(crate) static GOPHER_TYPE: Reported = Reported::of(
    Meta::of(Code::GopherType)
        .what("The first character of a gopher path is the type of the item.")
        .why("An encoded tab separates the fields of a request; it cannot be a type.")
        .advice("give the item's type, such as 0 for text or 1 for a menu")
        .urls("gopher://host.dom/%09a", "gopher://host.dom/0a")
        .under(Profile::Rfc1738),
);

pub(crate) static GOPHER_TYPE_ENCODED: Reported = Reported::of(
    Meta::of(Code::GopherTypeEncoded)
        .what("The gopher type is written as an escape.")
        .why("It counts as one character, but many clients look at the `%`.")
        .advice("write the type as it is")
        .urls("gopher://host.dom/%30a", "gopher://host.dom/0a")
        .beside(&["escape.needless"]),
);

pub(crate) static GOPHER_CONTROL: Reported = Reported::of(
    Meta::of(Code::GopherControl)
        .what("A gopher selector holds an encoded carriage return or line feed.")
        .why("A line end ends the request: the rest would be a second one.")
        .advice("leave it out")
        .urls("gopher://host.dom/0a%0D%0Ab", "gopher://host.dom/0a")
        .beside(&["security.encoded-crlf", "escape.control"])
        .under(Profile::Rfc1738),
);

pub(crate) static GOPHER_QUESTION_MARK: Reported = Reported::of(
    Meta::of(Code::GopherQuestionMark)
        .what("There is a `?` in a gopher URL.")
        .why("In gopher `?` is plain data. Older clients wrote searches with it; they are written with `%09`.")
        .advice("for a search, write `%09` before the words")
        .urls("gopher://host.dom/7find?word", "gopher://host.dom/7find%09word"),
);

pub(crate) static MAILTO_EMPTY: Reported = Reported::of(
    Meta::of(Code::MailtoEmpty)
        .usually(
            Usually::RemarkIfBare,
            "In running text it is mostly a pattern or a piece of a program, not a link.",
        )
        .what("Nothing follows `mailto:`.")
        .why("There is nobody to write to.")
        .advice("give the address")
        .urls("mailto:", "mailto:joe@host.dom")
        .under(Profile::Rfc1738),
);

pub(crate) static MAILTO_ADDR_SPEC: Reported = Reported::of(
    Meta::of(Code::MailtoAddrSpec)
        .usually(Usually::RemarkIfBare, "In running text it is mostly a pattern or a piece of a program, not a link.")
        .what("What follows `mailto:` is one mail address, `joe@host.dom`, without name, comment or brackets.")
        .why("Mail programs cannot use it.")
        .advice("give the bare address, its special characters encoded")
        .urls("mailto:joe", "mailto:joe@host.dom"),
);

pub(crate) static MAILTO_HEADER: Reported = Reported::of(
    Meta::of(Code::MailtoHeader)
        .usually(
            Usually::RemarkIfBare,
            "In running text it is mostly a pattern or a piece of a program, not a link.",
        )
        .what("After the address's `?` come header fields, `name=value`, with `&` between them.")
        .why("Mail programs drop what they cannot read, or all of it.")
        .advice("write `?subject=...&body=...`, other characters encoded")
        .urls("mailto:joe@host.dom?subject", "mailto:joe@host.dom?subject=hello")
        .under(Profile::Rfc3986),
);

pub(crate) static MAILTO_LOOKS_LIKE_HEADERS: Reported = Reported::of(
    Meta::of(Code::MailtoLooksLikeHeaders)
        .what("What looks like header fields is part of the address in RFC 1738.")
        .why("A reader that follows RFC 1738 to the letter writes to a host of that strange name.")
        .advice("give the bare address, or lint by a later profile")
        .urls("mailto:joe@host.dom?subject=hello", "mailto:joe@host.dom")
        .under(Profile::Rfc1738),
);

pub(crate) static NEWS_EMPTY: Reported = Reported::of(
    Meta::of(Code::NewsEmpty)
        .usually(
            Usually::RemarkIfBare,
            "In running text it is mostly a pattern or a piece of a program, not a link.",
        )
        .what("Nothing follows `news:`.")
        .why("It names no newsgroup and no article.")
        .advice("give a newsgroup or a Message-ID")
        .urls("news:", "news:comp.infosystems.www")
        .under(Profile::Rfc1738),
);

pub(crate) static NEWS_GROUP: Reported = Reported::of(
    Meta::of(Code::NewsGroup)
        .usually(Usually::RemarkIfBare, "In running text it is mostly a pattern or a piece of a program, not a link.")
        .what("A newsgroup's name starts with a letter and goes on with letters, digits, `-`, `.`, `+` and `_`. There is no server in a news URL.")
        .why("No server has a group of this name.")
        .advice("give the newsgroup's name, without a server")
        .urls("news:comp.infosystems/www", "news:comp.infosystems.www")
        .under(Profile::Rfc1738),
);

pub(crate) static NEWS_ARTICLE: Reported = Reported::of(
    Meta::of(Code::NewsArticle)
        .usually(
            Usually::RemarkIfBare,
            "In running text it is mostly a pattern or a piece of a program, not a link.",
        )
        .what("An article is named by its Message-ID without its brackets: `unique@host`.")
        .why("No server finds an article by this.")
        .advice("copy the Message-ID, without `<` and `>`, special characters encoded")
        .urls("news:123@", "news:123@host.dom")
        .under(Profile::Rfc1738),
);

pub(crate) static NEWS_WILDMAT: Reported = Reported::of(
    Meta::of(Code::NewsWildmat)
        .usually(
            Usually::RemarkIfBare,
            "In running text it is mostly a pattern or a piece of a program, not a link.",
        )
        .what("This is neither a newsgroup nor a pattern of newsgroups.")
        .why("No server has a group of this name.")
        .advice("give a newsgroup, or a pattern with `*`")
        .urls("news:comp,www", "news:comp.www")
        .under(Profile::Rfc3986),
);

pub(crate) static NEWS_GROUP_FORM: Reported = Reported::of(
    Meta::of(Code::NewsGroupForm)
        .usually(Usually::RemarkIfBare, "In running text it is mostly a pattern or a piece of a program, not a link.")
        .what("There are two dots together in the newsgroup's name, or one at its end.")
        .why("A component of the name is empty; no server has such a group. A dot at the end often belongs to the sentence.")
        .advice("leave the dot out")
        .urls("news:comp..www", "news:comp.www")
        .under(Profile::Rfc1738),
);

pub(crate) static NNTP_GROUP: Reported = Reported::of(
    Meta::of(Code::NntpGroup)
        .what("After the host an nntp URL names a newsgroup.")
        .why("Without it there is nothing to ask the server for.")
        .advice("give the newsgroup's name")
        .urls("nntp://host.dom/1www/1", "nntp://host.dom/comp.www/1")
        .under(Profile::Rfc1738)
        .beside(&["nntp.prefer-news"]),
);

pub(crate) static NNTP_ARTICLE_NUMBER: Reported = Reported::of(
    Meta::of(Code::NntpArticleNumber)
        .what("After the newsgroup an nntp URL has the number of an article.")
        .why("Servers count their articles; a name is none.")
        .advice("give the article's number on that server, or use a news URL with the Message-ID")
        .urls("nntp://host.dom/comp.www/x", "nntp://host.dom/comp.www/1")
        .beside(&["nntp.prefer-news"]),
);

pub(crate) static NNTP_PREFER_NEWS: Reported = Reported::of(
    Meta::of(Code::NntpPreferNews)
        .what("An nntp URL names one server.")
        .why("Most servers answer only their own users, and number articles each in their own way; a news URL works everywhere.")
        .advice("give the news URL with the article's Message-ID")
        .urls("nntp://host.dom/comp.www/1", "news:123@host.dom"),
);

pub(crate) static NNTP_NO_ARTICLE: Reported = Reported::of(
    Meta::of(Code::NntpNoArticle)
        .what("There is no article number.")
        .why("RFC 1738's prose asks for one, though its grammar does not.")
        .advice("give the article's number, or use a news URL for the whole group")
        .urls("nntp://host.dom/comp.www", "nntp://host.dom/comp.www/1")
        .beside(&["nntp.prefer-news"]),
);

pub(crate) static TELNET_PATH: Reported = Reported::of(
    Meta::of(Code::TelnetPath)
        .usually(
            Usually::RemarkIfBare,
            "In running text it is mostly a pattern or a piece of a program, not a link.",
        )
        .what("A telnet URL ends with its host and port, and at most one slash.")
        .why("It names a service to log in to; there are no documents in it.")
        .advice("leave out what follows the slash")
        .urls("telnet://host.dom/a", "telnet://host.dom/"),
);

pub(crate) static WAIS_FORM: Reported = Reported::of(
    Meta::of(Code::WaisForm)
        .what("A WAIS URL is `//host/database`, `//host/database?search` or `//host/database/type/id`.")
        .why("Anything else names nothing that a WAIS client can ask for.")
        .advice("write one of the three forms")
        .urls("wais://host.dom/database/a", "wais://host.dom/database")
        .under(Profile::Rfc1738),
);

pub(crate) static WAIS_EMPTY_DATABASE: Reported = Reported::of(
    Meta::of(Code::WaisEmptyDatabase)
        .what("The database's name is empty.")
        .why("The grammar admits it, but there is nothing to search in.")
        .advice("give the database")
        .urls("wais://host.dom/", "wais://host.dom/database")
        .under(Profile::Rfc1738),
);

pub(crate) static WAIS_EMPTY_DOC: Reported = Reported::of(
    Meta::of(Code::WaisEmptyDoc)
        .what("The type or the id of the document is empty.")
        .why("The grammar admits it, but it names no document.")
        .advice("give both type and id")
        .urls("wais://host.dom/database//1", "wais://host.dom/database/TEXT/1")
        .under(Profile::Rfc1738),
);

pub(crate) static PROSPERO_FIELD: Reported = Reported::of(
    Meta::of(Code::ProsperoField)
        .what("After the name of a Prospero object come fields, each `;name=value`.")
        .why("A `;` can mean nothing else there.")
        .advice("write `;name=value`; if the `;` stands for itself, write `%3B`")
        .urls("prospero://host.dom/a;b", "prospero://host.dom/a;b=c")
        .under(Profile::Rfc1738),
);

pub(crate) static PROSPERO_EMPTY_FIELD: Reported = Reported::of(
    Meta::of(Code::ProsperoEmptyField)
        .what("The name of a field is empty.")
        .why("The grammar admits it, but no server knows such a field.")
        .advice("name the field")
        .urls("prospero://host.dom/a;=c", "prospero://host.dom/a;b=c")
        .under(Profile::Rfc1738),
);
