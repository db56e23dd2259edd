//! The messages of a public-inbox, a mailing list's archive in a git repository.
//!
//! Version 1 keeps them as the files `xx/yyyy…` of HEAD's tree. In version 2 every commit brings one
//! message, the file `m`, or takes one back, the file `d`. Only the object database is read: no
//! worktree, no configuration, no program of git's.

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

/// The bytes of a message that are held in memory.
const LONGEST: u64 = 1 << 30;

/// A message: the name of its blob, and what it holds or why that cannot be had.
pub(crate) type Message<'m> = (&'m str, Result<&'m [u8], String>);

/// Whether `path` is a public-inbox: a repository without a worktree whose HEAD has the shape of either version.
///
/// # Errors
///
/// Why a repository cannot be read, for people.
pub(crate) fn is_public_inbox(path: &Path) -> Result<bool, String> {
    Ok(is_bare_repository(path) && Inbox::open(path)?.version()?.is_some())
}

/// Hands every message of the public-inbox to `visit`, until that breaks: those of version 1 by their
/// paths, those of version 2 by age, oldest first. Those that were deleted are left out.
///
/// # Errors
///
/// Why not all messages could be visited, for people.
pub(crate) fn visit_messages(
    path: &Path,
    visit: &mut dyn FnMut(Message<'_>) -> ControlFlow<()>,
) -> Result<(), String> {
    let inbox = Inbox::open(path)?;
    let messages = match inbox.version()? {
        Some(Version::One) => inbox.files()?,
        Some(Version::Two) => inbox.additions()?,
        None => Vec::new(),
    };
    let mut buffer = Vec::new();
    for id in messages {
        let name = id.to_string();
        if visit((&name, inbox.message(id, &mut buffer))).is_break() {
            break;
        }
    }
    Ok(())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Version {
    One,
    Two,
}

/// A repository, and the commit that its HEAD leads to.
struct Inbox {
    objects: gix_odb::Handle,
    head: ObjectId,
}

/// The files that a commit of version 2 can have.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Change {
    /// `m`: a message that is added.
    added: Option<ObjectId>,
    /// `d`: a message that is deleted.
    deleted: Option<ObjectId>,
}

impl Change {
    fn of(entries: &[EntryRef<'_>]) -> Self {
        let file = |name: &str| {
            let entry = entries.iter().find(|entry| entry.mode.is_blob() && entry.filename == name);
            entry.map(|entry| entry.oid.to_owned())
        };
        Self { added: file("m"), deleted: file("d") }
    }
}

impl Inbox {
    fn open(path: &Path) -> Result<Self, String> {
        let unreadable =
            |error: io::Error| format!("the git repository cannot be opened: {}", explain(&error));
        let objects = gix_odb::at(path.join("objects"), Kind::Sha1).map_err(unreadable)?;
        let refs = gix_ref::file::Store::at(path.to_owned(), Kind::Sha1);
        let head = refs
            .find("HEAD")
            .and_then(|mut head| head.peel_to_id(&refs, &objects))
            .map_err(|error| damaged("the commit that its HEAD names", error))?;
        Ok(Self { objects, head })
    }

    /// Which version HEAD has the shape of, by its files; a commit whose message was purged has none.
    fn version(&self) -> Result<Option<Version>, String> {
        let mut buffer = Vec::new();
        let mut next = Some(self.head);
        while let Some(id) = next {
            let (tree, parent) = self.commit(id)?;
            let entries = self.entries(tree, &mut buffer)?;
            if !entries.is_empty() {
                let mut folders = entries.iter().filter(|entry| entry.mode.is_tree()).peekable();
                let is_one =
                    folders.peek().is_some() && folders.all(|entry| is_hex(entry.filename));
                let is_two = Change::of(&entries) != Change::default();
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

    /// The tree of a commit, and its first parent.
    fn commit(&self, id: ObjectId) -> Result<(ObjectId, Option<ObjectId>), String> {
        let mut buffer = Vec::new();
        let mut commit = self
            .objects
            .find_commit_iter(&id, &mut buffer)
            .map_err(|error| damaged(format_args!("the commit {id}"), error))?;
        let tree =
            commit.tree_id().map_err(|error| damaged(format_args!("the commit {id}"), error))?;
        let parent = commit.parent_ids().next();
        Ok((tree, parent))
    }

    fn entries<'b>(
        &self,
        tree: ObjectId,
        buffer: &'b mut Vec<u8>,
    ) -> Result<Vec<EntryRef<'b>>, String> {
        let found = self.objects.find_tree(&tree, buffer);
        found
            .map(|tree| tree.entries)
            .map_err(|error| damaged(format_args!("the tree {tree}"), error))
    }

    /// The files in the folders of HEAD, by their paths.
    fn files(&self) -> Result<Vec<ObjectId>, String> {
        let (mut outer, mut inner) = (Vec::new(), Vec::new());
        let mut files = Vec::new();
        for folder in self.entries(self.commit(self.head)?.0, &mut outer)? {
            if folder.mode.is_tree() {
                let found = self.entries(folder.oid.to_owned(), &mut inner)?;
                let blobs = found.iter().filter(|entry| entry.mode.is_blob());
                files.extend(blobs.map(|entry| entry.oid.to_owned()));
            }
        }
        Ok(files)
    }

    /// The messages that were added and not deleted later, oldest first.
    fn additions(&self) -> Result<Vec<ObjectId>, String> {
        let mut added = Vec::new();
        let mut deleted = HashMap::new();
        let mut buffer = Vec::new();
        let mut next = Some(self.head);
        // From the newest commit on, so that a deletion comes before what it deletes.
        let mut child = Change::default();
        while let Some(id) = next {
            let (tree, parent) = self.commit(id)?;
            let here = Change::of(&self.entries(tree, &mut buffer)?);
            record(child, here, &mut added, &mut deleted);
            (child, next) = (here, parent);
        }
        record(child, Change::default(), &mut added, &mut deleted);
        added.reverse();
        Ok(added)
    }

    fn message<'b>(&self, id: ObjectId, buffer: &'b mut Vec<u8>) -> Result<&'b [u8], String> {
        let broken = |error| damaged("this message", error);
        let size = self.objects.header(id).map_err(broken)?.size();
        if size > LONGEST {
            return Err(format!(
                "this message has {size} bytes; messages are read up to {LONGEST}"
            ));
        }
        Ok(self.objects.find_blob(&id, buffer).map_err(broken)?.data)
    }
}

/// Notes what a commit changed against its parent: what is the same in both stands there still.
fn record(
    child: Change,
    parent: Change,
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

/// Whether a folder's name is the start of a hash.
fn is_hex(name: &[u8]) -> bool {
    name.len() == 2 && name.iter().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
}

fn damaged(what: impl Display, error: impl Display) -> String {
    format!("{what} cannot be read from the git repository: {error}")
}
