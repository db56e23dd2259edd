//! From the bytes of a unit to the sheet: documents, candidates, records in the order of the file.

use crate::io::sliding_buffer::SlidingBuffer;
use crate::lines::Lines;
use crate::message::describe;
use crate::output::file_name::FileName;
use crate::output::record::MessageRecord;
use crate::output::{Note, Sheet};
use crate::report::Origin;
use crate::run::large_input::{UnitRange, UnitSlice};
use crate::run::queue::TaskOutput;
use crate::run::worker::Worker;
use std::fs::File;
use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;
use urlsift_archive::{self as archive, Container, Document, Message, documents};
use urlsift_records::dispatch::{Purpose, candidates};
use urlsift_scanner::{AFTER, BEFORE, Dialect, Input, State};

/// Bytes of a text that are read and looked at in one go, so that they are still in the processor's
/// cache. Each step costs 0.7 µs: with half of it the command takes 1 % more time, with twice as much 1 % less,
/// for as much more memory.
const STEP: usize = 160 << 10;

/// Bytes of a text that are at hand: a multiple of the size of a page, of which the largest have 64 KiB.
const HELD: usize = (BEFORE + STEP + AFTER).next_multiple_of(64 << 10);

/// URLs lie thin that have more bytes than this each.
const THIN: u64 = 1 << 10;

/// How far behind a URL's first byte the place can be where it was noticed: the longest wrapper.
const NOTICED: usize = 8 << 10;

/// A unit of a plain text in a file.
#[derive(Clone, Copy)]
pub(crate) struct FileText<'a> {
    pub(crate) name: &'a Arc<FileName>,
    pub(crate) dialect: archive::Dialect,
    pub(crate) file: &'a File,
    pub(crate) range: &'a UnitRange,
    /// Whether it is the file's last.
    pub(crate) last: bool,
}

/// A record on the sheet whose message is not at its end yet.
#[derive(Clone, Copy, Debug)]
struct Entry {
    start: u64,
    /// Where its bytes and notes start on the sheet; they go on to the next entry's.
    bytes: usize,
    notes: usize,
}

/// The records of the message at hand, which come in the order of documents.
#[derive(Debug, Default)]
struct Order {
    entries: Vec<Entry>,
    /// Where the outermost message at hand ends in the file.
    until: u64,
}

impl Worker<'_> {
    /// Puts all that is found in a unit on the sheet, and what trouble there was. `place` is the number of
    /// line breaks before the unit and where its first line starts, if that is known; the same is returned
    /// for what comes after it.
    pub(crate) fn scan_unit(
        &mut self,
        name: &Arc<FileName>,
        container: Container,
        bytes: &[u8],
        cut: &UnitSlice,
        place: (u64, u64),
        out: &mut TaskOutput<'_>,
    ) -> (u64, u64) {
        let style = &self.plan.style;
        let start = cut.base + cut.from as u64;
        let mut lines = Lines::new(start, Some(place));
        let urls = if let Container::Text(dialect) = container {
            self.text(name, dialect, bytes, cut, &mut lines, out)
        } else {
            let unit = bytes.get(cut.from..cut.to).unwrap_or_default();
            self.mail(name, container, unit, start, &mut lines, out)
        };
        out.sheet.tally.bytes += (cut.to - cut.from) as u64;
        if style.wants_lines() && !cut.last {
            lines.go(bytes, cut.base, cut.base + cut.to as u64);
        }
        out.sheet.unit_ends(style, name, urls, cut.last);
        if let Some(trouble) = &cut.trouble {
            style.error(&mut out.sheet, name, trouble.clone());
        }
        lines.place()
    }

    /// A plain text: its own bytes are scanned, and only those in the unit are reported.
    fn text(
        &mut self,
        name: &Arc<FileName>,
        dialect: archive::Dialect,
        bytes: &[u8],
        cut: &UnitSlice,
        lines: &mut Lines,
        out: &mut TaskOutput<'_>,
    ) -> u64 {
        let plan = self.plan;
        if !plan.filter.messages.is_empty() {
            return 0;
        }
        let origin =
            Origin { file: name, raw: bytes, raw_base: cut.base, document: None, message: None };
        let input = Input::new(bytes).dialect(translate(dialect));
        let mut urls = 0;
        for candidate in plan.scanner.find_within(input, cut.from..cut.to) {
            if out.stopped() {
                break;
            }
            urls += u64::from(self.scratch.report(
                &plan.filter,
                &plan.style,
                &candidate,
                &origin,
                lines,
                &mut out.sheet,
            ));
            out.print_some();
        }
        urls
    }

    /// As [`Worker::scan_unit`] for a unit of a text in a file, which goes through the ring piece by
    /// piece: the scanner remembers where it was.
    pub(crate) fn scan_text_unit(
        &mut self,
        text: &FileText<'_>,
        place: (u64, u64),
        out: &mut TaskOutput<'_>,
    ) -> io::Result<()> {
        let plan = self.plan;
        let ring = self.sliding.get_or_insert_with(|| SlidingBuffer::new(HELD));
        let FileText { name, range, .. } = *text;
        let mut lines = Lines::new(range.at, Some(place));
        let mut urls = 0;
        let mut base = range.base;
        let mut state = State::at(0);
        ring.clear();
        let within = |offset: u64, base: u64| {
            usize::try_from(offset.saturating_sub(base)).unwrap_or(usize::MAX)
        };
        while plan.filter.messages.is_empty() {
            let wanted = within(range.upto, base).min(state.next() + STEP + AFTER);
            ring.append_at(text.file, base + ring.bytes().len() as u64, wanted)?;
            let bytes = ring.bytes();
            let (from, to) = (within(range.at, base), within(range.end, base));
            let mut ends = bytes.len() < wanted || wanted == within(range.upto, base);
            let limit = if ends { to.saturating_add(NOTICED) } else { bytes.len() - AFTER };
            let input = Input::new(bytes).dialect(translate(text.dialect));
            let origin =
                Origin { file: name, raw: bytes, raw_base: base, document: None, message: None };
            let mut candidates = plan.scanner.find_from(input, state, limit);
            while let Some(candidate) = candidates.advance() {
                let start = candidate.span().start;
                if start < from {
                    continue;
                }
                if start >= to || out.stopped() {
                    ends = true;
                    break;
                }
                urls += u64::from(self.scratch.report(
                    &plan.filter,
                    &plan.style,
                    candidate,
                    &origin,
                    &mut lines,
                    &mut out.sheet,
                ));
                out.print_some();
            }
            if ends {
                break;
            }
            state = candidates.into_state();
            let spent = state.next().saturating_sub(BEFORE);
            if plan.style.wants_lines() && lines.at() < base + spent as u64 {
                lines.go(bytes, base, base + spent as u64);
            }
            ring.keep_from(spent);
            base += spent as u64;
            state = state.moved(spent);
        }
        let passed = range.end - range.at;
        out.sheet.tally.bytes += passed;
        self.is_thin = urls * THIN < passed;
        out.sheet.unit_ends(&plan.style, name, urls, text.last);
        Ok(())
    }

    /// Anything that documents are unpacked from. `base` is the unit's place in the file.
    fn mail(
        &mut self,
        name: &Arc<FileName>,
        container: Container,
        unit: &[u8],
        base: u64,
        lines: &mut Lines,
        out: &mut TaskOutput<'_>,
    ) -> u64 {
        let plan = self.plan;
        let mut urls = 0;
        let mut order = Order::default();
        let mut known: Option<MessageRecord> = None;
        let mut sink = |document: &Document<'_>| {
            let message = document.origin.message;
            if message.is_none_or(|message| message.span.start >= order.until) {
                order.settle(&mut out.sheet);
                out.print_some();
                order.until = message.map_or(0, |message| message.span.end);
                if out.stopped() {
                    return ControlFlow::Break(());
                }
            }
            if !plan.filter.messages.is_empty()
                && !message.is_some_and(|message| plan.filter.messages.wants(message))
            {
                return ControlFlow::Continue(());
            }
            // A message that is too long to be taken apart is one document, in order as it comes:
            // its records need not be kept until its end.
            let one = message.is_some_and(|message| {
                message.span.end - message.span.start > plan.options.max_message as u64
            });
            candidates(&plan.scanner, document, Purpose::Scan, |candidate| {
                if out.stopped() {
                    return;
                }
                if document.is_opaque(candidate.span()) {
                    return;
                }
                // Only records show it, and to describe a message costs more than to find its URLs.
                if let Some(message) = message
                    && plan.style.wants_reports()
                {
                    update(&mut known, message, document.origin.part, plan.filter.from_domain);
                }
                let origin = Origin {
                    file: name,
                    raw: unit,
                    raw_base: base,
                    document: Some(document),
                    message: if message.is_some() { known.as_ref() } else { None },
                };
                let start = document.locate(candidate.span()).start;
                let (bytes, notes) = (out.sheet.bytes.len(), out.sheet.notes.len());
                let found = self.scratch.report(
                    &plan.filter,
                    &plan.style,
                    candidate,
                    &origin,
                    lines,
                    &mut out.sheet,
                );
                urls += u64::from(found);
                if found && one {
                    order.settle(&mut out.sheet);
                    out.print_some();
                } else if found {
                    order.entries.push(Entry { start, bytes, notes });
                }
            });
            ControlFlow::Continue(())
        };
        let tally = documents(unit, container, base, &plan.options, &mut sink);
        order.settle(&mut out.sheet);
        out.sheet.tally.messages += tally.messages;
        urls
    }
}

fn translate(dialect: archive::Dialect) -> Dialect {
    match dialect {
        archive::Dialect::Markdown => Dialect::Markdown,
        archive::Dialect::Rst => Dialect::Rst,
        archive::Dialect::Html => Dialect::Html,
        _ => Dialect::Plain,
    }
}

/// Makes `known` say what there is to say of `message`; most often it does already.
fn update(known: &mut Option<MessageRecord>, message: &Message<'_>, part: &str, from_domain: bool) {
    match known {
        Some(known) if known.span == message.span && known.id.as_deref() == message.id() => {
            if known.part != part {
                part.clone_into(&mut known.part);
            }
        }
        _ => *known = Some(describe(message, part, from_domain)),
    }
}

impl Order {
    /// Puts the records of a message that is at its end into the order of the file.
    fn settle(&mut self, sheet: &mut Sheet) {
        if !self.entries.is_sorted_by_key(|entry| entry.start) {
            self.sort(sheet);
        }
        self.entries.clear();
    }

    fn sort(&mut self, sheet: &mut Sheet) {
        let Some(&first) = self.entries.first() else { return };
        let bytes = sheet.bytes.split_off(first.bytes);
        let mut notes: Vec<_> = sheet.notes.split_off(first.notes).into_iter().map(Some).collect();
        // Each entry with the ends of its bytes and notes.
        let ends = self.entries.iter().skip(1).map(|next| (next.bytes, next.notes));
        let ends = ends.chain([(first.bytes + bytes.len(), first.notes + notes.len())]);
        let mut entries: Vec<_> = self.entries.iter().copied().zip(ends).collect();
        entries.sort_by_key(|(entry, _)| entry.start);
        for (entry, (bytes_end, notes_end)) in entries {
            let to = sheet.bytes.len();
            let range = entry.bytes - first.bytes..bytes_end - first.bytes;
            sheet.bytes.extend_from_slice(&bytes[range]);
            let range = entry.notes - first.notes..notes_end - first.notes;
            for note in notes[range].iter_mut().filter_map(Option::take) {
                sheet.notes.push(moved(note, entry.bytes, to));
            }
        }
    }
}

/// A note whose bytes were moved from `from` to `to`.
fn moved(note: Note, from: usize, to: usize) -> Note {
    let place = |at: usize| at - from + to;
    match note {
        Note::Unique { from: at, key } => Note::Unique { from: place(at), key },
        Note::Plain { from: at } => Note::Plain { from: place(at) },
        Note::Error { at, file, message } => Note::Error { at: place(at), file, message },
        found @ Note::Found { .. } => found,
    }
}

#[cfg(test)]
mod tests {
    use super::{Entry, Order};
    use crate::output::{Note, Sheet};

    #[test]
    fn records_and_their_notes_are_sorted_together() {
        let mut sheet = Sheet::default();
        sheet.bytes.extend_from_slice(b"old\ncc\na\nb\n");
        sheet.notes = vec![Note::Plain { from: 5 }, Note::Plain { from: 7 }];
        let entry = |start, bytes, notes| Entry { start, bytes, notes };
        let entries = vec![entry(9, 4, 0), entry(1, 7, 1), entry(5, 9, 2)];
        Order { entries, until: 0 }.settle(&mut sheet);
        assert_eq!(*sheet.bytes, *b"old\na\nb\ncc\n");
        let notes: Vec<_> = sheet
            .notes
            .iter()
            .map(|note| match note {
                Note::Plain { from } => *from,
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(notes, [4, 9]);
    }
}
