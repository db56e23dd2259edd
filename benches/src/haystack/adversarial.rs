//! Hostile texts. Each repeats a text that some extractors are known to scan again and again.

/// A hostile text of any length. It consists of `before`, `unit` repeated, and `after`.
#[derive(Clone, Copy, Debug)]
pub struct Pattern {
    /// The name of the text, which is valid as a file name.
    pub name: &'static str,
    /// The start of the text.
    pub before: &'static str,
    /// The part that is repeated.
    pub unit: &'static str,
    /// The end of the text.
    pub after: &'static str,
}

const fn again(name: &'static str, unit: &'static str) -> Pattern {
    Pattern { name, before: "", unit, after: "" }
}

const fn begun(name: &'static str, before: &'static str, unit: &'static str) -> Pattern {
    Pattern { name, before, unit, after: "" }
}

const fn closed(
    name: &'static str,
    before: &'static str,
    unit: &'static str,
    after: &'static str,
) -> Pattern {
    Pattern { name, before, unit, after }
}

impl Pattern {
    /// All hostile texts. If you find a new input that takes quadratic time, add it here.
    pub const ALL: &'static [Self] = &[
        // Wrappers that are opened repeatedly and never closed, or closed far away.
        again("wrapper-open", "<URL:"),
        again("wrapper-open-http", "<http://x"),
        again("wrapper-empty", "<URL:>"),
        again("wrapper-unclosed", "<URL:http://a.b/c d e "),
        begun("wrapper-unclosed-once", "<URL:http://a.b/", "c d e "),
        begun("wrapper-unclosed-lines", "<URL:http://a.b/", "c/d\n"),
        again("wrapper-unclosed-line-each", "<URL:http://a.b/c\n"),
        closed("wrapper-closed-far", "", "<URL:http://a.b/c\n ", ">"),
        again("wrapper-blank-lines", "<URL:http://a.b/\n\n"),
        again("wrapper-page-furniture", "<URL:http://a.b/\n\n\x0c\n\n"),
        again("angle-open", "<"),
        again("angle-close", ">"),
        // Starts of URLs without a URL, and URLs inside URLs.
        again("anchor-http", "http://"),
        again("anchor-http-twice", "http://http://"),
        again("anchor-letter", "a:"),
        again("colons", "::::"),
        again("scheme-colons", "http:"),
        again("slashes", "://"),
        again("prose-colons", "note: this is: "),
        again("header-lines", "Subject: re: fwd: x\n"),
        again("mailto-open", "mailto:a@"),
        again("mailto", "mailto:a@b.c "),
        again("news", "news:"),
        again("news-glued", "news:a@b,"),
        again("prefix", "URL:"),
        again("prefix-http", "URL:http://"),
        again("at-signs", "@@@@"),
        again("www", "www.www."),
        again("host-dots", "a.b."),
        // A single endless URL, and URLs whose ends must be trimmed or balanced.
        begun("url-endless", "http://a.b/", "abcdefgh/"),
        begun("url-parens-close", "http://a.b/", ")"),
        begun("url-parens-open", "http://a.b/", "("),
        begun("url-parens-pairs", "http://a.b/", "()"),
        begun("url-brackets", "http://a.b/", "[]]["),
        begun("url-labels", "http://a.b/", "[a"),
        begun("url-keys", "http://a.b/?", "[a][b"),
        begun("url-json", "http://a.b/?", "a=[{\"[["),
        begun("url-symbols", "http://", "☃"),
        begun("url-colors", "http://a.b/", "c\x1B[1m"),
        begun("url-color-run", "http://a.b/", "\x1B[1m"),
        again("colors", "http://\x1B[m"),
        again("url-color-each", "http://a.b/\x1B[1m"),
        again("url-irc-color-each", "\x0312http://a.b/\x03,"),
        begun("url-starred", "http://a.b/", "c**\n> "),
        again("url-starred-each", "http://a.b/**\n"),
        again("url-folded-each", "http://a.b/\\\nc "),
        begun("script-slashes", "<script>'http:\\/\\/", "(/'\\'"),
        begun("url-full-stops", "http://a.b/", "."),
        begun("url-commas", "http://a.b/", ",;:!?"),
        begun("url-quotes", "\"http://a.b/", "'\""),
        begun("url-escapes", "http://a.b/", "%2"),
        begun("url-queries", "http://a.b/", "?a=b&"),
        begun("url-fragments", "http://a.b/", "#"),
        begun("url-host-long", "http://", "a."),
        begun("url-host-digits", "http://", "1."),
        begun("url-logins", "http://", "a:b@"),
        begun("url-emphasis", "*http://a.b/", "*_"),
        begun("url-angle", "http://a.b/", "<"),
        again("url-comma-list", "http://a.b,"),
        again("url-kana", "http://a.b/を"),
        again("parens-open", "(((("),
        again("word", "aaaa"),
        again("scheme-bytes", "a+-.1"),
        begun(
            "scheme-long",
            "",
            "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa:/",
        ),
        // Line breaks, after each of which a URL may continue.
        again(
            "break-wrap-column",
            "see http://www.example.com/a/long/path/up/to/the/column/where/mail/wraps\n",
        ),
        again("break-url-only", "http://a.b/c/\nd/e/"),
        begun("break-url-tail", "http://a.b/c/", "\nabc/def/"),
        again("break-scrap", "http://a.b/c/\nd\n"),
        again("break-scrap-hyphen", "http://a.b/c-\nd\n"),
        begun("break-hyphen", "<URL:http://a.b/", "c-\n"),
        begun("break-hyphen-bare", "http://a.b/", "c-\n"),
        begun("break-blank-lines", "http://a.b/c/", "\n"),
        begun("break-blanks", "http://a.b/c", " "),
        begun("break-crlf", "<URL:http://a.b/", "\r\n "),
        again("break-twin", "http://a.b/c/d\n e http://a.b/c/de "),
        again("quote-deep", ">>>>>>>>>>>>>>>> http://a.b/c/\n"),
        begun("quote-endless", "", ">> "),
        begun("quote-wrapper", "> <URL:http://a.b/", "\n> c/"),
        again("quote-depth-changes", "> http://a.b/c/\n>> d/\n"),
        // Lines of special formats.
        again(
            "base64",
            "TWFuIGlzIGRpc3Rpbmd1aXNoZWQsIG5vdCBvbmx5IGJ5IGhpcyByZWFzb24sIGJ1dCBieSB0aGlz\n",
        ),
        again("nul", "\0"),
        again("high-bytes", "\u{ff}"),
        again("no-break-space", "http://a.b\u{a0}"),
        again("line-one", "one line without an end, http://a.b/c and on, "),
    ];

    /// Returns the text with as many repetitions of `unit` as fit into `bytes` bytes.
    pub fn text(&self, bytes: usize) -> Vec<u8> {
        let mut text = Vec::with_capacity(bytes + self.before.len() + self.after.len());
        text.extend_from_slice(self.before.as_bytes());
        while text.len() + self.unit.len() <= bytes {
            text.extend_from_slice(self.unit.as_bytes());
        }
        text.extend_from_slice(self.after.as_bytes());
        text
    }
}
