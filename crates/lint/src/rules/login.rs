//! Rules for user names, passwords, hosts and ports that the core crate reports.

use super::fixes::{
    drop_colon, drop_empty_labels, drop_password, drop_port, drop_port_risky, drop_userinfo,
    encode_userinfo, lowercase_host, trim_address, trim_port,
};
use crate::edit::Applicability::{Safe, Unsafe};
use crate::rule::{LenientLevel, Meta, Reported};
use urlsift_core::{Code, Profile};

pub(crate) static USERINFO_NOT_ALLOWED: Reported = Reported::with_fix(
    Meta::from_code(Code::UserinfoNotAllowed)
        .lenient_if_bare()
        .what("The URL has a user name or password before the host, which its scheme doesn't allow.")
        .why("The protocol doesn't use a user name or password. The text before the `@` only hides which host the link leads to.")
        .advice("remove the user name and the `@`")
        .urls("http://joe@www.host.dom/", "http://www.host.dom/")
        .profile(Profile::Rfc1738),
    Unsafe,
    drop_userinfo,
);

pub(crate) static USERINFO_CHAR: Reported = Reported::with_fix(
    Meta::from_code(Code::UserinfoChar)
        .lenient_if_bare()
        .what("A user name or password contains an unencoded `:`, `@` or `/`.")
        .why("These characters separate the user name, the password and the host. Unencoded, it is not clear which part is which.")
        .advice("percent-encode the character")
        .urls("ftp://joe@work@host.dom/a", "ftp://joe%40work@host.dom/a"),
    Unsafe,
    encode_userinfo,
)
.fixes_all();

pub(crate) static USERINFO_EMPTY_USER: Reported = Reported::with_fix(
    Meta::from_code(Code::UserinfoEmptyUser)
        .what("There is nothing before the `@`, or only a password.")
        .why("An empty user name is not the same as none. With an empty name, an ftp client fails to log in. Without a user name, it logs in as `anonymous`.")
        .advice("remove the `@`, or add the user name")
        .urls("ftp://@host.dom/a", "ftp://host.dom/a"),
    Unsafe,
    drop_userinfo,
);

pub(crate) static USERINFO_EMPTY_PASSWORD: Reported = Reported::with_fix(
    Meta::from_code(Code::UserinfoEmptyPassword)
        .what("There is a colon after the user name, but no password.")
        .why("An empty password is not the same as none. Without a password, the client asks the user for one.")
        .advice("remove the colon")
        .urls("ftp://joe:@host.dom/a", "ftp://joe@host.dom/a"),
    Unsafe,
    drop_password,
);

pub(crate) static USERINFO_HTTP: Reported = Reported::with_fix(
    Meta::from_code(Code::UserinfoHttp)
        .lenient(LenientLevel::Info, "It is usually an example. A user name that looks like a host is reported by `userinfo.host-like`.")
        .what("An http or https URL has a user name before its host.")
        .why("RFC 9110 forbids sending http URLs with a user name, and browsers reject them or remove the user name. Such URLs are used to deceive: `http://www.bank.dom@evil.dom/` leads to `evil.dom`.")
        .advice("remove the user name and the `@`")
        .urls("https://joe@www.host.dom/", "https://www.host.dom/"),
    Unsafe,
    drop_userinfo,
);

pub(crate) static PASSWORD: Reported = Reported::with_fix(
    Meta::from_code(Code::SecurityPassword)
        .what("The URL contains a password.")
        .why("URLs are displayed, logged, archived and forwarded, so a password in a URL is not secret. `urlsift lint` shows passwords as `***`.")
        .advice("remove the password, and change it if it was in use")
        .urls("ftp://joe:secret@host.dom/a", "ftp://joe@host.dom/a"),
    Unsafe,
    drop_password,
);

pub(crate) static HOST_EMPTY: Reported = Reported::without_fix(
    Meta::from_code(Code::HostEmpty)
        .lenient_if_bare()
        .what("There is no host after `//`.")
        .why("Programs don't know which server to contact.")
        .advice("add the host")
        .urls("http:///a", "http://www.host.dom/a"),
);

pub(crate) static HOST_CHAR: Reported = Reported::without_fix(
    Meta::from_code(Code::HostChar)
        .lenient_if_bare()
        .what("The host contains a character other than letters, digits, hyphens and dots.")
        .why("Such a name can't be looked up.")
        .advice("correct the host")
        .urls("http://www.ho_st.dom/", "http://www.ho-st.dom/")
        .profile(Profile::Rfc1738),
);

pub(crate) static HOST_LABEL: Reported = Reported::with_fix(
    Meta::from_code(Code::HostLabel)
        .lenient_if_bare()
        .what("A part of the host name between dots (a label) is empty, or starts or ends with a hyphen.")
        .why("Such a name doesn't exist in the DNS.")
        .advice("correct the host")
        .urls("http://www..host.dom/", "http://www.host.dom/"),
    Unsafe,
    drop_empty_labels,
)
.fixes_all();

pub(crate) static HOST_TOPLABEL: Reported = Reported::without_fix(
    Meta::from_code(Code::HostToplabel)
        .what("The last part of the host name doesn't start with a letter, and the host is not an address of four numbers.")
        .why("Programs distinguish names and addresses by the last part.")
        .advice("write the full name, or all four numbers of the address")
        .urls("http://10.1.2/", "http://10.1.2.3/")
        .profile(Profile::Rfc1738),
);

pub(crate) static HOST_IP_LITERAL: Reported = Reported::without_fix(
    Meta::from_code(Code::HostIpLiteral)
        .lenient_if_bare()
        .what("The brackets in the host contain something other than an IPv6 address.")
        .why("No program can connect to such a host. Zone identifiers such as `%25eth0` are no longer part of URLs (RFC 9844).")
        .advice("correct the address")
        .urls("http://[fe80::1%25eth0]/", "http://[2001:db8::1]/"),
);

pub(crate) static HOST_SINGLE_LABEL: Reported = Reported::without_fix(
    Meta::from_code(Code::HostSingleLabel)
        .lenient(LenientLevel::Off, "It is usually a host in a private network, and intended.")
        .what("The host is a single word without a dot.")
        .why("Such a name works only inside the network where it was written.")
        .advice("write the full name of the host")
        .urls("http://intranet/a", "http://intranet.host.dom/a"),
);

pub(crate) static HOST_IPV4_RANGE: Reported = Reported::without_fix(
    Meta::from_code(Code::HostIpv4Range)
        .what("One of the four numbers of the address is above 255.")
        .why("There is no such address.")
        .advice("correct the address")
        .urls("http://10.1.2.300/", "http://10.1.2.30/"),
);

pub(crate) static HOST_IPV4_LEADING_ZERO: Reported = Reported::with_fix(
    Meta::from_code(Code::HostIpv4LeadingZero)
        .what("One of the four numbers of the address has a leading zero.")
        .why("Some programs read `010` as the octal number 8, others as 10. Attackers use this to bypass filters.")
        .advice("remove the leading zeros")
        .urls("http://10.1.2.030/", "http://10.1.2.30/"),
    Unsafe,
    trim_address,
);

pub(crate) static HOST_NUMERIC_LABEL: Reported = Reported::without_fix(
    Meta::from_code(Code::HostNumericLabel)
        .lenient_if_bare()
        .what("The last part of the host is a number, but the host is not an address of four numbers.")
        .why("No top-level domain is a number. Browsers read such a host as an unusual form of an address, or reject it.")
        .advice("write the full name, or all four numbers of the address")
        .urls("http://10.1.2/", "http://10.1.2.3/"),
);

pub(crate) static HOST_UNDERSCORE: Reported = Reported::without_fix(
    Meta::from_code(Code::HostUnderscore)
        .lenient(LenientLevel::Info, "Such hosts exist, and work.")
        .what("The host contains an underscore.")
        .why("The DNS allows underscores, but host names may not contain them. Some resolvers, proxies and certificates reject them.")
        .advice("use a name of the host without an underscore, if there is one")
        .urls("http://www.two_words.dom/", "http://www.two-words.dom/"),
);

pub(crate) static HOST_LABEL_LENGTH: Reported = Reported::without_fix(
    Meta::from_code(Code::HostLabelLength)
        .what("A part of the host name between dots (a label) is longer than 63 bytes.")
        .why("The DNS doesn't allow such a name.")
        .advice("correct the host")
        .urls(
            "http://a123456789b123456789c123456789d123456789e123456789f123456789wxyz.dom/",
            "http://a123456789b123456789c123456789d123456789e123456789f123456789.dom/",
        ),
);

pub(crate) static HOST_LENGTH: Reported = Reported::without_fix(
    Meta::from_code(Code::HostLength)
        .what("The host is longer than 255 bytes.")
        .why("The DNS doesn't allow such a name.")
        .advice("correct the host")
        .urls(
            "http://a123456789b123456789c123456789d123456789e123456789.a123456789b123456789c123456789d123456789e123456789.a123456789b123456789c123456789d123456789e123456789.a123456789b123456789c123456789d123456789e123456789.a123456789b123456789c123456789d123456789e123456789.dom/",
            "http://a123456789b123456789c123456789d123456789e123456789.dom/",
        ),
);

pub(crate) static HOST_UPPERCASE: Reported = Reported::with_fix(
    Meta::from_code(Code::HostUppercase)
        .lenient(LenientLevel::Off, "Case doesn't matter in host names, and authors write names as they are known, such as `GitHub.com`.")
        .what("The host contains upper-case letters.")
        .why("Upper and lower case mean the same in host names, but many programs distinguish them when they compare URLs. With two spellings, the same page appears to have two URLs.")
        .advice("write the host in lower case")
        .urls("http://WWW.Host.dom/", "http://www.host.dom/"),
    Safe,
    lowercase_host,
);

pub(crate) static PORT_EMPTY: Reported = Reported::with_fix(
    Meta::from_code(Code::PortEmpty)
        .what("There is a colon after the host, but no port.")
        .why("RFC 1738 allows the colon only together with a port.")
        .advice("remove the colon")
        .urls("http://www.host.dom:/", "http://www.host.dom/")
        .profile(Profile::Rfc1738),
    Safe,
    drop_colon,
);

pub(crate) static PORT_CHAR: Reported = Reported::without_fix(
    Meta::from_code(Code::PortChar)
        .lenient_if_bare()
        .what("The colon after the host is followed by something other than a decimal number.")
        .why("A port is a number, so no program can connect to this host.")
        .advice("write the port as a number, or remove it together with its colon")
        .urls("http://www.host.dom:port/", "http://www.host.dom:8080/")
        .other_rules(&["port.nondefault"]),
);

pub(crate) static PORT_NOT_ALLOWED: Reported = Reported::with_fix(
    Meta::from_code(Code::PortNotAllowed)
        .lenient_if_bare()
        .what("A file URL has a port.")
        .why("A file URL doesn't say how to connect to a server, so a port has no meaning. Often, a drive letter such as `c:` was written in place of the host.")
        .advice("remove the port; a path starts at the third slash")
        .urls("file://host.dom:80/a", "file://host.dom/a"),
    Unsafe,
    drop_port_risky,
);

pub(crate) static PORT_NONDEFAULT: Reported = Reported::without_fix(
    Meta::from_code(Code::PortNondefault)
        .lenient(LenientLevel::Off, "Other ports are common, and work.")
        .what("The port is not the default port of the scheme.")
        .why("RFC 1738 advises caution, because a URL with another port may send an unsuspecting client to a different kind of server. Test and proxy servers commonly use other ports.")
        .advice("check that the server uses this port")
        .urls("http://www.host.dom:8080/", "http://www.host.dom/"),
);

pub(crate) static PORT_RESERVED_RANGE: Reported = Reported::without_fix(
    Meta::from_code(Code::PortReservedRange)
        .lenient(LenientLevel::Info, "Authors who write a port have usually tried it.")
        .what("The port is below 1024 and not the default port of the scheme.")
        .why("The port belongs to another well-known service. For example, a gopher URL with port 25 connects to a mail server.")
        .advice("check that the server uses this port")
        .urls("gopher://host.dom:25/1", "gopher://host.dom/1")
        .other_rules(&["port.nondefault"]),
);

pub(crate) static PORT_OUT_OF_RANGE: Reported = Reported::without_fix(
    Meta::from_code(Code::PortOutOfRange)
        .what("The port is 0 or above 65535.")
        .why("There is no such port.")
        .advice("correct the port, or remove it together with its colon")
        .urls("http://www.host.dom:99999/", "http://www.host.dom/")
        .other_rules(&["port.nondefault"]),
);

pub(crate) static PORT_DEFAULT: Reported = Reported::with_fix(
    Meta::from_code(Code::PortDefault)
        .what("The port is the default port of the scheme.")
        .why("The default port is redundant. With two spellings, the same page appears to have two URLs.")
        .advice("remove the port")
        .urls("http://www.host.dom:80/", "http://www.host.dom/"),
    Safe,
    drop_port,
);

pub(crate) static PORT_LEADING_ZERO: Reported = Reported::with_fix(
    Meta::from_code(Code::PortLeadingZero)
        .what("The port has leading zeros.")
        .why("They are redundant, and some programs read the number as octal.")
        .advice("remove the zeros")
        .urls("http://www.host.dom:08080/", "http://www.host.dom:8080/")
        .other_rules(&["port.nondefault"]),
    Safe,
    trim_port,
);

#[cfg(test)]
mod tests {
    use crate::dialect::{Dialect, Markup};
    use crate::{Config, Linter, Selector, apply};
    use urlsift_core::Profile;

    #[test]
    fn all_delimiters_of_a_login_are_encoded_by_one_fix() {
        let mut config = Config::new(Profile::Rfc1738);
        config.select = vec![Selector::new("userinfo.char").unwrap()];
        let linter = Linter::new(config);
        for (url, fixed) in [
            ("ftp://joe@work@b@host.dom/a", "ftp://joe%40work%40b@host.dom/a"),
            ("ftp://joe:a:b@c@host.dom/", "ftp://joe:a%3Ab%40c@host.dom/"),
        ] {
            let text = format!("see <URL:{url}> now");
            let linted = linter.lint(text.as_bytes(), Dialect::Text(Markup::Plain));
            let [found] = &linted.diagnostics[..] else { panic!("{linted:?}") };
            let fix = found.fix.as_ref().unwrap();
            let changed = apply::apply_edits(text.as_bytes(), &fix.edits[..]);
            assert_eq!(String::from_utf8_lossy(&changed), format!("see <URL:{fixed}> now"));
        }
    }
}
