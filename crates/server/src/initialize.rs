//! The request `initialize`, in which the client and the server exchange their capabilities.
//!
//! The types of `lsp-types` for this request cover all capabilities of the protocol. Their code
//! would be 4 % of the command's size. So this module reads and writes only the members that the
//! server uses, as JSON.

use crate::actions::{FIX_ALL, FIX_ALL_UNSAFELY};
use crate::document::Encoding;
use crate::project::path_of_file_uri;
use lsp_types::{CodeActionKind, TextDocumentSyncKind};
use serde_json::{Value, json};
use std::path::PathBuf;

/// The client's capabilities and options that the server uses.
#[derive(Debug)]
pub(crate) struct Client {
    /// The encoding of positions, chosen from those that the client offers.
    pub(crate) encoding: Encoding,
    /// True if the client can be asked to watch files.
    pub(crate) can_watch: bool,
    /// The directories that are open in the editor if the client asked for the diagnostics of all
    /// their files with the initialization option `workspaceDiagnostics`. Otherwise empty.
    pub(crate) folders: Vec<PathBuf>,
}

impl Client {
    /// Reads the parameters of the request. A member with a wrong type is ignored. Returns `None` if
    /// there are no capabilities, which the protocol requires.
    pub(crate) fn from_params(params: &Value) -> Option<Self> {
        let capabilities = params.get("capabilities").filter(|it| it.is_object())?;
        let offered = capabilities["general"]["positionEncodings"].as_array();
        let watching = &capabilities["workspace"]["didChangeWatchedFiles"];
        Some(Self {
            encoding: Encoding::negotiate(offered.into_iter().flatten().filter_map(Value::as_str)),
            can_watch: watching["dynamicRegistration"] == true,
            folders: opened_folders(params),
        })
    }
}

/// Returns the directories for [`Client::folders`].
fn opened_folders(params: &Value) -> Vec<PathBuf> {
    if params["initializationOptions"]["workspaceDiagnostics"] != true {
        return Vec::new();
    }
    let path = |uri: &Value| uri.as_str().and_then(path_of_file_uri);
    let folders = params["workspaceFolders"].as_array().into_iter().flatten();
    let mut paths: Vec<PathBuf> = folders.filter_map(|folder| path(&folder["uri"])).collect();
    // Older clients send only the root.
    if paths.is_empty() {
        paths.extend(path(&params["rootUri"]));
    }
    paths
}

/// Returns the result of the request: the capabilities and the name of the server.
pub(crate) fn result(encoding: Encoding) -> Value {
    json!({
        "capabilities": {
            "positionEncoding": encoding.protocol_name(),
            "textDocumentSync": {
                "openClose": true,
                "change": TextDocumentSyncKind::INCREMENTAL,
                "save": true,
            },
            "hoverProvider": true,
            "codeActionProvider": {
                "codeActionKinds": [CodeActionKind::QUICKFIX, FIX_ALL, FIX_ALL_UNSAFELY],
            },
            "documentLinkProvider": { "resolveProvider": false },
        },
        "serverInfo": { "name": "urlsift", "version": env!("CARGO_PKG_VERSION") },
    })
}

#[cfg(test)]
mod tests {
    use super::Client;
    use crate::document::Encoding;
    use serde_json::json;

    #[test]
    fn members_of_other_types_are_ignored() {
        let params = json!({
            "processId": null,
            "rootUri": "file:///home/joe",
            "workspaceFolders": null,
            "initializationOptions": { "workspaceDiagnostics": true },
            "capabilities": {
                "general": { "positionEncodings": ["utf-32", 8, "utf-8"] },
                "workspace": { "didChangeWatchedFiles": { "dynamicRegistration": "yes" } },
            },
        });
        let client = Client::from_params(&params).unwrap();
        assert_eq!(client.encoding, Encoding::Utf8);
        assert!(!client.can_watch);
        assert_eq!(client.folders, ["/home/joe".into()] as [std::path::PathBuf; 1]);
        assert!(Client::from_params(&json!(null)).is_none());
        assert!(Client::from_params(&json!({ "capabilities": [] })).is_none());
    }
}
