//! The table of violation and finding codes. Their names are stable.

use crate::Level;
use core::fmt;

macro_rules! codes {
    ($( $variant:ident, $name:literal, $level:ident, $rfc:literal, $section:literal, $message:literal; )+) => {
        /// The stable code of a violation or finding, such as `host.empty`.
        ///
        /// The first word of a code's name is the part of the URL, or of the wrapper around it,
        /// that the code is about.
        ///
        /// ```
        /// use urlsift_core::{Code, Level};
        /// let code = Code::by_name("host.toplabel").unwrap();
        /// assert_eq!((code.rfc(), code.section(), code.level()), (1738, "3.1", Level::Error));
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Code {
            $( #[doc = concat!("`", $name, "`: ", $message, " (RFC ", stringify!($rfc), " §", $section, ").")] $variant, )+
        }

        impl Code {
            /// Every code, in the order of the table.
            pub const ALL: &'static [Self] = &[ $( Self::$variant, )+ ];

            /// Returns the dotted name, as in records: e.g. `host.empty`.
            pub const fn name(self) -> &'static str {
                match self { $( Self::$variant => $name, )+ }
            }

            /// Returns the usual level of reports with this code.
            pub const fn level(self) -> Level {
                match self { $( Self::$variant => Level::$level, )+ }
            }

            /// Returns the number of the RFC that the violated rule comes from.
            pub const fn rfc(self) -> u16 {
                match self { $( Self::$variant => $rfc, )+ }
            }

            /// Returns the section of that RFC in which the rule is, without the `§`.
            pub const fn section(self) -> &'static str {
                match self { $( Self::$variant => $section, )+ }
            }

            /// Returns an explanation of the fault: one clause without a full stop.
            pub const fn message(self) -> &'static str {
                match self { $( Self::$variant => $message, )+ }
            }
        }
    };
}

codes! {
    // Violations.
    SchemeMissing, "scheme.missing", Error, 1738, "2.1", "the URL has no scheme (a name followed by a colon)";
    SchemeChar, "scheme.char", Error, 1738, "2.1", "a scheme may contain only letters, digits, `+`, `.` and `-`";
    CissSlashes, "ciss.slashes", Error, 1738, "3.1", "this scheme needs `//` right after its colon";
    UserinfoNotAllowed, "userinfo.not-allowed", Error, 1738, "3.1", "this scheme has no user name or password";
    UserinfoChar, "userinfo.char", Error, 1738, "3.1", "`:`, `@` and `/` must be encoded within a user name or password";
    HostEmpty, "host.empty", Error, 1738, "3.1", "the host is missing";
    HostChar, "host.char", Error, 1738, "3.1", "this character is not allowed in a host";
    HostLabel, "host.label", Error, 1738, "3.1", "a label of the host is empty, or starts or ends with a hyphen";
    HostToplabel, "host.toplabel", Error, 1738, "3.1", "the last label of a host must start with a letter, unless the host is an IPv4 address";
    HostIpLiteral, "host.ip-literal", Error, 3986, "3.2.2", "this is not a valid IP address in brackets (zone ids were withdrawn by RFC 9844)";
    PortEmpty, "port.empty", Error, 1738, "3.1", "there is a colon, but no port after it";
    PortChar, "port.char", Error, 1738, "3.1", "a port must be a decimal number";
    PortNotAllowed, "port.not-allowed", Error, 1738, "3.10", "this scheme has no port";
    PathMissing, "path.missing", Error, 1738, "3.1", "this scheme needs a path";
    PathChar, "path.char", Error, 1738, "3.1", "a `/` must come before this character";
    CharSpace, "char.space", Error, 1738, "2.2", "a space must be encoded";
    CharControl, "char.control", Error, 1738, "2.2", "a control character must be encoded";
    CharNonAscii, "char.non-ascii", Error, 1738, "2.2", "a character outside US-ASCII must be encoded";
    CharUnsafe, "char.unsafe", Error, 1738, "2.2", "this unsafe character must be encoded";
    CharFragment, "char.fragment", Error, 1738, "2.2", "`#` is not part of a URL; it starts a fragment";
    CharReserved, "char.reserved", Error, 1738, "2.2", "this reserved character must be encoded here";
    EscapeMalformed, "escape.malformed", Error, 1738, "2.2", "`%` must be followed by two hexadecimal digits";
    FtpType, "ftp.type", Error, 1738, "3.2.2", "`;` must be followed by `type=` and one of a, i, d";
    GopherType, "gopher.type", Error, 1738, "3.4.1", "the gopher type must be one character other than a tab";
    GopherControl, "gopher.control", Error, 1738, "3.4.1", "a gopher selector cannot contain CR or LF";
    MailtoEmpty, "mailto.empty", Error, 1738, "3.5", "there is no address after `mailto:`";
    MailtoAddrSpec, "mailto.addr-spec", Error, 1738, "3.5", "the text after `mailto:` is not a mail address";
    MailtoHeader, "mailto.header", Error, 6068, "2", "the header fields after `?` are malformed";
    NewsEmpty, "news.empty", Error, 1738, "3.6", "there is no newsgroup or Message-ID after the scheme";
    NewsGroup, "news.group", Error, 1738, "3.6", "this is not a newsgroup name";
    NewsArticle, "news.article", Error, 1738, "3.6", "this is not a Message-ID";
    NewsWildmat, "news.wildmat", Error, 5538, "4", "this is not a newsgroup name or pattern";
    NntpGroup, "nntp.group", Error, 1738, "3.7", "this is not a newsgroup name";
    NntpArticleNumber, "nntp.article-number", Error, 1738, "3.7", "an article number must be a decimal number";
    TelnetPath, "telnet.path", Error, 1738, "3.8", "nothing can follow the `/` after the host";
    WaisForm, "wais.form", Error, 1738, "3.9", "this matches none of the three forms of a WAIS URL";
    ProsperoField, "prospero.field", Error, 1738, "3.11", "a Prospero field must be written as `;name=value`";
    QueryChar, "query.char", Error, 3986, "3.4", "this scheme has no query";
    FragmentChar, "fragment.char", Error, 3986, "3.5", "this scheme has no fragment";

    // Findings about valid but doubtful parts.
    SchemeUppercase, "scheme.uppercase", Info, 1738, "2.1", "the scheme should be in lower case";
    SchemeLeadingNonalpha, "scheme.leading-nonalpha", Warning, 1738, "5", "the scheme does not start with a letter";
    SchemeExperimental, "scheme.experimental", Info, 1738, "4", "the scheme is experimental";
    SchemeReservedName, "scheme.reserved-name", Info, 1738, "4", "the scheme's name is reserved, but its syntax is undefined";
    SchemeHistoric, "scheme.historic", Info, 7595, "3", "the scheme is historic";
    EscapeLowercase, "escape.lowercase", Info, 1738, "2.2", "the digits of an escape should be in upper case";
    EscapeNeedless, "escape.needless", Info, 1738, "2.2", "this character needs no encoding";
    EscapeControl, "escape.control", Warning, 1738, "6", "the URL contains an encoded control character";
    EscapeLonePercent, "escape.lone-percent", Warning, 3986, "2.1", "`%` without two hexadecimal digits is read as `%25`";
    CharUnencoded, "char.unencoded", Warning, 3986, "2", "this character should be encoded";
    CharLookAlike, "char.look-alike", Warning, 3986, "2.3", "this character looks like `~` and is read as one";
    FragmentSecondHash, "fragment.second-hash", Warning, 3986, "3.5", "another `#` in the fragment should be encoded";
    SecurityPassword, "security.password", Warning, 1738, "6", "the URL contains a password";
    SecurityEncodedCrlf, "security.encoded-crlf", Warning, 1738, "6", "an encoded line break can inject protocol commands";
    UserinfoEmptyUser, "userinfo.empty-user", Info, 1738, "3.1", "the user name is empty, which is not the same as no user name";
    UserinfoEmptyPassword, "userinfo.empty-password", Info, 1738, "3.1", "the password is empty, which is not the same as no password";
    UserinfoHttp, "userinfo.http", Warning, 9110, "4.2.4", "a user name in an http URL is deprecated, and often meant to deceive";
    PortNondefault, "port.nondefault", Warning, 1738, "6", "the port is not the scheme's default";
    PortReservedRange, "port.reserved-range", Warning, 1738, "6", "the port belongs to another well-known service";
    PortOutOfRange, "port.out-of-range", Warning, 1738, "3.1", "the port is not between 1 and 65535";
    PortDefault, "port.default", Info, 1738, "3.1", "the port is the scheme's default and need not be given";
    PortLeadingZero, "port.leading-zero", Info, 1738, "3.1", "the port has leading zeros";
    HostSingleLabel, "host.single-label", Info, 1738, "3.1", "the host is not fully qualified";
    HostIpv4Range, "host.ipv4-range", Warning, 1738, "3.1", "each number of an IPv4 address must be from 0 to 255";
    HostIpv4LeadingZero, "host.ipv4-leading-zero", Warning, 3986, "7.4", "some programs read a number with a leading zero as octal";
    HostNumericLabel, "host.numeric-label", Warning, 3986, "3.2.2", "the last label of the host is a number";
    HostUnderscore, "host.underscore", Warning, 1123, "2.1", "host names cannot contain underscores";
    HostLabelLength, "host.label-length", Warning, 1034, "3.1", "a label of the host is longer than 63 bytes";
    HostLength, "host.length", Warning, 1123, "2.1", "the host is longer than 255 bytes";
    HostUppercase, "host.uppercase", Info, 1034, "3.1", "host names are case-insensitive and should be in lower case";
    IriNonAscii, "iri.non-ascii", Info, 3987, "2.2", "a character outside US-ASCII makes this an IRI";
    FtpNullCwd, "ftp.null-cwd", Info, 1738, "3.2.2", "an empty segment sends `CWD` without an argument";
    FtpEmptyName, "ftp.empty-name", Info, 1738, "3.2.2", "the file name of the ftp URL is empty";
    FtpTypeUppercase, "ftp.type-uppercase", Warning, 1738, "3.2.2", "`;type=` should be in lower case";
    GopherQuestionMark, "gopher.question-mark", Info, 1738, "3.4.1", "in a gopher URL, `?` is plain data; a search follows `%09`";
    GopherTypeEncoded, "gopher.type-encoded", Info, 1738, "3.4.1", "the gopher type is encoded";
    MailtoLooksLikeHeaders, "mailto.looks-like-headers", Warning, 1738, "3.5", "in RFC 1738, header fields after `?` are part of the address";
    MailtoEncodedAt, "mailto.encoded-at", Warning, 6068, "2", "the `@` of the address is encoded";
    NewsGroupForm, "news.group-form", Warning, 1738, "3.6", "a component of the newsgroup's name is empty";
    NntpPreferNews, "nntp.prefer-news", Info, 1738, "3.7", "an nntp URL is not globally accessible; prefer news";
    NntpNoArticle, "nntp.no-article", Info, 1738, "3.7", "the nntp URL has no article number";
    WaisEmptyDatabase, "wais.empty-database", Warning, 1738, "3.9", "the name of the WAIS database is empty";
    WaisEmptyDoc, "wais.empty-doc", Warning, 1738, "3.9", "the type or id of the WAIS document is empty";
    ProsperoEmptyField, "prospero.empty-field", Warning, 1738, "3.11", "the name of a Prospero field is empty";
    GenericNotCiss, "generic.not-ciss", Warning, 1738, "3.1", "`//` announces the common Internet scheme syntax, but the rest does not follow it";
    GenericEmpty, "generic.empty", Info, 1738, "5", "nothing follows the scheme";

    // Findings of the scanner about the text around a URL.
    WrapperSpaceAfterHyphen, "wrapper.space-after-hyphen", Warning, 1738, "Appendix", "a space follows a hyphen inside the wrapper";
    NewsBrackets, "news.brackets", Warning, 1738, "3.6", "the Message-ID in a news URL must not have angle brackets";
    SchemeMisspelt, "scheme.misspelt", Warning, 1738, "2.1", "the scheme is misspelled";
    SchemeUnknown, "scheme.unknown", Info, 7595, "6", "the scheme is in no registry";
    BreakAfterHyphen, "break.after-hyphen", Warning, 1738, "Appendix", "the line breaks after a hyphen, which may or may not be part of the URL";
}

impl Code {
    /// Returns the code with the dotted name `name`, or `None` if there is none. Compares `name`
    /// with every code, so don't call it in hot paths.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|code| code.name() == name)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
