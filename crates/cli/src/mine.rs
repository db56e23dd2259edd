//! What one worker does with the files and units that it is given.

use crate::args::ScanArgs;
use crate::lines::Lines;
use crate::output::record::FileName;
use crate::output::{Note, Sheet, Style};
use crate::read::{BUFFER, Buffer, WHOLE};
use crate::report::{Filter, Origin, Scratch};
use crate::walk::{Found, explain};
use crate::work::{After, Turn, Worker};
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;
use std::sync::Arc;
use urlsift_scanner::{Input, Scanner};

/// Bytes of a unit of a big plain text.
const UNIT: usize = WHOLE;
/// Bytes on either side of a unit that are looked at with it: the longest URL and the text that
/// a break's evidence may come from.
const CONTEXT: usize = 128 << 10;

/// What all workers share.
pub(crate) struct Plan {
    pub(crate) style: Style,
    pub(crate) filter: Filter,
    pub(crate) scanner: Scanner,
}

impl Plan {
    pub(crate) fn new(args: &ScanArgs, style: Style) -> Self {
        let mut builder = Scanner::builder()
            .profile(args.profile)
            .rejoin(args.rejoin.into())
            .schemeless(args.schemeless)
            .locators(args.locators);
        for name in &args.scheme {
            builder = builder.scheme(name);
        }
        Self { style, filter: Filter::new(args), scanner: builder.build() }
    }
}

/// A file or stream that is read unit by unit.
pub(crate) struct Big {
    name: Arc<FileName>,
    source: Source,
    /// Where the next unit starts.
    at: u64,
}

enum Source {
    /// Any part can be read at any time, by several workers at once.
    File { file: Arc<File>, len: u64 },
    /// Comes once, from front to end. `held` starts `before` bytes before the next unit.
    Stream { stream: Box<dyn Read + Send>, held: Buffer, before: usize },
}

/// A worker's own.
pub(crate) struct Miner<'p> {
    plan: &'p Plan,
    buffer: Buffer,
    scratch: Scratch,
}

/// What there is of a text, and which part of it is to be reported.
struct Window<'t> {
    text: &'t [u8],
    /// The text's offset in the file.
    base: u64,
    /// The unit, within the text: what starts here is reported.
    from: usize,
    to: usize,
}

impl<'p> Miner<'p> {
    pub(crate) fn new(plan: &'p Plan) -> Self {
        Self { plan, buffer: Buffer::default(), scratch: Scratch::default() }
    }

    /// Scans a file that fits the buffer; a bigger one is handed back.
    fn file(&mut self, path: &Path, turn: &mut Turn<'_, Big>) -> Option<Big> {
        let name = Arc::new(FileName::new(path.as_os_str().as_bytes().to_vec(), None));
        turn.sheet.tally.files += 1;
        let opened = File::open(path).and_then(|mut file| {
            self.buffer.clear();
            self.buffer.fill(&mut file, BUFFER).map(|ended| (file, ended))
        });
        let (mut file, ended) = match opened {
            Ok(opened) => opened,
            Err(error) => {
                self.plan.style.error(&mut turn.sheet, &name, explain(&error));
                return None;
            }
        };
        if !ended {
            // Only now is it worth to ask for the size.
            match file.metadata() {
                Ok(meta) if meta.is_file() => {
                    if meta.len() > WHOLE as u64 {
                        let source = Source::File { file: Arc::new(file), len: meta.len() };
                        return Some(Big { name, source, at: 0 });
                    }
                    if let Err(error) = self.buffer.fill(&mut file, WHOLE + 1) {
                        self.plan.style.error(&mut turn.sheet, &name, explain(&error));
                    }
                }
                _ => return Some(self.stream(name, Box::new(file))),
            }
        }
        let buffer = std::mem::take(&mut self.buffer);
        let text = buffer.bytes();
        turn.sheet.notes_file_start(&self.plan.style);
        let window = Window { text, base: 0, from: 0, to: text.len() };
        self.window(&name, &window, Some((0, 0)), true, turn);
        self.buffer = buffer;
        None
    }

    /// A stream whose first bytes are in the buffer.
    fn stream(&mut self, name: Arc<FileName>, stream: Box<dyn Read + Send>) -> Big {
        let held = std::mem::take(&mut self.buffer);
        Big { name, source: Source::Stream { stream, held, before: 0 }, at: 0 }
    }

    /// Scans one window of a plain text.
    fn window(
        &mut self,
        name: &Arc<FileName>,
        window: &Window<'_>,
        place: Option<(u64, u64)>,
        ends: bool,
        turn: &mut Turn<'_, Big>,
    ) {
        let plan = self.plan;
        let start = window.base + window.from as u64;
        let mut lines = Lines::new(start, place);
        let origin = Origin {
            file: name,
            raw: window.text,
            raw_base: window.base,
            map: None,
            base: window.base,
            decoded: &[],
            approximate: false,
            html: None,
            message: None,
        };
        let mut urls = 0;
        for candidate in plan.scanner.find(Input::new(window.text)) {
            let at = candidate.span().start;
            if at >= window.to || turn.stopped() {
                break;
            }
            if at < window.from {
                continue;
            }
            let found = self.scratch.report(
                &plan.filter,
                &plan.style,
                &candidate,
                &origin,
                &mut lines,
                &mut turn.sheet,
            );
            urls += u64::from(found);
            turn.print_some();
        }
        turn.sheet.tally.bytes += (window.to - window.from) as u64;
        if plan.style.wants_lines() && !ends {
            lines.go(window.text, window.base, window.base + window.to as u64);
            let (lines, line_start) = (lines.count(), lines.line_start());
            turn.sheet.notes.push(Note::UnitEnd { lines, line_start });
        }
        turn.sheet.found(&plan.style, name, urls, ends);
    }
}

impl Worker<Big> for Miner<'_> {
    fn files(
        &mut self,
        mut files: std::vec::IntoIter<Found>,
        turn: &mut Turn<'_, Big>,
    ) -> After<Big> {
        while let Some(found) = files.next() {
            if turn.stopped() {
                break;
            }
            let big = match found {
                Found::File(path) => self.file(&path, turn),
                Found::Stdin => {
                    turn.sheet.tally.files += 1;
                    self.buffer.clear();
                    let name = Arc::new(FileName::new(b"-".to_vec(), None));
                    Some(self.stream(name, Box::new(io::stdin())))
                }
                Found::Error(path, message) => {
                    let name = Arc::new(FileName::new(path.into_os_string().into_vec(), None));
                    self.plan.style.error(&mut turn.sheet, &name, message);
                    None
                }
            };
            if let Some(big) = big {
                return After::Big(big, files);
            }
            turn.print_some();
        }
        After::Done
    }

    fn unit(&mut self, big: Big, turn: &mut Turn<'_, Big>) {
        let Big { name, source, at } = big;
        if at == 0 {
            turn.sheet.notes_file_start(&self.plan.style);
        }
        let mut buffer = std::mem::take(&mut self.buffer);
        let mut trouble = None;
        let (base, from, to, last);
        match source {
            Source::File { file, len } => {
                let end = (at + UNIT as u64).min(len);
                last = end == len;
                if !last {
                    let source = Source::File { file: Arc::clone(&file), len };
                    turn.leave(Big { name: Arc::clone(&name), source, at: end });
                }
                base = at.saturating_sub(CONTEXT as u64);
                let wanted = (end + CONTEXT as u64).min(len) - base;
                let wanted = usize::try_from(wanted).unwrap_or(usize::MAX);
                trouble = buffer.read_at(&file, base, wanted).err();
                from = usize::try_from(at - base).unwrap_or(0).min(buffer.bytes().len());
                to = usize::try_from(end - base).unwrap_or(0).min(buffer.bytes().len());
            }
            Source::Stream { mut stream, mut held, before } => {
                let ended = match held.fill(&mut stream, before + UNIT + CONTEXT) {
                    Ok(ended) => ended,
                    Err(error) => {
                        trouble = Some(error);
                        true
                    }
                };
                last = ended;
                base = at - before as u64;
                from = before;
                to = if last { held.bytes().len() } else { before + UNIT };
                buffer.clear();
                buffer.extend(held.bytes());
                if !last {
                    held.keep_from(to.saturating_sub(CONTEXT));
                    let source = Source::Stream { stream, held, before: to.min(CONTEXT) };
                    let at = base + to as u64;
                    turn.leave(Big { name: Arc::clone(&name), source, at });
                }
            }
        }
        let place = if at == 0 { Some((0, 0)) } else { turn.place() };
        let window = Window { text: buffer.bytes(), base, from, to };
        self.window(&name, &window, place, last, turn);
        if let Some(error) = trouble {
            self.plan.style.error(&mut turn.sheet, &name, explain(&error));
        }
        buffer.shrink();
        self.buffer = buffer;
    }
}

impl Sheet {
    fn notes_file_start(&mut self, style: &Style) {
        if style.wants_lines() {
            self.notes.push(Note::FileStart);
        }
    }

    fn found(&mut self, style: &Style, file: &Arc<FileName>, urls: u64, ends: bool) {
        if style.per_file.is_some() {
            self.notes.push(Note::Found { file: Arc::clone(file), urls, ends });
        }
    }
}
