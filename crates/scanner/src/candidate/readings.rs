//! The readings of a URL with hyphens at line breaks, or in quoted-printable that was not decoded.
//!
//! RFC 1738's Appendix says that "no whitespace should be introduced after a hyphen", since a
//! hyphen there "may or may not be part of the URL". So a URL with such hyphens has several
//! readings: with and without each of them.

use crate::candidate::Candidate;
use urlsift_core::Span;

/// The maximum number of hyphens that are read both ways. Four give sixteen readings.
const MAX_HYPHENS: usize = 4;
/// The maximum number of readings.
const MAX_READINGS: usize = 1 << MAX_HYPHENS;

impl Candidate<'_> {
    /// Returns all readings of the URL, i.e. the URLs that its writer may have meant. The first one
    /// is [`Candidate::url`], the preferred reading. If a hyphen comes right before a line break,
    /// there are readings with it and without it.
    ///
    /// If the URL was read as quoted-printable ([`Candidate::is_encoded`]), the last reading has
    /// the equals signs as they are in the text.
    ///
    /// There are at most sixteen readings, since hyphens after the fourth are only read the
    /// preferred way. They are ordered by the number of hyphens that differ from the first reading,
    /// then by the positions of these hyphens.
    pub fn readings(&self) -> Vec<Vec<u8>> {
        if self.locator_url().is_some() {
            return vec![self.url().into_owned()];
        }
        let hyphens: Vec<usize> = self
            .seams()
            .iter()
            .enumerate()
            .filter(|(_, seam)| seam.hyphen)
            .map(|(at, _)| at)
            .take(MAX_HYPHENS)
            .collect();
        let mut sets: Vec<u32> = (0..1_u32 << hyphens.len()).collect();
        // By size, then lexicographically by position: the set of the first hyphens comes first.
        sets.sort_by_key(|set| (set.count_ones(), set.reverse_bits() ^ u32::MAX));
        let mut readings: Vec<_> = sets
            .into_iter()
            .map(|set| {
                let is_flipped = |seam: usize| {
                    hyphens.iter().position(|&h| h == seam).is_some_and(|bit| set & (1 << bit) != 0)
                };
                self.assemble_reading(is_flipped)
            })
            .collect();
        if self.is_encoded() {
            readings.truncate(MAX_READINGS - 1);
            readings.push(self.assemble_undecoded());
        }
        readings
    }

    /// Returns the reading of an undecoded quoted-printable URL in which the equals signs are part
    /// of the URL, as in the text.
    fn assemble_undecoded(&self) -> Vec<u8> {
        let mut url = Vec::with_capacity(self.span.len());
        let mut from = self.span.start;
        for seam in self.seams() {
            let is_soft = self.text.get(seam.gap.start) == Some(&b'=');
            url.extend_from_slice(&self.text[from..seam.gap.start + usize::from(is_soft)]);
            from = seam.gap.end;
        }
        url.extend_from_slice(&self.text[from..self.span.end]);
        url
    }

    /// Returns the reading that differs from the preferred one in some hyphens. `is_flipped`
    /// receives the index of a break and returns true if the hyphen before it is dropped instead of
    /// kept, or kept instead of dropped.
    fn assemble_reading(&self, is_flipped: impl Fn(usize) -> bool) -> Vec<u8> {
        let mut url = Vec::with_capacity(self.span.len());
        let mut from = self.span.start;
        let write = |url: &mut Vec<u8>, piece: Span| {
            self.decoded_parts(piece).for_each(|part| url.extend_from_slice(part));
        };
        for (at, seam) in self.seams().iter().enumerate() {
            write(&mut url, Span::new(from, seam.gap.start));
            if is_flipped(at) {
                if self.drops_hyphen(seam) {
                    url.push(b'-');
                } else {
                    url.pop();
                }
            }
            from = seam.gap.end;
        }
        write(&mut url, Span::new(from, self.span.end));
        url
    }
}
