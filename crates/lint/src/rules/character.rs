//! Rules of core about characters and escapes.

use super::mending::{
    decode, encode, encode_delimiter, encode_hash, encode_percent, encode_risky, mend_blank,
    uppercase,
};
use crate::context::Context;
use crate::edit::Applicability::{Safe, Unsafe};
use crate::rule::{Meta, Reported, Usually};
use urlsift_core::{Code, Profile};

pub(crate) static SPACE: Reported = Reported::mended(
    Meta::of(Code::CharSpace)
        .usually(Usually::RemarkIfBare, "In queries and fragments, such as the subject of a mail, browsers mend it.")
        .what("A blank stands inside the URL.")
        .why("Blanks appear and disappear when text is typeset, copied or wrapped; most readers end the URL there.")
        .advice("encode it, or leave it out")
        .urls("http://www.host.dom/a b", "http://www.host.dom/a%20b"),
    Safe,
    mend_blank,
);

pub(crate) static CONTROL: Reported = Reported::mended(
    Meta::of(Code::CharControl)
        .usually(
            Usually::RemarkIfBare,
            "In running text it is mostly a pattern or a piece of a program, not a link.",
        )
        .what("A control character stands inside the URL.")
        .why("It cannot be seen, and does not survive mail or copying.")
        .advice("take it out, or encode it")
        .urls("http://www.host.dom/a\u{7f}b", "http://www.host.dom/a%7Fb")
        .beside(&["escape.control"]),
    Unsafe,
    encode_risky,
);

pub(crate) static NON_ASCII: Reported = Reported::mended(
    Meta::of(Code::CharNonAscii)
        .usually(Usually::RemarkIfBare, "In running text it is mostly a pattern or a piece of a program, not a link.")
        .what("A character outside US-ASCII stands inside the URL.")
        .why("URLs are made of US-ASCII; which octets another character stands for depends on a charset that gets lost.")
        .advice("encode it")
        .urls("http://www.host.dom/caf\u{e9}", "http://www.host.dom/caf%C3%A9")
        .under(Profile::Rfc1738),
    Safe,
    encode,
);

pub(crate) static UNSAFE: Reported = Reported::mended(
    Meta::of(Code::CharUnsafe)
        .usually(Usually::RemarkIfBare, "In running text it is mostly a pattern or a piece of a program, not a link. In queries and fragments browsers mend it.")
        .what("One of `< > \" { } | \\ ^ [ ]` or the backquote (in RFC 1738 also `~`) stands inside the URL.")
        .why("They delimit URLs in text, or gateways change them.")
        .advice("encode it")
        .urls("http://www.host.dom/~joe/", "http://www.host.dom/%7Ejoe/")
        .under(Profile::Rfc1738),
    Safe,
    encode,
);

pub(crate) static RESERVED: Reported = Reported::mended(
    Meta::of(Code::CharReserved)
        .usually(
            Usually::RemarkIfBare,
            "In running text it is mostly a pattern or a piece of a program, not a link.",
        )
        .what("A character that the scheme reserves stands where it can have no meaning.")
        .why("Programs that give it one will split the URL at another place.")
        .advice("encode it, if it stands for itself")
        .urls("http://www.host.dom/a?b/c", "http://www.host.dom/a?b%2Fc")
        .under(Profile::Rfc1738),
    Unsafe,
    encode_delimiter,
);

pub(crate) static FRAGMENT: Reported = Reported::mended(
    Meta::of(Code::CharFragment)
        .usually(
            Usually::RemarkIfBare,
            "In running text it is mostly a pattern or a piece of a program, not a link.",
        )
        .what(
            "`#` is no part of a URL; it separates it from a fragment, of which there can be one.",
        )
        .why("Programs cut the URL at the first `#`; a second one stands in nobody's grammar.")
        .advice("encode it, if it stands for itself")
        .urls("http://www.host.dom/a#b#c", "http://www.host.dom/a#b%23c")
        .under(Profile::Rfc3986),
    Unsafe,
    encode_delimiter,
);

pub(crate) static FRAGMENT_CHAR: Reported = Reported::of(
    Meta::of(Code::FragmentChar)
        .usually(
            Usually::RemarkIfBare,
            "In running text it is mostly a pattern or a piece of a program, not a link.",
        )
        .what("This scheme has no fragments.")
        .why("A fragment names a place in a document, and URLs of this scheme lead to none.")
        .advice("leave the fragment out")
        .urls("telnet://host.dom/#a", "telnet://host.dom/")
        .under(Profile::Rfc3986)
        .strictly(),
);

pub(crate) static QUERY_CHAR: Reported = Reported::mended(
    Meta::of(Code::QueryChar)
        .usually(
            Usually::RemarkIfBare,
            "In running text it is mostly a pattern or a piece of a program, not a link.",
        )
        .what("This scheme has no query.")
        .why("A `?` would start one.")
        .advice("encode it, if it stands for itself")
        .urls("ftp://host.dom/a?b", "ftp://host.dom/a%3Fb")
        .under(Profile::Rfc3986),
    Unsafe,
    encode_delimiter,
);

pub(crate) static UNENCODED: Reported = Reported::mended(
    Meta::of(Code::CharUnencoded)
        .usually(Usually::Remark, "Browsers mend it, and servers take it.")
        .what("One of `{ } | \\ ^` or the backquote stands unencoded in the path, query or fragment.")
        .why("Browsers mend it on the way; strict servers answer 400, and other programs end the URL there.")
        .advice("encode it")
        .urls("http://www.host.dom/a|b", "http://www.host.dom/a%7Cb"),
    Safe,
    encode,
);

pub(crate) static SECOND_HASH: Reported = Reported::mended(
    Meta::of(Code::FragmentSecondHash)
        .usually(Usually::Remark, "Browsers mend it, and servers take it.")
        .what("A further `#` stands in the fragment.")
        .why("Browsers take it for a part of the fragment, and programs in pages write it; RFC 3986 has only one.")
        .advice("encode it")
        .urls("http://www.host.dom/#/a#b", "http://www.host.dom/#/a%23b"),
    Unsafe,
    encode_hash,
);

pub(crate) static IRI: Reported = Reported::mended(
    Meta::of(Code::IriNonAscii)
        .usually(Usually::Nothing, "Browsers and Markdown take it as it stands.")
        .what("A character outside US-ASCII makes this an IRI.")
        .why("Browsers follow it; programs that take only URLs do not, and mail may change its charset.")
        .advice("write it encoded where the reader may be a program")
        .urls("http://www.host.dom/caf\u{e9}", "http://www.host.dom/caf%C3%A9"),
    Unsafe,
    encode_risky,
);

pub(crate) static MALFORMED: Reported = Reported::mended(
    Meta::of(Code::EscapeMalformed)
        .usually(Usually::RemarkIfBare, "In running text it is mostly a pattern or a piece of a program, not a link.")
        .what("`%` is not followed by two hexadecimal digits.")
        .why("`%` is used for nothing but escapes. Here one is cut short, or a `%` stands for itself.")
        .advice("complete the escape; if the `%` stands for itself, write `%25`")
        .urls("http://www.host.dom/50%", "http://www.host.dom/50%25")
        .under(Profile::Rfc3986),
    Unsafe,
    encode_percent,
);

pub(crate) static LONE_PERCENT: Reported = Reported::mended(
    Meta::of(Code::EscapeLonePercent)
        .usually(Usually::Remark, "Browsers mend it, and servers take it.")
        .what("`%` is not followed by two hexadecimal digits.")
        .why("Browsers take it for itself; strict servers answer 400. The escape may also have been cut short.")
        .advice("complete the escape; if the `%` stands for itself, write `%25`")
        .urls("http://www.host.dom/50%", "http://www.host.dom/50%25"),
    Unsafe,
    encode_percent,
);

pub(crate) static ESCAPE_LOWERCASE: Reported = Reported::mended(
    Meta::of(Code::EscapeLowercase)
        .what("The hexadecimal digits of an escape are in lower case.")
        .why("Both mean the same, but upper case is the normal form: the same page seems to have two URLs.")
        .advice("write the digits in upper case")
        .urls("http://www.host.dom/a%2fb", "http://www.host.dom/a%2Fb"),
    Safe,
    uppercase,
);

pub(crate) static NEEDLESS: Reported = Reported::mended(
    Meta::of(Code::EscapeNeedless)
        .what("A character is encoded that need not be.")
        .why("Both mean the same, but the plain form is easier to read, and the normal one.")
        .advice("write the character itself")
        .urls("http://www.host.dom/%61", "http://www.host.dom/a"),
    Safe,
    decode,
);

pub(crate) static ESCAPE_CONTROL: Reported = Reported::of(
    Meta::of(Code::EscapeControl)
        .usually(Usually::Remark, "Mail addresses with a text, and other queries, hold line ends for good reason.")
        .what("An encoded control character stands in the URL.")
        .why("Decoded in the wrong place it ends strings or changes terminals; a resource seldom needs one.")
        .advice("leave it out, unless the server is known to want it")
        .urls("http://www.host.dom/a%00b", "http://www.host.dom/ab"),
)
.unless(is_in_mail);

pub(crate) static CRLF: Reported = Reported::of(
    Meta::of(Code::SecurityEncodedCrlf)
        .usually(Usually::Remark, "Mail addresses with a text, and other queries, hold line ends for good reason.")
        .what("An encoded carriage return or line feed stands in the URL.")
        .why("A client that decodes it before sending sends a second command, or a second header, of the writer's choice.")
        .advice("leave it out")
        .urls("ftp://host.dom/a%0D%0ADELE%20b", "ftp://host.dom/a")
        .beside(&["escape.control"]),
)
.unless(is_in_mail);

/// RFC 6068 §5 wants the line ends of a mail's text encoded.
fn is_in_mail(cx: &Context<'_>) -> bool {
    cx.profile == Profile::Web && cx.scheme() == "mailto"
}
