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
     is short, a placeholder, or the password of a Zoom meeting.")
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
            || found.iter().all(|span| is_placeholder(cx.bytes_at(*span)))
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

/// True if `value` is probably not a real secret: it is short, has no digit, or repeats one
/// character.
fn is_placeholder(value: &[u8]) -> bool {
    value.len() < MIN_LEN
        || !value.iter().any(u8::is_ascii_digit)
        || value.windows(2).all(|pair| pair[0] == pair[1])
}
