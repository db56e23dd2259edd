//! Replays the sessions recorded in `tests/sessions`: the editor's messages (`>`) and all responses
//! of the server (`<`). A session with files of the workspace must list as many published
//! diagnostics as it gets, because they aren't answers to a message. `UPDATE=1 cargo test -p urlsift-server` records the responses again.

use serde_json::Value;
use std::fmt::Write as _;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;
use std::{env, fs, thread};
use urlsift_lint::{Slug, Tree};
use urlsift_server::Host;

/// Functions that read a directory without its subdirectories.
const HOST: Host = Host { read_tree, list_files };

fn list_files(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).unwrap();
    entries.map(|entry| entry.unwrap().path()).collect()
}

fn read_tree(root: &Path, slug: Slug) -> Tree {
    let mut tree = Tree::new(root.to_owned(), slug);
    for path in list_files(root) {
        let text = fs::read(&path).unwrap();
        tree.add_file(path.file_name().unwrap().as_ref(), Some(&text));
    }
    tree
}

/// A reader fed by a channel, and a writer that sends to one.
struct Source(Receiver<Vec<u8>>, Vec<u8>);
struct Drain(Sender<Vec<u8>>);

impl Read for Source {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if self.1.is_empty() {
            self.1 = self.0.recv().unwrap_or_default();
        }
        let len = buf.len().min(self.1.len());
        buf[..len].copy_from_slice(&self.1[..len]);
        self.1.drain(..len);
        Ok(len)
    }
}

impl Write for Drain {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.send(bytes.to_vec()).map_err(io::Error::other)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A running server and both ends of its streams.
struct Session {
    to: Sender<Vec<u8>>,
    from: Receiver<Vec<u8>>,
    server: thread::JoinHandle<io::Result<bool>>,
    unread: Vec<u8>,
}

impl Session {
    fn start() -> Self {
        let (to, input) = channel();
        let (output, from) = channel();
        let server =
            thread::spawn(|| urlsift_server::serve(Source(input, Vec::new()), Drain(output), HOST));
        Self { to, from, server, unread: Vec::new() }
    }

    fn send_raw(&self, bytes: &[u8]) {
        self.to.send(bytes.to_vec()).unwrap();
    }

    fn send(&self, message: &str) {
        self.send_raw(format!("Content-Length: {}\r\n\r\n{message}", message.len()).as_bytes());
    }

    /// Returns the next message, if one arrives within `patience`.
    fn next(&mut self, patience: Duration) -> Option<Value> {
        loop {
            if let Some(at) = self.unread.windows(4).position(|four| four == b"\r\n\r\n") {
                let head = String::from_utf8(self.unread[..at].to_vec()).unwrap();
                let len: usize = head.strip_prefix("Content-Length: ").unwrap().parse().unwrap();
                if self.unread.len() >= at + 4 + len {
                    let body: Vec<u8> = self.unread.drain(..at + 4 + len).skip(at + 4).collect();
                    return Some(serde_json::from_slice(&body).unwrap());
                }
            }
            self.unread.extend(self.from.recv_timeout(patience).ok()?);
        }
    }

    /// Sends a request and returns all messages up to its response, and until diagnostics were
    /// published `times` times. They are published when no more input is waiting.
    fn settle(&mut self, times: usize) -> Vec<Value> {
        self.send(r#"{"jsonrpc":"2.0","id":"settle","method":"settle"}"#);
        let mut all = Vec::new();
        let (mut settled, mut published) = (false, 0);
        loop {
            let done = settled && published >= times;
            let patience = Duration::from_millis(if done { 100 } else { 60_000 });
            let Some(message) = self.next(patience) else {
                assert!(done, "no answer");
                return all;
            };
            if message["id"] == "settle" {
                settled = true;
                continue;
            }
            published += usize::from(message["method"] == "textDocument/publishDiagnostics");
            all.push(message);
        }
    }

    fn end(self) -> bool {
        drop(self.to);
        self.server.join().unwrap().unwrap()
    }
}

const HELLO: &str =
    r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"capabilities":{}}}"#;

#[test]
fn responses_match_recorded_sessions() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sessions");
    let mut files: Vec<_> =
        fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(!files.is_empty());
    for file in files {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().to_str().unwrap();
        let recorded = fs::read_to_string(&file).unwrap();
        let mut session = Session::start();
        let mut output = String::new();
        let mut lines = recorded.lines();
        while let Some(line) = lines.next() {
            if line.starts_with('<') {
                continue;
            }
            writeln!(output, "{line}").unwrap();
            if let Some(message) = line.strip_prefix("> ") {
                session.send(&message.replace("ROOT", root));
                let publishes = ["/didOpen", "/didChange\"", "/didClose", "/didChangeWatched"]
                    .iter()
                    .any(|it| line.contains(it));
                let answers = lines.clone().take_while(|line| line.starts_with('<'));
                let expected = answers.filter(|it| it.contains("publishDiagnostics")).count();
                for answer in session.settle(expected.max(usize::from(publishes))) {
                    writeln!(output, "< {}", answer.to_string().replace(root, "ROOT")).unwrap();
                }
            } else if let Some(raw) = line.strip_prefix("raw ") {
                session.send_raw(raw.replace("\\n", "\r\n").as_bytes());
            } else if let Some((name, content)) =
                line.strip_prefix("file ").and_then(|rest| rest.split_once(' '))
            {
                let path = folder.path().join(name);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, content.replace("\\n", "\n")).unwrap();
            }
        }
        session.end();
        if env::var_os("UPDATE").is_some() {
            fs::write(&file, output).unwrap();
        } else {
            assert_eq!(output, recorded, "{}", file.display());
        }
    }
}

#[test]
fn large_document_is_fixed_completely() {
    const COUNT: usize = 66_000;
    let mut session = Session::start();
    session.send(HELLO);
    let text = "http:/www.host.dom/\n".repeat(COUNT);
    let document = serde_json::json!({"uri": "untitled:a", "languageId": "plaintext", "version": 1, "text": text});
    let open = serde_json::json!({
        "jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": document},
    });
    session.send(&open.to_string());
    session.settle(1);
    session.send(
        r#"{"jsonrpc":"2.0","id":2,"method":"textDocument/codeAction","params":{"textDocument":{"uri":"untitled:a"},
        "range":{"start":{"line":0,"character":0},"end":{"line":0,"character":0}},
        "context":{"diagnostics":[],"only":["source.fixAll"]}}}"#,
    );
    let answers = session.settle(0);
    let answer = answers.iter().find(|answer| answer["id"] == 2).unwrap();
    let edits = &answer["result"][0]["edit"]["documentChanges"][0]["edits"];
    assert_eq!(edits.as_array().map(Vec::len), Some(COUNT), "{:.300}", answer.to_string());
    session.end();
}

#[test]
fn invalid_input_does_not_end_the_session() {
    let mut session = Session::start();
    session.send_raw(b"\x00\xff garbage\r\n\r\nContent-Length: x\r\n\r\n");
    session.send("{");
    session.send("[]");
    session.send(r#"{"jsonrpc":"2.0","id":1,"method":"textDocument/hover","params":3}"#);
    session.send(HELLO);
    for params in ["null", "[]", "{}", "7", r#"{"textDocument":{"uri":"::"}}"#] {
        for method in [
            "textDocument/didOpen",
            "textDocument/didChange",
            "textDocument/didClose",
            "textDocument/hover",
            "textDocument/codeAction",
            "textDocument/documentLink",
            "initialize",
            "$/cancelRequest",
            "no/such",
        ] {
            session.send(&format!(r#"{{"jsonrpc":"2.0","method":"{method}","params":{params}}}"#));
            session.send(&format!(
                r#"{{"jsonrpc":"2.0","id":2,"method":"{method}","params":{params}}}"#
            ));
        }
    }
    let open = |uri: &str, text: &str| {
        let item =
            serde_json::json!({"uri": uri, "languageId": "text", "version": 1, "text": text});
        serde_json::json!({"jsonrpc": "2.0", "method": "textDocument/didOpen",
            "params": {"textDocument": item}})
        .to_string()
    };
    session.send(&open("untitled:a", "http:/a\u{1f600}.dom/ \u{202e}\n\r"));
    for range in [
        r#"{"start":{"line":9,"character":9},"end":{"line":0,"character":4294967295}}"#,
        r#"{"start":{"line":0,"character":8},"end":{"line":0,"character":8}}"#,
        r#"{"start":{"line":-1,"character":0},"end":{"line":0,"character":0}}"#,
        r#"{"start":{"line":4294967295,"character":0},"end":{"line":4294967295,"character":0}}"#,
    ] {
        session.send(&format!(
            r#"{{"jsonrpc":"2.0","method":"textDocument/didChange","params":{{"textDocument":{{"uri":"untitled:a","version":2}},"contentChanges":[{{"range":{range},"text":"x\u00e9"}}]}}}}"#
        ));
    }
    let large = "http:/www.host.dom/a b\n".repeat((50 << 20) / 23);
    session.send(&open("untitled:large", &large));
    session.send(&open("untitled:faulty", &large[..1 << 20]));
    session.send(r#"{"jsonrpc":"2.0","id":3,"method":"textDocument/hover","params":{"textDocument":{"uri":"untitled:a"},"position":{"line":0,"character":3}}}"#);
    let messages = session.settle(3);
    let about = |uri: &str| {
        messages.iter().rfind(|message| message["params"]["uri"] == uri).expect("it is published")
    };
    assert_eq!(about("untitled:large")["params"]["diagnostics"], serde_json::json!([]));
    let faults = about("untitled:faulty")["params"]["diagnostics"].as_array().unwrap();
    assert_eq!(faults.len(), 1000);
    assert!(messages.iter().any(|message| message["id"] == 3 && message["error"].is_null()));
    session.send(r#"{"jsonrpc":"2.0","id":4,"method":"shutdown"}"#);
    session.send(r#"{"jsonrpc":"2.0","method":"exit"}"#);
    assert!(session.end());
}
