//! Lints messages and pages that are longer than the buffer of a stream.

use urlsift_archive::{Options, Reading};
use urlsift_lint::{Config, Linter};

#[test]
fn long_message_is_parsed_as_a_whole() {
    // "At http:/www.host.dom/ now.", and a picture.
    let mut mail = b"From: joe@host.dom\n\
        Content-Type: multipart/mixed; boundary=b\n\n\
        --b\n\
        Content-Type: text/plain\n\
        Content-Transfer-Encoding: base64\n\n\
        QXQgaHR0cDovd3d3Lmhvc3QuZG9tLyBub3cu\n\
        --b\n\
        Content-Type: image/png\n\
        Content-Transfer-Encoding: base64\n\n"
        .to_vec();
    let line = [b'A'; 76];
    while mail.len() <= Options::default().max_message {
        mail.extend_from_slice(&line);
        mail.push(b'\n');
    }
    mail.extend_from_slice(b"--b--\n");
    let linted = Linter::new(Config::default()).lint_file(&mail, Some(b"a.eml"), Reading::Auto);
    let codes: Vec<_> = linted.diagnostics.iter().map(|found| found.code).collect();
    assert_eq!((codes, linted.messages), (vec!["scheme.single-slash"], 1));
}

#[test]
fn long_page_is_parsed_as_a_whole() {
    let mut page = b"<p>http:/www.host.dom/ &amp;</p><pre>\n".to_vec();
    while page.len() <= Options::default().max_message {
        page.extend_from_slice(
            b"words that say nothing, over and over, and no colon stands in them\n",
        );
    }
    page.extend_from_slice(b"</pre><a href='http://www.host.dom/?a&amp;b=c d'>d</a>\n");
    let linted = Linter::new(Config::default()).lint_file(&page, Some(b"a.html"), Reading::Auto);
    let codes: Vec<_> = linted.diagnostics.iter().map(|found| found.code).collect();
    assert_eq!(codes, ["scheme.single-slash", "char.space"]);
}
