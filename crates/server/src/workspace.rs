//! The diagnostics of the files in the workspace that are not open in the editor.

use crate::host::Host;
use crate::project::path_of_file_uri;
use lsp_types::InitializeParams;
use std::collections::{BTreeSet, VecDeque};
use std::path::{Path, PathBuf};

/// The files of the workspace, if the editor has asked for their diagnostics.
#[derive(Debug, Default)]
pub(crate) struct Workspace {
    /// The directories that are open in the editor. Empty if their files are not linted.
    pub(crate) folders: Vec<PathBuf>,
    /// The files that have to be linted.
    pub(crate) due: VecDeque<PathBuf>,
    /// The files that have diagnostics in the editor.
    pub(crate) shown: BTreeSet<PathBuf>,
}

impl Workspace {
    /// Queues all files of the workspace, and those that have diagnostics.
    pub(crate) fn queue_all(&mut self, host: Host) {
        let mut all = self.shown.clone();
        for folder in &self.folders {
            all.extend((host.list_files)(folder));
        }
        self.due = all.into_iter().collect();
    }

    /// Queues the file at `path` if it is in the workspace. Returns true if it is.
    pub(crate) fn queue_file(&mut self, path: &Path) -> bool {
        let is_inside = self.folders.iter().any(|folder| path.starts_with(folder));
        if is_inside && !self.due.iter().any(|it| it == path) {
            self.due.push_back(path.to_owned());
        }
        is_inside
    }
}

/// Returns the directories that are open in the editor if the client asked for the diagnostics of
/// all their files with the initialization option `workspaceDiagnostics`. Otherwise returns an
/// empty list.
pub(crate) fn opened_folders(params: &InitializeParams) -> Vec<PathBuf> {
    let options = params.initialization_options.as_ref();
    if options.and_then(|options| options["workspaceDiagnostics"].as_bool()) != Some(true) {
        return Vec::new();
    }
    let folders = params.workspace_folders.iter().flatten().map(|folder| &folder.uri);
    let mut paths: Vec<PathBuf> =
        folders.filter_map(|uri| path_of_file_uri(uri.as_str())).collect();
    #[expect(deprecated, reason = "older clients send only the root")]
    let root = params.root_uri.as_ref();
    if paths.is_empty() {
        paths.extend(root.and_then(|uri| path_of_file_uri(uri.as_str())));
    }
    paths
}
