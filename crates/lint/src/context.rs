//! What a rule gets to see: one candidate in its place.

use crate::apply;
use crate::diagnostic::{Diagnostic, Hint};
use crate::dialect::Dialect;
use crate::edit::{Applicability, Edit, Edits, Fix};
use crate::example;
use crate::kept::Kept;
use crate::markup::{Region, RegionKind};
use crate::verbatim;
use memchr::memmem;
use std::borrow::Cow;
use std::cell::OnceCell;
use urlsift_core::{
    Anatomy, Profile, Report, Span, SpanMap, hidden, hidden_in, merged, parse_reference,
    secrets_among,
};
use urlsift_scanner::{Form, NearMiss, Seam};

/// One candidate, and what is known of it.
///
/// ```
/// use urlsift_lint::Context;
///
/// // What a rule may ask: is it worth a word that this URL is long?
/// fn is_worth_a_word(cx: &Context<'_>) -> bool {
///     cx.valid && cx.url.len() > 200 && !cx.is_in_code() && !cx.is_example() && !cx.is_template()
/// }
///
/// // And what it may say of it, without passwords.
/// fn words(cx: &Context<'_>) -> String {
///     format!("{} is {} bytes long", cx.shown(), cx.url.len())
/// }
/// ```
pub struct Context<'a> {
    /// The whole text.
    pub text: &'a [u8],
    /// The URL without layout (of a near miss, what was meant to be one).
    pub url: &'a [u8],
    /// From [`Context::url`] to [`Context::text`].
    pub map: &'a SpanMap,
    /// The URL taken apart.
    pub parts: Anatomy,
    /// What core and the scanner say of it, sorted by start, with spans within the URL.
    pub reports: &'a [Report],
    /// Whether the profile accepts it.
    pub valid: bool,
    /// The profile it was judged by.
    pub profile: Profile,
    /// How it stands in the text.
    pub form: Form,
    /// For [`Form::NearMiss`]: which.
    pub near_miss: Option<NearMiss>,
    /// The URL in the text, first byte to last.
    pub span: Span,
    /// The URL in the text with its wrapper or prefix, first byte to last.
    pub whole: Span,
    /// The breaks inside it, within the text.
    pub seams: &'a [Seam],
    /// The ways to take the hyphens at line breaks; [`Context::url`] first.
    pub readings: &'a [Vec<u8>],
    /// The candidate before this one: how it stands, its URL, and that with its wrapper.
    pub previous: Option<(Form, Span, Span)>,
    /// What the markup says of the place.
    pub region: Option<Region>,
    /// The markup of the text.
    pub dialect: Dialect,
    /// The secrets that the URL itself shows, of those that are hidden.
    pub(crate) own_secrets: &'a [Span],
    pub(crate) secrets: OnceCell<Vec<Span>>,
    pub(crate) template: OnceCell<bool>,
    /// The URL's normal form, if it is one, once somebody has asked.
    pub(crate) normal: OnceCell<Option<Cow<'a, [u8]>>>,
    pub(crate) kept: &'a Kept,
}

/// The rule that says of a URL that another one is meant.
const NAMES_ANOTHER: &str = "scheme.doubled";

/// Bytes behind a URL that may be a part of it to whoever fills in a template.
const NEAR: usize = 256;

impl Context<'_> {
    /// Where a span of the URL stands in the text.
    pub fn locate(&self, span: Span) -> Span {
        let place = self.map.source(span);
        // What is missing at the URL's end is shown there, not behind the layout that follows.
        if span.is_empty() && span.start >= self.url.len() {
            return Span::new(self.span.end, self.span.end);
        }
        place
    }

    /// The bytes of the URL at `span`.
    pub fn bytes(&self, span: Span) -> &[u8] {
        self.url.get(span.range()).unwrap_or_default()
    }

    /// The scheme in lower case.
    pub fn scheme(&self) -> String {
        String::from_utf8_lossy(self.bytes(self.parts.scheme)).to_ascii_lowercase()
    }

    /// The host; of a near miss what is meant for one.
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

    /// Whether the scheme is one of these, whose names are in lower case.
    pub(crate) fn has_scheme(&self, names: &[&str]) -> bool {
        let scheme = self.bytes(self.parts.scheme);
        names.iter().any(|name| scheme.eq_ignore_ascii_case(name.as_bytes()))
    }

    /// Where passwords stand in the URL, and pieces of those that go on in the text.
    fn secrets(&self) -> &[Span] {
        self.secrets.get_or_init(|| {
            let around = self.kept.secrets(self.text);
            secrets_among(self.own_secrets.to_vec(), self.url, self.map, self.span, around)
        })
    }

    /// The URL as it may be shown.
    pub fn shown(&self) -> String {
        let mut shown = self.kept.take();
        shown.extend_from_slice(&hidden(self.url, self.secrets()));
        text_of(shown)
    }

    /// A part of the URL as it may be shown.
    pub fn shown_part(&self, part: Span) -> String {
        readable(&hidden_in(self.url, part, self.secrets())).into_owned()
    }

    /// Another reading of the URL as it may be shown.
    pub fn shown_reading(&self, reading: &[u8]) -> String {
        let hyphens = self.seams.len();
        let found = self.kept.hides.of_reading(reading, self.url, self.secrets(), hyphens);
        String::from_utf8_lossy(&hidden(reading, &found)).into_owned()
    }

    /// Whether the place is program text, where a URL is an example and not to be followed.
    pub fn is_in_code(&self) -> bool {
        self.region.is_some_and(|region| region.kind.is_code())
    }

    /// Whether a byte that belongs to no text stands right before or behind it: what looks like a slip is then a length or a
    /// tag of binary data.
    pub(crate) fn is_in_data(&self) -> bool {
        self.byte_before(self.whole.start) == Some(0) || self.text.get(self.whole.end) == Some(&0)
    }

    /// Whether the host is nobody's in the Internet: an example, or in a network of one's own.
    pub fn is_example(&self) -> bool {
        example::is_example(self.url, &self.parts)
    }

    /// Whether the host is looked up in the DNS.
    pub(crate) fn asks_the_dns(&self) -> bool {
        self.has_scheme(&["http", "https", "ftp"])
    }

    /// Whether the URL is a program, or a program or the reader is to replace a part of it, or of what stands right
    /// behind it.
    pub fn is_template(&self) -> bool {
        *self.template.get_or_init(|| {
            if self.near_miss == Some(NearMiss::NewsBrackets) {
                return false;
            }
            let rest = self.text.get(self.span.end..).unwrap_or_default();
            let near = &rest[..rest.len().min(NEAR)];
            let end = near
                .iter()
                .position(|b| b.is_ascii_whitespace() || matches!(b, b'"' | b'\'' | b'`'));
            let end = self.span.end + end.unwrap_or(near.len());
            let value = match self.region {
                // A wrapper's own bracket is none of a template's.
                _ if self.whole.end > self.span.end => self.span,
                Some(region) if region.kind.is_whole() => region.span,
                _ => Span::new(self.span.start, end),
            };
            self.kept.is_template(self.text, value)
                || self.text.get(value.range()) != Some(self.url) && example::is_template(self.url)
                || self.has_scheme(&["javascript", "data"])
                || self.has_optional_parts()
                || !self.region.is_some_and(|region| region.kind.is_whole())
                    && self.dialect == Dialect::Html
                    && [&b"&#"[..], b"&quot", b"&lt", b"&gt"]
                        .iter()
                        .any(|end| memmem::find(self.url, end).is_some())
        })
    }

    /// Whether brackets in the authority hold something else than an address: `ftp://[user@]host/`.
    fn has_optional_parts(&self) -> bool {
        let text = |part| Anatomy::text(self.url, part);
        text(self.parts.authority).contains(&b'[') && !text(self.parts.host).starts_with(b"[")
            || text(self.parts.userinfo).contains(&b'[')
    }

    /// True if a wrapper or the markup says where the URL ends.
    pub(crate) fn is_delimited(&self) -> bool {
        matches!(self.form, Form::Wrapped | Form::Bracketed | Form::Attribute)
            || self.region.is_some_and(|it| it.kind.is_whole() || it.kind == RegionKind::Autolink)
    }

    /// True if the text shows the URL to the letter, as a sample.
    fn is_sample(&self) -> bool {
        if self.is_in_code() {
            return true;
        }
        // The value of an attribute or the target of a link is followed, wherever it is.
        if self.region.is_some_and(|region| region.kind.is_whole()) {
            return false;
        }
        let has_code_spans = matches!(self.dialect, Dialect::Markdown | Dialect::Mdx);
        // In the comments of a program quotes are those of strings, and brackets do not reach over lines.
        let is_of_program = || {
            let before = self.byte_before(self.whole.start);
            let is_quoted =
                before == Some(b'"') && self.text.get(self.whole.end) == before.as_ref();
            is_quoted || self.text[self.whole.range()].contains(&b'\n')
        };
        matches!(self.dialect, Dialect::Source(_)) && is_of_program()
            || verbatim::is_marked(self.text, self.whole, has_code_spans)
            || self.kept.is_sample(self.text, self.whole.start)
    }

    /// Whether the URL was cut from the end of a longer word: `credential.https://host`, `h[ttps://host`.
    fn is_glued(&self) -> bool {
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

    /// The byte of the text before `at`, if there is one.
    pub fn byte_before(&self, at: usize) -> Option<u8> {
        at.checked_sub(1).and_then(|at| self.text.get(at)).copied()
    }

    /// Edits of the URL as edits of the text; `None` where the bytes were decoded or joined.
    fn translate(&self, mut edits: Edits) -> Option<Edits> {
        for Edit { span, .. } in edits.iter_mut() {
            if !span.is_empty() {
                *span = self.map.is_verbatim(*span).then(|| self.map.source(*span))?;
                continue;
            }
            // Right behind the byte before it, so that an insertion never lands behind a break.
            let at = match span.start.checked_sub(1) {
                Some(before) => self.map.source(Span::new(before, before + 1)).end,
                None => self.map.source(*span).start,
            };
            *span = Span::new(at, at);
        }
        Some(edits)
    }

    /// Puts what is to be done into `diagnostic`: the fix, the mended URL, or at least `advice`.
    pub fn mend(&self, diagnostic: &mut Diagnostic, mending: Option<Fix>, advice: &'static str) {
        let mending = mending.filter(|mending| !mending.edits.is_empty());
        let Some(mending) = mending else {
            diagnostic.help = Some(advice.into());
            return;
        };
        let edits = &mending.edits[..];
        let added: usize = edits.iter().map(|edit| edit.text.len()).sum();
        let lead = [advice, ": "];
        let from = advice.len() + lead[1].len();
        let mut help = self.kept.take();
        help.reserve(from + self.url.len() + added);
        for words in lead {
            help.extend_from_slice(words.as_bytes());
        }
        apply::patch(&mut help, self.url, edits);
        let mended = &help[from..];
        let secrets = self.secrets();
        let mut found = self.kept.hides.in_url(mended);
        if !secrets.is_empty() {
            found.extend(apply::moved(secrets.iter().copied(), edits));
            found = merged(found);
        }
        if let [edit] = edits
            && !secrets.iter().any(|secret| secret.overlaps(edit.span))
        {
            diagnostic.label = hint(self.bytes(edit.span), edit);
        }
        let most = if diagnostic.code == NAMES_ANOTHER {
            Applicability::Safe
        } else {
            self.trust(mended, edits).min(self.trust_place(diagnostic.code, edits))
        };
        if !found.is_empty() {
            let shown = hidden(mended, &found).into_owned();
            help.truncate(from);
            help.extend(shown);
        }
        diagnostic.help = Some(text_of(help).into());
        let trust = mending.applicability.min(most);
        self.settle(diagnostic, self.translate(mending.edits), trust);
    }

    /// Puts edits of the text itself into `diagnostic`, with what to say of them.
    pub fn mend_text(
        &self,
        diagnostic: &mut Diagnostic,
        edits: Vec<Edit>,
        applicability: Applicability,
        help: String,
    ) {
        diagnostic.help = Some(help.into());
        self.settle(diagnostic, Some(edits.into()), applicability);
    }

    /// How far edits of the URL can be trusted that make it `mended`. Of a URL that was in order they must change
    /// neither what it means nor its fragment, which scripts compare byte by byte.
    fn trust(&self, mended: &[u8], edits: &[Edit]) -> Applicability {
        let fragment = self
            .parts
            .fragment
            .filter(|fragment| edits.iter().any(|edit| edit.span.end >= fragment.start));
        if let Some(fragment) = fragment {
            let is_directive = memmem::find(self.bytes(fragment), b":~:").is_some();
            return if is_directive { Applicability::Display } else { Applicability::Unsafe };
        }
        if self.near_miss.is_some() {
            return Applicability::Safe;
        }
        let url = self.url;
        let read = || parse_reference(url, self.profile).ok().map(|url| url.normalized());
        let Some(before) = self.normal.get_or_init(read) else { return Applicability::Safe };
        match parse_reference(mended, self.profile) {
            Ok(after) if *before == after.normalized() => Applicability::Safe,
            Ok(_) => Applicability::Unsafe,
            Err(_) => Applicability::Display,
        }
    }

    /// Returns how far the text around the URL lets edits be trusted, whatever they make of the URL.
    fn trust_place(&self, code: &str, edits: &[Edit]) -> Applicability {
        // Where nothing delimits the URL, a bracket may start the text of a link, or a part to be replaced.
        let path = self.url.get(self.parts.path.start..).unwrap_or_default();
        let bracket = memchr::memchr2(b'[', b']', path).map(|at| self.parts.path.start + at);
        let may_be_markup = (!self.is_delimited() || self.dialect == Dialect::AsciiDoc)
            && bracket.is_some_and(|at| edits.iter().any(|edit| edit.span.end > at));
        let is_discussed = (code.starts_with("escape.") || code == "port.default")
            && edits
                .iter()
                .any(|edit| verbatim::is_discussed(self.text, self.whole, self.bytes(edit.span)));
        if may_be_markup || is_discussed { Applicability::Display } else { Applicability::Safe }
    }

    fn settle(&self, diagnostic: &mut Diagnostic, edits: Option<Edits>, trust: Applicability) {
        let can_edit = !self.is_sample() && !self.is_glued() && !self.is_template();
        diagnostic.fix = edits.map(|edits| Fix {
            applicability: if can_edit { trust } else { Applicability::Display },
            edits,
        });
    }
}

/// As `String::from_utf8_lossy`, which looks for what is no UTF-8 byte by byte.
fn readable(bytes: &[u8]) -> Cow<'_, str> {
    std::str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
}

/// As [`readable`], of bytes that need not be copied.
fn text_of(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

/// The few words at the fault itself, in place of which `edit` puts something.
fn hint(old: &[u8], edit: &Edit) -> Hint {
    if edit.text.is_empty() {
        Hint::LeaveOut
    } else if old.is_empty() {
        Hint::Insert(edit.text.clone())
    } else if edit.text.len() <= 12 {
        Hint::Write(edit.text.clone())
    } else {
        Hint::Nothing
    }
}

/// Where rules put what they find.
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
    /// Says that something is wrong.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }
}
