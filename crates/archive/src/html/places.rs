//! The places in a page: the offsets of tags, comments and scripts that may contain more than text.

/// A compact list of ascending offsets. An offset that is less than 255 bytes after the last one
/// takes one byte.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places {
    steps: Vec<u8>,
    last: usize,
    /// True if the markup at the last offset is never closed.
    is_broken: bool,
}

impl Places {
    /// The step that means 255 bytes without an offset at their end: another step follows.
    const LONG_STEP: u8 = u8::MAX;

    /// Adds an offset, which must be at or after the last one.
    #[inline]
    pub(super) fn push(&mut self, place: usize) {
        let mut step = place - self.last;
        while step >= Self::LONG_STEP.into() {
            self.steps.push(Self::LONG_STEP);
            step -= usize::from(Self::LONG_STEP);
        }
        self.steps.push(u8::try_from(step).unwrap_or(0));
        self.last = place;
    }

    /// Adds an offset at which markup starts that is never closed. No offset may be added after
    /// this.
    pub(super) fn push_unclosed(&mut self, place: usize) {
        self.push(place);
        self.is_broken = true;
    }

    /// Returns an iterator over all offsets, in ascending order.
    pub(super) fn into_offsets(self) -> AllPlaces {
        let broken = self.is_broken.then_some(self.last);
        AllPlaces { steps: self.steps.into_iter(), at: 0, broken }
    }
}

/// An iterator over the offsets in [`Places`].
#[derive(Clone, Debug)]
pub(super) struct AllPlaces {
    steps: std::vec::IntoIter<u8>,
    at: usize,
    broken: Option<usize>,
}

impl AllPlaces {
    /// True if the markup that starts at offset `place` of the page is never closed.
    pub(super) fn is_unclosed_at(&self, place: usize) -> bool {
        self.broken == Some(place)
    }
}

impl Iterator for AllPlaces {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        loop {
            let step = self.steps.next()?;
            self.at += usize::from(step);
            if step != Places::LONG_STEP {
                return Some(self.at);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Places;

    #[test]
    fn places_round_trip() {
        let all = [0, 1, 255, 509, 510, 765, 766, 5000, 5255];
        let mut places = Places::default();
        for place in all {
            places.push(place);
        }
        places.push_unclosed(5256);
        let all: Vec<_> = all.into_iter().chain([5256]).collect();
        let places = places.into_offsets();
        assert!(!places.is_unclosed_at(5255) && places.is_unclosed_at(5256));
        assert!(places.eq(all));
    }
}
