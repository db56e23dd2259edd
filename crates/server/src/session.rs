//! A session with an editor: reads messages, answers requests, and publishes diagnostics.

use crate::actions::ActionTarget;
use crate::document::{Encoding, Text};
use crate::faults::Faults;
use crate::format::format_of;
use crate::host::Host;
use crate::hover::hover_text;
use crate::initialize::{self, Client};
use crate::links::{self, Link, find_links};
use crate::project::{Project, Projects, file_uri_of_path, path_of_file_uri};
use crate::transport::{self, Incoming};
use crate::workspace::Workspace;
use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::{
    CodeActionParams, DidChangeTextDocumentParams, DidChangeWatchedFilesParams,
    DidChangeWatchedFilesRegistrationOptions, DidCloseTextDocumentParams,
    DidOpenTextDocumentParams, DocumentLinkParams, FileChangeType, FileSystemWatcher, GlobPattern,
    HoverParams, LogMessageParams, MessageType, PublishDiagnosticsParams, Registration,
    RegistrationParams, ShowMessageParams, Uri,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::str::FromStr as _;
use std::sync::mpsc::{TryRecvError, sync_channel};
use urlsift_archive::Reading;
use urlsift_core::Level;
use urlsift_lint::{Settings, Tree};

/// The maximum number of messages that are read ahead. While messages are waiting, e.g. when the
/// user types, documents aren't linted.
const READ_AHEAD: usize = 256;
/// The maximum size of a document that is linted, in bytes.
const MAX_DOCUMENT_LEN: usize = 32 << 20;

/// Runs a session of the Language Server Protocol until the editor ends it or `input` ends. `host`
/// reads directories.
///
/// Returns true if the editor sent `shutdown` before `exit`, as the protocol requires. The caller
/// should exit with status 0 in this case, and 1 otherwise.
///
/// # Errors
///
/// Returns an error if writing to `output` fails.
pub fn serve(
    input: impl Read + Send + 'static,
    output: impl Write,
    host: Host,
) -> io::Result<bool> {
    let (sender, receiver) = sync_channel(READ_AHEAD);
    std::thread::Builder::new().name("urlsift-reader".to_owned()).spawn(move || {
        let mut input = BufReader::new(input);
        while let Ok(Some(incoming)) = transport::read_message(&mut input)
            && sender.send(incoming).is_ok()
        {}
    })?;
    let mut session = Session::new(output, host);
    loop {
        let incoming = match receiver.try_recv() {
            Ok(incoming) => incoming,
            Err(TryRecvError::Empty) => {
                session.publish_diagnostics()?;
                if session.publish_next_file()? {
                    continue;
                }
                match receiver.recv() {
                    Ok(incoming) => incoming,
                    Err(_) => return Ok(false),
                }
            }
            Err(TryRecvError::Disconnected) => {
                session.publish_diagnostics()?;
                return Ok(false);
            }
        };
        match incoming {
            Incoming::Broken(id, why) => session.report_invalid(id, why)?,
            Incoming::Message(Message::Request(request)) => session.handle_request(request)?,
            Incoming::Message(Message::Notification(note)) if note.method == "exit" => {
                return Ok(session.state == State::Ended);
            }
            Incoming::Message(Message::Notification(note)) => session.handle_notification(note)?,
            // The only request that the server sends is the one to watch files.
            Incoming::Message(Message::Response(_)) => {}
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Before `initialize`.
    New,
    Ready,
    /// After `shutdown`.
    Ended,
}

/// A connection to an editor: the open documents, and the settings of their projects.
struct Session<W> {
    output: W,
    state: State,
    encoding: Encoding,
    can_watch: bool,
    documents: BTreeMap<String, Document>,
    projects: Projects,
    host: Host,
    workspace: Workspace,
}

/// A document that is open in the editor.
struct Document {
    uri: Uri,
    path: Option<PathBuf>,
    /// The path to lint the document with. Its extension may differ from that of `path`.
    linted_path: PathBuf,
    reading: Reading,
    version: i32,
    text: Text,
    /// The problems, computed on demand.
    faults: Option<Rc<Faults>>,
    links: Option<Rc<Vec<Link>>>,
    /// True if diagnostics for the current text aren't published yet.
    is_due: bool,
}

impl Document {
    /// True if the document is not linted because of its size.
    fn is_too_large(&self) -> bool {
        self.text.as_str().len() > MAX_DOCUMENT_LEN
    }

    /// Returns the problems of the document, from the cache if neither the text nor the settings
    /// have changed. The list is empty if the document is too large.
    fn cached_faults(&mut self, project: &Project) -> Rc<Faults> {
        if self.faults.is_none() && !self.is_too_large() {
            let text = self.text.as_str();
            let faults =
                Faults::lint_document(text, &self.linted_path, self.reading, &project.judge);
            self.faults = Some(Rc::new(faults));
        }
        self.faults.clone().unwrap_or_default()
    }

    /// Returns the URLs of the document, from the cache if neither the text nor the settings have
    /// changed. The list is empty if the document is too large.
    fn cached_links(&mut self, project: &Project) -> Rc<Vec<Link>> {
        if self.links.is_none() && !self.is_too_large() {
            let text = self.text.as_str();
            self.links = Some(Rc::new(find_links(text, &self.linted_path, self.reading, project)));
        }
        self.links.clone().unwrap_or_default()
    }

    /// Discards the cached results after a change of the text or the settings, so that diagnostics
    /// are published again.
    fn discard_results(&mut self) {
        (self.faults, self.links, self.is_due) = (None, None, true);
    }
}

/// The value to return for a request of the client, or an error code and a message.
type Answer = Result<Value, (ErrorCode, String)>;

/// Parses the parameters of a message. Returns an error for the client if they are invalid.
fn parse_params<P: DeserializeOwned>(value: Value) -> Result<P, (ErrorCode, String)> {
    serde_json::from_value(value).map_err(|error| (ErrorCode::InvalidParams, error.to_string()))
}

/// Converts a value to the result of a request.
fn to_answer(value: impl Serialize) -> Answer {
    serde_json::to_value(value).map_err(|error| (ErrorCode::InternalError, error.to_string()))
}

impl<W: Write> Session<W> {
    fn new(output: W, host: Host) -> Self {
        Self {
            output,
            state: State::New,
            encoding: Encoding::default(),
            can_watch: false,
            documents: BTreeMap::new(),
            projects: Projects::new(host),
            host,
            workspace: Workspace::default(),
        }
    }

    /// Writes a message to the editor.
    fn send_message(&mut self, message: impl Into<Message>) -> io::Result<()> {
        message.into().write(&mut self.output)
    }

    /// Writes a notification to the editor.
    fn send_notification(&mut self, method: &str, params: impl Serialize) -> io::Result<()> {
        self.send_message(Notification::new(method.to_owned(), params))
    }

    /// Writes a warning to the editor's log.
    fn log_warning(&mut self, message: String) -> io::Result<()> {
        self.send_notification(
            "window/logMessage",
            LogMessageParams { typ: MessageType::WARNING, message },
        )
    }

    /// Reports an invalid message to the editor. `id` is the id of the request, if it is known.
    fn report_invalid(&mut self, id: Option<RequestId>, why: String) -> io::Result<()> {
        match id {
            Some(id) => {
                self.send_message(Response::new_err(id, ErrorCode::InvalidRequest as i32, why))
            }
            // The protocol's types can't express a response without an id.
            None => self.log_warning(format!("invalid message: {why}")),
        }
    }

    /// Handles a request of the editor, and sends the response.
    fn handle_request(&mut self, request: Request) -> io::Result<()> {
        let Request { id, method, params: given } = request;
        let answer = match (self.state, method.as_str()) {
            (State::New, "initialize") => self.answer_initialize(&given),
            (State::New, _) => {
                Err((ErrorCode::ServerNotInitialized, "expected `initialize` first".to_owned()))
            }
            (State::Ended, _) => {
                Err((ErrorCode::InvalidRequest, "the server is shut down".to_owned()))
            }
            (State::Ready, "shutdown") => {
                self.state = State::Ended;
                Ok(Value::Null)
            }
            (State::Ready, "textDocument/codeAction") => self.answer_code_actions(given),
            (State::Ready, "textDocument/documentLink") => self.answer_document_links(given),
            (State::Ready, "textDocument/hover") => self.answer_hover(given),
            (State::Ready, _) => {
                Err((ErrorCode::MethodNotFound, format!("`{method}` is not supported")))
            }
        };
        self.send_message(match answer {
            Ok(value) => Response::new_ok(id, value),
            Err((code, message)) => Response::new_err(id, code as i32, message),
        })?;
        self.show_settings_errors()
    }

    /// Handles `initialize`: stores the client's capabilities and returns the server's.
    fn answer_initialize(&mut self, given: &Value) -> Answer {
        let client = Client::from_params(given)
            .ok_or_else(|| (ErrorCode::InvalidParams, "missing `capabilities`".to_owned()))?;
        self.encoding = client.encoding;
        self.can_watch = client.can_watch;
        self.workspace.folders = client.folders;
        self.state = State::Ready;
        Ok(initialize::result(self.encoding))
    }

    /// Returns an open document and its settings, or an error if the document is not open.
    fn find_document(
        &mut self,
        uri: &Uri,
    ) -> Result<(&mut Document, Project), (ErrorCode, String)> {
        let Some(document) = self.documents.get_mut(uri.as_str()) else {
            return Err((ErrorCode::InvalidParams, "the document is not open".to_owned()));
        };
        let project = self.projects.for_path(document.path.as_deref());
        Ok((document, project))
    }

    /// Handles `textDocument/codeAction`: returns the fixes for a range of a document.
    fn answer_code_actions(&mut self, given: Value) -> Answer {
        let params: CodeActionParams = parse_params(given)?;
        let encoding = self.encoding;
        let (document, project) = self.find_document(&params.text_document.uri)?;
        let faults = document.cached_faults(&project);
        let bytes = document.text.byte_range(params.range, encoding);
        let (text, reading) = (document.text.as_str().as_bytes(), document.reading);
        let path = &document.linted_path;
        let fix = |least| project.judge.fix(path, text, reading, least, Level::Info).applied;
        let place = ActionTarget {
            text: &document.text,
            uri: &document.uri,
            version: document.version,
            encoding,
        };
        to_answer(place.code_actions(&faults, &bytes, &params.context, fix))
    }

    /// Handles `textDocument/documentLink`: returns the links of a document.
    fn answer_document_links(&mut self, given: Value) -> Answer {
        let params: DocumentLinkParams = parse_params(given)?;
        let encoding = self.encoding;
        let (document, project) = self.find_document(&params.text_document.uri)?;
        let links = document.cached_links(&project);
        let hides = project.linter.config().hides;
        to_answer(links::to_document_links(&links, hides, &document.text, encoding))
    }

    /// Handles `textDocument/hover`: returns the description of the URL at a position, and its
    /// problems.
    fn answer_hover(&mut self, given: Value) -> Answer {
        let HoverParams { text_document_position_params: at, .. } = parse_params(given)?;
        let encoding = self.encoding;
        let (document, project) = self.find_document(&at.text_document.uri)?;
        let (links, faults) = (document.cached_links(&project), document.cached_faults(&project));
        let offset = document.text.offset_of_position(at.position, encoding);
        let config = project.linter.config();
        to_answer(hover_text(&links, &faults.all, offset, config, &document.text, encoding))
    }

    /// Handles a notification of the editor. An invalid one is ignored, and the reason is logged.
    fn handle_notification(&mut self, note: Notification) -> io::Result<()> {
        let Notification { method, params: given } = note;
        if self.state != State::Ready {
            return Ok(());
        }
        let result = match method.as_str() {
            "initialized" => {
                self.workspace.queue_all();
                return self.watch_files();
            }
            "textDocument/didOpen" => parse_params(given).map(|params| self.open_document(params)),
            "textDocument/didChange" => {
                parse_params(given).map(|params| self.change_document(params))
            }
            "textDocument/didClose" => match parse_params(given) {
                Ok(params) => return self.close_document(&params),
                Err(error) => Err(error),
            },
            "textDocument/didSave" => {
                // Other documents may link to headings of this one.
                if self.projects.has_trees() {
                    self.discard_all_results();
                }
                Ok(())
            }
            "workspace/didChangeWatchedFiles" => {
                parse_params(given).map(|params| self.change_files(&params))
            }
            "workspace/didChangeConfiguration" => {
                self.discard_all_results();
                Ok(())
            }
            _ => Ok(()),
        };
        match result {
            Ok(()) => Ok(()),
            Err((_, why)) => self.log_warning(format!("`{method}` was ignored: {why}")),
        }
    }

    /// Reads all settings again, and lints all documents and files again.
    fn discard_all_results(&mut self) {
        self.projects.clear_cache();
        self.documents.values_mut().for_each(Document::discard_results);
        self.workspace.queue_all();
    }

    /// Handles `workspace/didChangeWatchedFiles`: lints the changed files again, or everything if
    /// settings, or a directory tree that links are checked against, have changed.
    fn change_files(&mut self, params: &DidChangeWatchedFilesParams) {
        let paths = params.changes.iter().map(|change| path_of_file_uri(change.uri.as_str()));
        let paths: Vec<Option<PathBuf>> = paths.collect();
        let is_settings = |path: &PathBuf| path.ends_with(Settings::NAME);
        // A tree contains the paths of all files, but only the content of documents.
        let changes_tree = params.changes.iter().zip(&paths).any(|(change, path)| {
            change.typ != FileChangeType::CHANGED
                || path.as_ref().is_none_or(|it| Tree::needs_content(it))
        });
        if self.workspace.folders.is_empty()
            || self.projects.has_trees() && changes_tree
            || paths.iter().flatten().any(is_settings)
        {
            self.discard_all_results();
        } else {
            for path in paths.iter().flatten() {
                self.workspace.queue_file(path);
            }
        }
    }

    /// Asks the editor to report changes of settings files, and of all files if the workspace is
    /// linted. Does nothing if the editor doesn't support that.
    fn watch_files(&mut self) -> io::Result<()> {
        if !self.can_watch {
            return Ok(());
        }
        let has_workspace = !self.workspace.folders.is_empty();
        let glob = if has_workspace { "**/*".into() } else { format!("**/{}", Settings::NAME) };
        let glob_pattern = GlobPattern::String(glob);
        let watchers = vec![FileSystemWatcher { glob_pattern, kind: None }];
        let method = "workspace/didChangeWatchedFiles".to_owned();
        let options = DidChangeWatchedFilesRegistrationOptions { watchers };
        let register_options = serde_json::to_value(options).ok();
        let registration = Registration { id: "urlsift.toml".to_owned(), method, register_options };
        let params = RegistrationParams { registrations: vec![registration] };
        let method = "client/registerCapability".to_owned();
        self.send_message(Request::new("urlsift.toml".to_owned().into(), method, params))
    }

    /// Handles `textDocument/didOpen`: adds a document.
    fn open_document(&mut self, params: DidOpenTextDocumentParams) {
        let opened = params.text_document;
        let path = path_of_file_uri(opened.uri.as_str());
        let (reading, linted_path) =
            format_of(&opened.language_id, path.as_deref().unwrap_or(Path::new("")));
        let document = Document {
            linted_path: linted_path.into_owned(),
            reading,
            path,
            version: opened.version,
            text: Text::new(opened.text),
            faults: None,
            links: None,
            is_due: true,
            uri: opened.uri,
        };
        self.documents.insert(document.uri.as_str().to_owned(), document);
    }

    /// Handles `textDocument/didChange`: applies changes to the text of a document.
    fn change_document(&mut self, params: DidChangeTextDocumentParams) {
        let changed = params.text_document;
        let Some(document) = self.documents.get_mut(changed.uri.as_str()) else { return };
        document.version = changed.version;
        for change in params.content_changes {
            document.text = std::mem::take(&mut document.text).with_change(change, self.encoding);
        }
        document.discard_results();
    }

    /// Handles `textDocument/didClose`: removes a document, and clears its diagnostics in the
    /// editor.
    fn close_document(&mut self, params: &DidCloseTextDocumentParams) -> io::Result<()> {
        let uri = &params.text_document.uri;
        let Some(document) = self.documents.remove(uri.as_str()) else { return Ok(()) };
        if let Some(path) = document.path.filter(|path| self.workspace.queue_file(path)) {
            self.workspace.shown.insert(path);
            return Ok(());
        }
        let gone = PublishDiagnosticsParams::new(uri.clone(), Vec::new(), None);
        self.send_notification("textDocument/publishDiagnostics", gone)
    }

    /// Sends the diagnostics of all documents that have changed to the editor.
    fn publish_diagnostics(&mut self) -> io::Result<()> {
        let mut published = Vec::new();
        for document in self.documents.values_mut().filter(|document| document.is_due) {
            document.is_due = false;
            let project = self.projects.for_path(document.path.as_deref());
            let faults = document.cached_faults(&project);
            let shown = faults.to_lsp_diagnostics(&document.text, &document.uri, self.encoding);
            let uri = document.uri.clone();
            let params = PublishDiagnosticsParams::new(uri, shown, Some(document.version));
            published.push((params, document.is_too_large()));
        }
        for (params, is_too_large) in published {
            if is_too_large {
                let uri = params.uri.as_str();
                self.log_warning(format!(
                    "{uri} is not linted: it is larger than {} MiB",
                    MAX_DOCUMENT_LEN >> 20
                ))?;
            }
            self.send_notification("textDocument/publishDiagnostics", params)?;
        }
        self.show_settings_errors()
    }

    /// Lints the next file of the workspace that is not open, and sends its diagnostics to the
    /// editor. Returns false if there is no such file.
    fn publish_next_file(&mut self) -> io::Result<bool> {
        let Some(path) = self.workspace.next_file(self.host) else { return Ok(false) };
        let is_open = |document: &Document| document.path.as_deref() == Some(&path);
        let uri = file_uri_of_path(&path).and_then(|uri| Uri::from_str(&uri).ok());
        let Some(uri) = uri.filter(|_| !self.documents.values().any(is_open)) else {
            return Ok(true);
        };
        let is_read = self.workspace.is_listed(&path)
            && path.metadata().is_ok_and(|it| it.is_file() && it.len() <= MAX_DOCUMENT_LEN as u64);
        let text = is_read.then(|| fs::read(&path).ok()).flatten();
        // Positions count characters, so the text must be UTF-8.
        let shown = text.and_then(|text| String::from_utf8(text).ok()).map(|text| {
            let project = self.projects.for_path(Some(&path));
            let faults = Faults::lint_document(&text, &path, Reading::Auto, &project.judge);
            faults.to_lsp_diagnostics(&Text::new(text), &uri, self.encoding)
        });
        let shown = shown.unwrap_or_default();
        // An empty list clears the diagnostics that the editor shows.
        let was_shown = self.workspace.shown.remove(&path);
        if was_shown || !shown.is_empty() {
            if !shown.is_empty() {
                self.workspace.shown.insert(path);
            }
            let params = PublishDiagnosticsParams::new(uri, shown, None);
            self.send_notification("textDocument/publishDiagnostics", params)?;
        }
        self.show_settings_errors()?;
        Ok(true)
    }

    /// Shows the user the errors in settings files that weren't shown yet.
    fn show_settings_errors(&mut self) -> io::Result<()> {
        for message in std::mem::take(&mut self.projects.faults) {
            let typ = MessageType::ERROR;
            self.send_notification("window/showMessage", ShowMessageParams { typ, message })?;
        }
        Ok(())
    }
}
