//! `urlsift units`: cuts files into units.

use crate::args::{UnitsArgs, UnitsFormat};
use crate::exit::Exit;
use crate::io::buffer::{BUFFER, Buffer};
use crate::io::decompress::packing;
use crate::io::walk::{Found, Walk, explain};
use crate::lines::Lines;
use crate::output::file_name::FileName;
use crate::print::ordered_writer::complain;
use crate::run::large_input::{Range, Source};
use crate::run::worker::{container, reading};
use crate::unit::Unit;
use std::fs::File;
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

pub(crate) fn run(args: &UnitsArgs) -> anyhow::Result<Exit> {
    let mut out = super::stdout()?;
    let mut cutter = Cutter { args, head: Buffer::default(), scratch: Buffer::default() };
    let mut exit = Exit::Nothing;
    for found in Walk::new(&args.paths)? {
        let (path, problem) = match found {
            Found::File { path, .. } => match cutter.cut(&path, &mut out)? {
                Ok(()) => {
                    exit = if exit == Exit::Nothing { Exit::Success } else { exit };
                    continue;
                }
                Err(error) => (path, explain(&error)),
            },
            Found::Error(path, message) => (path, message),
            Found::Stdin | Found::Unit(_) => {
                ("-".into(), "standard input cannot be cut into units; name files".to_owned())
            }
        };
        out.flush()?;
        let name = FileName::new(path.as_os_str().as_bytes().to_vec(), None);
        complain(&mut io::stderr(), &name, &problem);
        exit = exit.and(Exit::Trouble);
    }
    out.flush()?;
    Ok(exit)
}

struct Cutter<'a> {
    args: &'a UnitsArgs,
    head: Buffer,
    scratch: Buffer,
}

impl Cutter<'_> {
    /// Prints the units of one file. The outer result is about the output, the inner about the
    /// file.
    fn cut(&mut self, path: &Path, out: &mut impl Write) -> io::Result<io::Result<()>> {
        let mut units = Vec::new();
        let cut = self.units(path, &mut units);
        for unit in units {
            let line = match self.args.format {
                UnitsFormat::Jsonl => unit.to_json(),
                UnitsFormat::Tsv => unit.to_tsv(),
            };
            out.write_all(&line)?;
        }
        Ok(cut)
    }

    fn units(&mut self, path: &Path, units: &mut Vec<Unit>) -> io::Result<()> {
        let file = File::open(path)?;
        let unit = |start, end, place| Unit { path: path.to_owned(), start, end, place };
        self.head.read_at(&file, 0, BUFFER)?;
        let len = file.metadata()?.len();
        if packing(self.head.bytes()).is_some() {
            units.push(unit(0, None, Some((0, 0))));
            return Ok(());
        }
        let name = FileName::new(path.as_os_str().as_bytes().to_vec(), None);
        let container = container(&name, self.head.bytes(), reading(self.args.read.input));
        let (mut at, mut lines) = (0, Lines::new(0, Some((0, 0))));
        loop {
            let range = if Source::cuts_files(container) {
                let size = self.args.size.0;
                Range::cut(&file, len, at, (len, size), container, &mut self.scratch)?
            } else {
                Range::within(at, len, len, container)
            };
            units.push(unit(at, Some(range.end), lines.base().zip(lines.line_start())));
            if range.end >= len {
                return Ok(());
            }
            // What the next unit must know of the lines before it.
            let mut here = at;
            while here < range.end {
                let piece = usize::try_from(range.end - here).unwrap_or(BUFFER).min(BUFFER);
                self.scratch.read_at(&file, here, piece)?;
                let read = self.scratch.bytes().len() as u64;
                if read == 0 {
                    return Ok(());
                }
                lines.go(self.scratch.bytes(), here, here + read);
                here += read;
            }
            let place = lines.base().zip(lines.line_start());
            let place = place.map(|(base, start)| (base + lines.count(), start));
            lines = Lines::new(range.end, place);
            at = range.end;
        }
    }
}
