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

use crate::args::{PathArgs, SortBy};
use crate::io::explain::explain;
use crate::io::ignore_rules::{RuleReader, Rules};
use crate::io::inputs::{Inputs, input_id};
use crate::io::open::End;
use crate::platform::is_temporary_name;
use crate::platform::{self, FileId};
use crate::unit::Unit;
use ignore::Match;
use ignore::overrides::{Override, OverrideBuilder};
use ignore::types::{Types, TypesBuilder};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use urlsift_records::Skipped;
use urlsift_records::input::BUFFER;

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

/// The files of the type `mail`, which ripgrep does not know.
const MAIL: [&str; 4] = ["*.eml", "*.emlx", "*.mbox", "*.mbx"];
/// The maximum number of skipped inputs that are named on standard error.
const MAX_NAMED: usize = 10;

/// The inputs that a walk has skipped, with the reasons.
#[derive(Debug, Default)]
pub(crate) struct SkippedInputs {
    /// The numbers of skipped inputs, by reason.
    pub(crate) counts: Skipped,
    /// Skipped inputs that are also outputs, with the paths under which they were found.
    pub(crate) outputs: Vec<PathBuf>,
}

impl SkippedInputs {
    /// Records that the input at `path` was skipped because it is also an output of this run.
    pub(crate) fn add_skipped_output(&mut self, path: PathBuf) {
        self.counts.output += 1;
        if self.outputs.len() < MAX_NAMED && !self.outputs.contains(&path) {
            self.outputs.push(path);
        }
    }
}

/// The reason to skip a file, given as a function that selects the counter to increase.
type Reason = fn(&mut Skipped) -> &mut u64;

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
    globs: Override,
    types: Types,
    max_size: Option<u64>,
    follow: bool,
    hidden: bool,
    ignore: bool,
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

/// A directory whose entries are being visited.
struct Level {
    path: PathBuf,
    /// The entries that were not visited yet, in reverse order.
    entries: Vec<Entry>,
    /// The way to detect the end of the files in the directory.
    end: End,
    /// The identity of the directory, if links are followed. It is needed to detect cycles.
    id: Option<FileId>,
    rules: Rules,
    /// True in a Maildir, where files with hidden and ignored names are also read.
    maildir: bool,
}

/// An entry of a listed directory.
struct Entry {
    name: OsString,
    kind: Kind,
    is_link: bool,
    /// The inode number that the directory lists for the file, or `None` if it lists none.
    file_number: Option<u64>,
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
    fn sort_key(&self) -> (usize, u64, &OsStr) {
        (self.number_len, self.start, &self.name)
    }
}

/// The kind of a directory entry, which decides whether it is read, listed or skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    File,
    Directory,
    Other,
    /// A symbolic link that is not followed.
    Link,
    /// A symbolic link whose target does not exist.
    Lost,
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
        let mut walk = Self {
            roots: inputs.paths().to_vec().into_iter(),
            stack: Vec::new(),
            sorted: None,
            globs,
            types,
            max_size: args.max_filesize.map(|size| size.0),
            follow: args.follow,
            hidden: args.hidden,
            ignore: !args.no_ignore,
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

    /// Returns the reason to skip the file at `path` if it is larger than `--max-filesize`,
    /// otherwise `None`. Call this for files found in directories.
    fn reason_to_skip_by_size_at(&self, path: &Path) -> Option<Reason> {
        self.max_size?;
        self.reason_to_skip_by_size(&fs::metadata(path).ok()?)
    }

    /// Returns the reason to skip a file if its metadata says that it is larger than
    /// `--max-filesize`, otherwise `None`.
    fn reason_to_skip_by_size(&self, meta: &fs::Metadata) -> Option<Reason> {
        let is_long = meta.is_file() && self.max_size.is_some_and(|most| meta.len() > most);
        is_long.then_some(|skipped| &mut skipped.size)
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
                let rules = if self.ignore {
                    self.rule_reader.rules_of_ancestors(&path)
                } else {
                    Rules::default()
                };
                self.push_directory(path, &rules, false).err()
            }
            Ok(meta) => {
                if let Some(reason) = self.reason_to_skip_by_size(&meta) {
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
        if self.ignore {
            self.rule_reader.add_directory_rules(&mut rules, &path, has);
        }
        entries.sort_unstable_by(|a, b| b.sort_key().cmp(&a.sort_key()));
        let end = End::for_directory(&path);
        self.stack.push(Level { path, entries, end, id, rules, maildir });
        Ok(())
    }

    /// Returns the reason to skip a directory entry called `name`, because of globs, ignore rules
    /// or a leading dot. Returns `None` if the entry is not skipped.
    fn reason_to_skip_by_name(
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

impl Level {
    /// Returns the path of the directory entry called `name`.
    fn path_of(&self, name: &OsStr) -> PathBuf {
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
    fn is_maildir_subdirectory(&self) -> bool {
        self.maildir
            && self
                .path
                .file_name()
                .is_some_and(|name| matches!(name.as_encoded_bytes(), b"cur" | b"new" | b"tmp"))
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
                _ => self.reason_to_skip_by_name(level, &name, &path, kind == Kind::Directory),
            };
            let is_file = kind == Kind::File;
            if let Some(reason) =
                reason.or_else(|| self.reason_to_skip_by_size_at(&path).filter(|_| is_file))
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

/// Returns the entries of the directory at `path`. If `follow_links` is true, the entry of a
/// symbolic link has the kind of the link's target.
fn list_directory(path: &Path, follow_links: bool) -> io::Result<Vec<Entry>> {
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
fn is_article_name(name: &OsStr) -> bool {
    name.as_encoded_bytes().iter().all(u8::is_ascii_digit)
}

/// True if the directory at `path` is a Maildir folder, or contains one.
fn contains_maildir(path: &Path) -> bool {
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

    fn walk(root: &Path, change: impl FnOnce(&mut PathArgs)) -> Vec<String> {
        let mut args = PathArgs { paths: vec![root.to_owned()], ..PathArgs::default() };
        change(&mut args);
        Walk::new(&args, &Inputs::new(&args).unwrap())
            .unwrap()
            .map(|found| match found {
                WalkItem::File { path, listed: Some(_) } => {
                    path.strip_prefix(root).unwrap().to_string_lossy().into_owned()
                }
                other => format!("{other:?}"),
            })
            .collect()
    }

    fn tree(files: &[(&str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = root.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        root
    }

    #[test]
    fn order_is_by_name_and_articles_by_number() {
        let root = tree(&[("b/10", ""), ("b/9", ""), ("b/x", ""), ("a.txt", ""), ("b/100", "")]);
        assert_eq!(walk(root.path(), |_| {}), ["a.txt", "b/9", "b/10", "b/100", "b/x"]);
        // With the order 9 < 10 < 1a < 9, sorting could panic.
        let root = tree(&[("9", ""), ("10", ""), ("1a", ""), ("-", "")]);
        assert_eq!(walk(root.path(), |_| {}), ["9", "10", "-", "1a"]);
        let root = tree(&[("b/10", ""), ("b/9", ""), ("b/x", ""), ("a.txt", ""), ("b/100", "")]);
        let sorted = walk(root.path(), |args| args.sort = SortBy::Path);
        assert_eq!(sorted, ["a.txt", "b/10", "b/100", "b/9", "b/x"]);
    }

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

    #[test]
    fn hidden_and_ignored_files_are_skipped_except_mail() {
        let root = tree(&[
            (".ignore", "*.log\ntmp\n[0-9]*\n"),
            (".hidden", ""),
            (".dir/x", ""),
            ("a.log", ""),
            ("tmp/y", ""),
            ("b.txt", ""),
            ("Mail/cur/.1:2,S", ""),
            ("Mail/new/2.log", ""),
            ("Mail/tmp/3", ""),
            ("Mail/.Sent/cur/4", ""),
            ("Mail/.Sent/new/.keep", ""),
            ("group/12345", ""),
            ("group/12345.txt", ""),
        ]);
        let kept = [
            "Mail/.Sent/cur/4",
            "Mail/.Sent/new/.keep",
            "Mail/cur/.1:2,S",
            "Mail/new/2.log",
            "Mail/tmp/3",
            "b.txt",
            "group/12345",
        ];
        assert_eq!(walk(root.path(), |_| {}), kept);
        let hidden = walk(root.path(), |args| args.hidden = true);
        assert!(hidden.contains(&".hidden".to_owned()) && hidden.contains(&".dir/x".to_owned()));
        let all = walk(root.path(), |args| args.no_ignore = true);
        assert!(all.contains(&"a.log".to_owned()) && all.contains(&"tmp/y".to_owned()));
    }

    #[test]
    fn gitignore_applies_only_in_a_repository() {
        let root = tree(&[(".gitignore", "x\n"), ("x", ""), ("y", "")]);
        assert_eq!(walk(root.path(), |_| {}), ["x", "y"]);
        fs::create_dir(root.path().join(".git")).unwrap();
        assert_eq!(walk(root.path(), |_| {}), ["y"]);
    }

    #[test]
    fn globs_override_ignore_rules() {
        let root = tree(&[(".a.txt", ""), ("b.txt", ""), ("c.md", "")]);
        let only = walk(root.path(), |args| args.glob = vec!["*.txt".into()]);
        assert_eq!(only, [".a.txt", "b.txt"]);
        let without = walk(root.path(), |args| args.glob = vec!["!*.txt".into()]);
        assert_eq!(without, ["c.md"]);
    }

    #[test]
    fn missing_path_is_an_error() {
        let found = walk(Path::new("/nonexistent/path"), |_| {});
        assert_eq!(found.len(), 1);
        assert!(found[0].contains("check the path"), "{found:?}");
    }
}
