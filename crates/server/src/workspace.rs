//! The diagnostics of the files in the workspace that are not open in the editor.

use crate::host::Host;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The files of the workspace, if the editor has asked for their diagnostics.
#[derive(Debug, Default)]
pub(crate) struct Workspace {
    /// The directories that are open in the editor. Empty if their files are not linted.
    pub(crate) folders: Vec<PathBuf>,
    /// The files in the directories that are linted, as they were last listed.
    listed: BTreeSet<PathBuf>,
    /// True if the directories must be listed again before the next file is linted.
    is_outdated: bool,
    /// The files that have to be linted, or whose diagnostics have to be cleared.
    due: BTreeSet<PathBuf>,
    /// The files that have diagnostics in the editor.
    pub(crate) shown: BTreeSet<PathBuf>,
}

impl Workspace {
    /// Queues all files of the workspace, and those that have diagnostics.
    pub(crate) fn queue_all(&mut self) {
        self.due.clone_from(&self.shown);
        self.listed.clear();
        self.is_outdated = true;
    }

    /// Queues the file at `path` if it is in a directory of the workspace. Returns true if it is.
    pub(crate) fn queue_file(&mut self, path: &Path) -> bool {
        let is_inside = self.folders.iter().any(|folder| path.starts_with(folder));
        if is_inside {
            self.is_outdated |= !self.is_listed(path);
            self.due.insert(path.to_owned());
        }
        is_inside
    }

    /// Removes the next file from the queue and returns it. Lists the directories before that if
    /// necessary: once for all messages that arrived in the meantime.
    pub(crate) fn next_file(&mut self, host: Host) -> Option<PathBuf> {
        if std::mem::take(&mut self.is_outdated) {
            let folders = self.folders.iter();
            let listed: BTreeSet<_> = folders.flat_map(|it| (host.list_files)(it)).collect();
            // The diagnostics of files that are no longer listed have to be cleared.
            self.due.extend(listed.symmetric_difference(&self.listed).cloned());
            self.listed = listed;
        }
        self.due.pop_first()
    }

    /// True if the file at `path` is linted. Files that are ignored or outside of the workspace are
    /// not.
    pub(crate) fn is_listed(&self, path: &Path) -> bool {
        self.listed.contains(path)
    }
}
