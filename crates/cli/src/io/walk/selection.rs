//! Decides which files a walk selects, by their names and sizes.

use super::directory::{Level, contains_maildir, is_article_name};
use super::skipped::Reason;
use crate::args::PathArgs;
use crate::platform::is_temporary_name;
use ignore::Match;
use ignore::overrides::{Override, OverrideBuilder};
use ignore::types::{Types, TypesBuilder};
use std::ffi::OsStr;
use std::fs;
use std::path::Path;

/// The files of the type `mail`, which ripgrep does not know.
const MAIL: [&str; 4] = ["*.eml", "*.emlx", "*.mbox", "*.mbx"];

/// The arguments that select files.
pub(super) struct Selection {
    globs: Override,
    types: Types,
    max_size: Option<u64>,
    hidden: bool,
    /// True if ignore files are respected.
    pub(super) ignore: bool,
}

impl Selection {
    /// Builds the selection from the command's `--glob`, `--type` and other path options.
    ///
    /// # Errors
    ///
    /// Fails if a glob is invalid or a file type is unknown.
    pub(super) fn from_args(args: &PathArgs) -> anyhow::Result<Self> {
        let mut globs = OverrideBuilder::new(".");
        for glob in &args.glob {
            globs.add(glob).map_err(|error| {
                anyhow::anyhow!("--glob {glob}: {error}; quote the pattern, as in -g '*.txt'")
            })?;
        }
        let globs = if args.glob.is_empty() { Override::empty() } else { globs.build()? };
        let types = if args.types.is_empty() {
            // Only if needed, because building the table of all types doubles the startup time.
            Types::empty()
        } else {
            let mut types = TypesBuilder::new();
            types.add_defaults();
            for glob in MAIL {
                types.add("mail", glob)?;
            }
            for name in &args.types {
                types.select(name);
            }
            types.build().map_err(|error| {
                anyhow::anyhow!("--type: {error}; `rg --type-list` lists the types")
            })?
        };
        Ok(Self {
            globs,
            types,
            max_size: args.max_filesize.map(|size| size.0),
            hidden: args.hidden,
            ignore: !args.no_ignore,
        })
    }

    /// Returns the reason to skip the file at `path` if it is larger than `--max-filesize`,
    /// otherwise `None`. Call this for files found in directories.
    pub(super) fn reason_to_skip_by_size_at(&self, path: &Path) -> Option<Reason> {
        self.max_size?;
        self.reason_to_skip_by_size(&fs::metadata(path).ok()?)
    }

    /// Returns the reason to skip a file if its metadata says that it is larger than
    /// `--max-filesize`, otherwise `None`.
    pub(super) fn reason_to_skip_by_size(&self, meta: &fs::Metadata) -> Option<Reason> {
        let is_long = meta.is_file() && self.max_size.is_some_and(|most| meta.len() > most);
        is_long.then_some(|skipped| &mut skipped.size)
    }

    /// Returns the reason to skip a directory entry called `name`, because of globs, ignore rules
    /// or a leading dot. Returns `None` if the entry is not skipped.
    pub(super) fn reason_to_skip_by_name(
        &self,
        level: &Level,
        name: &OsStr,
        path: &Path,
        is_dir: bool,
    ) -> Option<Reason> {
        if is_temporary_name(name) && !is_dir {
            return Some(|skipped| &mut skipped.hidden);
        }
        match self.globs.matched(path, is_dir) {
            Match::Ignore(_) => return Some(|skipped| &mut skipped.unmatched),
            Match::Whitelist(_) => return None,
            Match::None => {}
        }
        if self.types.matched(path, is_dir).is_ignore() {
            return Some(|skipped| &mut skipped.unmatched);
        }
        if is_dir && matches!(name.as_encoded_bytes(), b"cur" | b"new" | b"tmp") && level.maildir {
            return None;
        }
        if level.is_maildir_subdirectory() || (!is_dir && is_article_name(name)) {
            return None;
        }
        let hidden = name.as_encoded_bytes().starts_with(b".");
        if hidden && is_dir && contains_maildir(path) {
            return None;
        }
        let rules = if self.ignore { level.rules.match_path(path, is_dir) } else { Match::None };
        match rules {
            // An ignore file can whitelist a hidden file.
            Match::Whitelist(()) => None,
            _ if hidden && !self.hidden => Some(|skipped| &mut skipped.hidden),
            Match::Ignore(()) => Some(|skipped| &mut skipped.ignored),
            Match::None => None,
        }
    }
}
