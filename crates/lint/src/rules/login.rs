//! Rules for user names, passwords, hosts and ports that the core crate reports.

use super::fixes::{
    delete_empty_port_colon, delete_ipv4_zeros, delete_password, delete_port, delete_port_zeros,
    delete_superfluous_dots, delete_userinfo, drop_port_risky, encode_userinfo, lowercase_host,
};
use crate::edit::Applicability::{Safe, Unsafe};
use crate::rule::{LenientLevel, Meta, Reported};
use urlsift_core::{Code, Profile};

pub(crate) static USERINFO_NOT_ALLOWED: Reported = Reported::with_fix(
    Meta::from_code(Code::UserinfoNotAllowed)
        .lenient_if_bare()
        .with_description("The URL has a user name or password before the host, which its scheme doesn't allow.")
        .with_reason("The protocol doesn't use a user name or password. The text before the `@` only hides which host the link leads to.")
        .with_advice("remove the user name and the `@`")
        .with_example_urls("http://joe@www.host.dom/", "http://www.host.dom/")
        .with_example_profile(Profile::Rfc1738),
    Unsafe,
    delete_userinfo,
);

pub(crate) static USERINFO_CHAR: Reported = Reported::with_fix(
    Meta::from_code(Code::UserinfoChar)
        .lenient_if_bare()
        .with_description("A user name or password contains an unencoded `:`, `@` or `/`.")
        .with_reason("These characters separate the user name, the password and the host. Unencoded, it is not clear which part is which.")
        .with_advice("percent-encode the character")
        .with_example_urls("ftp://joe@work@host.dom/a", "ftp://joe%40work@host.dom/a"),
    Unsafe,
    encode_userinfo,
)
.with_one_fix_for_all();

pub(crate) static USERINFO_EMPTY_USER: Reported = Reported::with_fix(
    Meta::from_code(Code::UserinfoEmptyUser)
        .with_description("There is nothing before the `@`, or only a password.")
        .with_reason("An empty user name is not the same as none. With an empty name, an ftp client fails to log in. Without a user name, it logs in as `anonymous`.")
        .with_advice("remove the `@`, or add the user name")
        .with_example_urls("ftp://@host.dom/a", "ftp://host.dom/a"),
    Unsafe,
    delete_userinfo,
);

pub(crate) static USERINFO_EMPTY_PASSWORD: Reported = Reported::with_fix(
    Meta::from_code(Code::UserinfoEmptyPassword)
        .with_description("There is a colon after the user name, but no password.")
        .with_reason("An empty password is not the same as none. Without a password, the client asks the user for one.")
        .with_advice("remove the colon")
        .with_example_urls("ftp://joe:@host.dom/a", "ftp://joe@host.dom/a"),
    Unsafe,
    delete_password,
);

pub(crate) static USERINFO_HTTP: Reported = Reported::with_fix(
    Meta::from_code(Code::UserinfoHttp)
        .with_lenient_level(LenientLevel::Info, "It is usually an example. A user name that looks like a host is reported by `userinfo.host-like`.")
        .with_description("An http or https URL has a user name before its host.")
        .with_reason("RFC 9110 forbids sending http URLs with a user name, and browsers reject them or remove the user name. Such URLs are used to deceive: `http://www.bank.dom@evil.dom/` leads to `evil.dom`.")
        .with_advice("remove the user name and the `@`")
        .with_example_urls("https://joe@www.host.dom/", "https://www.host.dom/"),
    Unsafe,
    delete_userinfo,
);

pub(crate) static PASSWORD: Reported = Reported::with_fix(
    Meta::from_code(Code::SecurityPassword)
        .with_description("The URL contains a password.")
        .with_reason("URLs are displayed, logged, archived and forwarded, so a password in a URL is not secret. `urlsift lint` shows passwords as `***`.")
        .with_advice("remove the password, and change it if it was in use")
        .with_example_urls("ftp://joe:sesame@host.dom/a", "ftp://joe@host.dom/a"),
    Unsafe,
    delete_password,
);

pub(crate) static HOST_EMPTY: Reported = Reported::without_fix(
    Meta::from_code(Code::HostEmpty)
        .lenient_if_bare()
        .with_description("There is no host after `//`.")
        .with_reason("Programs don't know which server to contact.")
        .with_advice("add the host")
        .with_example_urls("http:///a", "http://www.host.dom/a"),
);

pub(crate) static HOST_CHAR: Reported = Reported::without_fix(
    Meta::from_code(Code::HostChar)
        .lenient_if_bare()
        .with_description(
            "The host contains a character other than letters, digits, hyphens and dots.",
        )
        .with_reason("Such a name can't be looked up.")
        .with_advice("correct the host")
        .with_example_urls("http://www.ho_st.dom/", "http://www.ho-st.dom/")
        .with_example_profile(Profile::Rfc1738),
);

pub(crate) static HOST_LABEL: Reported = Reported::with_fix(
    Meta::from_code(Code::HostLabel)
        .lenient_if_bare()
        .with_description("A part of the host name between dots (a label) is empty, or starts or ends with a hyphen.")
        .with_reason("Such a name doesn't exist in the DNS.")
        .with_advice("correct the host")
        .with_example_urls("http://www..host.dom/", "http://www.host.dom/"),
    Unsafe,
    delete_superfluous_dots,
)
.with_one_fix_for_all();

pub(crate) static HOST_TOPLABEL: Reported = Reported::without_fix(
    Meta::from_code(Code::HostToplabel)
        .with_description("The last part of the host name doesn't start with a letter, and the host is not an address of four numbers.")
        .with_reason("Programs distinguish names and addresses by the last part.")
        .with_advice("write the full name, or all four numbers of the address")
        .with_example_urls("http://10.1.2/", "http://10.1.2.3/")
        .with_example_profile(Profile::Rfc1738),
);

pub(crate) static HOST_IP_LITERAL: Reported = Reported::without_fix(
    Meta::from_code(Code::HostIpLiteral)
        .lenient_if_bare()
        .with_description("The brackets in the host contain something other than an IPv6 address.")
        .with_reason("No program can connect to such a host. Zone identifiers such as `%25eth0` are no longer part of URLs (RFC 9844).")
        .with_advice("correct the address")
        .with_example_urls("http://[fe80::1%25eth0]/", "http://[2001:db8::1]/"),
);

pub(crate) static HOST_SINGLE_LABEL: Reported = Reported::without_fix(
    Meta::from_code(Code::HostSingleLabel)
        .with_lenient_level(
            LenientLevel::Off,
            "It is usually a host in a private network, and intended.",
        )
        .with_description("The host is a single word without a dot.")
        .with_reason("Such a name works only inside the network where it was written.")
        .with_advice("write the full name of the host")
        .with_example_urls("http://intranet/a", "http://intranet.host.dom/a"),
);

pub(crate) static HOST_IPV4_RANGE: Reported = Reported::without_fix(
    Meta::from_code(Code::HostIpv4Range)
        .with_description("One of the four numbers of the address is above 255.")
        .with_reason("There is no such address.")
        .with_advice("correct the address")
        .with_example_urls("http://10.1.2.300/", "http://10.1.2.30/"),
);

pub(crate) static HOST_IPV4_LEADING_ZERO: Reported = Reported::with_fix(
    Meta::from_code(Code::HostIpv4LeadingZero)
        .with_description("One of the four numbers of the address has a leading zero.")
        .with_reason("Some programs read `010` as the octal number 8, others as 10. Attackers use this to bypass filters.")
        .with_advice("remove the leading zeros")
        .with_example_urls("http://10.1.2.030/", "http://10.1.2.30/"),
    Unsafe,
    delete_ipv4_zeros,
);

pub(crate) static HOST_NUMERIC_LABEL: Reported = Reported::without_fix(
    Meta::from_code(Code::HostNumericLabel)
        .lenient_if_bare()
        .with_description("The last part of the host is a number, but the host is not an address of four numbers.")
        .with_reason("No top-level domain is a number. Browsers read such a host as an unusual form of an address, or reject it.")
        .with_advice("write the full name, or all four numbers of the address")
        .with_example_urls("http://10.1.2/", "http://10.1.2.3/"),
);

pub(crate) static HOST_UNDERSCORE: Reported = Reported::without_fix(
    Meta::from_code(Code::HostUnderscore)
        .with_lenient_level(LenientLevel::Info, "Such hosts exist, and work.")
        .with_description("The host contains an underscore.")
        .with_reason("The DNS allows underscores, but host names may not contain them. Some resolvers, proxies and certificates reject them.")
        .with_advice("use a name of the host without an underscore, if there is one")
        .with_example_urls("http://www.two_words.dom/", "http://www.two-words.dom/"),
);

pub(crate) static HOST_LABEL_LENGTH: Reported = Reported::without_fix(
    Meta::from_code(Code::HostLabelLength)
        .with_description("A part of the host name between dots (a label) is longer than 63 bytes.")
        .with_reason("The DNS doesn't allow such a name.")
        .with_advice("correct the host")
        .with_example_urls(
            "http://a123456789b123456789c123456789d123456789e123456789f123456789wxyz.dom/",
            "http://a123456789b123456789c123456789d123456789e123456789f123456789.dom/",
        ),
);

pub(crate) static HOST_LENGTH: Reported = Reported::without_fix(
    Meta::from_code(Code::HostLength)
        .with_description("The host is longer than 255 bytes.")
        .with_reason("The DNS doesn't allow such a name.")
        .with_advice("correct the host")
        .with_example_urls(
            "http://a123456789b123456789c123456789d123456789e123456789.a123456789b123456789c123456789d123456789e123456789.a123456789b123456789c123456789d123456789e123456789.a123456789b123456789c123456789d123456789e123456789.a123456789b123456789c123456789d123456789e123456789.dom/",
            "http://a123456789b123456789c123456789d123456789e123456789.dom/",
        ),
);

pub(crate) static HOST_UPPERCASE: Reported = Reported::with_fix(
    Meta::from_code(Code::HostUppercase)
        .with_lenient_level(LenientLevel::Off, "Case doesn't matter in host names, and authors write names as they are known, such as `GitHub.com`.")
        .with_description("The host contains upper-case letters.")
        .with_reason("Upper and lower case mean the same in host names, but many programs distinguish them when they compare URLs. With two spellings, the same page appears to have two URLs.")
        .with_advice("write the host in lower case")
        .with_example_urls("http://WWW.Host.dom/", "http://www.host.dom/"),
    Safe,
    lowercase_host,
);

pub(crate) static PORT_EMPTY: Reported = Reported::with_fix(
    Meta::from_code(Code::PortEmpty)
        .with_description("There is a colon after the host, but no port.")
        .with_reason("RFC 1738 allows the colon only together with a port.")
        .with_advice("remove the colon")
        .with_example_urls("http://www.host.dom:/", "http://www.host.dom/")
        .with_example_profile(Profile::Rfc1738),
    Safe,
    delete_empty_port_colon,
);

pub(crate) static PORT_CHAR: Reported = Reported::without_fix(
    Meta::from_code(Code::PortChar)
        .lenient_if_bare()
        .with_description(
            "The colon after the host is followed by something other than a decimal number.",
        )
        .with_reason("A port is a number, so no program can connect to this host.")
        .with_advice("write the port as a number, or remove it together with its colon")
        .with_example_urls("http://www.host.dom:port/", "http://www.host.dom:8080/")
        .with_other_rules(&["port.nondefault"]),
);

pub(crate) static PORT_NOT_ALLOWED: Reported = Reported::with_fix(
    Meta::from_code(Code::PortNotAllowed)
        .lenient_if_bare()
        .with_description("A file URL has a port.")
        .with_reason("A file URL doesn't say how to connect to a server, so a port has no meaning. Often, a drive letter such as `c:` was written in place of the host.")
        .with_advice("remove the port; a path starts at the third slash")
        .with_example_urls("file://host.dom:80/a", "file://host.dom/a"),
    Unsafe,
    drop_port_risky,
);

pub(crate) static PORT_NONDEFAULT: Reported = Reported::without_fix(
    Meta::from_code(Code::PortNondefault)
        .with_lenient_level(LenientLevel::Off, "Other ports are common, and work.")
        .with_description("The port is not the default port of the scheme.")
        .with_reason("RFC 1738 advises caution, because a URL with another port may send an unsuspecting client to a different kind of server. Test and proxy servers commonly use other ports.")
        .with_advice("check that the server uses this port")
        .with_example_urls("http://www.host.dom:8080/", "http://www.host.dom/"),
);

pub(crate) static PORT_RESERVED_RANGE: Reported = Reported::without_fix(
    Meta::from_code(Code::PortReservedRange)
        .with_lenient_level(LenientLevel::Info, "Authors who write a port have usually tried it.")
        .with_description("The port is below 1024 and not the default port of the scheme.")
        .with_reason("The port belongs to another well-known service. For example, a gopher URL with port 25 connects to a mail server.")
        .with_advice("check that the server uses this port")
        .with_example_urls("gopher://host.dom:25/1", "gopher://host.dom/1")
        .with_other_rules(&["port.nondefault"]),
);

pub(crate) static PORT_OUT_OF_RANGE: Reported = Reported::without_fix(
    Meta::from_code(Code::PortOutOfRange)
        .with_description("The port is 0 or above 65535.")
        .with_reason("There is no such port.")
        .with_advice("correct the port, or remove it together with its colon")
        .with_example_urls("http://www.host.dom:99999/", "http://www.host.dom/")
        .with_other_rules(&["port.nondefault"]),
);

pub(crate) static PORT_DEFAULT: Reported = Reported::with_fix(
    Meta::from_code(Code::PortDefault)
        .with_description("The port is the default port of the scheme.")
        .with_reason("The default port is redundant. With two spellings, the same page appears to have two URLs.")
        .with_advice("remove the port")
        .with_example_urls("http://www.host.dom:80/", "http://www.host.dom/"),
    Safe,
    delete_port,
);

pub(crate) static PORT_LEADING_ZERO: Reported = Reported::with_fix(
    Meta::from_code(Code::PortLeadingZero)
        .with_description("The port has leading zeros.")
        .with_reason("They are redundant, and some programs read the number as octal.")
        .with_advice("remove the zeros")
        .with_example_urls("http://www.host.dom:08080/", "http://www.host.dom:8080/")
        .with_other_rules(&["port.nondefault"]),
    Safe,
    delete_port_zeros,
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
