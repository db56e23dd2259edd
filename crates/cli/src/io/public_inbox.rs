//! Reads the messages of a public-inbox, which is the archive of a mailing list in a git
//! repository.
//!
//! Version 1 of the format stores messages as files `xx/yyyy…` in the tree of HEAD. In version 2,
//! every commit adds a message as the file `m` or deletes one as the file `d`. Only the object
//! database is read: no worktree and no configuration, and git is not run.

use super::explain::explain;
use super::walk::is_bare_repository;
use gix_hash::{Kind, ObjectId};
use gix_object::FindExt;
use gix_object::tree::EntryRef;
use gix_odb::HeaderExt;
use gix_ref::file::ReferenceExt;
use std::collections::HashMap;
use std::fmt::Display;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;

/// The maximum size of a message in bytes.
const MAX_MESSAGE_LEN: u64 = 1 << 30;

/// A message: the identifier of its blob in hexadecimal, and the bytes of the message or an error
/// message.
pub(crate) type Message<'m> = (&'m str, Result<&'m [u8], String>);

/// True if the directory at `path` is a public-inbox, which is a git archive of mail: a bare
/// repository whose HEAD has the structure of format version 1 or 2.
///
/// # Errors
///
/// Returns an error message if the repository can't be read.
pub(crate) fn is_public_inbox(path: &Path) -> Result<bool, String> {
    Ok(is_bare_repository(path) && Inbox::open_repository(path)?.version()?.is_some())
}

/// Calls `visit` with each message of the public-inbox at `path`, until `visit` returns `Break`.
/// Skips deleted messages.
///
/// Messages are ordered by path in format version 1, and from the oldest to the newest in version
/// 2.
///
/// # Errors
///
/// Returns an error message if the repository can't be read.
pub(crate) fn visit_messages(
    path: &Path,
    visit: &mut dyn FnMut(Message<'_>) -> ControlFlow<()>,
) -> Result<(), String> {
    let inbox = Inbox::open_repository(path)?;
    let messages = match inbox.version()? {
        Some(Version::One) => inbox.blobs_of_version_1()?,
        Some(Version::Two) => inbox.blobs_of_version_2()?,
        None => Vec::new(),
    };
    let mut buffer = Vec::new();
    for id in messages {
        let name = id.to_string();
        if visit((&name, inbox.read_message(id, &mut buffer))).is_break() {
            break;
        }
    }
    Ok(())
}

/// The version of the public-inbox format, which determines where the messages are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Version {
    One,
    Two,
}

/// The open git repository of a public-inbox, with the commit of its HEAD.
struct Inbox {
    objects: gix_odb::Handle,
    head: ObjectId,
}

/// The files `m` (an added message) and `d` (a deleted message) in the tree of one commit of a
/// version 2 public-inbox. A commit changes those files that differ from its parent's.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct CommitFiles {
    /// The blob of the file `m`, an added message.
    added: Option<ObjectId>,
    /// The blob of the file `d`, a deleted message.
    deleted: Option<ObjectId>,
}

impl CommitFiles {
    /// Finds the files `m` and `d` among the entries of a commit's tree.
    fn from_entries(entries: &[EntryRef<'_>]) -> Self {
        let file = |name: &str| {
            let entry = entries.iter().find(|entry| entry.mode.is_blob() && entry.filename == name);
            entry.map(|entry| entry.oid.to_owned())
        };
        Self { added: file("m"), deleted: file("d") }
    }
}

impl Inbox {
    /// Opens the git repository at `path`, and finds the commit of its HEAD. Returns an error
    /// message if that fails.
    fn open_repository(path: &Path) -> Result<Self, String> {
        let unreadable =
            |error: io::Error| format!("cannot open the git repository: {}", explain(&error));
        let objects = gix_odb::at(path.join("objects"), Kind::Sha1).map_err(unreadable)?;
        let refs = gix_ref::file::Store::at(path.to_owned(), Kind::Sha1);
        let head = refs
            .find("HEAD")
            .and_then(|mut head| head.peel_to_id(&refs, &objects))
            .map_err(|error| damaged_object_message("the commit of HEAD", error))?;
        Ok(Self { objects, head })
    }

    /// Detects the version of the public-inbox format. Returns `None` if the repository is not a
    /// public-inbox.
    ///
    /// The version is detected from the files of HEAD or, if there are none, of the latest ancestor
    /// that has files. A commit whose message was purged has no files.
    fn version(&self) -> Result<Option<Version>, String> {
        let mut buffer = Vec::new();
        let mut next = Some(self.head);
        while let Some(id) = next {
            let (tree, parent) = self.tree_and_parent(id)?;
            let entries = self.tree_entries(tree, &mut buffer)?;
            if !entries.is_empty() {
                let mut folders = entries.iter().filter(|entry| entry.mode.is_tree()).peekable();
                let is_one = folders.peek().is_some()
                    && folders.all(|entry| is_hash_prefix_directory(entry.filename));
                let is_two = CommitFiles::from_entries(&entries) != CommitFiles::default();
                return Ok(match (is_one, is_two) {
                    (_, true) => Some(Version::Two),
                    (true, false) => Some(Version::One),
                    (false, false) => None,
                });
            }
            next = parent;
        }
        Ok(None)
    }

    /// Returns the tree of the commit `id`, and the commit's first parent if it has one.
    fn tree_and_parent(&self, id: ObjectId) -> Result<(ObjectId, Option<ObjectId>), String> {
        let mut buffer = Vec::new();
        let mut commit = self
            .objects
            .find_commit_iter(&id, &mut buffer)
            .map_err(|error| damaged_object_message(format_args!("the commit {id}"), error))?;
        let tree = commit
            .tree_id()
            .map_err(|error| damaged_object_message(format_args!("the commit {id}"), error))?;
        let parent = commit.parent_ids().next();
        Ok((tree, parent))
    }

    /// Reads the tree object `tree`, and returns its entries, which borrow from `buffer`.
    fn tree_entries<'b>(
        &self,
        tree: ObjectId,
        buffer: &'b mut Vec<u8>,
    ) -> Result<Vec<EntryRef<'b>>, String> {
        let found = self.objects.find_tree(&tree, buffer);
        found
            .map(|tree| tree.entries)
            .map_err(|error| damaged_object_message(format_args!("the tree {tree}"), error))
    }

    /// Returns the ids of all messages in a version 1 public-inbox: the files in the directories of
    /// HEAD, ordered by path.
    fn blobs_of_version_1(&self) -> Result<Vec<ObjectId>, String> {
        let (mut outer, mut inner) = (Vec::new(), Vec::new());
        let mut files = Vec::new();
        for folder in self.tree_entries(self.tree_and_parent(self.head)?.0, &mut outer)? {
            if folder.mode.is_tree() {
                let found = self.tree_entries(folder.oid.to_owned(), &mut inner)?;
                let blobs = found.iter().filter(|entry| entry.mode.is_blob());
                files.extend(blobs.map(|entry| entry.oid.to_owned()));
            }
        }
        Ok(files)
    }

    /// Returns the ids of all messages in a version 2 public-inbox that were added and not deleted
    /// later, oldest first.
    fn blobs_of_version_2(&self) -> Result<Vec<ObjectId>, String> {
        let mut added = Vec::new();
        let mut deleted = HashMap::new();
        let mut buffer = Vec::new();
        let mut next = Some(self.head);
        // Commits are visited from the newest, so that a deletion comes before the message that it
        // deletes.
        let mut child = CommitFiles::default();
        while let Some(id) = next {
            let (tree, parent) = self.tree_and_parent(id)?;
            let here = CommitFiles::from_entries(&self.tree_entries(tree, &mut buffer)?);
            record_commit_changes(child, here, &mut added, &mut deleted);
            (child, next) = (here, parent);
        }
        record_commit_changes(child, CommitFiles::default(), &mut added, &mut deleted);
        added.reverse();
        Ok(added)
    }

    /// Reads the message with the given id into `buffer` and returns its bytes. Returns an error
    /// message if the message is too long or can't be read.
    fn read_message<'b>(&self, id: ObjectId, buffer: &'b mut Vec<u8>) -> Result<&'b [u8], String> {
        let broken = |error| damaged_object_message("this message", error);
        let size = self.objects.header(id).map_err(broken)?.size();
        if size > MAX_MESSAGE_LEN {
            return Err(format!(
                "not scanned: the message has {size} bytes; the limit is {MAX_MESSAGE_LEN}"
            ));
        }
        Ok(self.objects.find_blob(&id, buffer).map_err(broken)?.data)
    }
}

/// Records the change that a commit made, by comparing its files with those of its parent. Call
/// this from the newest commit to the oldest.
///
/// Appends the id of an added message to `added`. `deleted` counts, for each message, the deletions
/// whose addition was not reached yet.
fn record_commit_changes(
    child: CommitFiles,
    parent: CommitFiles,
    added: &mut Vec<ObjectId>,
    deleted: &mut HashMap<ObjectId, usize>,
) {
    if let Some(id) = child.deleted.filter(|_| child.deleted != parent.deleted) {
        *deleted.entry(id).or_insert(0) += 1;
    }
    if let Some(id) = child.added.filter(|_| child.added != parent.added) {
        match deleted.get_mut(&id) {
            Some(times @ 1..) => *times -= 1,
            _ => added.push(id),
        }
    }
}

/// True if `name` consists of two hexadecimal digits, like the directories of messages in version
/// 1.
fn is_hash_prefix_directory(name: &[u8]) -> bool {
    name.len() == 2 && name.iter().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
}

/// Returns the error message for a git object that can't be read. `what` names the object.
fn damaged_object_message(what: impl Display, error: impl Display) -> String {
    format!("cannot read {what} from the git repository: {error}")
}
