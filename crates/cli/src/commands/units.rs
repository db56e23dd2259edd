//! The subcommand `units`: splits files into units, and prints a list of them.

use crate::args::{UnitsArgs, UnitsFormat};
use crate::exit::Exit;
use crate::io::explain::explain;
use crate::io::inputs::Inputs;
use crate::io::output::{check_outputs_and_get_ids, stdout};
use crate::io::shared_file::SharedFile;
use crate::io::walk::{Walk, WalkItem};
use crate::platform::{self, open_without_blocking};
use crate::print::complain::print_error_line;
use crate::print::stats;
use crate::unit::{FileState, Unit};
use std::io::{self, Write};
use std::ops::ControlFlow::{self, Break, Continue};
use std::path::Path;
use std::sync::PoisonError;
use urlsift_archive::unpack::detect_compression;
use urlsift_archive::{Container, Head, Options};
use urlsift_records::input::{
    BUFFER, Buffer, RangeReader, can_split, cut_into_units, detect_container, line_start_after,
    range_with_context, unit_end,
};
use urlsift_records::{FileName, LineStart};

pub(crate) fn run(args: &UnitsArgs) -> anyhow::Result<Exit> {
    let inputs = Inputs::new(&args.paths)?;
    let outputs = check_outputs_and_get_ids(&[None], &inputs)?;
    let mut out = stdout()?;
    let mut options = Options::default();
    options.encoding = args.read.options.encoding;
    let mut cutter = Cutter {
        args,
        options,
        head: Buffer::default(),
        scratch: Buffer::default(),
        packed_in_one: 0,
    };
    let mut exit = Exit::Nothing;
    let walk = Walk::from_args(&args.paths, &inputs, |_| Ok(false), outputs)?;
    let left_out = walk.skipped_inputs();
    for found in walk {
        let (path, problem) = match found {
            WalkItem::File { path, .. } => {
                let mut written = Ok(());
                let cut = cutter.split_file(&path, &mut |unit| {
                    written = out.write_all(&match args.format {
                        UnitsFormat::Jsonl => unit.to_json(),
                        UnitsFormat::Tsv => unit.to_tsv(),
                    });
                    if written.is_ok() { Continue(()) } else { Break(()) }
                });
                written?;
                let Err(error) = cut else {
                    exit = if exit == Exit::Nothing { Exit::Success } else { exit };
                    continue;
                };
                (path, explain(&error))
            }
            WalkItem::Error(path, message) => (path, message),
            WalkItem::PublicInbox(path) => {
                (path, "cannot cut a public-inbox into units; use `urlsift scan`".to_owned())
            }
            WalkItem::Stdin | WalkItem::Unit(_) => {
                ("-".into(), "cannot cut standard input into units; name files".to_owned())
            }
        };
        out.flush()?;
        let name = FileName::new(platform::printed_bytes(&path));
        print_error_line(&mut io::stderr(), &name, &problem);
        exit = exit.more_severe(Exit::Trouble);
    }
    out.flush()?;
    stats::print_skipped_outputs(&left_out.lock().unwrap_or_else(PoisonError::into_inner).outputs);
    if cutter.packed_in_one > 0 {
        let text = format!(
            "compressed files that are one unit each because they cannot be cut: {}; compress with bgzip to change this",
            cutter.packed_in_one
        );
        print_error_line(&mut io::stderr(), &FileName::new(""), &text);
    }
    Ok(exit)
}

/// A callback that receives each unit of a file. `Break` stops the splitting.
type UnitCallback<'e> = &'e mut dyn FnMut(Unit) -> ControlFlow<()>;

/// The state of `urlsift units`, which splits files into units that can be scanned independently.
struct Cutter<'a> {
    args: &'a UnitsArgs,
    options: Options,
    /// The start of the current file.
    head: Buffer,
    /// A buffer for other bytes of the file.
    scratch: Buffer,
    /// The number of files that are larger than a unit, but can't be split because of how they are
    /// compressed.
    packed_in_one: u64,
}

impl Cutter<'_> {
    /// Splits the file at `path` into units. Calls `on_unit` with each unit as soon as its end is
    /// known, since a file may have millions of units.
    ///
    /// If reading fails, the units before the error have already been passed to `on_unit`.
    fn split_file(&mut self, path: &Path, on_unit: UnitCallback<'_>) -> io::Result<()> {
        let mut file = SharedFile::from(open_without_blocking(path)?);
        self.head.read_at(&mut file, 0, BUFFER)?;
        let meta = file.metadata()?;
        let len = meta.len();
        let whole = Unit {
            path: path.to_owned(),
            place: Some(LineStart::default()),
            state: FileState::from_metadata(&meta),
            ..Unit::default()
        };
        let name = FileName::new(platform::printed_bytes(path));
        if detect_compression(self.head.bytes()).is_some() {
            return self.split_by_reading(file, &name, &whole, on_unit);
        }
        let head = Head::new(self.head.bytes(), len > self.head.bytes().len() as u64);
        let kind = detect_container(&name, head, self.args.read.options.reading);
        let container = kind.adapt_to_options(&self.options);
        if matches!(kind, Container::Web(_)) {
            return self.split_by_reading(file, &name, &whole, on_unit);
        }
        let (mut at, mut place) = (0, LineStart::default());
        loop {
            let end = if can_split(container) {
                let size = self.args.size.0;
                unit_end(&mut file, at, (len, size), container, &mut self.scratch)?
            } else {
                len
            };
            let flow = on_unit(Unit {
                start: at,
                end: Some(end),
                place: Some(place),
                container: Some(kind),
                context: Some(range_with_context(at..end, len, container)),
                ..whole.clone()
            });
            if end >= len || flow.is_break() {
                return Ok(());
            }
            place = line_start_after(&mut file, at..end, place, &mut self.scratch)?;
            at = end;
        }
    }

    /// Splits a file whose units can only be found by reading the whole file sequentially, e.g. a
    /// compressed file.
    fn split_by_reading(
        &mut self,
        file: SharedFile,
        name: &FileName,
        whole: &Unit,
        on_unit: UnitCallback<'_>,
    ) -> io::Result<()> {
        let how = (self.args.read.options.reading, &self.options, self.args.read.options.limits);
        let cuts = cut_into_units(RangeReader::new(file, 0..u64::MAX), name, how, self.args.size.0);
        let one = matches!(&cuts.units[..], [unit] if unit.end.is_none());
        if one && cuts.len > self.args.size.0 && cuts.trouble.is_none() {
            self.packed_in_one += 1;
        }
        let _ = cuts.units.into_iter().try_for_each(|unit| {
            on_unit(Unit {
                start: unit.start,
                end: unit.end,
                place: Some(unit.lines),
                container: cuts.container,
                context: unit.context,
                raw: unit.raw,
                ..whole.clone()
            })
        });
        cuts.trouble.map_or(Ok(()), Err)
    }
}
