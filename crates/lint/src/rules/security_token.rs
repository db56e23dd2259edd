//! `security.token`: `https://www.host.dom/?access_token=5f2c…`.

use crate::context::{Context, Findings};
use crate::rule::{Meta, On, Rule};
use urlsift_core::{Level, token_spans};

static META: Meta = Meta::new(
    "security.token",
    Level::Warning,
    On::Url,
    "the URL contains a token or key",
)
.with_description("A parameter such as `token`, `access_token`, `api_key`, `sig` or `X-Amz-Signature` has a value, or the URL contains a \
     token with a known format, such as a JSON Web Token. The level is info if the host is an example, or if the value \
     is short, a placeholder, a number, the ID of a session, or the password of a Zoom meeting.")
.with_reason("Anyone who has a URL with a token can act for the owner of the token. URLs are displayed, logged, archived and \
     forwarded, so a token in a URL is not secret. `--mask-secrets` shows tokens as `***`.")
.with_advice("remove the token, and revoke it if it was in use")
.with_example_urls(
    "https://www.host.dom/feed?token=8fd1a6c03b7e4d25",
    "https://www.host.dom/feed",
);

/// The minimum length of a secret value, in bytes. Shorter values are probably placeholders.
const MIN_LEN: usize = 12;

pub(crate) struct Token;

impl Rule for Token {
    fn meta(&self) -> &Meta {
        &META
    }

    fn check(&self, cx: &Context<'_>, out: &mut Findings) {
        let found = token_spans(cx.url);
        let Some((&first, rest)) = found.split_first() else { return };
        let mut diagnostic = META.diagnostic_at(cx.to_text_span(first));
        // The password of a meeting is meant for all who are invited to it.
        let is_meeting = cx.host().ends_with(b"zoom.us");
        if is_meeting
            || cx.is_example()
            || is_sample(cx)
            || found
                .iter()
                .all(|span| is_placeholder(cx.bytes_at(*span)) || is_session(&cx.url[..span.start]))
        {
            diagnostic.level = Level::Info;
        }
        diagnostic.labels.extend(
            rest.iter()
                .map(|span| crate::Label { span: cx.to_text_span(*span), text: String::new() }),
        );
        diagnostic.help = Some(META.advice.into());
        out.push(diagnostic);
    }
}

/// True if `head`, the URL up to a value, ends with the name of a session parameter. Sessions
/// expire, so their IDs are soon useless.
fn is_session(head: &[u8]) -> bool {
    const NAMES: [&[u8]; 4] = [b"session_id", b"session-id", b"sessionid", b"sessid"];
    let head = head.strip_suffix(b"=").or_else(|| head.strip_suffix(b"%3D")).unwrap_or(head);
    NAMES.iter().any(|name| {
        head.len() >= name.len() && head[head.len() - name.len()..].eq_ignore_ascii_case(name)
    })
}

/// True if the URL is the sample of an `otpauth` URL whose issuer is called Example, or the value
/// of `example:` in a description of an API.
fn is_sample(cx: &Context<'_>) -> bool {
    let is_example_issuer = cx.has_scheme(&["otpauth"])
        && (cx.bytes_at(cx.parts.path).starts_with(b"/Example:")
            || memchr::memmem::find(cx.url, b"issuer=Example").is_some());
    let before = cx.text.get(..cx.whole.start).unwrap_or_default();
    let before = before.strip_suffix(b"'").or_else(|| before.strip_suffix(b"\"")).unwrap_or(before);
    is_example_issuer || before.trim_ascii_end().ends_with(b"example:")
}

/// True if `value` is probably not a real secret: it is short, has no digit or only digits, or
/// repeats one character.
fn is_placeholder(value: &[u8]) -> bool {
    value.len() < MIN_LEN
        || !value.iter().any(u8::is_ascii_digit)
        || value.iter().all(u8::is_ascii_digit)
        || value.windows(2).all(|pair| pair[0] == pair[1])
}

#[cfg(test)]
mod tests {
    use crate::{Config, Level, lint};

    #[test]
    fn samples_are_info() {
        let level = |text: &str| {
            let found = lint(text.as_bytes(), &Config::default());
            found.iter().find(|it| it.code == "security.token").map(|it| it.level)
        };
        for text in [
            "https://www.host.dom/?session_id=e4xr60mlvsol21",
            "https://www.host.dom/a.php?PHPSESSID=ed85ba09a568b86266c7c6759ffc53fd",
            "https://www.host.dom/?api_key=368513495882",
            "example: 'https://www.host.dom/?token=8fd1a6c03b7e4d25'",
            "otpauth://totp/Example:joe?secret=JBSWY3DPEHPK3PXP&issuer=Example",
        ] {
            assert_eq!(level(text), Some(Level::Info), "{text}");
        }
        for text in [
            "https://www.host.dom/?token=8fd1a6c03b7e4d25",
            "otpauth://totp/Mill:joe?secret=JBSWY3DPEHPK3PXP&issuer=Mill",
        ] {
            assert_eq!(level(text), Some(Level::Warning), "{text}");
        }
    }
}
