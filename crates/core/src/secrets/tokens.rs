//! Finds secrets that aren't passwords: the values of parameters such as `access_token`, and tokens
//! with a recognizable form (`ghp_...`, JSON Web Tokens).
//!
//! The tables in this file are the only list of these names and forms.

use super::symbol::Symbol;
use crate::Span;
use alloc::vec::Vec;

/// The names of parameters whose value is a secret, sorted, in lower case and without `-`, `_` and
/// `.`.
const NAMES: [&str; 56] = [
    "accesskey",
    "accesstoken",
    "accountkey",
    "apikey",
    "apisecret",
    "apitoken",
    "appsecret",
    "assertion",
    "authkey",
    "authtoken",
    "bearertoken",
    "clientassertion",
    "clientsecret",
    "consumersecret",
    "csrftoken",
    "deploytoken",
    "hmac",
    "idtoken",
    "jobtoken",
    "jsessionid",
    "jwt",
    "jwttoken",
    "logintoken",
    "magictoken",
    "oauthsignature",
    "oauthtoken",
    "oauthtokensecret",
    "pass",
    "passphrase",
    "passwd",
    "password",
    "phpsessid",
    "privatekey",
    "privatetoken",
    "pwd",
    "refreshtoken",
    "resettoken",
    "samlassertion",
    "samlresponse",
    "secret",
    "secretkey",
    "securitytoken",
    "sessionid",
    "sessiontoken",
    "sharedaccesssignature",
    "sharedsecret",
    "sig",
    "signature",
    "subscriptionkey",
    "token",
    "usertoken",
    "webhooktoken",
    "xamzsecuritytoken",
    "xamzsignature",
    "xapikey",
    "xgoogsignature",
];
/// The maximum length of a name in [`NAMES`], in bytes.
const MAX_NAME_LEN: usize = 24;

/// The prefixes that identify tokens, each with the minimum number of letters, digits, `-` and `_`
/// that must follow.
const PREFIXES: [(&str, usize); 17] = [
    ("AIza", 35),
    ("dop_v1_", 64),
    ("gho_", 36),
    ("ghp_", 36),
    ("ghr_", 36),
    ("ghs_", 36),
    ("ghu_", 36),
    ("github_pat_", 60),
    ("glpat-", 20),
    ("hf_", 34),
    ("npm_", 36),
    ("pypi-AgE", 50),
    ("rk_live_", 24),
    ("sk_live_", 24),
    ("xoxb-", 30),
    ("xoxp-", 30),
    ("ya29.", 30),
];

/// The minimum length of any token with a recognizable form, in bytes.
const MIN_TOKEN_LEN: usize = 20;

/// The first bytes of a JSON Web Token's header and payload: `{"` in base64url.
const JWT_START: &[u8] = b"eyJ";
/// The minimum length of a JSON Web Token's header and of its payload, in bytes.
const MIN_JWT_PART: usize = 10;

/// Appends the span of every token in `text` to `found`, ordered by end. Takes linear time.
pub(super) fn find_tokens(text: &[u8], found: &mut Vec<Span>) {
    // `is_field` is true if a parameter delimiter precedes the current word.
    let (mut word, mut is_field, mut at) = (0, false, 0);
    while let Some(&byte) = text.get(at) {
        if is_name_or_token_byte(byte) {
            at += 1;
            continue;
        }
        let Some(symbol) = Symbol::decode_at(text, at) else { break };
        found.extend(recognize_token(text, Span::new(word, at)));
        if symbol.byte == b'=' && is_field && is_secret_name(&text[word..at]) {
            let end =
                parameter_value_end(text, symbol, text.get(word.wrapping_sub(1)) == Some(&b';'));
            if end > symbol.end {
                found.push(Span::new(symbol.end, end));
            }
            // The whole value is masked, so it is not examined again.
            (word, at, is_field) = (end, end, false);
            continue;
        }
        is_field = matches!(symbol.byte, b'?' | b'&' | b'#' | b';');
        (word, at) = (symbol.end, symbol.end);
    }
    found.extend(recognize_token(text, Span::new(word, text.len())));
}

/// True for the bytes of parameter names and tokens: letters, digits, `-`, `_` and `.`.
fn is_name_or_token_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.')
}

/// True if the value of a parameter called `name` is a secret. Ignores case, `-`, `_` and `.`.
fn is_secret_name(name: &[u8]) -> bool {
    let mut plain = [0; MAX_NAME_LEN];
    let letters = name.iter().filter(|byte| !matches!(byte, b'-' | b'_' | b'.'));
    let mut len = 0;
    for (letter, written) in letters.zip(&mut plain) {
        *written = letter.to_ascii_lowercase();
        len += 1;
    }
    name.len() <= 2 * MAX_NAME_LEN
        && NAMES.binary_search_by(|known| known.as_bytes().cmp(&plain[..len])).is_ok()
}

/// Returns the end of the parameter value after the equals sign `equals`. If `is_in_path` is true,
/// the value also ends at `/` and `?`.
fn parameter_value_end(text: &[u8], equals: Symbol, is_in_path: bool) -> usize {
    let mut at = equals.end;
    while let Some(symbol) = Symbol::decode_at(text, at) {
        let ends = match symbol.byte {
            b'&' | b'#' => symbol.level <= equals.level,
            b'/' | b'?' => is_in_path && symbol.level <= equals.level,
            b' ' | b'\t' | b'\r' | b'\n' | b'"' | b'<' | b'>' | b'`' => symbol.level == 0,
            _ => false,
        };
        if ends {
            break;
        }
        at = symbol.end;
    }
    at
}

/// Returns `word` if it has the form of a known kind of token, such as `ghp_…`; otherwise `None`.
/// `word` is the span of a run of letters, digits, `-`, `_` and `.`.
fn recognize_token(text: &[u8], word: Span) -> Option<Span> {
    let bytes = &text[word.range()];
    if bytes.len() < MIN_TOKEN_LEN {
        return None;
    }
    let is_letter = |byte: &u8| *byte != b'.';
    let is_known = |(prefix, len): &(&str, usize)| {
        let rest = bytes.strip_prefix(prefix.as_bytes());
        rest.is_some_and(|rest| rest.iter().take_while(|byte| is_letter(byte)).count() >= *len)
    };
    let is_jwt = || {
        let mut parts = bytes.split(|&byte| byte == b'.');
        let mut is_object =
            || parts.next().is_some_and(|p| p.starts_with(JWT_START) && p.len() >= MIN_JWT_PART);
        is_object() && is_object() && parts.next().is_some()
    };
    (PREFIXES.iter().any(is_known) || bytes.starts_with(JWT_START) && is_jwt()).then_some(word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Secrets, masked};
    use alloc::string::String;

    fn shown(url: &str) -> String {
        String::from_utf8_lossy(&masked(url.as_bytes(), Secrets::All)).into_owned()
    }

    #[test]
    fn names_are_sorted_and_short() {
        assert!(NAMES.is_sorted());
        assert!(
            NAMES.iter().all(|name| name.len() <= MAX_NAME_LEN && is_secret_name(name.as_bytes()))
        );
        assert!(is_secret_name(b"X-Amz-Security-Token") && is_secret_name(b"Access_Token"));
        for name in [
            "tokens",
            "tok",
            "",
            "x",
            "key",
            "pagetoken",
            "sigs",
            "a-very-long-name-that-is-no-token-token",
        ] {
            assert!(!is_secret_name(name.as_bytes()), "{name}");
        }
    }

    #[test]
    fn parameters_are_hidden() {
        for (url, expected) in [
            ("http://h/?token=abc", "http://h/?token=***"),
            ("http://h/?a=b&access_token=abc&c=d#e", "http://h/?a=b&access_token=***&c=d#e"),
            ("http://h/?a=b&amp;api_key=abc&amp;c=d", "http://h/?a=b&amp;api_key=***&amp;c=d"),
            ("http://h/?API-Key=a/b?c", "http://h/?API-Key=***"),
            ("http://h/#access_token=abc&x=y", "http://h/#access_token=***&x=y"),
            ("http://h/a;jsessionid=AB.1/b?x=y", "http://h/a;jsessionid=***/b?x=y"),
            (
                "http://h/?X-Amz-Signature=ab&X-Amz-Date=1",
                "http://h/?X-Amz-Signature=***&X-Amz-Date=1",
            ),
            (
                "https://a.blob.core.windows.net/c/b?sv=2022&se=2024&sig=a%2Fb%3D",
                "https://a.blob.core.windows.net/c/b?sv=2022&se=2024&sig=***",
            ),
            (
                "http://h/?u=http%3A%2F%2Fi%2F%3Ftoken%3Dabc%26x%3Dy&z",
                "http://h/?u=http%3A%2F%2Fi%2F%3Ftoken%3D***%26x%3Dy&z",
            ),
            ("http://h/?token=", "http://h/?token="),
            ("http://h/token=abc", "http://h/token=abc"),
            ("http://h/?page_token=abc&key=x", "http://h/?page_token=abc&key=x"),
            ("http://u:pw@h/?token=abc", "http://u:***@h/?token=***"),
            (
                "https://urldefense.proofpoint.com/v2/url?u=http-3A__h_-3Ftoken-3Dabc-26x-3Dy&d=x",
                "https://urldefense.proofpoint.com/v2/url?u=http-3A__h_-3Ftoken-3D***-26x-3Dy&d=x",
            ),
        ] {
            assert_eq!(shown(url), expected);
            let passwords = masked(url.as_bytes(), Secrets::Passwords);
            assert!(!String::from_utf8_lossy(&passwords).contains("oken=***"));
        }
    }

    #[test]
    fn tokens_are_recognized_by_their_form() {
        let jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl";
        assert_eq!(shown(&alloc::format!("http://h/a/{jwt}/b")), "http://h/a/***/b");
        assert_eq!(shown(&alloc::format!("http://h/?q=x%2F{jwt}")), "http://h/?q=x%2F***");
        for (prefix, len) in PREFIXES {
            let token: String = prefix.chars().chain(core::iter::repeat_n('x', len)).collect();
            assert_eq!(shown(&alloc::format!("https://{token}@h/a")), "https://***@h/a");
            let short = &token[..token.len() - 1];
            let url = alloc::format!("https://{short}@h/a");
            assert_eq!(shown(&url), url);
        }
        for url in ["http://h/eyJhbGciOiJIUzI1NiJ9", "http://h/eyJ.eyJ.x", "http://h/xoxb-1"] {
            assert_eq!(shown(url), url);
        }
    }
}
