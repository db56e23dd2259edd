//! The record of a valid URL that is short and needs no escape, which is what nearly all records of a link
//! list are.
//!
//! Such a record is five pieces that hardly differ from one to the next and three of the text that are
//! short. Each is copied as a chunk of fixed size, as vectors, and what it has too much the next one
//! overwrites: to copy just as many bytes as there are would be a call, or a branch that the processor
//! cannot guess. What is fixed stands in one piece, and of the numbers only the last four digits are
//! written.

use super::file_name::FileName;
use super::place::Place;
use super::quill::Quill;
use super::record::Gaps;
use super::roll::Roll;
use super::said::Piece;
use urlsift_core::{FileSpan, Profile, Report, Scheme, Span};
use urlsift_scanner::Form;

/// What there is to say of a valid URL. It holds only printable US-ASCII, neither quotation marks nor
/// backslashes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Brief<'a> {
    pub(crate) file: &'a FileName,
    /// The text that it stands in, whose first byte is at offset `base` of the file.
    pub(crate) text: &'a [u8],
    pub(crate) base: u64,
    pub(crate) url: Span,
    pub(crate) seen: Glance,
    /// From 1; `None` where it is known only when the units before this one are.
    pub(crate) line: Option<u64>,
    /// In bytes, from 1; `None` where the line began in a unit before this one.
    pub(crate) column: Option<u64>,
    pub(crate) form: Form,
    pub(crate) profile: Profile,
    pub(crate) quote_depth: u32,
    /// At most [`MOST`].
    pub(crate) findings: &'a [Report],
}

/// What the parts of a valid URL are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Glance {
    pub(crate) scheme: Scheme,
    /// Where its host stands in the text.
    pub(crate) host: Span,
    /// Where its fragment stands in the text, without the `#`.
    pub(crate) fragment: Option<Span>,
}

/// The longest URL.
pub(crate) const MAX_URL: usize = 128;

/// The most findings.
const MOST: usize = 4;

/// The longest start of a record.
const MAX_HEAD: usize = 512;

/// The longest record, with a chunk behind it: the URL is in it twice, and its host and fragment; what is
/// fixed and the numbers have less than 450, and a finding less than 256.
const ROOM: usize = MAX_HEAD + 4 * MAX_URL + 450 + MOST * 256 + 144;

impl Brief<'_> {
    /// Appends the record as one line of JSON Lines. Returns where the numbers go that were `None`,
    /// as offsets into `out`. Where it returns `None`, it did nothing.
    #[inline(always)]
    pub(crate) fn write(&self, place: &mut Place, out: &mut Roll) -> Option<Gaps> {
        if self.url.len() <= 64 {
            self.write_with::<64>(place, out)
        } else {
            self.write_with::<MAX_URL>(place, out)
        }
    }

    #[inline(always)]
    fn write_with<const URL: usize>(&self, place: &mut Place, out: &mut Roll) -> Option<Gaps> {
        let Self { url, seen, .. } = self;
        let kind = kind(self.form, seen.scheme)?;
        let url_bytes = self.text.get(url.start..)?.first_chunk::<URL>()?;
        // A host of more bytes is in a URL of more.
        let host = self.text.get(seen.host.start..)?.first_chunk::<64>()?;
        let head = self.file.json_head();
        let too_long = url.len() > URL || seen.host.len() > 64 || head.len() > MAX_HEAD;
        if too_long || self.findings.len() > MOST {
            return None;
        }
        let from = out.len();

        let mut quill = Quill::new(out.room::<ROOM>(), 0);
        match head.padded() {
            [first] => quill.piece(first),
            [first, second] => {
                quill.piece(first);
                quill.piece(second);
            }
            more => quill.bytes(more.as_flattened()),
        }
        quill.back_to(head.len());
        quill.put(url_bytes, url.len());
        let span = FileSpan::based(self.base, *url);
        let gaps = place.write(&mut quill, span, self.line, self.column);
        quill.put(&kind.bytes, kind.len);
        quill.put(host, seen.host.len());
        let is_web = self.profile == Profile::Web;
        if is_web && seen.fragment.is_none() && self.findings.is_empty() {
            quill.piece(BEYOND_DOUBT);
        } else {
            let fragment = seen.fragment.map(|fragment| &self.text[fragment.range()]);
            let (room, at) = quill.into_parts();
            let at = write_doubts(room, at, fragment, self.profile, self.findings);
            quill = Quill::new(room, at);
        }
        quill.put(url_bytes, url.len());
        quill.piece(b"\"],\"quote_depth\":");
        if self.quote_depth == 0 {
            quill.piece(b"0}\n");
        } else {
            quill.number(self.quote_depth.into());
            quill.piece(b"}\n");
        }
        let written = quill.at();
        out.grow(written);
        Some(gaps.shifted(from))
    }
}

/// Writes what stands in place of [`BEYOND_DOUBT`], whatever there is to say, behind the first `at` bytes of
/// the room. Returns where it ends.
#[inline(never)]
fn write_doubts<const ROOM: usize>(
    room: &mut [u8; ROOM],
    at: usize,
    fragment: Option<&[u8]>,
    profile: Profile,
    findings: &[Report],
) -> usize {
    let mut quill = Quill::new(room, at);
    if let Some(fragment) = fragment {
        quill.piece(b"\",\"fragment\":\"");
        quill.bytes(fragment);
        quill.piece(b"\"");
    } else {
        quill.piece(b"\",\"fragment\":null");
    }
    quill.piece(b",\"profile\":\"");
    quill.bytes(profile.name().as_bytes());
    quill.piece(b"\",\"valid\":true,\"violations\":[],\"findings\":[");
    for (index, report) in findings.iter().enumerate() {
        quill.report(index, report);
    }
    quill.piece(b"],\"joins\":[],\"readings\":[\"");
    quill.at()
}

/// What stands between the numbers and the host.
#[inline(always)]
fn kind(form: Form, scheme: Scheme) -> Option<&'static Piece<48>> {
    const fn kind(form: Form, scheme: Scheme) -> Piece<48> {
        let (form, scheme) = (form.name(), scheme.name());
        Piece::new(&[",\"form\":\"", form, "\",\"scheme\":\"", scheme, "\",\"host\":\""])
    }
    const fn kinds(form: Form) -> [Piece<48>; 5] {
        [
            kind(form, Scheme::Ftp),
            kind(form, Scheme::Http),
            kind(form, Scheme::Https),
            kind(form, Scheme::Gopher),
            kind(form, Scheme::Telnet),
        ]
    }
    static KINDS: [[Piece<48>; 5]; 4] =
        [kinds(Form::Wrapped), kinds(Form::Bracketed), kinds(Form::Prefixed), kinds(Form::Bare)];
    let form = match form {
        Form::Wrapped => 0,
        Form::Bracketed => 1,
        Form::Prefixed => 2,
        Form::Bare => 3,
        _ => return None,
    };
    let scheme = match scheme {
        Scheme::Ftp => 0,
        Scheme::Http => 1,
        Scheme::Https => 2,
        Scheme::Gopher => 3,
        Scheme::Telnet => 4,
        _ => return None,
    };
    Some(&KINDS[form][scheme])
}

/// What stands between the host and the URL's second place, by profile `web`, if the URL has no fragment
/// and nothing is to be said against it.
const BEYOND_DOUBT: &[u8; 101] = b"\",\"fragment\":null,\"profile\":\"web\",\"valid\":true,\
\"violations\":[],\"findings\":[],\"joins\":[],\"readings\":[\"";
