//! Lists the files to read, in a deterministic order.
//!
//! Hidden and ignored files are skipped as in ripgrep, with the same ignore files (`.gitignore`,
//! `.git/info/exclude` and the user's global file inside a repository, `.ignore` and `.rgignore`
//! anywhere). Mail is an exception and is never skipped: Maildir directories often start with a dot
//! or are called `tmp`, articles have names such as `1234`, and ignore files aren't written with
//! mail in mind.
//!
//! The rules come from the `ignore` crate. Its walker can't be used, because it drops ignored names
//! without asking the caller.

mod directory;
mod selection;
mod skipped;
#[cfg(test)]
mod tests;

use self::directory::{Entry, Kind, Level, list_directory};
use self::selection::Selection;
use self::skipped::Reason;
use crate::args::{PathArgs, SortBy};
use crate::io::explain::explain;
use crate::io::ignore_rules::{RuleReader, Rules};
use crate::io::inputs::{Inputs, input_id};
use crate::io::open::End;
use crate::platform::{self, FileId};
use crate::unit::Unit;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use urlsift_records::input::BUFFER;

pub(crate) use self::directory::is_bare_repository;
pub(crate) use self::skipped::SkippedInputs;

/// An item that a [`Walk`] returns: an input to read, or a path that can't be read.
#[derive(Debug)]
pub(crate) enum WalkItem {
    /// Standard input.
    Stdin,
    /// A file of any kind. `listed` is `Some` if the file was listed by its directory as a regular
    /// file, with the way to detect its end.
    File { path: PathBuf, listed: Option<End> },
    /// A unit that a list of units names: a file or a range of a file.
    Unit(Box<Unit>),
    /// A public-inbox that the user named. Only some subcommands read these.
    PublicInbox(PathBuf),
    /// A path that can't be read, with the error message.
    Error(PathBuf, String),
}

/// A function that is true if a directory is a public-inbox. It returns an error message if this
/// can't be determined.
pub(crate) type IsInbox = fn(&Path) -> Result<bool, String>;

/// An iterator over all inputs of a run. It lists directories recursively, and skips hidden and
/// ignored files.
pub(crate) struct Walk {
    /// The paths that the user named and that were not visited yet.
    roots: std::vec::IntoIter<PathBuf>,
    /// The directories that are being listed, outermost first.
    stack: Vec<Level>,
    /// With `--sort`, all items in reverse order.
    sorted: Option<Vec<WalkItem>>,
    selection: Selection,
    follow: bool,
    is_inbox: IsInbox,
    outputs: Outputs,
    left_out: Arc<Mutex<SkippedInputs>>,
    rule_reader: RuleReader,
}

/// The files that the output is written to. They are skipped.
struct Outputs {
    ids: Vec<FileId>,
    /// True if directories list the correct inode numbers of these files.
    are_listed: bool,
}

/// Information about the input of a run that reads only one file.
pub(crate) struct OnlyFile {
    /// True if the file is so short that it is read at once.
    pub(crate) is_small: bool,
}

impl Walk {
    /// Creates a walk over the files that the arguments select. A public-inbox is walked like any
    /// other directory.
    ///
    /// # Errors
    ///
    /// Fails if a glob is invalid.
    pub(crate) fn new(args: &PathArgs, inputs: &Inputs) -> anyhow::Result<Self> {
        Self::from_args(args, inputs, |_| Ok(false), Vec::new())
    }

    /// Creates a walk over the inputs that the arguments select. Skips the files in `outputs`, to
    /// which this run writes.
    ///
    /// `is_inbox` is called for each directory that the user named. If it returns true, the
    /// directory is returned as one item, a public-inbox.
    ///
    /// # Errors
    ///
    /// Fails if a glob is invalid.
    pub(crate) fn from_args(
        args: &PathArgs,
        inputs: &Inputs,
        is_inbox: IsInbox,
        outputs: Vec<FileId>,
    ) -> anyhow::Result<Self> {
        let mut walk = Self {
            roots: inputs.paths().to_vec().into_iter(),
            stack: Vec::new(),
            sorted: None,
            selection: Selection::from_args(args)?,
            follow: args.follow,
            is_inbox,
            outputs: Outputs { are_listed: !platform::may_be_mounted(&outputs), ids: outputs },
            left_out: Arc::default(),
            rule_reader: RuleReader::default(),
        };
        if args.sort != SortBy::None {
            walk.sorted = Some(walk.collect_sorted(args.sort));
        }
        Ok(walk)
    }

    /// Returns a shared reference to the list of skipped inputs, which grows during the walk.
    pub(crate) fn skipped_inputs(&self) -> Arc<Mutex<SkippedInputs>> {
        Arc::clone(&self.left_out)
    }

    /// Increases the number of inputs skipped for `reason`.
    fn count_skipped(&self, reason: Reason) {
        *reason(&mut self.left_out.lock().unwrap_or_else(PoisonError::into_inner).counts) += 1;
    }

    /// True if this run writes its output to the input at `path`. In this case, also records the
    /// input as skipped.
    fn is_skipped_output(&self, path: &Path) -> bool {
        let is_output = !self.outputs.ids.is_empty()
            && input_id(path).is_some_and(|id| self.outputs.ids.contains(&id));
        if is_output {
            let mut left_out = self.left_out.lock().unwrap_or_else(PoisonError::into_inner);
            left_out.add_skipped_output(path.to_owned());
        }
        is_output
    }

    /// True if a file that a directory lists with the inode number `file_number` may be an output
    /// of this run. Also true if `file_number` is `None`. If this is false, the file's identity,
    /// which takes a system call, isn't needed.
    fn may_be_output(&self, file_number: Option<u64>) -> bool {
        let is_same = |number: u64| self.outputs.ids.iter().any(|(_, output)| *output == number);
        file_number.is_none_or(is_same)
    }

    /// True if the arguments may select more than one file. Output lines about a file then start
    /// with its path.
    pub(crate) fn may_select_several(args: &PathArgs) -> bool {
        args.paths.len() > 1
            || args.files_from.is_some()
            || args.paths.first().is_some_and(|path| path.is_dir())
            || (args.paths.is_empty() && !platform::should_read_stdin())
    }

    /// Returns information about the input if the arguments name exactly one file. Returns `None`
    /// if they name a directory or several paths.
    pub(crate) fn only_file(args: &PathArgs) -> Option<OnlyFile> {
        let ([path], None) = (&args.paths[..], &args.files_from) else { return None };
        let meta = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
        Some(OnlyFile { is_small: meta.len() < BUFFER as u64 })
    }

    /// Lists all remaining items, sorted by `by`. The result is in reverse order, because items are
    /// removed from its end.
    fn collect_sorted(&mut self, by: SortBy) -> Vec<WalkItem> {
        let mut all: Vec<WalkItem> = self.by_ref().collect();
        let time = |found: &WalkItem| match found {
            WalkItem::File { path, .. } => fs::metadata(path).ok().and_then(|meta| match by {
                SortBy::Modified => meta.modified().ok(),
                SortBy::Accessed => meta.accessed().ok(),
                SortBy::Created => meta.created().ok(),
                SortBy::None | SortBy::Path => None,
            }),
            _ => None,
        };
        let path = |found: &WalkItem| match found {
            WalkItem::Stdin => PathBuf::new(),
            WalkItem::File { path, .. }
            | WalkItem::PublicInbox(path)
            | WalkItem::Error(path, _) => path.clone(),
            WalkItem::Unit(unit) => unit.path.clone(),
        };
        all.sort_by_cached_key(|found| (time(found), path(found)));
        all.reverse();
        all
    }

    /// Starts to visit `path`, which the user named. Returns the item for a file. Returns `None` if
    /// the path is skipped, or is a directory whose files come next.
    fn visit_named_path(&mut self, path: PathBuf) -> Option<WalkItem> {
        if self.is_skipped_output(&path) {
            return None;
        }
        if path.as_os_str() == "-" {
            return Some(WalkItem::Stdin);
        }
        match fs::metadata(&path) {
            Err(error) => Some(WalkItem::Error(path, explain(&error))),
            Ok(meta) if meta.is_dir() => {
                match (self.is_inbox)(&path) {
                    Ok(false) => {}
                    Ok(true) => return Some(WalkItem::PublicInbox(path)),
                    Err(message) => return Some(WalkItem::Error(path, message)),
                }
                let rules = if self.selection.ignore {
                    self.rule_reader.rules_of_ancestors(&path)
                } else {
                    Rules::default()
                };
                self.push_directory(path, &rules, false).err()
            }
            Ok(meta) => {
                if let Some(reason) = self.selection.reason_to_skip_by_size(&meta) {
                    self.count_skipped(reason);
                    return None;
                }
                Some(WalkItem::File { path, listed: None })
            }
        }
    }

    /// Lists the directory at `path`, whose entries are visited next. `ancestor_rules` are the
    /// ignore rules of its ancestors. `in_maildir` is true inside a Maildir. Returns an error item
    /// if the directory can't be listed.
    fn push_directory(
        &mut self,
        path: PathBuf,
        ancestor_rules: &Rules,
        in_maildir: bool,
    ) -> Result<(), WalkItem> {
        let meta = if self.follow { fs::metadata(&path).ok() } else { None };
        let id = meta.and_then(|meta| platform::file_id_at(&path, &meta));
        if id.is_some() && self.stack.iter().any(|level| level.id == id) {
            let text = "link not followed: it leads to a directory that contains it";
            return Err(WalkItem::Error(path, text.to_owned()));
        }
        let mut entries = match list_directory(&path, self.follow) {
            Ok(listed) => listed,
            Err(error) => return Err(WalkItem::Error(path, explain(&error))),
        };
        let has = |name: &str| entries.iter().any(|entry| entry.name == name);
        let maildir = in_maildir || (has("cur") && has("new"));
        let mut rules = ancestor_rules.clone();
        if self.selection.ignore {
            self.rule_reader.add_directory_rules(&mut rules, &path, has);
        }
        entries.sort_unstable_by(|a, b| b.sort_key().cmp(&a.sort_key()));
        let end = End::for_directory(&path);
        self.stack.push(Level { path, entries, end, id, rules, maildir });
        Ok(())
    }
}

impl Iterator for Walk {
    type Item = WalkItem;

    fn next(&mut self) -> Option<WalkItem> {
        if let Some(sorted) = &mut self.sorted {
            return sorted.pop();
        }
        loop {
            if let Some((path, message)) = self.rule_reader.refused.pop() {
                return Some(WalkItem::Error(path, message));
            }
            let Some(level) = self.stack.last_mut() else {
                let root = self.roots.next()?;
                match self.visit_named_path(root) {
                    Some(found) => return Some(found),
                    None => continue,
                }
            };
            let Some(Entry { name, kind, is_link, file_number, .. }) = level.entries.pop() else {
                self.stack.pop();
                continue;
            };
            let Some(level) = self.stack.last() else { continue };
            let path = level.path_of(&name);
            let reason: Option<Reason> = match kind {
                Kind::Other => Some(|skipped| &mut skipped.special),
                Kind::Link => Some(|skipped| &mut skipped.links),
                Kind::Lost => {
                    return Some(WalkItem::Error(
                        path,
                        "broken link: its target does not exist".to_owned(),
                    ));
                }
                _ => self.selection.reason_to_skip_by_name(
                    level,
                    &name,
                    &path,
                    kind == Kind::Directory,
                ),
            };
            let is_file = kind == Kind::File;
            if let Some(reason) = reason
                .or_else(|| self.selection.reason_to_skip_by_size_at(&path).filter(|_| is_file))
            {
                self.count_skipped(reason);
                continue;
            }
            if is_file {
                // File systems that are known to show the end by short reads also list the correct
                // inode numbers, except for links and for files on which others are mounted.
                let is_known = !is_link && level.end == End::Short && self.outputs.are_listed;
                let file_number = file_number.filter(|_| is_known);
                if self.may_be_output(file_number) && self.is_skipped_output(&path) {
                    continue;
                }
                // The target of a link may be in another file system, so its end is not detected
                // from short reads.
                let end = if is_link { End::Nothing } else { level.end };
                return Some(WalkItem::File { path, listed: Some(end) });
            }
            let (rules, maildir) = (level.rules.clone(), level.maildir);
            if let Err(error) = self.push_directory(path, &rules, maildir) {
                return Some(error);
            }
        }
    }
}
