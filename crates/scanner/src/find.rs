//! One pass over a text.
//!
//! Everything is judged at anchors (see `trigger`), each of which is looked at once. Whether a URL
//! starts at an anchor is a matter of at most 64 KiB before it, never of the whole text before it,
//! so that a text gives the same URLs whole, in chunks, and cut over many threads:
//!
//! - A wrapper holds no `<` but its own, so only the nearest `<` before an anchor can cover it.
//! - A bare URL covers the extent that it starts, whose end is the same for every start within it.
//! - An extent longer than the greatest URL is one truncated URL; within it no further one starts,
//!   unless none could have started within 64 KiB before.

use crate::anchor::{self, Anchor};
use crate::bare::{self, MAX_URL};
use crate::builder::Scanner;
use crate::candidate::Candidate;
use crate::extent::{self, Reach};
use crate::rejoin::{self, Memo};
use crate::scheme::is_scheme_byte;
use crate::trigger::Anchors;
use crate::wrapper::{self, Found, MAX_BROKEN_LETTERS};
use crate::{Input, blank};

/// The candidates of one text, in text order, not overlapping: see [`Scanner::find`].
#[derive(Clone, Debug)]
pub struct Candidates<'s, 't> {
    scanner: &'s Scanner,
    input: Input<'t>,
    /// Those left out that lie within an earlier URL.
    anchors: Anchors<'s, 't>,
    /// Anchors from here on are left alone.
    limit: usize,
    state: State,
    /// Further URLs of the last wrapper, last first.
    pending: Vec<Candidate<'t>>,
    memo: Memo,
}

/// How far a pass has come, and what it must remember of the text before.
#[derive(Clone, Copy, Debug)]
pub(crate) struct State {
    /// The first byte that no anchor was sought at.
    pub(crate) next: usize,
    /// No URL starts before this byte: an earlier one holds it.
    floor: usize,
    /// The last `<` that turned out to open no wrapper.
    plain: Option<usize>,
    /// The rest of an extent that was too long.
    overlong: Option<Overlong>,
}

/// An extent beyond the greatest length of a URL.
#[derive(Clone, Copy, Debug)]
struct Overlong {
    /// The last place in it where a URL could start.
    last: usize,
    /// How far it is known to run.
    end: usize,
}

impl State {
    /// Nothing is known of the text before byte `from`.
    pub(crate) const fn at(from: usize) -> Self {
        Self { next: from, floor: from, plain: None, overlong: None }
    }

    /// The same when the text has lost its first `by` bytes, all before [`State::next`].
    pub(crate) fn moved(self, by: usize) -> Self {
        Self {
            next: self.next - by,
            floor: self.floor.saturating_sub(by),
            plain: self.plain.and_then(|at| at.checked_sub(by)),
            overlong: self.overlong.and_then(|o| {
                Some(Overlong { last: o.last.checked_sub(by)?, end: o.end.checked_sub(by)? })
            }),
        }
    }
}

impl<'s, 't> Candidates<'s, 't> {
    pub(crate) fn resume(
        scanner: &'s Scanner,
        input: Input<'t>,
        state: State,
        limit: usize,
    ) -> Self {
        Self {
            scanner,
            input,
            anchors: scanner.trigger.anchors(input.text, state.next.max(state.floor)),
            limit,
            state,
            pending: Vec::new(),
            memo: Memo::default(),
        }
    }

    /// What a pass over a longer text must know to go on; for when this one is at its end.
    pub(crate) fn into_state(self) -> State {
        State { next: self.limit.min(self.input.text.len()), ..self.state }
    }

    fn reach(&self) -> Reach<'s> {
        Reach { schemes: &self.scanner.schemes, charset: self.input.charset, iri: self.scanner.iri }
    }

    /// What stands before byte `end` belongs to a URL that was found.
    fn leave(&mut self, end: usize) {
        self.state.floor = end;
        self.anchors.seek(end);
    }

    /// The candidate at the anchor `colon`, if there is one.
    fn judge(&mut self, colon: usize) -> Option<Candidate<'t>> {
        if let Some(open) = self.wrapper_at(colon)
            && self.state.plain != Some(open)
        {
            match wrapper::read(
                &self.input,
                open,
                &self.scanner.schemes,
                self.scanner.settings.rejoin,
            ) {
                Found::None => self.state.plain = Some(open),
                Found::One(candidate) => {
                    self.leave(candidate.whole.end);
                    return Some(candidate);
                }
                Found::Many(mut all) => {
                    all.reverse();
                    let first = all.pop()?;
                    self.leave(first.whole.end);
                    self.pending = all;
                    return Some(first);
                }
            }
        }
        let anchor = self.scanner.anchor_at(self.input.text, colon)?;
        let level = self.scanner.settings.rejoin;
        let accepted = anchor.accepts(self.input.text, self.scanner.iri)
            || rejoin::may_start(self.input.text, colon, level);
        if !accepted || self.is_overlong(&anchor) {
            return None;
        }
        let bare = bare::read(&self.input, &anchor, self.reach(), level, &mut self.memo);
        if bare.candidate.is_some() {
            self.leave(bare.end);
        }
        if bare.truncated {
            let last = self.last_start(&anchor, bare.end);
            self.state.overlong = Some(Overlong { last, end: bare.end });
        }
        bare.candidate
    }

    /// The `<` of the wrapper whose content starts with the scheme or prefix at `colon`, if only
    /// layout stands between them.
    fn wrapper_at(&self, colon: usize) -> Option<usize> {
        let text = self.input.text;
        let bound = colon.saturating_sub(crate::scheme::MAX_SCHEME + 1);
        let run = text[bound..colon].iter().rev().take_while(|&&b| is_scheme_byte(b)).count();
        let start = colon - run;
        match start.checked_sub(1).map(|before| text[before]) {
            Some(b'<') => Some(start - 1),
            // Most URLs stand behind a blank, and most of them behind a word and a blank.
            Some(b' ')
                if run > 2
                    && start.checked_sub(2).is_some_and(|at| {
                        text[at].is_ascii_alphanumeric() || b",.;".contains(&text[at])
                    }) =>
            {
                None
            }
            Some(_) if wrapper::may_open_before(text, start) => self.broken_wrapper_at(start, run),
            _ => None,
        }
    }

    /// As [`Self::wrapper_at`], where there is layout between the bracket and the content, or inside
    /// the scheme or the prefix.
    fn broken_wrapper_at(&self, start: usize, run: usize) -> Option<usize> {
        let text = self.input.text;
        if run > 0
            && let Some(open) = wrapper::opens_before(&self.input, start)
        {
            return Some(open);
        }
        // The letters before, with the layout between them left out, up to the bracket.
        let mut at = start;
        let mut letters = 0;
        while letters < MAX_BROKEN_LETTERS {
            if let Some(open) = wrapper::opens_before(&self.input, at) {
                return (letters + run > 0).then_some(open);
            }
            let before = at.checked_sub(1)?;
            let byte = text[before];
            let layout = blank::len_before(text, at, self.input.charset);
            if layout > 0 {
                at -= layout;
            } else if is_scheme_byte(byte) || (byte == b':' && letters == 0) {
                at = before;
                letters += 1;
            } else {
                return None;
            }
        }
        None
    }

    /// The last place before byte `end` in the extent that `first` starts where a URL could start.
    fn last_start(&self, first: &Anchor, end: usize) -> usize {
        let text = self.input.text;
        let mut colons = memchr::memrchr_iter(b':', &text[first.colon + 1..end]);
        colons
            .find_map(|at| {
                let colon = first.colon + 1 + at;
                let anchor = self.scanner.anchor_at(text, colon)?;
                anchor.accepts(text, self.scanner.iri).then_some(anchor.start)
            })
            .unwrap_or(first.start)
    }

    /// Whether the anchor lies in the rest of an extent that was too long.
    fn is_overlong(&mut self, anchor: &Anchor) -> bool {
        let Some(overlong) = self.state.overlong else { return false };
        let near = anchor.start.saturating_sub(overlong.last) <= MAX_URL;
        if near
            && extent::end(self.input.text, overlong.end, anchor.colon, self.reach())
                == anchor.colon
        {
            self.state.overlong = Some(Overlong { last: anchor.start, end: anchor.colon });
            return true;
        }
        self.state.overlong = None;
        false
    }
}

impl Scanner {
    /// The scheme that a bare URL at `colon` would have.
    fn anchor_at(&self, text: &[u8], colon: usize) -> Option<Anchor> {
        if !self.trigger.accepts(text, colon) {
            return None;
        }
        anchor::at(text, colon, &self.schemes, self.cut_glue)
    }
}

impl<'t> Iterator for Candidates<'_, 't> {
    type Item = Candidate<'t>;

    fn next(&mut self) -> Option<Candidate<'t>> {
        if let Some(candidate) = self.pending.pop() {
            return Some(candidate);
        }
        loop {
            let colon = self.anchors.next().filter(|&colon| colon < self.limit)?;
            if let Some(candidate) = self.judge(colon) {
                return Some(candidate);
            }
        }
    }
}
