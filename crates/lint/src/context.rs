//! The input of a rule: one candidate, its position in the text, and the markup around it.

use crate::apply;
use crate::caches::Caches;
use crate::diagnostic::{Diagnostic, Hint};
use crate::dialect::{Dialect, Markup};
use crate::edit::{Applicability, Edit, Edits, Fix};
use crate::example;
use crate::markup::{Region, RegionKind};
use crate::verbatim;
use memchr::memmem;
use std::borrow::Cow;
use std::cell::OnceCell;
use urlsift_core::{
    Anatomy, Profile, Report, Span, SpanMap, mask_spans, mask_spans_in, merge_spans,
    parse_reference, secrets_in_context,
};
use urlsift_scanner::{Form, NearMiss, Seam};

/// A URL or near miss that a rule checks, and everything that is known about it. The linter passes
/// it to [`Rule::check`](crate::Rule::check).
///
/// ```
/// use urlsift_lint::Context;
///
/// // Rules often skip URLs in code, examples and templates.
/// fn is_reported(cx: &Context<'_>) -> bool {
///     cx.valid && cx.url.len() > 200 && !cx.is_in_code() && !cx.is_example() && !cx.is_template()
/// }
///
/// // `shown` hides passwords.
/// fn message(cx: &Context<'_>) -> String {
///     format!("{} is {} bytes long", cx.masked_url(), cx.url.len())
/// }
/// ```
pub struct Context<'a> {
    /// The whole text.
    pub text: &'a [u8],
    /// The URL without line breaks and layout; for a near miss, the text that was intended as a
    /// URL.
    pub url: &'a [u8],
    /// The map from offsets in [`Context::url`] to offsets in [`Context::text`].
    pub map: &'a SpanMap,
    /// The spans of the URL's parts.
    pub parts: Anatomy,
    /// The reports of the core crate and the scanner, sorted by start. Spans are in the URL.
    pub reports: &'a [Report],
    /// True if the URL is valid in the profile.
    pub valid: bool,
    /// The profile that the URL was checked with.
    pub profile: Profile,
    /// The form of the URL in the text, such as bare or in brackets.
    pub form: Form,
    /// The kind of near miss; `None` for other forms than [`Form::NearMiss`].
    pub near_miss: Option<NearMiss>,
    /// The span of the URL in the text, including line breaks inside it.
    pub span: Span,
    /// The span of the URL in the text with its wrapper or prefix.
    pub whole: Span,
    /// The line breaks and other gaps inside the URL, with spans in the text.
    pub seams: &'a [Seam],
    /// The possible spellings of the URL with and without the hyphens at line breaks. The first is
    /// [`Context::url`].
    pub readings: &'a [Vec<u8>],
    /// The [`Context::form`], [`Context::span`] and [`Context::whole`] of the previous candidate.
    pub previous: Option<(Form, Span, Span)>,
    /// The region of the markup that contains the URL.
    pub region: Option<Region>,
    /// True if the URL is cut at the scanner's maximum length, and continues in the text. Its fixes
    /// are never applied, because a shorter text would move the end of the URL.
    pub(crate) is_overlong: bool,
    /// The markup of the text.
    pub dialect: Dialect,
    /// The spans of secrets that are recognized in the URL alone, without the text around it.
    pub(crate) own_secrets: &'a [Span],
    /// The spans of all secrets in the URL, computed on demand.
    pub(crate) secrets: OnceCell<Vec<Span>>,
    /// The result of [`Context::is_template`], computed on demand.
    pub(crate) template: OnceCell<bool>,
    /// The normal form of the URL, computed on demand. It is `None` if the URL is invalid.
    pub(crate) normal: OnceCell<Option<Cow<'a, [u8]>>>,
    /// The caches for the whole text.
    pub(crate) caches: &'a Caches,
}

/// The code of the only rule whose fix intentionally changes the meaning of a URL.
const CHANGES_MEANING: &str = "scheme.doubled";

/// The number of bytes after a URL that are searched for placeholders of a template, and for the
/// rest of an obfuscated mail address.
const MAX_TAIL: usize = 256;

/// The number of bytes before a URL that are searched for the start of a Texinfo macro.
const MAX_MACRO: usize = 2048;

impl Context<'_> {
    /// Converts a span in [`Context::url`] to the span of the same bytes in [`Context::text`].
    pub fn to_text_span(&self, span: Span) -> Span {
        let place = self.map.to_source(span);
        // An empty span at the end of the URL maps to the end of the URL, not to the position after
        // the white space that follows.
        if span.is_empty() && span.start >= self.url.len() {
            return Span::new(self.span.end, self.span.end);
        }
        place
    }

    /// Returns the bytes of the URL at `span`. Returns an empty slice if `span` exceeds the URL.
    pub fn bytes_at(&self, span: Span) -> &[u8] {
        self.url.get(span.range()).unwrap_or_default()
    }

    /// Returns the scheme of the URL in lower case. Returns an empty string if the URL has no
    /// scheme.
    pub fn scheme(&self) -> String {
        String::from_utf8_lossy(self.bytes_at(self.parts.scheme)).to_ascii_lowercase()
    }

    /// Returns the host of the URL. For a near miss, returns the part that was probably meant as
    /// the host.
    pub(crate) fn host(&self) -> &[u8] {
        let host = Anatomy::text(self.url, self.parts.host);
        if !host.is_empty() || self.near_miss.is_none() {
            return host;
        }
        let rest = self.url.get(self.parts.scheme.end..).unwrap_or_default();
        let marks = rest.iter().take_while(|b| b.is_ascii() && !b.is_ascii_alphanumeric()).count();
        let mut pieces = rest[marks..].split(|b| b"/\\?#".contains(b));
        let authority = pieces.next().unwrap_or_default();
        let host = authority.rsplit(|&b| b == b'@').next().unwrap_or_default();
        host.split(|&b| b == b':').next().unwrap_or_default()
    }

    /// True if the URL has one of the schemes `names`, ignoring case. Pass the names in lower case.
    pub(crate) fn has_scheme(&self, names: &[&str]) -> bool {
        let scheme = self.bytes_at(self.parts.scheme);
        names.iter().any(|name| scheme.eq_ignore_ascii_case(name.as_bytes()))
    }

    /// Returns the spans of secrets in the URL. This includes the part inside the URL of a secret
    /// that continues in the surrounding text.
    fn secrets(&self) -> &[Span] {
        self.secrets.get_or_init(|| {
            let text_secrets = self.caches.secrets(self.text);
            secrets_in_context(
                self.own_secrets.to_vec(),
                self.url,
                self.map,
                self.span,
                text_secrets,
            )
        })
    }

    /// Returns the URL with its secrets masked, for messages.
    pub fn masked_url(&self) -> String {
        let mut shown = self.caches.take_buffer();
        shown.extend_from_slice(&mask_spans(self.url, self.secrets()));
        into_lossy_string(shown)
    }

    /// Returns the part of the URL at `part`, with its secrets masked.
    pub fn masked_part(&self, part: Span) -> String {
        to_lossy_str(&mask_spans_in(self.url, part, self.secrets())).into_owned()
    }

    /// Returns `reading` with its secrets masked. `reading` must be one of [`Context::readings`].
    pub fn masked_reading(&self, reading: &[u8]) -> String {
        let hyphens = self.seams.len();
        let found = self.caches.hides.in_reading(reading, self.url, self.secrets(), hyphens);
        String::from_utf8_lossy(&mask_spans(reading, &found)).into_owned()
    }

    /// True if the URL is in a code span or code block, where it is an example and not a link.
    pub fn is_in_code(&self) -> bool {
        self.region.is_some_and(|region| region.kind.is_code())
    }

    /// True if a NUL byte is right before or after the URL, as in binary data. An apparent mistake
    /// in such a URL is probably a length or tag byte of the data.
    pub(crate) fn is_next_to_nul(&self) -> bool {
        self.byte_before(self.whole.start) == Some(0) || self.text.get(self.whole.end) == Some(&0)
    }

    /// True if the URL is only an example: its host is reserved for examples or in a private
    /// network, or its user name and password are placeholders.
    pub fn is_example(&self) -> bool {
        example::is_example(self.url, &self.parts)
    }

    /// True if the URL is a mail address, or its first part, in a form that address harvesters
    /// don't recognize.
    pub(crate) fn is_obfuscated_address(&self) -> bool {
        let rest = self.text.get(self.span.end..).unwrap_or_default();
        example::is_obfuscated_address(self.url)
            || example::is_obfuscated_address_before(self.url, &rest[..rest.len().min(MAX_TAIL)])
    }

    /// True if the URL has a scheme whose hosts clients look up in the DNS: `http`, `https` or
    /// `ftp`.
    pub(crate) fn has_dns_scheme(&self) -> bool {
        self.has_scheme(&["http", "https", "ftp"])
    }

    /// True if a program or reader will replace part of the URL, because the URL or the text right
    /// after it contains a placeholder. Program code (`javascript:`) and embedded data (`data:`)
    /// also count as templates.
    pub fn is_template(&self) -> bool {
        *self.template.get_or_init(|| {
            if self.near_miss == Some(NearMiss::NewsBrackets) {
                return false;
            }
            let rest = self.text.get(self.span.end..).unwrap_or_default();
            let near = &rest[..rest.len().min(MAX_TAIL)];
            let end = near
                .iter()
                .position(|b| b.is_ascii_whitespace() || matches!(b, b'"' | b'\'' | b'`'));
            let end = self.span.end + end.unwrap_or(near.len());
            let value = match self.region {
                // The closing bracket of a wrapper does not belong to a template.
                _ if self.whole.end > self.span.end => self.span,
                Some(region) if region.kind.is_whole_url() => region.span,
                _ => Span::new(self.span.start, end),
            };
            self.caches.contains_placeholder(self.text, value)
                || self.text.get(value.range()) != Some(self.url)
                    && example::contains_placeholder(self.url)
                || self.has_scheme(&["javascript", "data"])
                || self.has_texinfo_parameter()
                || self.has_rst_substitution()
                || self.has_optional_parts()
                || !self.region.is_some_and(|region| region.kind.is_whole_url())
                    && self.dialect == Dialect::Text(Markup::Html)
                    && [&b"&#"[..], b"&quot", b"&lt", b"&gt"]
                        .iter()
                        .any(|end| memmem::find(self.url, end).is_some())
        })
    }

    /// True if the URL contains a parameter of the Texinfo macro in whose definition it is, such as
    /// `\mail\`.
    fn has_texinfo_parameter(&self) -> bool {
        let mut pieces = self.url.split(|&b| b == b'\\').skip(1);
        let is_name = |name: &[u8]| !name.is_empty() && name.iter().all(u8::is_ascii_alphanumeric);
        self.dialect == Dialect::Text(Markup::Texinfo)
            && pieces.next().is_some_and(is_name)
            && pieces.next().is_some()
            && {
                let before = &self.text[self.span.start.saturating_sub(MAX_MACRO)..self.span.start];
                let last = |mark: &str| memmem::rfind(before, mark.as_bytes());
                last("@macro ").max(last("@rmacro ")) > last("@end macro").max(last("@end rmacro"))
            }
    }

    /// True if a component of the URL is just a reStructuredText substitution, such as `|version|`.
    /// Some builds, such as Airflow's, replace it in the generated pages.
    fn has_rst_substitution(&self) -> bool {
        let is_name = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.' | b' ');
        let mut components = self.url.split(|b| matches!(b, b'/' | b'?' | b'#'));
        self.dialect == Dialect::Text(Markup::Rst)
            && components.any(|it| {
                matches!(it, [b'|', name @ .., b'|'] if !name.is_empty() && name.iter().all(is_name))
            })
    }

    /// True if the authority contains brackets around optional parts, as in `ftp://[user@]host/`.
    /// Brackets around an IP address don't count.
    fn has_optional_parts(&self) -> bool {
        let text = |part| Anatomy::text(self.url, part);
        text(self.parts.authority).contains(&b'[') && !text(self.parts.host).starts_with(b"[")
            || text(self.parts.userinfo).contains(&b'[')
    }

    /// True if a wrapper such as `<URL:...>`, or markup, marks the start and end of the URL.
    pub(crate) fn is_delimited(&self) -> bool {
        matches!(self.form, Form::Wrapped | Form::Bracketed | Form::Attribute)
            || self
                .region
                .is_some_and(|it| it.kind.is_whole_url() || it.kind == RegionKind::Autolink)
    }

    /// True if the URL is part of a literal sample, such as code or a quotation. Samples must not
    /// be edited.
    fn is_in_sample(&self) -> bool {
        if self.is_in_code() {
            return true;
        }
        // An attribute value or a link target is a real link, wherever it is.
        if self.region.is_some_and(|region| region.kind.is_whole_url()) {
            return false;
        }
        let has_code_spans = matches!(self.dialect, Dialect::Text(Markup::Markdown | Markup::Mdx));
        // In comments of a program, quotes enclose strings, and angle brackets don't span lines.
        let is_literal = || {
            let before = self.byte_before(self.whole.start);
            let is_quoted =
                before == Some(b'"') && self.text.get(self.whole.end) == before.as_ref();
            is_quoted || self.text[self.whole.range()].contains(&b'\n')
        };
        matches!(self.dialect, Dialect::Source(_)) && is_literal()
            || verbatim::is_marked_as_sample(self.text, self.whole, has_code_spans)
            || self.caches.is_in_sample(self.text, self.whole.start)
    }

    /// True if the URL follows another word without a space, as in `credential.https://host` or
    /// `h[ttps://host`.
    fn follows_word_directly(&self) -> bool {
        let before = self.byte_before(self.span.start);
        if self.form == Form::NearMiss {
            let at = self.span.start.saturating_sub(1);
            return before.is_some_and(|b| b"[*_".contains(&b))
                && self.byte_before(at).is_some_and(|b| b.is_ascii_alphanumeric());
        }
        self.form == Form::Bare
            && before.is_some_and(|b| {
                b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_' | b'+')
            })
    }

    /// Returns the byte right before offset `at` of the text, or `None` if there is none.
    pub fn byte_before(&self, at: usize) -> Option<u8> {
        at.checked_sub(1).and_then(|at| self.text.get(at)).copied()
    }

    /// Converts edits of the URL to edits of the text. Returns `None` if the text doesn't contain
    /// the edited bytes unchanged, e.g. because they were decoded.
    fn to_text_edits(&self, mut edits: Edits) -> Option<Edits> {
        for Edit { span, .. } in edits.iter_mut() {
            if !span.is_empty() {
                *span = self.map.is_verbatim(*span).then(|| self.map.to_source(*span))?;
                continue;
            }
            // Insert right after the previous byte, so that the insertion never ends up after a
            // line break.
            let at = match span.start.checked_sub(1) {
                Some(before) => self.map.to_source(Span::new(before, before + 1)).end,
                None => self.map.to_source(*span).start,
            };
            *span = Span::new(at, at);
        }
        Some(edits)
    }

    /// Sets the fix and the help text of `diagnostic`. The help text is `advice` and, if there is a
    /// fix, the fixed URL.
    ///
    /// The edits of `fix` refer to the URL, and are converted to edits of the text. If the fix may
    /// be wrong in this place, its applicability is lowered.
    pub fn set_fix(&self, diagnostic: &mut Diagnostic, fix: Option<Fix>, advice: &'static str) {
        let fix = fix.filter(|fix| !fix.edits.is_empty());
        let Some(fix) = fix else {
            diagnostic.help = Some(advice.into());
            return;
        };
        let edits = &fix.edits[..];
        let added: usize = edits.iter().map(|edit| edit.text.len()).sum();
        let lead = [advice, ": "];
        let from = advice.len() + lead[1].len();
        let mut help = self.caches.take_buffer();
        help.reserve(from + self.url.len() + added);
        for words in lead {
            help.extend_from_slice(words.as_bytes());
        }
        apply::push_edited(&mut help, self.url, edits);
        let fixed = &help[from..];
        let secrets = self.secrets();
        let mut found = self.caches.hides.in_url(fixed);
        if !secrets.is_empty() {
            found.extend(apply::spans_after_edits(secrets.iter().copied(), edits));
            found = merge_spans(found);
        }
        if let [edit] = edits
            && !secrets.iter().any(|secret| secret.overlaps(edit.span))
        {
            diagnostic.label = hint_for_edit(self.bytes_at(edit.span), edit);
        }
        let max = if diagnostic.code == CHANGES_MEANING {
            Applicability::Safe
        } else {
            self.max_applicability(fixed, edits)
                .min(self.max_applicability_in_text(diagnostic.code, edits))
        };
        if !found.is_empty() {
            let shown = mask_spans(fixed, &found).into_owned();
            help.truncate(from);
            help.extend(shown);
        }
        diagnostic.help = Some(into_lossy_string(help).into());
        let trust = fix.applicability.min(max);
        self.set_fix_if_editable(diagnostic, self.to_text_edits(fix.edits), trust);
    }

    /// Sets the fix and the help text of `diagnostic`. Unlike in [`Context::set_fix`], `edits`
    /// refer to the text.
    pub fn set_text_fix(
        &self,
        diagnostic: &mut Diagnostic,
        edits: Vec<Edit>,
        applicability: Applicability,
        help: String,
    ) {
        diagnostic.help = Some(help.into());
        self.set_fix_if_editable(diagnostic, Some(edits.into()), applicability);
    }

    /// Returns the highest applicability that is permitted for edits which turn the URL into
    /// `fixed`.
    ///
    /// An edit of a valid URL is safe only if it doesn't change the URL's meaning. Edits of a
    /// fragment are never safe, because scripts compare fragments byte by byte.
    fn max_applicability(&self, fixed: &[u8], edits: &[Edit]) -> Applicability {
        let fragment = self
            .parts
            .fragment
            .filter(|fragment| edits.iter().any(|edit| edit.span.end >= fragment.start));
        if let Some(fragment) = fragment {
            let is_directive = memmem::find(self.bytes_at(fragment), b":~:").is_some();
            return if is_directive { Applicability::Display } else { Applicability::Unsafe };
        }
        if self.near_miss.is_some() {
            return Applicability::Safe;
        }
        let url = self.url;
        let read = || parse_reference(url, self.profile).ok().map(|url| url.normalized());
        let Some(before) = self.normal.get_or_init(read) else { return Applicability::Safe };
        match parse_reference(fixed, self.profile) {
            Ok(after) if *before == after.normalized() => Applicability::Safe,
            Ok(_) => Applicability::Unsafe,
            Err(_) => Applicability::Display,
        }
    }

    /// Returns the highest applicability that the text around the URL permits for `edits`. `code`
    /// is the rule that suggests them.
    fn max_applicability_in_text(&self, code: &str, edits: &[Edit]) -> Applicability {
        // In a bare URL, a bracket may start the text of a link or a placeholder.
        let path = self.url.get(self.parts.path.start..).unwrap_or_default();
        let bracket = memchr::memchr2(b'[', b']', path).map(|at| self.parts.path.start + at);
        let may_be_markup = (!self.is_delimited() || self.dialect.has_url_labels())
            && bracket.is_some_and(|at| edits.iter().any(|edit| edit.span.end > at));
        let is_discussed = (code.starts_with("escape.") || code == "port.default")
            && verbatim::is_any_discussed(
                self.text,
                self.whole,
                edits.iter().map(|edit| self.bytes_at(edit.span)),
            );
        if may_be_markup || is_discussed { Applicability::Display } else { Applicability::Safe }
    }

    /// Sets the fix of `diagnostic` to `edits`. In samples, templates and parts of words, the fix
    /// is displayed but never applied. `applicability` is the applicability elsewhere.
    fn set_fix_if_editable(
        &self,
        diagnostic: &mut Diagnostic,
        edits: Option<Edits>,
        applicability: Applicability,
    ) {
        let can_edit = !self.is_overlong
            && !self.is_in_sample()
            && !self.follows_word_directly()
            && !self.is_template()
            && !self.is_obfuscated_address();
        diagnostic.fix = edits.map(|edits| Fix {
            applicability: if can_edit { applicability } else { Applicability::Display },
            edits,
        });
    }
}

/// Converts bytes to a string, and replaces invalid UTF-8. The result is that of
/// `String::from_utf8_lossy`, but valid text is checked faster.
fn to_lossy_str(bytes: &[u8]) -> Cow<'_, str> {
    std::str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
}

/// Converts bytes to a string, and replaces invalid UTF-8. Valid bytes are not copied.
fn into_lossy_string(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

/// Returns the short label that suggests `edit` next to the faulty bytes. `old` are the bytes that
/// the edit replaces.
fn hint_for_edit(old: &[u8], edit: &Edit) -> Hint {
    if edit.text.is_empty() {
        Hint::Remove
    } else if old.is_empty() {
        Hint::Insert(edit.text.clone())
    } else if edit.text.len() <= 12 {
        Hint::Replace(edit.text.clone())
    } else {
        Hint::Nothing
    }
}

/// The list to which [`Rule::check`](crate::Rule::check) adds the diagnostics that it finds.
///
/// ```
/// use urlsift_lint::{Context, Diagnostic, Findings, Level};
/// fn check(cx: &Context<'_>, out: &mut Findings) {
///     out.push(Diagnostic::new("mine.long", Level::Info, cx.span));
/// }
/// ```
#[derive(Debug, Default)]
pub struct Findings {
    pub(crate) diagnostics: Vec<Diagnostic>,
}

impl Findings {
    /// Adds a diagnostic to the list.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }
}
