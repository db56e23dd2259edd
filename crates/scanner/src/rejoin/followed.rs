//! What becomes of a URL at a break that stands as an earlier one did.
//!
//! That it goes on there is known then ([`repeats`](super::repeats)); so is, most often, how far. Where it goes on over that
//! break alone, what is read of it stands on the next line, and so does all that tells where it ends, but for two things: what
//! the line behind that one starts with, and whether the text around shows a hyphen to be put in. The former is one of the
//! four lines that are the same. The latter is asked anew.

use super::absent_urls::Absence;
use super::early_reject;
use super::site::{BreakSite, Continuation, Held};
use crate::candidate::Seam;
use crate::extent::{self, ExtentRules};
use crate::text::line;
use crate::{Candidate, JoinKind};
use urlsift_core::Span;

/// A URL that goes on over one break, counted from where it goes on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Followed {
    /// How many bytes before that are layout.
    gap: usize,
    pub(super) hyphen: bool,
    /// That the URL does not stand around without that hyphen, and where it is known not to.
    pub(super) without_hyphen: Option<Absence>,
    pub(super) held: Held,
    /// Where it ends, and where what was read of it does.
    url_end: usize,
    end: usize,
}

/// The same in the text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known {
    pub(crate) seam: Seam,
    pub(crate) url_end: usize,
    pub(crate) end: usize,
}

impl Followed {
    /// What became of the URL at the break, of which that was read up to byte `end`, if it rests on no more than is asked anew.
    /// The URL without the hyphen was found to be absent, if that was asked.
    pub(super) fn of(
        site: &BreakSite<'_>,
        next: &Continuation,
        (candidate, end): (&Candidate<'_>, usize),
        absent: Option<Absence>,
        rules: ExtentRules<'_>,
    ) -> Option<Self> {
        let Continuation { resume, cut, kind, .. } = *next;
        let [seam] = candidate.seams() else { return None };
        let is_plain = !candidate.truncated && !candidate.is_unknown && !candidate.is_encoded();
        let is_told = kind != JoinKind::Escape
            && cut == 0
            && is_plain
            && seam.gap == Span::new(site.url.end, resume)
            && (!seam.hyphen || absent.is_some())
            && ends_there(site, resume, rules);
        is_told.then(|| Self {
            gap: seam.gap.len(),
            hyphen: seam.hyphen,
            without_hyphen: absent.filter(|_| seam.hyphen),
            held: Held::default(),
            url_end: candidate.span.end - resume,
            end: end - resume,
        })
    }

    /// The same where the URL goes on there.
    pub(super) fn at(&self, next: &Continuation) -> Known {
        let Self { gap, hyphen, url_end, end, .. } = *self;
        let Continuation { resume, kind, grade, .. } = *next;
        let seam = Seam { gap: Span::new(resume - gap, resume), hyphen, kind, grade };
        Known { seam, url_end: resume + url_end, end: resume + end }
    }
}

/// Whether it is plain from the first bytes of the line behind, if the URL that goes on there reaches that, that it does not go
/// on over a further break.
fn ends_there(site: &BreakSite<'_>, resume: usize, rules: ExtentRules<'_>) -> bool {
    let text = site.input.text;
    let (end, bracket) = extent::of_url(text, resume, text.len(), rules);
    if text.get(end) == Some(&b'\\') {
        return false;
    }
    let Some(break_at) = line::end_behind(text, end) else { return true };
    let url = Span::new(resume, end);
    let joined = [site.joined_so_far, &text[url.range()]].concat();
    let has_bracket = site.has_bracket || bracket;
    early_reject::ends(&BreakSite { url, break_at, has_bracket, joined_so_far: &joined, ..*site })
}
