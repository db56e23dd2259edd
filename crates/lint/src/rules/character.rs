//! Rules for characters and escapes that the core crate reports.

use super::fixes::{
    decode_escape, encode_delimiter, encode_hash, encode_or_delete, encode_percent, encode_risky,
    fix_space, uppercase_escape, write_tilde,
};
use crate::context::Context;
use crate::edit::Applicability::{Safe, Unsafe};
use crate::rule::{LenientLevel, Meta, Reported};
use urlsift_core::{Code, Profile};

pub(crate) static SPACE: Reported = Reported::with_fix(
    Meta::from_code(Code::CharSpace)
        .lenient(LenientLevel::InfoIfBare, "In queries and fragments, such as the subject of a mail, browsers encode the space themselves.")
        .what("The URL contains a space.")
        .why("Spaces appear and disappear when text is typeset, copied or wrapped, and most programs end the URL there.")
        .advice("write `%20`, or remove the space")
        .urls("http://www.host.dom/a b", "http://www.host.dom/a%20b"),
    Safe,
    fix_space,
);

pub(crate) static CONTROL: Reported = Reported::with_fix(
    Meta::from_code(Code::CharControl)
        .lenient_if_bare()
        .what("The URL contains a control character.")
        .why("Control characters are invisible, and are lost when the text is mailed or copied.")
        .advice("remove the control character, or percent-encode it")
        .urls("http://www.host.dom/a\u{7f}b", "http://www.host.dom/a%7Fb")
        .other_rules(&["escape.control"]),
    Unsafe,
    encode_risky,
);

pub(crate) static NON_ASCII: Reported = Reported::with_fix(
    Meta::from_code(Code::CharNonAscii)
        .lenient_if_bare()
        .what("The URL contains a character outside US-ASCII.")
        .why("URLs consist of US-ASCII characters. The bytes of any other character depend on the charset of the text, and the name of the charset is easily lost.")
        .advice("percent-encode the character")
        .urls("http://www.host.dom/caf\u{e9}", "http://www.host.dom/caf%C3%A9")
        .profile(Profile::Rfc1738),
    Safe,
    encode_or_delete,
);

pub(crate) static UNSAFE: Reported = Reported::with_fix(
    Meta::from_code(Code::CharUnsafe)
        .lenient(LenientLevel::InfoIfBare, "In running text, such a URL is usually a pattern or part of a program, not a link. In queries and fragments, browsers encode the character themselves.")
        .what("The URL contains one of `< > \" { } | \\ ^ [ ]` or a backquote (in RFC 1738 also `~`).")
        .why("These characters mark the end of a URL in text, or gateways change them.")
        .advice("percent-encode the character")
        .urls("http://www.host.dom/~joe/", "http://www.host.dom/%7Ejoe/")
        .profile(Profile::Rfc1738),
    Safe,
    encode_or_delete,
);

pub(crate) static RESERVED: Reported = Reported::with_fix(
    Meta::from_code(Code::CharReserved)
        .lenient_if_bare()
        .what("A character that the scheme reserves is in a position where it has no meaning.")
        .why(
            "Programs that treat the character as a delimiter split the URL at the wrong position.",
        )
        .advice("percent-encode the character if it is part of a name")
        .urls("http://www.host.dom/a?b/c", "http://www.host.dom/a?b%2Fc")
        .profile(Profile::Rfc1738),
    Unsafe,
    encode_delimiter,
);

pub(crate) static FRAGMENT: Reported = Reported::with_fix(
    Meta::from_code(Code::CharFragment)
        .lenient_if_bare()
        .what("The URL contains a second `#`, or a `#` where a fragment is not allowed. A `#` separates a URL from its fragment, and there can be only one.")
        .why("Programs end the URL at the first `#`, and no grammar allows a second one.")
        .advice("percent-encode the character if it is part of a name")
        .urls("http://www.host.dom/a#b#c", "http://www.host.dom/a#b%23c")
        .profile(Profile::Rfc3986),
    Unsafe,
    encode_delimiter,
);

pub(crate) static FRAGMENT_CHAR: Reported = Reported::without_fix(
    Meta::from_code(Code::FragmentChar)
        .lenient_if_bare()
        .what("The URL has a fragment, which its scheme doesn't allow.")
        .why("A fragment points into a document, and URLs of this scheme don't lead to documents.")
        .advice("remove the fragment")
        .urls("telnet://host.dom/#a", "telnet://host.dom/")
        .profile(Profile::Rfc3986)
        .as_strict_urls(),
);

pub(crate) static QUERY_CHAR: Reported = Reported::with_fix(
    Meta::from_code(Code::QueryChar)
        .lenient_if_bare()
        .what("The URL contains a `?`, but its scheme has no query.")
        .why("Programs read the `?` as the start of a query.")
        .advice("percent-encode the character if it is part of a name")
        .urls("ftp://host.dom/a?b", "ftp://host.dom/a%3Fb")
        .profile(Profile::Rfc3986),
    Unsafe,
    encode_delimiter,
);

pub(crate) static UNENCODED: Reported = Reported::with_fix(
    Meta::from_code(Code::CharUnencoded)
        .lenient(LenientLevel::Info, "Browsers encode it themselves, and servers accept it.")
        .what("The path, query or fragment contains one of `{ } [ ] | \\ ^` or a backquote.")
        .why("Browsers encode the character themselves. But other clients may send it as it is, and strict servers then answer with status 400. Some programs end the URL at the character.")
        .advice("percent-encode the character")
        .urls("http://www.host.dom/a|b", "http://www.host.dom/a%7Cb"),
    Safe,
    encode_or_delete,
);

pub(crate) static LOOK_ALIKE: Reported = Reported::with_fix(
    Meta::from_code(Code::CharLookAlike)
        .lenient(LenientLevel::Info, "`urlsift scan` reads the character as `~`.")
        .what("The path contains a character that looks like `~`, right after a slash and before a letter.")
        .why("Old Japanese and Macintosh programs wrote another character in place of the `~` before a user's name. Servers expect a `~`.")
        .advice("write `~`")
        .urls("http://www.host.dom/\u{2dc}joe/", "http://www.host.dom/~joe/"),
    Safe,
    write_tilde,
);

pub(crate) static SECOND_HASH: Reported = Reported::with_fix(
    Meta::from_code(Code::FragmentSecondHash)
        .lenient(LenientLevel::Info, "Browsers accept it.")
        .what("The fragment contains another `#`.")
        .why("Browsers read the second `#` as part of the fragment, and scripts in pages write such fragments. But RFC 3986 allows only one `#`.")
        .advice("percent-encode the second `#`")
        .urls("http://www.host.dom/#/a#b", "http://www.host.dom/#/a%23b"),
    Unsafe,
    encode_hash,
);

pub(crate) static IRI: Reported = Reported::with_fix(
    Meta::from_code(Code::IriNonAscii)
        .lenient(LenientLevel::Off, "Browsers and Markdown accept it.")
        .what("The URL contains a character outside US-ASCII, which makes it an IRI.")
        .why("Browsers follow IRIs. Programs that accept only URLs don't, and mail may change the charset of the text.")
        .advice("percent-encode the character if programs read the text")
        .urls("http://www.host.dom/caf\u{e9}", "http://www.host.dom/caf%C3%A9"),
    Unsafe,
    encode_risky,
);

pub(crate) static MALFORMED: Reported = Reported::with_fix(
    Meta::from_code(Code::EscapeMalformed)
        .lenient_if_bare()
        .what("`%` is not followed by two hexadecimal digits.")
        .why("`%` always starts an escape sequence. Either the escape is incomplete, or a literal `%` was intended.")
        .advice("complete the escape, or write `%25` for a literal `%`")
        .urls("http://www.host.dom/50%", "http://www.host.dom/50%25")
        .profile(Profile::Rfc3986),
    Unsafe,
    encode_percent,
);

pub(crate) static LONE_PERCENT: Reported = Reported::with_fix(
    Meta::from_code(Code::EscapeLonePercent)
        .lenient(LenientLevel::Info, "Browsers encode it themselves, and servers accept it.")
        .what("`%` is not followed by two hexadecimal digits.")
        .why("Browsers read such a `%` literally, but strict servers answer with status 400. The escape may also have been cut short.")
        .advice("complete the escape, or write `%25` for a literal `%`")
        .urls("http://www.host.dom/50%", "http://www.host.dom/50%25"),
    Unsafe,
    encode_percent,
);

pub(crate) static ESCAPE_LOWERCASE: Reported = Reported::with_fix(
    Meta::from_code(Code::EscapeLowercase)
        .what("The hexadecimal digits of an escape are in lower case.")
        .why("Digits in upper and lower case mean the same, but upper case is the normal form. With two spellings, the same page appears to have two URLs.")
        .advice("write the digits in upper case")
        .urls("http://www.host.dom/a%2fb", "http://www.host.dom/a%2Fb"),
    Safe,
    uppercase_escape,
);

pub(crate) static NEEDLESS: Reported = Reported::with_fix(
    Meta::from_code(Code::EscapeNeedless)
        .what("A character is percent-encoded although it needs no encoding.")
        .why("The escape and the plain character mean the same, but the plain character is easier to read, and is the normal form.")
        .advice("write the character itself")
        .urls("http://www.host.dom/%61", "http://www.host.dom/a"),
    Safe,
    decode_escape,
);

pub(crate) static ESCAPE_CONTROL: Reported = Reported::without_fix(
    Meta::from_code(Code::EscapeControl)
        .lenient(LenientLevel::Info, "Mail links with a body text and other queries contain encoded line breaks for good reason.")
        .what("The URL contains an encoded control character.")
        .why("A program that decodes the character may end a string there, or send the character to a terminal. Names of resources seldom contain control characters.")
        .advice("remove the control character unless the server is known to need it")
        .urls("http://www.host.dom/a%00b", "http://www.host.dom/ab"),
)
.unless(is_in_mail);

pub(crate) static CRLF: Reported = Reported::without_fix(
    Meta::from_code(Code::SecurityEncodedCrlf)
        .lenient(LenientLevel::Info, "Mail links with a body text and other queries contain encoded line breaks for good reason.")
        .what("The URL contains an encoded carriage return or line feed.")
        .why("If a client decodes the line break before it sends the request, it sends a second command or header. The author of the URL chooses this command.")
        .advice("remove the line break")
        .urls("ftp://host.dom/a%0D%0ADELE%20b", "ftp://host.dom/a")
        .other_rules(&["escape.control"]),
)
.unless(is_in_mail);

/// True if the URL is a `mailto:` link, in which line breaks must be encoded (RFC 6068 §5).
fn is_in_mail(cx: &Context<'_>) -> bool {
    cx.profile == Profile::Web && cx.scheme() == "mailto"
}
