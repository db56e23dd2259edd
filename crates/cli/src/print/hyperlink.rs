//! Hyperlinks from the output to positions in files, for terminals that support them (OSC 8).

use crate::args::{HyperlinkFormat, LinkPart};
use crate::platform;
use std::path::PathBuf;
use urlsift_core::percent_encode;
use urlsift_records::FileName;

/// The escape sequence that ends a link.
pub(super) const END: &[u8] = b"\x1b]8;;\x1b\\";

/// A writer of terminal hyperlinks (OSC 8) to positions in files.
#[derive(Debug)]
pub(crate) struct Hyperlinks {
    format: HyperlinkFormat,
    host: Vec<u8>,
    /// The first part of the paths by which Windows programs find the files of this WSL system,
    /// e.g. `wsl$/Debian`. It is empty outside WSL.
    wsl_prefix: String,
    /// The directory to which relative paths refer.
    directory: PathBuf,
}

impl Hyperlinks {
    /// Creates a writer of hyperlinks in the format of `--hyperlink-format`. Returns `None` if the
    /// format is empty, because links are turned off.
    ///
    /// # Errors
    ///
    /// Returns an error if the working directory no longer exists.
    pub(crate) fn new(format: &HyperlinkFormat) -> std::io::Result<Option<Self>> {
        if format.0.is_empty() {
            return Ok(None);
        }
        let host = platform::host_name();
        let wsl_prefix = match std::env::var("WSL_DISTRO_NAME") {
            Ok(name) => format!("wsl$/{name}"),
            Err(_) => String::new(),
        };
        let directory = std::env::current_dir()?;
        Ok(Some(Self { format: format.clone(), host, wsl_prefix, directory }))
    }

    /// True if each link contains a line number.
    pub(crate) fn contains_line_number(&self) -> bool {
        self.format.contains_line_variable()
    }

    /// Appends the escape sequence that starts a link to a position in a file. Returns false, and
    /// appends nothing, if no link is possible, e.g. to standard input.
    ///
    /// A link to an archive member points to the archive, because programs can't open the member.
    pub(super) fn push_link_start(
        &self,
        out: &mut Vec<u8>,
        file: &FileName,
        line: Option<u64>,
        column: Option<u64>,
    ) -> bool {
        if file.path == b"-" {
            return false;
        }
        let [line, column] =
            [line, column].map(|number| number.filter(|_| file.member.is_none()).unwrap_or(1));
        out.extend_from_slice(b"\x1b]8;;");
        for part in &self.format.0 {
            // Percent-encodes other bytes, since they could end the link or start an escape
            // sequence.
            out.extend(match part {
                LinkPart::Text(text) => percent_encode(text.as_bytes(), |b| b.is_ascii_graphic()),
                LinkPart::WslPrefix => {
                    percent_encode(self.wsl_prefix.as_bytes(), |b| b == b'$' || is_unreserved(b))
                }
                LinkPart::Host => percent_encode(&self.host, is_unreserved),
                LinkPart::Path => {
                    let path = self.directory.join(platform::path_from_printed(&file.path));
                    let path: PathBuf = path.components().collect();
                    percent_encode(
                        &platform::uri_path(&platform::printed_bytes(&path)),
                        is_unreserved,
                    )
                }
                LinkPart::Line => line.to_string().into_bytes(),
                LinkPart::Column => column.to_string().into_bytes(),
            });
        }
        out.extend_from_slice(b"\x1b\\");
        true
    }
}

/// True if `byte` can be written in the path of a URL without percent-encoding.
fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn link(format: &str, file: &FileName, line: Option<u64>) -> Option<String> {
        let links = Hyperlinks {
            format: format.parse().unwrap(),
            host: b"box".to_vec(),
            wsl_prefix: "wsl$/De bian".to_owned(),
            directory: PathBuf::from("/home/joe"),
        };
        let mut out = Vec::new();
        links.push_link_start(&mut out, file, line, None).then(|| String::from_utf8(out).unwrap())
    }

    #[test]
    fn link_contains_path_and_line() {
        let file = FileName::new("./a b\x1b.txt");
        let expected = "\x1b]8;;vscode://file/home/joe/a%20b%1B.txt:7:1\x1b\\";
        assert_eq!(link("vscode", &file, Some(7)).unwrap(), expected);
        let expected = "\x1b]8;;file://box/a.txt\x1b\\";
        assert_eq!(link("default", &FileName::new("/a.txt"), None).unwrap(), expected);
        let expected = "\x1b]8;;vscode://file/wsl$/De%20bian/a.txt:7\x1b\\";
        let format = "vscode://file/{wslprefix}{path}:{line}";
        assert_eq!(link(format, &FileName::new("/a.txt"), Some(7)).unwrap(), expected);
        let member = FileName::new("/a.zip").with_member(b"b.txt");
        assert_eq!(link("x:{path}#{line}", &member, Some(7)).unwrap(), "\x1b]8;;x:/a.zip#1\x1b\\");
        assert_eq!(link("file", &FileName::new("-"), Some(7)), None);
    }
}
