//! Rules for characters and escapes that the core crate reports.

use super::fixes::{
    decode_escape, encode_delimiter, encode_hash, encode_or_delete, encode_or_delete_unsafely,
    encode_percent, fix_space, replace_lookalike_tilde, uppercase_escape,
};
use crate::context::Context;
use crate::edit::Applicability::{Safe, Unsafe};
use crate::rule::{LenientLevel, Meta, Reported};
use urlsift_core::{Code, Profile};

pub(crate) static SPACE: Reported = Reported::with_fix(
    Meta::from_code(Code::CharSpace)
        .with_lenient_level(LenientLevel::InfoIfBare, "In queries and fragments, such as the subject of a mail, browsers encode the space themselves.")
        .with_description("The URL contains a space.")
        .with_reason("Spaces appear and disappear when text is typeset, copied or wrapped, and most programs end the URL there.")
        .with_advice("write `%20`, or remove the space")
        .with_example_urls("http://www.host.dom/a b", "http://www.host.dom/a%20b"),
    Safe,
    fix_space,
);

/// The advice if the fix deletes a closing quote or bracket.
const REMOVE: &str = "remove the character, because it is not part of the URL";

pub(crate) static CONTROL: Reported = Reported::with_fix(
    Meta::from_code(Code::CharControl)
        .lenient_if_bare()
        .with_description("The URL contains a control character.")
        .with_reason(
            "Control characters are invisible, and are lost when the text is mailed or copied.",
        )
        .with_advice("remove the control character, or percent-encode it")
        .with_example_urls("http://www.host.dom/a\u{7f}b", "http://www.host.dom/a%7Fb")
        .with_other_rules(&["escape.control"]),
    Unsafe,
    encode_or_delete_unsafely,
);

pub(crate) static NON_ASCII: Reported = Reported::with_fix(
    Meta::from_code(Code::CharNonAscii)
        .lenient_if_bare()
        .with_description("The URL contains a character outside US-ASCII.")
        .with_reason("URLs consist of US-ASCII characters. The bytes of any other character depend on the charset of the text, and the name of the charset is easily lost.")
        .with_advice("percent-encode the character")
        .with_example_urls("http://www.host.dom/caf\u{e9}", "http://www.host.dom/caf%C3%A9")
        .with_example_profile(Profile::Rfc1738),
    Safe,
    encode_or_delete,
)
.with_advice_if_deleted(REMOVE);

pub(crate) static UNSAFE: Reported = Reported::with_fix(
    Meta::from_code(Code::CharUnsafe)
        .with_lenient_level(LenientLevel::InfoIfBare, "In running text, such a URL is usually a pattern or part of a program, not a link. In queries and fragments, browsers encode the character themselves.")
        .with_description("The URL contains one of `< > \" { } | \\ ^ [ ]` or a backquote (in RFC 1738 also `~`).")
        .with_reason("These characters mark the end of a URL in text, or gateways change them.")
        .with_advice("percent-encode the character")
        .with_example_urls("http://www.host.dom/~joe/", "http://www.host.dom/%7Ejoe/")
        .with_example_profile(Profile::Rfc1738),
    Safe,
    encode_or_delete,
)
.with_advice_if_deleted(REMOVE);

pub(crate) static RESERVED: Reported = Reported::with_fix(
    Meta::from_code(Code::CharReserved)
        .lenient_if_bare()
        .with_description(
            "A character that the scheme reserves is in a position where it has no meaning.",
        )
        .with_reason(
            "Programs that treat the character as a delimiter split the URL at the wrong position.",
        )
        .with_advice("percent-encode the character if it is part of a name")
        .with_example_urls("http://www.host.dom/a?b/c", "http://www.host.dom/a?b%2Fc")
        .with_example_profile(Profile::Rfc1738),
    Unsafe,
    encode_delimiter,
);

pub(crate) static FRAGMENT: Reported = Reported::with_fix(
    Meta::from_code(Code::CharFragment)
        .lenient_if_bare()
        .with_description("The URL contains a second `#`, or a `#` where a fragment is not allowed. A `#` separates a URL from its fragment, and there can be only one.")
        .with_reason("Programs end the URL at the first `#`, and no grammar allows a second one.")
        .with_advice("percent-encode the character if it is part of a name")
        .with_example_urls("http://www.host.dom/a#b#c", "http://www.host.dom/a#b%23c")
        .with_example_profile(Profile::Rfc3986),
    Unsafe,
    encode_delimiter,
);

pub(crate) static FRAGMENT_CHAR: Reported = Reported::without_fix(
    Meta::from_code(Code::FragmentChar)
        .lenient_if_bare()
        .with_description("The URL has a fragment, which its scheme doesn't allow.")
        .with_reason(
            "A fragment points into a document, and URLs of this scheme don't lead to documents.",
        )
        .with_advice("remove the fragment")
        .with_example_urls("telnet://host.dom/#a", "telnet://host.dom/")
        .with_example_profile(Profile::Rfc3986)
        .as_strict_urls(),
);

pub(crate) static QUERY_CHAR: Reported = Reported::with_fix(
    Meta::from_code(Code::QueryChar)
        .lenient_if_bare()
        .with_description("The URL contains a `?`, but its scheme has no query.")
        .with_reason("Programs read the `?` as the start of a query.")
        .with_advice("percent-encode the character if it is part of a name")
        .with_example_urls("ftp://host.dom/a?b", "ftp://host.dom/a%3Fb")
        .with_example_profile(Profile::Rfc3986),
    Unsafe,
    encode_delimiter,
);

pub(crate) static UNENCODED: Reported = Reported::with_fix(
    Meta::from_code(Code::CharUnencoded)
        .with_lenient_level(LenientLevel::Info, "Browsers and most servers accept it.")
        .with_description("The path, query or fragment contains one of `{ } [ ] | \\ ^` or a backquote.")
        .with_reason("Browsers encode only some of these characters in a path, and none in a query. If the character is sent unencoded, strict servers answer with status 400. Some programs end the URL at the character.")
        .with_advice("percent-encode the character")
        .with_example_urls("http://www.host.dom/a|b", "http://www.host.dom/a%7Cb"),
    Safe,
    encode_or_delete,
)
.with_advice_if_deleted(REMOVE);

pub(crate) static LOOK_ALIKE: Reported = Reported::with_fix(
    Meta::from_code(Code::CharLookAlike)
        .with_lenient_level(LenientLevel::Info, "`urlsift scan` reads the character as `~`.")
        .with_description("The path contains a character that looks like `~`, right after a slash and before a letter.")
        .with_reason("Old Japanese and Macintosh programs wrote another character in place of the `~` before a user's name. Servers expect a `~`.")
        .with_advice("write `~`")
        .with_example_urls("http://www.host.dom/\u{2dc}joe/", "http://www.host.dom/~joe/"),
    Safe,
    replace_lookalike_tilde,
);

pub(crate) static SECOND_HASH: Reported = Reported::with_fix(
    Meta::from_code(Code::FragmentSecondHash)
        .with_lenient_level(LenientLevel::Info, "Browsers accept it.")
        .with_description("The fragment contains another `#`.")
        .with_reason("Browsers read the second `#` as part of the fragment, and scripts in pages write such fragments. But RFC 3986 allows only one `#`.")
        .with_advice("percent-encode the second `#`")
        .with_example_urls("http://www.host.dom/#/a#b", "http://www.host.dom/#/a%23b"),
    Unsafe,
    encode_hash,
);

pub(crate) static IRI: Reported = Reported::with_fix(
    Meta::from_code(Code::IriNonAscii)
        .with_lenient_level(LenientLevel::Off, "Browsers and Markdown accept it.")
        .with_description("The URL contains a character outside US-ASCII, which makes it an IRI.")
        .with_reason("Browsers follow IRIs. Programs that accept only URLs don't, and mail may change the charset of the text.")
        .with_advice("percent-encode the character if programs read the text")
        .with_example_urls("http://www.host.dom/caf\u{e9}", "http://www.host.dom/caf%C3%A9"),
    Unsafe,
    encode_or_delete_unsafely,
);

pub(crate) static MALFORMED: Reported = Reported::with_fix(
    Meta::from_code(Code::EscapeMalformed)
        .lenient_if_bare()
        .with_description("`%` is not followed by two hexadecimal digits.")
        .with_reason("`%` always starts an escape sequence. Either the escape is incomplete, or a literal `%` was intended.")
        .with_advice("complete the escape, or write `%25` for a literal `%`")
        .with_example_urls("http://www.host.dom/50%", "http://www.host.dom/50%25")
        .with_example_profile(Profile::Rfc3986),
    Unsafe,
    encode_percent,
);

pub(crate) static LONE_PERCENT: Reported = Reported::with_fix(
    Meta::from_code(Code::EscapeLonePercent)
        .with_lenient_level(LenientLevel::Info, "Browsers and most servers accept it.")
        .with_description("`%` is not followed by two hexadecimal digits.")
        .with_reason("Browsers read such a `%` literally, but strict servers answer with status 400. The escape may also have been cut short.")
        .with_advice("complete the escape, or write `%25` for a literal `%`")
        .with_example_urls("http://www.host.dom/50%", "http://www.host.dom/50%25"),
    Unsafe,
    encode_percent,
);

pub(crate) static ESCAPE_LOWERCASE: Reported = Reported::with_fix(
    Meta::from_code(Code::EscapeLowercase)
        .with_description("The hexadecimal digits of an escape are in lower case.")
        .with_reason("Hexadecimal digits in upper and lower case mean the same, but upper case is the normal form. With two spellings, the same page appears to have two URLs.")
        .with_advice("write the digits in upper case")
        .with_example_urls("http://www.host.dom/a%2fb", "http://www.host.dom/a%2Fb"),
    Safe,
    uppercase_escape,
);

pub(crate) static NEEDLESS: Reported = Reported::with_fix(
    Meta::from_code(Code::EscapeNeedless)
        .with_description("A character is percent-encoded although it needs no encoding.")
        .with_reason("The escape and the plain character mean the same, but the plain character is easier to read, and is the normal form.")
        .with_advice("write the character itself")
        .with_example_urls("http://www.host.dom/%61", "http://www.host.dom/a"),
    Safe,
    decode_escape,
);

pub(crate) static ESCAPE_CONTROL: Reported = Reported::without_fix(
    Meta::from_code(Code::EscapeControl)
        .with_lenient_level(LenientLevel::Info, "Mail links with a body text and other queries contain encoded line breaks for good reason.")
        .with_description("The URL contains an encoded control character.")
        .with_reason("A program that decodes the character may end a string there, or send the character to a terminal. Names of resources seldom contain control characters.")
        .with_advice("remove the control character unless the server is known to need it")
        .with_example_urls("http://www.host.dom/a%00b", "http://www.host.dom/ab"),
)
.with_exclusion(is_mail_link);

pub(crate) static CRLF: Reported = Reported::without_fix(
    Meta::from_code(Code::SecurityEncodedCrlf)
        .with_lenient_level(LenientLevel::Info, "Mail links with a body text and other queries contain encoded line breaks for good reason.")
        .with_description("The URL contains an encoded carriage return or line feed.")
        .with_reason("If a client decodes the line break before it sends the request, it sends a second command or header. The author of the URL chooses this command.")
        .with_advice("remove the line break")
        .with_example_urls("ftp://host.dom/a%0D%0ADELE%20b", "ftp://host.dom/a")
        .with_other_rules(&["escape.control"]),
)
.with_exclusion(is_mail_link);

/// True if the URL is a `mailto:` link, in which line breaks must be encoded (RFC 6068 §5).
fn is_mail_link(cx: &Context<'_>) -> bool {
    cx.profile == Profile::Web && cx.scheme() == "mailto"
}
