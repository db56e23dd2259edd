//! `userinfo.host-like`: `http://www.bank.dom@evil.dom/`.

use super::fixes::delete_userinfo;
use crate::context::{Context, Findings};
use crate::edit::Applicability;
use crate::rule::{Meta, On, Rule};
use urlsift_core::{Level, Span};

static META: Meta = Meta::new(
    "userinfo.host-like",
    Level::Warning,
    On::Url,
    "the user name looks like a host name",
)
.source(3986, "7.6")
.with_description("The part before the `@` looks like a host name.")
.with_reason("A reader sees the first name and trusts it, but the browser connects to the host after the `@`.")
.with_advice("check that the host after the `@` is the intended one")
.with_example_urls("https://www.bank.dom@evil.dom/", "https://www.bank.dom/")
.with_other_rules(&["userinfo.http"])
.fix(Applicability::Unsafe);

/// Top-level domains that don't occur at the end of user names.
const ENDINGS: [&str; 12] =
    ["com", "org", "net", "edu", "gov", "mil", "int", "info", "dom", "example", "uk", "de"];

pub(crate) struct HostLike;

impl Rule for HostLike {
    fn meta(&self) -> &Meta {
        &META
    }

    fn check(&self, cx: &Context<'_>, out: &mut Findings) {
        let Some(userinfo) = cx.parts.userinfo else { return };
        let user_end = cx.parts.password.map_or(userinfo.end, |password| password.start - 1);
        let user = Span::new(userinfo.start, user_end);
        let text = String::from_utf8_lossy(cx.bytes_at(user)).to_ascii_lowercase();
        // Anonymous ftp uses mail addresses as user names, so their hosts are not deceptive.
        if text.contains('@') || text.contains("%40") {
            return;
        }
        let Some((name, ending)) = text.rsplit_once('.') else { return };
        let dotted = name.starts_with("www.") || ENDINGS.contains(&ending);
        let plain = text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'.' || b == b'-');
        if !dotted || !plain {
            return;
        }
        let mut diagnostic = META.diagnostic_at(cx.to_text_span(user));

        if let Some(host) = cx.parts.host {
            diagnostic.labels.push(crate::Label {
                span: cx.to_text_span(host),
                text: "browsers connect here".to_owned(),
            });
            diagnostic.notes.push(format!("the link leads to {}", cx.masked_part(host)));
        }
        cx.set_fix(&mut diagnostic, delete_userinfo(cx, userinfo), META.advice);
        diagnostic.label = "only a user name".into();
        out.push(diagnostic);
    }
}
