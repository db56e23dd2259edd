//! Determines the programs that open a URL: those in `$BROWSER`, or the system's default. URLs are
//! never passed to a shell.

use std::ffi::{OsStr, OsString};

use crate::platform::{LIST_SEPARATOR, OPENER, os_string_from_printed, printed_bytes};

/// A command that opens a URL, e.g. in a web browser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Browser {
    /// The program and its arguments, which include the URL. The list is never empty.
    pub(crate) command: Vec<OsString>,
    /// True if the program has its own window, so that it runs in the background.
    pub(crate) in_background: bool,
}

/// Returns the commands that can open `url`, in the order in which to try them. If `browser`
/// contains no command, returns the system's default command.
///
/// `browser` is the value of `$BROWSER`: commands separated by colons, with arguments separated by
/// spaces. In a command, `%s` is replaced by the URL and `%%` by a percent sign. If a command has
/// no `%s`, the URL becomes its last argument. A command that ends with `&` runs in the background.
pub(crate) fn browsers_for(browser: Option<&OsStr>, url: &[u8]) -> Vec<Browser> {
    let commands = browser.map(printed_bytes).unwrap_or_default();
    let commands = commands.split(|&byte| byte == LIST_SEPARATOR);
    let mut browsers: Vec<Browser> =
        commands.filter_map(|command| parse_command(command, url)).collect();
    if browsers.is_empty() {
        let mut command: Vec<OsString> = OPENER.iter().map(OsString::from).collect();
        command.push(os_string_from_printed(url.to_vec()));
        browsers.push(Browser { command, in_background: true });
    }
    browsers
}

/// Parses one command from `$BROWSER` and inserts the URL. Returns `None` if the command is empty.
fn parse_command(command: &[u8], url: &[u8]) -> Option<Browser> {
    let command = command.trim_ascii();
    let (command, in_background) = match command.strip_suffix(b"&") {
        Some(command) => (command, true),
        None => (command, false),
    };
    let mut has_url = false;
    let words = command.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    let mut command: Vec<OsString> = words
        .map(|word| os_string_from_printed(fill_placeholders(word, url, &mut has_url)))
        .collect();
    if command.is_empty() {
        return None;
    }
    if !has_url {
        command.push(os_string_from_printed(url.to_vec()));
    }
    Some(Browser { command, in_background })
}

/// Returns `word` with `%s` replaced by the URL and `%%` by a percent sign. Sets `has_url` to true
/// if the word contains `%s`.
fn fill_placeholders(word: &[u8], url: &[u8], has_url: &mut bool) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = word;
    while let Some((&byte, tail)) = rest.split_first() {
        rest = tail;
        match (byte, tail.first()) {
            (b'%', Some(b's')) => {
                *has_url = true;
                out.extend_from_slice(url);
                rest = &tail[1..];
            }
            (b'%', Some(b'%')) => {
                out.push(b'%');
                rest = &tail[1..];
            }
            _ => out.push(byte),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::browsers_for;
    use std::ffi::OsStr;

    fn commands(browser: &str, url: &str) -> Vec<(Vec<String>, bool)> {
        let found = browsers_for(Some(OsStr::new(browser)), url.as_bytes());
        let text = |word: &std::ffi::OsString| word.to_str().unwrap().to_owned();
        found
            .into_iter()
            .map(|one| (one.command.iter().map(text).collect(), one.in_background))
            .collect()
    }

    fn words(command: &[&str]) -> Vec<String> {
        command.iter().map(|&word| word.to_owned()).collect()
    }

    #[test]
    fn browser_variable_is_parsed() {
        let url = "http://h.dom/a:b;$(touch x)%s";
        assert_eq!(
            commands("lynx:w3m -o x=%% %s: firefox --new-tab=%s &:", url),
            [
                (words(&["lynx", url]), false),
                (words(&["w3m", "-o", "x=%", url]), false),
                (words(&["firefox", &format!("--new-tab={url}")]), true),
            ]
        );
    }

    #[test]
    fn without_one() {
        let expected = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
        for empty in ["", " : &:"] {
            assert_eq!(
                commands(empty, "http://h.dom/"),
                [(words(&[expected, "http://h.dom/"]), true)]
            );
        }
    }
}
