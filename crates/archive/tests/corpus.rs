//! Checks the mail of `corpus/mail` against `expected.toml`. Each expected text must be in a
//! document at the expected position in the file, with the expected decoded layers.

use serde::Deserialize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use urlsift_archive::{
    Container, Document, DocumentKind, Head, Headers, Options, Reading, detect, documents,
    redecode, split,
};
use urlsift_core::{BreakKind, Span};

#[derive(Deserialize)]
struct Suite {
    file: Vec<File>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    name: String,
    container: String,
    messages: u64,
    #[serde(default)]
    headers: Option<String>,
    #[serde(default)]
    find: Vec<Find>,
    #[serde(default)]
    absent: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Find {
    text: String,
    raw: Option<String>,
    raw_bytes: Option<Vec<u8>>,
    packed_in: Option<String>,
    item: Option<String>,
    #[serde(default = "text_kind")]
    kind: String,
    part: Option<String>,
    #[serde(default)]
    decoded: Vec<String>,
    #[serde(default)]
    approximate: bool,
    soft: Option<bool>,
    message: Option<String>,
    date: Option<String>,
    groups: Option<String>,
    list: Option<String>,
    from: Option<String>,
}

fn text_kind() -> String {
    "text".into()
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/mail")
}

fn read(name: &str) -> Vec<u8> {
    std::fs::read(folder().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn suite() -> Suite {
    let text = std::fs::read_to_string(folder().join("expected.toml")).unwrap();
    toml::from_str(&text).unwrap()
}

fn container(name: &str, raw: &[u8]) -> Container {
    let name = name.rsplit('/').next().unwrap_or_default();
    detect(Head::of(raw), Some(name.as_bytes()), Reading::Auto)
}

fn kind(document: &Document<'_>) -> String {
    match document.kind {
        DocumentKind::Attribute(name) => name.to_owned(),
        DocumentKind::Mention(name) => format!("in {name}"),
        DocumentKind::Header(name) => format!("header {}", String::from_utf8_lossy(name)),
        _ => "text".into(),
    }
}

fn positions(text: &[u8], wanted: &[u8]) -> Vec<Span> {
    let ends = (0..=text.len()).filter(|&at| text[at..].starts_with(wanted));
    ends.map(|at| Span::new(at, at + wanted.len())).collect()
}

/// Removes layout: white space and quote marks.
fn without_layout(text: &[u8]) -> Vec<u8> {
    text.iter().copied().filter(|&b| !b.is_ascii_whitespace() && b != b'>').collect()
}

impl Find {
    /// Returns the reason why the span `found` of `document` is not the expected text, or `None` if
    /// it is.
    fn mismatch(&self, raw: &[u8], document: &Document<'_>, found: Span) -> Option<String> {
        fn differs(what: &str, is: &str, wanted: &str) -> Option<String> {
            (is != wanted).then(|| format!("{what} is {is:?}, not {wanted:?}"))
        }
        let place = document.to_file_span(found);
        let bytes =
            &raw[usize::try_from(place.start).unwrap()..usize::try_from(place.end).unwrap()];
        let wanted = self
            .raw_bytes
            .clone()
            .unwrap_or_else(|| self.raw.as_ref().unwrap_or(&self.text).clone().into_bytes());
        let show = |bytes: &[u8]| bytes.escape_ascii().to_string();
        let layers = document.layers(found);
        let names: Vec<_> = layers.decoded.iter().map(|layer| layer.name()).collect();
        let message = document.origin.message;
        let lossy =
            |bytes: Option<&[u8]>| String::from_utf8_lossy(bytes.unwrap_or_default()).into_owned();
        let packed = self.packed_in.as_ref().and_then(|start| {
            let is_packed = bytes.starts_with(start.as_bytes()) && bytes.len() > 1000;
            (!is_packed).then(|| format!("raw is {}", show(bytes)))
        });
        let raw = if self.packed_in.is_some() {
            packed
        } else {
            differs("raw", &show(bytes), &show(&wanted))
        };
        raw.or_else(|| differs("item", &lossy(Some(document.origin.item)), self.item.as_ref()?))
            .or_else(|| differs("kind", &kind(document), &self.kind))
            .or_else(|| differs("part", document.origin.part, self.part.as_ref()?))
            .or_else(|| differs("decoded", &names.join(" "), &self.decoded.join(" ")))
            .or_else(|| {
                (layers.approximate != self.approximate).then(|| "approximate differs".to_owned())
            })
            .or_else(|| {
                if self.approximate {
                    return None;
                }
                let undone = redecode(bytes, layers.decoded).unwrap_or_default();
                let same = without_layout(&undone) == without_layout(self.text.as_bytes());
                (!same).then(|| format!("redecoded: {}", show(&undone)))
            })
            .or_else(|| {
                let soft = document
                    .breaks
                    .iter()
                    .any(|b| (found.start..found.end).contains(&b.at) && b.kind != BreakKind::Hard);
                (soft != self.soft?).then(|| format!("soft is {soft}"))
            })
            .or_else(|| differs("message", &lossy(message?.id()), self.message.as_ref()?))
            .or_else(|| {
                differs(
                    "date",
                    &message?.date().utc.map(|utc| utc.to_string()).unwrap_or_default(),
                    self.date.as_ref()?,
                )
            })
            .or_else(|| {
                let groups = message?.newsgroups().join(&b' ');
                differs("groups", &String::from_utf8_lossy(&groups), self.groups.as_ref()?)
            })
            .or_else(|| differs("list", &lossy(message?.list_id()), self.list.as_ref()?))
            .or_else(|| differs("from", &lossy(message?.from_domain()), self.from.as_ref()?))
    }
}

#[test]
fn every_text_has_its_expected_position() {
    let mut failures = Vec::new();
    for file in suite().file {
        let raw = read(&file.name);
        let container = container(&file.name, &raw);
        assert_eq!(format!("{container:?}"), file.container, "{}", file.name);
        let mut options = Options::default();
        if file.headers.as_deref() == Some("all") {
            options.headers = Headers::All;
        }
        let mut objections: Vec<Result<(), Vec<String>>> =
            file.find.iter().map(|_| Err(vec![])).collect();
        let tally = documents(&raw, container, 0, &options, &mut |document| {
            for (find, objections) in file.find.iter().zip(&mut objections) {
                for found in positions(document.text, find.text.as_bytes()) {
                    match (find.mismatch(&raw, document, found), &mut *objections) {
                        (None, met) => *met = Ok(()),
                        (Some(mismatch), Err(all)) => all.push(mismatch),
                        (Some(_), Ok(())) => {}
                    }
                }
            }
            for absent in &file.absent {
                for found in positions(document.text, absent.as_bytes()) {
                    if !document.is_opaque(found) {
                        failures.push(format!("{}: {absent:?} should not be seen", file.name));
                    }
                }
            }
            ControlFlow::Continue(())
        });
        assert_eq!(tally.messages, file.messages, "{}", file.name);
        for (find, objections) in file.find.iter().zip(objections) {
            if let Err(objections) = objections {
                failures.push(format!("{}: {:?}: {objections:#?}", file.name, find.text));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Every file of the directory is listed in `expected.toml`. Otherwise it would not be tested.
#[test]
fn every_file_is_listed() {
    fn files(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { files(&path, found) } else { found.push(path) }
        }
    }
    let mut found = Vec::new();
    files(&folder(), &mut found);
    let suite = suite();
    for path in found {
        let name = path.strip_prefix(folder()).unwrap().to_str().unwrap().replace('\\', "/");
        let kept = ["README.md", "expected.toml", ".gitattributes"].contains(&&*name);
        assert!(kept || suite.file.iter().any(|file| file.name == name), "{name}");
    }
}

/// Returns the documents as (start, end, text, part), to compare different ways of reading the same
/// file.
fn all(raw: &[u8], container: Container, base: u64) -> Vec<(u64, u64, Vec<u8>, String)> {
    let mut found = Vec::new();
    documents(raw, container, base, &Options::default(), &mut |document| {
        let place = document.to_file_span(Span::new(0, document.text.len()));
        let part = document.origin.part.to_owned();
        found.push((place.start, place.end, document.text.to_vec(), part));
        ControlFlow::Continue(())
    });
    found
}

#[test]
fn a_file_split_into_units_reads_as_the_whole() {
    for file in suite().file {
        let raw = read(&file.name);
        let container = container(&file.name, &raw);
        if !container.is_splittable() {
            continue;
        }
        let whole = all(&raw, container, 0);
        for at_least in (1..raw.len() + 2).step_by(7) {
            let mut parts = Vec::new();
            for unit in split(container, &raw, at_least) {
                parts.extend(all(&raw[unit.clone()], container, unit.start as u64));
            }
            assert_eq!(parts, whole, "{} by {at_least}", file.name);
        }
    }
}

#[test]
fn a_streamed_sequence_reads_as_the_whole() {
    for file in suite().file {
        let raw = read(&file.name);
        let container = container(&file.name, &raw);
        if !container.is_sequence() {
            continue;
        }
        let whole = all(&raw, container, 0);
        for step in [1, 13, 100, 500, 10_000] {
            let (mut base, mut read) = (0, 0);
            let mut parts = Vec::new();
            while base < raw.len() {
                read = (read + step).min(raw.len());
                let cut = urlsift_archive::safe_cut(container, &raw[base..read], read == raw.len());
                parts.extend(all(&raw[base..base + cut], container, base as u64));
                base += cut;
            }
            assert_eq!(parts, whole, "{} by {step}", file.name);
        }
    }
}

/// Malformed mail loses no URL that a plain scan would find: every word of the raw bytes with `://`
/// is in some document.
#[test]
fn broken_mail_loses_nothing() {
    for file in suite().file.iter().filter(|file| file.name.starts_with("broken/")) {
        let raw = read(&file.name);
        let texts = all(&raw, container(&file.name, &raw), 0);
        for word in raw.split(|b| matches!(b, b' ' | b'\n' | b'"' | b'<' | b'>' | 0)) {
            if word.windows(3).any(|w| w == b"://") {
                let seen = texts.iter().any(|(_, _, text, _)| !positions(text, word).is_empty());
                assert!(seen, "{}: {}", file.name, word.escape_ascii());
            }
        }
    }
}

/// A digest part that starts directly with its message's header, without the empty line that should
/// end its own header, is still one message.
#[test]
fn header_is_sent_once() {
    let mail = b"Subject: a digest\nMIME-Version: 1.0\nContent-Type: multipart/digest; boundary=b\n\n\
        --b\nFrom: joe@h.dom\nSubject: see http://h.dom/ now\nX-URL: http://home.dom/\n\nhttp://body.dom/\n--b--\n";
    let mut seen = Vec::new();
    let mut sink = |document: &Document<'_>| {
        if memchr::memmem::find(document.text, b"://").is_some() {
            seen.push(String::from_utf8_lossy(document.text.trim_ascii()).into_owned());
        }
        ControlFlow::Continue(())
    };
    documents(mail, Container::Message, 0, &Options::default(), &mut sink);
    assert_eq!(seen, ["see http://h.dom/ now", "http://home.dom/", "http://body.dom/"]);
}
