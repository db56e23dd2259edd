//! Small files, many of them read at once.
//!
//! A worker that opens, reads and closes one file after the other waits for the disk at each, and for the other
//! workers whenever it takes a file descriptor from the one table that a process has. Linux takes many such
//! requests as one submission instead ([`io_uring`]): the disk is given all of them together, and files that are
//! opened so have no descriptor. What comes of it is the whole of a file or nothing: one that is long, cannot be
//! opened or is in any way out of the ordinary is read by itself, and so are all where the system has no
//! `io_uring` or a container forbids it. `plain` does the same by ordinary calls, and holds it to the same tests.
//!
//! With it cold spools were scanned in half of the time, and warm ones by two workers in seven eighths (2026-11).

#[cfg(all(
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64")
))]
mod io_uring;
#[cfg(any(
    test,
    not(all(
        target_os = "linux",
        any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64")
    ))
))]
mod plain;
mod read_files;

#[cfg(all(
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64")
))]
type Engine = io_uring::Uring;
#[cfg(not(all(
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64")
)))]
type Engine = plain::Plain;

use super::open::DirHandle;
use read_files::{MOST, ReadFiles};
use std::iter;

/// The fewest that are worth it.
const FEWEST: usize = 8;
/// How many bytes a batch should have, so that they are still in the processor's cache when they are scanned.
const BYTES: usize = 256 << 10;
/// The first files of a worker are read by themselves: to set up an engine takes as long as forty.
const FIRST: usize = 128;
/// Files that are read by themselves after most of a batch had to be: where long ones lie together, to read
/// their first bytes is in vain.
const PAUSE: usize = 512;

/// Reads the files of a worker in batches, where that is worth it.
pub(crate) struct BatchReader<R = Engine> {
    engine: Option<R>,
    /// The paths of the batch at hand, with a zero behind each, and how long each file is, if it was read whole.
    paths: Vec<u8>,
    lens: Vec<Option<usize>>,
    /// How many of them were taken, and where the next one's path starts.
    taken: usize,
    next: usize,
    /// Files to be read by themselves before the next batch.
    pause: usize,
    /// How many files that will have.
    count: usize,
}

impl<R: ReadFiles> Default for BatchReader<R> {
    fn default() -> Self {
        Self {
            engine: None,
            paths: Vec::new(),
            lens: Vec::new(),
            taken: 0,
            next: 0,
            pause: FIRST,
            count: FEWEST,
        }
    }
}

impl<R: ReadFiles> BatchReader<R> {
    /// The contents of a file, or `None` if it is to be read by itself. If it is not the next of the batch at
    /// hand, that is forgotten, and a new one is made of it and those `behind` it. A directory must list all of
    /// them as regular files.
    pub(crate) fn take<'p>(
        &mut self,
        path: &'p [u8],
        behind: impl Iterator<Item = &'p [u8]>,
        handle: &mut DirHandle,
    ) -> Option<&[u8]> {
        if !self.is_next(path) {
            self.lens.clear();
            (self.taken, self.next) = (0, 0);
            if self.pause == 0 {
                self.pause = self.read(path, behind, handle);
            }
            if self.lens.is_empty() {
                self.pause -= 1;
                return None;
            }
        }
        let file = self.taken;
        self.taken += 1;
        self.next += path.len() + 1;
        let len = self.lens[file]?;
        self.engine.as_ref()?.contents(file).get(..len)
    }

    fn is_next(&self, path: &[u8]) -> bool {
        self.taken < self.lens.len()
            && self.paths[self.next..].strip_prefix(path).is_some_and(|rest| rest[0] == 0)
    }

    /// Reads a batch. Returns how many files after it are to be read by themselves, at least one if it could not
    /// be done.
    fn read<'p>(
        &mut self,
        path: &'p [u8],
        behind: impl Iterator<Item = &'p [u8]>,
        handle: &mut DirHandle,
    ) -> usize {
        let directory = DirHandle::parts(path).0;
        let others = behind.take_while(|path| DirHandle::parts(path).0 == directory);
        self.paths.clear();
        let mut count = 0;
        for path in iter::once(path).chain(others).take(self.count) {
            self.paths.extend_from_slice(path);
            self.paths.push(0);
            count += 1;
        }
        if count < FEWEST {
            return count;
        }
        let len = directory.len();
        let Some((directory, true)) = handle.enter(directory) else { return count };
        if self.engine.is_none() {
            self.engine = R::new().ok();
        }
        let engine = self.engine.as_mut();
        if !engine.is_some_and(|engine| engine.read(directory, &self.paths, len, &mut self.lens)) {
            self.engine = None;
            self.lens.clear();
            return usize::MAX;
        }
        let whole = self.lens.iter().flatten().count();
        let bytes = self.lens.iter().flatten().sum::<usize>();
        self.count = (BYTES * whole).checked_div(bytes).unwrap_or(MOST).clamp(FEWEST, MOST);
        if 2 * whole < count { PAUSE } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::plain::Plain;
    use super::read_files::SLOT;
    use super::{BatchReader, Engine, MOST, PAUSE, ReadFiles};
    use crate::io::open::{BLOCK, DirHandle};
    use std::fs;

    #[test]
    fn each_engine_reads_what_the_files_hold() {
        fn all<R: ReadFiles>(tells_blocks: bool) {
            what_is_taken_is_what_the_files_hold::<R>(tells_blocks);
            where_files_are_long_few_are_asked_for::<R>();
            files_that_are_not_there_are_left_to_whoever_opens_them::<R>();
            what_is_not_taken_in_order_is_asked_for_anew::<R>();
        }
        all::<Engine>(false);
        all::<Plain>(true);
    }

    /// Writes files of so many bytes, and takes them as if they were to be scanned in this order. Returns what
    /// was got of each, and whether the system can do it where they lie.
    fn taken<R: ReadFiles>(
        lens: &[usize],
        batch: &mut BatchReader<R>,
    ) -> (Vec<Option<Vec<u8>>>, bool) {
        let root = tempfile::tempdir().unwrap();
        let path = |file: usize| root.path().join(file.to_string()).into_os_string();
        let paths: Vec<Vec<u8>> =
            (0..lens.len()).map(|file| path(file).into_encoded_bytes()).collect();
        for (file, &len) in lens.iter().enumerate() {
            fs::write(path(file), contents(file, len)).unwrap();
        }
        let mut handle = DirHandle::default();
        let mut got = Vec::new();
        for file in 0..lens.len() {
            let behind = paths[file + 1..].iter().map(|path| &path[..]);
            got.push(batch.take(&paths[file], behind, &mut handle).map(<[u8]>::to_vec));
        }
        (got, handle.shows_ends() && R::new().is_ok())
    }

    fn contents(file: usize, len: usize) -> Vec<u8> {
        file.to_string().into_bytes().into_iter().cycle().take(len).collect()
    }

    /// `tells_blocks` says that a file is whole, too, whose end is that of one of the medium's blocks.
    fn what_is_taken_is_what_the_files_hold<R: ReadFiles>(tells_blocks: bool) {
        let some = [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 7000, SLOT - 1, SLOT, SLOT + 1, 3000, 9, 10];
        let lens: Vec<usize> = some.into_iter().cycle().take(5 * MOST + 3).collect();
        let mut batch = BatchReader::<R> { pause: 0, count: MOST, ..BatchReader::default() };
        let (got, is_granted) = taken(&lens, &mut batch);
        let mut found = 0;
        for (file, (got, &len)) in got.iter().zip(&lens).enumerate() {
            if let Some(got) = got {
                assert_eq!(*got, contents(file, len), "{file}");
                found += 1;
            }
        }
        let is_whole =
            |len: usize| len == 0 || len < SLOT && (tells_blocks || !len.is_multiple_of(BLOCK));
        let whole = lens.iter().filter(|&&len| is_whole(len)).count();
        // The last are too few to be asked for.
        assert!(found <= whole && (!is_granted || found >= whole - 12), "{found} of {whole}");
    }

    fn where_files_are_long_few_are_asked_for<R: ReadFiles>() {
        let mut batch = BatchReader::<R> { pause: 0, ..BatchReader::default() };
        let (got, is_granted) = taken(&[20_000; 40], &mut batch);
        assert_eq!((got[0].is_some(), batch.count < MOST), (is_granted, true));
        let mut batch = BatchReader::<R> { pause: 0, ..BatchReader::default() };
        let (got, is_granted) = taken(&[SLOT; 9], &mut batch);
        assert!(got.iter().all(Option::is_none));
        assert!(!is_granted || batch.pause == PAUSE - 1, "{}", batch.pause);
    }

    fn files_that_are_not_there_are_left_to_whoever_opens_them<R: ReadFiles>() {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir(root.path().join("1")).unwrap();
        fs::write(root.path().join("2"), "there").unwrap();
        let paths: Vec<Vec<u8>> = (0..9)
            .map(|file: u8| {
                root.path().join(file.to_string()).into_os_string().into_encoded_bytes()
            })
            .collect();
        let mut batch = BatchReader::<R> { pause: 0, ..BatchReader::default() };
        let mut handle = DirHandle::default();
        for _ in 0..3 {
            batch.pause = 0;
            for file in 0..9 {
                let behind = paths[file + 1..].iter().map(|path| &path[..]);
                let got = batch.take(&paths[file], behind, &mut handle);
                assert!(got.is_none_or(|got| file == 2 && *got == *b"there"), "{file}: {got:?}");
            }
        }
    }

    /// Another worker may take those that were asked for.
    fn what_is_not_taken_in_order_is_asked_for_anew<R: ReadFiles>() {
        let root = tempfile::tempdir().unwrap();
        let mut paths = Vec::new();
        for directory in ["a", "b"] {
            fs::create_dir(root.path().join(directory)).unwrap();
            for file in 0..20 {
                let path = root.path().join(directory).join(file.to_string());
                fs::write(&path, format!("{directory}{file}")).unwrap();
                paths.push(path.into_os_string().into_encoded_bytes());
            }
        }
        let mut batch = BatchReader::<R> { pause: 0, ..BatchReader::default() };
        let mut handle = DirHandle::default();
        // After twelve, four are left out, then one comes twice, then the first ones once more.
        let order = (0..12).chain(16..25).chain([24, 25]).chain(0..40);
        for file in order {
            let behind = paths[file + 1..].iter().map(|path| &path[..]);
            batch.pause = 0;
            let got = batch.take(&paths[file], behind, &mut handle);
            let text = format!("{}{}", if file < 20 { "a" } else { "b" }, file % 20);
            assert!(got.is_none_or(|got| *got == *text.as_bytes()), "{file}: {got:?}");
        }
    }
}
