//! The sink of a scan, which renders the results for the output of the current task.

use super::scan_job::ScanOutput;
use super::so_far::SoFar;
use crate::print::rendered::{Complaint, Note};
use crate::print::style::Style;
use std::ops::ControlFlow::{self, Break, Continue};
use std::sync::Arc;
use urlsift_archive::unpack::Trouble;
use urlsift_records::{FileName, Message, Scanned, Sink, UrlRecord};
use urlsift_scanner::Candidate;

/// The sink of a scan. It renders each result in the output format and appends it to the task's
/// output.
pub(super) struct Printer<'p, 'o, 's> {
    pub(super) style: &'p Style,
    pub(super) out: &'o mut ScanOutput<'s>,
}

impl Printer<'_, '_, '_> {
    #[inline(always)]
    fn flow_after_record(&mut self) -> ControlFlow<()> {
        self.out.print_if_large();
        if self.out.is_stopped() { Break(()) } else { Continue(()) }
    }
}

impl Sink for Printer<'_, '_, '_> {
    fn record(&mut self, record: &UrlRecord<'_>) -> ControlFlow<()> {
        if self.style.lines.is_some() {
            self.out.state.so_far.lines.add_url(record);
        } else if self.style.blank {
            self.out.state.so_far.blanker.mark(record);
        } else {
            self.out.rendered.append_url(self.style, record);
        }
        self.out.state.so_far.urls += 1;
        self.flow_after_record()?;
        if self.ends_file_after_break() { Break(()) } else { Continue(()) }
    }

    fn raw_bytes(&mut self, file: &Arc<FileName>, at: u64, bytes: &[u8]) {
        if self.style.blank {
            let out = &mut self.out.rendered.bytes;
            self.out.state.so_far.blanker.write_blanked(at, bytes, out);
            self.out.print_if_large();
        }
        if self.style.lines.is_some() {
            self.out.state.so_far.lines.push_bytes(self.style, file, bytes, &mut self.out.rendered);
            self.out.print_if_large();
        }
    }

    fn ends_file_after_break(&self) -> bool {
        self.style.max_urls_per_file().is_some_and(|most| self.out.state.so_far.urls >= most)
    }

    fn message(&mut self, file: &Arc<FileName>, message: &Message, urls: u64) {
        let out = &mut self.out.rendered;
        self.style.output_format().append_message(self.style, file, (message, urls), out);
    }

    #[inline(always)]
    fn plain_url(&mut self, found: &Candidate<'_>) -> ControlFlow<()> {
        // No escaping is needed, because no profile accepts a byte that would need it.
        let bytes = &mut self.out.rendered.bytes;
        found.write_to(bytes);
        bytes.push(b'\n');
        self.flow_after_record()
    }

    fn unit_scanned(
        &mut self,
        name: &Arc<FileName>,
        scanned: &Scanned,
        last: bool,
    ) -> ControlFlow<()> {
        self.out.rendered.tally += scanned.tally;
        let packed = self.out.state.packed.as_ref();
        self.out.rendered.read +=
            packed.map_or(scanned.tally.bytes, |packed| packed.take_newly_read());
        if self.style.ends_at_first && scanned.tally.urls > 0 {
            self.out.stop_after_match();
        }
        self.style.output_format().note_unit_result(name, scanned, &mut self.out.rendered);
        if self.style.per_file.is_some() || self.style.max_count.is_some() {
            let file = Arc::clone(name);
            self.out.rendered.add_note(Note::Found { file, urls: scanned.tally.urls, ends: last });
        }
        if last {
            self.out.state.so_far.lines.finish_file(self.style, name, &mut self.out.rendered);
            self.out.state.so_far = SoFar::default();
        }
        if self.out.is_stopped() { Break(()) } else { Continue(()) }
    }

    fn trouble(&mut self, name: &Arc<FileName>, trouble: Trouble) -> Result<(), Trouble> {
        let complaint = Complaint::from(&trouble);
        let Trouble::TooLong { range, .. } = trouble else {
            self.out.rendered.append_error(self.style, name, complaint);
            return Ok(());
        };
        let unit = self.out.rendered.unit.replace((range.start, Some(range.end)));
        self.out.rendered.append_error(self.style, name, complaint);
        self.out.rendered.unit = unit;
        Ok(())
    }
}
