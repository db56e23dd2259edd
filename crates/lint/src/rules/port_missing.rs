//! `port.missing`: `http://host:/path`.

use super::fixes::delete_empty_port_colon;
use super::scheme_doubled;
use crate::context::{Context, Findings};
use crate::rule::{Meta, On, Rule};
use urlsift_core::{Code, Level, Span};

static META: Meta = Meta::new(
    "port.missing",
    Level::Warning,
    On::Url,
    "there is a colon after the host, but no port",
)
.source(3986, "3.2.3")
.with_description("The colon that separates host and port is followed by the path, the query, or the end of a delimited URL.")
.with_reason("The colon is valid, but either it is a slip or the port was lost.")
.with_advice("remove the colon, or write the port")
.with_example_texts("See http://www.host.dom:/a.", "See http://www.host.dom/a.")
.fix(crate::edit::Applicability::Safe);

pub(crate) struct Missing;

impl Rule for Missing {
    fn meta(&self) -> &Meta {
        &META
    }

    fn check(&self, cx: &Context<'_>, out: &mut Findings) {
        let Some(port) = cx.parts.port.filter(|port| port.is_empty()) else { return };
        // nginx and Gunicorn write the path of a socket as `http://unix:/path`.
        let is_socket = cx.host().eq_ignore_ascii_case(b"unix");
        // Profiles that don't allow a colon without a port report it as `port.empty`.
        if !cx.has_dns_scheme()
            || is_socket
            || scheme_doubled::is_host_scheme(cx)
            || cx.reports.iter().any(|report| report.code == Code::PortEmpty)
        {
            return;
        }
        let colon = Span::new(port.start - 1, port.start);
        let mut diagnostic = META.diagnostic_at(cx.to_text_span(colon));
        // With two slashes after it, the colon may end another scheme, as in `http://a|http://host`.
        let may_be_scheme = cx.bytes_at(cx.parts.path).starts_with(b"//");
        let fix = if may_be_scheme { None } else { delete_empty_port_colon(cx, colon) };
        cx.set_fix(&mut diagnostic, fix, META.advice);
        out.push(diagnostic);
    }
}
