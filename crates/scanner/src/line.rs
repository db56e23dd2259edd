//! Line numbers, counted only where somebody asks.

/// Finds the line and column of offsets in one text.
///
/// Offsets may come in any order, but each costs the distance to the one before it, so ascending
/// ones cost one pass over the text in all. A line ends with LF; a CR before it is part of the line.
///
/// ```
/// use urlsift_scanner::Lines;
/// let mut lines = Lines::new(b"one\ntwo\nthree");
/// assert_eq!(lines.at(5), (2, 2));
/// assert_eq!(lines.at(8), (3, 1));
/// assert_eq!(lines.at(0), (1, 1));
/// ```
#[derive(Clone, Debug)]
pub struct Lines<'t> {
    text: &'t [u8],
    offset: usize,
    line: usize,
    start: usize,
}

impl<'t> Lines<'t> {
    /// For one text, whose first line is line 1.
    pub const fn new(text: &'t [u8]) -> Self {
        Self { text, offset: 0, line: 1, start: 0 }
    }

    /// The line and the column of byte `offset`, both 1-based, the column in bytes. An offset beyond
    /// the text counts as its end.
    pub fn at(&mut self, offset: usize) -> (usize, usize) {
        let offset = offset.min(self.text.len());
        if offset >= self.offset {
            for newline in memchr::memchr_iter(b'\n', &self.text[self.offset..offset]) {
                self.line += 1;
                self.start = self.offset + newline + 1;
            }
        } else if offset < self.start {
            self.line -= memchr::memchr_iter(b'\n', &self.text[offset..self.start]).count();
            self.start = memchr::memrchr(b'\n', &self.text[..offset]).map_or(0, |at| at + 1);
        }
        self.offset = offset;
        (self.line, offset - self.start + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_order_gives_the_same() {
        let text = b"a\n\nbb\r\nc\n\n\nd";
        let naive = |at: usize| {
            let head = &text[..at];
            let line = head.split(|&b| b == b'\n').count();
            (line, at - head.iter().rposition(|&b| b == b'\n').map_or(0, |i| i + 1) + 1)
        };
        let mut lines = Lines::new(text);
        for step in 1..text.len() {
            for n in 0..40 {
                let at = (n * step) % (text.len() + 1);
                assert_eq!(lines.at(at), naive(at), "{at}");
            }
        }
    }
}
