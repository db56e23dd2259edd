//! Prints a file with its URLs replaced by spaces, for programs that check the text around them.

use std::ops::Range;
use urlsift_records::UrlRecord;

/// The URLs of a file that weren't replaced yet. Pass the bytes of the file to
/// [`UrlBlanker::write_blanked`] in pieces, in order. Before each piece, pass the URLs that start
/// in it to [`UrlBlanker::mark`].
#[derive(Clone, Debug, Default)]
pub(crate) struct UrlBlanker {
    /// The ranges of the file to replace.
    ranges: Vec<Range<u64>>,
}

impl UrlBlanker {
    /// Adds a URL. The layout within it, such as a line break with the quote mark after it, is not
    /// replaced. Does nothing if the file shows the URL only in a form without exact positions,
    /// e.g. in base64.
    pub(crate) fn mark(&mut self, record: &UrlRecord<'_>) {
        if record.approximate {
            return;
        }
        let mut start = record.span.start;
        for join in &*record.joins {
            self.ranges.push(start..join.span.start.max(start));
            start = join.span.end.max(start);
        }
        self.ranges.push(start..record.span.end.max(start));
    }

    /// Appends `bytes`, the bytes of the file from offset `at` on, to `out`. Each byte of a URL
    /// except line breaks becomes a space.
    pub(crate) fn write_blanked(&mut self, at: u64, bytes: &[u8], out: &mut Vec<u8>) {
        let from = out.len();
        out.extend_from_slice(bytes);
        let piece = &mut out[from..];
        let (len, end) = (piece.len(), at + piece.len() as u64);
        let within =
            |offset: u64| usize::try_from(offset.saturating_sub(at)).unwrap_or(usize::MAX).min(len);
        self.ranges.retain(|range| {
            for byte in &mut piece[within(range.start)..within(range.end)] {
                if !matches!(*byte, b'\n' | b'\r') {
                    *byte = b' ';
                }
            }
            range.end > end
        });
    }
}

#[cfg(test)]
mod tests {
    use super::UrlBlanker;

    #[test]
    fn ranges_in_several_pieces_are_blanked() {
        let mut blanker = UrlBlanker { ranges: vec![2..4, 5..9, 20..21] };
        let mut out = Vec::new();
        blanker.write_blanked(0, b"abcdef", &mut out);
        blanker.write_blanked(6, b"g\nijk", &mut out);
        assert_eq!(out, b"ab  e  \n jk");
        assert_eq!(blanker.ranges.first(), Some(&(20..21)));
    }
}
