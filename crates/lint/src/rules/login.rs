//! Rules of core about user names, passwords, hosts and ports.

use super::mending::{
    drop_colon, drop_dots, drop_password, drop_port, drop_port_risky, drop_userinfo,
    encode_userinfo, lowercase_host, trim_address, trim_port,
};
use crate::edit::Applicability::{Safe, Unsafe};
use crate::rule::{Meta, Reported, Usually};
use urlsift_core::{Code, Profile};

pub(crate) static USERINFO_NOT_ALLOWED: Reported = Reported::mended(
    Meta::of(Code::UserinfoNotAllowed)
        .usually(Usually::RemarkIfBare, "In running text it is mostly a pattern or a piece of a program, not a link.")
        .what("This scheme has no user name or password before the host.")
        .why("The protocol has no place for it; what comes before `@` only hides which host is asked.")
        .advice("leave out what stands before the host, with its `@`")
        .urls("http://joe@www.host.dom/", "http://www.host.dom/")
        .under(Profile::Rfc1738),
    Unsafe,
    drop_userinfo,
);

pub(crate) static USERINFO_CHAR: Reported = Reported::mended(
    Meta::of(Code::UserinfoChar)
        .usually(Usually::RemarkIfBare, "In running text it is mostly a pattern or a piece of a program, not a link.")
        .what("Within a user name or password `:`, `@` and `/` must be encoded.")
        .why("They are what separates user name, password and host: where they stand for themselves, nobody knows which is which.")
        .advice("encode it")
        .urls("ftp://joe@work@host.dom/a", "ftp://joe%40work@host.dom/a"),
    Unsafe,
    encode_userinfo,
)
.at_once();

pub(crate) static USERINFO_EMPTY_USER: Reported = Reported::mended(
    Meta::of(Code::UserinfoEmptyUser)
        .what("There is an `@`, but nothing before it (or only a password).")
        .why("An empty user name is not the same as none: an ftp client logs in with it, and fails, instead of as `anonymous`.")
        .advice("leave the `@` out, or give the user name")
        .urls("ftp://@host.dom/a", "ftp://host.dom/a"),
    Unsafe,
    drop_userinfo,
);

pub(crate) static USERINFO_EMPTY_PASSWORD: Reported = Reported::mended(
    Meta::of(Code::UserinfoEmptyPassword)
        .what("There is a colon after the user name, but no password.")
        .why("An empty password is not the same as none: with none the client asks for it.")
        .advice("leave the colon out")
        .urls("ftp://joe:@host.dom/a", "ftp://joe@host.dom/a"),
    Unsafe,
    drop_password,
);

pub(crate) static USERINFO_HTTP: Reported = Reported::mended(
    Meta::of(Code::UserinfoHttp)
        .usually(Usually::Remark, "It is mostly an example; a user that looks like a host is told of by `userinfo.host-like`.")
        .what("An http or https URL has a user name before its host.")
        .why("RFC 9110 forbids to send such URLs, and browsers refuse or strip them: `http://www.bank.dom@evil.dom/` leads to evil.dom.")
        .advice("leave out what stands before the host, with its `@`")
        .urls("https://joe@www.host.dom/", "https://www.host.dom/"),
    Unsafe,
    drop_userinfo,
);

pub(crate) static PASSWORD: Reported = Reported::mended(
    Meta::of(Code::SecurityPassword)
        .what("A password stands in the URL.")
        .why("URLs are shown, logged, archived and passed on; a password in one is no secret. urlsift never prints it.")
        .advice("leave the password out, and change it if it was in use")
        .urls("ftp://joe:secret@host.dom/a", "ftp://joe@host.dom/a"),
    Unsafe,
    drop_password,
);

pub(crate) static HOST_EMPTY: Reported = Reported::of(
    Meta::of(Code::HostEmpty)
        .usually(
            Usually::RemarkIfBare,
            "In running text it is mostly a pattern or a piece of a program, not a link.",
        )
        .what("There is no host after `//`.")
        .why("There is nobody to ask.")
        .advice("give the host")
        .urls("http:///a", "http://www.host.dom/a"),
);

pub(crate) static HOST_CHAR: Reported = Reported::of(
    Meta::of(Code::HostChar)
        .usually(
            Usually::RemarkIfBare,
            "In running text it is mostly a pattern or a piece of a program, not a link.",
        )
        .what("A host is made of letters, digits and hyphens, in labels separated by dots.")
        .why("A name with any other character cannot be looked up.")
        .advice("correct the host")
        .urls("http://www.ho_st.dom/", "http://www.ho-st.dom/")
        .under(Profile::Rfc1738),
);

pub(crate) static HOST_LABEL: Reported = Reported::mended(
    Meta::of(Code::HostLabel)
        .usually(
            Usually::RemarkIfBare,
            "In running text it is mostly a pattern or a piece of a program, not a link.",
        )
        .what("Each label of a host starts and ends with a letter or digit; none is empty.")
        .why("Such a name does not exist in the DNS.")
        .advice("correct the host")
        .urls("http://www..host.dom/", "http://www.host.dom/"),
    Unsafe,
    drop_dots,
)
.at_once();

pub(crate) static HOST_TOPLABEL: Reported = Reported::of(
    Meta::of(Code::HostToplabel)
        .what("The last label of a host name starts with a letter; only four numbers make an address.")
        .why("That is how a name is told from an address.")
        .advice("give a whole name, or all four numbers of the address")
        .urls("http://10.1.2/", "http://10.1.2.3/")
        .under(Profile::Rfc1738),
);

pub(crate) static HOST_IP_LITERAL: Reported = Reported::of(
    Meta::of(Code::HostIpLiteral)
        .usually(Usually::RemarkIfBare, "In running text it is mostly a pattern or a piece of a program, not a link.")
        .what("What stands in brackets in the place of the host is an IPv6 address, and nothing else.")
        .why("No program can connect to it. Zone identifiers (`%25eth0`) are no part of URLs any more (RFC 9844).")
        .advice("correct the address")
        .urls("http://[fe80::1%25eth0]/", "http://[2001:db8::1]/"),
);

pub(crate) static HOST_SINGLE_LABEL: Reported = Reported::of(
    Meta::of(Code::HostSingleLabel)
        .usually(Usually::Nothing, "It is mostly a host of one's own network, and meant.")
        .what("The host is one word without a dot.")
        .why("It means something only inside the network where it was written.")
        .advice("give the full name of the host")
        .urls("http://intranet/a", "http://intranet.host.dom/a"),
);

pub(crate) static HOST_IPV4_RANGE: Reported = Reported::of(
    Meta::of(Code::HostIpv4Range)
        .what("One of the four numbers of the address is above 255.")
        .why("There is no such address.")
        .advice("correct the address")
        .urls("http://10.1.2.300/", "http://10.1.2.30/"),
);

pub(crate) static HOST_IPV4_LEADING_ZERO: Reported = Reported::mended(
    Meta::of(Code::HostIpv4LeadingZero)
        .what("One of the four numbers of the address has a leading zero.")
        .why("Some programs read it as octal: `010` is ten to one and eight to another, and filters are slipped past that way.")
        .advice("leave the leading zeros out")
        .urls("http://10.1.2.030/", "http://10.1.2.30/"),
    Unsafe,
    trim_address,
);

pub(crate) static HOST_NUMERIC_LABEL: Reported = Reported::of(
    Meta::of(Code::HostNumericLabel)
        .usually(Usually::RemarkIfBare, "In running text it is mostly a pattern or a piece of a program, not a link.")
        .what("The last label of the host is a number, but the host is no address of four numbers.")
        .why("No top-level domain is a number; browsers read such a host as a strange address, or refuse it.")
        .advice("give a whole name, or all four numbers of the address")
        .urls("http://10.1.2/", "http://10.1.2.3/"),
);

pub(crate) static HOST_UNDERSCORE: Reported = Reported::of(
    Meta::of(Code::HostUnderscore)
        .usually(Usually::Remark, "Such hosts exist, and work.")
        .what("The host holds an underscore.")
        .why("The DNS can hold such names, but host names may not; some resolvers, proxies and certificates refuse them.")
        .advice("ask whether the host has a name without an underscore")
        .urls("http://www.two_words.dom/", "http://www.two-words.dom/"),
);

pub(crate) static HOST_LABEL_LENGTH: Reported = Reported::of(
    Meta::of(Code::HostLabelLength)
        .what("A label of the host is longer than 63 bytes.")
        .why("The DNS cannot hold it.")
        .advice("correct the host")
        .urls(
            "http://a123456789b123456789c123456789d123456789e123456789f123456789wxyz.dom/",
            "http://a123456789b123456789c123456789d123456789e123456789f123456789.dom/",
        ),
);

pub(crate) static HOST_LENGTH: Reported = Reported::of(
    Meta::of(Code::HostLength)
        .what("The host is longer than 255 bytes.")
        .why("The DNS cannot hold it.")
        .advice("correct the host")
        .urls(
            "http://a123456789b123456789c123456789d123456789e123456789.a123456789b123456789c123456789d123456789e123456789.a123456789b123456789c123456789d123456789e123456789.a123456789b123456789c123456789d123456789e123456789.a123456789b123456789c123456789d123456789e123456789.dom/",
            "http://a123456789b123456789c123456789d123456789e123456789.dom/",
        ),
);

pub(crate) static HOST_UPPERCASE: Reported = Reported::mended(
    Meta::of(Code::HostUppercase)
        .what("The host holds upper-case letters.")
        .why("Hosts are compared without regard to case, but text is not: the same page seems to have two URLs.")
        .advice("write the host in lower case")
        .urls("http://WWW.Host.dom/", "http://www.host.dom/"),
    Safe,
    lowercase_host,
);

pub(crate) static PORT_EMPTY: Reported = Reported::mended(
    Meta::of(Code::PortEmpty)
        .what("There is a colon after the host, but no port.")
        .why("RFC 1738 has the colon only together with a port.")
        .advice("leave the colon out")
        .urls("http://www.host.dom:/", "http://www.host.dom/")
        .under(Profile::Rfc1738),
    Safe,
    drop_colon,
);

pub(crate) static PORT_CHAR: Reported = Reported::of(
    Meta::of(Code::PortChar)
        .usually(
            Usually::RemarkIfBare,
            "In running text it is mostly a pattern or a piece of a program, not a link.",
        )
        .what("What stands after the host's colon is no decimal number.")
        .why("A port is a number; no program can connect to this.")
        .advice("give the port as a number, or leave it out with its colon")
        .urls("http://www.host.dom:port/", "http://www.host.dom:8080/")
        .beside(&["port.nondefault"]),
);

pub(crate) static PORT_NOT_ALLOWED: Reported = Reported::mended(
    Meta::of(Code::PortNotAllowed)
        .usually(Usually::RemarkIfBare, "In running text it is mostly a pattern or a piece of a program, not a link.")
        .what("A file URL names no port.")
        .why("The scheme names a place, not a way to get at it: there is nothing to connect to. Often it is a drive letter that slipped into the host's place.")
        .advice("leave the port out; a path starts with the third slash")
        .urls("file://host.dom:80/a", "file://host.dom/a"),
    Unsafe,
    drop_port_risky,
);

pub(crate) static PORT_NONDEFAULT: Reported = Reported::of(
    Meta::of(Code::PortNondefault)
        .usually(Usually::Nothing, "Other ports are common, and work.")
        .what("The port is not the one that the scheme uses.")
        .why("RFC 1738 asks for caution: a URL may point an innocent client at another kind of server. It is common for test and proxy servers.")
        .advice("make sure that this server listens there")
        .urls("http://www.host.dom:8080/", "http://www.host.dom/"),
);

pub(crate) static PORT_RESERVED_RANGE: Reported = Reported::of(
    Meta::of(Code::PortReservedRange)
        .usually(Usually::Remark, "Whoever writes the port has tried it.")
        .what("The port is below 1024 and not the scheme's own.")
        .why("It belongs to another well-known service: a gopher URL with port 25 speaks to a mail server.")
        .advice("make sure that this server listens there")
        .urls("gopher://host.dom:25/1", "gopher://host.dom/1")
        .beside(&["port.nondefault"]),
);

pub(crate) static PORT_OUT_OF_RANGE: Reported = Reported::of(
    Meta::of(Code::PortOutOfRange)
        .what("The port is 0 or above 65535.")
        .why("There is no such port.")
        .advice("correct the port, or leave it out with its colon")
        .urls("http://www.host.dom:99999/", "http://www.host.dom/")
        .beside(&["port.nondefault"]),
);

pub(crate) static PORT_DEFAULT: Reported = Reported::mended(
    Meta::of(Code::PortDefault)
        .what("The port is the scheme's own.")
        .why("It says nothing, and the same page seems to have two URLs.")
        .advice("leave the port out")
        .urls("http://www.host.dom:80/", "http://www.host.dom/"),
    Safe,
    drop_port,
);

pub(crate) static PORT_LEADING_ZERO: Reported = Reported::mended(
    Meta::of(Code::PortLeadingZero)
        .what("The port has leading zeros.")
        .why("They say nothing, and some programs read the number as octal.")
        .advice("leave the zeros out")
        .urls("http://www.host.dom:08080/", "http://www.host.dom:8080/")
        .beside(&["port.nondefault"]),
    Safe,
    trim_port,
);

#[cfg(test)]
mod tests {
    use crate::dialect::Dialect;
    use crate::{Config, Linter, Selector, apply};
    use urlsift_core::Profile;

    #[test]
    fn a_login_is_mended_as_one() {
        let mut config = Config::new(Profile::Rfc1738);
        config.select = vec![Selector::new("userinfo.char").unwrap()];
        let linter = Linter::new(config);
        for (url, mended) in [
            ("ftp://joe@work@b@host.dom/a", "ftp://joe%40work%40b@host.dom/a"),
            ("ftp://joe:a:b@c@host.dom/", "ftp://joe:a%3Ab%40c@host.dom/"),
        ] {
            let text = format!("see <URL:{url}> now");
            let linted = linter.lint(text.as_bytes(), Dialect::Plain);
            let [found] = &linted.diagnostics[..] else { panic!("{linted:?}") };
            let fix = found.fix.as_ref().unwrap();
            let changed = apply::patched(text.as_bytes(), &fix.edits[..]);
            assert_eq!(String::from_utf8_lossy(&changed), format!("see <URL:{mended}> now"));
        }
    }
}
