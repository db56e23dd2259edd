//! Finds the URLs of a text.

use crate::units::Units;
use js_sys::Array;
use std::borrow::Cow;
use urlsift_core::{Span, mask_spans};
use urlsift_records::{Options, Scan};
use urlsift_scanner::{Form, validate_found};
use wasm_bindgen::prelude::*;

/// The flag for a valid URL in the third number that [`Finder::find`] returns for each URL. The
/// bits below the flag are the index of the URL's form in [`Form::ALL`].
const VALID: u32 = 1 << 8;
/// The flag in the same number for a URL that differs from the text in its range, so that it is
/// returned as a separate string.
const TEXT: u32 = 1 << 9;

/// The options for finding URLs in texts, and the scanner that is built from them on first use.
/// `js/find.js` wraps this as `Scanner`.
#[wasm_bindgen]
#[derive(Debug, Default)]
pub struct Finder {
    options: Options,
    scan: Option<Scan>,
}

#[wasm_bindgen]
impl Finder {
    #[wasm_bindgen(constructor)]
    #[allow(missing_docs, reason = "its type says it")]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets an option by its name in `urlsift scan`, with `_` instead of `-`. Lists are
    /// comma-separated. Fails if there is no such option or the value is not valid.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), JsError> {
        self.scan = None;
        Ok(self.options.set_for_text(name, value)?)
    }

    /// Finds the URLs of a UTF-8 text. Returns three numbers for each URL: its start and end in
    /// UTF-16 code units, and a number that describes it.
    ///
    /// The third number is the index of the URL's form in the result of [`forms`]. If the URL is
    /// valid, 256 is added. If the URL differs from the text in its range, 512 is added, and the
    /// URL is appended to `others`.
    pub fn find(&mut self, text: &[u8], others: &Array) -> Vec<u32> {
        let options = &self.options;
        let scan = self.scan.get_or_insert_with(|| Scan::new(options.clone()));
        let mut units = Units::for_text(text);
        let mut matches = Vec::new();
        let mut urls = scan.scanner().find_iter(text);
        while let Some(candidate) = urls.advance() {
            let Some(valid) = options.validity_if_selected(candidate) else { continue };
            let Span { start, end } = candidate.span();
            let mut url = candidate.url();
            if let Some(which) = options.hidden_secrets() {
                let secrets = which.in_context(&url, &candidate.span_map(), text, candidate.span());
                if !secrets.is_empty() {
                    url = Cow::Owned(mask_spans(&url, &secrets).into_owned());
                }
            }
            let form = candidate.form();
            let mut word = Form::ALL.iter().position(|it| *it == form).unwrap_or_default() as u32;
            word |= if valid { VALID } else { 0 };
            // A URL may end within a character that URLs can't contain.
            let (start, end) = (char_start(text, start), char_start(text, end));
            if *url != text[start..end] {
                word |= TEXT;
                others.push(&JsValue::from_str(&String::from_utf8_lossy(&url)));
            }
            matches.extend([
                units.utf16_offset(start) as u32,
                units.utf16_offset(end) as u32,
                word,
            ]);
        }
        matches
    }

    /// Returns the name of the profile that validates the URLs.
    pub fn profile(&self) -> String {
        self.options.profile.name().to_owned()
    }
}

/// Returns the normalized form of a URL. `form` is the form in which it was found, and `profile`
/// the profile that validated it. A URL that is invalid, or whose form has no scheme, is returned
/// unchanged.
#[wasm_bindgen]
pub fn normalized(url: &str, form: &str, profile: &str) -> String {
    let profile = profile.parse().unwrap_or_default();
    let normalized = form.parse().map(|form: Form| form.normalized(url.as_bytes(), profile));
    normalized.map_or_else(|_| url.to_owned(), |url| String::from_utf8_lossy(&url).into_owned())
}

/// Returns the target for a link to a URL that was found in the form called `form`. See
/// [`Form::href`].
#[wasm_bindgen]
pub fn href(url: &str, form: &str) -> String {
    let href = form.parse().map(|form: Form| form.href(url.as_bytes()));
    href.map_or_else(|_| url.to_owned(), |href| String::from_utf8_lossy(&href).into_owned())
}

/// Returns the host of a URL as written, or `None` if it has none or is not valid in the profile
/// called `profile`.
#[wasm_bindgen]
pub fn host(url: &str, profile: &str) -> Option<String> {
    let valid = validate_found(url.as_bytes(), profile.parse().unwrap_or_default()).ok()?;
    valid.host().map(|host| String::from_utf8_lossy(host).into_owned())
}

/// Returns the names of the URL forms, such as `bare` and `wrapped`. The third number that
/// [`Finder::find`] returns for each URL contains the index of the URL's form in this list.
#[wasm_bindgen]
pub fn forms() -> Vec<String> {
    Form::ALL.iter().map(|form| form.name().to_owned()).collect()
}

/// Returns the offset of the first byte of the character that contains byte `at`.
fn char_start(text: &[u8], at: usize) -> usize {
    let is_first = |at: &usize| text.get(*at).is_none_or(|byte| byte & 0xC0 != 0x80);
    (0..=at).rev().find(is_first).unwrap_or(0)
}
