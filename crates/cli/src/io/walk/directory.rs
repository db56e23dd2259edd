//! Lists directories: their entries in order, and whether they belong to a Maildir.

use crate::io::ignore_rules::Rules;
use crate::io::open::End;
use crate::platform::{self, FileId};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A directory whose entries are being visited.
pub(super) struct Level {
    pub(super) path: PathBuf,
    /// The entries that were not visited yet, in reverse order.
    pub(super) entries: Vec<Entry>,
    /// The way to detect the end of the files in the directory.
    pub(super) end: End,
    /// The identity of the directory, if links are followed. It is needed to detect cycles.
    pub(super) id: Option<FileId>,
    pub(super) rules: Rules,
    /// True in a Maildir, where files with hidden and ignored names are also read.
    pub(super) maildir: bool,
}

impl Level {
    /// Returns the path of the directory entry called `name`.
    pub(super) fn path_of(&self, name: &OsStr) -> PathBuf {
        if self.path.as_os_str() == "." {
            return PathBuf::from(name);
        }
        // Allocates the final length at once, unlike `Path::join`.
        let mut path = PathBuf::with_capacity(self.path.as_os_str().len() + 1 + name.len());
        path.push(&self.path);
        path.push(name);
        path
    }

    /// True if this is the directory `cur`, `new` or `tmp` of a Maildir. All files in it are read,
    /// because their names are arbitrary.
    pub(super) fn is_maildir_subdirectory(&self) -> bool {
        self.maildir
            && self
                .path
                .file_name()
                .is_some_and(|name| matches!(name.as_encoded_bytes(), b"cur" | b"new" | b"tmp"))
    }
}

/// An entry of a listed directory.
pub(super) struct Entry {
    pub(super) name: OsString,
    pub(super) kind: Kind,
    pub(super) is_link: bool,
    /// The inode number that the directory lists for the file, or `None` if it lists none.
    pub(super) file_number: Option<u64>,
    /// The length of a name that is a number, and the maximum for all other names.
    number_len: usize,
    /// The first bytes of the name as a big-endian number. Comparing these numbers is much faster
    /// than comparing names, and most names differ in these bytes.
    start: u64,
}

impl Entry {
    fn new(name: OsString, kind: Kind, is_link: bool, file_number: Option<u64>) -> Self {
        let number_len = if is_article_name(&name) { name.len() } else { usize::MAX };
        let mut start = [0; 8];
        // A name contains no zero bytes, so padding with them keeps the order of names.
        start.iter_mut().zip(name.as_encoded_bytes()).for_each(|(to, from)| *to = *from);
        let start = u64::from_be_bytes(start);
        Self { name, kind, is_link, file_number, number_len, start }
    }

    /// Returns the key by which the entries of a directory are sorted. Names that are numbers come
    /// first, in numeric order. All other entries follow, ordered by the bytes of their names.
    pub(super) fn sort_key(&self) -> (usize, u64, &OsStr) {
        (self.number_len, self.start, &self.name)
    }
}

/// The kind of a directory entry, which decides whether it is read, listed or skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    File,
    Directory,
    Other,
    /// A symbolic link that is not followed.
    Link,
    /// A symbolic link whose target does not exist.
    Lost,
}

/// Returns the entries of the directory at `path`. If `follow_links` is true, the entry of a
/// symbolic link has the kind of the link's target.
pub(super) fn list_directory(path: &Path, follow_links: bool) -> io::Result<Vec<Entry>> {
    let entries = fs::read_dir(path)?.map(|entry| {
        let entry = entry?;
        let own = entry.file_type()?;
        let is_link = own.is_symlink();
        let found = if is_link && follow_links {
            fs::metadata(entry.path()).ok().map(|meta| meta.file_type())
        } else {
            Some(own)
        };
        let kind = match found {
            Some(kind) if kind.is_dir() => Kind::Directory,
            Some(kind) if kind.is_file() => Kind::File,
            Some(kind) if kind.is_symlink() => Kind::Link,
            Some(_) => Kind::Other,
            None => Kind::Lost,
        };
        Ok(Entry::new(entry.file_name(), kind, is_link, platform::listed_file_number(&entry)))
    });
    entries.collect()
}

/// True if `name` consists of digits only, like the file names of articles in a news spool.
pub(super) fn is_article_name(name: &OsStr) -> bool {
    name.as_encoded_bytes().iter().all(u8::is_ascii_digit)
}

/// True if the directory at `path` is a Maildir folder, or contains one.
pub(super) fn contains_maildir(path: &Path) -> bool {
    let is_folder = |path: &Path| path.join("cur").is_dir() && path.join("new").is_dir();
    is_folder(path)
        || fs::read_dir(path).is_ok_and(|mut entries| {
            entries.any(|entry| entry.is_ok_and(|entry| is_folder(&entry.path())))
        })
}

/// True if the directory at `path` is a git repository without a worktree. The criteria are the
/// same as git's.
pub(crate) fn is_bare_repository(path: &Path) -> bool {
    path.join("HEAD").is_file() && path.join("objects").is_dir() && path.join("refs").is_dir()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn articles_come_by_number_and_others_by_name(a in "[0-9]{1,12}|[0-9a-c\u{7f}]{1,12}", b in "[0-9]{1,12}|[0-9a-c\u{7f}]{1,12}") {
            let [one, other] = [&a, &b].map(|name| Entry::new(name.into(), Kind::File, false, None));
            let plain = |name: &'_ String| {
                let article = name.bytes().all(|byte| byte.is_ascii_digit());
                (!article, if article { name.len() } else { 0 }, name.clone())
            };
            prop_assert_eq!(one.sort_key().cmp(&other.sort_key()), plain(&a).cmp(&plain(&b)));
        }
    }
}
