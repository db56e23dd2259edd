//! Reads the attributes of a tag that are URLs, contain URLs or may mention one.

use super::names::NameTable;
use super::piece::{Piece, may_mention_url, push_lower_case};
use super::text::decode_url_attribute;
use super::token::{Attribute, Attributes, Token, Tokens};
use crate::name::Name;
use core::ops::{ControlFlow, Range};
use memchr::{memchr, memchr_iter};

/// The kind of an attribute's value, which decides how URLs are found in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// One URL.
    Url,
    /// URLs separated by white space.
    List,
    /// URLs separated by commas.
    CommaList,
    /// URLs with descriptors, separated by commas.
    Srcset,
    /// Declarations of CSS, with URLs in `url(…)`.
    Css,
    /// A URL or other text, depending on the element's other attributes.
    Content,
    /// The attribute `http-equiv`, which decides how `<meta content>` is read.
    HttpEquiv,
    /// Text that may mention a URL.
    Other,
}

/// The entry for any element in [`ATTRIBUTES`].
const ANY: &str = "*";

/// The attributes that contain URLs: element, attribute and kind of value. Rows for the same
/// attribute are adjacent; the first one that matches the element is used.
const ATTRIBUTES: &[(&str, &str, Kind)] = &[
    (ANY, "action", Kind::Url),
    ("applet", "archive", Kind::CommaList),
    (ANY, "archive", Kind::List),
    (ANY, "background", Kind::Url),
    (ANY, "cite", Kind::Url),
    (ANY, "classid", Kind::Url),
    (ANY, "codebase", Kind::Url),
    ("meta", "content", Kind::Content),
    (ANY, "data", Kind::Url),
    (ANY, "data-src", Kind::Url),
    (ANY, "dynsrc", Kind::Url),
    (ANY, "formaction", Kind::Url),
    (ANY, "href", Kind::Url),
    ("meta", "http-equiv", Kind::HttpEquiv),
    (ANY, "icon", Kind::Url),
    (ANY, "imagesrcset", Kind::Srcset),
    (ANY, "longdesc", Kind::Url),
    (ANY, "lowsrc", Kind::Url),
    (ANY, "manifest", Kind::Url),
    (ANY, "ping", Kind::List),
    (ANY, "pluginspage", Kind::Url),
    (ANY, "pluginurl", Kind::Url),
    (ANY, "poster", Kind::Url),
    (ANY, "profile", Kind::List),
    (ANY, "src", Kind::Url),
    (ANY, "srcset", Kind::Srcset),
    (ANY, "style", Kind::Css),
    (ANY, "usemap", Kind::Url),
    (ANY, "xlink:href", Kind::Url),
];

/// A row of the table: its element (`None` for any), the kind of value, and true if the next row is
/// for the same attribute.
type Row = (Option<Name>, Kind, bool);

/// The rows of [`ATTRIBUTES`], with packed names.
static ROWS: [Row; ATTRIBUTES.len()] = {
    let mut rows = [(None, Kind::Other, false); ATTRIBUTES.len()];
    let mut at = 0;
    while at < rows.len() {
        let (element, attribute, kind) = ATTRIBUTES[at];
        let is_any = matches!(element.as_bytes(), b"*");
        let element = if is_any { None } else { Some(Name::new(element.as_bytes())) };
        let has_more = at + 1 < rows.len() && is_same_name(attribute, ATTRIBUTES[at + 1].1);
        rows[at] = (element, kind, has_more);
        at += 1;
    }
    rows
};

/// The value in [`FIRST_ROWS`] of an attribute without a row.
const NO_ROW: u8 = u8::MAX;

/// The index of the first row for each attribute.
static FIRST_ROWS: NameTable<u8, 64> = {
    let mut names = NameTable::with_default(NO_ROW);
    let mut at = 0;
    while at < ATTRIBUTES.len() {
        if at == 0 || !is_same_name(ATTRIBUTES[at - 1].1, ATTRIBUTES[at].1) {
            assert!(at < NO_ROW as usize, "too many rows");
            #[expect(clippy::cast_possible_truncation, reason = "it is less than `NO_ROW`")]
            let row = at as u8;
            names.insert(ATTRIBUTES[at].1, row);
        }
        at += 1;
    }
    names
};

/// True if the names are equal, ignoring case.
const fn is_same_name(a: &str, b: &str) -> bool {
    Name::new(a.as_bytes()).as_number() == Name::new(b.as_bytes()).as_number()
}

/// Returns the kind of value that `attribute` has on `element`.
#[inline]
fn attribute_value_kind(element: Name, attribute: Name) -> Kind {
    let row = FIRST_ROWS.get(attribute);
    if row == NO_ROW {
        return Kind::Other;
    }
    for &(of, kind, has_more) in ROWS.get(usize::from(row)..).unwrap_or_default() {
        if of.is_none_or(|of| of == element) {
            return kind;
        }
        if !has_more {
            break;
        }
    }
    Kind::Other
}

/// Passes the URLs in the attributes of a start tag to `found`, and the values that may mention a
/// URL. `element` is the range of the tag's name. `label` is a buffer for labels such as `a/href`.
/// URLs in CSS are included only if `includes_css` is true.
pub(super) fn pass_urls_of_tag(
    html: &[u8],
    element: &Range<usize>,
    includes_css: bool,
    label: &mut String,
    found: &mut dyn FnMut(Piece<'_>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let mut refresh = false;
    let mut attributes = Attributes { html, at: element.end };
    let of = Name::from_range(html, element);
    while let Some(Attribute { name, value }) = attributes.next() {
        let kind = attribute_value_kind(of, Name::from_range(html, &name));
        let text = html.get(value.clone()).unwrap_or_default();
        if kind == Kind::HttpEquiv {
            refresh |= text.trim_ascii().eq_ignore_ascii_case(b"refresh");
            continue;
        }
        let whole = kind == Kind::Url;
        let known = !matches!(kind, Kind::Other | Kind::Css) || kind == Kind::Css && includes_css;
        // Attributes that aren't links may contain URLs: `<input value>`, `onclick`, `data-*`,
        // `xmlns`.
        let mentions = (!whole || is_script_link(text)) && may_mention_url(text);
        if !known && !mentions {
            continue;
        }
        label.clear();
        push_lower_case(label, html.get(element.clone()).unwrap_or_default());
        label.push('/');
        push_lower_case(label, html.get(name).unwrap_or_default());
        let mut url = |range: Range<usize>| {
            found(Piece::Attribute(label, range.start + value.start..range.end + value.start))
        };
        match kind {
            Kind::Url => {
                let range = url_range_in_value(text);
                let end = range.end;
                url(range)?;
                if text.get(end..).is_some_and(|rest| !rest.trim_ascii().is_empty()) {
                    // The closing quote is missing, so the rest of the tag can't be read as
                    // attributes either.
                    attributes.by_ref().for_each(drop);
                    return found(Piece::Broken(value.start + end..attributes.at + 1));
                }
            }
            Kind::List => word_ranges(text, |byte| byte.is_ascii_whitespace()).try_for_each(url)?,
            Kind::CommaList => word_ranges(text, |byte| byte == b',')
                .map(|word| trim_range(text, word))
                .filter(|word| !word.is_empty())
                .try_for_each(url)?,
            Kind::Srcset => srcset_url_ranges(text).try_for_each(url)?,
            Kind::Css if includes_css => css_url_ranges(text).try_for_each(url)?,
            Kind::Content => {
                if let Some(range) = url_range_in_meta(text, refresh) {
                    url(range)?;
                    continue;
                }
            }
            Kind::Css | Kind::HttpEquiv | Kind::Other => {}
        }
        let is_read = matches!(kind, Kind::List | Kind::CommaList | Kind::Srcset);
        if mentions && !is_read {
            found(Piece::Mention(label, value))?;
        }
    }
    ControlFlow::Continue(())
}

/// The label of the attribute that sets the base URL of a page.
pub(crate) const BASE: &str = "base/href";

/// Returns the URL in the first `<base href>` of a page, with its character references decoded.
/// Takes linear time.
pub(crate) fn find_base_url(html: &[u8]) -> Option<Vec<u8>> {
    let is_base = |name: &[u8]| name.eq_ignore_ascii_case(b"base");
    let may_be_one = |at: usize| html.get(at + 1..at + 5).is_some_and(is_base);
    if !memchr_iter(b'<', html).any(may_be_one) {
        return None;
    }
    Tokens::new(html).find_map(|token| {
        let Token::Tag { name, closes: false, .. } = token else { return None };
        if !html.get(name.clone()).is_some_and(is_base) {
            return None;
        }
        let is_href = |found: &Attribute| {
            html.get(found.name.clone()).is_some_and(|name| name.eq_ignore_ascii_case(b"href"))
        };
        let href = (Attributes { html, at: name.end }).find(is_href)?;
        let value = html.get(href.value)?;
        let url = value.get(url_range_in_value(value))?;
        Some(decode_url_attribute(url, 0).text)
    })
}

/// True if a link's value is a script (`javascript:…`), which may contain URLs.
fn is_script_link(value: &[u8]) -> bool {
    const SCHEME: &[u8] = b"javascript:";
    let value = value.trim_ascii_start();
    value.get(..SCHEME.len()).is_some_and(|start| start.eq_ignore_ascii_case(SCHEME))
}

/// Returns `range` of `text` without leading and trailing white space.
fn trim_range(text: &[u8], range: Range<usize>) -> Range<usize> {
    let part = text.get(range.clone()).unwrap_or_default();
    let start = range.start + part.len() - part.trim_ascii_start().len();
    start..start + part.trim_ascii().len()
}

/// Returns the range of the URL in an attribute's value. If the value contains tags, its closing
/// quote is missing, and the URL ends before the first `>`.
fn url_range_in_value(text: &[u8]) -> Range<usize> {
    let gt = text.iter().position(|&b| b == b'>');
    let unclosed = gt.filter(|&gt| text.get(gt..).is_some_and(|rest| rest.contains(&b'<')));
    trim_range(text, 0..unclosed.unwrap_or(text.len()))
}

/// Returns the range of the URL in `text`, the attribute `content` of a `<meta>` tag, or `None` if
/// it contains no URL. In a refresh, the URL is the text after `url=`. Otherwise, it is the whole
/// value, if that is a single word with a colon. `is_refresh` is true if the tag is known to be a
/// refresh.
fn url_range_in_meta(text: &[u8], is_refresh: bool) -> Option<Range<usize>> {
    let after = text
        .windows(4)
        .position(|w| w.eq_ignore_ascii_case(b"url="))
        .map(|at| at + 4)
        .filter(|_| is_refresh || text.first().is_some_and(u8::is_ascii_digit));
    let Some(from) = after else {
        let range = trim_range(text, 0..text.len());
        let value = text.get(range.clone())?;
        let word = !value.iter().any(u8::is_ascii_whitespace);
        return (word && starts_with_scheme(value)).then_some(range);
    };
    let range = trim_range(text, from..text.len());
    let value = text.get(range.clone())?;
    let Some(quote @ (b'"' | b'\'')) = value.first() else { return Some(range) };
    let rest = value.get(1..)?;
    let len = rest.iter().position(|b| b == quote).unwrap_or(rest.len());
    Some(range.start + 1..range.start + 1 + len)
}

/// True if a value starts with a URL scheme: any name before `://`, or a registered scheme before
/// `:`. `max-image-preview:large` and `sku:XA302` only look like URLs.
fn starts_with_scheme(value: &[u8]) -> bool {
    let Some(colon) = memchr(b':', value) else { return false };
    let (name, rest) = value.split_at(colon);
    rest.starts_with(b"://") || urlsift_core::registry::find_entry(name).is_some()
}

/// Returns the ranges of the nonempty words of a text, split at the bytes for which `separates`
/// returns true.
fn word_ranges(text: &[u8], separates: impl Fn(u8) -> bool) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    core::iter::from_fn(move || {
        let rest = text.get(at..)?;
        let start = at + rest.iter().position(|&byte| !separates(byte))?;
        let word = text.get(start..)?;
        at = start + word.iter().position(|&byte| separates(byte)).unwrap_or(word.len());
        Some(start..at)
    })
}

/// Returns the range of the URL in each `url(…)` of CSS declarations, without quotation marks.
fn css_url_ranges(text: &[u8]) -> impl Iterator<Item = Range<usize>> {
    const OPEN: &[u8] = b"url(";
    let mut at = 0;
    core::iter::from_fn(move || {
        let is_open = |word: &[u8]| word.eq_ignore_ascii_case(OPEN);
        let open = text.get(at..)?.windows(OPEN.len()).position(is_open)?;
        let from = at + open + OPEN.len();
        let rest = text.get(from..)?;
        let blanks = rest.len() - rest.trim_ascii_start().len();
        let quote = rest.get(blanks).filter(|byte| matches!(byte, b'"' | b'\''));
        let from = from + blanks + usize::from(quote.is_some());
        let rest = text.get(from..)?;
        let end = quote.copied().unwrap_or(b')');
        let len = memchr(end, rest).unwrap_or(rest.len());
        at = from + len;
        Some(trim_range(text, from..at))
    })
}

/// Returns the ranges of the URLs in the value of a `srcset` attribute, without descriptors such as
/// `2x` and without commas.
fn srcset_url_ranges(text: &[u8]) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut at = 0;
    core::iter::from_fn(move || {
        let rest = text.get(at..)?;
        let skip = rest.iter().take_while(|b| b.is_ascii_whitespace() || **b == b',').count();
        let start = at + skip;
        let word = text.get(start..)?;
        let len = word.iter().position(u8::is_ascii_whitespace).unwrap_or(word.len());
        if len == 0 {
            return None;
        }
        let word = word.get(..len)?;
        let commas = word.iter().rev().take_while(|&&b| b == b',').count();
        at = start + len;
        if commas == 0 {
            // Descriptors end at the comma.
            let rest = text.get(at..)?;
            at += rest.iter().position(|&b| b == b',').unwrap_or(rest.len());
        }
        Some(start..start + len - commas)
    })
}
